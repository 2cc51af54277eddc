"""Dice with Bluetooth at a whole table: simulated GoDice and Pixels, and two players who throw them."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.config.config import parse_config
from controller.devices import Button
from controller.referee import Phase, Pressed
from controller.rules import Side
from controller.rules.moves.plays import legal_plays
from tests.app.test_live import Running, Scene
from tests.devices.radio_dice import (
    Air,
    GoDiceLanguage,
    Language,
    PixelsLanguage,
    RadioDie,
)

OWN = {Side.LIGHT: ("A", "B"), Side.DARK: ("C", "D")}
CONFIG = """
[board]
port = "none"
[match]
length = 1
profile = "standard-match"
[dice]
source = "bluetooth"
light = ["A", "B"]
dark = ["C", "D"]
"""


class Sitting:
    """Two players at a table with a pair of dice each."""

    def __init__(self, running: Running, scene: Scene, air: Air, words: Language) -> None:
        self.running, self._scene, self.air, self.words = running, scene, air, words
        self.rng = random.Random(5)

    @property
    def phase(self) -> Phase:
        return self.running.table.state.phase

    def throw(self, side: Side, first: int, second: int) -> None:
        one, other = OWN[side]
        self.air.say(one, *self.words.start())
        self.air.say(other, *self.words.roll(second))
        self.air.say(one, *self.words.rest(first))

    def open(self, light: int, dark: int) -> None:
        self.running.until_phase(Phase.OPENING_ROLL)
        self.air.say("A", *self.words.roll(light))
        self.air.say("D", *self.words.roll(dark))
        self.running.until(lambda: self.phase is not Phase.OPENING_ROLL)

    def play(self) -> None:
        """Whoever is on turn moves, and says that they are done."""
        table = self.running.table.state
        assert table.thrown is not None
        plays = legal_plays(table.position, table.thrown.side, table.thrown.roll)
        after = self.rng.choice(plays).after if plays else table.position
        if after != table.position:
            self._scene.lay(after)
            self.running.until(lambda: self._is_seen() and self.phase is Phase.MOVING)
        room = self.running.room
        room.inbox.put(Pressed(self.running.table.parts.watch.t(room.clock()), Button.DONE))
        self.running.until(lambda: self.phase is not Phase.MOVING and self.phase is not Phase.TURN_ENDED)

    def _is_seen(self) -> bool:
        views = self.running.table.state.views
        return bool(views) and views[-1].until is None and len(views) > 1


@contextmanager
def table_with(folder: Path, words: Language, more: str = "") -> Iterator[Sitting]:
    air = Air({name: RadioDie(name, f"00:00:00:00:00:0{name}", words) for name in "ABCD"})
    scene = Scene()
    config = parse_config(CONFIG + more, "", folder)
    with air.on(), Running(config, scene) as running:
        running.until(lambda: all(air.is_held(name) for name in "ABCD"))
        yield Sitting(running, scene, air, words)


@pytest.mark.parametrize("words", [GoDiceLanguage, PixelsLanguage])
def test_players_open_and_roll_with_dice_of_their_own_and_those_of_the_other_are_named(
    tmp_path: Path, words: type[GoDiceLanguage] | type[PixelsLanguage]
) -> None:
    with table_with(tmp_path, words(random.Random(1))) as sitting:
        sitting.open(3, 1)
        assert sitting.running.table.state.on_turn is Side.LIGHT
        sitting.play()
        sitting.throw(Side.LIGHT, 6, 5)
        sitting.running.until_told("came from the dice of")
        assert sitting.phase is Phase.TO_ROLL
        sitting.throw(Side.DARK, 4, 2)
        sitting.running.until_phase(Phase.MOVING)
        thrown = sitting.running.table.state.thrown
        assert thrown is not None
        assert (thrown.side, thrown.dice) == (Side.DARK, (4, 2))


def test_trouble_with_dice_is_told_at_the_table_and_play_goes_on(tmp_path: Path) -> None:
    with table_with(tmp_path, GoDiceLanguage(random.Random(1))) as sitting:
        running, words = sitting.running, sitting.words
        sitting.open(3, 1)
        sitting.play()
        sitting.air.say("C", *words.roll(4))
        running.until_told("Only one die")
        sitting.air.say("C", *words.start(), *words.lean(3))
        sitting.air.say("D", *words.roll(1))
        running.until_told("cocked")
        sitting.air.say("C", *words.turn(6))
        running.until_told("without a proper roll")
        sitting.air.say("D", *words.battery(5))
        running.until_told("nearly empty: 5 %")
        sitting.air.cut("D", in_reach=True)
        running.until_told("out of reach")
        running.until(lambda: sitting.air.is_held("D"))
        sitting.throw(Side.DARK, 6, 2)
        running.until_phase(Phase.MOVING)
