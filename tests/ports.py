"""Ports for servers that are started by their number."""

import os
import socket
from collections.abc import Iterator
from typing import Final

# From 32768 on the kernel gives ports away, to whoever asks for port 0 and to the near end of each connection: one
# that was free a moment ago can be another server's before its own is up. A hub's pages took its broker's.
_PORTS: Final = range(10_000, 32_768)


def _from_somewhere() -> Iterator[int]:
    # Runs at the same time begin apart: the numbers of processes follow each other, and none of them takes 200 ports.
    begin = os.getpid() * 211 % len(_PORTS)
    return iter([*_PORTS[begin:], *_PORTS[:begin]])


_NEXT: Final = _from_somewhere()


def free_port() -> int:
    """A port at which nobody listens, and which is not given a second time."""
    for port in _NEXT:
        with socket.socket() as asking:
            try:
                asking.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("there is no port left")
