"""Pictures of disputes, for the director: one by one at the desk, all of a tournament as a file."""

import tempfile
from pathlib import Path
from typing import Annotated, Final

from fastapi import APIRouter, HTTPException, Response
from fastapi import Path as InPath
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from controller.errors import UserError
from controller.hub.evidence.desk import EvidenceDesk
from controller.hub.server.site import HallSite
from controller.web.server.api import aside, rightful_router

ZIP: Final = "disputes.zip"


def evidence_routes(site: HallSite) -> APIRouter:
    """The routes below `/api/v1`."""
    router = rightful_router(site)

    @router.get("/evidence/{sha256}", response_class=Response)
    async def picture(sha256: Annotated[str, InPath(pattern="^[0-9a-f]{64}$")]) -> Response:
        """A picture of a disputed turn by its digest, JPEG."""
        found = await aside(site, _desk(site).kept.picture, sha256)
        if not isinstance(found, bytes):
            raise HTTPException(404, "This picture is not at the hub; open the table's own page.")
        return Response(found, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=86400"})

    @router.get("/evidence.zip", response_class=FileResponse)
    async def everything() -> FileResponse:
        """The disputes since the tournament began with their pictures; without a tournament all that are kept."""
        desk = _desk(site)
        folder = Path(tempfile.mkdtemp(prefix="pointsman-"))
        path = folder / ZIP
        try:
            await aside(site, desk.kept.write_zip, path, await aside(site, _began, site))
        except OSError as error:
            _clear(path)
            raise HTTPException(
                503, f"The file cannot be written ({error.strerror}); free some space."
            ) from None
        return FileResponse(path, filename=ZIP, background=BackgroundTask(_clear, path))

    return router


def _desk(site: HallSite) -> EvidenceDesk:
    if site.evidence is None:
        raise HTTPException(404, "This hub keeps no pictures; they are at the tables.")
    return site.evidence


def _began(site: HallSite) -> str:
    """When the tournament began, ISO 8601; empty without one."""
    try:
        log = None if site.evening is None else site.evening.log()
    except UserError:  # the desk tells it
        log = None
    return "" if log is None else str(log.file.records[0].get("utc", ""))


def _clear(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.parent.rmdir()
