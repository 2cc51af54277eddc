"""Reports on matches that are over: once each, of the whole journal; without the address nobody reads one."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.club.messages import TableReply, journal_name
from controller.errors import UserError
from controller.hub.hall import Snapshot, StoredEvent, TableShown
from controller.hub.journal_copy import JournalCopyError, copy_journal
from controller.hub.reports import ReportQueue, ReportState
from controller.hub.stored_match import StoredMatch, stored_match
from controller.record.journal.journal import Draft, Journal, Row
from controller.record.journal.soundness import check_journal
from controller.rules import Side
from tests.hub.hubs import until

UTC = "2026-11-01T19:00:00.000+00:00"


class OneTable:
    """A hall with one table, as `Hall`."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.journal = journal_name(rows[0][-1])
        screen: Snapshot = {"phase": "moving", "match": {"light": "Ann", "dark": "Bo"}}
        self.shown = TableShown("table-1", "1", up=True, heard_ms=0, journal=self.journal, screen=screen)
        self.hearers: list[Callable[[TableShown], None]] = []

    def tables(self) -> tuple[TableShown, ...]:
        return (self.shown,)

    def subscribe(self, hear: Callable[[TableShown], None]) -> None:
        self.hearers.append(hear)

    def events(
        self, table: str, *, after: int = 0, journal: str = "", most: int = 2
    ) -> Sequence[StoredEvent]:
        most = min(most, 2)
        found = [StoredEvent(row[0], self.journal, row, 0) for row in self.rows if row[0] > after]
        return found[:most] if table == "table-1" and journal == self.journal else []

    def ask(self, *_: Any, **__: Any) -> "Future[TableReply]":
        raise AssertionError

    def show(self, **changes: Any) -> None:
        self.shown = replace(self.shown, **changes)
        for hear in self.hearers:
            hear(self.shown)

    def end_match(self, *, told: int, stored: int) -> None:
        screen = {**(self.shown.screen or {}), "phase": "match_over"}
        self.show(screen=screen, told=told, events=stored)


@pytest.fixture
def rows(tmp_path: Path) -> list[Row]:
    with Journal(tmp_path / "own.db") as journal:
        journal.append_all(
            Draft(
                "1",
                "note",
                {"text": text, "number": number, "share": number / 3},
                UTC,
                None if number else 1.5,
            )
            for number, text in enumerate(("é", "ö", "plain", "", "5/1"))
        )
        return list(journal.rows())


class Analyst:
    """Analyses nothing; knows what it was asked for."""

    def __init__(self, *, fails: str = "") -> None:
        self.asked: list[Path] = []
        self.done = threading.Semaphore(0)
        self._fails = fails

    def __call__(self, journal: Path, page: Path) -> None:
        self.asked.append(journal)
        try:
            if self._fails:
                raise UserError(self._fails)
            page.write_text(f"{len(check_journal(journal))} entries")
        finally:
            self.done.release()


def find_over(stored: Sequence[StoredEvent]) -> StoredMatch | None:
    """The match, where all of it is stored."""
    names = {Side.LIGHT: "Ann", Side.DARK: "Bo"}
    over = len(stored) >= 5
    begun, score = dict.fromkeys(Side, 0), {Side.LIGHT: 5, Side.DARK: 2}
    return StoredMatch(names, 5, "", begun, Side.LIGHT, score, frozenset()) if over else None


def wait(queue: ReportQueue, state: ReportState) -> None:
    until(lambda: any(each.state is state for each in queue.reports()))


def test_a_journal_comes_out_of_the_store_as_it_went_in(rows: list[Row], tmp_path: Path) -> None:
    hall = OneTable(rows)
    assert copy_journal(hall, "table-1", hall.journal, tmp_path / "copy.db") == len(rows)
    assert check_journal(tmp_path / "copy.db") == rows


def test_a_store_that_was_tampered_with_gives_no_copy(rows: list[Row], tmp_path: Path) -> None:
    number, match, utc, t, kind, _, chain = rows[2]
    hall = OneTable([*rows[:2], (number, match, utc, t, kind, '{"text":"other"}', chain), *rows[3:]])
    with pytest.raises(JournalCopyError, match="is not in the store as it was sent"):
        copy_journal(hall, "table-1", hall.journal, tmp_path / "copy.db")


def test_an_unknown_journal_is_told(rows: list[Row], tmp_path: Path) -> None:
    with pytest.raises(JournalCopyError, match="Nothing of the journal"):
        copy_journal(OneTable(rows), "table-1", "0123456789abcdef", tmp_path / "copy.db")


def test_a_match_that_is_over_and_whole_has_one_report(rows: list[Row], tmp_path: Path) -> None:
    hall, analyst = OneTable(rows), Analyst()
    with ReportQueue(hall, tmp_path / "reports", b"secret", analyst, find_over) as queue:
        hall.end_match(told=len(rows), stored=len(rows) - 1)
        assert queue.reports() == ()
        hall.end_match(told=len(rows), stored=len(rows))
        hall.show(heard_ms=5)
        wait(queue, ReportState.DONE)
        (report,) = queue.reports()
        page = queue.page(report.token)
        assert report.players == "Ann, Bo"
        assert page is not None
        assert page.read_text() == f"{len(rows)} entries"
        assert len(analyst.asked) == 1


def test_who_does_not_know_the_address_reads_no_report(rows: list[Row], tmp_path: Path) -> None:
    hall = OneTable(rows)
    with ReportQueue(hall, tmp_path / "reports", b"secret", Analyst(), find_over) as queue:
        hall.end_match(told=1, stored=len(rows))
        wait(queue, ReportState.DONE)
        assert queue.page("0" * 20) is None
    with ReportQueue(OneTable(rows), tmp_path / "others", b"another secret", Analyst(), find_over) as other:
        other._on_table(hall.shown)
        wait(other, ReportState.DONE)
        assert other.reports()[0].token != queue.reports()[0].token


def test_after_a_restart_a_report_is_there_and_is_not_made_again(rows: list[Row], tmp_path: Path) -> None:
    hall, analyst = OneTable(rows), Analyst()
    with ReportQueue(hall, tmp_path / "reports", b"secret", analyst, find_over) as queue:
        hall.end_match(told=len(rows), stored=len(rows))
        wait(queue, ReportState.DONE)
    with ReportQueue(hall, tmp_path / "reports", b"secret", analyst, find_over) as again:
        wait(again, ReportState.DONE)
    assert len(analyst.asked) == 1


def test_an_analysis_that_fails_is_told(rows: list[Row], tmp_path: Path) -> None:
    hall = OneTable(rows)
    with ReportQueue(
        hall, tmp_path / "reports", b"secret", Analyst(fails="gnubg is not here; install it."), find_over
    ) as queue:
        hall.end_match(told=len(rows), stored=len(rows))
        wait(queue, ReportState.FAILED)
        assert queue.reports()[0].why == "gnubg is not here; install it."
        assert queue.page(queue.reports()[0].token) is None


@pytest.mark.parametrize("payload", ["{", "[]", "[" * 30_000, '{"text":' + "[" * 900 + "]" * 900 + "}"])
def test_a_record_that_says_nothing_readable_has_no_report_and_keeps_none_from_others(
    rows: list[Row], tmp_path: Path, payload: str
) -> None:
    """Its table has sent it so, and vouches for every letter of it."""
    number, match, utc, t, kind, _, chain = rows[2]
    hall, analyst = OneTable([*rows[:2], (number, match, utc, t, kind, payload, chain), *rows[3:]]), Analyst()

    def find(stored: Sequence[StoredEvent]) -> StoredMatch | None:
        return stored_match(stored) or find_over(stored)

    with ReportQueue(hall, tmp_path / "reports", b"secret", analyst, find) as queue:
        hall.end_match(told=len(rows), stored=len(rows))
        wait(queue, ReportState.FAILED)
        hall.rows, queue._looked_at = rows, set()
        hall.end_match(told=len(rows), stored=len(rows))
        wait(queue, ReportState.DONE)


def test_a_screen_that_is_older_than_the_journal_makes_no_report(rows: list[Row], tmp_path: Path) -> None:
    hall, analyst = OneTable(rows), Analyst()
    whole, hall.rows = hall.rows, rows[:1]
    with ReportQueue(hall, tmp_path / "reports", b"secret", analyst, find_over) as queue:
        hall.end_match(told=1, stored=1)
        until(lambda: queue._wanted.empty() and not queue._looked_at)
        assert queue.reports() == ()
        hall.rows = whole
        hall.end_match(told=len(rows), stored=len(rows))
        wait(queue, ReportState.DONE)
    assert len(analyst.asked) == 1
