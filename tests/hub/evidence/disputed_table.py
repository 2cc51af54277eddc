"""A table with a server of its own, a wrong play in its journal, and the pictures of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from controller.club.messages import journal_name
from controller.record.journal.seal import SigningKey
from controller.referee import Phase
from controller.web.settings import WebSettings
from tests.hub.stand_in import StandInHall
from tests.record.evidence.test_dispute_page import Table
from tests.referee.table.scenes import SCENES
from tests.web.browsers import SETTINGS, Hall
from tests.web.served_table import TableHouse

HUB = SigningKey.from_secret(b"the key of a hub in these tests.")


@dataclass
class DisputedTable:
    """The table.

    Attributes:
        server: with its pages.
        name: of the table in the club.
        journal: of its match.
    """

    server: Hall
    name: str
    journal: str
    _recorded: Table

    def dispute(self, hall: StandInHall, pages: str | None = None) -> None:
        """The hub hears of the dispute, and has the journal."""
        rows = [*self._recorded.journal.rows()]
        if not hall.events(self.name, journal=self.journal):
            hall.add(self.name, self.journal, rows)
        shown = hall.shown(self.name)
        desk: Any = dict(shown.desk or {})
        turn = {**desk["needs"][0]["turn"], "game": 1, "ply": 0}
        desk["needs"] = [{**desk["needs"][0], "turn": turn, "recorded": True}]
        address = self.server.server.address + "/" if pages is None else pages
        hall.change(self.name, desk=desk, journal=self.journal, pages=address)


@contextmanager
def disputed_table(
    folder: Path, name: str = "table-2", hub_key: str = HUB.public, settings: WebSettings = SETTINGS
) -> Iterator[DisputedTable]:
    """A table that gives its pictures to the hub with this key, for as long as it is there."""
    folder.mkdir(exist_ok=True)
    recorded = Table(folder / "journal.db")
    known = replace(settings, hub_key=hub_key, club_table=f"club/{name}")
    try:
        with Hall(TableHouse(SCENES[Phase.TO_ROLL](), folder=folder), known) as server:
            first = next(iter(recorded.journal.rows()))
            yield DisputedTable(server, name, journal_name(first[-1]), recorded)
    finally:
        recorded.journal.close()
        recorded.store.close()
