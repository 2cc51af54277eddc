"""``pointsman snapshot``, ``pointsman calibrate board`` and ``pointsman read``."""

import datetime
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer

from calibration.aim import AimWord, aim_of
from calibration.boardfile import FacesKept, save_board
from calibration.calibrate import CalibrationError, CalibrationPicture, MarkerUse
from calibration.calibrate import calibrate as calibrate_views
from calibration.drawing import draw_found, draw_reading
from calibration.finder import Quadrant
from controller.app.eyes import board_of
from controller.arrays import Picture
from controller.cli.options import BoardFile, ConfigFile
from controller.cli.output import note, put, write_out
from controller.config import Config, load_config
from controller.config.board import read_board_file
from controller.devices.camera.camera import Frame, Wish
from controller.devices.camera.choice import gives_its_own_size
from controller.devices.camera.still import take_stills
from controller.devices.pictures import load_picture
from controller.errors import UserError
from controller.messages.device_words import status_words
from controller.messages.sight_words import centimetres, reflection_words
from controller.record.files.transcript import diagram
from controller.record.table.destination import refuse_loss
from controller.rules import START, Position, Roll, Side, load_profile, xgid
from controller.rules.forms.xgid import MatchState
from controller.rules.game.game import first_position
from controller.vision import Board, Reading, read_board
from controller.vision.counting.counts import SIDE, CheckerSet
from controller.vision.dice.dice_size import dice_size
from controller.vision.reader import is_uneven, reading_line
from controller.vision.reading import Fault

HINTS: Mapping[AimWord, str] = {
    AimWord.BLURRED: "the picture is not sharp; focus the camera on the board and take it again.",
    AimWord.SOFT: "the picture is a little soft; focus the camera on the board.",
    AimWord.DARK: "the picture is dark; give more light.",
    AimWord.GLARING: "a lamp mirrors in the picture; move the lamp.",
    AimWord.UNEVEN: "one part of the picture is much darker than another; light the board from two sides.",
}
"""What could be better about a picture."""
PICTURES = 2
"""Taken with a camera: each has its own noise."""
HARDLY_ANY_LIGHT = 0.19
"""With less of the light of the calibration than this, noise and few levels make points unsure.

Of 55 pictures of 28 rendered boards, darkened in steps and with noise of 2 levels, 21 to 25 of 1320 points were
unsure down to 0.3 of the light, as without that. It was 26 at 0.26, 40 at 0.21, 102 at 0.16, and 245 at 0.13. Read
wrong were 2 points down to 0.16, then 9 at 0.13 and 24 at 0.1, all of them unsure.
"""
FACES: Mapping[FacesKept, str] = {
    FacesKept.KEPT: "what was learned of the dice is kept; pointsman calibrate dice --board {board} --forget "
    "forgets it.",
    FacesKept.OTHER_SIZE: "what was learned of the dice is left out, since they have quite another size in the "
    "pictures now; if they are misread, show them again: pointsman calibrate dice --board {board} --camera.",
}
"""What became of what an older board file knew of the faces of dice and cube."""
FAULTS: Mapping[Fault, str] = {
    "no_board": "the calibrated board is not seen in this picture; put it back in its place or calibrate again.",
    "blurred": "the picture is too blurred to be read; focus the camera and take it again.",
    "too_bright": "the picture is too bright to be read; lower the exposure, or calibrate again in this light.",
    "moved": "the camera or the board has moved by {shift} cm; put it back, or calibrate again.",
    "turned": "the board lies the other way round; turn it back by half a turn, or calibrate again.",
    "tilted": "the camera stands otherwise, tilted, nearer or further off; put it back, or calibrate again.",
    "other_board": "this is not the board that was calibrated; put that one back, or calibrate this one.",
}


def snapshot(
    config: ConfigFile = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Picture to write.", show_default="snapshot-TIME.png"),
    ] = None,
) -> None:
    """Take a picture with the table's camera, exactly as `pointsman run` sees it."""
    known = load_config(config)
    path = out or Path(f"snapshot-{datetime.datetime.now().astimezone():%Y-%m-%d-%H%M%S}.png")
    if path.exists():
        raise UserError(f"{path} is there already and is not written over; choose another name.")
    refuse_loss(path)
    board = read_board_file(known.board_file()) if known.board_file().exists() else None
    wish = known.wish(None) if board is None else known.wish(_size(board), board.lens_position)
    picture = take_pictures(known, wish, 1)[0].picture
    write_picture(path, picture)
    height, width = picture.shape[:2]
    if board is not None and _size(board) != (width, height):
        wanted = "x".join(map(str, _size(board)))
        note(f"Note: {known.board_file()} is for pictures of {wanted} pixels; calibrate the board again.")
    put(f"Wrote {path}, {width}x{height} pixels.")


def calibrate_board(
    image: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Picture of the known position; two are better than one."),
    ] = None,
    camera: Annotated[
        str | None,
        typer.Option(
            metavar="[SOURCE]",
            help="Take two pictures with a camera instead: the table's own, or the one that is named.",
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --camera: how the table is set up.",
            show_default="pointsman.toml in this folder",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Board file to write.",
            show_default="with --camera the one that the configuration names",
        ),
    ] = None,
    light_home: Annotated[
        Quadrant | None, typer.Option(help="Where light's home board lies in the picture.")
    ] = None,
    corners: Annotated[
        str | None,
        typer.Option(
            metavar="X1,Y1,...,X4,Y4",
            help="Corners of the playing surface, in pixels, by light's 1-, 12-, 13- and 24-point.",
        ),
    ] = None,
    position: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COMPACT",
            help="The position on the board, once or once for each picture.",
            show_default="the start position",
        ),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The game whose start position it is, and that the checkers are for.",
            show_default="backgammon",
        ),
    ] = None,
    checkers: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            min=1,
            max=SIDE,
            help="How many checkers each side has.",
            show_default="those of the game, or of a position in which both sides have as many",
        ),
    ] = None,
    markers: Annotated[MarkerUse, typer.Option(help="Whether to look for printed markers.")] = "auto",
    debug: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Picture to draw of what was seen.")
    ] = None,
) -> None:
    """Learn a board from pictures of the start position, or of any position that is known."""
    if (camera is None) == (not image):
        raise UserError(
            "The board is learned from pictures or with a camera: give --image FILE, or --camera and no --image."
        )
    pinned = _corners(corners)
    pictures = tuple(image or ())
    places = _positions(position, len(pictures) if camera is None else PICTURES, profile)
    each = _checkers(places, profile, checkers)
    lens_position: float | None = None
    for path in (out, debug):
        if path is not None:
            refuse_loss(path, pictures)
    if camera is None:
        if out is None:
            raise UserError("--out is missing: name the board file to write, such as --out board.toml.")
        views = [
            CalibrationPicture.reduced(str(path), load_picture(path), known.points)
            for path, known in zip(pictures, places, strict=True)
        ]
    else:
        known_as = load_config(config)
        out = out or known_as.board_file()
        refuse_loss(out)
        frames = _camera_frames(known_as, camera)
        views = [
            CalibrationPicture.reduced(f"picture {number} of the camera", frame.picture, place.points)
            for number, (frame, place) in enumerate(zip(frames, places, strict=True), start=1)
        ]
        lens_position = frames[-1].lens_position
    try:
        result = calibrate_views(views, light_home, pinned, markers, checkers=CheckerSet(each))
    except CalibrationError as error:
        if debug is not None:
            write_picture(debug, draw_found(error.view.picture, error.found), pictures)
        raise
    if debug is not None:
        write_picture(debug, draw_found(result.view.picture, result.found), pictures)
    saved = save_board(replace(result.board, lens_position=lens_position), out)
    seen, all_checkers = result.found.refined.seen, len(result.found.slots)
    for doubt in result.doubts:
        note(f"Note: {doubt.sentence}")
    if (size := dice_size(result.board)).rolls is not None:
        larger = ", or take larger pictures" if size.larger else ""
        note(
            f"Note: if the camera is to read the dice, they are {size.pixels} pixels wide: about one roll in "
            f"{size.rolls} has to be asked for; move the camera closer{larger}."
        )
    if checkers is None and each < SIDE:
        note(
            f"Note: the set has {each} checkers a side, as the position; if it has more, give --checkers {SIDE}."
        )
    if saved.faces in FACES:
        note(f"Note: {FACES[saved.faces].format(board=out)}")
    if saved.aside is not None:
        note(f"Note: the board file that was there before is kept as {saved.aside}.")
    note(f"Board found: {seen} of {all_checkers} checkers sharp, self-check passed; wrote {out}.")


def _camera_frames(config: Config, source: str) -> Sequence[Frame]:
    """Pictures by the camera that is named, or else by the table's own, which looks for its focus first."""
    wish = config.wish(None)
    if source:
        wish = replace(wish, source=source)
    note(f"Taking {PICTURES} pictures; keep clear of the board ...")
    return take_pictures(config, wish, PICTURES)


def take_pictures(config: Config, wish: Wish, count: int) -> Sequence[Frame]:
    """Pictures from a camera once it has settled; says what could be better about them.

    A size that the configuration does not name is only wished for.

    Raises:
        UserError: if the camera gives none; the sentence is that of its status.
    """
    named = config.camera.width is not None
    if gives_its_own_size(wish.source) and not named:
        wish = replace(wish, size=None)
    stills = take_stills(wish, count, any_size=not named)
    if not stills.frames:
        raise UserError(status_words(stills.status)("en"))
    aim = aim_of(stills.frames[-1].picture)
    for word in (aim.sharpness.word, aim.light.word):
        if word in HINTS:
            note(f"Note: {HINTS[word]}")
    return stills.frames


def _size(board: Board) -> tuple[int, int]:
    """Width and height of the pictures that a board file is for."""
    return board.camera.width, board.camera.height


def read(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE...", help="Pictures, each read on its own.")],
    board: BoardFile,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    debug: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder for pictures of what was seen.")
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The game that is played: how many checkers it has, where they bear off, and whether some lie "
            "under others.",
            show_default="the board file's number of checkers, and backgammon",
        ),
    ] = None,
) -> None:
    """Read positions, dice and cube from pictures."""
    known = read_board_file(board)
    if profile is not None:
        known = board_of(known, [load_profile(profile)])
    faults: list[UserError] = []
    for path in images:
        try:
            _read_one(path, known, as_json, debug, images)
        except UserError as error:
            faults.append(error if str(path) in str(error) else UserError(f"{path}: {error}"))
    if faults:
        more = f" ({len(faults) - 1} more pictures failed too)" if len(faults) > 1 else ""
        raise UserError(f"{faults[0]}{more}")


def _read_one(path: Path, board: Board, as_json: bool, debug: Path | None, images: list[Path]) -> None:
    picture = load_picture(path)
    began = time.perf_counter()
    reading = read_board(picture, board)
    spent = (time.perf_counter() - began) * 1000
    if reading.fault is not None:
        shift = 0.0 if reading.displacement is None else reading.displacement.shift_mm
        raise UserError(f"{path}: {FAULTS[reading.fault].format(shift=centimetres(shift))}")
    each = board.checkers.each
    put(reading_line(str(path), reading, spent) if as_json else reading_text(str(path), reading, each))
    if debug is not None:
        debug.mkdir(parents=True, exist_ok=True)
        write_picture(debug / f"{path.stem}.png", draw_reading(picture, board, reading), images)


def reading_text(name: str, reading: Reading, each: int = SIDE) -> str:
    """What was seen in the picture ``name``: one line in short, then the board, dice, cube and XGID.

    The XGID knows only fifteen checkers a side: it is left out where one has more, or ``each`` is another number.
    """
    position = Position.seen(reading.points, reading.bar.light or 0, reading.bar.dark or 0)
    dice = "-".join(str(die.value) for die in reading.dice) or "none"
    points = ", ".join(map(str, sorted(reading.unsure)))
    doubt = f", not sure of {points}" if points else ""
    off = reading.off.light, reading.off.dark
    lines = [
        f"{name}: {position.compact()} dice {dice}, confidence {reading.confidence:.2f}{doubt}",
        *(f"  {line}" for line in diagram(position, reading.unsure, off).split("\n")),
        f"   O is Light and moves from 24 to 1, X is Dark; {_cube(reading)}; {_dice(reading)}",
    ]
    if points:
        lines += [f"   ? not sure of {points}", *(f"   {cause}" for cause in _light(reading))]
    if reading.reflection is not None:
        lines.append(f"   {reflection_words(reading.reflection.point)}")
    if reading.hand:
        lines.append("   something covers part of the board")
    if each == SIDE and min(position.off(side) for side in Side) >= 0:
        lines.append(f"   {_xgid(position, reading)}")
    return "\n".join(lines)


def _light(reading: Reading) -> Iterator[str]:
    """What about the light may be why a reading is unsure, with the remedy."""
    if reading.drift is None:
        return
    if max(reading.drift.light) < HARDLY_ANY_LIGHT:
        yield "there is much less light than at the calibration: give more light, or calibrate anew"
    elif is_uneven(reading.drift):
        yield "light and shadow fall otherwise than at the calibration: light the board evenly, or calibrate anew"


def _cube(reading: Reading) -> str:
    if reading.cube is None:
        return "no cube seen"
    owner = {"center": "in the middle", "light": "Light's", "dark": "Dark's"}[reading.cube.owner]
    return f"cube {reading.cube.value}, {owner}"


def _dice(reading: Reading) -> str:
    """The dice one by one, with whose they are where their colours tell."""
    told = [
        f"{die.value}{'' if die.owner is None else f' ({die.owner.capitalize()})'}{' cocked' if die.cocked else ''}"
        for die in reading.dice
    ]
    return f"dice {', '.join(told)}" if told else "no dice seen"


def _xgid(position: Position, reading: Reading) -> str:
    """The XGID of what was seen; who is on roll only the colour of the dice may tell."""
    owners = {die.owner for die in reading.dice}
    known = next(iter(owners)) if len(owners) == 1 else None
    roll = Roll.from_dice(*(die.value for die in reading.dice)) if len(reading.dice) == 2 else None
    cube = reading.cube
    state = MatchState(
        on_roll=Side(known or Side.LIGHT),
        roll=roll,
        cube=1 if cube is None else cube.value,
        owner=None if cube is None or cube.owner == "center" else Side(cube.owner),
    )
    return xgid(position, state) + ("" if known else " (if Light is on roll)")


def _positions(texts: list[str] | None, count: int, profile: str | None) -> list[Position]:
    """What lies on the board in this many pictures."""
    if not texts:
        start = START if profile is None else first_position(load_profile(profile))
        if not any(start.points):
            raise UserError(f"The game of {profile} begins with an empty board; give --position COMPACT.")
        return [start] * count
    positions = [Position.from_compact(text) for text in texts]
    if len(positions) == 1:
        return positions * count
    if len(positions) != count:
        raise UserError(
            f"--position is given {len(positions)} times for {count} pictures; give it once, or once each."
        )
    return positions


def _checkers(positions: Sequence[Position], profile: str | None, named: int | None) -> int:
    """How many checkers a side has: as named, as in the game, or as both sides have in every position."""
    if named is not None:
        return named
    if profile is not None:
        return load_profile(profile).movement.checkers
    seen = {SIDE - position.off(side) for position in positions for side in Side}
    return min(seen) if len(seen) == 1 else SIDE


def _corners(text: str | None) -> np.ndarray[tuple[int, int], np.dtype[np.float64]] | None:
    if text is None:
        return None
    try:
        values = np.array([float(part) for part in text.split(",")])
    except ValueError:
        values = np.zeros(0)
    if values.shape != (8,) or not np.isfinite(values).all():
        raise UserError(f"--corners {text!r} is not eight numbers; give x1,y1,x2,y2,x3,y3,x4,y4 in pixels.")
    return values.reshape(4, 2)


def write_picture(path: Path, picture: Picture, inputs: Iterable[Path] = ()) -> None:
    """Write a picture, (h, w, 3) BGR uint8, in the format that the name ends in, never over what would be lost.

    Raises:
        UserError: if it cannot be written.
    """
    try:
        written, data = cv2.imencode(path.suffix, picture)
    except cv2.error:
        written = False
    if not written:
        raise UserError(f"{path} cannot be written as a picture; choose a name that ends in .png or .jpg.")
    write_out(path, data.tobytes(), inputs)
