"""Tables whose cable to the hub is cut, for minutes and at random: nothing is lost, doubled or out of order."""

import json
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.club.writing import rows_in
from tests.hub.cables import HUB, Cables, missing
from tests.hub.hubs import COMMAND, ROOT, HubProcess, rows_of_journal, until

LONG_S = 150.0
CUTS = 8
PATIENCE_S = 90.0
WAYS = ("unplugged", "swallowed")
GROUPS = {1: ("table-1", "table-2"), 2: ("table-3",)}


class Room:
    """A hub that lets others in, and tables that were paired with it, each group at a cable of its own."""

    def __init__(self, folder: Path, cables: Cables, stack: ExitStack) -> None:
        self.folder, self.cables = folder, cables
        with cables.at("hub"):
            self.hub = HubProcess(folder / "hub", "--open", "--club", "thursday")
        stack.callback(self.hub.kill)
        self._director = stack.enter_context(httpx.Client(base_url=self.hub.page))
        self.ask("POST", "/login", data={"pin": "135790"})
        for group, names in GROUPS.items():
            for name in names:
                self._seat(group, name, stack)

    def _seat(self, group: int, name: str, stack: ExitStack) -> None:
        own = self.folder / name
        own.mkdir()
        code = self.ask("POST", "/api/v1/pairings-code").json()["code"]
        port = httpx.URL(self.hub.page).port
        config = own / "pointsman.toml"
        config.touch()
        words = ["pair", f"{HUB}:{port}", code, "--table", name, "--config", str(config)]
        with self.cables.at(f"tables{group}"):
            subprocess.run([sys.executable, "-c", COMMAND, *words], check=True, cwd=ROOT)
            told = stack.enter_context((own / "told").open("w"))
            command = [sys.executable, "-m", "tests.hub.paired_table", str(config), str(own)]
            running = subprocess.Popen(command, stdout=told, cwd=ROOT)
        stack.callback(running.wait)
        stack.callback(running.kill)

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Ask the hub from its own machine."""
        with self.cables.at("hub"):
            answer = self._director.request(method, path, **more)
        assert answer.status_code < 400, answer.text
        return answer

    def seen(self, name: str) -> dict[str, Any]:
        """The table as the hub shows it."""
        tables = self.ask("GET", "/api/v1/tables").json()["tables"]
        return next((table for table in tables if table["name"] == name), {"up": False, "faults": []})

    def told(self, name: str) -> dict[str, Any]:
        """What the table shows of its club."""
        lines = (self.folder / name / "told").read_text().splitlines()
        return dict(json.loads(lines[-1])) if lines else {"state": "", "words": ""}

    def written(self, name: str) -> int:
        return len(rows_in(self.folder / name / "match-1" / "journal.db"))

    def is_well(self, name: str) -> bool:
        return bool(self.told(name)["state"] == "connected" and self.seen(name)["faults"] == [])


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    why = missing()
    if why:
        pytest.skip(why)
    with Cables(len(GROUPS)) as cables, ExitStack() as stack:
        yield Room(tmp_path, cables, stack)


def tell(line: str) -> None:
    """For whoever runs it with ``-s``."""
    sys.stdout.write(f"{line}\n")


def wait(holds: Callable[[], bool]) -> float:
    """Wait until something holds; how long that took, in seconds."""
    began = time.monotonic()
    until(holds, PATIENCE_S)
    return time.monotonic() - began


def every_table_is_well(room: Room) -> bool:
    return all(room.is_well(name) for names in GROUPS.values() for name in names)


def test_cut_cables_lose_nothing_and_the_tables_play_on(room: Room) -> None:
    rng = random.Random(17)
    tell(f"all connected after {wait(lambda: every_table_is_well(room)):.1f} s")
    for way in WAYS:
        before = {name: room.written(name) for names in GROUPS.values() for name in names}
        with room.cables.cut(1, way):
            silent = wait(
                lambda: all(
                    "silent" in {each["fault"] for each in room.seen(name)["faults"]} for name in GROUPS[1]
                )
            )
            noticed = wait(lambda: all(room.told(name)["state"] == "no_broker" for name in GROUPS[1]))
            time.sleep(max(0.0, LONG_S - silent - noticed))
            for name in GROUPS[1]:
                assert "Play goes on." in room.told(name)["words"]
                assert room.written(name) > before[name] + LONG_S
            assert all(room.is_well(name) for name in GROUPS[2])
        again = wait(lambda: every_table_is_well(room))
        tell(f"{way} for {LONG_S:.0f} s: silent after {silent:.1f} s, all well {again:.1f} s after the cut")
    for _ in range(CUTS):
        group, way, seconds = rng.choice([*GROUPS]), rng.choice(WAYS), rng.uniform(0.5, 30.0)
        with room.cables.cut(group, way):
            time.sleep(seconds)
        pause = rng.uniform(0.0, 3.0)
        time.sleep(pause)
        tell(f"tables {group} {way} for {seconds:.1f} s, then {pause:.1f} s of peace")
    for names in GROUPS.values():
        for name in names:
            (room.folder / name / "over").touch()
    tell(f"all well {wait(lambda: every_table_is_well(room)):.1f} s after the last cut")
    for names in GROUPS.values():
        for name in names:
            tell(f"{name}: {compare(room, name)} entries, each there once, in order")
    with sqlite3.connect(room.hub.folder / "hub.db") as database:
        assert database.execute("SELECT count(*) FROM contradiction").fetchone() == (0,)


def compare(room: Room, name: str) -> int:
    """The hub has what the table has written, when it is over; how many entries that is."""
    own = [list(row) for row in rows_in(room.folder / name / "match-1" / "journal.db")]
    store, journal = room.hub.folder / "hub.db", str(own[0][-1])[:16]
    wait(lambda: len(rows_of_journal(store, name, journal)) == len(own))
    assert rows_of_journal(store, name, journal) == own
    return len(own)
