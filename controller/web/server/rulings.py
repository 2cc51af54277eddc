"""What the director's page asks for beside the state: the evidence for a turn, the dice enlarged, closed matters."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi import Path as InPath
from pydantic import BaseModel

from controller.errors import UserError
from controller.record.evidence.picture_pass import pass_holds
from controller.web.evidence import (
    EvidenceNotFoundError,
    dispute_page,
    kept_picture,
    packet_of,
    pictures_of,
    straight_turn_picture,
    turn_picture,
)
from controller.web.server.api import CommandAnswer, aside, rightful_router
from controller.web.server.picture import dice_jpeg
from controller.web.server.site import Site
from controller.web.wire.download import kept_as

Game = Annotated[int, InPath(ge=1, le=10_000)]
Ply = Annotated[int, InPath(ge=0, le=100_000)]
Digest = Annotated[str, InPath(pattern="^[0-9a-f]{64}$")]
KEEP = {"Cache-Control": "no-store"}


class PictureListed(BaseModel):
    """A picture of a turn."""

    role: str
    number: int
    t_s: float


class TurnPicturesListed(BaseModel):
    """The pictures of a turn."""

    game: int
    ply: int
    pictures: list[PictureListed]


def ruling_routes(site: Site) -> APIRouter:
    """The routes of the director's page."""
    router = rightful_router(site)

    @router.get("/matches/{match}/turns/{game}/{ply}")
    async def pictures(match: str, game: Game, ply: Ply) -> TurnPicturesListed:
        """Which pictures of a turn of the match that is on the journal vouches for."""
        found = await _looked_up(site, match, pictures_of, game, ply)
        listed = [PictureListed(role=each.role, number=each.number, t_s=each.t_s) for each in found]
        return TurnPicturesListed(game=game, ply=ply, pictures=listed)

    @router.get("/matches/{match}/turns/{game}/{ply}/{role}.jpg", response_class=Response)
    async def picture(match: str, game: Game, ply: Ply, role: str, straight: bool = False) -> Response:
        """The board `before` a turn or `after` it, JPEG; with `straight` as the pages draw it."""
        if straight:
            straightened = partial(straight_turn_picture, light_home=site.outlet.view.light_home)
            data = await _looked_up(site, match, straightened, game, ply, role)
        else:
            data = await _looked_up(site, match, turn_picture, game, ply, role)
        return Response(data, media_type="image/jpeg", headers=KEEP)

    @router.get("/matches/{match}/turns/{game}/{ply}/dispute.html", response_class=Response)
    async def dispute(request: Request, match: str, game: Game, ply: Ply) -> Response:
        """All that is known about a turn on one page, as `pointsman dispute` writes it."""
        text = await _looked_up(site, match, dispute_page, game, ply, site.language(request))
        named = {**kept_as(f"{match}-game-{game}-turn-{ply + 1}.html"), **KEEP}
        return Response(text, media_type="text/html; charset=utf-8", headers=named)

    @router.get("/matches/{match}/packet.zip", response_class=Response)
    async def packet(request: Request, match: str) -> Response:
        """The match as one file with its seals and the pictures of flagged turns, as `pointsman packet` writes it."""
        data = await _looked_up(site, match, packet_of, site.language(request))
        named = {**kept_as(f"{match}-packet.zip"), **KEEP}
        return Response(data, media_type="application/zip", headers=named)

    @router.get("/evidence/{sha256}", response_class=Response)
    async def evidence(request: Request, sha256: Digest) -> Response:
        """A picture by its digest, JPEG, for the club's hub: with a pass that it has signed, as a bearer's token."""
        shown, settings = site.outlet.view.match, site.settings
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        holds = scheme.casefold() == "bearer" and pass_holds(
            given.strip(), settings.hub_key, settings.club_table, sha256
        )
        if not holds or shown is None:
            raise HTTPException(404, "There is no such picture for whoever asks.")
        data = await _looked_up(site, shown.id, kept_picture, sha256)
        return Response(data, media_type="image/jpeg", headers=KEEP)

    @router.post("/needs/{need}/settle")
    async def settle(need: str) -> CommandAnswer:
        """Close a matter that needs the director as it stands."""
        if not site.outlet.settle(need):
            raise HTTPException(404, "There is no such matter, or it wants a ruling.")
        return CommandAnswer(answer="done", event=site.outlet.view.event, text=None)

    @router.get("/dice.jpg", response_class=Response)
    async def dice() -> Response:
        """The dice in the newest picture, enlarged, JPEG."""
        glimpse = site.house.glimpse()
        reading = None if glimpse is None else glimpse.reading
        if glimpse is None or reading is None or not reading.dice:
            raise HTTPException(404, "No dice are seen.")
        data = await aside(site, dice_jpeg, glimpse.picture, reading.dice)
        return Response(data, media_type="image/jpeg", headers=KEEP)

    return router


async def _looked_up(site: Site, match: str, look: Any, *given: Any) -> Any:
    """What is found in the folder of the match that is on, or was played last."""
    shown = site.outlet.view.match
    if shown is None or shown.id != match:
        raise HTTPException(404, "There is no such match at this table.")
    folder: Path = shown.folder
    try:
        return await aside(site, look, folder, *given)
    except EvidenceNotFoundError as error:
        raise HTTPException(404, str(error)) from None
    except UserError as error:
        raise HTTPException(409, str(error)) from None
