"""What an engine has answered before: kept on the disk, so that an analysis that was stopped goes on where it was."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

import platformdirs

MOST: Final = 200_000
"""Answers that are kept, of some 600 bytes each; the oldest go first."""
NAME: Final = "analysis.db"


def answer_key(*parts: object) -> str:
    """The key of an answer: of everything that it depends on."""
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()


def answers_path() -> Path:
    """Where the answers of this user are kept."""
    return platformdirs.user_cache_path("pointsman") / NAME


class Answers:
    """Answers of engines by their keys. An answer is there whole or not at all.

    Where the file cannot be used the answers live as long as this object; it is a cache, and nothing depends on it.

    Attributes:
        kept: whether they are on the disk.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open the file at `path`, or nothing but memory."""
        self.kept = path is not None
        try:
            self._table = _open(path)
        except (sqlite3.Error, OSError):
            self.kept = False
            self._table = _open(None)

    def __enter__(self) -> Self:
        """The answers themselves."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        with suppress(sqlite3.Error):
            self._table.close()

    def find(self, keys: Iterable[str]) -> dict[str, Any]:
        """Those of the answers that are known."""
        found: dict[str, Any] = {}
        for key in keys:
            with suppress(sqlite3.Error, ValueError):
                row = self._table.execute("SELECT said FROM answers WHERE key = ?", (key,)).fetchone()
                if row is not None:
                    found[key] = json.loads(row[0])
        return found

    def keep(self, said: Mapping[str, Any]) -> None:
        """Keep answers by their keys; from now on they survive an interruption."""
        rows = [(key, json.dumps(each)) for key, each in said.items()]
        try:
            with self._table:
                self._table.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", rows)
        except sqlite3.Error:
            self.kept = False


def _open(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    table = sqlite3.connect(":memory:" if path is None else path, timeout=10)
    try:
        with table:
            table.execute("CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, said TEXT NOT NULL)")
            table.execute(
                "DELETE FROM answers WHERE rowid <= (SELECT coalesce(max(rowid), 0) - ? FROM answers)",
                (MOST,),
            )
    except sqlite3.Error:
        table.close()
        raise
    return table
