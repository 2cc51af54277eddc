"""How tables are let in: the code for the director, and the way in for a table, over TLS where others can come."""

from dataclasses import replace
from typing import Any

from fastapi import APIRouter, FastAPI, HTTPException, Request, Response
from pydantic import BaseModel, Field
from starlette.types import ASGIApp

from controller import __version__
from controller.club.pairing import PATH, PairingOffer, TableLogin
from controller.club.topics import ClubNameError
from controller.errors import UserError
from controller.hub.pairing import LASTS_S
from controller.hub.server.site import HallSite
from controller.web.server.access import client_address, own_names
from controller.web.server.api import aside, rightful_router
from controller.web.server.guard import Guard
from controller.web.server.picture import svg_of


class PairingAsked(BaseModel):
    """A table that wants to belong to the club."""

    code: str = Field(max_length=80)
    table: str = Field(max_length=64)


class PairingCodeShown(BaseModel):
    """The code to be typed at a table, the text of its QR code, and for how long it holds."""

    code: str
    link: str
    left_s: float


def pairing_routes(site: HallSite) -> APIRouter:
    """The routes on the pages' own port: tables are let in here only where nobody else can come."""
    router = rightful_router(site)

    @router.post("/pairings-code")
    async def pairings_code() -> PairingCodeShown:
        """Show a new code, with which one table can be paired within five minutes."""
        shown = site.pairing.new_code()
        return PairingCodeShown(code=shown.text, link=shown.link, left_s=LASTS_S)

    @router.get("/pairings-code.svg", response_class=Response)
    async def picture() -> Response:
        """The code that is shown, to be photographed."""
        shown = site.pairing.shown()
        if shown is None:
            raise HTTPException(404, "No code is shown.")
        return Response(svg_of(shown.link), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})

    @router.get("/pair")
    async def offer() -> PairingOffer:
        """How tables are let in: at which port over TLS, and who vouches for this hub."""
        return site.pairing.offer

    @router.post("/pair")
    async def pair(request: Request, asked: PairingAsked) -> TableLogin:
        """Let a table in that knows the code."""
        if site.pairing.offer.port:
            raise HTTPException(403, "This hub lets tables in over TLS only; update the table's program.")
        return await _let_in(site, request, asked)

    return router


def make_pairing_app(site: HallSite, names: tuple[str, ...]) -> ASGIApp:
    """The way in for tables, as an application for a server that speaks TLS; ``names`` as of `make_hall_app`."""
    app = FastAPI(title="Pointsman hub", version=__version__, docs_url=None, redoc_url=None, openapi_url=None)

    @app.post(PATH)
    async def pair(request: Request, asked: PairingAsked) -> TableLogin:
        """Let a table in that knows the code."""
        return await _let_in(site, request, asked)

    return Guard(app, own_names(names))


async def _let_in(site: HallSite, request: Request, asked: PairingAsked) -> TableLogin:
    try:
        login: Any = await aside(site, site.pairing.pair, asked.code, asked.table, client_address(request))
    except ClubNameError as error:
        raise HTTPException(422, str(error)) from None
    except UserError as error:
        raise HTTPException(403, str(error)) from None
    told: TableLogin = login
    return replace(told, host=told.host or request.url.hostname or "")
