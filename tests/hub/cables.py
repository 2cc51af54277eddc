"""Cables that a test can cut: network namespaces of Linux, one for the hub and one for each group of tables.

All of them meet at a router, in a namespace of its own. It is the kernel's TCP that suffers, not a stand-in.
"""

import contextlib
import ctypes
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

HUB = "10.71.1.2"
_LIBC = ctypes.CDLL(None, use_errno=True)
_NETWORK = 0x40000000


def missing() -> str:
    """Why there can be no cables here; empty if there can."""
    if os.geteuid() != 0:
        return "only root may make network namespaces"
    name = f"pm{os.getpid()}-try"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if made.returncode:
        return f"this machine gives root no network namespaces: {made.stderr.strip()}"
    linked = subprocess.run(
        ["ip", "link", "add", "name", "a", "netns", name, "type", "veth", "peer", "name", "b", "netns", name],
        capture_output=True,
        text=True,
    )
    subprocess.run(["ip", "netns", "delete", name], check=True)
    return f"this machine has no virtual cables: {linked.stderr.strip()}" if linked.returncode else ""


class Cables:
    """A hub and groups of tables that reach each other through a router, while the block is not left."""

    def __init__(self, groups: int) -> None:
        self.groups = range(1, groups + 1)

    def __enter__(self) -> Self:
        self._ip("netns", "add", self._place("router"))
        self._inside("router", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        self._lay("hub", 1)
        for group in self.groups:
            self._lay(f"tables{group}", group + 1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for what in ("router", "hub", *(f"tables{group}" for group in self.groups)):
            subprocess.run(["ip", "netns", "delete", self._place(what)], capture_output=True)

    @contextlib.contextmanager
    def at(self, what: str) -> Iterator[None]:
        """Whatever this thread opens or starts stands there, ``hub`` or ``tables1``, until the block is left."""
        home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        there = os.open(Path("/run/netns") / self._place(what), os.O_RDONLY)
        try:
            _enter(there)
            yield
        finally:
            _enter(home)
            os.close(there)
            os.close(home)

    @contextlib.contextmanager
    def cut(self, group: int, way: str) -> Iterator[None]:
        """A group's cable is out until the block is left.

        ``unplugged``: the link is down, as both ends see. ``swallowed``: the link is up, and everything gets lost on
        the way without a word, so that a connection hangs and is not reset.
        """
        if way == "unplugged":
            self._ip("-n", self._place("router"), "link", "set", f"leg{group + 1}", "down")
        else:
            self._route("add", group)
        try:
            yield
        finally:
            if way == "unplugged":
                self._ip("-n", self._place("router"), "link", "set", f"leg{group + 1}", "up")
            else:
                self._route("del", group)

    def _route(self, verb: str, group: int) -> None:
        self._ip("-n", self._place("router"), "route", verb, "blackhole", f"10.71.{group + 1}.2/32")
        rule = ("iif", f"leg{group + 1}", "blackhole")
        self._ip("-n", self._place("router"), "rule", verb, *rule)

    def _lay(self, what: str, number: int) -> None:
        there, router = self._place(what), self._place("router")
        self._ip("netns", "add", there)
        self._ip(
            *("link", "add", "name", f"leg{number}", "netns", router, "type", "veth"),
            *("peer", "name", "cable", "netns", there),
        )
        for place, device, last in ((router, f"leg{number}", 1), (there, "cable", 2)):
            self._ip("-n", place, "address", "add", f"10.71.{number}.{last}/24", "dev", device)
            self._ip("-n", place, "link", "set", device, "up")
        self._ip("-n", there, "link", "set", "lo", "up")
        self._ip("-n", there, "route", "add", "default", "via", f"10.71.{number}.1")

    def _inside(self, what: str, script: str) -> None:
        self._ip("netns", "exec", self._place(what), "sh", "-c", script)

    def _place(self, what: str) -> str:
        return f"pm{os.getpid()}-{what}"

    def _ip(self, *words: str) -> None:
        subprocess.run(["ip", *words], check=True)


def _enter(namespace: int) -> None:
    if _LIBC.setns(namespace, _NETWORK):
        raise OSError(ctypes.get_errno(), "setns")
