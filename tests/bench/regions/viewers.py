"""How many viewers one hub, and one server of NATS, serve: ``python -m tests.bench.regions.viewers``.

First a hub whose tables play, with no viewers and then with many on its live channel; then a server of NATS, which
gives every viewer each message of one table. What a viewer costs is the difference, by bytes and by processor.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from tests.bench.hub_tables import state
from tests.bench.regions.__main__ import ROOT, TICK, row
from tests.hub.hubs import HubProcess
from tests.hub.uplink.nodes import running_node

LIVE_A_SECOND = 0.15
STATES_A_SECOND = 2.0
WARM_S = 5.0


def processor_s(pid: int) -> float:
    """How long a process has worked."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def memory_mb(pid: int) -> float:
    """How much memory a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


async def follow(address: str, got: list[int]) -> None:
    """One viewer of a hub."""
    async with connect(address, proxy=None, compression=None, max_size=None) as live:
        first = True
        async for text in live:
            got[2 if first else 0] += len(text)
            got[1] += 0 if first else 1
            first = False


async def listen(port: int, got: list[int]) -> None:
    """One viewer behind NATS."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b'CONNECT {"verbose":false}\r\nSUB state 1\r\nPING\r\n')
    while data := await reader.read(65_536):
        if b"PING\r\n" in data:
            writer.write(b"PONG\r\n")
        got[0] += len(data)
        got[1] += data.count(b"MSG state")


async def crowd(kind: str, address: str, count: int, seconds: float) -> None:
    """So many viewers for so long; the bytes and messages that they got are printed."""
    got = [0, 0, 0]
    work = follow if kind == "hub" else listen
    tasks = []
    for number in range(count):
        tasks.append(asyncio.create_task(work(address if kind == "hub" else int(address), got)))  # type: ignore[arg-type,operator]
        if number % 20 == 19:
            await asyncio.sleep(0.02)
    await asyncio.sleep(WARM_S)
    got[:2] = 0, 0
    print("up", flush=True)
    await asyncio.sleep(seconds)
    print(json.dumps([*got, sum(not task.done() for task in tasks)]), flush=True)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class Crowd:
    """Viewers in a process of their own."""

    def __init__(self, kind: str, address: str, count: int, seconds: float) -> None:
        command = [sys.executable, "-m", "tests.bench.regions.viewers", "--crowd", kind, address]
        self._process = subprocess.Popen(
            [*command, "--viewers", str(count), "--seconds", str(seconds)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )

    def line(self) -> str:
        """What it says next."""
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def end(self) -> None:
        """Wait until it has left."""
        self._process.wait()


def of_hub(tables: int, viewers: int, seconds: float) -> list[dict[str, Any]]:
    """Rows about the viewers of a hub."""
    with tempfile.TemporaryDirectory(prefix="pointsman-viewers-") as place:
        hub = HubProcess(Path(place) / "hub")
        player = subprocess.Popen(
            [
                *("nice", "-n", "10", sys.executable, "-m", "tests.bench.hub_tables", str(hub.broker_port)),
                *("1", str(tables), str(LIVE_A_SECOND), str(3 * seconds + 60), str(Path(place) / "out")),
            ],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        try:
            time.sleep(2 * WARM_S)
            before, began = processor_s(hub.process.pid), time.monotonic()
            time.sleep(seconds)
            alone = (processor_s(hub.process.pid) - before) / (time.monotonic() - began)
            memory = memory_mb(hub.process.pid)
            watching = Crowd("hub", f"ws{hub.page[4:]}api/v1/hall", viewers, seconds)
            watching.line()
            before, began = processor_s(hub.process.pid), time.monotonic()
            size, count, first, still = json.loads(watching.line())
            took = time.monotonic() - began
            share = (processor_s(hub.process.pid) - before) / took
            more = memory_mb(hub.process.pid) - memory
            watching.end()
        finally:
            player.kill()
            hub.end()
    what = f"hub with {tables} tables"
    return [
        row(f"{what}: viewers to the end", still, "", viewers),
        row(f"{what}: share of one processor without viewers", alone, ""),
        row(f"{what}: share of one processor with them", share, ""),
        row(f"{what}: processor for a viewer", 1000 * (share - alone) / max(1, still), "ms/s"),
        row(f"{what}: first message", first / max(1, still) / 1000, "kB"),
        row(f"{what}: to a viewer", size / took / max(1, still) / 1000, "kB/s"),
        row(f"{what}: messages to a viewer", count / took / max(1, still), "1/s"),
        row(f"{what}: memory for a viewer", more / max(1, still) * 1000, "kB"),
    ]


def of_nats(viewers: int, seconds: float) -> list[dict[str, Any]]:
    """Rows about viewers who all follow one table through one server of NATS."""
    screen = json.dumps(state(1)["screen"]).encode()
    with (
        tempfile.TemporaryDirectory(prefix="pointsman-viewers-") as place,
        running_node(Path(place) / "nats", "max_connections: 100000") as node,
    ):
        memory = memory_mb(node.process.pid)
        watching = Crowd("nats", str(node.port), viewers, seconds)
        watching.line()

        async def publish() -> tuple[float, float, list[int]]:
            from nats.aio.client import Client

            client = Client()
            await client.connect([f"nats://127.0.0.1:{node.port}"])
            before, began = processor_s(node.process.pid), time.monotonic()
            hearing = asyncio.get_running_loop().run_in_executor(None, watching.line)
            while not hearing.done():
                await client.publish("state", screen)
                await client.flush()
                await asyncio.sleep(1 / STATES_A_SECOND)
            took = time.monotonic() - began
            used = processor_s(node.process.pid) - before
            await client.close()
            return took, used, json.loads(hearing.result())

        took, used, (size, count, _, still) = asyncio.run(publish())
        more = memory_mb(node.process.pid) - memory
        watching.end()
    return [
        row("NATS with one table: viewers to the end", still, "", viewers),
        row("NATS with one table: bytes of a state", len(screen), "B"),
        row("NATS with one table: share of one processor", used / took, ""),
        row("NATS with one table: processor for a viewer", 1000 * used / took / max(1, still), "ms/s"),
        row("NATS with one table: to a viewer", size / took / max(1, still) / 1000, "kB/s"),
        row("NATS with one table: messages to a viewer", count / took / max(1, still), "1/s"),
        row("NATS with one table: memory for a viewer", more / max(1, still) * 1000, "kB"),
    ]


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.regions.viewers", description=__doc__)
    parser.add_argument("--tables", type=int, default=20, help="tables of the hub (default: %(default)s)")
    parser.add_argument("--viewers", type=int, default=400, help="of the hub (default: %(default)s)")
    parser.add_argument("--listeners", type=int, default=2000, help="behind NATS (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=20, help="of each part (default: %(default)s)")
    parser.add_argument("--crowd", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.crowd:
        asyncio.run(crowd(*options.crowd, options.viewers, options.seconds))
        return
    rows = of_hub(options.tables, options.viewers, options.seconds)
    for each in [*rows, *of_nats(options.listeners, options.seconds)]:
        print(f"{each['name']:70} {each['value']:>12} {each['unit']:4} {each['target']}")


if __name__ == "__main__":
    main()
