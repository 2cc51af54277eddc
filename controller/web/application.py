"""The application: every address of a table's server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from controller import __version__
from controller.web.access import own_names
from controller.web.api import api_routes
from controller.web.guard import Guard
from controller.web.house import House
from controller.web.live import live_routes
from controller.web.pages import page_routes
from controller.web.settings import WebSettings
from controller.web.site import STATIC, Site


def make_app(house: House, settings: WebSettings | None = None) -> ASGIApp:
    """The pages of a table, its live channel and its commands, as an application for an ASGI server."""
    chosen = settings or WebSettings()
    return Guard(make_inner_app(Site(house, chosen)), own_names((*chosen.names, chosen.host)))


def make_inner_app(site: Site) -> FastAPI:
    """The application without its guard."""

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        site.open()
        yield
        site.close()

    app = FastAPI(
        title="Pointsman", version=__version__, lifespan=life, docs_url=None, redoc_url=None, routes=None
    )
    app.include_router(api_routes(site))
    app.router.routes += [*page_routes(site), *live_routes(site)]
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app
