"""The programs' side of the hub, below `/api/v1`: typed, so that `/openapi.json` describes it."""

import asyncio
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi import Path as InPath
from pydantic import BaseModel, ConfigDict, Field

from controller.errors import UserError
from controller.hub.hall import TableShown, find_table
from controller.hub.server.content import event_content, screen_of, table_content, trouble_content
from controller.hub.server.site import HallSite
from controller.hub.tables.commands import TableAskError
from controller.messages.catalogue import catalogue
from controller.referee.events import DIRECTOR
from controller.web.server.api import aside, rightful_router
from controller.web.server.rights import COMMANDS

MOST: Final = 1000
"""This many entries are sent at once."""
TableName = Annotated[str, InPath(max_length=32)]
OF_HALL: Final = frozenset({"start_match", "message"})
"""What a table takes from the hub beside the commands of its own pages."""


class TablesListed(BaseModel):
    """Every table that was ever heard."""

    tables: list[dict[str, Any]]


class HubTroubles(BaseModel):
    """What is wrong with the hub itself, each with its ``text``; empty while all is well."""

    troubles: list[dict[str, Any]]


class StoredEvents(BaseModel):
    """Stored entries; ``next`` is what to ask with as ``after`` to get those that follow."""

    events: list[dict[str, Any]]
    next: int


class TableState(BaseModel):
    """A table, and the state of its screen as `hardware_docs/live.md` describes it."""

    table: dict[str, Any]
    state: dict[str, Any] | None


class TableCommandSent(BaseModel):
    """Something that a director says to a table, with the keys that belong to it."""

    model_config = ConfigDict(extra="allow")

    id: str = Field(
        min_length=8, max_length=64, pattern=r"^[0-9A-Za-z-]+$", description="the command's own name"
    )
    what: str = Field(max_length=40)
    seen: int | None = Field(None, ge=0, le=2**53, description="the newest event of the match that was seen")
    name: str = Field("", max_length=80, description="who says it, for the record")


class TableAnswer(BaseModel):
    """What became of a command, ``answer`` is ``done`` or ``refused``."""

    answer: str
    event: int
    text: str | None


def hall_api_routes(site: HallSite) -> APIRouter:
    """The routes below `/api/v1`, but for the WebSocket and pairing."""
    router = rightful_router(site)

    @router.get("/tables")
    async def tables(request: Request) -> TablesListed:
        """Every table that was ever heard, by name."""
        role = site.role(request)
        return TablesListed(tables=[table_content(each, role) for each in site.hall.tables()])

    @router.get("/trouble")
    async def trouble(request: Request) -> HubTroubles:
        """What is wrong with the hub itself: its broker, its store."""
        texts = catalogue(site.language(request))
        return HubTroubles(
            troubles=[
                trouble_content(each)
                | {"text": texts.text("page", "hall", "hub_trouble", str(each.fault), reason=each.reason)}
                for each in site.hall.troubles()
            ]
        )

    @router.get("/tables/{name}/events")
    async def events(
        name: TableName,
        after: Annotated[int, Query(ge=0, le=2**53)] = 0,
        limit: Annotated[int, Query(ge=1, le=MOST)] = MOST,
        journal: Annotated[str, Query(max_length=64)] = "",
    ) -> StoredEvents:
        """Stored entries of a table after a number, in the order in which they were stored."""
        _find(site, name)
        try:
            found: Any = await aside(
                site, partial(_read, site, name, after=after, journal=journal, most=limit)
            )
        except UserError as error:
            raise HTTPException(503, str(error)) from None
        return StoredEvents(
            events=[event_content(each) for each in found], next=found[-1].number if found else after
        )

    @router.get("/tables/{name}/state")
    async def state(request: Request, name: TableName) -> TableState:
        """What a table shows; the director sees a view of their own."""
        role, table = site.role(request), _find(site, name)
        screen = screen_of(table, role)
        return TableState(table=table_content(table, role), state=None if screen is None else dict(screen))

    @router.post("/tables/{name}/commands")
    async def commands(request: Request, name: TableName, command: TableCommandSent) -> TableAnswer:
        """Say something to a table as the director. The same `id` again gets the same answer."""
        _find(site, name)
        if not site.pace.allows(site.person(request).session):
            raise HTTPException(429, catalogue(site.language(request)).text("live", "answer", "too_many"))
        if command.what not in COMMANDS and command.what not in OF_HALL:
            raise HTTPException(422, f"There is no command {command.what[:40]!r}.")
        body = command.model_dump(exclude_unset=True)
        for key in ("id", "seen", "name"):
            body.pop(key, None)
        asked = site.hall.ask(
            name, body, by=DIRECTOR, name=command.name, seen=command.seen, command=command.id
        )
        try:
            reply = await asyncio.wrap_future(asked)
        except TableAskError as error:
            raise HTTPException(503, error.in_language(site.language(request))) from None
        except UserError as error:
            raise HTTPException(503, str(error)) from None
        return TableAnswer(
            answer="done" if reply.done else "refused", event=reply.event, text=reply.text or None
        )

    return router


def _read(site: HallSite, name: str, after: int, journal: str, most: int) -> Any:
    return site.hall.events(name, after=after, journal=journal, most=most)


def _find(site: HallSite, name: str) -> TableShown:
    found = find_table(site.hall, name)
    if found is None:
        raise HTTPException(404, "There is no such table at this hub.")
    return found
