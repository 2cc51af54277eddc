"""Strips with their counts, cut from known boards in many variations."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from controller.training.boards import KnownBoard, Shot
from controller.training.variety import (
    Glare,
    any_glare,
    any_paint,
    miscalibrated,
    other_light,
    other_sensor,
    pushed,
    scaled,
    scaled_camera,
)
from controller.vision.appearance import learn_appearance
from controller.vision.board import Board
from controller.vision.camera import Camera
from controller.vision.counts import SIDE
from controller.vision.geometry import BoardGeometry
from controller.vision.sheet import ground_sheet, surface_sheet
from controller.vision.stance import settle
from controller.vision.strips import COLUMNS, OUTSIDE, SCALE, look_at_strips, look_first

Random = np.random.Generator

# Strips are kept as whole numbers, so many to one.
FINENESS = 24
# Of the empty points of a picture only so many are kept.
EMPTY_KEPT = 4
# More hidden than this, a point teaches nothing.
HIDDEN = 0.3
# Share of the variations in which a lamp is mirrored in the board.
GLARING = 0.35
# A checker's radius in pixels below which pictures are not scaled down further.
LEAST_RADIUS_PX = 9.0


@dataclass(frozen=True)
class Examples:
    """Strips with what is to be learned of them.

    ``strips``: int8 (n, channels, rows, columns), in units of 1 / ``FINENESS``; ``counts``: signed, int64 (n,);
    ``faces``: int16 (n, 15, 3), layer, row and column of the middle of every upper face that is seen on the
    strip, the rest of the rows being -1.
    """

    strips: NDArray[np.int8]
    counts: NDArray[np.int64]
    faces: NDArray[np.int16]


def joined(parts: list[Examples]) -> Examples:
    """All examples in one."""
    return Examples(
        np.concatenate([part.strips for part in parts]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.faces for part in parts]),
    )


def variation(known: KnownBoard, random: Random) -> Iterator[Examples]:
    """The board's pictures once in other colours, by another sensor, under a slightly wrong calibration."""
    paint, sensor = any_paint(random), other_sensor(random)
    radius = float(np.median([c["r"] for c in known.starts[0].truth["checkers"]]))
    least = min(1.0, LEAST_RADIUS_PX / radius)
    share = float(random.uniform(max(least, 0.55), 1.0)) if random.random() < 0.4 else 1.0
    camera, geometry = miscalibrated(scaled_camera(known.camera, share), known.geometry, random)

    glare = _glare(known, random) if random.random() < GLARING else None

    def taken(shot: Shot) -> Shot:
        seen = paint.over(scaled(shot.image, share))
        lit = seen if glare is None else glare.over(seen, random)
        return Shot(sensor(other_light(lit, random)), shot.truth)

    learned = [taken(shot) for shot in known.starts]
    if random.random() < 0.3:
        learned = learned[: 1 + int(random.random() < 0.5)][::-1]
    look = learn_appearance([shot.image for shot in learned], camera, geometry, known.starts[0].points)
    board = Board(camera, geometry, look)
    for shot in (*known.starts, *known.shots):
        yield cut(taken(shot), board, random, share)


def _glare(known: KnownBoard, random: Random) -> Glare:
    """A lamp mirrored somewhere in the board."""
    middle = known.camera.project(np.zeros(3)) / known.camera.width
    return any_glare((float(middle[0]), float(middle[1])), random)


def as_taken(known: KnownBoard, random: Random) -> Iterator[Examples]:
    """The board's pictures as they are, under a slightly wrong calibration."""
    camera, geometry = miscalibrated(known.camera, known.geometry, random)
    images = [shot.image for shot in known.starts]
    look = learn_appearance(images, camera, geometry, known.starts[0].points)
    for shot in (*known.starts, *known.shots):
        yield cut(shot, Board(camera, geometry, look), random)


def cut(shot: Shot, board: Board, random: Random, share: float = 1.0) -> Examples:
    """The strips of one picture that teach something; it has ``share`` times the pixels its truth tells of."""
    sheet, ground = surface_sheet(board.geometry), ground_sheet(board.geometry)
    settled = settle(shot.image, board, sheet, sheet.crop(board.appearance.bare, ground))
    camera = pushed(settled.camera, random)
    first = look_first(settled.lit, camera, board.geometry, ground, board.appearance)
    chosen = _chosen(shot.truth, random)
    strips = look_at_strips(settled.lit, camera, board.geometry, first, chosen)
    packed = np.clip(np.rint(strips * FINENESS), -127, 127).astype(np.int8)
    faces = _faces(shot.truth, board.geometry, camera, share)
    return Examples(packed, np.asarray(shot.points, np.int64)[chosen], faces[chosen])


def _faces(
    truth: Mapping[str, Any], geometry: BoardGeometry, camera: Camera, share: float
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
