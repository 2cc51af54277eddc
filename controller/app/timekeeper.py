"""The tournament clock of a live table: it runs for whom the referee says, and what it shows outlives a power cut."""

from collections.abc import Callable, Collection
from typing import Any, Final

from controller.record.journal.journal import EventLog, Json
from controller.record.match.history import CLOCK
from controller.referee import Event
from controller.referee.events import FlagFell
from controller.rules import Side
from controller.rules.game.clock import ClockEvent, ClockNews, ClockReading, TimeControl, TournamentClock
from controller.speech.announcement import TimeLeft

Low = Callable[[Side], None]
Left = Callable[[TimeLeft], None]
MARKS: Final = (60, 10)
"""It is told when a reserve comes down to so many seconds; the last comes last."""


class Timekeeper:
    """Keeps the clock of one match; times are seconds since the match began."""

    def __init__(
        self,
        control: TimeControl,
        low: Low = lambda _: None,
        left: Left = lambda _: None,
        keeps: Collection[Side] = frozenset(Side),
    ) -> None:
        """The clock of a match that has not begun.

        Args:
            control: its times.
            low: called with the side whose reserve runs low.
            left: called when a reserve comes down to one of `MARKS`.
            keeps: the sides whose flags fall here; what is left of another one's time is told by another table.
        """
        self.clock = TournamentClock(control)
        self._low, self._left = low, left
        self._reserve = dict.fromkeys(Side, control.reserve_s)
        self._marked: set[tuple[Side, int]] = set()
        self._side: Side | None = None
        self._halted: Side | None = None
        self._keeps = frozenset(keeps)
        self._held = False
        self._due: Side | None = None

    def hold(self, t: float) -> list[Event]:
        """Both clocks stand from now on, whosever would run, until `release`; the flags that fell before."""
        if self._held:
            return []
        self._held, self._due = True, self._side
        return self._run(None, t)

    def release(self, t: float) -> list[Event]:
        """The clock that is due runs again."""
        self._held = False
        return self._run(self._due, t)

    def run(self, side: Side | None, t: float) -> list[Event]:
        """The clock of ``side`` runs from now on, with ``None`` neither's; the flags that fell before."""
        self._due = side
        return [] if self._held else self._run(side, t)

    def _run(self, side: Side | None, t: float) -> list[Event]:
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
        flags = self._flags(self.clock.tick(t))
        self._tell_marks(t)
        return flags

    def _tell_marks(self, t: float) -> None:
        """Tell the lowest mark that a reserve has come down to since the last look; nothing if it is used up."""
        shown = self.clock.reading(t)
        for side, now in ((Side.LIGHT, shown.light_s), (Side.DARK, shown.dark_s)):
            before, self._reserve[side] = self._reserve[side], now
            passed = [mark for mark in MARKS if now <= mark < before and (side, mark) not in self._marked]
            # With a delay that is shown in the reserve a mark is passed at many moves: it is told at the first.
            self._marked.update((side, mark) for mark in passed)
            if passed and now > 0:
                self._left(TimeLeft(side, passed[-1]))

    def reading(self, t: float) -> ClockReading:
        """What the clock shows."""
        return self.clock.reading(t)

    def correct(self, side: Side, seconds: float, t: float) -> None:
        """The director says what is left of a reserve."""
        self.clock.correct(side, seconds, t)
        self._reserve[side] = seconds
        self._marked -= {(side, mark) for mark in MARKS if mark < seconds}

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
            self._reserve = {side: float(last[f"{side}_s"]) for side in Side}

    def _flags(self, events: list[ClockEvent]) -> list[Event]:
        for event in events:
            if event.news is ClockNews.LOW:
                self._low(event.side)
        fell = [event for event in events if event.news is ClockNews.FLAG and event.side in self._keeps]
        return [FlagFell(event.at_s, event.side) for event in fell]
