"""The programs' side of the server, below `/api/v1`: typed, so that `/openapi.json` describes it."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, Final, Protocol

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import HTTPConnection

from controller.errors import UserError
from controller.messages.catalogue import catalogue
from controller.record import Journal, MatchRecord
from controller.record.files.formats import Format, format_match
from controller.record.journal.seal import table_seals
from controller.record.match.match_log import read_match
from controller.record.table.match_folder import JOURNAL, NAME
from controller.web.jpeg import jpeg_of
from controller.web.plies import games_of, plies_of
from controller.web.server.access import Person
from controller.web.server.commands import CommandError, SlowError
from controller.web.server.picture import board_jpeg
from controller.web.server.rights import COMMANDS
from controller.web.server.site import Site
from controller.web.table_service import Role
from controller.web.wire.download import kept_as

TYPES: Final = {
    Format.JSON: "application/json",
    Format.OGXM: "application/octet-stream",
    Format.HTML: "text/html; charset=utf-8",
}
"""What the match files are; the others are plain text."""


class Problem(BaseModel):
    """Why a request was not answered."""

    detail: str | list[dict[str, Any]]


class Snapshot(BaseModel):
    """The whole state of the table; `hardware_docs/live.md` describes it."""

    v: int
    kind: str
    run: str
    seq: int
    event: int
    state: dict[str, Any]


class CommandSent(BaseModel):
    """Something that a person says to the table, with the keys that belong to it."""

    model_config = ConfigDict(extra="allow")

    id: str = Field(
        min_length=8, max_length=64, pattern=r"^[0-9A-Za-z-]+$", description="the command's own name"
    )
    what: str = Field(max_length=40)
    seen: int | None = Field(
        None, ge=0, le=2**53, description="the number of the latest message that was seen"
    )
    run: str | None = Field(None, max_length=40)


class CommandAnswer(BaseModel):
    """What became of a command."""

    answer: str
    event: int
    text: str | None


class Plies(BaseModel):
    """The turns of one game."""

    game: int
    games: int
    plies: list[dict[str, Any]]


_PROBLEM: Final = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}
REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    400: {"model": Problem},
    **dict.fromkeys((401, 403, 404, 409, 413, 421, 422, 429, 503), _PROBLEM),
}
"""What any of the addresses may answer. The model stands at one of them: FastAPI makes a validator of each, for
every address, and the application takes twice as long to make."""


class Gate(Protocol):
    """Knows who asks, and what they may open.

    Attributes:
        pool: where work is done beside the loop.
    """

    pool: ThreadPoolExecutor

    def person(self, asking: HTTPConnection) -> Person:
        """Who asks."""

    def may(self, person: Person, method: str, path: str) -> bool:
        """Whether somebody may open an address, by its name in the table of rights."""


def rightful_router(site: Gate) -> APIRouter:
    """A router below `/api/v1` that opens to those only to whom the table of rights does."""

    class RightfulRoute(APIRoute):
        """One of its routes."""

        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            handle = super().get_route_handler()

            async def handle_rightful(request: Request) -> Response:
                person = site.person(request)
                if not site.may(person, request.method, self.path_format):
                    status = 403 if person.session or person.role is not Role.VIEWER else 401
                    raise HTTPException(status, "Please log in with a PIN that allows this.")
                return await handle(request)

            return handle_rightful

    return APIRouter(prefix="/api/v1", responses=REFUSALS, route_class=RightfulRoute)


def api_routes(site: Site) -> APIRouter:
    """The routes below `/api/v1` for everybody, but for the WebSockets."""
    router = rightful_router(site)

    @router.get("/state")
    async def state(request: Request) -> Snapshot:
        """The state of the table, as whoever asks may see it."""
        content: Any = site.outlet.snapshot(site.audience(request, site.person(request)))
        return Snapshot(**content)

    @router.post("/commands")
    async def commands(request: Request, command: CommandSent) -> CommandAnswer:
        """Say something to the table. The same `id` again gets the same answer."""
        person = site.person(request)
        if command.what not in COMMANDS:
            raise HTTPException(422, f"There is no command {command.what[:40]!r}.")
        if not site.has(person, COMMANDS[command.what]):
            raise HTTPException(403, "Only the director may say this.")
        audience = site.audience(request, person)
        if not site.pace.allows(person.session or str(request.client and request.client.host)):
            raise HTTPException(429, catalogue(audience.language).text("live", "answer", "too_many"))
        given = command.model_dump(exclude_unset=True)
        channel = site.outlet.channel(audience)
        try:
            answer: Any = await site.commands.give(given, person, site.outlet.view, channel, audience)
        except CommandError as error:
            raise HTTPException(422, str(error)) from None
        except SlowError:
            raise HTTPException(503, catalogue(audience.language).text("live", "answer", "slow")) from None
        return CommandAnswer(**answer)

    @router.get("/matches/{match}/plies")
    async def plies(request: Request, match: str, game: Annotated[int, Query(ge=1, le=10_000)] = 1) -> Plies:
        """The turns of a game of the match that is on, the last word on each."""
        record = await match_record(site, match)
        audience = site.audience(request, site.person(request))
        view = site.outlet.view_of(audience)
        games = games_of(record, view, late=site.outlet.is_late(audience))
        if game > games:
            raise HTTPException(404, f"The match has {games} games.")
        listed: Any = list(plies_of(record, game, view, audience, late=site.outlet.is_late(audience)))
        return Plies(game=game, games=games, plies=listed)

    @router.get("/matches/{match}.{form}", response_class=Response)
    async def export(match: str, form: str) -> Response:
        """The match as a file: `mat`, `sgf`, `snowie`, `ogxm`, `json`, `text` or `html`."""
        if form not in set(Format):
            raise HTTPException(404, f"A match is written as {', '.join(Format)}.")
        data: bytes = await of_match(site, match, _exported, Format(form))
        kind = TYPES.get(Format(form), "text/plain; charset=utf-8")
        ending = {"snowie": "snowie.txt", "text": "txt"}.get(form, form)
        return Response(data, media_type=kind, headers=kept_as(f"{match}.{ending}"))

    @router.get("/picture", response_class=Response)
    async def picture(
        width: Annotated[int, Query(ge=160, le=1920)] = 960, straight: bool = False
    ) -> Response:
        """The newest picture of the camera, JPEG; with `straight` the board alone, as the pages draw it."""
        glimpse = site.house.glimpse()
        if glimpse is None:
            raise HTTPException(404, "No camera delivers pictures.")
        if straight and glimpse.board is not None:
            light_home = site.outlet.view.light_home
            data = await aside(site, board_jpeg, glimpse.picture, glimpse.board, light_home)
        else:
            data = await aside(site, jpeg_of, glimpse.picture, width)
        return Response(
            data,
            media_type="image/jpeg",
            headers={"Cache-Control": "no-store", "X-Picture": str(glimpse.number)},
        )

    return router


async def match_record(site: Site, match: str) -> MatchRecord:
    """The record of the match that is on, or that was played last."""
    record: MatchRecord = await of_match(site, match, read_match, NAME)
    return record


async def of_match(site: Site, match: str, read: Any, *given: Any) -> Any:
    """What is read from the journal of the match that is on, or that was played last."""
    shown = site.outlet.view.match
    if shown is None or shown.id != match:
        raise HTTPException(404, "There is no such match at this table.")

    def work() -> Any:
        with Journal(shown.folder / JOURNAL, read_only=True) as journal:
            return read(journal, *given)

    try:
        return await aside(site, work)
    except UserError as error:
        raise HTTPException(409, str(error)) from None


def _exported(journal: Journal, form: Format) -> bytes:
    """The match as a file, as `pointsman export` writes it."""
    seals = table_seals(journal.events(), NAME) if form is Format.HTML else ()
    return format_match(read_match(journal, NAME), form, seals)


async def aside(site: Gate, work: Any, *given: Any) -> Any:
    """Do something beside the loop."""
    return await asyncio.get_running_loop().run_in_executor(site.pool, work, *given)
