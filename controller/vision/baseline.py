"""What a reading rests on, and what of the next picture is different: only that has to be read anew."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from controller.arrays import Float32Array, FloatArray, GreyPicture, Mask, Picture
from controller.vision.board.drift import relight
from controller.vision.board.light_field import Lighting
from controller.vision.counting.appearance import BURNT_OUT, strongest
from controller.vision.counting.trays import ALL_TRAYS, Tray
from controller.vision.dice.places import BAR, FIRST_TRAY, GroundChange, Places
from controller.vision.dice.spots import SpotsSeen
from controller.vision.fitted.fitted import fitted
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.glimpse import glimpse
from controller.vision.geometry.seen import BoardDrift, CubeSeen

LEAST_CHANGE, NOISE_FACTOR = fitted("baseline", "least_change", "noise_factor")
# A place looks different when this many of its cells do: single ones are noise.
LEAST_CELLS = 3
# Where more of the 24 points and the bar look different, board, camera or light were touched, or a hand hides much.
MOST_CHANGED = 12
# Light that differs by more than this factor from that of the last full reading is measured anew on all the board.
LIGHT_FACTOR = 1.06
# After this many readings that went on from others everything is read again.
MOST_READINGS = 50


@dataclass(frozen=True, eq=False)
class Baseline:
    """What a reading rests on.

    ``shown`` is a glimpse, (rows, columns, 3) BGR in the light of the calibration: each cell as it was when the
    point, the bar or the tray that it shows was last looked at; ``ground`` the same for the squares. ``gain`` is the
    factor of each channel, (3,), that brought the picture to that light, ``full_gain`` that of the last full reading,
    and ``readings`` how many have gone on from it. ``lighting`` is how light fell when all was read: pictures that go
    on from it are evened out by the same field. ``camera`` and ``drift`` are as the board stood then. ``points`` and
    ``bar`` are log-likelihoods, ``unsure`` the points, from 0, and perhaps `BAR`, that are looked at again however
    they look. ``profiles`` are those of the trays. ``dice_spots`` and ``cube_spots`` are what was seen of small
    things, ``None`` where the ``cube`` lay as it had lain. ``hidden`` are the cells that something hid, as an
    `Occlusion` has them; ``None`` where nothing did.
    """

    places: Places
    camera: CameraModel
    drift: BoardDrift
    lighting: Lighting
    gain: FloatArray
    full_gain: FloatArray
    readings: int
    shown: Picture
    ground: Picture
    points: tuple[Mapping[int, float], ...]
    bar: Mapping[tuple[int, int], float]
    unsure: frozenset[int]
    profiles: Mapping[Tray, FloatArray]
    dice_spots: SpotsSeen
    cube: CubeSeen | None
    cube_spots: SpotsSeen | None
    hidden: Float32Array | None = None


@dataclass(frozen=True, eq=False)
class Change:
    """What of a picture is to be looked at: places that look different, and those that nobody was sure of.

    ``gain`` is the factor of each channel, (3,), that brings the picture to the light of the calibration, ``shown``
    its glimpse in that light, (rows, columns, 3) BGR. ``anew`` is true for the places to look at, ``ground`` tells
    where things that lie about are searched; ``None`` for everywhere.
    """

    gain: FloatArray
    shown: Picture
    anew: Mask
    ground: GroundChange | None

    @property
    def points(self) -> list[int]:
        """The points to look at, from 0."""
        return [int(point) for point in np.flatnonzero(self.anew[:BAR])]

    @property
    def bar(self) -> bool:
        """Whether the bar is to be looked at."""
        return bool(self.anew[BAR])

    @property
    def trays(self) -> list[Tray]:
        """The trays to look at."""
        return [tray for number, tray in enumerate(ALL_TRAYS, FIRST_TRAY) if self.anew[number]]


def everything(image: Picture, places: Places, gain: FloatArray) -> Change:
    """A picture all of which is to be looked at, and what brings it to the light of the calibration."""
    return Change(gain, relight(_softened(image, places), gain), np.ones(places.count, bool), None)


def change_since(baseline: Baseline, image: Picture) -> Change | None:
    """What is to be looked at of a picture, (h, w, 3) BGR uint8 of the same board and camera.

    ``None`` when all of it is: the light is another, much looks different, or it is time for a full reading.
    """
    if baseline.readings >= MOST_READINGS:
        return None
    places = baseline.places
    cells = _softened(image, places)
    gain = _gain(cells, baseline.shown)
    light = gain / baseline.full_gain
    if light.max() > LIGHT_FACTOR or light.min() < 1 / LIGHT_FACTOR:
        return None
    now = relight(cells, gain)
    changed = places.holding(_differs(now, baseline.shown), _differs(now, baseline.ground), LEAST_CELLS)
    if changed[: BAR + 1].sum() > MOST_CHANGED:
        return None
    ground = places.ground(changed)
    changed[list(baseline.unsure)] = True
    return Change(gain, now, changed, ground)


def merge_shown(baseline: Baseline | None, change: Change) -> tuple[Picture, Picture]:
    """The next baseline's ``shown`` and ``ground``, after a look at what changed."""
    if baseline is None:
        return change.shown, change.shown
    above, below = baseline.places.cells_of(~change.anew)
    return _keep(baseline.shown, above, change.shown), _keep(baseline.ground, below, change.shown)


def _keep(then: Picture, where: Mask, now: Picture) -> Picture:
    """What is shown now, but as it was then in some cells, (rows, columns)."""
    return np.asarray(cv2.copyTo(then, where.astype(np.uint8), now.copy()), np.uint8)


def _differs(now: Picture, then: Picture) -> Mask:
    """The cells, (rows, columns), that differ by more than noise."""
    gap = np.asarray(strongest(cv2.absdiff(now, then)), np.uint8)
    return np.asarray(gap > max(LEAST_CHANGE, NOISE_FACTOR * _middle(gap[::3, ::3])))


def _middle(levels: GreyPicture) -> float:
    """The median of whole levels, between two of them in proportion."""
    counts = np.bincount(levels.ravel())
    below = np.cumsum(counts)
    level = int(np.searchsorted(below, levels.size / 2))
    return level - 0.5 + (levels.size / 2 - float(below[level] - counts[level])) / float(counts[level])


def _softened(image: Picture, places: Places) -> Picture:
    """A glimpse, (rows, columns, 3) BGR, each cell with its neighbours to the left and above: less noise."""
    return np.asarray(cv2.blur(glimpse(image, places.window), (2, 2)), np.uint8)


def _gain(cells: Picture, shown: Picture) -> FloatArray:
    """The factor of each channel, (3,), that brings most cells to the light of those that were shown."""
    now, then = cells[::5, ::5].reshape(-1, 3), shown[::5, ::5].reshape(-1, 3)
    clear = (np.maximum(now, then) < BURNT_OUT).all(axis=1)
    if not clear.any():
        return np.ones(3)
    return np.asarray(np.median((then[clear] + 1.0) / (now[clear] + 1.0), axis=0), float)
