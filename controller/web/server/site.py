"""What all addresses of the server share: the table, its outlet, who may enter, and the pages' templates."""

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader
from starlette.requests import HTTPConnection

from controller.even_clock import EvenClock
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.web.audience import Audience
from controller.web.outlet import Outlet
from controller.web.server.access import COOKIE, Access, Person, is_loopback
from controller.web.server.commands import Commands
from controller.web.server.pace import Pace
from controller.web.server.rights import ROUTES, Right
from controller.web.settings import WebSettings
from controller.web.table_service import Role, TableService

HERE: Final = Path(__file__).parent.parent
STATIC: Final = HERE / "static"
TEMPLATES: Final = HERE / "templates"
LANGUAGE: Final = "language"
"""The name of the query and of the cookie that choose a language."""
PAGES: Final[Mapping[str, str]] = {
    "/": "table",
    "/watch": "watch",
    "/overlay": "overlay",
    "/setup": "setup",
    "/see": "see",
    "/director": "director",
    "/learn": "learn",
    "/camera": "camera",
}
"""The pages by their addresses: a template and, under ``page``, a table of the catalogues each."""
ONLY_WATCHED: Final = frozenset({"watch", "overlay", "camera"})
"""Pages that show what any spectator sees, whoever opens them."""


@cache
def page_templates(*folders: Path) -> Environment:
    """The templates of pages in folders, the first before the others: each is compiled once, for all sites."""
    templates = Environment(
        loader=FileSystemLoader(folders), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    templates.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "sort_keys": False}
    return templates


class Site:
    """The table as the server shows it. For the thread of the web server."""

    def __init__(self, house: TableService, settings: WebSettings) -> None:
        """Nobody has come yet."""
        self.house, self.settings = house, settings
        self.outlet = Outlet(house, EvenClock(), settings.delay_s, settings.topics)
        self.commands, self.pace = Commands(house), Pace(time.monotonic)
        self.access = Access(
            settings.secret,
            settings.at_table,
            settings.director_hash,
            settings.keep_hash,
            time.monotonic,
            find=settings.find_hash,
        )
        self.pool = ThreadPoolExecutor(2, "pointsman-web")
        self.templates = page_templates(TEMPLATES)

    def open(self) -> None:
        """Begin; to be called where the loop runs."""
        self.outlet.open()

    def close(self) -> None:
        """Let go of everything."""
        self.outlet.close()
        self.access.close()
        self.pool.shutdown(wait=False)

    @property
    def match(self) -> str:
        """The name of the match that is on; empty without one."""
        match = self.outlet.view.match
        return "" if match is None else match.id

    def person(self, asking: HTTPConnection) -> Person:
        """Who asks."""
        loopback = is_loopback(asking.client.host if asking.client else None, asking.headers)
        return self.access.who(asking.cookies.get(COOKIE), self.match, loopback=loopback)

    def may(self, person: Person, method: str, path: str) -> bool:
        """Whether somebody may open an address, by its name in the table of rights."""
        return self.has(person, ROUTES[method, path])

    def has(self, person: Person, right: Right) -> bool:
        """Whether somebody has a right just now."""
        return right.allows(person.role, at_table=person.at_table, room=self.outlet.view.state)

    def language(self, asking: HTTPConnection) -> str:
        """The language to answer in: the one asked for, the one chosen before, or one that the browser prefers."""
        return language_of(asking, self.settings.language)

    def audience(self, asking: HTTPConnection, person: Person) -> Audience:
        """Whom somebody sees the table as; with ``as=viewer`` as any spectator."""
        language = self.language(asking)
        if asking.query_params.get("as") == Role.VIEWER:
            return Audience(Role.VIEWER, None, language)
        return Audience(person.role, person.side, language)

    def render(self, page: str, language: str, **more: Any) -> str:
        """A page with its texts."""
        return rendered(self.templates, page, language, **more)


def language_of(asking: HTTPConnection, usual: str) -> str:
    """The language to answer in: the one asked for, the one chosen before, one the browser prefers, the usual."""
    for chosen in (asking.query_params.get(LANGUAGE), asking.cookies.get(LANGUAGE)):
        if chosen in LANGUAGES:
            return chosen
    for preferred in preferred_languages(asking.headers.get("accept-language", "")):
        if preferred in LANGUAGES:
            return preferred
    return usual


def rendered(templates: Environment, page: str, language: str, **more: Any) -> str:
    """A page with its texts."""
    words = page_words(page, language)
    context = {"page": page, "language": language, "title": words["title"], "words": words, **more}
    return templates.get_template(f"{page}.html").render(context)


def page_words(page: str, language: str) -> Mapping[str, Any]:
    """The texts of a page as they stand in the catalogue; those of the table page stand in for what it has not."""
    pages = catalogue(language).entries("page")
    return {**pages["table"], **pages.get(page, {})}


def preferred_languages(header: str) -> list[str]:
    """The languages that a browser asks for, without their countries, the dearest first."""
    found: list[tuple[float, str]] = []
    for part in header.split(","):
        name, _, weight = part.strip().partition(";q=")
        try:
            found.append((-float(weight or 1), name.split("-")[0].casefold()))
        except ValueError:
            continue
    return [name for _, name in sorted(found, key=lambda each: each[0])]
