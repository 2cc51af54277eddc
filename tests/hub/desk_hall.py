"""A hub's server around a stand-in hall, for people with a browser."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import monotonic

from controller.hub.broker import BrokerOffer
from controller.hub.evening.club_evening import ClubEvening
from controller.hub.evidence.desk import EvidenceDesk
from controller.hub.pairing import PairingDesk
from controller.hub.reports import ReportQueue
from controller.hub.server.application import make_hall_app
from controller.hub.server.site import HallSite
from controller.record.evidence.picture_pass import sign_pass
from controller.tournament.events import TournamentEvent
from controller.tournament.tournament import Tournament
from controller.web.keys import PageKeys
from controller.web.server.thread import WebServer
from controller.web.settings import WebSettings
from controller.web.wire.certificates import Certificates
from tests.hub.evidence.disputed_table import HUB
from tests.hub.stand_in import StandInHall
from tests.web.browsers import Seated
from tests.web.wire.secure_table import NAME

PIN = "482913"
AGAIN_S = 0.2
"""So often the hub asks a table that could not be reached for its pictures."""


@dataclass
class DeskHall:
    """What runs: the tables, the tournament, where its pages are, and the folder of it all."""

    hall: StandInHall
    evening: ClubEvening
    address: str
    folder: Path

    def hall_tables(self, tournament: Tournament) -> set[int]:
        """The matches that are played at a table now."""
        return {n for n, table in tournament.tables.items() if table in self.hall.matches}

    def events(self) -> list[TournamentEvent]:
        """Everything in the tournament's file."""
        log = self.evening.log()
        return [] if log is None else log.events


def write_report(journal: Path, page: Path) -> None:
    """A page in the place of an engine's work."""
    page.write_text(f"<!doctype html><title>Report</title><p>{journal.stat().st_size} bytes", "utf-8")


@contextmanager
def desk_hall(folder: Path, tables: int, certificates: Certificates | None = None) -> Iterator[DeskHall]:
    """A hub without a broker, whose tables do what the test says; with certificates people come from elsewhere."""
    hall = StandInHall(folder, tables)
    times = iter(f"2026-11-23T18:{n // 60 % 60:02d}:{n % 60:02d}.000+00:00" for n in range(10**6))
    turn = Lock()

    def utc() -> str:
        with turn:
            return next(times)

    with (
        ClubEvening(hall, folder / "tournament.jsonl", utc, lambda: hall.now) as evening,
        EvidenceDesk(
            hall,
            folder / "evidence",
            lambda table, digest: sign_pass(HUB, f"club/{table}", digest),
            utc,
            again_s=AGAIN_S,
        ) as evidence,
        ExitStack() as stack,
    ):
        keys = PageKeys.load(folder / "page-keys.json")
        reports = stack.enter_context(ReportQueue(hall, folder / "reports", keys.secret, write_report))
        pairing = PairingDesk("club", BrokerOffer(1883, None), lambda _: "secret", "00" * 32, monotonic)
        site = HallSite(hall, pairing, keys, evening=evening, evidence=evidence, reports=reports)
        app = make_hall_app(site, (NAME,), certificates)
        settings = WebSettings(certificates=certificates)
        with WebServer(app if certificates is None else Seated(app), settings) as server:
            site.address = f"{server.address}/"
            yield DeskHall(hall, evening, server.address, folder)
