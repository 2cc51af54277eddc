"""The page `/welcome`: on the table's own screen the code, on a phone the form that takes it and the first PIN."""

import asyncio
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from controller.web.server.access import LoginResult, client_address
from controller.web.server.pages import STATUS, let_in, network_address, never_kept, with_language
from controller.web.server.picture import svg_of
from controller.web.server.site import Site
from controller.web.server.welcoming.gate import WELCOME
from controller.web.welcome.desk import WelcomeDesk

WORDS: Final = "welcome"
NEXT: Final = "/setup"


def welcome_routes(site: Site, desk: WelcomeDesk) -> list[Route]:
    """Where a phone becomes the director's, and where the table's own screen gets the code for it."""

    async def show(request: Request) -> Response:
        if request.method == "POST":
            return await _take(site, desk, request)
        return _page(site, request, None)

    async def state(request: Request) -> Response:
        if not site.may(site.person(request), "GET", "/api/v1/welcome"):
            return Response(status_code=403)
        director, address = bool(site.access.director_hash), network_address(site, request, "http")
        code = "" if director or not address else desk.code.current() or desk.code.renew()
        told = {"director": director, "code": code, "address": f"{address}welcome" if code else ""}
        return never_kept(JSONResponse(told))

    async def square(request: Request) -> Response:
        if not site.may(site.person(request), "GET", "/welcome.svg"):
            return Response(status_code=403)
        code, address = desk.code.current(), network_address(site, request, "http")
        if not code or not address:
            return Response(status_code=404)
        # What follows the # stays in the phone; without TLS the table explains the warning that browsers give first.
        return never_kept(Response(svg_of(f"{address}welcome#{code}"), media_type="image/svg+xml"))

    return [
        Route(WELCOME, show, methods=["GET", "POST"], name=WORDS),
        Route("/welcome.svg", square, methods=["GET"], name="welcome-code"),
        Route("/api/v1/welcome", state, methods=["GET"], name="welcome-state"),
    ]


async def _take(site: Site, desk: WelcomeDesk, request: Request) -> Response:
    """What becomes of a code and a PIN."""
    try:
        form = parse_qs((await request.body()).decode("utf-8", "replace"))
    except ClientDisconnect:
        return Response(status_code=413)
    code, pin = (form.get(name, [""])[0].strip() for name in ("code", "pin"))
    first = not site.access.director_hash
    login = await site.access.become_director(desk.code, code, pin, client_address(request))
    if login.result is not LoginResult.DONE:
        return _page(site, request, login.result, code)
    if first:
        language = site.language(request)
        await asyncio.get_running_loop().run_in_executor(site.pool, desk.welcomed, language)
    return let_in(request, login, NEXT)


def _page(site: Site, request: Request, result: LoginResult | None, code: str = "") -> Response:
    person, language = site.person(request), site.language(request)
    text = site.render(
        WORDS,
        language,
        here=site.may(person, "GET", "/api/v1/welcome"),
        new=not site.access.director_hash,
        result=None if result is None else str(result),
        code=code,
    )
    status = 200 if result is None else STATUS[result]
    return with_language(request, never_kept(HTMLResponse(text, status)))
