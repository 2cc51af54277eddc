"""Real servers of NATS on loopback: one alone, or several that keep copies of each other's streams."""

import asyncio
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nats.aio.client import Client
from nats.errors import Error

from tests.hub.hubs import until
from tests.ports import free_port

PROGRAM = "/usr/sbin/nats-server"


class NatsNode:
    """One server, which can be killed.

    Attributes:
        port: where clients come.
        process: the newest start of it.
    """

    def __init__(self, folder: Path, config: str) -> None:
        self._folder, self.port = folder, free_port()
        folder.mkdir(parents=True)
        (folder / "nats.conf").write_text(config.replace("PORT", str(self.port)))

    def start(self) -> None:
        """Start it, again if need be; returns when it takes connections."""
        with (self._folder / "said").open("a") as said:
            self.process = subprocess.Popen(
                [PROGRAM, "-c", str(self._folder / "nats.conf")], stdout=said, stderr=subprocess.STDOUT
            )
        until(self._answers)

    def kill(self) -> None:
        """End it as a power cut does."""
        self.process.kill()
        self.process.wait()

    def _answers(self) -> bool:
        import socket

        with socket.socket() as asking:
            return asking.connect_ex(("127.0.0.1", self.port)) == 0


@contextmanager
def running_node(folder: Path, more: str = "", *, jetstream: bool = True) -> Iterator[NatsNode]:
    """One server alone; ``more`` is put into its configuration."""
    keep = f'jetstream {{ store_dir: "{folder / "kept"}" }}\n' if jetstream else ""
    node = NatsNode(folder, f"listen: 127.0.0.1:PORT\n{keep}{more}\n")
    node.start()
    try:
        yield node
    finally:
        node.kill()


@contextmanager
def running_cluster(folder: Path, count: int = 3) -> Iterator[Sequence[NatsNode]]:
    """Several servers that know each other; returns when they keep streams together."""
    routes = [free_port() for _ in range(count)]
    peers = ", ".join(f'"nats://127.0.0.1:{port}"' for port in routes)
    nodes = [
        NatsNode(
            folder / f"node-{number}",
            f"listen: 127.0.0.1:PORT\nserver_name: node-{number}\n"
            f'jetstream {{ store_dir: "{folder / f"kept-{number}"}" }}\n'
            f"cluster {{ name: regions, listen: 127.0.0.1:{port}, routes: [{peers}] }}\n",
        )
        for number, port in enumerate(routes, start=1)
    ]
    try:
        for node in nodes:
            node.start()
        until(lambda: account(nodes[0]) is not None)
        yield nodes
    finally:
        for node in nodes:
            if hasattr(node, "process"):
                node.kill()


def address_of(nodes: Sequence[NatsNode]) -> str:
    """What ``--uplink`` and ``--regions`` name."""
    return "nats://" + ",".join(f"127.0.0.1:{node.port}" for node in nodes)


def account(node: NatsNode) -> Any:
    """What JetStream tells of itself; None while it does not answer."""
    return asked(node, lambda stream: stream.account_info())


def kept(node: NatsNode) -> int:
    """How many messages the stream of entries holds; -1 if it cannot be asked."""
    info = asked(node, lambda stream: stream.stream_info("POINTSMAN"))
    return -1 if info is None else int(info.state.messages)


def asked(node: NatsNode, question: Any) -> Any:
    """The answer to one question to JetStream; None for none."""

    async def ask() -> Any:
        client = Client()
        try:
            await client.connect(
                [f"nats://127.0.0.1:{node.port}"], allow_reconnect=False, max_reconnect_attempts=1
            )
            return await question(client.jetstream(timeout=2))
        except (Error, OSError, TimeoutError):
            return None
        finally:
            await client.close()

    return asyncio.run(ask())
