"""What systemd is told by a program that it runs as a service: that it is ready, that it goes on, how it stands.

The protocol is that of sd_notify(3): lines of text in datagrams to the socket that the environment names.
"""

import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

SOCKET: Final = "NOTIFY_SOCKET"
"""Environment variable with the address of systemd's socket."""
LINE: Final = 100
"""How long a status may be: `systemctl status` breaks no lines, and a terminal shows little more."""
SHARE: Final = 4
"""This many times it is told within the watchdog's time that the program goes on."""


class ServiceManager:
    """systemd, where it started this program; without it everything that is told goes nowhere.

    A socket that cannot be reached is passed over: the program goes on without systemd.
    """

    def __init__(
        self, address: str = "", watchdog_s: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Nothing is told yet.

        Args:
            address: of the socket, `@` before a name of the abstract kind; empty without systemd.
            watchdog_s: within that time systemd wants to hear that the program goes on; None if it does not.
            clock: monotonic seconds.
        """
        self._address, self._watchdog_s, self._clock = address, watchdog_s, clock
        self._told_at = float("-inf")
        self._unsent = dict[str, str]()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "ServiceManager":
        """The one that the environment of this process names (NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID)."""
        microseconds = environment.get("WATCHDOG_USEC", "")
        meant = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        watchdog_s = int(microseconds) / 1e6 if microseconds.isdecimal() and meant else None
        return cls(environment.get(SOCKET, ""), watchdog_s or None)

    @property
    def listens(self) -> bool:
        """Whether there is anybody to tell."""
        return bool(self._address)

    def ready(self) -> None:
        """The program can do what it is there for."""
        self._send("READY=1")

    def status(self, text: str) -> None:
        """How it stands, one line for `systemctl status`; of a longer text the beginning."""
        line = " ".join(text.split())
        self._send(f"STATUS={line if len(line) <= LINE else f'{line[: LINE - 1]}…'}")

    def goes_on(self) -> None:
        """The loop has turned; systemd is told a few times within its watchdog's time."""
        self._send_rest()
        if self._watchdog_s is None:
            return
        now = self._clock()
        if now - self._told_at >= self._watchdog_s / SHARE:
            self._told_at = now
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The program ends: its files are being written."""
        self._send("STOPPING=1")

    def _send(self, line: str) -> None:
        if not self._address:
            return
        self._unsent[line.partition("=")[0]] = line
        self._send_rest()

    def _send_rest(self) -> None:
        """What found the socket full, when systemd was busy, is sent as soon as there is room: the newest of each."""
        if not self._unsent:
            return
        name = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as way:
            way.setblocking(False)
            for what, line in list(self._unsent.items()):
                way.sendto(line.encode(), name)
                del self._unsent[what]
