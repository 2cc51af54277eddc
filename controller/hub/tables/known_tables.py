"""What the hub knows of each table by the table's own messages, and by what is stored of it."""

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from controller.club.messages import (
    JOURNAL_LETTERS,
    ClubMessageError,
    JournalPart,
    ShownState,
    TablePresence,
    journal_name,
)
from controller.club.topics import Topic
from controller.club.transport import ClubMessage
from controller.hub.hall import Snapshot, TableShown
from controller.hub.store import HubStore, KnownTable
from controller.hub.stored_journals import PartKept
from controller.hub.tables.allowance import Allowance
from controller.hub.tables.watch import CONTRADICTED_MS, TableWatch
from controller.logs.defect import DefectScene
from controller.web.table_service import RoomState

_LOGGER: Final = logging.getLogger(__name__)

KEPT_MS: Final = 60_000
"""How often it is written down that a table was heard by another way than the broker."""
UPLINK: Final = "."
"""Stands between a club and a table of it, in the name of a table whose entries came by an uplink."""
# A table shows its state twice a second at most. In a demo the screen's part of one had 4 kB: 250 kB a second is far
# more.
MESSAGES: Final = 16_000_000
"""Bytes of messages that one table may send at once and that bring nothing new; what is stored does not count."""
MESSAGES_MS: Final = 64_000
"""In this time as many may come again."""
OF_MESSAGE: Final = 512
"""A message counts as so many bytes more than it has."""
STORED: Final = 1_000_000_000
"""Bytes of entries that are stored of one table; some seven thousand games, which a table may bring along."""
STORED_MS: Final = 5 * 86_400_000
"""In this time as many are stored again."""
OF_JOURNAL: Final = 20_000
"""A new journal counts as so many bytes more than its entries have: each is remembered as long as the hub runs."""
LARGEST: Final = {
    Topic.PRESENCE: 64_000,
    Topic.STATE: 500_000,
    Topic.ANSWERS: 64_000,
    Topic.ASKED_TIME: 1_000,
}
"""Bytes of a message; of entries each has its own limit."""
MOST_TABLES: Final = 1024
"""This many tables are known at most; what more say is left alone."""


class TableKnown:
    """One table in memory.

    Attributes:
        shown: as the hall sees it; its times are by the hub's clock.
        state: what it showed last; its times are by its own.
        watch: what is wrong with it.
        kept_ms: when it was written down last that entries of it come by another way than the broker.
        messages: what may come of it.
        room: what may be stored of it.
    """

    def __init__(self, name: str) -> None:
        """Nothing was heard of it yet."""
        self.shown = TableShown(name, name, up=False, heard_ms=0)
        self.state = ShownState()
        self.watch = TableWatch()
        self.kept_ms = 0
        self.messages = Allowance(MESSAGES, MESSAGES_MS)
        self.room = Allowance(STORED, STORED_MS)


class KnownTables:
    """All tables that the hub has heard of. Any thread may read; the thread of the hub's loop alone changes them.

    Attributes:
        newest: the number of the newest stored entry of each journal, by table and journal.
    """

    def __init__(self, store: HubStore, now_ms: Callable[[], int], fail: Callable[[Exception], None]) -> None:
        """Know the tables of before. Raises UserError if the store cannot be read.

        Args:
            store: where their entries are.
            now_ms: milliseconds since 1970, on a clock whose jumps `move_times` is told.
            fail: called with a defect of whoever hears of the tables.
        """
        self._store, self._now_ms, self._fail = store, now_ms, fail
        self._began_ms = now_ms()
        self._known: dict[str, TableKnown] = {}
        self._shown: dict[str, TableShown] = {}
        self._hearers: tuple[Callable[[TableShown], None], ...] = ()
        for table in store.tables():
            self._recall(table)
        self.newest: dict[tuple[str, str], int] = dict(store.newest())
        for (name, journal), number in self.newest.items():
            if name in self._known:
                self._known[name].watch.stored[journal] = number
        for name, journal, number, stored_ms in store.first_contradictions(now_ms() - CONTRADICTED_MS):
            if name in self._known:
                self._known[name].watch.hear_contradiction(journal, number, stored_ms)

    def _recall(self, table: KnownTable) -> None:
        known = self._known[table.name] = TableKnown(table.name)
        known.watch.heard_ms = table.heard_ms
        known.shown = replace(
            known.shown,
            title=table.title or table.name,
            pages=table.pages,
            version=table.version,
            heard_ms=table.heard_ms,
        )
        self._shown[table.name] = known.shown

    def __iter__(self) -> Iterator[TableKnown]:
        """Each of them."""
        return iter([*self._known.values()])

    def shown(self) -> Mapping[str, TableShown]:
        """All as the hall sees them, by name."""
        return self._shown.copy()

    def know(self, name: str, *, new: bool) -> TableKnown | None:
        """One by its name, made if it may be ``new`` and there are not too many; else None."""
        known = self._known.get(name)
        if known is None and new and len(self._known) < MOST_TABLES:
            known = self._known[name] = TableKnown(name)
        return known

    def know_sender(self, name: str) -> TableKnown:
        """One whose entries come by an uplink, made if it is new: its club has vouched for it."""
        return self._known.setdefault(name, TableKnown(name))

    def subscribe(self, hear: Callable[[TableShown], None]) -> None:
        """Call somebody with each table that changes."""
        self._hearers = (*self._hearers, hear)

    def may_say(self, known: TableKnown, what: Topic, size: int, now: int) -> bool:
        """Whether a message of a table is heard, or more comes than a table may send. Raises ClubMessageError."""
        if not known.messages.is_left(now):
            known.watch.hear_too_much(now)
            return False
        known.messages.take(size + OF_MESSAGE, now)
        if size > LARGEST.get(what, size):
            raise ClubMessageError(
                f"A message of kind {what} has {size} bytes, {LARGEST[what]} at most; the sender is to be updated."
            )
        return True

    def hear_presence(self, known: TableKnown, message: ClubMessage, now: int) -> None:
        """Take in that a table is there, or has left, and what it has. Raises ClubMessageError."""
        if not message.payload:
            return  # somebody cleared what the broker kept
        presence = TablePresence.decode(message.payload)
        for journal in presence.journals or {}:
            _check_journal(journal)
        if not known.watch.hear_presence(presence, now, kept=message.retained):
            return
        before = known.shown
        known.shown = shown = replace(
            before,
            title=presence.name or before.title,
            up=presence.up,
            journal=presence.journal,
            version=presence.version or before.version,
            pages=presence.pages or before.pages,
            authority=presence.authority or before.authority,
        )
        for journal in presence.journals or {}:
            self._store.look_up(shown.name, journal)
        heard_ms = known.watch.heard_ms
        self._store.keep_table(
            KnownTable(shown.name, shown.title, shown.pages, shown.version, presence.run, heard_ms)
        )

    def hear_state(self, known: TableKnown, payload: bytes, now: int) -> None:
        """Take in what a table shows. Raises ClubMessageError."""
        known.state = ShownState.decode(payload)
        known.shown = replace(known.shown, since_ms=now)

    def hear_part(self, known: TableKnown, part: JournalPart, now: int) -> bool:
        """Have entries stored; returns whether they are, or whether too much waits. Raises ClubMessageError."""
        _check_journal(part.journal)
        first = part.first
        if (part.rows or part.refused) and (first < 1 or (first == 1) != (part.before == "")):
            raise ClubMessageError("A message of kind events does not say what it follows on.")
        if part.rows and first == 1 and journal_name(part.rows[0][-1]) != part.journal:
            raise ClubMessageError("A message of kind events has the name of another journal.")
        if not part.is_whole():
            raise ClubMessageError(f"Entries from number {first} on do not hold together: one was changed.")
        known.watch.hear_part(now)
        if part.first and not known.room.is_left(now):
            known.watch.hear_too_much(now)
            return False
        return self._store.keep(known.shown.name, part)

    def hear_stored(self, kept: PartKept) -> TableKnown:
        """Take in what is on the disk; the table that it is of."""
        now, known, told = self._now_ms(), self._known[kept.table], kept.confirmation
        known.watch.hear_stored(told.journal, kept.told, told.upto, now)
        if kept.size:
            known.messages.give_back(kept.size)
            known.room.take(kept.size + (OF_JOURNAL if kept.stored == told.upto else 0), now)
        if told.upto:
            self.newest[kept.table, told.journal] = told.upto
        if told.refused is not None:
            known.watch.hear_refused(told.journal, told.refused, now)
        if kept.contradicting:
            known.watch.hear_contradiction(told.journal, kept.contradicting, now)
        if UPLINK in kept.table and now - known.kept_ms >= KEPT_MS:
            known.kept_ms = now
            self._store.keep_table(KnownTable(kept.table, kept.table, heard_ms=now))
        return known

    def move_times(self, by_ms: int) -> None:
        """The hub's clock was set: what this run of the hub has heard is still as long ago as it was."""
        began_ms, self._began_ms = self._began_ms, self._began_ms + by_ms
        for known in self:
            known.watch.move_times(began_ms, by_ms)
            since_ms = known.shown.since_ms
            if since_ms >= began_ms:
                known.shown = replace(known.shown, since_ms=since_ms + by_ms)
            known.kept_ms = 0

    def publish(self, known: TableKnown) -> None:
        """Tell everybody of a table, if anything about it has changed."""
        watch, state = known.watch, known.state
        before = replace(
            known.shown,
            screen=by_hub_clock(state.screen, watch.ahead_ms),
            desk=by_hub_clock(state.desk, watch.ahead_ms),
        )
        journal = before.journal
        known.shown = shown = replace(
            before,
            heard_ms=watch.heard_ms,
            events=watch.stored.get(journal, 0),
            told=watch.told.get(journal, 0),
            faults=watch.faults(self._now_ms(), playing=_is_playing(before)),
        )
        last = self._shown.get(shown.name)
        self._shown[shown.name] = shown
        if last is None or replace(last, heard_ms=0) != replace(shown, heard_ms=0):
            for hear in self._hearers:
                try:
                    hear(shown)
                except Exception as error:  # a defect there must not keep the tables from being heard
                    _LOGGER.exception(
                        "A defect while a table was shown.", extra=DefectScene("hub", table=shown.name).extra
                    )
                    self._fail(error)


def by_hub_clock(state: Snapshot | None, ahead_ms: int) -> Snapshot | None:
    """What a table shows, its times by the hub's clock, which is ahead of the table's by so much."""
    if state is None or not ahead_ms:
        return state
    moved, needs = {**state, "clock": _moved(state.get("clock"), "at_ms", ahead_ms)}, state.get("needs")
    if isinstance(needs, list):
        moved["needs"] = [_moved(need, "since_ms", ahead_ms) for need in needs]
    return moved


def _moved(told: Any, name: str, by_ms: int) -> Any:
    """An object with one time moved; what a strange table shows otherwise stays as it is."""
    time_ms = told.get(name) if isinstance(told, dict) else None
    return {**told, name: time_ms + by_ms} if isinstance(time_ms, int | float) else told


def _is_playing(table: TableShown) -> bool:
    """Whether a match was on when a table was seen last; one that never showed anything may be playing."""
    return table.screen is None or table.screen.get("room") == RoomState.PLAYING


def _check_journal(journal: str) -> None:
    """Raises ClubMessageError for what is no name of a journal."""
    if len(journal) != JOURNAL_LETTERS or set(journal) - set("0123456789abcdef"):
        raise ClubMessageError("A message names a journal as none is called; the sender is to be updated.")
