"""The chain over a journal's entries: each holds a digest of the one before, so that a later change shows."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Final

Row = tuple[int, str, str, float | None, str, str, str]
"""An entry as it is stored: id, match, utc, t, kind, payload (JSON text), chain."""

COLUMNS: Final = "id, match, utc, t, kind, payload, chain"


def link(before: str, number: int, match: str, utc: str, t: float | None, kind: str, payload: str) -> str:
    """The chain of an entry: SHA-256 (hex) over the chain of the one before (empty for the first) and itself."""
    entry = json.dumps([before, number, match, utc, t, kind, payload], ensure_ascii=False)
    return hashlib.sha256(entry.encode()).hexdigest()


def unbroken(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows from the first event on, up to the first that was changed, left out or does not belong there."""
    before = ""
    for expected, row in enumerate(rows, start=1):
        if not holds(before, expected, row):
            return
        yield row
        before = row[-1]


def holds(before: str, expected: int, row: Row) -> bool:
    """Whether `row` is entry number `expected` and follows the one whose chain is `before`."""
    number, match, utc, t, kind, payload, chain = row
    return number == expected and chain == link(before, number, match, utc, t, kind, payload)
