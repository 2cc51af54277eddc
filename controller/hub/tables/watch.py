"""What is wrong with one table, from what the hub hears of it and when. Time is passed in; nothing is sent."""

from collections import deque
from collections.abc import Mapping
from typing import Final

from controller.club.messages import EntryRefusal, TablePresence
from controller.hub.hall import FAULTS, TableFault, TableFaultSeen
from controller.hub.stored_journals import drop_first

SILENT_MS: Final = 15_000
"""A table from which nothing has come for this time is silent."""
NOT_ACCEPTED_MS: Final = 10_000
"""If a table's entries are due for this time and none has come, the broker is not letting the table in."""
BEHIND_MS: Final = 5_000
"""Entries that are overdue by this time are missing."""
CLOCK_MS: Final = 2_000
"""A table's clock may be wrong by so much."""
STEADY_MS: Final = 500
"""A difference of the clocks that changes by less is left as it was told."""
QUESTIONS: Final = 3
"""This many questions for the time are looked at together: one may have been held up on its way."""
PASSING_MS: Final = 60_000
"""A single event, such as a message that cannot be read, is shown for this time."""
CONTRADICTED_MS: Final = 7 * 86_400_000
"""An entry that contradicts the store is told for a week, over every restart of the hub; one that it cannot keep for
as long, and anew whenever the table sends it."""
MOST_JOURNALS: Final = 4_096
"""The newest journals of which a table has told that are remembered."""
MOST_FAULTY: Final = 100
"""The newest journals with a contradiction, and as many with an entry that is refused, that are told."""
RUNS: Final = 8
"""This many starts of a table's program are remembered."""


class TableWatch:
    """Watches one table. All times are milliseconds since 1970 by the hub's clock.

    Attributes:
        heard_ms: when anything was heard of it last; 0 before.
        presence: what it said of itself last.
        told: the number of the newest entry of each journal that it says it has.
        stored: the number of the newest entry of each journal that the hub has.
        ahead_ms: by how much the hub's clock is ahead of the table's; 0 where they hardly differ, or nobody knows.
    """

    def __init__(self) -> None:
        """Nothing was heard yet."""
        self.heard_ms = 0
        self.presence = TablePresence(up=False)
        self.told: dict[str, int] = {}
        self.stored: dict[str, int] = {}
        self._runs: deque[str] = deque(maxlen=RUNS)
        self._part_ms = 0
        self._up_ms = 0
        self._missing_ms: dict[str, int] = {}
        self._twice_ms = 0
        self._twice_since_ms = 0
        self._too_much_ms = 0
        self._too_much_since_ms = 0
        self._unreadable: tuple[int, str] | None = None
        self._other: dict[str, tuple[int, int]] = {}
        self._refused: dict[str, tuple[int, EntryRefusal]] = {}
        self.ahead_ms = 0
        self._offsets: deque[int] = deque(maxlen=QUESTIONS)
        self._clock_ms = 0

    # What was heard.

    def on_message(self, now_ms: int) -> None:
        """Something of the table came in, whatever it is."""
        self.heard_ms = now_ms

    def hear_presence(self, presence: TablePresence, now_ms: int, *, kept: bool) -> bool:
        """The table, or the broker for it, says whether it is there; whether that counts.

        ``kept`` is one that the broker had kept. What the broker says for an earlier start of the program is old.
        """
        run = presence.run
        newest = self._runs[-1] if self._runs else ""
        if run and newest and run != newest and (not presence.up or kept):
            return False
        if run and run != newest:
            if run in self._runs and newest:
                if not self._is_passing(self._twice_ms, now_ms):
                    self._twice_since_ms = now_ms
                self._twice_ms = now_ms
                self._runs.remove(run)
            elif not kept:
                self._compare(presence.journals or {}, now_ms)
            self._runs.append(run)
        if presence.up and not self.presence.up:
            self._up_ms = now_ms
        self.presence = presence
        for journal, number in (presence.journals or {}).items():
            self._remember(journal, number)
            self._weigh(journal, now_ms)
        return True

    def _remember(self, journal: str, number: int) -> None:
        """The table has said that it has an entry; of too many journals the one that was told first is forgotten."""
        self.told[journal] = max(number, self.told.get(journal, 0))
        if len(self.told) > MOST_JOURNALS:
            oldest = next(iter(self.told))
            del self.told[oldest]
            self._missing_ms.pop(oldest, None)

    def _compare(self, journals: Mapping[str, int], now_ms: int) -> None:
        """A program that just started has fewer entries on its disk than it once sent: an old card was put back."""
        for journal, number in journals.items():
            if number < self.stored.get(journal, 0):
                self.hear_contradiction(journal, number + 1, now_ms)

    def hear_part(self, now_ms: int) -> None:
        """Entries came in."""
        self._part_ms = now_ms

    def hear_stored(self, journal: str, told: int, stored: int, now_ms: int) -> None:
        """The hub has a journal on its disk up to an entry; the table has shown one up to number ``told``."""
        if stored:
            self.stored[journal] = stored
        if journal in self._refused and stored >= self._refused[journal][1].number:
            del self._refused[journal]
        self._remember(journal, max(told, stored))
        self._weigh(journal, now_ms)

    def _weigh(self, journal: str, now_ms: int) -> None:
        if self.told.get(journal, 0) > self.stored.get(journal, 0):
            self._missing_ms.setdefault(journal, now_ms)
        else:
            self._missing_ms.pop(journal, None)

    def hear_contradiction(self, journal: str, number: int, now_ms: int) -> None:
        """An entry contradicts the stored one of that number, or follows on another one."""
        since, first = self._other.get(journal, (now_ms, number))
        self._other[journal] = since, min(first, number)
        drop_first(self._other, MOST_FAULTY)

    def hear_refused(self, journal: str, refused: EntryRefusal, now_ms: int) -> None:
        """The store cannot keep an entry; the table sends no more of that journal."""
        since, before = self._refused.get(journal, (now_ms, refused))
        self._refused[journal] = (since if before.number == refused.number else now_ms), refused
        drop_first(self._refused, MOST_FAULTY)

    def hear_too_much(self, now_ms: int) -> None:
        """More came than a table may send."""
        if not self._is_passing(self._too_much_ms, now_ms):
            self._too_much_since_ms = now_ms
        self._too_much_ms = now_ms

    def hear_unreadable(self, why: str, now_ms: int) -> None:
        """Something came that cannot be read."""
        self._unreadable = now_ms, why

    def hear_clock(self, asked_ms: int, now_ms: int) -> None:
        """The table asked for the time; ``asked_ms`` is what its own clock said."""
        self._offsets.append(now_ms - asked_ms)
        ahead_ms = min(self._offsets, key=abs)
        if abs(ahead_ms) <= CLOCK_MS:
            self.ahead_ms = 0
        elif abs(ahead_ms - self.ahead_ms) > STEADY_MS:
            self.ahead_ms = ahead_ms
        if self.clock_error_ms is None:
            self._clock_ms = 0
        else:
            self._clock_ms = self._clock_ms or now_ms

    def move_times(self, began_ms: int, by_ms: int) -> None:
        """The hub's clock was set by so much: all times since ``began_ms`` move with it."""

        def moved(then_ms: int) -> int:
            return then_ms + by_ms if then_ms >= began_ms else then_ms

        self.heard_ms, self._part_ms, self._up_ms = map(moved, (self.heard_ms, self._part_ms, self._up_ms))
        self._twice_ms, self._twice_since_ms = moved(self._twice_ms), moved(self._twice_since_ms)
        self._too_much_ms, self._too_much_since_ms = moved(self._too_much_ms), moved(self._too_much_since_ms)
        self._missing_ms = {journal: moved(since) for journal, since in self._missing_ms.items()}
        self._other = {journal: (moved(since), first) for journal, (since, first) in self._other.items()}
        self._refused = {journal: (moved(since), why) for journal, (since, why) in self._refused.items()}
        if self._unreadable is not None:
            self._unreadable = moved(self._unreadable[0]), self._unreadable[1]
        # The tables' clocks are compared with the hub's anew.
        self.ahead_ms += by_ms
        self._offsets.clear()
        self._clock_ms = 0

    # What follows from it.

    @property
    def clock_error_ms(self) -> int | None:
        """By how much the table's clock is behind; None if it is right enough, or not known yet."""
        if len(self._offsets) < QUESTIONS:
            return None
        least = min(self._offsets, key=abs)
        return least if abs(least) > CLOCK_MS else None

    def faults(self, now_ms: int, *, playing: bool = True) -> tuple[TableFaultSeen, ...]:
        """What is wrong now, the most urgent first; ``playing``: a match was on when the table was seen last."""
        found = [
            TableFaultSeen(TableFault.OTHER_CHAIN, since, {"journal": journal, "event": str(number)})
            for journal, (since, number) in self._other.items()
            if now_ms - since <= CONTRADICTED_MS
        ]
        found += [
            TableFaultSeen(
                TableFault.ENTRY_REFUSED,
                since,
                {"journal": journal, "event": str(refused.number), "why": str(refused.flaw)},
            )
            for journal, (since, refused) in self._refused.items()
            if now_ms - since <= CONTRADICTED_MS
        ]
        if self._is_passing(self._twice_ms, now_ms):
            found.append(TableFaultSeen(TableFault.TWO_TABLES, self._twice_since_ms))
        if self._is_silent(now_ms, playing=playing):
            seconds = max(0, now_ms - self.heard_ms) // 1000
            found.append(TableFaultSeen(TableFault.SILENT, self.heard_ms, {"seconds": str(seconds)}))
        missing = self._missing(now_ms)
        if missing is not None:
            found.append(missing)
        if self._is_passing(self._too_much_ms, now_ms):
            found.append(TableFaultSeen(TableFault.TOO_MUCH, self._too_much_since_ms))
        if self._unreadable is not None and self._is_passing(self._unreadable[0], now_ms):
            found.append(
                TableFaultSeen(TableFault.UNREADABLE, self._unreadable[0], {"reason": self._unreadable[1]})
            )
        error = self.clock_error_ms
        if error is not None:
            found.append(TableFaultSeen(TableFault.CLOCK, self._clock_ms, {"seconds": f"{error / 1000:.0f}"}))
        return tuple(sorted(found, key=lambda each: FAULTS[each.fault]))

    def _is_silent(self, now_ms: int, *, playing: bool) -> bool:
        """A table that is gone between two matches is not silent; one whose match goes on is."""
        if self.presence.up:
            return now_ms - self.heard_ms > SILENT_MS
        return playing and bool(self.presence.journal)

    def _missing(self, now_ms: int) -> TableFaultSeen | None:
        """Entries that are awaited too long; of journals whose entries are refused that is said already."""
        awaited = {
            journal: since
            for journal, since in self._missing_ms.items()
            if journal not in self._other and journal not in self._refused
        }
        if not awaited:
            return None
        since = min(awaited.values())
        number = sum(self.told[journal] - self.stored.get(journal, 0) for journal in awaited)
        arguments = {"events": str(number)}
        if (
            self.presence.up
            and not self._is_silent(now_ms, playing=True)
            and now_ms - max(since, self._part_ms, self._up_ms) > NOT_ACCEPTED_MS
        ):
            return TableFaultSeen(TableFault.NOT_ACCEPTED, since, arguments)
        if now_ms - since > BEHIND_MS:
            return TableFaultSeen(TableFault.BEHIND, since, arguments)
        return None

    def _is_passing(self, then_ms: int, now_ms: int) -> bool:
        return bool(then_ms) and now_ms - then_ms <= PASSING_MS
