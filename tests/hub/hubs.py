"""Hubs to be tried: in this process, or as a process that can be killed."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from controller.hub.hub import Hub, HubSettings
from tests.hub.plain_tables import PlainTable, Row
from tests.ports import free_port

PATIENCE_S = 120.0
ROOT = Path(__file__).resolve().parents[2]
COMMAND = "import sys; from controller.cli import main; sys.exit(main())"


def until(holds: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Wait until something holds."""
    end = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.03)


@contextmanager
def running_hub(folder: Path, said: list[str] | None = None, store: str = "") -> Iterator[Hub]:
    """A hub in this process, at any free ports."""
    words: list[str] = [] if said is None else said
    folder.mkdir(exist_ok=True)
    (folder / "hub.json").write_text(f'{{"broker_port": {free_port()}}}')
    with Hub(HubSettings(folder, port=0, store=store), words.append) as hub:
        yield hub


class HubProcess:
    """`pointsman hub` as people start it.

    Attributes:
        page: the address of its pages.
        broker_port: where its broker is.
    """

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self._options = folder, options
        folder.mkdir(parents=True, exist_ok=True)
        self.broker_port = free_port()
        (folder / "hub.json").write_text(f'{{"broker_port": {self.broker_port}}}')
        self.start()

    def start(self) -> None:
        """Start it, again if need be; returns when its pages have their address."""
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", COMMAND, "hub", "--port", "0", "--folder", str(self.folder)]
        with (self.folder / "said").open("a") as said:
            self.process = subprocess.Popen(
                [*command, *self._options], stdout=subprocess.PIPE, stderr=said, text=True, env=environment
            )
        assert self.process.stdout is not None
        self.page = self.process.stdout.readline().strip()

    def kill(self) -> None:
        """End it as a power cut does."""
        self.process.kill()
        self.process.communicate()

    def kill_broker(self) -> None:
        """End its broker the same way, if one runs just now."""
        for child in children_of(self.process.pid):
            if b"mosquitto" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(child, signal.SIGKILL)

    def end(self) -> int:
        """End it as people do; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode


def children_of(pid: int) -> list[int]:
    """The processes that one has started."""
    found = []
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(child) for child in tasks.read_text().split()]
    return found


def stored_rows(store: Path, table: PlainTable) -> list[Row]:
    """The entries of a table's journal in a store, in the order in which they were stored."""
    return rows_of_journal(store, table.name, table.journal)


def rows_of_journal(store: Path, table: str, journal: str) -> list[Row]:
    """The same for any journal of any table."""
    with closing(sqlite3.connect(store)) as database:
        return [
            list(row)
            for row in database.execute(
                "SELECT id, match, utc, t, kind, payload, chain FROM entry WHERE table_name = ? AND journal = ? "
                "ORDER BY number",
                (table, journal),
            )
        ]
