"""Dice with Bluetooth on the set-up page: all that call are heard, so that people see which is which."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from controller.app.room import Room
from controller.app.wiring import give_dice
from controller.config.dice import owners_of
from controller.config.sections import DiceAt, DiceSection
from controller.devices.dice.bluetooth import BluetoothDice
from controller.devices.dice.news import (
    DiceNews,
    DiceUnit,
    DieBack,
    DieBattery,
    DieColour,
    DieGone,
    DieNews,
    DieState,
)
from controller.devices.dice.status import DiceCode, DiceStatus
from controller.messages.device_words import LocalText, program_words, status_words
from controller.web.setup.set_up import DiceFound, FoundDie
from controller.web.table_service import Reply

SEARCH_S: Final = 300.0
"""So long dice are looked for; then whoever wanted them has gone, and the dice need their batteries."""
AT_REST: Final = (DieState.SETTLED, DieState.LEANING, DieState.TURNED)


class DiceSearch:
    """One search at a time. All but `view` is for the thread that steps."""

    def __init__(self, room: Room, open_dice: Callable[[tuple[str, ...]], DiceUnit] | None = None) -> None:
        """Nothing is looked for; ``open_dice`` listens to dice, and to all others that it finds."""
        self._room = room
        self._open = open_dice or (lambda named: BluetoothDice(named, room.clock, everyone=True))
        self._unit: DiceUnit | None = None
        self._dice: dict[str, FoundDie] = {}
        self._words: LocalText | None = None
        self._ends_s = 0.0

    def view(self) -> DiceFound:
        """What was found, for any thread; what the configuration names is there from the beginning."""
        named = {name: FoundDie(name) for name in owners_of(self._room.config.dice)}
        dice = {**(named if self._takes_radio() else {}), **dict(self._dice)}
        return DiceFound(self._unit is not None, tuple(dice[name] for name in sorted(dice)), self._words)

    def begin(self) -> Reply:
        """See `DiceSetUp.find`. Raises BluetoothError without the library."""
        if self._room.match.playing:
            return Reply(False, program_words("match_on"))
        if self._unit is None:
            named = tuple(owners_of(self._room.config.dice)) if self._takes_radio() else ()
            unit = self._open(named)
            # A die speaks to one program at a time, and to one connection of it.
            give_dice(self._room.electronics, replace(self._room.config, dice=DiceSection()), self._room.tell)
            self._unit, self._dice, self._words = unit, {}, None
        self._ends_s = self._room.clock() + SEARCH_S
        return Reply(True)

    def end(self) -> None:
        """Look no more; the table has the dice that it had before."""
        if self._unit is not None:
            self._unit.close()
            self._unit = None
            give_dice(self._room.electronics, self._room.config, self._room.tell)

    def tick(self) -> None:
        """Hear what the dice tell; call it often."""
        if self._unit is None:
            return
        now = self._room.clock()
        for news in self._unit.poll(now):
            self._hear(news)
        if now >= self._ends_s:
            self.end()

    def _takes_radio(self) -> bool:
        return self._room.config.dice.source is DiceAt.BLUETOOTH

    def _hear(self, news: DiceNews) -> None:
        match news:
            case DieGone(die="", why=why):
                self._words = status_words(DiceStatus(DiceCode.RADIO, "Bluetooth", {"why": why}))
            case DieBack(die=""):
                self._words = None
            case DieBack(die=die, kind=kind):
                self._know(die, lambda known: replace(known, kind=kind))
            case DieGone(die=die):
                self._know(die, lambda known: replace(known, kind="", rolled=False))
            case DieBattery(die=die, percent=percent):
                self._know(die, lambda known: replace(known, percent=percent))
            case DieColour(die=die, colour=colour):
                self._know(die, lambda known: replace(known, colour=colour))
            case DieNews(die=die, state=state, face=face) if state in AT_REST:
                self._know(die, lambda known: replace(known, face=face))
            case DieNews(die=die, state=DieState.ROLLING):
                self._dice = {name: replace(known, rolled=False) for name, known in self._dice.items()}
                self._know(die, lambda known: replace(known, rolled=True))

    def _know(self, die: str, change: Callable[[FoundDie], FoundDie]) -> None:
        # A new dictionary each time: `view` may read it meanwhile.
        self._dice = {**self._dice, die: change(self._dice.get(die, FoundDie(die)))}
