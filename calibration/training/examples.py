"""Strips with their counts, cut from known boards in many variations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.training.boards import Shot
from calibration.training.retaken import Retaken
from calibration.training.variety import pushed
from controller.arrays import IntArray
from controller.vision import Board, BoardGeometry, CameraModel
from controller.vision.board.drift import settle
from controller.vision.counting.counts import SIDE
from controller.vision.counting.strips import COLUMNS, OUTSIDE, SCALE, look_at_strips, look_first
from controller.vision.geometry.board_grid import ground_grid, surface_grid

Random = np.random.Generator

# Strips are kept as whole numbers, this many to one.
FINENESS = 24
# Of the empty points of a picture only this many are kept.
EMPTY_KEPT = 4
# More hidden than this, a point teaches nothing.
HIDDEN = 0.3


@dataclass(frozen=True)
class Examples:
    """Strips with what is to be learned of them.

    ``strips``: int8 (n, channels, rows, columns), in units of 1 / ``FINENESS``; ``counts``: signed, int64 (n,);
    ``faces``: int16 (n, 15, 3), layer, row and column of the middle of every upper face that is seen on the
    strip, the rest of the rows being -1.
    """

    strips: NDArray[np.int8]
    counts: IntArray
    faces: NDArray[np.int16]


def joined(parts: list[Examples]) -> Examples:
    """All examples in one."""
    return Examples(
        np.concatenate([part.strips for part in parts]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.faces for part in parts]),
    )


def cut_all(taken: Retaken, random: Random) -> Examples:
    """The strips of all pictures of a board that teach something."""
    return joined([cut(shot, taken.board, random, taken.share) for shot in taken.shots])


def cut(shot: Shot, board: Board, random: Random, share: float = 1.0) -> Examples:
    """The strips of one picture that teach something; it has ``share`` times the pixels its truth tells of."""
    grid, ground = surface_grid(board.geometry), ground_grid(board.geometry)
    settled = settle(shot.image, board, grid, board.appearance.bare_surface(board.geometry))
    camera = pushed(settled.camera, random)
    first = look_first(settled.lit, camera, board.geometry, ground, board.appearance)
    chosen = _chosen(shot.truth, random)
    strips = look_at_strips(settled.lit, camera, board.geometry, first, chosen)
    packed = np.clip(np.rint(strips * FINENESS), -127, 127).astype(np.int8)
    faces = _faces(shot.truth, board.geometry, camera, share)
    return Examples(packed, np.asarray(shot.points, np.int64)[chosen], faces[chosen])


def _faces(
    truth: Mapping[str, Any], geometry: BoardGeometry, camera: CameraModel, share: float
) -> NDArray[np.int16]:
    """Where the upper faces are seen on the strips: shape (24, 15, 3), see ``Examples``."""
    found = np.full((24, SIDE, 3), -1, np.int16)
    number = [0] * 24
    step = geometry.checker_diameter_mm / SCALE
    for checker in truth["checkers"]:
        point = checker["point"]
        if not isinstance(point, int) or checker["layer"] not in (0, 1, 2):
            continue
        pixel = (np.array([checker["x"], checker["y"]]) + 0.5) * share - 0.5
        x, y = camera.to_board(pixel, geometry.checker_thickness_mm)
        side = geometry.side_of(point + 1)
        row = OUTSIDE - 0.5 + (geometry.surface_height_mm / 2 - side * y) / step
        column = (COLUMNS - 1) / 2 - side * (x - geometry.column_x(point + 1)) / step
        found[point, number[point]] = checker["layer"], round(row), round(column)
        number[point] += 1
    return found


def _chosen(truth: Mapping[str, Any], random: Random) -> list[int]:
    hidden = {int(point): share for point, share in truth["occluded_fraction"].items()}
    seen = [point for point in range(24) if hidden.get(point, 0.0) <= HIDDEN]
    empty = [point for point in seen if truth["points"][point] == 0]
    kept = random.permutation(empty)[:EMPTY_KEPT].tolist()
    return sorted([point for point in seen if truth["points"][point] != 0] + kept)
