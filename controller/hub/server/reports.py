"""Reports on matches, and journals as files: for the director, and for players who have a report's address."""

import tempfile
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, HTTPException
from pydantic import BaseModel
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from controller.errors import UserError
from controller.hub.hall import table_title
from controller.hub.journal_copy import copy_journal
from controller.hub.reports import MatchReport
from controller.hub.server.site import HallSite
from controller.web.server.api import aside, rightful_router
from controller.web.server.picture import svg_of

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"
)
"""A report is one file with its styles and boards inside, and no program."""


class ReportsListed(BaseModel):
    """Reports since the hub began; ``address`` is where players read one, empty while it is not done."""

    reports: list[dict[str, Any]]


def report_api_routes(site: HallSite) -> APIRouter:
    """The routes below `/api/v1`."""
    router = rightful_router(site)

    @router.get("/reports")
    async def reports() -> ReportsListed:
        """Every report on a match that ended since the hub began."""
        return ReportsListed(reports=[_content(site, each) for each in _reports(site)])

    @router.get("/tables/{name}/journals/{journal}", response_class=FileResponse)
    async def journal(name: str, journal: str) -> FileResponse:
        """A journal of a table as a file that every command of Pointsman reads."""
        folder = Path(tempfile.mkdtemp(prefix="pointsman-"))
        path = folder / "journal.db"
        try:
            await aside(site, copy_journal, site.hall, name, journal, path)
        except UserError as error:
            _clear(folder)
            raise HTTPException(404, str(error)) from None
        return FileResponse(path, filename=f"{name}-{journal}.db", background=BackgroundTask(_clear, folder))

    return router


def report_page_routes(site: HallSite) -> list[Route]:
    """The pages of reports."""

    async def page(request: Request) -> Response:
        if not site.may(site.person(request), "GET", "/reports"):
            return RedirectResponse("/login?next=/reports", 303)
        text = site.render(
            "reports",
            site.language(request),
            reports=[_content(site, each) for each in _reports(site)],
            on=site.reports is not None,
        )
        return HTMLResponse(text, headers={"Cache-Control": "no-store", "Refresh": "10"})

    async def report(request: Request) -> Response:
        found = None if site.reports is None else site.reports.page(request.path_params["token"])
        if found is None:
            return PlainTextResponse(
                "There is no such report, or it is not done yet; try again in a minute.", 404
            )
        return FileResponse(found, media_type="text/html", headers={"Content-Security-Policy": POLICY})

    async def code(request: Request) -> Response:
        token = request.path_params["token"]
        if not any(each.token == token for each in _reports(site)):
            return PlainTextResponse("There is no such report.", 404)
        return Response(svg_of(_address(site, token)), media_type="image/svg+xml")

    return [
        Route("/reports", page),
        Route("/report/{token}", report),
        Route("/report/{token}/code.svg", code),
    ]


def _reports(site: HallSite) -> tuple[MatchReport, ...]:
    return () if site.reports is None else tuple(site.reports.reports())


def _content(site: HallSite, report: MatchReport) -> dict[str, Any]:
    return {
        "table": report.table,
        "title": table_title(site.hall, report.table),
        "journal": report.journal,
        "players": report.players,
        "state": str(report.state),
        "why": report.why,
        "token": report.token,
        "address": _address(site, report.token) if report.state == "done" else "",
    }


def _address(site: HallSite, token: str) -> str:
    return f"{site.address}report/{token}"


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
