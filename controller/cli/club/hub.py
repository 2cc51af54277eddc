"""``pointsman hub``."""

import signal
import threading
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.output import complain, note, put
from controller.club.pairing import USUAL_PORT
from controller.club.transport import BrokerAddress
from controller.hub.hub import Hub, HubSettings


def hub(
    port: Annotated[
        int,
        typer.Option(
            metavar="NUMBER", min=0, max=65535, help="The port of the pages; 0 takes any that is free."
        ),
    ] = USUAL_PORT,
    store: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|URL",
            help="Where entries are kept: a file, or postgresql+psycopg://USER@HOST/NAME.",
            show_default="hub.db in the folder",
        ),
    ] = None,
    broker: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="A broker that runs already, HOST:PORT, without logins.",
            show_default="Mosquitto is started",
        ),
    ] = None,
    folder: Annotated[
        Path, typer.Option(metavar="DIR", help="What belongs to the hub: its key, its logins, its store.")
    ] = Path("hub"),
    open_to_all: Annotated[
        bool,
        typer.Option("--open", help="Let other machines in: pages for all, tables with logins and over TLS."),
    ] = False,
    club: Annotated[
        str, typer.Option(metavar="NAME", help="The club in addresses: small letters, digits, hyphens.")
    ] = "club",
) -> None:
    """The hub of a club: hears every table, keeps what they send, shows it to directors and to the hall.

    The first line is the address of its pages. Ctrl-C ends it; tables play on and send later what it missed.
    """
    settings = HubSettings(
        folder,
        port,
        store or "",
        None if broker is None else BrokerAddress.parse(broker),
        open_to_all,
        club,
    )
    stop = threading.Event()
    before = {
        number: signal.signal(number, lambda _, __: stop.set())
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    }
    try:
        with Hub(settings, complain) as running:
            for address in running.addresses:
                put(address)
            note(f"Broker: {running.broker_address}, club: {club}.")
            note(f"Key: {running.key}")
            stop.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
