"""GoDice and Pixels, simulated from their public protocols at the seam of the library that reaches them."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from controller.devices.dice.bluetooth import BluetoothDice
from controller.devices.dice.godice import AGAIN_S, GoDie, face_of
from controller.devices.dice.news import Colour, DiceNews, DieBack, DieBattery, DieColour, DieNews, DieState
from controller.devices.dice.pixels import PixelsDie
from controller.devices.dice.source import DeviceRoll, RollGate, RollVerdict
from controller.devices.dice.status import DiceCode, DiceStatus
from controller.devices.dice.unit_rolls import UnitRolls
from tests.devices.radio_dice import (
    VECTORS,
    Air,
    GoDiceLanguage,
    Language,
    PixelsLanguage,
    RadioDie,
)
from tests.rows import each_row
from tests.threads import no_thread_left

LANGUAGES = {"GoDice": GoDiceLanguage, "Pixels": PixelsLanguage}


def words_of(kind: str, seed: int = 1) -> Language:
    language: Language = LANGUAGES[kind](random.Random(seed))
    return language


class Set:
    """Dice in the air and the unit that hears them; it is asked as the table does it."""

    def __init__(self, kind: str, names: str = "AB", percent: int = 80) -> None:
        self.words = words_of(kind)
        dice = {
            name: RadioDie(f"{kind}_{name}", f"AA:BB:CC:DD:EE:0{number}", self.words, percent)
            for number, name in enumerate(names)
        }
        self.air, self.told = Air(dice), list[DiceStatus]()
        self.rolls: list[DeviceRoll] = []
        self.unit = self.open([die.name for die in dice.values()])

    def open(self, names: list[str]) -> UnitRolls:
        unit = BluetoothDice(names, time.monotonic)
        owners = dict.fromkeys(names, "")
        return UnitRolls(unit, "Bluetooth", "bluetooth", self.told.append, owners=owners)

    def until(self, fulfilled: Callable[[], bool]) -> None:
        """Ask the unit until something is so; a minute is for a machine that is busy."""
        ends = time.monotonic() + 60
        while not fulfilled():
            assert time.monotonic() < ends, (self.told, self.rolls)
            self.rolls += self.unit.poll(time.monotonic())
            time.sleep(0.005)

    def until_told(self, code: DiceCode) -> DiceStatus:
        self.until(lambda: any(status.code is code for status in self.told))
        return next(status for status in self.told if status.code is code)

    def is_held(self, names: str = "AB") -> bool:
        return all(self.air.is_held(name) for name in names)

    def throw(self, first: int, second: int) -> DeviceRoll:
        before = len(self.rolls)
        self.air.say("A", *self.words.start())
        self.air.say("B", *self.words.start())
        self.air.say("B", *self.words.rest(second))
        self.air.say("A", *self.words.rest(first))
        self.until(lambda: len(self.rolls) > before)
        return self.rolls[-1]


@contextmanager
def dice_on(kind: str, **more: int) -> Iterator[Set]:
    dice = Set(kind, **more)
    with no_thread_left("pointsman-bluetooth"), dice.air.on():
        try:
            dice.until(dice.is_held)
            dice.until_told(DiceCode.READY)
            yield dice
        finally:
            dice.unit.close()


@pytest.mark.parametrize("kind", LANGUAGES)
def test_dice_are_found_and_their_rolls_come_once_and_in_their_order(kind: str) -> None:
    rng = random.Random(7)
    with dice_on(kind) as dice:
        for _ in range(40):
            faces = rng.randint(1, 6), rng.randint(1, 6)
            assert dice.throw(*faces).dice == faces
        assert len(dice.rolls) == 40


def test_the_same_faces_thrown_again_at_once_are_another_roll() -> None:
    gate = RollGate()
    with dice_on("GoDice") as dice:
        for _ in range(3):
            gate.open(0.0)
            assert gate.judge(dice.throw(3, 3)) is RollVerdict.ACCEPTED


@pytest.mark.parametrize("kind", LANGUAGES)
def test_dice_are_known_again_after_they_were_away_and_after_a_restart(kind: str) -> None:
    with dice_on(kind) as dice:
        dice.air.cut("A")
        assert dice.until_told(DiceCode.GONE).arguments == {"dice": f"{kind}_A"}
        dice.air.bring("A")
        dice.until(dice.is_held)
        assert dice.throw(4, 2).dice == (4, 2)
        dice.unit.close()
        dice.unit = dice.open([f"{kind}_A", f"{kind}_B"])
        dice.until(dice.is_held)
        assert dice.throw(6, 1).dice == (6, 1)


@pytest.mark.parametrize("kind", LANGUAGES)
def test_a_link_that_is_cut_in_the_middle_of_a_throw_makes_no_roll(kind: str) -> None:
    with dice_on(kind) as dice:
        dice.air.say("A", *dice.words.roll(3))
        dice.air.say("B", *dice.words.start())
        dice.air.cut("B", in_reach=True)
        dice.until_told(DiceCode.ALONE)
        dice.until(dice.is_held)
        assert dice.throw(5, 2).dice == (5, 2)
        assert len(dice.rolls) == 1


@pytest.mark.parametrize("kind", LANGUAGES)
def test_a_battery_that_is_nearly_empty_is_told_once(kind: str) -> None:
    with dice_on(kind, percent=9) as dice:
        dice.until(lambda: sum(status.code is DiceCode.BATTERY for status in dice.told) == 2)
        dice.throw(1, 1)
        batteries = [status.arguments for status in dice.told if status.code is DiceCode.BATTERY]
        assert sorted(each["die"] for each in batteries) == [f"{kind}_A", f"{kind}_B"]
        assert batteries[0]["percent"] == "9"


def test_a_radio_that_is_off_is_told_and_used_as_soon_as_it_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = Set("GoDice")

    async def refuse(**_: object) -> None:
        raise OSError("No powered Bluetooth adapters found.")

    with monkeypatch.context() as patch:
        patch.setattr("bleak.BleakScanner.discover", refuse)
        assert "No powered" in dice.until_told(DiceCode.RADIO).arguments["why"]
    with dice.air.on():
        dice.until(dice.is_held)
        assert dice.throw(2, 1).dice == (2, 1)
        dice.unit.close()


@pytest.mark.parametrize("face", VECTORS)
def test_the_face_of_a_godice_follows_from_its_vector(face: int) -> None:
    vector = bytes(axis & 255 for axis in VECTORS[face])
    assert face_of(vector) == (face, True)


def test_a_vector_of_no_die_at_rest_has_no_face_and_one_between_two_faces_leans() -> None:
    assert face_of(bytes(3)) is None
    assert face_of(bytes([45, 45, 0])) == (6, False)


@each_row(
    ("message", "news"),
    [
        (b"R", [DieNews("A", DieState.ROLLING, 1.0)]),
        (b"S\x40\x00\x00", [DieNews("A", DieState.SETTLED, 1.0, 6)]),
        (b"TS\x40\x10\x00", [DieNews("A", DieState.LEANING, 1.0, 6)]),
        (b"FS\xc0\x00\x00", [DieNews("A", DieState.TURNED, 1.0, 1)]),
        (b"MS\x00\x00\x40", [DieNews("A", DieState.TURNED, 1.0, 2)]),
        (b"Bat\x37", [DieBattery("A", 55)]),
        (b"Col\x01", [DieColour("A", Colour.RED)]),
        (b"Col\x09", []),
        (b"", []),
        (b"S\x40", []),
        (b"XS\x40\x00\x00", []),
        (b"RR", []),
    ],
)
def test_what_a_godice_says(message: bytes, news: list[object]) -> None:
    assert GoDie("A").hear(message, 1.0) == news


def test_a_message_of_a_godice_that_comes_twice_is_one() -> None:
    die = GoDie("A")
    assert len(die.hear(b"S\x40\x00\x00", 1.0)) == 1
    assert die.hear(b"S\x40\x00\x00", 1.1) == []
    assert len(die.hear(b"S\x40\x00\x00", 1.2 + AGAIN_S)) == 1


@each_row(
    ("messages", "states"),
    [
        ([(2, 0), (3, 1), (3, 2), (1, 4), (5, 4)], ["handled", "rolling", "settled"]),
        ([(3, 1), (1, 4), (1, 4)], ["rolling", "settled"]),
        ([(2, 1), (5, 3)], ["handled", "turned"]),
        ([(2, 1), (1, 3)], ["handled", "turned"]),
        ([(3, 1), (4, 3)], ["rolling", "leaning"]),
        ([(3, 1), (2, 3), (5, 3)], ["rolling", "handled", "turned"]),
        ([(3, 1), (1, 19)], ["rolling"]),
        ([(9, 1), (0, 0)], []),
    ],
)
def test_what_a_pixels_die_says(messages: list[tuple[int, int]], states: list[str]) -> None:
    die = PixelsDie("A")
    news = [each for state, face in messages for each in die.hear(bytes([3, state, face]), 1.0)]
    assert [each.state for each in news if isinstance(each, DieNews)] == states


def test_all_dice_that_call_are_heard_where_nobody_named_them_each_by_a_name_of_its_own() -> None:
    words = words_of("Pixels")
    dice = {
        name: RadioDie(called, f"AA:{name}", words)
        for name, called in {"A": "One", "B": "Two", "C": "Two"}.items()
    }
    air, news = Air(dice), list[DiceNews]()
    unit = BluetoothDice(("One",), time.monotonic, everyone=True)
    ends = time.monotonic() + 60
    with air.on():
        while sum(isinstance(each, DieColour) for each in news) < 3:
            assert time.monotonic() < ends, news
            news += unit.poll(time.monotonic())
            time.sleep(0.005)
        unit.close()
    held = {each.die for each in news if isinstance(each, DieBack)}
    assert held == {"One", "AA:B", "AA:C"}
    assert {each.colour for each in news if isinstance(each, DieColour)} == {Colour.CLEAR}


@pytest.mark.parametrize("kind", LANGUAGES)
def test_rubbish_on_the_air_says_nothing_and_breaks_nothing(kind: str) -> None:
    rng = random.Random(3)
    die = GoDie("A") if kind == "GoDice" else PixelsDie("A")
    for _ in range(2000):
        for news in die.hear(rng.randbytes(rng.randint(0, 6)), 1.0):
            assert not isinstance(news, DieNews) or news.face in (None, 1, 2, 3, 4, 5, 6)
