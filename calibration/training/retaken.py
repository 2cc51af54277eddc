"""Known boards taken anew: in other colours and light, by another camera, under a slightly wrong calibration."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from calibration.training.boards import KnownBoard, Shot
from calibration.training.variety import (
    any_glare,
    any_paint,
    miscalibrated,
    other_light,
    other_sensor,
    scaled,
    scaled_camera,
)
from controller.vision import Board, learn_appearance

Random = np.random.Generator

# Share of the boards in whose pictures a lamp is mirrored, and of those that are taken with fewer pixels.
GLARING, SMALLER = 0.35, 0.5
# A checker's radius in pixels below which pictures are not scaled down further, and the least share of the pixels.
LEAST_RADIUS_PX, LEAST_SHARE = 9.0, 0.55
# Share of the boards that are calibrated by another choice of start pictures than all of them.
FEWER_STARTS = 0.3


@dataclass(frozen=True, eq=False)
class Retaken:
    """A board as it was calibrated, its pictures, made one after the other, and how many times (along each side)
    the pixels these have that their truth tells of.
    """

    board: Board
    shots: Iterator[Shot]
    share: float = 1.0


def retaken(known: KnownBoard, random: Random) -> Retaken:
    """All pictures of a board, those of the start first, by one other camera and in other colours."""
    paint, sensor = any_paint(random), other_sensor(random)
    radius = float(np.median([c["r"] for c in known.starts[0].truth["checkers"]]))
    least = max(min(1.0, LEAST_RADIUS_PX / radius), LEAST_SHARE)
    share = float(random.uniform(least, 1.0)) if random.random() < SMALLER else 1.0
    camera, geometry = miscalibrated(scaled_camera(known.camera, share), known.geometry, random)
    middle = known.camera.project(np.zeros(3)) / known.camera.width
    lamp = any_glare((float(middle[0]), float(middle[1])), random) if random.random() < GLARING else None

    def taken(shot: Shot) -> Shot:
        seen = paint.over(scaled(shot.image, share))
        lit = seen if lamp is None else lamp.over(seen, random)
        return Shot(sensor(other_light(lit, random)), shot.truth)

    starts = [taken(shot) for shot in known.starts]
    if random.random() < FEWER_STARTS:
        starts = starts[: 1 + int(random.random() < 0.5)][::-1]
    look = learn_appearance([shot.image for shot in starts], camera, geometry, known.starts[0].points)
    shots = (taken(shot) for shot in (*known.starts, *known.shots))
    return Retaken(Board(camera, geometry, look), shots, share)


def as_taken(known: KnownBoard, random: Random) -> Retaken:
    """The board's pictures as they are, under a slightly wrong calibration."""
    camera, geometry = miscalibrated(known.camera, known.geometry, random)
    images = [shot.image for shot in known.starts]
    look = learn_appearance(images, camera, geometry, known.starts[0].points)
    return Retaken(Board(camera, geometry, look), iter((*known.starts, *known.shots)))
