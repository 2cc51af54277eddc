"""What a table that runs as a service reports to systemd: that it is ready, that it goes on, how it stands."""

from collections.abc import Callable
from typing import Final

from controller.app.room import Room
from controller.devices.camera.status import CameraState
from controller.messages.catalogue import catalogue
from controller.systemd import ServiceManager

READY_S: Final = 10.0
"""A camera that says nothing for this time is not waited for: the table starts without it."""
STATUS_S: Final = 1.0
"""How often it is looked whether the table stands differently."""


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
        status = self._room.camera.status
        return status is not None and status.state is not CameraState.STARTING

    def _has_read(self) -> bool:
        """Whether nothing is to be read first."""
        glimpse = self._room.glimpse()
        return not self._room.match.playing or (glimpse is not None and glimpse.reading is not None)

    def _tell_status(self) -> None:
        view, texts = self._room.view(), catalogue(self._room.config.table.languages[0])
        status = texts.text("live", "room", str(view.state))
        missing = [texts.text("live", "device", device.name) for device in view.devices if not device.ready]
        if missing:  # what is the matter with each, and the remedy, stands in the log
            status = f"{status} {texts.text('live', 'room', 'trouble', devices=', '.join(missing))}"
        if status != self._status:
            self._status = status
            self._manager.status(status)
