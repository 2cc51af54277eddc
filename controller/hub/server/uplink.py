"""Where hubs of other clubs send what their tables sent them."""

import json
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, Field

from controller.club.messages import JournalPart
from controller.errors import UserError
from controller.hub.server.site import HallSite
from controller.hub.uplink.desk import UplinkDesk, confirmed
from controller.web.server.api import aside, rightful_router


class UplinkWanted(BaseModel):
    """A club whose hub is to send here."""

    club: str = Field(max_length=32)


class UplinkKey(BaseModel):
    """What that hub is started with; it is shown once, and another one for the same club replaces it."""

    key: str


class UplinkHeads(BaseModel):
    """The number of the newest stored entry of each journal of each table."""

    tables: dict[str, dict[str, int]]


def uplink_routes(site: HallSite) -> APIRouter:
    """The routes below `/api/v1`."""
    router = rightful_router(site)

    @router.post("/uplinks")
    async def uplinks(wanted: UplinkWanted) -> UplinkKey:
        """Let a club's hub send here."""
        try:
            return UplinkKey(key=await aside(site, _desk(site).let_in, wanted.club))
        except UserError as error:
            raise HTTPException(422, str(error)) from None

    @router.get("/uplink/{club}")
    async def heads(request: Request, club: str) -> UplinkHeads:
        """How far the journals of a club's tables are here."""
        desk = _known(site, request, club)
        try:
            return UplinkHeads(tables=await aside(site, desk.heads, club))
        except UserError as error:
            raise HTTPException(503, str(error)) from None

    @router.post("/uplink/{club}/{table}")
    async def part(request: Request, club: str, table: str) -> dict[str, Any]:
        """Store entries of one journal that follow each other; the answer says how far it is on the disk."""
        desk = _known(site, request, club)
        try:
            taken = desk.store_part(club, table, JournalPart.decode(await request.body()))
            told = await aside(site, confirmed, taken)
        except UserError as error:
            raise HTTPException(422, str(error)) from None
        answer: dict[str, Any] = json.loads(told.encode())
        return answer

    return router


def _desk(site: HallSite) -> UplinkDesk:
    if site.uplinks is None:
        raise HTTPException(404, "This hub takes nothing from other hubs.")
    return site.uplinks


def _known(site: HallSite, request: Request, club: str) -> UplinkDesk:
    desk = _desk(site)
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.casefold() != "bearer" or not desk.knows(club, key.strip()):
        raise HTTPException(401, "This key is none of that club's; have the director here make one.")
    return desk
