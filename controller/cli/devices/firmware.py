"""``pointsman board flash``."""

import secrets
from collections.abc import Callable
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from controller.cli.output import note, put
from controller.devices.firmware.flashing import FlashError, FlashProgress, FlashStep, Loader, flash
from controller.devices.firmware.image import CHIP, released_images
from controller.devices.link.conversation import Conversation
from controller.devices.link.happenings import Greeted
from controller.devices.link.link import AUTO, dotted
from controller.devices.link.transport import likely_ports
from controller.errors import UserError
from controller.messages.device_words import flash_words

MEET_S = 6.0
"""How long the board may take to answer: opening its port has the boot loader run for a second or two."""


def flash_board(
    port: Annotated[
        str, typer.Option(metavar="PORT", help="Serial port of the board; auto takes the only one like it.")
    ] = AUTO,
    loader: Annotated[
        Loader, typer.Option(help="Which boot loader the board has; auto takes the one that answers.")
    ] = Loader.AUTO,
    show: Annotated[
        bool, typer.Option("--show", help="Only tell which firmware is on the board, and which is here.")
    ] = False,
) -> None:
    """Write the firmware that came with this program onto the board's chip (Nano, Uno, Mega).

    No compiler is needed, only avrdude. The chip's settings stay.
    """
    images = released_images()
    named = _only_port() if port == AUTO else port
    if show:
        put(_english("text", "released", version=images[CHIP].version))
        put(_running(named))
        return
    try:
        with _progress() as bar:
            image = flash(named, images, _shown(bar), loader=loader).image
    except FlashError as error:
        raise UserError(_english("fault", error.fault, port=named, about=error.about)) from error
    note(f"{image.path.name}, SHA-256 {image.sha256}")
    put(_running(named))


def _only_port() -> str:
    """The one port that a board may be on. Raises UserError."""
    ports = likely_ports()
    if not ports:
        raise UserError(_english("text", "no_port"))
    if len(ports) > 1:
        raise UserError(_english("text", "many_ports", ports=", ".join(ports)))
    return ports[0]


def _running(port: str) -> str:
    """Which firmware the board tells."""
    talk = Conversation(port, host_session=secrets.randbelow(2**32 - 1) + 1, adjust=lambda kept: kept)
    with talk as board:
        board.wait_for(lambda: board.last(Greeted) is not None, MEET_S)
        greeted = board.last(Greeted)
    if greeted is None:
        return _english("text", "none")
    return _english("text", "running", version=dotted(greeted.chip.firmware))


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), console=Console(stderr=True), transient=True
    )


def _shown(bar: Progress) -> Callable[[FlashProgress], None]:
    task = bar.add_task("", total=len(FlashStep) - 1)

    def show(now: FlashProgress) -> None:
        words = _english("step", now.step, percent=round(100 * now.done))
        whole = max(0, list(FlashStep).index(now.step) - 1) + now.done
        bar.update(task, description=words, completed=whole)

    return show


def _english(*path: str, **arguments: object) -> str:
    return flash_words(*path, **arguments)("en")
