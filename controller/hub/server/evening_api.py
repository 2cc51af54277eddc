"""The tournament below `/api/v1/evening`: everybody reads it, the director changes it, and pages follow it live."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi import Path as InPath
from pydantic import BaseModel, ConfigDict
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from controller.errors import UserError
from controller.hub.evening.club_evening import ClubEvening
from controller.hub.evening.content import evening_content, needs_content
from controller.hub.evidence.content import evidence_content
from controller.hub.need import tables_by_need
from controller.hub.server.confirming import player_pins
from controller.hub.server.deeds import DeedSent, carry_out
from controller.hub.server.site import HallSite
from controller.tournament.fault import RefusalError, TournamentError
from controller.tournament.match import Bracket
from controller.tournament.sheets.data import tournament_csv, tournament_json
from controller.tournament.sheets.drawing import bracket_svg
from controller.tournament.sheets.page import tournament_html
from controller.tournament.tournament import Tournament
from controller.web.house import Role
from controller.web.server.api import aside, rightful_router

LOOK_S: Final = 0.5
"""How often it is looked whether pages are to be told something."""
BEAT_S: Final = 2.0
"""A page hears at least so often that the hub is there."""


class EveningShown(BaseModel):
    """The tournament as whoever asks may see it; null as long as there is none."""

    model_config = ConfigDict(extra="allow")

    tournament: dict[str, Any] | None


class DeedDone(BaseModel):
    """A deed was done."""

    answer: str = "done"


def evening_routes(site: HallSite, evening: ClubEvening) -> APIRouter:
    """The routes of the tournament, but for the WebSocket."""
    router = rightful_router(site)

    async def told(request: Request, work: Callable[[], Any]) -> Any:
        try:
            return await aside(site, work)
        except RefusalError as error:
            raise HTTPException(409, error.told(site.language(request))) from None
        except UserError as error:
            raise HTTPException(409, str(error)) from None

    @router.get("/evening")
    async def shown(request: Request) -> EveningShown:
        """The tournament, in the language of whoever asks; the director sees more than others."""
        director = site.role(request) is Role.DIRECTOR
        work = partial(evening_content, evening, site.language(request), director=director, pins=_pins(site))
        return EveningShown(**await told(request, work))

    @router.post("/evening")
    async def deed(request: Request, sent: DeedSent) -> DeedDone:
        """Change the tournament. What cannot be done has a sentence, and changes nothing."""
        await told(request, partial(carry_out, evening, sent))
        return DeedDone()

    @router.get("/evening/export/{form}", response_class=Response)
    async def export(
        request: Request,
        form: Annotated[str, InPath(max_length=10)],
        table: Annotated[str, Query(max_length=20)] = "standings",
        bracket: Annotated[str, Query(max_length=20)] = "",
    ) -> Response:
        """The tournament as a file: `csv`, `json`, `html`, or `svg` for a bracket on A3."""
        text, kind = await told(
            request, partial(_exported, evening, form, table, bracket, site.language(request))
        )
        named = {
            "Content-Disposition": f'attachment; filename="tournament.{form}"',
            "Cache-Control": "no-store",
        }
        return Response(text, media_type=kind, headers=named)

    return router


def evening_live_routes(site: HallSite, evening: ClubEvening) -> list[WebSocketRoute]:
    """The tournament as it changes; for the director also what the tables need."""

    async def follow(socket: WebSocket) -> None:
        person, director = site.person(socket), site.role(socket) is Role.DIRECTOR
        await socket.accept()
        news = partial(_news, site, evening, site.language(socket), director=director)
        gone = asyncio.ensure_future(_until_gone(socket))
        try:
            await _tell(
                socket,
                gone,
                partial(asyncio.get_running_loop().run_in_executor, site.pool, news),
                partial(site.access.is_open, person.session, ""),
            )
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            gone.cancel()

    return [WebSocketRoute("/api/v1/evening/live", follow, name="evening-live")]


async def _tell(
    socket: WebSocket, gone: "asyncio.Future[None]", news: Callable[[], Any], still: Callable[[], bool]
) -> None:
    """Send what has changed as long as the page is there and may see it, and a beat where nothing does."""
    told: object = None
    quiet_s = 0.0
    while still() and not gone.done():
        now = await news()
        if now != told:
            await socket.send_json({"kind": "evening", **now})
            told, quiet_s = now, 0.0
        elif quiet_s >= BEAT_S:
            await socket.send_json({"kind": "beat"})
            quiet_s = 0.0
        await asyncio.wait((gone,), timeout=LOOK_S)
        quiet_s += LOOK_S


async def _until_gone(socket: WebSocket) -> None:
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


def _pins(site: HallSite) -> Callable[[Tournament], Mapping[int, str]]:
    return partial(player_pins, site.access.secret)


def _news(site: HallSite, evening: ClubEvening, language: str, *, director: bool) -> dict[str, Any]:
    """What a page is to show; a file that cannot be read is told, and the tables are shown nevertheless."""
    try:
        content = evening_content(evening, language, director=director, pins=_pins(site))
        unconfirmed = evening.unconfirmed()
    except UserError as error:
        content, unconfirmed = {"tournament": None}, frozenset()
        if director:
            content["trouble"] = str(error)
    content["phones"] = bool(site.address)
    if director:
        content["reports"] = site.reports is not None
        order = tables_by_need(evening.hall.tables(), evening.now_ms(), unconfirmed)
        content["order"] = needs_content(order, language)
        if site.evidence is not None:
            content["evidence"] = evidence_content(site.evidence, evening.hall.tables(), language)
    return content


def _exported(evening: ClubEvening, form: str, table: str, bracket: str, language: str) -> tuple[str, str]:
    tournament = evening.tournament()
    if tournament is None:
        raise RefusalError("no_tournament")
    if form == "json":
        return tournament_json(tournament), "application/json"
    if form == "html":
        return tournament_html(tournament, language), "text/html; charset=utf-8"
    if form == "svg":
        drawn = Bracket(bracket) if bracket in set(Bracket) else None
        return bracket_svg(tournament, language, drawn), "image/svg+xml"
    if form == "csv" and table in TABLES_OF_CSV:
        return tournament_csv(tournament, table, language), "text/csv; charset=utf-8"
    raise TournamentError(
        f"There is no {form} of {table}; there are csv ({', '.join(TABLES_OF_CSV)}), json, html and svg."
    )


TABLES_OF_CSV: Final = ("standings", "matches", "ratings", "players")
