"""The broker, the hub and a table killed twenty times each, while tables play."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tests.club.writing import Joined, WritingTable, rows_in
from tests.hub.hubs import HubProcess, rows_of_journal, until
from tests.hub.test_kills import kill_and_compare

KILLS = 20


@pytest.mark.parametrize("what", ["broker", "hub"])
def test_nothing_is_lost_or_doubled_by_twenty_kills(tmp_path: Path, what: str) -> None:
    hub = HubProcess(tmp_path / "hub")
    try:
        assert kill_and_compare(hub, what, KILLS, seed=41) > KILLS
    finally:
        hub.kill()


def test_a_table_that_is_killed_twenty_times_has_everything_at_the_hub(tmp_path: Path) -> None:
    """The table is the product's own client, in a process of its own."""
    rng = Random(42)
    hub, table = HubProcess(tmp_path / "hub"), WritingTable(tmp_path / "table-1")
    path = table.begin()
    store, name = hub.folder / "hub.db", rows_in(path)[0][-1][:16]
    command = [sys.executable, "-m", "tests.club.table_process", str(hub.broker_port), str(table.folder)]
    try:
        for _ in range(KILLS):
            before = len(rows_of_journal(store, "table-1", name))
            process = subprocess.Popen(command)
            until(lambda before=before: len(rows_of_journal(store, "table-1", name)) > before)  # type: ignore[misc]
            time.sleep(rng.uniform(0.0, 0.5))
            process.kill()
            process.wait()
        written = [list(row) for row in rows_in(path)]
        asyncio.run(_send_the_rest(table, hub.broker_port))
        assert rows_of_journal(store, "table-1", name) == written
        assert len(written) > KILLS
    finally:
        hub.kill()


async def _send_the_rest(table: WritingTable, port: int) -> None:
    async with Joined(table, port) as joined:
        end = time.monotonic() + 60
        while not joined.client.status.ready or joined.client.outbox.waiting:
            assert time.monotonic() < end, "the hub does not confirm what is left"
            await asyncio.sleep(0.05)
