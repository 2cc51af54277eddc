"""A table that writes entries when a test says so, and remembers what its client told it."""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from controller.club.client import TableClient
from controller.club.commands import CommandFault
from controller.club.membership import Membership
from controller.club.messages import TableCommand, TableReply
from controller.club.status import ClubState, ClubStatus
from controller.club.tasks import end_tasks
from controller.club.topics import TableAddress
from controller.club.transport import BrokerAddress
from controller.record.journal.journal import Draft, Journal, Row

UTC = "2026-11-23T12:00:00.000+00:00"
PATIENCE_S = 120.0
QUICK = 8.0
"""So many times as fast runs the clock by which a client in a test waits."""


class WritingTable:
    """See `ClubTable`; a journal for each match, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path: Path | None = None
        self.states: list[bytes] = []
        self.done: list[TableCommand] = []
        self.refused: list[CommandFault] = []
        self.noted: list[float] = []
        self.shown: list[ClubStatus] = []
        self._number = 0
        self._wake: Callable[[], None] = lambda: None

    def begin(self, entries: int = 0) -> Path:
        """Another match."""
        self._number += 1
        place = self.folder / f"match-{self._number}"
        place.mkdir(parents=True)
        self.path = place / "journal.db"
        self.write(1 + entries)
        return self.path

    def write(self, entries: int, size: int = 40) -> None:
        assert self.path is not None
        with Journal(self.path) as journal:
            number = journal.head()[0]
            filling = 'é"' * (size // 2)
            texts = (f"{self.folder.name} {number + each} {filling}" for each in range(entries))
            # The time makes each journal, and each fork of one, another.
            journal.append_all(
                Draft("1", "turn", {"text": text, "at": time.time_ns()}, UTC, 0.5) for text in texts
            )
        self._wake()

    def follow(self, client: TableClient) -> None:
        self._wake = client.wake

    def journal(self) -> Path | None:
        return self.path

    def state(self) -> bytes | None:
        return self.states.pop() if self.states else None

    def carry_out(self, command: TableCommand) -> "Future[TableReply]":
        self.done.append(command)
        future = Future[TableReply]()
        future.set_result(TableReply(command.id, done=True, event=1))
        return future

    def refuse(self, _: TableCommand, fault: CommandFault) -> str:
        self.refused.append(fault)
        return str(fault)

    def note_time(self, ahead_s: float) -> None:
        self.noted.append(ahead_s)

    def on_status(self, status: ClubStatus) -> None:
        self.shown.append(status)

    @property
    def told(self) -> set[ClubState]:
        """Every state that was shown so far."""
        return {status.state for status in self.shown}


class Joined:
    """A table with its client, connected while the block is not left."""

    def __init__(
        self,
        table: WritingTable,
        port: int,
        name: str = "table-1",
        *,
        password: str = "",
        hub_key: str = "",
        authority: Path | None = None,
    ) -> None:
        self.table = table
        broker = BrokerAddress("127.0.0.1", port, name if password else "", password, authority)
        member = Membership(TableAddress("club", name), broker, hub_key, title="Table 1")
        self.client = TableClient(
            member,
            table,
            table.folder,
            version="0",
            clock=lambda: time.monotonic() * QUICK,
            rng=random.Random(1),
        )
        table.follow(self.client)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self.client.run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None
        await end_tasks([self._task])

    async def until_state(self, state: ClubState) -> ClubStatus:
        await until(lambda: self.client.status.state is state)
        return self.client.status


async def until(what: Callable[[], bool]) -> None:
    """Wait for something to come true."""
    end = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


def rows_in(path: Path) -> list[Row]:
    with Journal(path, read_only=True) as journal:
        return list(journal.rows())


def scenario(story: Callable[[], Awaitable[None]]) -> None:
    """Run a story that is told in asyncio."""
    asyncio.run(_tell(story))


async def _tell(story: Callable[[], Awaitable[None]]) -> None:
    await story()


@contextlib.asynccontextmanager
async def at_work(*works: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Hubs and others that run until the block is left."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
    finally:
        await end_tasks(tasks)
