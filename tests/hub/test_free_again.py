"""A hub that was killed and started again knows which tables are free, though nothing has happened at them since."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from controller.hub.folder import HubFolder
from tests.hub.desk_hall import PIN
from tests.hub.hubs import COMMAND, ROOT, HubProcess, until


@contextmanager
def simulated_tables(hub: HubProcess, key: str, count: int) -> Iterator[None]:
    """`pointsman simulate tables` as people start it, waiting for matches."""
    options = ["--wait", "--speed", "400", "--broker", f"127.0.0.1:{hub.broker_port}", "--hub-key", key]
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "simulate", "tables", str(count), *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait()


@contextmanager
def director(hub: HubProcess) -> Iterator[httpx.Client]:
    """Somebody at the hub's own machine who has chosen the PIN, or knows it."""
    with httpx.Client(base_url=hub.page) as client:
        client.post("/login", data={"pin": PIN})
        yield client


def free_tables(client: httpx.Client) -> list[str]:
    """The tables that the director can give a match to."""
    return [each["name"] for each in client.get("/api/v1/evening").json()["tournament"]["free_tables"]]


def result(client: httpx.Client) -> list[int] | None:
    """The points of both in the only match of a tournament, once its table's record has brought them."""
    rounds = client.get("/api/v1/evening").json()["tournament"]["rounds"]
    points: list[int] | None = rounds[0]["matches"][0]["points"] if rounds else None
    return points


def test_simulated_tables_are_free_again_after_the_hub_was_killed_and_their_results_count(
    tmp_path: Path,
) -> None:
    with HubFolder(tmp_path / "hub") as folder:
        key = folder.key.public
    hub = HubProcess(tmp_path / "hub")
    try:
        with simulated_tables(hub, key, 2):
            with director(hub) as client:
                begun = {"what": "begin", "name": "Cup", "format": "swiss", "length": "1"}
                for deed in (begun, {"what": "enter", "players": "Ada\nAnu"}):
                    assert client.post("/api/v1/evening", json=deed).is_success
                until(lambda: free_tables(client) == ["table-1", "table-2"])
            hub.kill()
            hub.start()
            with director(hub) as client:
                until(lambda: free_tables(client) == ["table-1", "table-2"])
                assert client.post("/api/v1/evening", json={"what": "draw"}).is_success
                until(lambda: result(client))
                assert client.get("/api/v1/evening").json()["notices"] == []
    finally:
        hub.kill()
