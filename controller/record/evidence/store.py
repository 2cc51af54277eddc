"""The pictures behind the verdicts: a second SQLite file beside the journal, kept within a size limit.

The journal holds the SHA-256 of every picture in its chain, so a picture that was changed later shows. The
pictures themselves are not in the journal, because they must be allowed to go when the card is full.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Final

from controller.closing import Closeable
from controller.errors import UserError
from controller.record.journal.copies import RESCUED
from controller.record.journal.journal import make_private

APPLICATION_ID: Final = 0x504F4956
"""The letters POIV in the file's header."""
LIMIT_BYTES: Final = 2_000_000_000
"""Pictures kept if nobody says otherwise: some fifty long matches."""

_SCHEMA: Final = f"""
CREATE TABLE IF NOT EXISTS picture (
    sha256 TEXT PRIMARY KEY,
    jpeg BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS use (
    id INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL,
    worth INTEGER NOT NULL,
    sha256 TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS use_by_picture ON use (sha256);
CREATE INDEX IF NOT EXISTS use_by_turn ON use (turn);
CREATE INDEX IF NOT EXISTS use_by_worth ON use (worth, id);
PRAGMA application_id = {APPLICATION_ID};
"""


class EvidenceError(UserError):
    """Evidence that cannot be kept or read."""


class Worth(IntEnum):
    """How long pictures are kept: those that are worth least go first, the oldest of them before the others."""

    PLAIN = 0
    FLAGGED = 1
    DISPUTED = 2


@dataclass(frozen=True, slots=True)
class Kept:
    """A picture that was kept: its SHA-256 (hex) and its size in bytes."""

    sha256: str
    size: int


class EvidenceStore(Closeable):
    """The pictures of one journal; use it in a `with` block or call `close`.

    A loss of power may take the pictures of the last moments, never damage the file.

    Raises:
        EvidenceError: by every method, if the file cannot be opened, read or written.
    """

    def __init__(self, path: Path, limit_bytes: int = LIMIT_BYTES, *, read_only: bool = False) -> None:
        """Open the pictures at `path`, or begin; with `read_only` the file must exist and is not written to."""
        self.path = path
        self._limit = limit_bytes
        if read_only and not path.is_file():
            raise EvidenceError(f"There are no pictures {path}; they lie beside the journal they belong to.")
        if not read_only:
            make_private(path)
        mode = "ro" if read_only else "rwc"
        with self._explaining():
            self._database = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None
            )
        try:
            with self._explaining():
                self._open(read_only=read_only)
        except EvidenceError:
            self._database.close()
            raise

    def _open(self, *, read_only: bool) -> None:
        used = self._database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if used and self._database.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise EvidenceError(f"{self.path} holds no pictures of Pointsman; name another place for them.")
        if not read_only:
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.executescript(_SCHEMA)
        self._size = int(
            self._database.execute("SELECT coalesce(sum(length(jpeg)), 0) FROM picture").fetchone()[0]
        )

    @property
    def size(self) -> int:
        """Bytes of all pictures."""
        return self._size

    @property
    def count(self) -> int:
        """How many pictures there are."""
        return int(self._database.execute("SELECT count(*) FROM picture").fetchone()[0])

    def keep(self, turn: int, jpegs: Iterable[bytes], worth: Worth = Worth.PLAIN) -> tuple[Kept, ...]:
        """Keep the pictures of the turn with that event number; the least worth go if there is no more room.

        The same picture is kept once, however many turns it belongs to.
        """
        kept: list[Kept] = []
        size = self._size
        with self._explaining(), self._database:
            self._database.execute("BEGIN IMMEDIATE")
            for jpeg in jpegs:
                digest = hashlib.sha256(jpeg).hexdigest()
                added = self._database.execute("INSERT OR IGNORE INTO picture VALUES (?, ?)", (digest, jpeg))
                size += added.rowcount * len(jpeg)
                self._database.execute(
                    "INSERT INTO use (turn, worth, sha256) VALUES (?, ?, ?)", (turn, worth, digest)
                )
                kept.append(Kept(digest, len(jpeg)))
            size -= self._make_room(size - self._limit)
        self._size = size
        return tuple(kept)

    def flagged(self) -> frozenset[int]:
        """The event numbers of the turns and doubts whose pictures are kept longer: flagged or disputed."""
        with self._explaining():
            rows = self._database.execute("SELECT DISTINCT turn FROM use WHERE worth > ?", (Worth.PLAIN,))
            return frozenset(turn for (turn,) in rows)

    def hold(self, turn: int) -> None:
        """Keep the pictures of a turn longest, because it is disputed."""
        with self._explaining():
            self._database.execute("UPDATE use SET worth = ? WHERE turn = ?", (Worth.DISPUTED, turn))

    def picture(self, sha256: str) -> bytes | None:
        """The JPEG of that digest; `None` if it is not kept, or was changed and no longer has that digest."""
        with self._explaining():
            row = self._database.execute("SELECT jpeg FROM picture WHERE sha256 = ?", (sha256,)).fetchone()
        jpeg = bytes(row[0]) if row else None
        return jpeg if jpeg is not None and hashlib.sha256(jpeg).hexdigest() == sha256 else None

    def uses(self) -> tuple[tuple[int, str], ...]:
        """Which pictures are kept for which turn or doubt: the number of its event, and the digest."""
        with self._explaining():
            return tuple(
                self._database.execute("SELECT DISTINCT turn, sha256 FROM use JOIN picture USING (sha256)")
            )

    def find_changed(self) -> tuple[str, ...]:
        """Look at every picture; the digests of those that are no longer what they were."""
        with self._explaining():
            rows = self._database.execute("SELECT sha256, jpeg FROM picture ORDER BY rowid")
            return tuple(name for name, jpeg in rows if hashlib.sha256(jpeg).hexdigest() != name)

    def close(self) -> None:
        """Let go of the file; closing twice does nothing."""
        self._database.close()

    def _make_room(self, wanted: int) -> int:
        """Let the pictures of whole turns go until at least this many bytes are free; how many are."""
        freed = 0
        while freed < wanted:
            row = self._database.execute("SELECT turn FROM use ORDER BY worth, id LIMIT 1").fetchone()
            if row is None:
                break
            digests = self._database.execute("SELECT DISTINCT sha256 FROM use WHERE turn = ?", row).fetchall()
            self._database.execute("DELETE FROM use WHERE turn = ?", row)
            for digest in digests:
                gone = self._database.execute(
                    "DELETE FROM picture WHERE sha256 = ? AND NOT EXISTS "
                    "(SELECT 1 FROM use WHERE use.sha256 = picture.sha256) RETURNING length(jpeg)",
                    digest,
                ).fetchone()
                freed += gone[0] if gone else 0
        return freed

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Turn the errors of SQLite into an `EvidenceError` with a remedy."""
        try:
            yield
        except sqlite3.Error as error:
            raise EvidenceError(
                f"The pictures {self.path} cannot be used ({error}); check the disk, or move the file away."
            ) from error


def evidence_name(journal: Path) -> Path:
    """Where the pictures of a journal lie: beside it. One that was rescued goes on with those of the damaged one."""
    stem = journal.stem
    while stem.endswith(RESCUED):
        stem = stem.removesuffix(RESCUED)
    return journal.with_name(f"{stem}.evidence{journal.suffix}")


@contextmanager
def pictures_beside(journal: Path, named: Path | None = None) -> Iterator[EvidenceStore | None]:
    """The pictures of a journal, to be read: those in the file named, or beside it, or `None` if none lie there.

    Raises:
        EvidenceError: if the file named is not there, or if they cannot be read.
    """
    path = named or evidence_name(journal)
    with EvidenceStore(path, read_only=True) if named or path.is_file() else nullcontext() as store:
        yield store


def hold_pictures(journal: Path, turns: Iterable[int], named: Path | None = None) -> bool:
    """Keep the pictures of disputed turns longest; false where they lie on a card that cannot be written.

    Nothing will be thrown out there anyway. ``named`` is their file, if it does not lie beside the journal.
    """
    path = named or evidence_name(journal)
    if not path.is_file():
        return True
    try:
        with EvidenceStore(path) as store:
            for turn in turns:
                store.hold(turn)
    except EvidenceError:
        return False
    return True
