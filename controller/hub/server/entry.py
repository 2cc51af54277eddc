"""The way in and out for the director."""

from typing import Final
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from controller.hub.server.site import HALL_ROUTES, HallSite
from controller.web.server.access import COOKIE, LoginResult
from controller.web.server.pages import STATUS, enter_pin, let_in

HOME: Final = "/"


def entry_routes(site: HallSite) -> list[Route]:
    """Logging in and out."""

    async def log_in(request: Request) -> Response:
        if request.method != "POST":
            site.access.look_at_pin()
            return _login_page(site, request, None)
        try:
            form = parse_qs((await request.body()).decode("utf-8", "replace"))
        except ClientDisconnect:
            return Response(status_code=413)
        site.access.look_at_pin()
        login = await enter_pin(site.access, request, form.get("pin", [""])[0].strip())
        if login.result is not LoginResult.DONE:
            return _login_page(site, request, login.result)
        return let_in(request, login, _own_path(form.get("next", [HOME])[0]))

    async def log_out(request: Request) -> Response:
        site.access.log_out(site.person(request))
        answer = RedirectResponse(HOME, 303)
        answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return answer

    return [
        Route("/login", log_in, methods=["GET", "POST"], name="login"),
        Route("/logout", log_out, methods=["POST"], name="logout"),
    ]


def _login_page(site: HallSite, request: Request, result: LoginResult | None) -> Response:
    person = site.person(request)
    text = site.render(
        "login",
        site.language(request),
        result=None if result is None else str(result),
        first=not site.access.director_hash and person.at_table,
        person=person,
        next=_own_path(request.query_params.get("next", HOME)),
        pins=False,
    )
    return HTMLResponse(
        text, 200 if result is None else STATUS[result], headers={"Cache-Control": "no-store"}
    )


def _own_path(path: str) -> str:
    """One of the hub's own pages; the hall for any other."""
    return path if ("GET", path) in HALL_ROUTES else HOME
