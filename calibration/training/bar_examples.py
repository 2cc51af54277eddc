"""Strips along the bar with the checkers on them: as they were seen, and with more checkers put there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.training.boards import Shot
from calibration.training.retaken import Retaken
from calibration.training.transplant import RoundItem, transplant
from calibration.training.variety import pushed
from controller.arrays import IntArray, Picture
from controller.vision import Board, BoardGeometry, CameraModel
from controller.vision.board.drift import settle
from controller.vision.counting.bar_strip import bar_sheet, look_at_bar
from controller.vision.counting.likelihoods import MOST
from controller.vision.geometry.board_grid import ground_grid, surface_grid

Random = np.random.Generator

# Strips are kept as whole numbers, this many to one.
FINENESS = 24
# Of each picture this many more are made with checkers put on the bar, 1, 2, ... that often.
MADE = 4
PUT = (0.35, 0.3, 0.2, 0.15)
# Checkers lie about the middle line; now and then they hang over the bar's edge, lie on another one.
USUAL_MM, HANGING, HANGING_SHARE, ON_ANOTHER = 2.5, 0.3, 0.12, 0.12
DIE_PUT, DIE_RADIUS_MM = 0.2, 10.0
RAISED, RAISED_MM = 0.6, 14.0
CLEAR = 0.97
TRIES = 12
SIDES = ("light", "dark")


@dataclass(frozen=True)
class BarExamples:
    """Strips, int8 (n, channels, rows, columns) in units of 1 / ``FINENESS``, with what lies on them.

    ``faces``: int16 (n, ``MOST``, 3), side (0 light, 1 dark), row and column of each upper face, the rest being
    -1; ``boards``: int64 (n,), equal for strips of one board under one calibration.
    """

    strips: NDArray[np.int8]
    faces: NDArray[np.int16]
    boards: IntArray


@dataclass
class _Scene:
    """A picture on whose bar checkers are put: the picture, faces (side, x, y mm at a layer's height), rows taken."""

    image: Picture
    faces: list[tuple[int, float, float]]
    taken: list[float]


def cut_all(taken: Retaken, random: Random, number: int) -> BarExamples:
    """The strips of all pictures of a board, which has that number."""
    parts = [one for shot in taken.shots for one in cut(shot, taken.board, random, taken.share)]
    strips, faces = zip(*parts, strict=True)
    return BarExamples(np.stack(strips), np.stack(faces), np.full(len(parts), number, np.int64))


def cut(
    shot: Shot, board: Board, random: Random, share: float = 1.0
) -> Iterator[tuple[NDArray[np.int8], NDArray[np.int16]]]:
    """Strips with their faces out of one picture, which has ``share`` times the pixels its truth tells of.

    None where the bar is hidden or a checker on it cannot be seen.
    """
    geometry = board.geometry
    grid, ground = surface_grid(geometry), ground_grid(geometry)
    settled = settle(shot.image, board, grid, board.appearance.bare_surface(geometry))
    camera = pushed(settled.camera, random)
    faces = _faces(shot.truth, settled.camera, geometry, share)
    if shot.truth["bar_occluded"] or len(faces) != sum(shot.truth["bar"].values()) or len(faces) > MOST:
        return
    scene = _Scene(settled.lit, faces, [y for _, _, y in faces] + _cube(shot.truth, settled.camera, share))
    for number in range(MADE + 1):
        made = scene if number == 0 else _put(scene, shot.truth, settled.camera, geometry, share, random)
        strip = look_at_bar(made.image, camera, geometry, ground, board.appearance)[0]
        packed = np.clip(np.rint(strip * FINENESS), -127, 127).astype(np.int8)
        yield packed, _on_strip(made.faces, geometry)


def _on_board(
    seen: Mapping[str, Any], camera: CameraModel, height: float, share: float
) -> tuple[float, float]:
    pixel = (np.array([seen["x"], seen["y"]]) + 0.5) * share - 0.5
    x, y = camera.to_board(pixel, height)
    return float(x), float(y)


def _faces(
    truth: Mapping[str, Any], camera: CameraModel, geometry: BoardGeometry, share: float
) -> list[tuple[int, float, float]]:
    """Side and place of each checker seen on the bar."""
    height = geometry.checker_thickness_mm
    return [
        (SIDES.index(one["color"]), *_on_board(one, camera, height, share))
        for one in truth["checkers"]
        if one["point"] == "bar"
    ]


def _cube(truth: Mapping[str, Any], camera: CameraModel, share: float) -> list[float]:
    """Where along the bar the cube lies, if anywhere."""
    if truth["cube"] is None:
        return []
    x, y = _on_board(truth["cube"], camera, 25.0, share)
    return [y] if abs(x) < 40 else []


def _put(
    scene: _Scene,
    truth: Mapping[str, Any],
    camera: CameraModel,
    geometry: BoardGeometry,
    share: float,
    random: Random,
) -> _Scene:
    """The scene with checkers from the points, and now and then a die, put on the bar as well."""
    made = _Scene(scene.image.copy(), list(scene.faces), list(scene.taken))
    diameter, height = geometry.checker_diameter_mm, geometry.checker_thickness_mm
    raised = float(random.uniform(0, RAISED_MM)) if random.random() < RAISED else 0.0
    shade = float(random.uniform(0, 0.4))
    if truth["dice"] and random.random() < DIE_PUT:
        die = truth["dice"][int(random.integers(len(truth["dice"])))]
        thing = RoundItem(*_on_board(die, camera, height, share), DIE_RADIUS_MM, height)
        y = float(random.uniform(-0.45, 0.45)) * geometry.surface_height_mm
        transplant(made.image, scene.image, camera, thing, (float(random.normal(0, 4)), y, raised), shade)
    clear = [
        one
        for one in truth["checkers"]
        if isinstance(one["point"], int) and one["layer"] == 0 and one["visible"] >= CLEAR
    ]
    wanted = min(1 + int(random.choice(len(PUT), p=PUT)), MOST - len(made.faces))
    for _ in range(wanted if clear else 0):
        one = clear[int(random.integers(len(clear)))]
        thing = RoundItem(*_on_board(one, camera, height, share), diameter / 2, height)
        x, y = _free(made, geometry, random)
        places = [(x, y, raised)]
        if random.random() < ON_ANOTHER and len(made.faces) + 2 <= MOST:
            places.append((x + float(random.normal(0, 3)), y + float(random.normal(0, 3)), raised + height))
        if np.isnan(y):
            break
        for place in places:
            transplant(made.image, scene.image, camera, thing, place, shade)
            top = camera.project(np.array(place) + np.array([0, 0, height]))
            seen_x, seen_y = camera.to_board(top, height)
            made.faces.append((SIDES.index(one["color"]), float(seen_x), float(seen_y)))
        made.taken.append(y)
        if len(made.faces) >= MOST:
            break
    return made


def _free(scene: _Scene, geometry: BoardGeometry, random: Random) -> tuple[float, float]:
    """A place on the bar that nothing takes yet; y is NaN if none was found."""
    diameter = geometry.checker_diameter_mm
    hanging = random.random() < HANGING_SHARE
    x = random.uniform(-HANGING, HANGING) * diameter if hanging else random.normal(0, USUAL_MM)
    for _ in range(TRIES):
        y = float(random.uniform(-0.5, 0.5)) * (geometry.surface_height_mm - diameter)
        if all(abs(y - other) > 1.02 * diameter for other in scene.taken):
            return float(x), y
    return float(x), float("nan")


def _on_strip(faces: list[tuple[int, float, float]], geometry: BoardGeometry) -> NDArray[np.int16]:
    found = np.full((MOST, 3), -1, np.int16)
    grid = bar_sheet(geometry)
    for number, (side, x, y) in enumerate(faces):
        found[number] = side, round(grid.row(y)), round(grid.column(x))
    return found
