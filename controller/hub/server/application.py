"""The application: every address of the hub's server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from controller import __version__
from controller.club.pairing import PATH
from controller.hub.server.api import hall_api_routes
from controller.hub.server.confirming import confirm_routes
from controller.hub.server.entry import entry_routes
from controller.hub.server.evening_api import evening_routes
from controller.hub.server.evening_live import EveningFeed, evening_live_routes
from controller.hub.server.evidence import evidence_routes
from controller.hub.server.hall_pages import HALL_STATIC, hall_page_routes
from controller.hub.server.live import HallFeed, hall_live_routes
from controller.hub.server.pairing import pairing_routes
from controller.hub.server.reports import report_api_routes, report_page_routes
from controller.hub.server.site import HallSite
from controller.hub.server.uplink import uplink_routes
from controller.web.server.access import own_names
from controller.web.server.guard import Guard
from controller.web.server.health import health_routes
from controller.web.server.secure_entry import SecureEntry
from controller.web.server.site import STATIC
from controller.web.wire.certificates import Certificates
from controller.web.wire.events import SocketsAsEvents

LARGEST: Final = 1 << 20
"""Bytes of a request: an uplink sends many entries at once."""


PLAIN: Final = frozenset({PATH})
"""What is read without TLS, too: a table gets to know the club's authority there, and compares it with the code."""


def make_hall_app(
    site: HallSite, names: tuple[str, ...] = (), certificates: Certificates | None = None
) -> ASGIApp:
    """The hub's pages, its live channel and its commands, as an application for an ASGI server.

    ``names`` are more names by which this machine is reached; with ``certificates`` others reach it over TLS only.
    """
    app = SecureEntry(SocketsAsEvents(make_inner_hall_app(site)), certificates, site, PLAIN)
    return Guard(app, own_names(names), LARGEST)


def make_inner_hall_app(site: HallSite) -> FastAPI:
    """The application without its guard."""
    feed = HallFeed(site)
    evening_feed = None if site.evening is None else EveningFeed(site, site.evening)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        telling = [asyncio.create_task(feed.run())]
        if evening_feed is not None:
            telling.append(asyncio.create_task(evening_feed.run()))
        yield
        for task in telling:
            task.cancel()
        await asyncio.gather(*telling, return_exceptions=True)
        site.close()

    app = FastAPI(
        title="Pointsman hub", version=__version__, lifespan=life, docs_url=None, redoc_url=None, routes=None
    )
    app.include_router(hall_api_routes(site))
    app.include_router(pairing_routes(site))
    app.include_router(report_api_routes(site))
    app.include_router(evidence_routes(site))
    app.include_router(uplink_routes(site))
    app.router.routes += health_routes(site, site.health)
    app.router.routes += [*report_page_routes(site), *entry_routes(site), *hall_live_routes(site, feed)]
    if site.evening is not None and evening_feed is not None:
        app.include_router(evening_routes(site, site.evening))
        app.router.routes += [*evening_live_routes(site, evening_feed), *hall_page_routes(site)]
        app.router.routes += confirm_routes(site, site.evening)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.mount("/static/hub", StaticFiles(directory=HALL_STATIC), name="hall-static")
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app
