"""A process that writes a journal as fast as it can until it is killed."""

from multiprocessing.connection import Connection
from pathlib import Path

from controller.record.journal.journal import Journal

UTC = "2026-11-21T12:00:00Z"


def write_until_killed(path: Path, told: Connection) -> None:
    """Append event after event, and tell number and chain of each one only when it was acknowledged."""
    with Journal(path) as journal:
        while True:
            number = journal.head()[0]
            event = journal.append("m", "turn", {"ply": number, "pad": "x" * (number * 37 % 3000)}, utc=UTC)
            told.send_bytes(f"{event.id} {event.chain}".encode())
