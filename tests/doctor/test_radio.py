"""The self-test of dice with Bluetooth: each by what it is, with its battery, or why it is not there."""

import random
from pathlib import Path

import pytest

from controller.config import Config
from controller.config.config import parse_config
from controller.doctor.finding import State
from controller.doctor.radio import radio_dice
from tests.devices.radio_dice import Air, GoDiceLanguage, PixelsLanguage, RadioDie


def configured(text: str) -> Config:
    return parse_config(text, "", Path())


SHARED = configured('[dice]\nsource = "bluetooth"\nshared = ["GoDice_1", "Red one"]')


def test_each_die_is_named_by_what_it_is_with_its_battery() -> None:
    rng = random.Random(1)
    dice = {
        "A": RadioDie("GoDice_1", "AA:00", GoDiceLanguage(rng), percent=80),
        "B": RadioDie("Red one", "AA:01", PixelsLanguage(rng), percent=7),
    }
    with Air(dice).on():
        first, second = radio_dice(SHARED, heard_s=60)
    assert (first.name, first.state, first.measured) == ("GoDice_1", State.OK, "a GoDice die, battery 80 %")
    assert (second.state, second.measured) == (State.WARN, "a Pixels die, battery 7 %")
    assert second.remedy


def test_a_die_that_does_not_answer_is_told_with_what_wakes_it() -> None:
    with Air({"A": RadioDie("GoDice_1", "AA:00", GoDiceLanguage(random.Random(1)))}).on():
        first, second = radio_dice(SHARED, heard_s=3)
    assert (first.state, second.state) == (State.OK, State.WARN)
    assert "Shake it" in second.remedy


def test_a_radio_that_is_off_fails_and_other_dice_need_none(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(**_: object) -> None:
        raise OSError("No powered Bluetooth adapters found.")

    monkeypatch.setattr("bleak.BleakScanner.discover", refuse)
    (found,) = radio_dice(SHARED, heard_s=60)
    assert (found.state, "No powered" in found.measured) == (State.FAIL, True)
    assert "bluetoothctl" in found.remedy
    (found,) = radio_dice(configured(""), heard_s=60)
    assert found.state is State.ABSENT
