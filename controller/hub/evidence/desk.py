"""Sees to it that the hub has the pictures of every disputed turn, while the table that took them is still there."""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from controller.closing import Closeable
from controller.errors import UserError
from controller.hub.evidence.fetch import FetchFault, PictureFetchError, fetch_picture
from controller.hub.evidence.keep import DisputedTurn, EvidenceFolder
from controller.hub.hall import Hall, TableShown, find_table
from controller.hub.stored_match import StoredJournal, journal_events
from controller.logs.defect import DefectScene
from controller.web.evidence import pictures_in
from controller.web.wire.attention_kind import AttentionKind

_LOGGER: Final = logging.getLogger(__name__)

AGAIN_S: Final = 5.0
"""After this time, pictures that did not come are asked for again."""
TRIES: Final = 240
"""How often at most, for a turn that needs nobody any more."""
MOST_WANTED: Final = 200
"""This many turns are waited for at once."""
MOST_OF_TABLE: Final = 20
"""This many of one table, so that none keeps out another."""
LONGEST: Final = 200
"""Letters of a text that is noted of a turn."""
MOST_PICTURES: Final = 8
"""This many of one turn are fetched."""
KINDS: Final = frozenset({AttentionKind.DISPUTE, AttentionKind.ILLEGAL})
OF_OTHERS: Final = "."
"""In the name of a table whose entries came by an uplink: its pictures stay at its own hub."""
Fetch = Callable[[str, str, str, str], bytes]
"""Brings a picture: from which pages, by which digest, with which pass, vouched for by whom; see `fetch_picture`."""


@dataclass(slots=True)
class _Wanted:
    """A turn whose pictures are to come."""

    table: TableShown
    game: int
    ply: int
    what: str
    utc: str
    left: int = TRIES


class EvidenceDesk(Closeable):
    """Fetches the pictures of disputed turns. Every method may be called from any thread.

    Attributes:
        kept: what is here.
    """

    def __init__(
        self,
        hall: Hall,
        folder: Path,
        sign: Callable[[str, str], str],
        utc: Callable[[], str],
        *,
        fetch: Fetch = fetch_picture,
        again_s: float = AGAIN_S,
    ) -> None:
        """Begin to look.

        Args:
            hall: all tables.
            folder: where pictures are kept.
            sign: makes the pass with which a table gives out a picture, given the table's name and the digest.
            utc: tells the time of day, ISO 8601.
            fetch: brings a picture.
            again_s: seconds after which pictures that did not come are asked for again.

        Raises:
            UserError: if the folder cannot be used.
        """
        self._hall, self._sign, self._utc = hall, sign, utc
        self._fetch, self._again_s = fetch, again_s
        self.kept = EvidenceFolder(folder)
        self._wanted: dict[tuple[str, str, int, int], _Wanted] = {}
        self._faults: dict[str, FetchFault] = {}
        self._turn = threading.Lock()
        self._wake, self._closed = threading.Event(), False
        self._thread = threading.Thread(target=self._work, name="pointsman-evidence", daemon=True)
        hall.subscribe(self._on_table)
        for table in hall.tables():
            self._on_table(table)
        self._thread.start()

    def close(self) -> None:
        """Fetch nothing more; a picture that is on its way is not waited for."""
        self._closed = True
        self._wake.set()

    def faults(self) -> Mapping[str, FetchFault]:
        """Why pictures of turns did not come, by the names of the turns."""
        with self._turn:
            return dict(self._faults)

    def turns(self) -> Sequence[DisputedTurn]:
        """Every turn that has pictures, the oldest first."""
        return self.kept.turns()

    # --- what is wanted ------------------------------------------------------------------------------------

    def _on_table(self, table: TableShown) -> None:
        if OF_OTHERS in table.name or not table.journal:
            return
        new = False
        with self._turn:
            of_table = sum(name == table.name for name, *_ in self._wanted)
            for game, ply, what in _disputed(table):
                key = (table.name, table.journal, game, ply)
                if key in self._wanted:
                    self._wanted[key].table = table
                elif len(self._wanted) < MOST_WANTED and of_table < MOST_OF_TABLE:
                    of_table += 1
                    self._wanted[key], new = _Wanted(table, game, ply, what, self._utc()), True
        if new:
            self._wake.set()

    def _work(self) -> None:
        while not self._closed:
            self._wake.wait(self._again_s if self._wanted else None)
            self._wake.clear()
            with self._turn:
                waiting = [*self._wanted.items()]
            lost: set[str] = set()
            for key, wanted in waiting:
                if self._closed:
                    return
                if wanted.left > 0 and wanted.table.name not in lost and not self._see_to(wanted):
                    lost.add(wanted.table.name)
                wanted.left -= 1
                self._forget(key, wanted)

    def _forget(self, key: tuple[str, str, int, int], wanted: _Wanted) -> None:
        """Wait for a turn no more that nobody asks about, once it is here or was tried often enough."""
        now = find_table(self._hall, wanted.table.name)
        asked = now is not None and now.journal == wanted.table.journal
        asked = asked and any(
            each[:2] == (wanted.game, wanted.ply) for each in _disputed(now or wanted.table)
        )
        if wanted.left <= 0 and not asked:
            with self._turn:
                self._wanted.pop(key, None)

    def _see_to(self, wanted: _Wanted) -> bool:
        """Have the pictures of one turn here; false if its table does not give them just now."""
        table, turn = wanted.table, None
        try:
            turn = self._noted(wanted)
            if turn is None:
                return True
            missing = [each for each in turn.pictures if not self.kept.has(each.sha256)]
            for each in missing:
                token = self._sign(table.name, each.sha256)
                now = self._now(table)
                self.kept.keep(each.sha256, self._fetch(now.pages, each.sha256, token, now.authority))
        except PictureFetchError as error:
            with self._turn:
                self._faults["" if turn is None else turn.name] = error.fault
            return False
        except UserError:
            return True  # the journal is not whole yet, or the disk is full: it is tried again
        except Exception:  # a defect at one record; the pictures of other tables come
            _LOGGER.exception(
                "A defect while pictures were fetched.", extra=DefectScene("hub", table=table.name).extra
            )
            wanted.left = 0
            return True
        with self._turn:
            self._faults.pop(turn.name, None)
        wanted.left = 0
        return True

    def _now(self, table: TableShown) -> TableShown:
        """The table as it is now: it may have another address than when it was disputed at it."""
        return find_table(self._hall, table.name) or table

    def _noted(self, wanted: _Wanted) -> DisputedTurn | None:
        """The turn with the pictures that its journal vouches for; None while it names none. Raises UserError."""
        table = wanted.table
        stored = journal_events(self._hall, table.name, table.journal)
        log = StoredJournal(stored, Path(table.journal))
        if not log.matches():
            return None
        found = pictures_in(log, log.matches()[0], wanted.game, wanted.ply)
        if not found:
            return None
        match = _object(table.desk or table.screen or {}, "match")
        turn = DisputedTurn(
            table.name,
            (table.title or table.name)[:LONGEST],
            table.journal,
            players=(str(match.get("light", ""))[:LONGEST], str(match.get("dark", ""))[:LONGEST]),
            event=str(match.get("event", ""))[:LONGEST],
            game=wanted.game,
            ply=wanted.ply,
            what=wanted.what,
            utc=wanted.utc,
            pictures=found[:MOST_PICTURES],
        )
        before = next((each for each in self.kept.turns() if each.name == turn.name), None)
        if before is None or before.pictures != turn.pictures:
            self.kept.note(turn)
        return turn


def _disputed(table: TableShown) -> Iterator[tuple[int, int, str]]:
    """Game, ply and words of each recorded turn that is disputed or flagged at a table."""
    needs: Any = (table.desk or {}).get("needs") or ()
    for each in needs:
        turn = each.get("turn")
        if each.get("kind") in KINDS and isinstance(turn, dict) and each.get("recorded"):
            yield int(turn["game"]), int(turn["ply"]), str(each.get("heading") or "")[:LONGEST]


def _object(snapshot: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = snapshot.get(name)
    return value if isinstance(value, dict) else {}
