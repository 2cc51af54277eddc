"""Which camera is meant, also when it comes back under another number."""

import sys
from pathlib import Path

import pytest

from controller.devices.camera import choice
from controller.devices.camera.choice import AUTO, RIBBON, CameraChoice, cameras
from tests.devices.camera.pi_table import PI
from tests.devices.camera.rig import CameraRig


@pytest.fixture(autouse=True)
def no_ribbon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "find_spec", lambda _: None)


def choice_at(folder: Path, source: str) -> CameraChoice:
    return CameraChoice(source, folder / "dev" / "by-id", folder / "dev")


def plugged(folder: Path, name: str, number: int) -> CameraRig:
    rig = CameraRig(folder, name)
    rig.plug(number)
    return rig


def test_cameras_have_names_that_stay(tmp_path: Path) -> None:
    for name in ("usb-B-video-index0", "usb-B-video-index1", "usb-A-video-index0"):
        (tmp_path / name).touch()
    assert cameras(tmp_path) == (str(tmp_path / "usb-A-video-index0"), str(tmp_path / "usb-B-video-index0"))
    assert cameras(tmp_path / "nothing") == ()


def test_without_any_camera_there_is_nothing_to_try(tmp_path: Path) -> None:
    assert choice_at(tmp_path, AUTO).candidates() == ()


def test_the_ribbon_comes_after_the_cameras_at_usb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "find_spec", lambda name: name)
    found = choice_at(tmp_path, AUTO)
    assert found.candidates() == (RIBBON,)
    rig = plugged(tmp_path, "A", 0)
    assert found.candidates() == (str(rig.link), RIBBON)
    found.settle(str(rig.link))
    rig.pull()
    assert found.candidates() == ()


def test_picamera2_is_found_where_it_is_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.undo()
    monkeypatch.delitem(sys.modules, RIBBON, raising=False)
    monkeypatch.syspath_prepend(str(PI))
    assert choice_at(tmp_path, AUTO).candidates() == (RIBBON,)


def test_a_camera_that_was_passed_over_is_no_substitute_but_a_new_one_is(tmp_path: Path) -> None:
    table, laptop = plugged(tmp_path, "A", 0), plugged(tmp_path, "B", 1)
    found = choice_at(tmp_path, AUTO)
    assert found.candidates() == (str(table.link), str(laptop.link))
    found.settle(str(table.link))
    table.pull()
    assert found.candidates() == ()
    spare = plugged(tmp_path, "C", 5)
    assert found.candidates() == (str(spare.link),)
    table.plug(6)
    assert found.candidates() == (str(table.link), str(spare.link))


def test_a_number_follows_its_camera(tmp_path: Path) -> None:
    table = plugged(tmp_path, "A", 0)
    found = choice_at(tmp_path, "0")
    assert found.candidates() == ("0",)
    found.settle("0")
    table.pull()
    assert found.candidates() == ("0",)
    other = plugged(tmp_path, "B", 0)
    assert found.candidates() == ("0",)
    table.plug(4)
    assert found.candidates() == (str(table.link),)
    other.pull()
    found.settle(str(table.link))
    assert found.candidates() == (str(table.link),)


def test_a_camera_that_is_named_is_that_one_only(tmp_path: Path) -> None:
    table, other = plugged(tmp_path, "A", 0), plugged(tmp_path, "B", 1)
    found = choice_at(tmp_path, str(table.link))
    found.settle(str(table.link))
    table.pull()
    assert found.candidates() == (str(table.link),) != (str(other.link),)


def test_each_plugging_in_has_a_mark_of_its_own(tmp_path: Path) -> None:
    table = plugged(tmp_path, "A", 0)
    found = choice_at(tmp_path, AUTO)
    first = found.mark(str(table.link))
    assert first is not None
    table.turn("black")
    assert found.mark(str(table.link)) == found.mark("0") == first
    table.pull()
    assert found.mark(str(table.link)) is None
    assert found.mark("0") is None
    assert found.mark("http://table/1") is None
