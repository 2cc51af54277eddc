"""Finds out which lamp of the strip lies under which place, by lighting one lamp after another.

Either a camera looks, whose place above the board is known from the board file, or a person says where the light is.
The cameras and lamps themselves are handed in.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from controller.arrays import Float32Array, Picture
from controller.devices import StripOrder
from controller.devices.lights.frame import PLACES, Place
from controller.devices.lights.order import key_of, place_of
from controller.devices.lights.pixels import PixelMap
from controller.errors import UserError
from controller.vision import BoardGeometry, CameraModel

Shine = Callable[[int | None], None]
"""Lights this lamp and no other, or none at all; returns when that can be seen."""
Look = Callable[[], Picture]
"""A picture of the board as it is now."""

# A glow is at least so much brighter, summed over the three channels, and stands out of the noise by this factor.
LEAST_GLOW = 45.0
OVER_NOISE = 8.0
# More of the picture than that never changes because of one lamp.
MOST_CHANGED = 0.04
TRIES = 3
# How far from the middle line of its point a lamp may be seen, in pitches, and from the board's middle, in mm.
OFF_LINE = 0.4
MIDDLE_MM = 12.0
# The narrowest strip along the middle that counts as the bar, half of it, in mm.
HALF_BAR_MM = 8.0
# Rims glow too: a lamp at the very edge is seen on the edge, in pitches.
OVER_EDGE = 0.7

HINT: Final = "1 to 24, bar-light, bar-dark, tray-light, tray-dark, status, - for nowhere, back"


class LightsError(UserError):
    """The order of the lights cannot be found."""


@dataclass(frozen=True, slots=True)
class Glow:
    """Where a lamp is seen: pixels, x right and y down."""

    x: float
    y: float


def glow_of(dark: Picture, lit: Picture) -> Glow | None:
    """Where a lamp glows that is lit in one of two pictures of equal shape (height, width, 3); None if nowhere.

    Raises ``LightsError`` if so much changed between them that something must have moved.
    """
    change = cv2.GaussianBlur(_brightness(lit) - _brightness(dark), (0, 0), 2)
    change = np.asarray(change - np.median(change), np.float32)
    noise = 1.4826 * float(np.median(np.abs(change)))
    floor = max(LEAST_GLOW, OVER_NOISE * noise)
    peak = float(change.max())
    bright = np.asarray(change > max(floor, peak / 2), np.uint8)
    if (np.abs(change) > max(floor, peak / 2)).mean() > MOST_CHANGED:
        raise LightsError(
            "Something moved before the camera while the lights were looked for; keep clear of the board."
        )
    if peak < floor:
        return None
    _, parts = cv2.connectedComponents(bright)
    rows, columns = np.nonzero(parts == parts.flat[int(change.argmax())])
    weights = change[rows, columns]
    return Glow(float(np.average(columns, weights=weights)), float(np.average(rows, weights=weights)))


def _brightness(picture: Picture) -> Float32Array:
    """The sums over the channels, (h, w)."""
    blue, green, red = (channel.astype(np.float32) for channel in cv2.split(picture))
    return np.asarray(blue + green + red, np.float32)


def place_at(glow: Glow, camera: CameraModel, geometry: BoardGeometry) -> Place | None:
    """The place whose lamp glows there; None if it is beside the board or between two places.

    The halves of the bar and the trays at light's edge of the board (points 1 to 12) are light's, the others dark's;
    the trays are those at the home boards.
    """
    x, y = (float(v) for v in camera.to_board(np.array([glow.x, glow.y])))
    half_height = geometry.surface_height_mm / 2 + OVER_EDGE * geometry.pitch_mm
    if not MIDDLE_MM <= abs(y) <= half_height:
        return None
    side = "light" if y < 0 else "dark"
    if abs(x) <= max(geometry.bar_mm / 2, HALF_BAR_MM):
        return f"bar-{side}"
    toward_home = x if geometry.home == "right" else -x
    edge = geometry.surface_width_mm / 2
    if edge < toward_home <= edge + geometry.tray_gap_mm + geometry.tray_width_mm:
        return f"tray-{side}"
    row = range(1, 13) if y < 0 else range(13, 25)
    nearest = min(row, key=lambda point: abs(geometry.column_x(point) - x))
    return nearest if abs(geometry.column_x(nearest) - x) <= OFF_LINE * geometry.pitch_mm else None


def see_order(
    lamps: int, shine: Shine, look: Look, camera: CameraModel, geometry: BoardGeometry
) -> StripOrder:
    """The order of a strip's lamps, as a camera sees it. The status lamp may lie anywhere off the board.

    Raises ``LightsError`` if places have no lamp or two, or the pictures do not show enough.
    """
    seen, elsewhere, unseen = _see_all(lamps, shine, look, camera, geometry)
    for place, several in seen.items():
        if len(several) > 1:
            raise LightsError(
                f"Lamps {several[0]} and {several[1]} are both seen at {key_of(place)}; see whether the board "
                "moved since it was calibrated, or name the places yourself with --ask."
            )
    places = {place: several[0] for place, several in seen.items()}
    for candidates in (elsewhere, unseen):
        if len(candidates) == 1:
            places.setdefault("status", candidates[0])
    _check_complete(places, elsewhere, unseen)
    return StripOrder(places)


def see_pixels(
    count: int, shine: Shine, look: Look, camera: CameraModel, geometry: BoardGeometry
) -> PixelMap:
    """Where the pixels of a string, strip or matrix lie, as a camera sees it: several may lie at one place.

    Pixels that lie at no place are left out; a single one of them is the status lamp. Bars and trays need none.
    Raises ``LightsError`` if a point has none, or the pictures do not show enough.
    """
    places, elsewhere, unseen = _see_all(count, shine, look, camera, geometry)
    missing = [key_of(place) for place in PLACES if isinstance(place, int) and place not in places]
    if missing:
        raise LightsError(_told_missing(missing, elsewhere, unseen))
    if len(elsewhere) == 1:
        places.setdefault("status", elsewhere)
    return PixelMap({place: tuple(pixels) for place, pixels in places.items()})


def _see_all(
    count: int, shine: Shine, look: Look, camera: CameraModel, geometry: BoardGeometry
) -> tuple[dict[Place, list[int]], list[int], list[int]]:
    """The lamps by place, those that are seen at none, and those that are not seen."""
    places: dict[Place, list[int]] = {}
    elsewhere: list[int] = []
    unseen: list[int] = []
    for lamp in range(count):
        glow = _see_lamp(lamp, shine, look)
        place = None if glow is None else place_at(glow, camera, geometry)
        if place is None:
            (unseen if glow is None else elsewhere).append(lamp)
        else:
            places.setdefault(place, []).append(lamp)
    return places, elsewhere, unseen


def ask_order(lamps: int, shine: Shine, ask: Callable[[str], str]) -> StripOrder:
    """The order of a strip's lamps, as a person gives it; ``ask`` puts a question and returns the answer.

    Raises ``LightsError`` if places were left without a lamp.
    """
    places: dict[Place, int] = {}
    lamp, trouble = 0, ""
    while lamp < lamps and len(places) < len(PLACES):
        shine(lamp)
        answer = ask(f"{trouble}Lamp {lamp} is lit. Where is it ({HINT})?").strip().lower()
        place, trouble = place_of(answer), ""
        if answer == "back":
            lamp = max(0, lamp - 1)
            places = {known: number for known, number in places.items() if number != lamp}
        elif place is None and answer not in ("", "-"):
            trouble = f'There is no place "{answer}". '
        elif place in places:
            trouble = f"{key_of(place)} has lamp {places[place]} already. "
        else:
            if place is not None:
                places[place] = lamp
            lamp += 1
    shine(None)
    _check_complete(places, [], [])
    return StripOrder(places)


def _see_lamp(lamp: int, shine: Shine, look: Look) -> Glow | None:
    """Where a lamp is seen; what moves before the camera is waited for."""
    for patience in reversed(range(TRIES)):
        shine(None)
        dark = look()
        shine(lamp)
        lit = look()
        shine(None)
        if dark.shape != lit.shape:
            raise LightsError("The camera changed the size of its pictures; fix its resolution.")
        try:
            return glow_of(dark, lit)
        except LightsError:
            if not patience:
                raise
    raise AssertionError("the last try returns or raises")


def _check_complete(places: Mapping[Place, int], elsewhere: list[int], unseen: list[int]) -> None:
    missing = [key_of(place) for place in PLACES if place not in places]
    if missing:
        raise LightsError(
            f"{_told_missing(missing, elsewhere, unseen)[:-1]}, or name the places yourself with --ask."
        )


def _told_missing(missing: list[str], elsewhere: list[int], unseen: list[int]) -> str:
    """What was not found, and what may help."""
    told = f"No lamp was found for {', '.join(missing)}"
    if elsewhere:
        told += f"; lamps seen at no place: {', '.join(map(str, elsewhere))}"
    if unseen:
        told += f"; lamps not seen at all: {', '.join(map(str, unseen))}"
    return f"{told}. Clear the board, dim the room, see that the strip is long enough and every lamp lights."
