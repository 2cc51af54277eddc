"""Whatever is killed, the hub's entries are the tables' own: each once, in order, by number and chain."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.amounts import amount
from tests.hub.hubs import HubProcess, stored_rows, until
from tests.hub.plain_tables import PlainTable, PlainTables

KILLS = amount(2, 3)
TABLES = 4


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[HubProcess]:
    process = HubProcess(tmp_path / "hub")
    yield process
    process.kill()


class Evening:
    """Tables that play until they are told to stop."""

    def __init__(self, tables: list[PlainTable]) -> None:
        self._tables, self._over = tables, threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)

    def __enter__(self) -> "Evening":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _play(self) -> None:
        while not self._over.wait(0.02):
            for table in self._tables:
                table.write()


def kill_and_compare(hub: HubProcess, what: str, kills: int, seed: int) -> int:
    """Kill the broker, or the hub, at random moments while tables play; how many entries were played."""
    rng = Random(seed)
    tables = [PlainTable(f"table-{number}").write(3) for number in range(1, TABLES + 1)]
    with PlainTables(hub.broker_port, tables) as club:
        with Evening(tables):
            for _ in range(kills):
                before = sum(table.confirmed for table in tables)
                until(lambda before=before: sum(table.confirmed for table in tables) > before)  # type: ignore[misc]
                time.sleep(rng.uniform(0.0, 0.4))
                if what == "broker":
                    hub.kill_broker()
                else:
                    hub.kill()
                    hub.start()
        until(club.are_confirmed)
    for table in tables:
        assert stored_rows(hub.folder / "hub.db", table) == table.rows
    return sum(len(table.rows) for table in tables)


@pytest.mark.parametrize("what", ["broker", "hub"])
def test_nothing_is_lost_or_doubled_when_something_is_killed(hub: HubProcess, what: str) -> None:
    assert kill_and_compare(hub, what, KILLS, seed=20) > KILLS * TABLES
