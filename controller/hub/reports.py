"""Reports on matches that are over: error rates, luck and the worst decisions, made one after the other by an engine.

The engine is a process of its own that yields to everything else; the hub never waits for it.
"""

import hashlib
import hmac
import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from queue import SimpleQueue
from shutil import rmtree
from typing import Final

from controller.closing import Closeable
from controller.errors import UserError
from controller.hub.hall import Hall, StoredEvent, TableShown
from controller.hub.journal_copy import copy_journal
from controller.hub.stored_match import StoredMatch, journal_events, stored_match
from controller.logs.defect import DefectScene
from controller.referee import Phase
from controller.rules import Side

_LOGGER: Final = logging.getLogger(__name__)

FOLDER: Final = "reports"
PAGE: Final = "report.html"
JOURNAL: Final = "journal.db"
MINUTES: Final = 30
"""A match that takes longer is given up."""
WORST: Final = 5
TOKEN_LETTERS: Final = 20


class ReportState(StrEnum):
    """How far a report is."""

    MADE = "made"
    """An engine is at it."""
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class MatchReport:
    """A report on one match.

    Attributes:
        table: at which it was played.
        journal: its name.
        players: both names, as they were shown.
        token: what its address ends with; who knows it may read the report.
        state: how far it is.
        why: what went wrong, one sentence; empty else.
    """

    table: str
    journal: str
    players: str
    token: str
    state: ReportState = ReportState.MADE
    why: str = ""


FindMatch = Callable[[Sequence[StoredEvent]], StoredMatch | None]
"""The match that is over in a journal, see `stored_match`."""
Analyse = Callable[[Path, Path], None]
"""Analyses the match in a folder and writes the page; raises UserError if that fails."""


class ReportQueue(Closeable):
    """Makes a report on each match that ends while it runs. Every method may be called from any thread."""

    def __init__(
        self,
        hall: Hall,
        folder: Path,
        secret: bytes,
        analyse: Analyse,
        find: FindMatch = stored_match,
    ) -> None:
        """Begin to listen.

        Args:
            hall: all tables.
            folder: where reports are kept, one folder each; made if it is not there.
            secret: addresses of reports are made with it, so that nobody can guess one.
            analyse: does the work.
            find: finds the match in what is stored.

        Raises:
            UserError: if the folder cannot be used.
        """
        self._hall, self._folder, self._secret = hall, folder, secret
        self._analyse, self._find = analyse, find
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise UserError(
                f"The folder {folder} cannot be made ({error.strerror}); name another with --folder."
            ) from None
        self._turn = threading.Lock()
        self._reports: dict[tuple[str, str], MatchReport] = {}
        self._looked_at: set[tuple[str, str]] = set()
        self._wanted: SimpleQueue[tuple[str, str] | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="pointsman-reports", daemon=True)
        self._thread.start()
        hall.subscribe(self._on_table)
        for table in hall.tables():
            self._on_table(table)

    def reports(self) -> Sequence[MatchReport]:
        """All reports since the hub began, the newest last."""
        with self._turn:
            return tuple(self._reports.values())

    def page(self, token: str) -> Path | None:
        """The page that belongs to an address; None while there is none."""
        found = next((each for each in self.reports() if hmac.compare_digest(each.token, token)), None)
        if found is None or found.state is not ReportState.DONE:
            return None
        return self._place(found) / PAGE

    def close(self) -> None:
        """Begin no further report; one that an engine is at is not waited for."""
        self._closed = True
        self._wanted.put(None)

    def _on_table(self, table: TableShown) -> None:
        """A table has changed: if its match is over, and the hub has all of it, a report is wanted."""
        screen = table.screen
        if screen is None or screen.get("phase") != Phase.MATCH_OVER or not table.journal:
            return
        if not table.events or table.events < table.told:
            return
        key = (table.name, table.journal)
        with self._turn:
            if key in self._looked_at:
                return
            self._looked_at.add(key)
        self._wanted.put(key)

    def _token(self, table: str, journal: str) -> str:
        return hmac.new(self._secret, f"report {table} {journal}".encode(), hashlib.sha256).hexdigest()[
            :TOKEN_LETTERS
        ]

    def _place(self, report: MatchReport) -> Path:
        return self._folder / f"{report.table}-{report.journal}"

    def _work(self) -> None:
        while (key := self._wanted.get()) is not None and not self._closed:
            try:
                self._make(key)
            except (UserError, OSError) as error:
                self._set(key, ReportState.FAILED, str(error))
            except Exception as error:  # a defect at one record; the others are reported on
                _LOGGER.exception(
                    "A defect while a report was made.", extra=DefectScene("hub", table=key[0]).extra
                )
                self._set(key, ReportState.FAILED, f"{type(error).__name__}: {error}")

    def _make(self, key: tuple[str, str]) -> None:
        # What the screen shows may be older than the journal that the table writes by now.
        match = self._find(journal_events(self._hall, *key))
        if match is None:
            with self._turn:
                self._looked_at.discard(key)
            return
        report = MatchReport(*key, ", ".join(match.names[side] for side in Side), self._token(*key))
        place = self._place(report)
        done = (place / PAGE).exists()
        with self._turn:
            self._reports[key] = replace(report, state=ReportState.DONE if done else ReportState.MADE)
        if not done:
            rmtree(place, ignore_errors=True)
            place.mkdir(mode=0o700)
            copy_journal(self._hall, report.table, report.journal, place / JOURNAL)
            self._analyse(place / JOURNAL, place / PAGE)
            self._set(key, ReportState.DONE)

    def _set(self, key: tuple[str, str], state: ReportState, why: str = "") -> None:
        with self._turn:
            report = self._reports.get(key) or MatchReport(*key, "", self._token(*key))
            self._reports[key] = replace(report, state=state, why=why)


def analyse_aside(journal: Path, page: Path) -> None:
    """Have `pointsman analyse` write the page, in a process that yields to all others.

    Raises:
        UserError: if it fails, in its own words, or takes more than `MINUTES`.
    """
    command = ["nice", "-n", "19", sys.executable, "-m", "controller", "analyse"]
    command += ["--plies", "0", "--worst", str(WORST), "--html", str(page), str(journal)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60 * MINUTES, check=False)
    except subprocess.TimeoutExpired:
        raise UserError(
            f"The analysis of {journal} took more than {MINUTES} minutes; run pointsman analyse by hand."
        ) from None
    except OSError as error:
        raise UserError(
            f"The analysis cannot be begun ({error.strerror}); run pointsman analyse by hand."
        ) from None
    if done.returncode or not page.exists():
        lines = done.stderr.strip().splitlines()
        raise UserError(
            lines[-1] if lines else f"The analysis of {journal} failed; run pointsman analyse by hand."
        )
