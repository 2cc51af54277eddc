"""``pointsman calibrate lights``."""

import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from calibration.lights import Look, Shine, ask_order, see_order
from controller.arrays import Picture
from controller.cli.options import read_board_file
from controller.cli.output import note, write_text
from controller.devices import StripOrder
from controller.devices.lights.palette import Dimming
from controller.devices.lights.probe import BoardProbe, StripProbe
from controller.devices.pictures import Snapshots
from controller.errors import UserError
from controller.messages.device_words import status_words
from controller.vision import Board
from controller.vision.board import dump_board

SETTLE_S = 0.2
"""The camera exposes at its leisure: so long a lamp burns before it is looked at."""


def calibrate_lights(
    board: Annotated[Path, typer.Option(metavar="FILE", help="Board file; the order is written into it.")],
    port: Annotated[
        str,
        typer.Option(
            metavar="PORT", help="Port of the electronics, auto, or the SPI device of a strip at the Pi."
        ),
    ] = "auto",
    camera: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help="Command that writes one picture to standard output: 'rpicam-still -n -o -'.",
        ),
    ] = None,
    ask: Annotated[bool, typer.Option("--ask", help="Ask where each lamp is instead of looking.")] = False,
    lamps: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            min=1,
            max=40,
            help="How many lamps there are.",
            show_default="what the board says",
        ),
    ] = None,
    brightness: Annotated[float, typer.Option(metavar="0..1", help="Dim it if the camera is dazzled.")] = 0.5,
) -> None:
    """Find out which lamp lies under which point, by lighting one after another."""
    if ask == (camera is not None):
        raise UserError(
            "The lamps are either looked at or asked for: give --camera COMMAND, or --ask to be asked."
        )
    known = read_board_file(board)
    look = None if camera is None else _sized(Snapshots(camera), known)
    dimming = Dimming(brightness=brightness)
    with _probe(port, dimming) as probe:
        order = _find(lamps or probe.lamps, probe.shine, look, known)
        passed_over = probe.passed_over
    write_text(board, dump_board(replace(known, lights=order.table())))
    if passed_over:
        note(f"Note: {passed_over} presses or rolls came meanwhile and are in no journal.")
    note(f"The lights' order is found: {len(order.lamps)} places; wrote {board}.")


def _probe(port: str, dimming: Dimming) -> BoardProbe | StripProbe:
    if "spidev" in port:
        return StripProbe(port, dimming=dimming)
    session = secrets.randbelow(2**32 - 1) + 1
    return BoardProbe(port, host_session=session, dimming=dimming, words=lambda now: status_words(now)("en"))


def _find(lamps: int, shine: Shine, look: Look | None, known: Board) -> StripOrder:
    if look is None:
        return ask_order(lamps, shine, lambda question: str(typer.prompt(question, default="", err=True)))
    return see_order(lamps, _settling(shine), look, known.camera, known.geometry)


def _settling(shine: Shine) -> Shine:
    def settled(lamp: int | None) -> None:
        shine(lamp)
        time.sleep(SETTLE_S)

    return settled


def _sized(look: Callable[[], Picture], known: Board) -> Look:
    """Refuse pictures of another size than the board was calibrated with: nothing would lie where it should."""
    wanted = (known.camera.height, known.camera.width)

    def sized() -> Picture:
        picture = look()
        if picture.shape[:2] != wanted:
            raise UserError(
                f"The camera's pictures have {picture.shape[1]}x{picture.shape[0]} pixels, the board was calibrated "
                f"with {wanted[1]}x{wanted[0]}; set the same size in the command."
            )
        return picture

    return sized
