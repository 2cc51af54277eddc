"""The self-test of the machine: disk, memory, clock, heat, power, groups, packages."""

import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.config.config import Config, parse_config
from controller.devices.link.holders import holders
from controller.doctor import access, machine, software
from controller.doctor.finding import Finding, State
from controller.vision.fitted.network import NETWORKS, choose_runner
from controller.vision.fitted.runner import NetworkRunner
from tests.devices.other_program import other_program

NOW = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)


def configured(text: str, folder: Path = Path()) -> Config:
    return parse_config(text, "table.toml", folder)


def states(findings: list[Finding]) -> dict[str, State]:
    return {finding.name: finding.state for finding in findings}


# --- disk and memory ------------------------------------------------------------------------------------------


def test_the_disk_is_measured_where_the_matches_will_lie_and_nothing_is_left_there(tmp_path: Path) -> None:
    found = machine.disk(configured('[record]\nfolder = "a/b"\nevidence_mb = 0', tmp_path))
    assert found.state in (State.OK, State.WARN)
    assert str(tmp_path) in found.measured
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_a_file_fails(tmp_path: Path) -> None:
    (tmp_path / "matches").touch()
    assert machine.disk(configured("", tmp_path)).state is State.FAIL


def test_a_disk_with_no_room_for_the_pictures_is_worth_a_look(tmp_path: Path) -> None:
    found = machine.disk(configured("[record]\nevidence_mb = 1_000_000", tmp_path))
    assert found.state is State.WARN
    assert "evidence_mb" in found.remedy


def test_a_folder_that_cannot_be_written_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> float:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(machine, "_sync_time", refuse)
    found = machine.disk(configured("", tmp_path))
    assert found.state is State.FAIL
    assert "Read-only" in found.measured


@pytest.mark.parametrize(
    ("kilobytes", "state"), [(4_000_000, State.OK), (300_000, State.WARN), (90_000, State.FAIL)]
)
def test_memory_is_told(tmp_path: Path, kilobytes: int, state: State) -> None:
    file = tmp_path / "meminfo"
    file.write_text(f"MemTotal: 8000000 kB\nMemAvailable:    {kilobytes} kB\n")
    assert machine.memory(file).state is state


def test_what_a_system_does_not_tell_is_absent(tmp_path: Path) -> None:
    assert machine.memory(tmp_path / "none").state is State.ABSENT
    assert machine.heat(tmp_path / "none").state is State.ABSENT
    assert machine.power(lambda _: None).state is State.ABSENT


# --- clock, heat and power --------------------------------------------------------------------------------------


def says(*answers: str | None) -> machine.RunCommand:
    def ask(_: Sequence[str]) -> str | None:
        return answers[0]

    return ask


def test_a_clock_from_before_the_program_is_wrong(tmp_path: Path) -> None:
    found = machine.clock(datetime(1970, 1, 1, 0, 4, tzinfo=UTC), says("no"), tmp_path / "none")
    assert found.state is State.WARN
    assert "date -s" in found.remedy


@pytest.mark.parametrize(("answer", "state"), [("yes", State.OK), ("no", State.WARN), (None, State.WARN)])
def test_a_clock_that_nobody_keeps_is_worth_a_look(tmp_path: Path, answer: str | None, state: State) -> None:
    assert machine.clock(NOW, says(answer), tmp_path / "none").state is state


def test_heat_is_told_in_degrees(tmp_path: Path) -> None:
    file = tmp_path / "temp"
    file.write_text("48312\n")
    assert machine.heat(file).measured == "48 degrees"
    file.write_text("81000\n")
    assert machine.heat(file).state is State.WARN


def test_a_weak_supply_is_told_with_when_it_was() -> None:
    assert machine.power(says("throttled=0x0")).state is State.OK
    found = machine.power(says("throttled=0x50005"))
    assert found.state is State.WARN
    assert "too weak now" in found.measured
    assert "too weak since the start" in found.measured
    assert "heat" not in found.measured
    assert machine.power(says("VCHI initialization failed")).state is State.ABSENT


def test_programs_that_are_not_there_or_fail_say_nothing() -> None:
    assert machine.ask(["no-such-program-anywhere"]) is None
    assert machine.ask([sys.executable, "-c", "raise SystemExit(3)"]) is None
    assert machine.ask([sys.executable, "-c", "print('hello')"]) == "hello"


# --- who may open what ------------------------------------------------------------------------------------------


def test_only_groups_that_the_configuration_needs_are_asked_for() -> None:
    assert set(access.needed_groups(configured("[board]\nport = 'none'"))) == {"video"}
    everything = configured(
        "[dice]\nsource = 'pins'\n[lights]\nsource = 'strip'\n[buttons]\nroll = 5", Path("club")
    )
    assert set(access.needed_groups(everything)) == {"video", "dialout", "gpio", "spi"}


def test_a_table_that_speaks_needs_the_sound_card() -> None:
    assert "audio" in access.needed_groups(configured("[speech]\nuse = true"))


def test_a_group_that_is_missing_is_named_with_the_command() -> None:
    config = configured("")
    found = {finding.name: finding for finding in access.groups(config, frozenset({"video"}), root=False)}
    assert found["group video"].state is State.OK
    assert found["group dialout"].state is State.WARN
    assert "usermod -a -G dialout $USER" in found["group dialout"].remedy
    assert {finding.state for finding in access.groups(config, frozenset(), root=True)} == {State.OK}


def test_a_program_that_has_a_device_open_is_named(tmp_path: Path) -> None:
    device = tmp_path / "device"
    device.touch()
    link = tmp_path / "by-id"
    link.symlink_to(device)
    assert holders(link) == []
    with device.open("rb"):
        assert holders(link) == [], "what this program itself has open is no other's"
        with other_program(device) as process:
            (holder,) = holders(link)
    assert holder.process == process
    assert str(process) in str(holder)
    assert holder.process != os.getpid()


# --- software ---------------------------------------------------------------------------------------------------


def test_packages_are_held_against_their_bounds() -> None:
    versions = {"numpy": "2.4.6", "scipy": "2.0", "opencv-python": "4.8.0.76", "odd": "of unknown version"}

    def installed(name: str) -> str:
        if name not in versions:
            raise ImportError(f"No module named {name!r}")
        return versions[name]

    needed = ("numpy<3,>=1.26", "scipy<2,>=1.11", "opencv-python<6,>=4.8", "odd>=3", "typer>=0.19")
    found = states(list(software.packages(needed, installed)))
    assert found == {
        "package numpy": State.OK,
        "package scipy": State.WARN,
        "package opencv-python": State.OK,
        "package odd": State.OK,
        "package typer": State.FAIL,
    }


def test_everything_pointsman_needs_is_installed_here() -> None:
    found = list(software.packages(software.needed_packages(), software.installed_version))
    assert [finding for finding in found if finding.state is State.FAIL] == []


def test_the_networks_run_and_a_slow_machine_is_told() -> None:
    config = configured("")
    assert software.networks(config).state in (State.OK, State.WARN)
    times = iter(range(100))
    slow = software.networks(config, lambda: float(next(times)))
    assert slow.state is State.WARN
    assert "1000 ms" in slow.measured
    shipped = Path(software.__file__).parents[1] / "vision" / "models"
    assert set(NETWORKS) == {path.stem for path in shipped.glob("*.onnx")}


def test_networks_are_computed_by_what_is_wanted_and_by_opencv_where_that_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = configured("[camera]\nnetworks = 'onnxruntime'")
    try:
        assert "7 load with onnxruntime" in software.networks(wanted).measured
        monkeypatch.setitem(sys.modules, "onnxruntime", None)
        missing = software.networks(wanted)
        assert missing.state is State.WARN
        assert "pip install 'pointsman[onnxruntime]'" in missing.remedy
    finally:
        choose_runner(NetworkRunner.OPENCV)


def test_an_engine_is_needed_only_if_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(software, "_has_bgsage", lambda: False)
    monkeypatch.setattr(software, "_has_gnubg", lambda: False)
    assert software.engine(configured("")).state is State.ABSENT
    assert software.engine(configured("[engine]\nuse = 'none'")).state is State.ABSENT
    assert software.engine(configured("[engine]\nuse = 'gnubg'")).state is State.FAIL
    monkeypatch.setattr(software, "_has_gnubg", lambda: True)
    assert software.engine(configured("")).state is State.OK
    assert software.engine(configured("[engine]\nuse = 'bgsage'")).state is State.FAIL


def test_the_programs_that_speak_are_needed_only_if_something_is_said_aloud(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert software.voice(configured("")).state is State.ABSENT
    lacking = software.voice(configured("[speech]\nuse = true"))
    assert (lacking.state, lacking.measured) == (State.FAIL, "espeak-ng and aplay not found")
    assert "install.sh --speech" in lacking.remedy
    for name in ("espeak-ng", "aplay", "speak"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert software.voice(configured("[speech]\nuse = true")).state is State.OK
    own = software.voice(configured("[speech]\nuse = true\nsounds = false\ncommand = 'speak -x'"))
    assert (own.state, own.measured) == (State.OK, "speak is there")
