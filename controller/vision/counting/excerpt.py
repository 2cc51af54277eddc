"""The parts of a picture that show some points, side by side: less to work on than all of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from controller.arrays import Float32Array, FloatArray, IndexArray, IntArray, Picture
from controller.vision.counting.strips import POINTS, lay_strips
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry

# Pixels around what is looked at that are taken along: halving and interpolating look at neighbours.
AROUND = 4
# The heights, in thicknesses of a checker, on which strips are looked at.
LAYERS = (1, 2)


@dataclass(frozen=True, eq=False)
class ExcerptCamera(CameraModel):
    """A camera whose pictures were cut apart: what is mapped lies ``shift`` pixels, (parts, 2), away, part by part.

    It stands where the whole one stands, and equals all others there: only `map_plane` is another.
    """

    shift: IntArray

    def map_plane(
        self, x_mm: FloatArray, y_mm: FloatArray, height_mm: float
    ) -> tuple[Float32Array, Float32Array]:
        """Maps as of the whole camera, but into the excerpt, for nodes (parts, rows, columns)."""
        x, y = super().map_plane(x_mm, y_mm, height_mm)
        away = self.shift.astype(np.float32)[:, :, None, None]
        return x - away[:, 0], y - away[:, 1]


@dataclass(frozen=True, eq=False)
class Excerpt:
    """What shows some points: its ``picture``, (h, w, 3), and how far, (24, 2) pixels, each point lies from where it
    lies in the whole picture of ``camera``; ``None`` where it is the whole picture.
    """

    picture: Picture
    camera: CameraModel
    shifts: IntArray | None

    def camera_at(self, which: Sequence[int] | IndexArray) -> CameraModel:
        """The camera that maps nodes of the strips of these points, from 0, into the excerpt."""
        if self.shifts is None:
            return self.camera
        whole = self.camera
        size, lens = (whole.width, whole.height), (whole.focal, whole.k1, whole.k2)
        return ExcerptCamera(*size, *lens, whole.rotation, whole.translation, self.shifts[which])


def cut_excerpt(lit: Picture, camera: CameraModel, geometry: BoardGeometry, which: Sequence[int]) -> Excerpt:
    """What of a picture, (h, w, 3), shows these points, from 0: all of it for all of them, or if one is cut off."""
    rows, columns = lit.shape[:2]
    # A picture that has no middle is not halved in the same way as its parts.
    if len(which) == POINTS or rows % 2 or columns % 2:
        return Excerpt(lit, camera, None)
    boxes = _boxes(camera, geometry)[which]
    if boxes[:, :2].min() < 0 or (boxes[:, 2:].max(axis=0) > (columns, rows)).any():
        return Excerpt(lit, camera, None)
    widths, heights = (boxes[:, 2:] - boxes[:, :2]).T
    ends = np.cumsum(widths)
    picture = np.zeros((heights.max(), ends[-1], 3), np.uint8)
    shifts = np.zeros((POINTS, 2), np.int64)
    for point, (left, top, right, bottom), end in zip(which, boxes.tolist(), ends.tolist(), strict=True):
        start = end - (right - left)
        picture[: bottom - top, start:end] = lit[top:bottom, left:right]
        shifts[point] = left - start, top
    return Excerpt(picture, camera, shifts)


@lru_cache(maxsize=4)
def _boxes(camera: CameraModel, geometry: BoardGeometry) -> IntArray:
    """Where each point's strips are seen: (24, 4) pixels, left, top, right and bottom, all even."""
    strips = lay_strips(geometry)
    maps = [camera.map_plane(strips.x_mm, strips.y_mm, n * geometry.checker_thickness_mm) for n in LAYERS]
    seen = np.nan_to_num(np.stack([np.stack(pair) for pair in maps]), nan=-1e6)
    low, high = seen.min(axis=(0, 3, 4)).T - AROUND, seen.max(axis=(0, 3, 4)).T + AROUND
    return np.concatenate([2 * np.floor(low / 2), 2 * np.ceil(high / 2)], axis=1).astype(np.int64)
