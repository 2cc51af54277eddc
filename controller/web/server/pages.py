"""The pages, and the way in and out for people with a PIN."""

from typing import Final
from urllib.parse import parse_qs, quote

from fastapi import APIRouter
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from controller.messages.catalogue import LANGUAGES
from controller.messages.table_words import capital
from controller.rules import Side
from controller.web.audience import Audience
from controller.web.phone.desk import PhoneDesk
from controller.web.server.access import (
    AGAIN_S,
    COOKIE,
    DEVICE_COOKIE,
    Access,
    LoginAnswer,
    LoginResult,
    Person,
    client_address,
    is_loopback,
)
from controller.web.server.devices import KNOWN_S
from controller.web.server.guard import WITH_CAMERA
from controller.web.server.picture import svg_of
from controller.web.server.site import LANGUAGE, ONLY_WATCHED, PAGES, TEMPLATES, Site
from controller.web.table_service import Role
from controller.web.welcome.desk import Admission
from controller.web.wording import Wording

STATUS: Final = {
    LoginResult.WRONG: 403,
    LoginResult.NOT_HERE: 403,
    LoginResult.TOO_SHORT: 400,
    LoginResult.WRONG_CODE: 403,
    LoginResult.WAIT: 429,
}


def page_routes(site: Site) -> list[Route]:
    """A route for each page that there is a template for, and for logging in and out."""

    async def show(request: Request) -> Response:
        path = request.url.path
        person = site.person(request)
        if not site.may(person, "GET", path):
            return RedirectResponse(f"/login?next={quote(path)}", 303)
        if path == "/" and _is_first_start(site, person):
            return RedirectResponse("/welcome", 303)
        return _page(site, request, PAGES[path])

    async def log_in(request: Request) -> Response:
        if request.method != "POST":
            return _login_page(site, request, None)
        try:
            form = parse_qs((await request.body()).decode("utf-8", "replace"))
        except ClientDisconnect:
            return Response(status_code=413)
        pin = form.get("pin", [""])[0].strip()
        site.access.look_at_pin()
        login = await enter_pin(site.access, request, pin, site.match)
        if login.result is not LoginResult.DONE:
            return _login_page(site, request, login.result)
        return let_in(request, login, _own_path(form.get("next", ["/"])[0]))

    async def log_out(request: Request) -> Response:
        site.access.log_out(site.person(request))
        answer = RedirectResponse("/", 303)
        answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return answer

    async def pins(request: Request) -> Response:
        if not site.may(site.person(request), "GET", "/pins"):
            return RedirectResponse("/login?next=/pins", 303)
        return with_language(request, never_kept(HTMLResponse(_pins_text(site, request))))

    async def code(request: Request) -> Response:
        side = request.path_params["side"]
        if not site.may(site.person(request), "GET", "/pins/{side}.svg"):
            return Response(status_code=403)
        address = network_address(site, request)
        if side not in set(Side) or not address or not site.match:
            return Response(status_code=404)
        # What follows the # stays in the phone: no server and no log is told it.
        drawn = svg_of(f"{address}login#{site.access.pin_of(site.match, Side(side))}")
        return never_kept(Response(drawn, media_type="image/svg+xml"))

    there = [path for path, page in PAGES.items() if (TEMPLATES / f"{page}.html").exists()]
    return [
        *(Route(path, show, methods=["GET"], name=PAGES[path]) for path in there),
        Route("/pins", pins, methods=["GET"], name="pins"),
        Route("/pins/{side}.svg", code, methods=["GET"], name="code"),
        Route("/login", log_in, methods=["GET", "POST"], name="login"),
        Route("/logout", log_out, methods=["POST"], name="logout"),
    ]


async def enter_pin(access: Access, request: Request, pin: str, match: str = "") -> LoginAnswer:
    """What becomes of a PIN that came with a request, as of `Access.log_in`."""
    client = request.client.host if request.client else ""
    return await access.log_in(
        pin,
        match,
        client_address(request),
        loopback=is_loopback(client, request.headers),
        device=request.cookies.get(DEVICE_COOKIE),
    )


def let_in(request: Request, login: LoginAnswer, path: str) -> Response:
    """The way to a page for somebody with a right PIN, and the cookies that it is worth."""
    answer = RedirectResponse(path, 303)
    secure = request.url.scheme == "https"
    answer.set_cookie(
        COOKIE, login.session, max_age=AGAIN_S, path="/", httponly=True, samesite="strict", secure=secure
    )
    if login.device:
        set_device_cookie(request, answer, DEVICE_COOKIE, login.device, "/login")
    return answer


def set_device_cookie(request: Request, answer: Response, name: str, cookie: str, path: str) -> None:
    """Let the device that a request comes from be known again where it types PINs."""
    secure = request.url.scheme == "https"
    answer.set_cookie(
        name, cookie, max_age=KNOWN_S, path=path, httponly=True, samesite="strict", secure=secure
    )


def code_router(site: Site, phone: PhoneDesk) -> APIRouter:
    """The code by which a phone becomes the camera, for whoever may set the table up."""
    router = APIRouter(tags=["phone"])

    @router.post("/api/v1/setup/phone")
    async def show_code(request: Request) -> dict[str, str]:
        """A new code, and the address that a phone opens; it is empty where phones may open no pages."""
        code = phone.new_code()
        address = network_address(site, request)
        return {"code": code, "address": f"{address}camera#{code}" if address else ""}

    @router.get("/api/v1/setup/phone.svg", response_class=Response)
    async def square(request: Request) -> Response:
        """The same address to be photographed."""
        code, address = phone.code(), network_address(site, request)
        if not code or not address:
            return Response(status_code=404)
        return never_kept(Response(svg_of(f"{address}camera#{code}"), media_type="image/svg+xml"))

    return router


def _page(site: Site, request: Request, page: str) -> Response:
    audience = site.audience(request, site.person(request))
    if page in ONLY_WATCHED:
        audience = Audience(Role.VIEWER, None, audience.language)
    snapshot = site.outlet.snapshot(audience)
    answer = HTMLResponse(site.render(page, audience.language, snapshot=snapshot, token=None))
    if page == "camera":
        answer.headers["Permissions-Policy"] = WITH_CAMERA
    return with_language(request, never_kept(answer))


def _is_first_start(site: Site, person: Person) -> bool:
    """Whether the table's own screen shows how a new table is set up."""
    welcome, view = site.settings.welcome, site.outlet.view
    return (
        person.at_table
        and welcome is not None
        and welcome.admission(has_director=bool(site.access.director_hash)) is Admission.NEW
        and not welcome.knows_board()
        and view.match is None
    )


def _login_page(site: Site, request: Request, result: LoginResult | None) -> Response:
    person, language = site.person(request), site.language(request)
    first = not site.access.director_hash and person.at_table
    text = site.render(
        "login",
        language,
        result=None if result is None else str(result),
        first=first,
        person=person,
        next=_own_path(request.query_params.get("next", "/")),
        pins=bool(site.match) and site.may(person, "GET", "/pins"),
    )
    status = 200 if result is None else STATUS[result]
    return with_language(request, never_kept(HTMLResponse(text, status)))


def _own_path(path: str) -> str:
    """One of the pages' own addresses, perhaps with a place in the page; the table for any other."""
    page, _, place = path.partition("#")
    return path if page in (*PAGES, "/pins") and (not place or place.isalpha()) else "/"


def _pins_text(site: Site, request: Request) -> str:
    shown, language = site.outlet.view.match, site.language(request)
    people = []
    if shown is not None:
        wording = Wording.for_audience(site.outlet.view, Audience(language=language))
        people = [
            {"side": str(side), "name": shown.names.get(side) or capital(wording.side(side))}
            | {"pin": site.access.pin_of(shown.id, side)}
            for side in Side
        ]
    address = network_address(site, request)
    return site.render("pins", language, people=people, address=address)


def network_address(site: Site, request: Request, scheme: str = "") -> str:
    """The address by which phones open the pages; empty where they may not. By TLS, unless a scheme is named."""
    host = site.settings.reached_at()
    server = request.scope.get("server") or ("", 80)
    scheme = scheme or ("http" if site.settings.certificates is None else "https")
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{server[1]}/" if host else ""


def never_kept(answer: Response) -> Response:
    """An answer that nothing between the table and its reader keeps."""
    answer.headers["Cache-Control"] = "no-store"
    return answer


def with_language(request: Request, answer: Response) -> Response:
    """The answer, and a cookie for the language if one was chosen with it."""
    chosen = request.query_params.get(LANGUAGE)
    if chosen in LANGUAGES:
        secure = request.url.scheme == "https"
        answer.set_cookie(LANGUAGE, chosen, max_age=31_536_000, path="/", samesite="strict", secure=secure)
    return answer
