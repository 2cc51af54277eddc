"""The head of a journal, kept in a file beside it: so a journal whose end was cut off is known for what it is."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from controller.json_object import parse_object
from controller.whole_file import replace_file


@dataclass(frozen=True, slots=True)
class Head:
    """How far a journal had come when this was written.

    Attributes:
        number: that of its last event.
        chain: the chain of that event.
        first: the chain of its first event: no two journals share it.
    """

    number: int
    chain: str
    first: str


def head_name(journal: Path) -> Path:
    """Where the head of a journal lies: beside it."""
    return journal.with_name(f"{journal.stem}.head")


def read_head(journal: Path) -> Head | None:
    """The head that was written beside a journal; None if there is none, or the file itself is damaged."""
    try:
        written = parse_object(head_name(journal).read_bytes())
        head = Head(int(written["number"]), str(written["chain"]), str(written["first"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return head if written.get("sum") == _sum(head) else None


def write_head(journal: Path, head: Head) -> None:
    """Put a head in the place of the one that is there, whole or not at all.

    Raises:
        OSError: if the disk refuses it; then the older one is still there.
    """
    values = {"number": head.number, "chain": head.chain, "first": head.first, "sum": _sum(head)}
    replace_file(head_name(journal), f"{json.dumps(values)}\n".encode())


def _sum(head: Head) -> str:
    """A check on the file itself, so that a damaged head is not taken for a damaged journal."""
    return hashlib.sha256(f"{head.number} {head.chain} {head.first}".encode()).hexdigest()[:16]
