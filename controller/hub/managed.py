"""What a hub that runs as a service reports to systemd: that it is ready, that it goes on, how it stands."""

import time
from collections.abc import Callable
from typing import Final

from controller.hub.hub import Hub
from controller.messages.catalogue import catalogue
from controller.systemd import ServiceManager

READY_S: Final = 20.0
"""A broker that cannot be reached for this time is not waited for: pages and store work without it."""
STILL_S: Final = 10.0
"""A service whose loop has not turned for this time is stuck."""


class ManagedHub:
    """Tells systemd of a hub. Its store was opened before it; its broker may come later."""

    def __init__(
        self, hub: Hub, manager: ServiceManager, language: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Nothing is reported yet.

        Args:
            hub: the hub.
            manager: is told.
            language: of the line that says how the hub stands.
            clock: monotonic seconds.
        """
        self._hub, self._manager, self._clock = hub, manager, clock
        self._texts = catalogue(language)
        self._began = self._turned_at = clock()
        self._turns = 0
        self._ready = False
        self._status = ""

    def check(self) -> None:
        """Look at the hub and tell what there is to tell; to be called once a second."""
        now, service = self._clock(), self._hub.service
        if service.turns != self._turns:
            self._turns, self._turned_at = service.turns, now
        if now - self._turned_at < STILL_S:
            self._manager.goes_on()
        if not self._ready and (service.connected or now - self._began >= READY_S):
            self._ready = True
            self._manager.ready()
        status = self._standing()
        if status != self._status:
            self._status = status
            self._manager.status(status)

    def _standing(self) -> str:
        """What is wrong with the hub, or how many tables are connected."""
        troubles = [
            self._texts.text("page", "hall", "hub_trouble", str(each.fault), reason=each.reason)
            for each in self._hub.service.troubles()
        ]
        tables = self._hub.service.tables()
        here = sum(table.up for table in tables)
        return " ".join(troubles) or self._texts.text(
            "page", "desk", "tables_here", here=str(here), count=str(len(tables))
        )
