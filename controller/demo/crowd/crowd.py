"""A hall of simulated tables, some in each process, all at one hub."""

import asyncio
import contextlib
import multiprocessing
import random
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from controller import __version__
from controller.club.membership import Membership
from controller.club.topics import TableAddress
from controller.club.transport import BrokerAddress
from controller.demo.crowd.recording import recordings
from controller.demo.crowd.replayed_table import ReplayedTable, Tally, play_together

PER_PROCESS: Final = 50
SETTLE_S: Final = 15.0
"""How long the hub is given to confirm the last entries."""
ENDING_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class CrowdPlan:
    """Who plays where, and how fast.

    Attributes:
        tables: how many.
        club: the name of their club.
        broker: where the hub is; a login there is used as it is.
        speed: how many times as fast as people they play.
        seed: matches and players follow from it.
        matches: the folder in which each table has a folder for its matches.
        hub_key: the hub's public key; empty where the tables take no commands.
        waits: whether the tables wait for the hub to say who plays.
    """

    tables: int
    club: str
    broker: BrokerAddress
    speed: float
    seed: int
    matches: Path
    hub_key: str = ""
    waits: bool = False

    def table(self, number: int) -> ReplayedTable:
        """The table of that number, from 1."""
        name = f"table-{number}"
        member = Membership(TableAddress(self.club, name), self.broker, self.hub_key, f"Table {number}")
        rng = random.Random(f"{self.seed} {number}")
        return ReplayedTable(
            member, self.matches / name, recordings(), rng, self.speed, __version__, waits=self.waits
        )


class Crowd:
    """Everybody in a hall, while the block is not left; a process for each fifty tables."""

    def __init__(self, plan: CrowdPlan) -> None:
        """Nobody has come yet."""
        self._plan = plan
        self._tallies: dict[int, Tally] = {}
        self._ways: list[Connection] = []
        self._processes: list[multiprocessing.process.BaseProcess] = []

    def start(self) -> None:
        """Have them all sit down."""
        context = multiprocessing.get_context("spawn")
        for first in range(1, self._plan.tables + 1, PER_PROCESS):
            here, there = context.Pipe()
            numbers = range(first, min(first + PER_PROCESS, self._plan.tables + 1))
            process = context.Process(target=_work, args=(self._plan, numbers, there), daemon=True)
            process.start()
            there.close()
            self._ways.append(here)
            self._processes.append(process)

    @property
    def tally(self) -> Tally:
        """What all have come to."""
        for number, way in enumerate(self._ways):
            try:
                while way.poll():
                    self._tallies[number] = way.recv()
            except (EOFError, OSError):
                continue
        whole = Tally()
        for each in self._tallies.values():
            whole += each
        return whole

    @property
    def alive(self) -> bool:
        """Whether all processes are at work."""
        return all(process.is_alive() for process in self._processes)

    def stop(self, look: Callable[[], None] = lambda: None) -> Tally:
        """Have everybody stop; what they wrote is waited for. What they have come to."""
        for way in self._ways:
            try:
                way.send("stop")
            except OSError:
                continue
        until = time.monotonic() + SETTLE_S + ENDING_S
        while any(process.is_alive() for process in self._processes) and time.monotonic() < until:
            look()
            _ = self.tally
            time.sleep(0.1)
        for process in self._processes:
            process.terminate()
            process.join()
        return self.tally


def _work(plan: CrowdPlan, numbers: range, way: Connection) -> None:
    """Some of the tables, in a process of their own, until the other end says stop or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started this
    asyncio.run(_play(plan, numbers, way))


async def _play(plan: CrowdPlan, numbers: range, way: Connection) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()

    def wait() -> None:
        with contextlib.suppress(EOFError, OSError):
            way.recv()
        loop.call_soon_threadsafe(stop.set)

    def tell(tally: Tally) -> None:
        try:
            way.send(replace(tally))
        except OSError:
            stop.set()

    threading.Thread(target=wait, daemon=True).start()
    await play_together([plan.table(number) for number in numbers], stop, tell, SETTLE_S)
