"""The hub: many tables at many times live speed, in processes of their own; ``python -m tests.bench.bench_hub``.

``TABLES``, ``SPEED`` and ``SECONDS`` in the environment change how many, how fast and for how long. At a table 0.15
entries come in a second (readings apart); the generator, the broker and the hub are processes of their own, and their
shares of a processor are told apart.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from tests.hub.hubs import HubProcess, children_of, stored_rows
from tests.hub.plain_tables import PlainTable

LIVE_A_SECOND = 0.15
PROCESSES = 4
TICK = os.sysconf("SC_CLK_TCK")
ROOT = Path(__file__).resolve().parents[2]


def run() -> list[dict[str, Any]]:
    """Rows of the benchmark table."""
    tables, speed = int(os.environ.get("TABLES", "200")), float(os.environ.get("SPEED", "20"))
    return measure(tables, speed * LIVE_A_SECOND, float(os.environ.get("SECONDS", "60")))


def measure(tables: int, rate: float, seconds: float) -> list[dict[str, Any]]:
    """Rows about so many tables that write so many entries a second each."""
    with tempfile.TemporaryDirectory(prefix="pointsman-hub-") as place:
        hub = HubProcess(Path(place) / "hub")
        try:
            return _measure(hub, Path(place), tables, rate, seconds)
        finally:
            hub.end()


def _measure(hub: HubProcess, place: Path, tables: int, rate: float, seconds: float) -> list[dict[str, Any]]:
    broker = next(child for child in children_of(hub.process.pid) if "mosquitto" in _command(child))
    watcher = _Watcher(hub.page)
    each = -(-tables // PROCESSES)
    before = _seconds(hub.process.pid), _seconds(broker)
    began = time.monotonic()
    generators = [
        subprocess.Popen(
            [
                # They yield: where there are too few processors, what they need is not the hub's.
                *("nice", "-n", "10", sys.executable, "-m", "tests.bench.hub_tables", str(hub.broker_port)),
                *(str(first), str(min(each, tables + 1 - first)), str(rate), str(seconds)),
                str(place / f"{first}.json"),
            ],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        for first in range(1, tables + 1, each)
    ]
    for generator in generators:
        generator.wait()
    took = time.monotonic() - began
    shares = [
        (now - then) / took
        for now, then in zip((_seconds(hub.process.pid), _seconds(broker)), before, strict=True)
    ]
    time.sleep(1.0)
    watcher.close()
    written: dict[str, Any] = {}
    for path in place.glob("*.json"):
        written |= json.loads(path.read_text())
    lost = doubled = disordered = 0
    late = []
    for name, said in written.items():
        table = PlainTable(name)
        table.rows = said["rows"]
        stored = stored_rows(hub.folder / "hub.db", table)
        ids = [row[0] for row in stored]
        lost += len({row[-1] for row in table.rows} - {row[-1] for row in stored})
        doubled += len(ids) - len(set(ids))
        disordered += ids != sorted(ids)
        late += watcher.delays(name, said["published"])
    late.sort()
    count = sum(len(said["rows"]) for said in written.values())
    return [
        _row("tables", tables, "", ""),
        _row("entries", count, "", ""),
        _row("entries a second", count / seconds, "1/s", ""),
        _row("lost", lost, "", 0),
        _row("doubled", doubled, "", 0),
        _row("tables with entries out of order", disordered, "", 0),
        _row("entries not seen on the live channel", count - len(late), "", 0),
        _row("from publishing to the live channel, p50", 1000 * _part(late, 0.5), "ms", ""),
        _row("from publishing to the live channel, p95", 1000 * _part(late, 0.95), "ms", 300),
        _row("hub: share of one processor", shares[0], "", ""),
        _row("broker: share of one processor", shares[1], "", ""),
        _row("hub: memory", _megabytes(hub.process.pid), "MB", ""),
        _row("broker: memory", _megabytes(broker), "MB", ""),
        _row("load of the machine", os.getloadavg()[0], "", ""),
    ]


class _Watcher:
    """A page that follows the hall, and when it saw each table's entries."""

    def __init__(self, page: str) -> None:
        self._seen: dict[str, list[tuple[float, int]]] = {}
        self._channel = connect(f"ws{page[4:]}api/v1/hall", compression=None, max_size=None)
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        for text in self._channel:
            now, message = time.monotonic(), json.loads(text)
            for table in message.get("tables", ()):
                if "stored" in table.get("set", ()):
                    self._seen.setdefault(table["name"], []).append((now, table["set"]["stored"]))

    def delays(self, table: str, published: list[float]) -> list[float]:
        """Seconds from the moment at which an entry was sent to the one at which it was seen."""
        found = []
        seen = iter(self._seen.get(table, ()))
        at, upto = next(seen, (0.0, 0))
        for number, sent in enumerate(published, start=1):
            while upto < number:
                following = next(seen, None)
                if following is None:
                    return found
                at, upto = following
            found.append(at - sent)
        return found

    def close(self) -> None:
        self._channel.close()
        self._thread.join()


def _row(name: str, value: float, unit: str, target: float | str) -> dict[str, Any]:
    return {"name": f"hub: {name}", "value": round(value, 3), "unit": unit, "target": target}


def _part(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def _command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text()


def _seconds(pid: int) -> float:
    """How long a process has worked."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def _megabytes(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    for row in run():
        print(f"{row['name']:50} {row['value']:>12} {row['unit']:4} {row['target']}")
