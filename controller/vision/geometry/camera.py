"""The camera: where a point of the board lands in the picture, and the way back.

Board frame (millimetres, right-handed): origin at the centre of the playing surface, x to the right
and y away as seen from light's seat, z up from the surface. Picture frame: pixels, x right, y down,
the centre of the top left pixel is (0, 0).

The lens is OpenCV's model restricted to the first two radial terms with the principal point in the
middle of the picture: more cannot be told apart from the one or two pictures a calibration has.
"""

from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TypeAlias

import cv2
import numpy as np

from controller.arrays import Float32Array, FloatArray, Mask

Measure: TypeAlias = float | FloatArray

# The lens is undone in at most this many steps, or until one changes directions by no more than this.
UNBENDING, STRAIGHT = 20, 1e-9


@dataclass(frozen=True)
class CameraModel:
    """A fixed camera above a board.

    ``width``, ``height`` and ``focal`` are in pixels; ``k1``, ``k2`` are OpenCV's radial terms;
    ``rotation`` (Rodrigues vector, radians) and ``translation`` (mm) take board to camera coordinates.
    """

    width: int
    height: int
    focal: float
    k1: float
    k2: float
    rotation: tuple[float, float, float]
    translation: tuple[float, float, float]

    @cached_property
    def matrix(self) -> FloatArray:
        """The 3x3 intrinsic matrix."""
        return np.array(
            [[self.focal, 0, (self.width - 1) / 2], [0, self.focal, (self.height - 1) / 2], [0, 0, 1]]
        )

    @cached_property
    def rotation_matrix(self) -> FloatArray:
        """The 3x3 rotation from board to camera coordinates."""
        return np.asarray(cv2.Rodrigues(np.array(self.rotation, float))[0], np.float64)

    @cached_property
    def centre_mm(self) -> FloatArray:
        """Where the camera is, in the board frame, shape (3,)."""
        return np.asarray(-self.rotation_matrix.T @ np.array(self.translation, float), float)

    def resized(self, width: int, height: int) -> "CameraModel":
        """The camera whose pictures are these, made larger or smaller to this many pixels, their shape kept."""
        return replace(self, width=width, height=height, focal=self.focal * width / self.width)

    def project(self, points_mm: FloatArray) -> FloatArray:
        """Project board points, shape (..., 3) in mm, to pixels, shape (..., 2).

        Points behind the camera come out as NaN.
        """
        points = np.asarray(points_mm, float)
        seen = points @ self.rotation_matrix.T + np.array(self.translation, float)
        return np.asarray(self.focal * through_lens(seen, self.k1, self.k2) + self.matrix[:2, 2], float)

    def pixels_per_mm(self, height_mm: float = 0.0) -> float:
        """How many pixels a millimetre takes about the middle of the board, at a height."""
        ends = self.project(np.array([[-100.0, 0, height_mm], [100.0, 0, height_mm]]))
        return float(np.hypot(*(ends[1] - ends[0]))) / 200

    def shows(self, pixels: FloatArray) -> Mask:
        """Which of these pixels, shape (..., 2), lie in its pictures."""
        return np.asarray(((pixels >= 0) & (pixels <= (self.width - 1, self.height - 1))).all(axis=-1))

    def project_circle(self, centre_mm: FloatArray, radius_mm: float, count: int) -> FloatArray:
        """A level circle about a place, shape (3,) in mm, as seen in the picture: ``count`` pixels, (count, 2)."""
        return self.project(centre_mm + radius_mm * _ring(count))

    def rays(self, pixels: FloatArray) -> FloatArray:
        """Directions in the board frame, shape (..., 3), of the rays through pixels, shape (..., 2)."""
        bent = np.moveaxis((np.asarray(pixels, float) - self.matrix[:2, 2]) / self.focal, -1, 0)
        # One coordinate after the other: sums over pairs are slow.
        flat = bent = np.ascontiguousarray(bent)
        for _ in range(UNBENDING):
            square, bowed = flat[0] ** 2 + flat[1] ** 2, flat
            flat = bent / (1 + self.k1 * square + self.k2 * square**2)
            if np.abs(flat - bowed).max(initial=0) <= STRAIGHT:
                break
        directions = np.stack([*flat, np.ones(flat.shape[1:])], axis=-1)
        return np.asarray(directions @ self.rotation_matrix, float)

    def to_board(self, pixels: FloatArray, height_mm: float = 0.0) -> FloatArray:
        """Board coordinates (mm), shape (..., 2), of pixels, shape (..., 2), that lie at a known height."""
        directions = self.rays(pixels)
        steps = (height_mm - self.centre_mm[2]) / directions[..., 2:]
        return np.asarray(self.centre_mm[:2] + steps * directions[..., :2], float)

    def map_plane(
        self, x_mm: FloatArray, y_mm: FloatArray, height_mm: float
    ) -> tuple[Float32Array, Float32Array]:
        """Maps for ``cv2.remap`` that resample a picture on a grid of board points at one height.

        ``x_mm`` and ``y_mm`` are broadcast to one shape, which the two maps have. This is `project` in fewer steps.
        """
        turn, middle = self.rotation_matrix, self.matrix[:2, 2]
        origin = turn[:, 2] * height_mm + np.array(self.translation, float)
        right, down, ahead = (
            row[0] * x_mm + row[1] * y_mm + at for row, at in zip(turn, origin, strict=True)
        )
        depth = np.where(ahead > 1e-6, ahead, np.nan)
        across, along = right / depth, down / depth
        square = across * across + along * along
        bent = self.focal * (1 + square * (self.k1 + square * self.k2))
        return (bent * across + middle[0]).astype(np.float32), (bent * along + middle[1]).astype(np.float32)


@cache
def _ring(count: int) -> FloatArray:
    """As many places on a level circle of radius 1, shape (count, 3)."""
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.stack([np.cos(angle), np.sin(angle), np.zeros(count)], axis=1)


def through_lens(seen: FloatArray, k1: Measure, k2: Measure) -> FloatArray:
    """Where places in camera coordinates, shape (..., 3), are seen from the middle of the picture, in focal lengths.

    ``k1`` and ``k2`` are one lens's radial terms, or those of many, of a shape to go with ``seen[..., :1]``. What is
    behind the camera comes out as NaN; shape (..., 2).
    """
    depth = np.where(seen[..., 2:] > 1e-6, seen[..., 2:], np.nan)
    flat = seen[..., :2] / depth
    square = flat[..., :1] ** 2 + flat[..., 1:] ** 2
    return np.asarray(flat * (1 + k1 * square + k2 * square**2), float)
