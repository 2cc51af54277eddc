"""Hands over the board: from which side they came, and which points they covered."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from controller.arrays import Float32Array, FloatArray, Mask, Picture
from controller.vision.board.board import Board
from controller.vision.board.drift import relight
from controller.vision.counting.appearance import strongest
from controller.vision.fitted.fitted import fitted
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import COLOURS, BoardGeometry, Colour
from controller.vision.geometry.seen import Hands, HandSeen
from controller.vision.hands.occlusion import CELL, hidden_cells, mean_cells, point_shares, surface_share
from controller.vision.hands.overview import COLUMNS, HEIGHT_MM, ROWS, STEP_MM, look_over, overview_grid

HIDDEN, LEAST_AREA_MM2, COVERED_SHARE = fitted("hands", "hidden", "least_area_mm2", "covered_share")
LEAST_CHANGE, NOISE_FACTOR, CHANGED = fitted("hands", "least_change", "noise_factor", "changed")
CHANGED_BEYOND, CHANGED_AND_HIDDEN = fitted("hands", "changed_beyond", "changed_and_hidden")
# An arm is seen so far (nominal mm) beyond the edge over which it comes; finger tips do not reach over the other one.
BEYOND_MM = 20.0
# A hand that comes in at a corner lies beyond a short edge, too: this part of it may be on the other side's half.
ACROSS = 1 / 3


@dataclass(frozen=True, eq=False)
class Clear:
    """A picture of the board without a hand, from which hands are told: a picture on the coarse grid.

    It is in the light of the calibration; ``camera`` is the camera as it stood to the board. ``hidden`` are the cells
    that something hid which lies there, as an `Occlusion` has them; ``None`` where nothing did.
    """

    picture: Picture
    camera: CameraModel
    hidden: Float32Array | None = None


def clear_look(
    image: Picture, camera: CameraModel, gain: FloatArray, hidden: Float32Array | None = None
) -> Clear:
    """What is kept of a picture without a hand; ``gain``, (3,), brings it to the light of the calibration.

    ``hidden`` are the cells that something hides which lies there.
    """
    return Clear(relight(look_over(image, camera), gain), camera, hidden)


def find_hands(image: Picture, clear: Clear, board: Board) -> Hands:
    """The hands in a picture, (h, w, 3) BGR uint8, of a board that looked as ``clear`` without them.

    At most one for each side, and one whose side is not known. Raises ``NetworkError`` without the network.
    """
    camera, geometry = clear.camera, board.geometry
    now = look_over(image, camera)
    now = relight(now, _gain(now, clear.picture))
    hidden, changed = hidden_cells(now, camera, board), changed_cells(now, clear.picture)
    if clear.hidden is not None:
        hidden = np.where((clear.hidden > HIDDEN) & (changed <= CHANGED), np.float32(0), hidden)
    return judge_hands(hidden, changed, geometry, edges_seen(camera, geometry))


def judge_hands(
    hidden: Float32Array, changed: Float32Array, geometry: BoardGeometry, edges: "Edges | None"
) -> Hands:
    """The hands where these shares of cells are hidden, and look different; sides only by ``edges`` that are seen.

    Both shares have the shape (``ROWS`` / ``CELL``, ``COLUMNS`` / ``CELL``).
    """
    over = surface_share(geometry) > 0
    there = np.where(
        over,
        (hidden > HIDDEN) | (changed > CHANGED),
        (changed > CHANGED_BEYOND) | ((changed > CHANGED_AND_HIDDEN) & (hidden > HIDDEN)),
    )
    count, labels = cv2.connectedComponents(there.astype(np.uint8), connectivity=8)
    surely = np.where(hidden > HIDDEN, hidden, 0) * surface_share(geometry) * (CELL * STEP_MM) ** 2
    found: list[HandSeen] = []
    for label in range(1, count):
        region = np.asarray(labels == label)
        if float(surely[region].sum()) >= LEAST_AREA_MM2:
            shares = point_shares(geometry).reshape(24, -1) @ (np.maximum(hidden, changed) * region).ravel()
            points = frozenset(int(point) + 1 for point in np.flatnonzero(shares > COVERED_SHARE))
            found.append(HandSeen(None if edges is None else _side_of(region, edges), points))
    return merge_hands(found)


def merge_hands(hands: Iterable[HandSeen]) -> Hands:
    """All hands of a side as one, which covered what any of them did."""
    covered: dict[Colour | None, frozenset[int]] = {}
    for hand in hands:
        covered[hand.side] = covered.get(hand.side, frozenset()) | hand.points
    return tuple(HandSeen(side, covered[side]) for side in (*COLOURS, None) if side in covered)


def _side_of(region: Mask, edges: "Edges") -> Colour | None:
    """Over which long edge a hand comes that is seen in these cells; ``None`` if over both or over neither."""
    light, dark = (int((region & edge.beyond).sum()) for edge in edges)
    light_at, dark_at = (bool((region & edge.at).any()) for edge in edges)
    light_ends, dark_ends = (int((region & edge.ends).sum()) for edge in edges)
    if light and not dark_at and dark_ends <= ACROSS * (light + light_ends):
        return "light"
    if dark and not light_at and light_ends <= ACROSS * (dark + dark_ends):
        return "dark"
    return None


@dataclass(frozen=True, eq=False)
class Edge:
    """Cells, (rows, columns): those beyond a side's long edge in which only its own arm is seen, those in which no
    arm of the other side is, and those beyond the short edges on its half.
    """

    beyond: Mask
    at: Mask
    ends: Mask


Edges = tuple[Edge, Edge]
"""Light's and dark's."""


@lru_cache(maxsize=16)
def edges_of(geometry: BoardGeometry, narrow: Colour | None) -> Edges:
    """The long edges of a board of which a camera sees enough beyond, or a little only beyond the ``narrow`` one.

    Where finger tips over the far edge cannot be told from an arm, a hand that is seen at both edges is nobody's.
    """
    grid = overview_grid()
    y = grid.y_mm.reshape(-1, CELL).mean(axis=1)[:, None]
    outermost = np.isin(np.arange(COLUMNS // CELL), (0, COLUMNS // CELL - 1))[None]
    everywhere = np.ones((ROWS // CELL, COLUMNS // CELL), bool)
    high = geometry.surface_height_mm / 2
    at = high + BEYOND_MM if narrow is None else high - CELL * STEP_MM / 2
    light, dark = (
        Edge(
            (away * y > (high if colour == narrow else high + BEYOND_MM)) & everywhere,
            (away * y > at) & everywhere,
            (away * y > 0) & outermost,
        )
        for colour, away in zip(COLOURS, (-1, 1), strict=True)
    )
    return light, dark


@lru_cache(maxsize=16)
def edges_seen(camera: CameraModel, geometry: BoardGeometry) -> Edges | None:
    """The long edges by which the camera can tell over which of them an arm comes; ``None`` if it sees too little.

    It must see enough beyond one of them, and a cell beyond the other.
    """
    cell = CELL * STEP_MM
    enough = [_sees_beyond(camera, geometry, away, BEYOND_MM + cell) for away in (-1, 1)]
    some = [_sees_beyond(camera, geometry, away, cell) for away in (-1, 1)]
    if not any(enough) or not all(some):
        return None
    return edges_of(geometry, None if all(enough) else COLOURS[enough.index(False)])


def _sees_beyond(camera: CameraModel, geometry: BoardGeometry, away: int, reach_mm: float) -> bool:
    """Whether the camera sees so far beyond all of the long edge on this side (y below 0, or above)."""
    beyond = geometry.surface_height_mm / 2 + reach_mm
    if beyond > float(overview_grid().y_mm[-1]):
        return False
    x = np.linspace(-geometry.surface_width_mm / 2, geometry.surface_width_mm / 2, 9)
    return bool(camera.shows(camera.project(np.array([[one, away * beyond, HEIGHT_MM] for one in x]))).all())


def _gain(now: Picture, then: Picture) -> FloatArray:
    """The factors of the channels, (3,), that bring most of a picture to the light of another."""
    few = np.s_[::2, ::2]
    ratios = (then[few].reshape(-1, 3).astype(np.float32) + 1) / (now[few].reshape(-1, 3) + np.float32(1))
    return np.asarray(np.median(ratios, axis=0), float)


def changed_cells(now: Picture, then: Picture) -> Float32Array:
    """What part of each cell of two coarse pictures in one light looks different, (rows, columns)."""
    gap = cv2.blur(strongest(cv2.absdiff(now, then)), (3, 3))
    level = max(LEAST_CHANGE, NOISE_FACTOR * float(np.median(gap)))
    return mean_cells((np.asarray(gap) > level).astype(np.float32))
