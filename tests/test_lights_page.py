"""The page of the lights tells what is lit in every phase, by the names that the program has."""

import re
from pathlib import Path

from controller.devices.lights.frame import Signal
from controller.devices.lights.palette import LETTERS
from controller.referee.actions import Phase

PAGE = (Path(__file__).resolve().parent.parent / "hardware_docs" / "lights.md").read_text(encoding="utf-8")


def test_every_phase_is_told_once() -> None:
    told = [
        name
        for row in re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    ]
    assert sorted(told) == sorted(Phase)


def test_the_letters_are_those_of_the_terminal() -> None:
    told = re.findall(r"`(\S)` (\w+)", PAGE)
    assert dict(told) == {LETTERS[signal]: signal.value for signal in Signal if signal is not Signal.DARK}


def test_only_signals_that_exist_are_named() -> None:
    assert {word for word in re.findall(r"\*(\w+)\*", PAGE) if word != "and"} <= set(Signal)
