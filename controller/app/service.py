"""What systemd is told of a table that runs as its service: that it is ready, that it goes on, how it stands.

The protocol is that of sd_notify(3): lines of text in datagrams to the socket that the surroundings name.
"""

import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from controller.app.room import Room
from controller.devices.camera.status import CameraState
from controller.messages.catalogue import catalogue

READY_S: Final = 10.0
"""A camera that says nothing for so long is not waited for: the table does without it."""
STATUS_S: Final = 1.0
"""How often it is looked whether the table stands differently."""
SHARE: Final = 4
"""So many times it is told within the watchdog's time that the table goes on."""


class ServiceManager:
    """systemd, where it started this program; without it everything that is told goes nowhere.

    A socket that cannot be reached is passed over: play goes on without systemd.
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

    @classmethod
    def of(cls, surroundings: Mapping[str, str]) -> "ServiceManager":
        """The one that the surroundings of this process name (NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID)."""
        microseconds = surroundings.get("WATCHDOG_USEC", "")
        meant = surroundings.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        watchdog_s = int(microseconds) / 1e6 if microseconds.isdecimal() and meant else None
        return cls(surroundings.get("NOTIFY_SOCKET", ""), watchdog_s or None)

    @property
    def listens(self) -> bool:
        """Whether there is anybody to tell."""
        return bool(self._address)

    def ready(self) -> None:
        """The table can judge."""
        self._send("READY=1")

    def status(self, text: str) -> None:
        """How it stands, one line for `systemctl status`."""
        self._send(f"STATUS={' '.join(text.split())}")

    def goes_on(self) -> None:
        """The loop has turned; systemd is told a few times within its watchdog's time."""
        if self._watchdog_s is None:
            return
        now = self._clock()
        if now - self._told_at >= self._watchdog_s / SHARE:
            self._told_at = now
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The table ends: its files are being written."""
        self._send("STOPPING=1")

    def _send(self, line: str) -> None:
        if not self._address:
            return
        name = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as way:
            way.setblocking(False)
            way.sendto(line.encode(), name)


class RoomService:
    """Tells systemd of a room each time its loop turns, and begins what was put off; for the thread that steps."""

    def __init__(self, room: Room, manager: ServiceManager, begin: Callable[[], None] = lambda: None) -> None:
        """The room's loop has not turned yet.

        Args:
            room: the room.
            manager: is told.
            begin: is called once, when the table has read its board or waits for something else.
        """
        self._room, self._manager, self._begin = room, manager, begin
        self._began = room.clock()
        self._ready = self._begun = False
        self._looked_at = float("-inf")
        self._status = ""

    def turned(self) -> None:
        """The loop has turned once more."""
        self._manager.goes_on()
        now = self._room.clock()
        waited = now - self._began >= READY_S
        if not self._ready and (waited or self._camera_known()):
            self._ready = True
            self._manager.ready()
        if not self._begun and (waited or (self._camera_known() and self._has_read())):
            self._begun = True
            self._begin()
        if self._manager.listens and now - self._looked_at >= STATUS_S:
            self._looked_at = now
            self._tell_status()

    def _camera_known(self) -> bool:
        """Whether pictures come, or it is known that none do."""
        status = self._room.camera_status
        return status is not None and status.state is not CameraState.STARTING

    def _has_read(self) -> bool:
        """Whether nothing is to be read first."""
        glimpse = self._room.glimpse()
        return not self._room.playing or (glimpse is not None and glimpse.reading is not None)

    def _tell_status(self) -> None:
        view, language = self._room.view(), self._room.config.table.languages[0]
        missing = [device.words(language) for device in view.devices if not device.ready]
        status = " ".join([catalogue(language).text("live", "room", str(view.state)), *missing])
        if status != self._status:
            self._status = status
            self._manager.status(status)
