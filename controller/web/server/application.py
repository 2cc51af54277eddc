"""The application: every address of a table's server."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from fastapi import Depends, FastAPI, HTTPException, Request
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from controller import __version__
from controller.web.partner.routes import partner_router, partner_socket
from controller.web.phone.routes import (
    LARGEST,
    LARGEST_STILL,
    PATH,
    STILL_PATH,
    PhonePictures,
    phone_router,
    phone_socket,
)
from controller.web.server.access import own_names
from controller.web.server.api import api_routes
from controller.web.server.guard import Guard
from controller.web.server.health import health_routes
from controller.web.server.learning import learning_routes
from controller.web.server.live import live_routes
from controller.web.server.pages import code_router, page_routes
from controller.web.server.rights import SETTING_UP
from controller.web.server.rulings import ruling_routes
from controller.web.server.secure_entry import SecureEntry
from controller.web.server.site import STATIC, Site
from controller.web.server.thread import WebServer
from controller.web.server.welcoming.gate import NetworkGate
from controller.web.server.welcoming.routes import welcome_routes
from controller.web.settings import WebSettings
from controller.web.setup.phone_sight import phone_sight
from controller.web.setup.routes import mount_setup
from controller.web.setup.set_up import SetUp
from controller.web.table_service import TableService
from controller.web.wire.events import SocketsAsEvents


def make_app(house: TableService, settings: WebSettings | None = None, setup: SetUp | None = None) -> ASGIApp:
    """The pages of a table, its live channel and its commands, as an application for an ASGI server.

    Args:
        house: the table.
        settings: who may come in, and how.
        setup: the way from a camera to a match; None where there is nothing to be set up.
    """
    chosen = settings or WebSettings()
    site = Site(house, chosen)
    gate = NetworkGate(SocketsAsEvents(make_inner_app(site, setup)), site, chosen.welcome)
    secure = SecureEntry(gate, chosen.certificates, site)
    return Guard(
        secure, own_names((*chosen.names, chosen.host)), larger={PATH: LARGEST, STILL_PATH: LARGEST_STILL}
    )


def serve(
    house: TableService,
    settings: WebSettings,
    setup: SetUp | None = None,
    listening: socket.socket | None = None,
) -> WebServer:
    """Offer the pages of a table, and with ``setup`` those by which it is set up; ``listening`` as of `WebServer`.

    Raises:
        ServerError: if the address cannot be listened at.
    """
    return WebServer(make_app(house, settings, setup), settings, listening)


def make_inner_app(site: Site, setup: SetUp | None = None) -> FastAPI:
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
    app.include_router(ruling_routes(site))
    app.include_router(learning_routes(site))
    if setup is not None:

        def admit(request: Request) -> None:
            if not site.has(site.person(request), SETTING_UP):
                raise HTTPException(
                    403, "Only the director, or whoever sits at the table itself, may do this."
                )

        mount_setup(app, setup, site.house, admit=admit, language_of=site.language)
        if site.settings.partner is not None:
            app.include_router(partner_router(site.settings.partner), dependencies=[Depends(admit)])
        if site.settings.phone is not None:
            pictures = PhonePictures(site.settings.phone, partial(phone_sight, setup), site.pool)
            app.include_router(phone_router(site.settings.phone, pictures))
            app.include_router(code_router(site, site.settings.phone), dependencies=[Depends(admit)])
            app.router.routes.append(phone_socket(site.settings.phone, pictures))
    if site.settings.partner is not None:
        app.router.routes.append(partner_socket(site.settings.partner))
    if site.settings.welcome is not None:
        app.router.routes += welcome_routes(site, site.settings.welcome)
    app.router.routes += [*page_routes(site), *live_routes(site), *health_routes(site, site.house.health)]
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app
