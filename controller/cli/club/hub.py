"""``pointsman hub`` and ``pointsman hub pin``."""

import os
import threading
from pathlib import Path
from typing import Annotated, Final

import typer

from controller.cli.options import LogLevelGiven
from controller.cli.output import complain, note, put
from controller.cli.upkeep.pin import keep_pin
from controller.club.pairing import USUAL_PORT
from controller.club.transport import BrokerAddress
from controller.errors import UserError
from controller.hub.folder import PAGE_KEYS
from controller.hub.hub import Hub, HubSettings
from controller.hub.managed import ManagedHub
from controller.hub.uplink.jetstream import read_key
from controller.logs.level import LogLevel
from controller.logs.log import begin_log
from controller.signals import on_signals
from controller.systemd import ServiceManager
from controller.web.keys import PageKeys

LOOK_S: Final = 1.0
"""How often the hub reports to systemd how it stands."""


HubFolderOption = Annotated[
    Path, typer.Option(metavar="DIR", help="What belongs to the hub: its key, its logins, its store.")
]


def hub(
    context: typer.Context,
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
    folder: HubFolderOption = Path("hub"),
    open_to_all: Annotated[
        bool,
        typer.Option("--open", help="Let other machines in: pages for all, tables with logins and over TLS."),
    ] = False,
    club: Annotated[
        str, typer.Option(metavar="NAME", help="The club in addresses: small letters, digits, hyphens.")
    ] = "club",
    uplink: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="A federation's hub that gets every entry, too: https://HOST/, or nats://HOST:PORT,... to reach it "
            "through NATS.",
            show_default="none",
        ),
    ] = None,
    uplink_key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The key that it gave this club, or USER:PASSWORD at NATS.",
            show_default="none",
        ),
    ] = None,
    regions: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Take what other hubs send through NATS: nats://HOST:PORT,...",
            show_default="none",
        ),
    ] = None,
    regions_key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="USER:PASSWORD there.", show_default="none"),
    ] = None,
    reports: Annotated[
        bool,
        typer.Option("--reports", help="Have an engine look at each match that is over; needs gnubg."),
    ] = False,
    log_level: LogLevelGiven = None,
) -> None:
    """The hub of a club: hears every table, keeps what they send, shows it to directors and to the hall.

    The first line is the address of its pages. Ctrl-C ends it; tables play on and send later what it missed. As a
    service of systemd it says when it is ready, how it stands, and that it goes on.
    """
    if context.invoked_subcommand is not None:
        context.default_map = {"pin": {"folder": folder}}
        return
    settings = HubSettings(
        folder,
        port,
        store or "",
        None if broker is None else BrokerAddress.parse(broker),
        open_to_all,
        club,
        reports=reports,
        uplink=uplink or "",
        uplink_key=_key(uplink, uplink_key),
        regions=regions or "",
        regions_key=read_key(regions_key, "--regions-key"),
    )
    stop, manager = threading.Event(), ServiceManager.from_environment(os.environ)
    begun = begin_log(log_level or LogLevel.INFO, folder)
    with on_signals(stop.set), begun as log, Hub(settings, complain) as running:
        log.begin()
        for address in running.addresses:
            put(address)
        note(f"Broker: {running.broker_address}, club: {club}.")
        note(f"Key: {running.key}")
        managed = ManagedHub(running, manager, settings.language)
        while not stop.wait(LOOK_S if manager.listens else None):
            managed.check()
        manager.stopping()


def choose_pin(folder: HubFolderOption = Path("hub")) -> None:
    """Choose the director's PIN, the first one or another one for one that was forgotten; also while the hub runs.

    It is asked for twice, or read from standard input. The one before counts no more.
    """
    keys = PageKeys.find(folder / PAGE_KEYS)
    if keys is None:
        raise UserError(f"There is no hub in {folder}; start it once, or name its folder with --folder.")
    keep_pin(keys)


def _key(uplink: str | None, file: Path | None) -> str:
    """The key of an uplink. Raises UserError where it is missing."""
    if uplink is None:
        return ""
    if file is None and uplink.startswith("http"):
        raise UserError("--uplink needs --uplink-key: name the file that holds the key of this club.")
    return read_key(file, "--uplink-key")
