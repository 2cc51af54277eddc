"""Finding small things on the board: spots where a map of them peaks, and what a close look at each tells."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from controller.arrays import Float32Array, FloatArray, Mask, Picture
from controller.vision.counting.counts import SIDE
from controller.vision.dice.patches import CloseLook, Sight, SpotLook, classify_patches
from controller.vision.dice.places import GroundChange
from controller.vision.dice.views import BLOCK, PatchView, Spot
from controller.vision.fitted.network import load_network
from controller.vision.geometry.board_grid import BoardGrid
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import FLAT_ROW, BoardGeometry

# A camera that looks down less steeply than this (sideways per height) sees side faces; they are found no further
# from where they are expected than this share of the height of the thing.
SLANTED = 0.35
SIDE_SHARE = 0.5
# What is seen over this much of a checker's radius lies on it; further out it may lie beside.
FACE_SHARE = 0.95
# The middle of a die that lies level beside a checker is no nearer to its edge (mm): half the side of the smallest,
# less what checkers are laid beside their places.
CLEAR_MM = 2.0
# Spots that are nothing, or one certain number, with at least these chances at a first look get no second one.
SURELY_NOTHING = 0.8
SURELY_SOMETHING = 0.95
# What two looks leave this likely to be nothing is not looked at from beside; the two count as this many others.
LIKELY_NOTHING = 0.5
AROUND = 2
# What a look behind finds is taken if it is a certain number with at least this chance. On rendered boards those of
# dice stood at 0.95 and more.
SURELY_BEHIND = 0.9
# So far around what is likely nothing a face of a taught die is looked for: the pips of a 2 of 19 mm lie 6.7 mm from
# its middle.
AROUND_MM = 6.0 * np.stack([np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)], axis=1)
# A look from beside counts a third (1/e) where the middle of the face seems so far (mm) from the middle of its patch.
NEAR_MIDDLE_MM, LEAST_WEIGHT = 1.5, 1e-9


# A patch may be turned and shifted: it reaches this share of its width from its spot.
REACH = 0.75
# To draw a window takes as long as this many blocks more of a whole map.
WINDOW_BLOCKS = 200


@dataclass(frozen=True, slots=True)
class Search:
    """How a map is searched: which network draws it, and which of its peaks are followed up: at least ``least`` high
    (0..1), the highest within ``radius`` cells.

    The network answers for each block by what it sees within ``field`` blocks around.
    """

    network: str
    least: float
    radius: int
    most: int
    field: int = 4


@dataclass(frozen=True, slots=True)
class SpotTold:
    """What a close look told of one spot.

    The probability of each class, (classes,), and of being cocked, and the middle of the face (mm). ``peak`` is how
    high (0..1) the map is there, where that is asked. ``detail`` is what was seen, see `patches.detail_of`.
    ``misread`` is how often what looks so is misread, however clearly it shows a number: see `coarse.misread_share`.
    """

    chances: FloatArray
    cocked: float
    middle: Spot
    peak: float | None = None
    detail: Float32Array | None = None
    misread: float = 0.0


@dataclass(frozen=True, eq=False)
class SpotsSeen:
    """What a search for small things saw: the map, cells two pixels wide, and what close looks told of its spots."""

    heat: Float32Array
    told: Mapping[Spot, SpotTold]


Paint = Callable[[slice, slice], Picture]
"""What a map network is shown of these rows and columns of a grid's pixels, (rows, columns, channels) uint8."""


def draw_map(
    search: Search, paint: Paint, grid: BoardGrid, earlier: SpotsSeen | None, change: GroundChange | None
) -> Float32Array:
    """The chances (0..1) that a map network gives to the cells of a grid, two pixels wide.

    With what was seen ``earlier`` and where the ground has changed since, only that is drawn anew.
    """
    if earlier is None or change is None:
        return _draw_whole(search, paint, grid)
    asked = change.over(grid, BLOCK)
    windows = cover_blocks(asked, search)
    if sum(window.cost for window in windows) > asked.size:
        return _draw_whole(search, paint, grid)
    heat, cells = earlier.heat.copy(), asked.repeat(2, axis=0).repeat(2, axis=1)
    for window in windows:
        down, across = window.down, window.across
        fresh = heat_map(search.network, paint(down.pixels, across.pixels))
        wanted = cells[down.kept, across.kept]
        heat[down.kept, across.kept][wanted] = fresh[down.fresh, across.fresh][wanted]
    return heat


def _draw_whole(search: Search, paint: Paint, grid: BoardGrid) -> Float32Array:
    shape = grid.rows, grid.columns
    return heat_map(search.network, paint(slice(0, grid.rows), slice(0, grid.columns)), shape)


@dataclass(frozen=True, slots=True)
class Reach:
    """A window along one side: the blocks that a network is shown, from ``start`` to before ``end``, and those whose
    answers hold, from ``first`` to before ``last``: their neighbours are shown, too, as far as there are any.
    """

    start: int
    end: int
    first: int
    last: int

    @classmethod
    def around(cls, first: int, last: int, blocks: int, field: int) -> "Reach":
        """A window of all ``blocks`` that holds these, from ``first`` to before ``last``."""
        return cls(max(0, first - field), min(blocks, last + field), first, last)

    @property
    def pixels(self) -> slice:
        """The pixels a network is shown."""
        return slice(self.start * BLOCK, self.end * BLOCK)

    @property
    def kept(self) -> slice:
        """The cells of the map that the window holds."""
        return slice(2 * self.first, 2 * self.last)

    @property
    def fresh(self) -> slice:
        """The same cells in the network's answer."""
        return slice(2 * (self.first - self.start), 2 * (self.last - self.start))


@dataclass(frozen=True, slots=True)
class MapWindow:
    """A part of a map that is drawn at once."""

    down: Reach
    across: Reach

    @property
    def cost(self) -> int:
        """What it takes to draw it, in blocks."""
        return (self.down.end - self.down.start) * (self.across.end - self.across.start) + WINDOW_BLOCKS


def cover_blocks(asked: Mask, search: Search) -> list[MapWindow]:
    """A window for each group of blocks that are asked for and touch each other.

    They are no larger than that needs. To set a network up for each size takes less than to show it windows of one
    size, of which half was not asked for.
    """
    rows, columns = asked.shape
    _, _, boxes, _ = cv2.connectedComponentsWithStats(asked.astype(np.uint8))
    return [
        MapWindow(
            Reach.around(top, top + height, rows, search.field),
            Reach.around(left, left + width, columns, search.field),
        )
        for left, top, width, height in boxes[1:, :4].tolist()
    ]


def spots_of(heat: Float32Array, grid: BoardGrid, search: Search) -> list[tuple[Spot, float]]:
    """Where (mm) a map of a grid peaks. Each comes with the height of its peak, the highest first."""
    cell = BLOCK // 2
    middle = (cell - 1) / 2
    found = []
    for row, column in find_peaks(heat, search):
        x = grid.left_mm + (column * cell + middle) * grid.step_mm
        y = grid.near_mm + (row * cell + middle) * grid.step_mm
        found.append(((x, y), float(heat[round(row), round(column)])))
    return found


def height_at(heat: Float32Array, grid: BoardGrid, spot: Spot) -> float:
    """How high a map of a grid is about a spot (mm): its highest cell of the nine there."""
    cell = BLOCK // 2
    row, column = (
        round((place - first) / (cell * grid.step_mm) - (cell - 1) / (2 * cell))
        for place, first in ((spot[1], grid.near_mm), (spot[0], grid.left_mm))
    )
    near = heat[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
    return float(near.max()) if near.size else 0.0


def heat_map(name: str, picture: Picture, shape: tuple[int, ...] = ()) -> Float32Array:
    """Chances (0..1) for cells two pixels wide that a map network gives to a picture on a grid.

    For pictures that often have the same ``shape`` a network is kept ready.
    """
    rows, columns = (picture.shape[0] // BLOCK, picture.shape[1] // BLOCK)
    whole = np.ascontiguousarray(picture[: rows * BLOCK, : columns * BLOCK])
    levels = cv2.dnn.blobFromImage(whole, 1 / 255, mean=[127.5] * picture.shape[2])
    quarters = load_network(name, shape).run(np.asarray(levels, np.float32)).reshape(2, 2, rows, columns)
    odds = quarters.transpose(2, 0, 3, 1).reshape(2 * rows, 2 * columns)
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


def find_peaks(heat: Float32Array, search: Search) -> list[Spot]:
    """Row and column (fractional) of the maxima of a map, the highest first: centroids of 3x3 cells."""
    size = 2 * search.radius + 1
    ridge = np.asarray(cv2.dilate(heat, np.ones((size, size), np.uint8)), np.float32)
    rows, columns = np.nonzero((heat >= ridge) & (heat >= search.least))
    order = np.argsort(-heat[rows, columns], kind="stable")[: search.most]
    peaks = []
    for row, column in zip(rows[order], columns[order], strict=True):
        top, left = max(0, row - 1), max(0, column - 1)
        near = np.maximum(heat[top : row + 2, left : column + 2], 1e-6)
        down = np.arange(top, top + near.shape[0])[:, None]
        across = np.arange(left, left + near.shape[1])
        total = float(near.sum())
        peaks.append((float((near * down).sum()) / total, float((near * across).sum()) / total))
    return peaks


def is_side_of(spot: Spot, other: Spot, camera: CameraModel, view: PatchView) -> bool:
    """Whether a spot (mm) lies where the thing at the other one shows its side to a slanted camera.

    Both are on the plane of upper faces; things are as wide as high.
    """
    away = camera.centre_mm[:2] - np.array(other)
    far = float(np.hypot(*away))
    slant = far / float(camera.centre_mm[2])
    side = away / max(far, 1e-6) * (1 + slant) * view.height_mm / 2
    off = np.subtract(spot, other) - side
    return slant > SLANTED and bool(np.hypot(*off) < SIDE_SHARE * view.height_mm)


def look_closely(
    how: CloseLook,
    sight: Sight,
    spots: Sequence[Spot],
    earlier: SpotsSeen | None = None,
    change: GroundChange | None = None,
) -> Mapping[Spot, SpotTold]:
    """Look straight at each spot (mm), and again where that leaves a doubt; all looks count alike.

    What an ``earlier`` look told of the very same spot without a doubt still holds where the ground is as it was.
    """
    known: Mapping[Spot, SpotTold] = {}
    if earlier is not None and change is not None:
        reach = how.view.size * how.view.step_mm * REACH
        known = {
            spot: earlier.told[spot]
            for spot in spots
            if spot in earlier.told and _is_sure(earlier.told[spot].chances) and not change.near(spot, reach)
        }
    unknown = [spot for spot in spots if spot not in known]
    return {**known, **(_look_afresh(how, sight, unknown) if unknown else {})}


def _look_afresh(how: CloseLook, sight: Sight, spots: Sequence[Spot]) -> dict[Spot, SpotTold]:
    told = classify_patches(how, sight, spots, (0.0,))
    places = told.spots if how.follow else spots
    doubtful = [number for number, chances in enumerate(told.chances) if not _is_sure(chances)]
    if doubtful:
        again = classify_patches(how, sight, [places[k] for k in doubtful], how.turns)
        if how.mirrored:
            _look_in_mirror(how, sight, [places[k] for k in doubtful], again, (0.0, *how.turns))
        _blend(told, doubtful, again, len(how.turns) / (1 + len(how.turns)))
    if how.shift_mm:
        doubtful = [
            k for k in doubtful if not _is_sure(told.chances[k]) and told.chances[k, 0] < LIKELY_NOTHING
        ]
    if how.shift_mm and doubtful:
        around = _look_around(how, sight, [places[k] for k in doubtful])
        _blend(told, doubtful, around, AROUND / (1 + len(how.turns) + AROUND))
    if how.behind_mm:
        _look_behind(how, sight, told)
    rows = zip(spots, told.chances, told.cocked.tolist(), told.spots, told.details, strict=True)
    return {
        spot: SpotTold(chances, cocked, middle, detail=detail)
        for spot, chances, cocked, middle, detail in rows
    }


def _look_in_mirror(
    how: CloseLook,
    sight: Sight,
    spots: Sequence[Spot],
    told: SpotLook,
    turns: Sequence[float],
) -> None:
    """Have a mirror tell half of the number on what is no plain nothing; whether it is a thing at all stays as told.

    The pips of a face in a mirror are those of a face. The network is shown it otherwise, and misreads it otherwise.
    """
    numbers = [k for k, chances in enumerate(told.chances) if chances[0] < SURELY_NOTHING]
    if not numbers:
        return
    seen = classify_patches(how, sight, [spots[k] for k in numbers], turns, mirrored=True)
    thing = 1 - told.chances[numbers, :1]
    shares = seen.chances[:, 1:] / np.maximum(1 - seen.chances[:, :1], LEAST_WEIGHT)
    seen.chances[:] = np.concatenate([1 - thing, thing * shares], axis=1)
    _blend(told, numbers, seen, 0.5)


def _look_behind(how: CloseLook, sight: Sight, told: SpotLook) -> None:
    """Look for an upper face behind spots that are likely nothing, where a slanted camera sees sides of things.

    Where the network was taught this table's dice, look all around, too: it was taught that a pip alone is no die.
    Of a face that was seen already it tells nothing new: things are further apart than half their height.
    """
    nothing = told.chances[:, 0] >= LIKELY_NOTHING
    faces = told.middles[~nothing]
    everywhere = how.last is not None and how.last.network == load_network(how.network).digest
    numbers = [
        k
        for k, spot in enumerate(told.spots)
        if nothing[k] and (everywhere or _slant(sight.camera, spot) > SLANTED)
    ]
    if not numbers:
        return
    away = told.middles[numbers] - sight.camera.centre_mm[:2]
    away /= np.hypot(*away.T)[:, None]
    places = told.middles[numbers][:, None] + away[:, None] * np.array(how.behind_mm)[:, None]
    if everywhere:
        ring = np.broadcast_to(told.middles[numbers][:, None] + AROUND_MM, (len(numbers), len(AROUND_MM), 2))
        places = np.concatenate([places, ring], axis=1)
    seen = classify_patches(how, sight, [(x, y) for x, y in places.reshape(-1, 2).tolist()], (0.0,))
    surest = seen.chances[:, 1:].max(axis=1).reshape(len(numbers), -1)
    for row, number in enumerate(numbers):
        best = int(surest[row].argmax()) + row * surest.shape[1]
        known = np.hypot(*(faces - seen.middles[best]).T) < how.view.height_mm / 2
        if seen.chances[best, 1:].max() >= SURELY_BEHIND and not known.any():
            told.chances[number], told.cocked[number] = seen.chances[best], seen.cocked[best]
            told.middles[number] = seen.middles[best]


def _slant(camera: CameraModel, spot: Spot) -> float:
    """How far sideways from a spot (mm) the camera stands for its height."""
    return float(np.hypot(*(camera.centre_mm[:2] - np.array(spot))) / camera.centre_mm[2])


def _look_around(how: CloseLook, sight: Sight, places: Sequence[Spot]) -> SpotLook:
    """Look beside each place (mm), on four sides: where the middle seems nearest to the patch's own counts most."""
    shifts = how.shift_mm * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])
    beside = (np.array(places)[:, None] + shifts).reshape(-1, 2)
    seen = classify_patches(how, sight, [(x, y) for x, y in beside.tolist()], (0.0,))
    off = np.hypot(*(seen.middles - beside).T).reshape(-1, len(shifts))
    weights = np.exp(-((off / NEAR_MIDDLE_MM) ** 2)) + LEAST_WEIGHT
    weights /= weights.sum(axis=1, keepdims=True)

    def average(values: FloatArray) -> FloatArray:
        each = values.reshape(*weights.shape, -1)
        return np.asarray((each * weights[..., None]).sum(axis=1), float)

    return SpotLook(average(seen.chances), average(seen.cocked)[:, 0], average(seen.middles))


def _blend(told: SpotLook, numbers: Sequence[int], other: SpotLook, share: float) -> None:
    """Let a further look at the spots of these ``numbers`` have this share in what was ``told`` of them."""
    for joint, fresh in (
        (told.chances, other.chances),
        (told.cocked, other.cocked),
        (told.middles, other.middles),
    ):
        joint[numbers] += share * (fresh - joint[numbers])


def _is_sure(chances: FloatArray) -> bool:
    return bool(chances.max() >= (SURELY_NOTHING if chances.argmax() == 0 else SURELY_SOMETHING))


def checker_faces(
    camera: CameraModel, geometry: BoardGeometry, points: Sequence[int], height_mm: float
) -> FloatArray:
    """Where the upper faces of checkers are seen on the plane at ``height_mm``: middles (n, 2) in mm.

    ``points`` are 24 signed counts; rows are taken as laid neatly, upper layers as lying on the checkers below.
    """
    foot, eye = camera.centre_mm[:2], float(camera.centre_mm[2])
    spots = _slots(geometry)[np.arange(SIDE) < np.abs(points)[:, None]]
    return np.asarray(foot + (eye - height_mm) / (eye - spots[:, 2:]) * (spots[:, :2] - foot), float)


@lru_cache(maxsize=4)
def _slots(geometry: BoardGeometry) -> FloatArray:
    """The middles of the upper faces (mm) of the checkers that may lie on each point, (24, `SIDE`, 3)."""
    return np.array(
        [
            [geometry.slot(point, number % FLAT_ROW, number // FLAT_ROW) for number in range(SIDE)]
            for point in range(1, 25)
        ]
    )


def lies_on(spot: Spot, faces: FloatArray, geometry: BoardGeometry) -> bool:
    """Whether a spot (mm) is seen within one of the ``faces`` of `checker_faces`."""
    if not len(faces):
        return False
    nearest = float(np.hypot(*(faces - np.array(spot)).T).min())
    return nearest < FACE_SHARE * geometry.checker_diameter_mm / 2


def overlaps_checker(spot: Spot, geometry: BoardGeometry, points: Sequence[int]) -> bool:
    """Whether a die that lies level at a spot (mm) would be where a checker on the surface is, or the gap beside it.

    ``points`` are 24 signed counts; rows are taken as laid neatly.
    """
    return gap_to_checkers(spot, geometry, points) < CLEAR_MM


def gap_to_checkers(spot: Spot, geometry: BoardGeometry, points: Sequence[int]) -> float:
    """How far (mm) a spot is from the edge of the nearest checker on the surface, below 0 within it.

    ``points`` are 24 signed counts; rows are taken as laid neatly.
    """
    lying = np.arange(FLAT_ROW) < np.abs(points)[:, None]
    off = _slots(geometry)[:, :FLAT_ROW][lying][:, :2] - np.array(spot)
    return float(np.hypot(*off.T).min(initial=np.inf)) - geometry.checker_diameter_mm / 2
