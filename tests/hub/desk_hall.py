"""A hub's server around a stand-in hall, for people with a browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from controller.hub.broker import BrokerOffer
from controller.hub.evening import ClubEvening
from controller.hub.pairing import PairingDesk
from controller.hub.server.application import make_hall_app
from controller.hub.server.site import HallSite
from controller.tournament.events import TournamentEvent
from controller.tournament.tournament import Tournament
from controller.web.keys import PageKeys
from controller.web.server.thread import WebServer
from controller.web.settings import WebSettings
from tests.hub.stand_in import StandInHall

PIN = "482913"


@dataclass
class DeskHall:
    """What runs: the tables, the tournament, and where its pages are."""

    hall: StandInHall
    evening: ClubEvening
    address: str

    def hall_tables(self, tournament: Tournament) -> set[int]:
        """The matches that are played at a table now."""
        return {n for n, table in tournament.tables.items() if table in self.hall.matches}

    def events(self) -> list[TournamentEvent]:
        """Everything in the tournament's file."""
        log = self.evening.log()
        return [] if log is None else log.events


@contextmanager
def desk_hall(folder: Path, tables: int) -> Iterator[DeskHall]:
    """A hub without a broker, whose tables do what the test says."""
    hall = StandInHall(folder, tables)
    utc = iter(f"2026-11-23T18:{n // 60 % 60:02d}:{n % 60:02d}.000+00:00" for n in range(10**6))
    with ClubEvening(hall, folder / "tournament.jsonl", lambda: next(utc), lambda: hall.now) as evening:
        pairing = PairingDesk("club", BrokerOffer(1883, None), lambda _: "secret", "00" * 32, monotonic)
        site = HallSite(hall, pairing, PageKeys.load(folder / "page-keys.json"), evening=evening)
        with WebServer(make_hall_app(site), WebSettings()) as server:
            yield DeskHall(hall, evening, server.address)
