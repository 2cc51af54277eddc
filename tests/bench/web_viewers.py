"""Browsers of a hall, from a process of their own: viewers that follow, some that stall, some that come and go."""

import asyncio
import json
import socket
import sys
import time
from typing import Any

from websockets.asyncio.client import connect

STORM = 20
"""So many pages come, take a snapshot and leave, without end."""


async def follow(port: int, late: list[float], up: asyncio.Event, left: list[int]) -> None:
    """Follow the table; of each sentence that says when it was said, note how long it took, in ms."""
    async with connect(f"ws://127.0.0.1:{port}/api/v1/live", proxy=None, compression=None) as live:
        await live.recv()
        left[0] -= 1
        if not left[0]:
            up.set()
        async for text in live:
            message: dict[str, Any] = json.loads(text)
            if message["kind"] == "words" and message["text"].startswith("said "):
                late.append((time.monotonic() - float(message["text"].split()[1])) * 1000)


async def come_and_go(port: int, come: list[int]) -> None:
    """Open the page and leave again, without end."""
    while True:
        async with connect(f"ws://127.0.0.1:{port}/api/v1/live", proxy=None, compression=None) as live:
            await live.recv()
        come[0] += 1
        await asyncio.sleep(0.5)


def stall(port: int) -> socket.socket:
    """Follow the table and never read."""
    silent = socket.create_connection(("127.0.0.1", port))
    lines = (
        "GET /api/v1/live HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
    )
    silent.sendall("\r\n".join((*lines, "", "")).encode())
    return silent


async def watch(port: int, viewers: int, stalled: int) -> None:
    """Be a hall until a line comes in; then say what was seen."""
    late: list[float] = []
    up, come = asyncio.Event(), [0]
    silent = [stall(port) for _ in range(stalled)]
    left = [viewers]
    tasks = [asyncio.create_task(follow(port, late, up, left)) for _ in range(viewers)]
    await up.wait()
    tasks += [asyncio.create_task(come_and_go(port, come)) for _ in range(STORM)]
    print("up", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for each in silent:
        each.close()
    print(json.dumps({"late_ms": late, "come": come[0]}), flush=True)


if __name__ == "__main__":
    asyncio.run(watch(*map(int, sys.argv[1:4])))
