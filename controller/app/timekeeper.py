"""The tournament clock of a live table: it runs for whom the referee says, and what it shows outlives a power cut."""

from collections.abc import Callable
from typing import Any

from controller.record.journal.journal import EventLog, Json
from controller.record.match.history import CLOCK
from controller.referee import Event
from controller.referee.events import FlagFell
from controller.rules import Side
from controller.rules.game.clock import ClockEvent, ClockNews, ClockReading, TimeControl, TournamentClock

Low = Callable[[Side], None]


class Timekeeper:
    """Keeps the clock of one match; times are seconds since the match began."""

    def __init__(self, control: TimeControl, low: Low = lambda _: None) -> None:
        """``low`` is called with the side whose reserve runs low."""
        self.clock = TournamentClock(control)
        self._low = low
        self._side: Side | None = None
        self._halted: Side | None = None

    def run(self, side: Side | None, t: float) -> list[Event]:
        """The clock of ``side`` runs from now on, with ``None`` neither's; the flags that fell before."""
        before, self._side = self._side, side
        if side is None:
            self._halted = before
            return self._flags(self.clock.pause(t))
        if before is not None:
            return self._flags(self.clock.press(before, t) if before is not side else [])
        if side is self._halted:
            return self._flags(self.clock.resume(t))
        return self._flags(self.clock.start(side, t))

    def game_over(self) -> None:
        """Whoever moves next begins a move."""
        self._halted = None

    def tick(self, t: float) -> list[Event]:
        """Time has gone by; the flags that fell."""
        return self._flags(self.clock.tick(t))

    def reading(self, t: float) -> ClockReading:
        """What the clock shows."""
        return self.clock.reading(t)

    def correct(self, side: Side, seconds: float, t: float) -> None:
        """The director says what is left of a reserve."""
        self.clock.correct(side, seconds, t)

    def record(self, t: float) -> dict[str, Json]:
        """What is left of both reserves, for the journal."""
        shown = self.clock.reading(t)
        return {"light_s": round(shown.light_s, 2), "dark_s": round(shown.dark_s, 2)}

    def restore(self, journal: EventLog, match: str, t: float) -> None:
        """Go on with what was left of the reserves when that was last written down."""
        last: Any = None
        for event in journal.events(match):
            if event.kind == CLOCK:
                last = event.payload
        if last is not None:
            self.clock.correct(Side.LIGHT, float(last["light_s"]), t)
            self.clock.correct(Side.DARK, float(last["dark_s"]), t)

    def _flags(self, events: list[ClockEvent]) -> list[Event]:
        for event in events:
            if event.news is ClockNews.LOW:
                self._low(event.side)
        fell = [event for event in events if event.news is ClockNews.FLAG]
        return [FlagFell(event.at_s, event.side) for event in fell]
