"""A tournament clock: a reserve for the match and a delay for each move. Pure: every call brings its time."""

from dataclasses import dataclass
from enum import StrEnum

from controller.errors import UserError
from controller.rules.position import Side


class ClockError(UserError):
    """A time control or a correction that makes no sense."""


class Delay(StrEnum):
    """How the time for each move is given."""

    SIMPLE = "simple"
    """The reserve stands still for the delay, then runs."""
    BRONSTEIN = "bronstein"
    """The reserve runs at once, the delay on top of it; what was used of the delay is given back after the move.

    Both spend the same time; they only show it differently."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The times of a match, in seconds.

    Attributes:
        reserve_s: for each side for the whole match.
        delay_s: for each move.
        delay: in which way.
        low_s: from when on a side is warned that its reserve runs low.

    Raises:
        ClockError: for times that are negative or no reserve at all.
    """

    reserve_s: float
    delay_s: float = 12.0
    delay: Delay = Delay.SIMPLE
    low_s: float = 60.0

    def __post_init__(self) -> None:
        """Check the times."""
        if not 0 < self.reserve_s < 86_400:
            raise ClockError(
                f"The clock's reserve is {self.reserve_s} s; give more than 0 and less than a day."
            )
        if not 0 <= self.delay_s <= 3600 or self.low_s < 0:
            raise ClockError(
                f"The clock's delay is {self.delay_s} s and its warning at {self.low_s} s; neither may be negative, "
                "and the delay not above an hour."
            )


class ClockNews(StrEnum):
    """What the clock tells by itself."""

    LOW = "low"
    """The reserve has fallen to the warning."""
    FLAG = "flag"
    """The reserve is used up."""
    WITHDRAWN = "withdrawn"
    """The flag did not fall after all: a press that was made in time was told late."""


@dataclass(frozen=True, slots=True)
class ClockEvent:
    """Something the clock tells, and when exactly it came true."""

    news: ClockNews
    side: Side
    at_s: float


@dataclass(frozen=True, slots=True)
class ClockReading:
    """What the clock shows.

    Attributes:
        light_s, dark_s: what is left of each reserve, never below 0; with Bronstein the delay of
            the side to move included.
        delay_s: what is left of the delay of the side to move, 0 with Bronstein.
        running: whose clock runs, None while it is stopped.
        flag: whose flag fell first, None while neither's did.
    """

    light_s: float
    dark_s: float
    delay_s: float
    running: Side | None
    flag: Side | None


class TournamentClock:
    """The clock of one match.

    A press may be told later than it was made, after ticks that are later than it: it counts from when it was made,
    but never from before the move began. The accounts are differences of the instants that came in, so nothing adds
    up over an evening but the rounding of floating-point numbers.
    """

    def __init__(self, control: TimeControl) -> None:
        """Stopped, with both reserves full."""
        self.control = control
        self._left = dict.fromkeys(Side, control.reserve_s)
        self._turn: Side | None = None
        self._used_s = 0.0
        self._since: float | None = None
        self._floor = float("-inf")
        self._told: set[tuple[ClockNews, Side]] = set()
        self._flag: Side | None = None

    def start(self, side: Side, at_s: float) -> list[ClockEvent]:
        """`side` is to move and its clock runs: at the beginning, or when the director gives it the turn."""
        events = self._account(at_s)
        self._begin(side)
        return events

    def press(self, side: Side, at_s: float) -> list[ClockEvent]:
        """`side` has finished its move; the other clock runs. A press of the side that is not to move, or while the
        clock is stopped, does nothing.
        """
        if self._since is None or self._turn != side:
            return []
        events = self._account(at_s)
        self._begin(side.opponent)
        return events

    def pause(self, at_s: float) -> list[ClockEvent]:
        """Stop the clock; the move goes on when it is resumed."""
        events = self._account(at_s)
        self._since = None
        return events

    def resume(self, at_s: float) -> list[ClockEvent]:
        """Let it run again; nothing happens before the first `start`."""
        events = self._account(at_s)
        if self._turn is not None:
            self._since = self._floor
        return events

    def correct(self, side: Side, reserve_s: float, at_s: float) -> list[ClockEvent]:
        """The director sets what is left of a reserve; of the side to move as if its move began now.

        Raises:
            ClockError: for a reserve below 0 or above a day.
        """
        if not 0 <= reserve_s < 86_400:
            raise ClockError(f"A reserve of {reserve_s} s cannot be set; give 0 or more and less than a day.")
        events = self._account(at_s)
        self._left[side] = reserve_s
        if side == self._turn:
            self._used_s = 0.0
        self._told = {(news, owner) for news, owner in self._told if owner != side}
        if self._flag == side and reserve_s > 0:
            self._flag = None
        return events

    def tick(self, at_s: float) -> list[ClockEvent]:
        """Time has gone by; returns warnings and flags that came true since, with their exact times."""
        if self._turn is None or self._since is None:
            return []
        side, zero_at = self._turn, self._zero_at(self._turn)
        due = [(ClockNews.LOW, zero_at - self.control.low_s), (ClockNews.FLAG, zero_at)]
        events = [
            ClockEvent(news, side, max(when, self._since))
            for news, when in due
            if when <= at_s and (news, side) not in self._told
        ]
        self._told |= {(event.news, event.side) for event in events}
        if self._flag is None and any(event.news is ClockNews.FLAG for event in events):
            self._flag = side
        return events

    def reading(self, at_s: float) -> ClockReading:
        """What the clock shows."""
        left = dict(self._left)
        delay_left = 0.0
        if self._turn is not None:
            over = self._used_at(at_s) - self.control.delay_s
            if self.control.delay is Delay.BRONSTEIN:
                left[self._turn] -= over
            else:
                delay_left = max(0.0, -over)
                left[self._turn] -= max(0.0, over)
        running = self._turn if self._since is not None else None
        return ClockReading(
            max(0.0, left[Side.LIGHT]), max(0.0, left[Side.DARK]), delay_left, running, self._flag
        )

    def _zero_at(self, side: Side) -> float:
        """When the running side's reserve is used up if nothing happens."""
        return (self._since or 0.0) - self._used_s + self.control.delay_s + self._left[side]

    def _used_at(self, at_s: float) -> float:
        return self._used_s + (0.0 if self._since is None else max(0.0, at_s - self._since))

    def _account(self, at_s: float) -> list[ClockEvent]:
        """Book the time up to `at_s` on the running move; tells what came true until then, or did not after all."""
        at_s = max(at_s, self._floor)
        events = self.tick(at_s)
        side = self._turn
        if side is not None and self._since is not None:
            if (ClockNews.FLAG, side) in self._told and at_s < self._zero_at(side):
                self._told.discard((ClockNews.FLAG, side))
                self._flag = None if self._flag == side else self._flag
                events.append(ClockEvent(ClockNews.WITHDRAWN, side, at_s))
            self._used_s += at_s - self._since
            self._since = at_s
        self._floor = at_s
        return events

    def _begin(self, side: Side) -> None:
        """End the move under way and begin that of `side`."""
        if self._turn is not None:
            over = self._used_s - self.control.delay_s
            self._left[self._turn] = max(0.0, self._left[self._turn] - max(0.0, over))
        self._turn, self._used_s, self._since = side, 0.0, self._floor
