"""A dice unit of any kind as a source of rolls: its dice are paired, and what hinders it is told."""

from collections.abc import Callable, Mapping
from typing import Final

from controller.devices.dice.lines import STANDARD_INPUT
from controller.devices.dice.news import (
    WHOLE,
    DiceNews,
    DiceUnit,
    DieBack,
    DieBattery,
    DieGone,
    StrangeLine,
)
from controller.devices.dice.pairing import NoRoll, Outcome, Pair, Pairing
from controller.devices.dice.source import DeviceRoll
from controller.devices.dice.status import DiceCode, DiceStatus

AWAY: Final = {"bluetooth": DiceCode.RADIO}
"""What it is called, by the source, that a whole unit cannot be reached."""
WITHOUT_ECHO: Final = frozenset({"bluetooth"})
"""Dice of these sources tell that they roll: what is told twice is known there, and two equal rolls are two rolls."""
LOW_PERCENT: Final = 15
"""A battery as full as this is told. Chosen, not measured: no real die was at hand."""
FULL_PERCENT: Final = 30
"""A battery that was charged up to this is told again when it runs low."""


class UnitRolls:
    """The rolls of a unit; see `DiceSource`.

    Attributes:
        status: how the unit stands; None before it told anything.
    """

    def __init__(
        self,
        unit: DiceUnit,
        name: str,
        source: str,
        tell: Callable[[DiceStatus], None] = lambda _: None,
        *,
        owners: Mapping[str, str] | None = None,
        listen: Callable[[DiceNews | Outcome], None] = lambda _: None,
    ) -> None:
        """Take the rolls of a unit.

        Args:
            unit: it belongs to these rolls from now on, which close it.
            name: what people know the unit by, such as its port.
            source: as in `DeviceRoll`.
            tell: called with each change of the status, and with what keeps a throw from being a roll.
            owners: whose each die is, `light` or `dark`, empty for one that both use; in the order of the dice.
            listen: called with everything that the unit tells, and with what comes of it.
        """
        self.status: DiceStatus | None = None
        self._unit, self._name, self._source, self._tell, self._listen = unit, name, source, tell, listen
        self._pairing = Pairing(owners)
        self._gone: dict[str, str] = {}
        self._away = AWAY.get(source, DiceCode.AWAY) if name != STANDARD_INPUT else DiceCode.ENDED
        self._low: set[str] = set()
        self._side = ""

    def poll(self, now_s: float) -> list[DeviceRoll]:
        """See `DiceSource`."""
        outcomes: list[Outcome] = []
        for news in self._unit.poll(now_s):
            self._listen(news)
            self._note(news)
            outcomes += self._pairing.hear(news)
        outcomes += self._pairing.look(now_s)
        return [roll for outcome in outcomes for roll in self._rolls(outcome)]

    def expect(self, *, opening: bool, side: str = "") -> None:
        """See `DiceSource`."""
        self._pairing.expect(opening=opening)
        self._side = side

    def close(self) -> None:
        """See `DiceSource`."""
        self._unit.close()

    def _rolls(self, outcome: Outcome) -> list[DeviceRoll]:
        self._listen(outcome)
        match outcome:
            case Pair(faces=faces, at_s=at_s, cocked=cocked, owner=owner):
                self._stand()
                key = (self._name, at_s) if self._source in WITHOUT_ECHO else None
                return [DeviceRoll(faces, at_s, self._source, key, cocked=cocked, owner=owner)]
            case NoRoll(code=code, die=die, face=face, owner=owner) if not owner or self._side in ("", owner):
                self._mention(code, die=str(face) if code is DiceCode.ALONE else die)
        return []

    def _note(self, news: DiceNews) -> None:
        """What a unit's news means for its status."""
        match news:
            case DieGone(die=die, why=why):
                self._gone[die] = why
                self._stand()
            case DieBack(die=die):
                self._gone.pop(die, None)
                self._stand()
            case StrangeLine(code=code, arguments=arguments):
                self._show(DiceStatus(code, self._name, arguments))
            case DieBattery(die=die, percent=percent):
                self._note_battery(die, percent)

    def _note_battery(self, die: str, percent: int) -> None:
        if percent >= FULL_PERCENT:
            self._low.discard(die)
        if percent <= LOW_PERCENT and die not in self._low:
            self._low.add(die)
            self._tell(DiceStatus(DiceCode.BATTERY, self._name, {"die": die, "percent": str(percent)}))

    def _stand(self) -> None:
        """Show what lasts: what is out of reach, or that nothing hinders."""
        if WHOLE in self._gone:
            self._show(DiceStatus(self._away, self._name, {"why": self._gone[WHOLE]}))
        elif self._gone:
            self._show(DiceStatus(DiceCode.GONE, self._name, {"dice": ", ".join(sorted(self._gone))}))
        else:
            self._show(DiceStatus(DiceCode.READY, self._name))

    def _mention(self, code: DiceCode, **arguments: str) -> None:
        """Tell what happened once; it stands until the next roll, unless something worse does."""
        happened = DiceStatus(code, self._name, arguments)
        if not self._gone:
            self.status = happened
        self._tell(happened)

    def _show(self, status: DiceStatus) -> None:
        if status != self.status:
            self.status = status
            self._tell(status)
