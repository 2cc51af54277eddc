"""How long after the start of the demo an illegal play stands on the page with its reason, and a visitor may act."""

import gzip
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

Row = dict[str, Any]
ILLEGAL_S, ACT_S = 20.0, 40.0
WEIGHT_KB = 60.0
GIVEN_UP_S = 120.0
STATIC = re.compile(r'(?:src|href)="(/static/[^"]+)"|from "\./([a-z-]+\.js)"')


def run() -> list[Row]:
    """One start of `pointsman demo --tour`, and the files that its page loads."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "controller", "demo", "--tour", "--port", "0", "--out", folder]
        began = time.monotonic()
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=Path(__file__).parents[2],
        ) as running:
            try:
                assert running.stdout is not None
                address = running.stdout.readline().strip()
                with httpx.Client(base_url=address, trust_env=False) as client:
                    illegal_s, act_s = _wait(client, began)
                    weight_kb = _weight_kb(client)
            finally:
                running.send_signal(signal.SIGINT)
                running.communicate()
    return [
        {
            "name": "demo, from the start to an illegal play with its reason",
            "value": illegal_s,
            "unit": "s",
            "target": ILLEGAL_S,
        },
        {
            "name": "demo, from the start until the visitor may act",
            "value": act_s,
            "unit": "s",
            "target": ACT_S,
        },
        {
            "name": "the table's page with all that it loads, compressed",
            "value": weight_kb,
            "unit": "kB",
            "target": WEIGHT_KB,
        },
    ]


def _wait(client: httpx.Client, began: float) -> tuple[float, float]:
    """Seconds until the reason stands on the page, and until simulated hands follow it."""
    illegal_s: float | None = None
    while (now_s := time.monotonic() - began) < GIVEN_UP_S:
        state = client.get("api/v1/state").json()["state"]
        question, demo = state["question"], state["demo"]
        if illegal_s is None and question is not None and question["kind"] == "illegal" and question["text"]:
            illegal_s = now_s
        if illegal_s is not None and demo["hands"] is not None:
            return illegal_s, now_s
        time.sleep(0.1)
    raise RuntimeError(f"no illegal play within {GIVEN_UP_S:.0f} s")


def _weight_kb(client: httpx.Client) -> float:
    """What a browser is sent that opens the page for the first time."""
    seen, waiting, weight = set[str](), ["/"], 0
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        content = client.get(path).content
        weight += len(gzip.compress(content, 6))
        found = STATIC.findall(content.decode())
        waiting += [whole or f"/static/{module}" for whole, module in found]
    return weight / 1000
