"""What a hub's program counts of itself."""

from pathlib import Path

from controller.hub.service import HubService
from controller.logs.defect import Defect
from controller.web.health import Figure, Health, free_bytes


class HubFigures:
    """Counts at a hub; read from any thread."""

    def __init__(self, service: HubService, folder: Path) -> None:
        """``folder`` is the hub's."""
        self._service, self._folder = service, folder
        self._defects = 0

    def defect(self, _: Defect) -> None:
        """A defect was logged."""
        self._defects += 1

    def health(self) -> Health:
        """How the hub does: it is well while it hears the broker and its store takes what comes."""
        service = self._service
        tables = service.tables()
        free = free_bytes(self._folder)
        return Health(
            not service.troubles(),
            (
                Figure("tables", "Tables that were ever heard.", len(tables)),
                Figure("tables_connected", "Tables that are connected.", sum(each.up for each in tables)),
                Figure("queue_entries", "Entries that wait for the store.", service.store.waiting),
                Figure("troubles", "What is wrong with the hub itself.", len(service.troubles())),
                Figure("disk_free_bytes", "Room on the disk of the hub's folder.", free),
                Figure(
                    "defects", "Errors of the program that nobody foresaw.", self._defects, counts_up=True
                ),
            ),
        )
