"""The pages of the hall: overview and wall, the director's desk, the screen of the hall, the tournament, streams."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from controller.hub.server.site import HERE, HallSite
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.messages.profile_words import title
from controller.rules import load_profile
from controller.rules.profile.catalogue import profile_names
from controller.rules.profile.profile import MatchKind
from controller.web.server.site import LANGUAGE

HALL_STATIC: Final = HERE / "static"
"""To be served below ``/static/hub``."""
HALL_PAGES: Final[Mapping[str, str]] = {
    "/": "hall",
    "/wall": "wall",
    "/screen": "screen",
    "/overlay": "overlay",
    "/director": "desk",
    "/tournament": "tournament",
}
"""The pages by their addresses: a template each."""
DIRECTORS: Final = frozenset({"desk", "tournament"})
"""Pages with the words of a table's director."""
A_YEAR_S: Final = 31_536_000


def hall_page_routes(site: HallSite) -> list[Route]:
    """A route for each page."""

    async def show(request: Request) -> Response:
        path = request.url.path
        page = HALL_PAGES[path]
        if not site.may(site.person(request), "GET", path):
            return RedirectResponse(f"/login?next={quote(path)}", 303)
        language = site.language(request)
        words = hall_words(page, language)
        text = site.templates.get_template(f"{page}.html").render(
            page=page,
            language=language,
            title=words["hall_page"][path.strip("/") or "hall"],
            words=words,
            snapshot={"profiles": _profiles(language)} if page == "tournament" else None,
            token=None,
            module="hub/stream",
        )
        answer = HTMLResponse(text, headers={"Cache-Control": "no-store"})
        chosen = request.query_params.get(LANGUAGE)
        if chosen in LANGUAGES:
            secure = request.url.scheme == "https"
            answer.set_cookie(LANGUAGE, chosen, max_age=A_YEAR_S, path="/", samesite="strict", secure=secure)
        return answer

    return [Route(path, show, methods=["GET"], name=f"hall-{page}") for path, page in HALL_PAGES.items()]


def hall_words(page: str, language: str) -> Mapping[str, Any]:
    """The texts of a page: its own, those of the hall, and of the table's pages those that it shares."""
    pages = catalogue(language).entries("page")
    shared = pages["table"] | (pages["director"] if page in DIRECTORS else {})
    return {**shared, **pages["hall"], **pages.get(page, {}), "title": pages["hall"]["title"]}


def _profiles(language: str) -> list[dict[str, str]]:
    """The rules that a tournament can be played by."""
    found = [load_profile(name) for name in profile_names()]
    return [
        {"name": each.name, "title": title(each, language)}
        for each in found
        if each.match.kind is not MatchKind.MONEY
    ]
