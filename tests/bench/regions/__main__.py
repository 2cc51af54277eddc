"""Journals of many regions on their way to one federation: ``python -m tests.bench.regions``.

Sixteen processes replay ten thousand journals into three servers of NATS on loopback; one server is killed each
minute and started again; a federation's hub stores what comes. ``--help`` lists the numbers that can be changed.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from array import array
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

from tests.hub.hubs import HubProcess, until
from tests.hub.uplink.nodes import NatsNode, account, address_of, running_cluster

ROOT = Path(__file__).resolve().parents[3]
TICK = os.sysconf("SC_CLK_TCK")
LOOK_S = 0.25
AWAY_S = 10.0
"""A server that was killed is started again after so long."""


@dataclass
class Share:
    """What one program has used, over all its starts.

    Attributes:
        seconds: of processors.
        megabytes: of memory at most.
    """

    seconds: float = 0.0
    megabytes: float = 0.0


class UsageWatch:
    """Looks again and again how much some programs use."""

    def __init__(self) -> None:
        self.shares: dict[str, Share] = {}
        self._seen: dict[int, tuple[str, float]] = {}
        self._turn = threading.Lock()

    def look(self, programs: dict[str, int]) -> None:
        """Programs by name, and their processes now."""
        for name, pid in programs.items():
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
                pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            except OSError:
                continue
            seconds = (int(fields[11]) + int(fields[12])) / TICK
            with self._turn:
                share = self.shares.setdefault(name, Share())
                before = self._seen.get(pid, (name, None))[1]
                share.seconds += 0.0 if before is None else seconds - before
                share.megabytes = max(share.megabytes, pages * os.sysconf("SC_PAGE_SIZE") / 1e6)
                self._seen[pid] = name, seconds


def killed(nodes: Sequence[NatsNode], every_s: float, watch: "threading.Event", said: list[str]) -> None:
    """Kill one server after the other, each so long after the last, and start it again."""
    began, number = time.monotonic(), 0
    while not watch.wait(every_s - AWAY_S if number else every_s):
        node = nodes[number % len(nodes)]
        node.kill()
        said.append(f"{time.monotonic() - began:.0f} s: server {number % len(nodes) + 1} killed")
        print(said[-1], file=sys.stderr, flush=True)
        number += 1
        watch.wait(AWAY_S)
        node.start()


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Rows about one run."""
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pointsman-regions-")))
        nodes = stack.enter_context(running_cluster(place / "nats", options.servers))
        nats = address_of(nodes)
        store = options.store or str(place / "far.db")
        hub = HubProcess(place / "hub", "--regions", nats, "--store", store)
        stack.callback(hub.kill)
        each = -(-options.journals // options.processes)
        regions = [
            subprocess.Popen(
                [
                    *(
                        "nice",
                        "-n",
                        str(options.nice),
                        sys.executable,
                        "-m",
                        "tests.bench.regions.replay",
                        nats,
                    ),
                    *(
                        f"region-{number}",
                        str(min(each, options.journals - number * each)),
                        str(options.rate),
                    ),
                    *(str(options.seconds), str(number), str(place / f"{number}.json")),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=os.environ
                | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])},
            )
            for number in range(-(-options.journals // each))
        ]
        for region in regions:
            assert region.stdout is not None
            assert region.stdin is not None
            region.stdout.readline()
        until(lambda: (there := account(nodes[0])) is not None and there.streams)
        for region in regions:
            assert region.stdin is not None
            region.stdin.write("\n")
            region.stdin.flush()
        began, watch, said = time.monotonic(), UsageWatch(), list[str]()
        stop = threading.Event()
        killing = threading.Thread(target=killed, args=(nodes, options.kill_every, stop, said))
        if options.kill_every:
            killing.start()
        while any(region.poll() is None for region in regions):
            watch.look(
                {"hub": hub.process.pid}
                | {f"server {number}": node.process.pid for number, node in enumerate(nodes, start=1)}
                | {f"region {number}": region.pid for number, region in enumerate(regions, start=1)}
            )
            if time.monotonic() > began + options.seconds:
                stop.set()
            time.sleep(LOOK_S)
        took = time.monotonic() - began
        stop.set()
        if options.kill_every:
            killing.join()
        written = [json.loads((place / f"{number}.json").read_text()) for number in range(len(regions))]
        rows = compared(store, written)
        rows[:0] = [
            row("journals", options.journals, ""),
            row("processes", len(regions), ""),
            row("servers killed", len(said), ""),
            row("seconds of play", options.seconds, "s"),
        ]
        rows += [
            row("from the last entry to all confirmed", max(each["after_s"] for each in written), "s"),
            *usage(watch, took),
            row("load of the machine", os.getloadavg()[0], ""),
        ]
        return rows


def compared(store: str, written: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What was written against what the federation has."""
    late = array("d")
    lost = doubled = disordered = other = entries = size = 0
    url = store if "://" in store else f"sqlite:///{store}"
    engine = create_engine(url)
    first, last = float("inf"), 0.0
    with engine.connect() as connection:
        for region in written:
            for table, journal, chain, times in region["journals"]:
                entries += len(times)
                found = connection.execute(
                    text(
                        "SELECT id, chain, stored_ms, length(payload) FROM entry WHERE table_name = :table AND "
                        "journal = :journal ORDER BY number"
                    ),
                    {"table": f"{region['club']}.{table}", "journal": journal},
                ).all()
                ids = [id_ for id_, *_ in found]
                lost += len(times) - len(set(ids))
                doubled += len(ids) - len(set(ids))
                disordered += ids != sorted(ids)
                other += bool(found) and len(ids) == len(times) and found[-1][1] != chain
                for id_, _, stored, length in found:
                    late.append(stored - times[id_ - 1])
                    size += length
                first = min(first, times[0])
                last = max(last, times[-1])
    engine.dispose()
    ordered = sorted(late)
    return [
        row("entries", entries, ""),
        row("entries a second", 1000 * entries / (last - first), "1/s"),
        row("bytes of an entry's payload", size / max(1, len(ordered)), "B"),
        row("lost", lost, "", 0),
        row("doubled", doubled, "", 0),
        row("journals with entries out of order", disordered, "", 0),
        row("journals whose last chain differs", other, "", 0),
        row("from written to stored, p50", part(ordered, 0.5), "ms"),
        row("from written to stored, p95", part(ordered, 0.95), "ms"),
        row("from written to stored, p99", part(ordered, 0.99), "ms"),
        row("from written to stored, longest", part(ordered, 1.0), "ms"),
    ]


def usage(watch: UsageWatch, took: float) -> list[dict[str, Any]]:
    """The shares of the programs."""
    rows = []
    for name in ("hub", "server 1", "server 2", "server 3"):
        if name in watch.shares:
            share = watch.shares[name]
            rows.append(row(f"{name}: share of one processor", share.seconds / took, ""))
            rows.append(row(f"{name}: memory at most", share.megabytes, "MB"))
    regions = [share for name, share in watch.shares.items() if name.startswith("region")]
    rows.append(row("all regions: share of one processor", sum(each.seconds for each in regions) / took, ""))
    rows.append(row("a region: memory at most", max(each.megabytes for each in regions), "MB"))
    return rows


def row(name: str, value: float, unit: str, target: float | str = "") -> dict[str, Any]:
    """A row of the table."""
    return {"name": f"regions: {name}", "value": round(value, 3), "unit": unit, "target": target}


def part(ordered: Sequence[float], share: float) -> float:
    """A percentile."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.regions", description=__doc__)
    parser.add_argument("--journals", type=int, default=10_000, help="journals (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=16, help="regions (default: %(default)s)")
    parser.add_argument(
        "--rate", type=float, default=0.15, help="entries a second of each journal (default: %(default)s)"
    )
    parser.add_argument("--seconds", type=float, default=300, help="of play (default: %(default)s)")
    parser.add_argument(
        "--kill-every", type=float, default=60, help="seconds; 0: no kills (default: %(default)s)"
    )
    parser.add_argument("--servers", type=int, default=3, help="of NATS (default: %(default)s)")
    parser.add_argument("--store", default="", help="of the federation: a URL (default: SQLite)")
    parser.add_argument(
        "--nice", type=int, default=10, help="how much the regions yield (default: %(default)s)"
    )
    for each in measure(parser.parse_args()):
        print(f"{each['name']:60} {each['value']:>12} {each['unit']:4} {each['target']}")


if __name__ == "__main__":
    main()
