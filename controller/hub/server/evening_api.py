"""The tournament below `/api/v1/evening`: everybody reads it, the director changes it."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi import Path as InPath
from pydantic import BaseModel, ConfigDict

from controller.errors import UserError
from controller.hub.evening.club_evening import ClubEvening
from controller.hub.evening.content import evening_content
from controller.hub.server.confirming import pins_of
from controller.hub.server.deeds import DeedSent, carry_out
from controller.hub.server.site import HallSite
from controller.tournament.fault import RefusalError, TournamentError
from controller.tournament.match import Bracket
from controller.tournament.sheets.data import tournament_csv, tournament_json
from controller.tournament.sheets.drawing import bracket_svg
from controller.tournament.sheets.page import tournament_html
from controller.web.server.api import aside, rightful_router
from controller.web.table_service import Role
from controller.web.wire.download import kept_as


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
            raise HTTPException(409, error.in_language(site.language(request))) from None
        except UserError as error:
            raise HTTPException(409, str(error)) from None

    @router.get("/evening")
    async def shown(request: Request) -> EveningShown:
        """The tournament, in the language of whoever asks; the director sees more than others."""
        director = site.role(request) is Role.DIRECTOR
        work = partial(
            evening_content, evening, site.language(request), director=director, pins=pins_of(site)
        )
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
        part = {"csv": table, "svg": bracket}.get(form, "")
        name = f"tournament-{part}.{form}" if part else f"tournament.{form}"
        return Response(text, media_type=kind, headers={**kept_as(name), "Cache-Control": "no-store"})

    return router


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
