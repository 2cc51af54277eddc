"""Cuts scenes into what the networks for dice and cube learn from."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.training.dice.dice_scenes import DiceItem, DiceScene
from controller.arrays import FloatArray, Picture
from controller.vision import Board, CameraModel
from controller.vision.board.drift import settle
from controller.vision.dice.views import (
    CUBE_VIEW,
    DIE_VIEW,
    PatchView,
    Spot,
    cube_picture,
    cube_sheet,
    cut_patch,
    die_picture,
    facing,
)
from controller.vision.geometry.board_grid import BoardGrid, surface_grid

# Patches are kept larger and finer than the networks' so that they can be turned.
KEPT = 64
VIEWS: Mapping[str, PatchView] = {
    "die": replace(DIE_VIEW, size=KEPT, step_mm=0.65),
    "cube": replace(CUBE_VIEW, size=KEPT, step_mm=1.0),
}
# Spots in each picture where there is nothing: anywhere, where there are corners, on checkers, and around each
# thing of the other kind. So far from any thing, as a share of the height of its face.
PLAIN_SPOTS = 2
CORNERS = 5
CHECKERS = 6
ABOUT_OTHERS = 3
AWAY_SHARE = 0.6


@dataclass(frozen=True)
class Map:
    """A sheet-wide picture (rows, columns, channels) uint8 with things on it.

    ``spots`` (n, 3): row, column, and 1 where a thing is well seen, 0 where it may or may not be found.
    """

    picture: Picture
    spots: FloatArray


@dataclass(frozen=True)
class Patch:
    """What lies about a spot: ``value`` up (0 for nothing, 1 on a cube for a maker's mark), whether it is cocked.

    The picture faces the camera, which looks at the spot with so much ``slant``. ``worth`` is how often it is shown,
    relative to others of the same value.
    """

    picture: Picture
    value: int
    cocked: bool
    slant: float
    worth: float = 1.0


@dataclass(frozen=True)
class Lesson:
    """All that is learnt from one scene."""

    dice_map: Map
    cube_map: Map
    dice: tuple[Patch, ...]
    cubes: tuple[Patch, ...]


def settled(scene: DiceScene, board: Board) -> tuple[DiceScene, Board]:
    """The scene in the light of the board's calibration, and the board with its camera as it stands in it."""
    grid = surface_grid(board.geometry)
    bare = board.appearance.bare_surface(board.geometry)
    stands = settle(scene.picture, board, grid, bare)
    return replace(scene, picture=stands.lit), replace(board, camera=stands.camera)


def cut(scene: DiceScene, board: Board, rng: np.random.Generator) -> Lesson:
    """Cut one scene, in the light of the board's calibration, into maps and patches, as the reader would."""
    grid = surface_grid(board.geometry)
    bare = board.appearance.bare_surface(board.geometry)
    lit, camera = scene.picture, board.camera
    wide = cube_sheet(board.geometry)
    found = {kind: [t for t in scene.things if t.kind == kind and t.visible > 0.1] for kind in VIEWS}
    places = {
        kind: [camera.to_board(np.array([t.x, t.y]), view.height_mm) for t in found[kind]]
        for kind, view in VIEWS.items()
    }

    def patch(kind: str, spot: Spot, value: int = 0, cocked: bool = False) -> Patch:
        turn, slant = facing(camera, spot, VIEWS[kind])
        return Patch(cut_patch(lit, camera, spot, VIEWS[kind], turn), value, cocked, slant)

    def patches(kind: str, area: BoardGrid, flat: Picture) -> Iterator[Patch]:
        height = VIEWS[kind].height_mm
        for thing, (x, y) in zip(found[kind], places[kind], strict=True):
            if 0.3 < thing.visible < 0.8:
                continue
            yield patch(kind, (x, y), thing.value if thing.visible >= 0.8 else 0, thing.cocked)
        others = [place for other in VIEWS if other != kind for place in places[other]]
        checkers = [camera.to_board(np.array(spot), height) for spot in scene.checkers]
        for x, y in (
            *side_faces(places[kind], camera, height, rng),
            *spots_beside(places[kind], height, rng),
            *spots_about(others, height, rng),
            *spots_about(rng.permutation(np.reshape(checkers, (-1, 2)))[:CHECKERS], 0.3 * height, rng, 1),
            *_plain_spots(flat[..., :3], area, rng),
        ):
            if all(np.hypot(p[0] - x, p[1] - y) > AWAY_SHARE * height for p in places[kind]):
                yield patch(kind, (x, y))

    near, far = die_picture(lit, camera, grid, bare), cube_picture(lit, camera, wide)
    return Lesson(
        Map(near, _spots(found["die"], places["die"], grid)),
        Map(far, _spots(found["cube"], places["cube"], wide)),
        tuple(patches("die", grid, near)),
        tuple(patches("cube", wide, far)),
    )


def side_faces(
    places: list[FloatArray], camera: CameraModel, height_mm: float, rng: np.random.Generator
) -> Iterator[Spot]:
    """About the middles of side faces that look at the camera, as they appear on the plane of upper faces."""
    foot, eye = camera.centre_mm[:2], float(camera.centre_mm[2])
    for place in places:
        away = foot - place
        far = float(np.hypot(*away))
        way = rng.normal(0, 0.5)
        turned = np.array([[np.cos(way), -np.sin(way)], [np.sin(way), np.cos(way)]]) @ away
        x, y = place + turned / far * (1 + far / eye) * height_mm * rng.uniform(0.4, 0.65)
        yield float(x), float(y)


def spots_about(
    places: Iterable[FloatArray], reach_mm: float, rng: np.random.Generator, times: int = ABOUT_OTHERS
) -> Iterator[Spot]:
    """Spots (mm) on and around each place."""
    for x, y in places:
        for _ in range(times):
            way, reach = rng.uniform(0, 2 * np.pi), reach_mm * rng.uniform(0, 1)
            yield x + reach * np.cos(way), y + reach * np.sin(way)


def spots_beside(places: list[FloatArray], reach_mm: float, rng: np.random.Generator) -> Iterator[Spot]:
    """A spot (mm) near each place: there side faces are seen, and edges."""
    for x, y in places:
        way, reach = rng.uniform(0, 2 * np.pi), reach_mm * rng.uniform(0.65, 1.3)
        yield x + reach * np.cos(way), y + reach * np.sin(way)


def _plain_spots(flat: Picture, grid: BoardGrid, rng: np.random.Generator) -> Iterator[Spot]:
    """Spots (mm) anywhere, and some of those with most detail."""
    for _ in range(PLAIN_SPOTS):
        yield rng.uniform(grid.x_mm[0], grid.x_mm[-1]), rng.uniform(grid.y_mm[0], grid.y_mm[-1])
    grey = cv2.cvtColor(np.ascontiguousarray(flat), cv2.COLOR_BGR2GRAY)
    corners = cv2.goodFeaturesToTrack(grey, 60, 0.05, 8.0 / grid.step_mm)
    if corners is None:
        return
    for column, row in rng.permutation(corners.reshape(-1, 2))[:CORNERS]:
        yield grid.left_mm + float(column) * grid.step_mm, grid.near_mm + float(row) * grid.step_mm


def _spots(things: list[DiceItem], places: list[FloatArray], grid: BoardGrid) -> FloatArray:
    rows = [
        (grid.row(y), grid.column(x), float(t.visible >= 0.8 and t.value > 0))
        for t, (x, y) in zip(things, places, strict=True)
    ]
    return np.array(rows, float).reshape(-1, 3)
