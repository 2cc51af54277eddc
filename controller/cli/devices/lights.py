"""``pointsman calibrate lights`` and ``pointsman board settings``."""

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from calibration.lights import Look, Shine, ask_order, see_order
from controller.arrays import Picture
from controller.cli.output import note, put, write_text
from controller.config.board import read_board_file
from controller.devices import StripOrder
from controller.devices.lights.palette import Dimming
from controller.devices.lights.probe import BoardProbe, StripProbe
from controller.devices.link.keeping import keep_settings, list_changes, name_settings
from controller.devices.link.messages import MAX_LAMPS, BoardSettings
from controller.devices.link.status import LinkStatus
from controller.devices.pictures import Snapshots
from controller.errors import UserError
from controller.messages.device_words import status_words
from controller.vision import Board
from controller.vision.board.board import dump_board

SETTLE_S = 0.2
"""A lamp burns for this time before it is looked at: the camera needs a while to expose."""


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
    with _probe(port, dimming, lamps) as probe:
        order = _find(lamps or probe.lamps, probe.shine, look, known)
        probe.keep(order)
        passed_over = probe.passed_over
    write_text(board, dump_board(replace(known, lights=order.table())))
    if passed_over:
        note(f"Note: {passed_over} presses or rolls came meanwhile and are in no journal.")
    note(f"The lights' order is found: {len(order.lamps)} places; wrote {board}.")


def board_settings(
    port: Annotated[
        str, typer.Option(metavar="PORT", help="Port of the electronics; auto opens those like it.")
    ] = "auto",
    limit_ma: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=100, max=2500, help="What all lamps together may draw, in mA."),
    ] = None,
    lamps: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=0, max=MAX_LAMPS, help="How many lamps there are.")
    ] = None,
    status_lamp: Annotated[
        str | None,
        typer.Option(metavar="NUMBER|none", help="The status lamp, counted along the strip from 0."),
    ] = None,
    max_brightness: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=0, max=255, help="No picture is brighter; 255 is full."),
    ] = None,
    debounce_ms: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=1, max=50, help="How long a contact may bounce, in ms."),
    ] = None,
) -> None:
    """Show what the board's chip keeps without power, or change it; what it has accepted is printed."""
    given: dict[str, Any] = {
        name: value
        for name, value in (
            ("lamps", lamps),
            ("limit_ma", limit_ma),
            ("max_brightness", max_brightness),
            ("debounce_ms", debounce_ms),
        )
        if value is not None
    }
    if status_lamp is not None:
        given["status_lamp"] = _lamp(status_lamp)
    kept = keep_settings(port, partial(_adjust, given), host_session=_session(), words=_english)
    wanted = replace(kept.before, **given)
    if wanted != kept.now:
        raise UserError(
            f"The status lamp {wanted.status_lamp} is none of the board's lamps 0 to {wanted.lamps - 1}; give "
            "--status-lamp one of those, or none."
        )
    for name, value in name_settings(kept.now).items():
        put(f"{name} = {value}")
    if given:
        changed = ", ".join(list_changes(kept.before, kept.now))
        note(f"The board on {kept.port} keeps {changed} now." if changed else "The board kept this already.")


def _lamp(text: str) -> int | None:
    if text == "none":
        return None
    if not text.isdecimal():
        raise UserError(f"--status-lamp is {text!r}; give the lamp's number along the strip from 0, or none.")
    return int(text)


def _adjust(given: Mapping[str, Any], kept: BoardSettings) -> BoardSettings:
    """What the board is to keep; what it keeps where the status lamp would come to be none of its lamps."""
    wanted = replace(kept, **given)
    named_lamps = given.keys() & {"lamps", "status_lamp"}
    lost = wanted.status_lamp is not None and wanted.status_lamp >= wanted.lamps
    return kept if named_lamps and lost else wanted


def _probe(port: str, dimming: Dimming, lamps: int | None) -> BoardProbe | StripProbe:
    if "spidev" in port:
        return StripProbe(port, dimming=dimming)
    return BoardProbe(port, host_session=_session(), dimming=dimming, words=_english, lamps=lamps)


def _session() -> int:
    return secrets.randbelow(2**32 - 1) + 1


def _english(now: LinkStatus) -> str:
    return status_words(now)("en")


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
