"""What all addresses of the hub's server share: the hall, who may enter, and the pages' templates."""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from starlette.requests import HTTPConnection

from controller.hub.evening.club_evening import ClubEvening
from controller.hub.evidence.desk import EvidenceDesk
from controller.hub.hall import Hall
from controller.hub.pairing import PairingDesk
from controller.hub.reports import ReportQueue
from controller.hub.uplink.desk import UplinkDesk
from controller.web.health import Health
from controller.web.keys import PageKeys
from controller.web.server.access import COOKIE, Access, Person, is_loopback
from controller.web.server.devices import DeviceCookies
from controller.web.server.pace import Pace
from controller.web.server.rights import DIRECTOR_ONLY, EVERYBODY, KEEPERS_ONLY, Right
from controller.web.server.site import TEMPLATES, language_of, page_templates, rendered
from controller.web.server.tries import PinTries
from controller.web.table_service import Role, RoomState

HERE: Final = Path(__file__).parent.parent
HALL_TEMPLATES: Final = HERE / "templates"
HALL_ROUTES: Final[Mapping[tuple[str, str], Right]] = {
    ("GET", "/api/v1/tables"): EVERYBODY,
    ("GET", "/api/v1/trouble"): DIRECTOR_ONLY,
    ("GET", "/api/v1/tables/{name}/events"): DIRECTOR_ONLY,
    ("GET", "/api/v1/tables/{name}/state"): EVERYBODY,
    ("POST", "/api/v1/tables/{name}/commands"): DIRECTOR_ONLY,
    ("WS", "/api/v1/hall"): EVERYBODY,
    ("POST", "/api/v1/pair"): EVERYBODY,
    ("GET", "/api/v1/pair"): EVERYBODY,
    ("POST", "/api/v1/pairings-code"): DIRECTOR_ONLY,
    ("GET", "/api/v1/pairings-code.svg"): DIRECTOR_ONLY,
    ("GET", "/api/v1/tables/{name}/journals/{journal}"): DIRECTOR_ONLY,
    ("GET", "/api/v1/reports"): DIRECTOR_ONLY,
    ("GET", "/reports"): DIRECTOR_ONLY,
    ("GET", "/report/{token}"): EVERYBODY,
    ("GET", "/report/{token}/code.svg"): EVERYBODY,
    ("GET", "/api/v1/evidence.zip"): DIRECTOR_ONLY,
    ("GET", "/api/v1/evidence/{sha256}"): DIRECTOR_ONLY,
    ("POST", "/api/v1/uplinks"): DIRECTOR_ONLY,
    ("GET", "/api/v1/uplink/{club}"): EVERYBODY,
    ("POST", "/api/v1/uplink/{club}/{table}"): EVERYBODY,
    ("GET", "/api/v1/evening"): EVERYBODY,
    ("POST", "/api/v1/evening"): DIRECTOR_ONLY,
    ("GET", "/api/v1/evening/export/{form}"): EVERYBODY,
    ("WS", "/api/v1/evening/live"): EVERYBODY,
    ("GET", "/"): EVERYBODY,
    ("GET", "/wall"): EVERYBODY,
    ("GET", "/screen"): EVERYBODY,
    ("GET", "/overlay"): EVERYBODY,
    ("GET", "/director"): DIRECTOR_ONLY,
    ("GET", "/tournament"): DIRECTOR_ONLY,
    ("GET", "/confirm"): EVERYBODY,
    ("GET", "/confirm/code.svg"): EVERYBODY,
    ("GET", "/confirm/{match}"): EVERYBODY,
    ("POST", "/confirm/{match}"): EVERYBODY,
    ("GET", "/confirm/{match}/code.svg"): EVERYBODY,
    ("GET", "/player-pins"): DIRECTOR_ONLY,
    ("GET", "/login"): EVERYBODY,
    ("POST", "/login"): EVERYBODY,
    ("POST", "/logout"): EVERYBODY,
    ("GET", "/openapi.json"): EVERYBODY,
    ("GET", "/health"): EVERYBODY,
    ("GET", "/metrics"): KEEPERS_ONLY,
}
"""Every address of the hub; files below ``/static`` are for everybody."""


class HallSite:
    """The hall as the server shows it. For the thread of the web server."""

    def __init__(
        self,
        hall: Hall,
        pairing: PairingDesk,
        keys: PageKeys,
        *,
        evening: ClubEvening | None = None,
        language: str = "en",
        reports: ReportQueue | None = None,
        evidence: EvidenceDesk | None = None,
        uplinks: UplinkDesk | None = None,
        address: str = "",
        health: Callable[[], Health] = lambda: Health(well=True),
    ) -> None:
        """Nobody has come yet.

        Args:
            hall: all tables.
            pairing: lets tables in.
            keys: what logins are made with.
            evening: the tournament that they play; without it there are no pages for people.
            language: of pages whose reader's browser asks for none of the languages.
            reports: makes reports on matches that are over; None where the event does not allow them.
            evidence: has the pictures of disputes; None where they stay at the tables.
            uplinks: takes what hubs of other clubs send; None where it takes nothing.
            address: under which phones reach these pages, such as ``http://192.168.1.5:8100/``.
            health: how the hub does, in figures.
        """
        self.hall, self.evening, self.pairing = hall, evening, pairing
        self._language = language
        self.reports, self.uplinks, self.address = reports, uplinks, address
        self.evidence, self.health = evidence, health
        self.pace = Pace(time.monotonic)
        self.access = Access(
            keys.secret,
            Role.VIEWER,
            keys.director_hash,
            keys.keep_director,
            time.monotonic,
            find=keys.kept_hash,
        )
        # At the players' PINs: whoever guesses there uses up no tries at the director's.
        self.tries, self.devices = PinTries(time.monotonic), DeviceCookies(keys.secret)
        self.pool = ThreadPoolExecutor(4, "pointsman-hall")
        self.templates = page_templates(HALL_TEMPLATES, TEMPLATES)

    def close(self) -> None:
        """Let go of everything."""
        self.access.close()
        if self.reports is not None:
            self.reports.close()
        self.pool.shutdown(wait=False)

    def person(self, asking: HTTPConnection) -> Person:
        """Who asks."""
        loopback = is_loopback(asking.client.host if asking.client else None, asking.headers)
        return self.access.who(asking.cookies.get(COOKIE), "", loopback=loopback)

    def may(self, person: Person, method: str, path: str) -> bool:
        """Whether somebody may open an address, by its name in the table of rights."""
        if (method, path) in _READ_HERE and person.at_table:
            return True
        right = HALL_ROUTES[method, path]
        return right.allows(person.role, at_table=person.at_table, room=RoomState.PLAYING)

    def role(self, asking: HTTPConnection) -> Role:
        """As whom somebody sees the tables; with ``as=viewer`` as any spectator."""
        if asking.query_params.get("as") == Role.VIEWER:
            return Role.VIEWER
        return self.person(asking).role

    def language(self, asking: HTTPConnection) -> str:
        """The language to answer in: the one asked for, the one chosen before, or one that the browser prefers."""
        return language_of(asking, self._language)

    def render(self, page: str, language: str, **more: Any) -> str:
        """A page with its texts."""
        return rendered(self.templates, page, language, **more)


_READ_HERE: Final = frozenset({("GET", "/api/v1/tables/{name}/events"), ("GET", "/api/v1/trouble")})
"""What programs on the hub's own machine may read without a PIN: they can read the store as well."""
