"""What stands in for systemd: the other end of the socket that it gives to a service."""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest


class Systemd:
    """The other end of the socket."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(f"\0{address[1:]}" if address.startswith("@") else address)
        self.heard: list[str] = []

    def close(self) -> None:
        self.socket.close()

    def listen(self) -> list[str]:
        """All that has come so far."""
        self.socket.setblocking(False)
        while True:
            try:
                self.heard.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return self.heard

    def wait_for(self, line: str) -> None:
        """Until it was told that; the test runner's patience is the limit."""
        while not any(heard.startswith(line) for heard in self.listen()):
            time.sleep(0.05)


@pytest.fixture(params=["a path", "an abstract name"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Systemd]:
    address = f"@pointsman-{os.getpid()}" if request.param == "an abstract name" else str(tmp_path / "notify")
    with closing(Systemd(address)) as there:
        yield there


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now
