"""The camera, its pictures, and the board in them."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from controller.arrays import Picture
from controller.config.config import Config
from controller.devices import CameraStatus
from controller.devices.camera.camera import Frame, Wish
from controller.devices.camera.choice import AUTO, RIBBON, cameras, is_film
from controller.devices.camera.live import FIRST_S, LiveCamera
from controller.devices.camera.status import CameraCode, CameraState
from controller.devices.link.holders import Holder, holders
from controller.doctor.access import in_use
from controller.doctor.finding import Finding, absent, fail, ok, warn
from controller.errors import UserError
from controller.messages.device_words import reason_of, remedy_of
from controller.vision import Board, Reading, read_board
from controller.vision.board.board import load_board
from controller.vision.dice.dice_size import dice_size, passes_over_dice
from controller.vision.reading import Misplacement

DEVICES: Final = Path("/dev")
OURS: Final = ("python", "pointsman")
WATCHED_S: Final = 3.0
SLOW_SHARE: Final = 0.6
"""Fewer pictures than this share of what was asked for are reported."""
DIM, GLARING = 45.0, 0.05
"""Mean level (of 255) below which pictures are dim, and share of pixels at the top above which they glare."""
TOP_LEVEL: Final = 253
PUSHED_MM: Final = 15.0
"""A board is followed up to 30 mm; a push of half of that leaves little."""
SOFT: Final = 0.5
"""Share of the calibration's sharpness."""
DOUBTFUL: Final = 4
"""This many points the reader is not sure of are too many for a board at rest."""
SLOW_READ_S: Final = 0.5


@dataclass(frozen=True, eq=False)
class Watched:
    """What a camera gave in a few seconds: its last status, how many pictures in what time, and the last of them."""

    status: CameraStatus
    count: int
    seconds: float
    last: Picture | None


WatchCamera = Callable[[Wish], Watched]


def watch(wish: Wish, seconds: float = WATCHED_S, clock: Callable[[], float] = time.monotonic) -> Watched:
    """Run a camera for some seconds, without changing its settings for good."""
    first: Frame | None = None
    last: Frame | None = None
    with LiveCamera(replace(wish, lock=False)) as camera:
        end = clock() + FIRST_S + 1.0
        while clock() < end:
            # A short film may have ended before its pictures are looked at.
            goes_on = camera.status.state in (CameraState.STARTING, CameraState.OK)
            shot = camera.read(0.1)
            if shot is None and not goes_on:
                break
            if shot is None:
                continue
            if first is None:
                first, end = shot, clock() + seconds
            last = shot
        told = camera.status
    if first is None or last is None:
        return Watched(told, 0, 0.0, None)
    if not is_film(wish.source) and last is not first and np.array_equal(first.picture, last.picture):
        told = CameraStatus(CameraCode.FROZEN, told.source)
    return Watched(told, last.number - first.number, last.t_s - first.t_s, last.picture)


def board_file(config: Config) -> tuple[Finding, Board | None]:
    """Whether there is a board file that can be used."""
    name, path = "board file", config.board_file()
    try:
        board = load_board(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        return fail(
            name,
            f"there is no {path}",
            "Set up the start position and run: pointsman calibrate board --camera.",
        ), None
    except (OSError, UnicodeDecodeError):
        return fail(name, f"{path} cannot be read as text", "Calibrate the board again."), None
    except UserError as error:
        return fail(name, str(error), "Calibrate the board again."), None
    lights = "with" if board.lights is not None else "without"
    size = f"{board.camera.width}x{board.camera.height}"
    return ok(name, f"{path}: pictures of {size} pixels, {lights} the order of the lights"), board


def sight(config: Config, watch_it: WatchCamera = watch) -> Iterator[Finding]:
    """All of it."""
    found, board = board_file(config)
    yield found
    wish = config.wish(None)
    if board is not None:
        wish = config.wish((board.camera.width, board.camera.height), board.lens_position)
    busy = next(_users(wish.source), None)
    if busy is not None:
        yield in_use("camera", str(busy[0]), busy[1])
        return
    watched = watch_it(wish)
    if watched.last is None or watched.status.state not in (CameraState.OK, CameraState.ENDED):
        yield fail("camera", reason_of(watched.status), remedy_of(watched.status))
        return
    yield ok("camera", reason_of(watched.status))
    if not is_film(wish.source):
        yield rate(watched, wish)
    yield brightness(watched.last)
    if board is None:
        yield absent("board in sight", "without a board file nothing can be read")
    else:
        if passes_over_dice(board):
            yield own_dice(board)
        yield from board_in_sight(watched.last, board)


def own_dice(board: Board) -> Finding:
    """What is told of a lesson in dice that is not used."""
    return warn(
        "own dice",
        f"an older version learned them, which is not used: they are {dice_size(board).pixels} pixels wide, and some"
        " would be misread",
        "Show the dice again in set-up, or move the camera closer and calibrate the board again.",
    )


def _users(source: str) -> Iterator[tuple[Path, Holder]]:
    """Other programs that have this camera, each with the device."""
    names = cameras() if source == AUTO else (source,)
    if source.startswith(RIBBON) or not names:
        # Desktops keep the ribbon's devices open as well, without using them.
        for device in sorted(DEVICES.glob("media*")):
            yield from ((device, each) for each in holders(device) if each.name.startswith(OURS))
        return
    for name in names:
        device = Path(f"/dev/video{name}") if name.isdigit() else Path(name)
        if device.is_relative_to(DEVICES):
            yield from ((device, each) for each in holders(device))


def rate(watched: Watched, wish: Wish) -> Finding:
    """Whether pictures come as often as they are wished for."""
    name = "pictures"
    fps = watched.count / watched.seconds if watched.seconds > 0 else 0.0
    told = f"{fps:.1f} a second"
    if fps < SLOW_SHARE * wish.fps:
        return warn(
            name,
            f"{told}, {wish.fps:.0f} are wished for",
            "Give the camera a USB socket of its own and more light, or lower camera.fps or the size.",
        )
    return ok(name, told)


def brightness(picture: Picture) -> Finding:
    """Whether the exposure is about right; the picture is (h, w, 3) BGR uint8."""
    name = "brightness"
    grey = np.asarray(cv2.cvtColor(picture[::4, ::4], cv2.COLOR_BGR2GRAY))
    level, glare = float(grey.mean()), float((grey >= TOP_LEVEL).mean())
    told = f"mean level {level:.0f} of 255, {100 * glare:.1f} % of the picture at the top"
    if level < DIM:
        return warn(name, told, "Switch more light on, or lengthen the exposure.")
    if glare > GLARING:
        return warn(name, told, "Move the lamp that mirrors in the board, or shorten the exposure.")
    return ok(name, told)


def board_in_sight(
    picture: Picture, board: Board, clock: Callable[[], float] = time.perf_counter
) -> Iterator[Finding]:
    """Whether the board is where it was calibrated, as sharp as then, and how long reading takes."""
    name = "board in sight"
    try:
        read_board(picture, board)
        began = clock()
        reading = read_board(picture, board)
        spent = clock() - began
    except UserError as error:
        yield fail(name, str(error), "Set the camera's size to that of the board file, or calibrate again.")
        return
    if reading.fault == "blurred":
        yield fail(
            name, "the picture is too blurred to be read", "Focus the camera on the board and lock it."
        )
    elif reading.fault == "too_bright":
        yield fail(
            name,
            "the picture is too bright to be read",
            "Lower the exposure, or calibrate the board again in this light.",
        )
    elif reading.displacement is not None:
        yield _displaced(name, reading.displacement)
    elif reading.fault is not None or reading.drift is None:
        yield fail(
            name,
            "the calibrated board is not seen",
            "Put it back where it was, or calibrate the board again.",
        )
    else:
        yield _stands(name, reading)
        yield _sharp(reading.drift.sharpness)
        yield _speed(spent)


def _displaced(name: str, apart: Misplacement) -> Finding:
    told = {
        "moved": f"the camera or the board has moved by {apart.shift_mm / 10:.0f} cm",
        "turned": "the board lies the other way round",
        "tilted": "the camera stands otherwise, tilted, nearer or further off",
        "other_board": "this is not the board that was calibrated",
    }
    return fail(name, told[apart.kind], "Put it back where it was, or calibrate the board again.")


def _stands(name: str, reading: Reading) -> Finding:
    drift = reading.drift
    shift = 0.0 if drift is None else float(np.hypot(drift.x_mm, drift.y_mm))
    told = f"moved by {shift:.0f} mm since the calibration, {len(reading.unsure)} points not sure"
    if shift > PUSHED_MM:
        return warn(name, told, "Push it back to where it was, or calibrate the board again.")
    if reading.hand:
        return ok(name, f"{told}, a hand before it")
    if len(reading.unsure) > DOUBTFUL:
        return warn(
            name, told, "Look at light and focus (hardware_docs/camera.md), or calibrate the board again."
        )
    return ok(name, told)


def _sharp(share: float) -> Finding:
    told = f"{100 * share:.0f} % of that at the calibration"
    if share < SOFT:
        return warn("sharpness", told, "Focus the camera on the board and lock it, and clean the lens.")
    return ok("sharpness", told)


def _speed(spent: float) -> Finding:
    told = f"{spent * 1000:.0f} ms for a picture"
    if spent > SLOW_READ_S:
        return warn(
            "reading", told, "Close other programs and cool the machine, or calibrate with smaller pictures."
        )
    return ok("reading", told)
