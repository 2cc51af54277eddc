"""The self-test of keyboards and switches whose keys are buttons."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.config import Config
from controller.config.config import parse_config
from controller.config.error import ConfigError
from controller.doctor.finding import State
from controller.doctor.keys import keys
from tests.devices.input_devices import InputFolder


@pytest.fixture
def plugs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InputFolder]:
    folder = InputFolder(tmp_path, monkeypatch)
    yield folder
    folder.close()


def configured(*lines: str) -> Config:
    return parse_config("\n".join(("[keys]", *lines)), "table.toml", Path())


FOOT = 'done = "KEY_B 0c45:7403 Foot Switch"'


def test_a_switch_is_named_with_its_buttons_and_left_to_whoever_uses_it(plugs: InputFolder) -> None:
    foot = plugs.plug()
    (found,) = keys(configured(FOOT, 'roll = "KEY_A 0c45:7403 Foot Switch"', "grab = true"))
    assert (found.name, found.state) == ("Foot Switch", State.OK)
    assert found.measured == "is there; its keys are the buttons roll, done"
    assert not foot.holders


def test_a_switch_that_is_not_there_has_its_remedy(plugs: InputFolder) -> None:
    plugs.plug("Keyboard", (0x046D, 0xC31C))
    (found,) = keys(configured(FOOT))
    assert (found.name, found.state) == ("Foot Switch", State.FAIL)
    assert "Plug it in" in found.remedy


def test_without_the_package_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "evdev", None)
    (found,) = keys(configured(FOOT))
    assert found.state is State.FAIL
    assert "./install.sh --keys" in found.remedy


def test_who_learned_no_keys_misses_nothing() -> None:
    (found,) = keys(configured())
    assert found.state is State.ABSENT


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (('done = "B"',), "line 2.*learn it on the set-up page"),
        ((FOOT, 'roll = "KEY_B 0c45:7403 Other"'), "keys.roll and keys.done are the same key"),
    ],
)
def test_keys_that_cannot_be_are_refused(lines: tuple[str, ...], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        configured(*lines)
