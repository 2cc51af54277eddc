"""Dice units of other makers at a whole table: a real port, and a unit that sends at a rate of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from controller.app import wiring
from controller.config import Config
from controller.config.config import parse_config
from controller.config.sections import BoardSection
from controller.devices.link.status import LinkCode
from controller.doctor import wires
from controller.doctor.finding import State
from controller.referee.actions import Phase
from tests.app.test_live import Running, Scene
from tests.devices.dice_unit import DiceUnit


def config_for(folder: Path, unit: DiceUnit, more: str = "") -> Config:
    text = f"[board]\nport = 'none'\n[dice]\nsource = 'text'\nport = '{unit.port}'\n{more}"
    return parse_config(text, "", folder)


@contextmanager
def table_with(folder: Path, unit: DiceUnit, more: str = "") -> Iterator[Running]:
    """A table that waits for the opening roll."""
    with Running(config_for(folder, unit, more), Scene()) as running:
        running.until_phase(Phase.OPENING_ROLL)
        yield running


def say_until(running: Running, unit: DiceUnit, lines: list[str], told: str) -> None:
    """Say lines again and again, as somebody rolls again where nothing happens, until a sentence is told."""

    def is_told() -> bool:
        if told in "".join(running.text):
            return True
        for line in lines:
            unit.say(line)
        return False

    running.until(is_told)


def dice_of(running: Running) -> tuple[int, int] | None:
    thrown = running.table.state.thrown
    return None if thrown is None else thrown.dice or thrown.roll.dice


def test_the_port_of_a_dice_unit_is_opened_at_9600_unless_another_rate_is_configured(tmp_path: Path) -> None:
    with DiceUnit() as unit, table_with(tmp_path / "usual", unit):
        assert unit.port_rate == 9600
    for baud in (115_200, 31_250):  # the second is none that the C library has a name for
        with DiceUnit(baud) as unit, table_with(tmp_path / str(baud), unit, f"baud = {baud}"):
            assert unit.port_rate == baud


@pytest.mark.parametrize("baud", [9600, 115_200])
def test_a_unit_that_sends_at_the_rate_of_its_port_rolls_in_a_match(tmp_path: Path, baud: int) -> None:
    more = "" if baud == 9600 else f"baud = {baud}"
    with DiceUnit(baud) as unit, table_with(tmp_path, unit, more) as running:
        unit.say("ROLL 3 1")
        running.until_phase(Phase.MOVING)
        assert dice_of(running) == (3, 1)
        (shown,) = (each for each in running.room.view().devices if each.name == "dice")
        assert shown.ready


@pytest.mark.parametrize(
    ("sends", "hears"), [(115_200, 9600), (9600, 115_200), (19_200, 9600), (9600, 19_200)]
)
def test_a_unit_at_another_rate_than_its_port_is_told_of_with_the_rate(
    tmp_path: Path, sends: int, hears: int
) -> None:
    with DiceUnit(sends) as unit, table_with(tmp_path, unit, f"baud = {hears}") as running:
        say_until(running, unit, ["ROLL 3 1", "ROLL 6 5"], f"At {hears} bits a second")
        said = "".join(running.text)
        assert "is no text" in said
        assert "dice.baud" in said
        assert running.table.state.phase is Phase.OPENING_ROLL
        (shown,) = (each for each in running.room.view().devices if each.name == "dice")
        assert not shown.ready


def test_lines_in_which_no_dice_are_found_are_told_with_the_line_and_once(tmp_path: Path) -> None:
    with DiceUnit() as unit, table_with(tmp_path, unit) as running:
        say_until(running, unit, ["throw: three and one"], "no dice are found: throw: three and one")
        assert "dice.pattern" in "".join(running.text)
        for _ in range(3):
            unit.say("throw: six and five")
        unit.say("ROLL 3 1")
        running.until_phase(Phase.MOVING)
        assert "".join(running.text).count("no dice are found") == 1
        (shown,) = (each for each in running.room.view().devices if each.name == "dice")
        assert shown.ready


def test_a_line_with_one_die_waits_for_the_other(tmp_path: Path) -> None:
    with DiceUnit() as unit, table_with(tmp_path, unit) as running:
        unit.say("die B: 1")
        unit.say("die A: 4")
        running.until_phase(Phase.MOVING)
        assert dice_of(running) == (4, 1)


def test_a_die_that_stays_alone_is_told_while_a_roll_is_waited_for(tmp_path: Path) -> None:
    with DiceUnit() as unit, table_with(tmp_path, unit) as running:
        unit.say("die A: 4")
        running.until_told("Only one die")
        unit.say("die A: 6")
        unit.say("die B: 2")
        running.until_phase(Phase.MOVING)
        assert dice_of(running) == (6, 2)


def test_the_port_of_a_dice_unit_is_not_opened_to_look_for_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with DiceUnit() as unit:
        by_id = tmp_path / "usb-1a86_USB_Serial-if00-port0"
        by_id.symlink_to(unit.port)
        monkeypatch.setattr(wiring, "free_ports", lambda: (str(by_id),))
        config = replace(config_for(tmp_path, unit), board=BoardSection(port="auto"))
        assert (
            next(wires.electronics(config, find_ports=lambda: (str(by_id),), patience_s=1.0)).state
            is State.ABSENT
        )
        with Running(config, Scene()) as running:
            running.until(lambda: running.room.electronics.link_status is not None)
            running.until_phase(Phase.OPENING_ROLL)
            unit.say("ROLL 3 1")
            running.until_phase(Phase.MOVING)
            assert unit.port_rate == 9600
            assert running.room.electronics.link_status is not None
            assert running.room.electronics.link_status.code is LinkCode.NO_PORT
