"""The tournament below `/api/v1/evening`: everybody reads it, the director changes it, and pages follow it live."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from typing import Any, Final

from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import BaseModel, ConfigDict
from starlette.requests import HTTPConnection
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from controller.errors import UserError
from controller.hub.evening import ClubEvening
from controller.hub.evening_content import evening_content, needs_content
from controller.hub.need import tables_by_need
from controller.hub.server.deeds import DeedSent, carry_out
from controller.hub.server.gate import HallGate
from controller.tournament.fault import TournamentError
from controller.tournament.match import Bracket
from controller.tournament.sheets.data import tournament_csv, tournament_json
from controller.tournament.sheets.drawing import bracket_svg
from controller.tournament.sheets.page import tournament_html
from controller.web.house import Role

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


class DeedRefused(BaseModel):
    """Why nothing was done."""

    detail: str | list[dict[str, Any]]


REFUSED: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": DeedRefused} for status in (401, 403, 409, 413, 421, 422)
}


def evening_routes(
    evening: ClubEvening, gate: HallGate, now_ms: Callable[[], int], pool: Executor
) -> APIRouter:
    """The routes of the tournament; ``pool`` does what reads or writes its file."""
    router = APIRouter(prefix="/api/v1", responses=REFUSED)

    async def aside(work: Callable[[], Any]) -> Any:
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work)
        except UserError as error:
            raise HTTPException(409, str(error)) from None

    def is_director(asking: HTTPConnection) -> bool:
        return gate.person(asking).role is Role.DIRECTOR

    @router.get("/evening")
    async def shown(request: Request) -> EveningShown:
        """The tournament, in the language of whoever asks; the director sees more than others."""
        work = partial(evening_content, evening, gate.language(request), director=is_director(request))
        return EveningShown(**await aside(work))

    @router.post("/evening")
    async def deed(request: Request, sent: DeedSent) -> DeedDone:
        """Change the tournament; for the director. What cannot be done has a sentence, and changes nothing."""
        if not is_director(request):
            raise HTTPException(401, "Please log in with the director's PIN.")
        await aside(partial(carry_out, evening, sent))
        return DeedDone()

    @router.get("/evening/export/{form}", response_class=Response)
    async def export(request: Request, form: str, table: str = "standings", bracket: str = "") -> Response:
        """The tournament as a file: `csv`, `json`, `html`, or `svg` for a bracket on A3."""
        work = partial(_exported, evening, form, table, bracket, gate.language(request))
        text, kind = await aside(work)
        named = {
            "Content-Disposition": f'attachment; filename="tournament.{form}"',
            "Cache-Control": "no-store",
        }
        return Response(text, media_type=kind, headers=named)

    async def follow(socket: WebSocket) -> None:
        watched = socket.query_params.get("as") == Role.VIEWER
        director = is_director(socket) and not watched
        await socket.accept()
        news = partial(_news, evening, now_ms, gate.language(socket), director=director)
        gone = asyncio.ensure_future(_until_gone(socket))
        try:
            await _tell(socket, gone, partial(asyncio.get_running_loop().run_in_executor, pool, news))
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            gone.cancel()

    router.routes.append(WebSocketRoute("/api/v1/evening/live", follow, name="evening-live"))
    return router


async def _tell(socket: WebSocket, gone: "asyncio.Future[None]", news: Callable[[], Any]) -> None:
    """Send what has changed until the page is gone, and a beat where nothing does."""
    told: object = None
    quiet_s = 0.0
    while not gone.done():
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


def _news(
    evening: ClubEvening, now_ms: Callable[[], int], language: str, *, director: bool
) -> dict[str, Any]:
    """What a page is to show; a file that cannot be read is told, and the tables are shown nevertheless."""
    try:
        content = evening_content(evening, language, director=director)
        unconfirmed = evening.unconfirmed()
    except UserError as error:
        content, unconfirmed = {"tournament": None}, frozenset()
        if director:
            content["trouble"] = str(error)
    if director:
        order = tables_by_need(evening.hall.tables(), now_ms(), unconfirmed)
        content["order"] = needs_content(order, language)
    return content


def _exported(evening: ClubEvening, form: str, table: str, bracket: str, language: str) -> tuple[str, str]:
    tournament = evening.tournament()
    if tournament is None:
        raise TournamentError("There is no tournament; begin one.")
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
