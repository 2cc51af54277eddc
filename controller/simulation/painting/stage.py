"""The picture while it is painted, and whose upper face is seen at each pixel."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.arrays import AnyFloatArray, FloatArray, Picture
from controller.vision import CameraModel

# What an owner map says where no upper face is seen, and where a hand or cup hides the board.
NOBODY = 0
HIDDEN = -1
# Outlines are filled this many times finer than the picture.
FINER = 4


@dataclass(frozen=True, slots=True)
class PixelBox:
    """A part of the picture: columns ``left`` to ``right``, rows ``top`` to ``bottom`` (ends not included)."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def empty(self) -> bool:
        """Whether nothing of it lies in the picture."""
        return self.right <= self.left or self.bottom <= self.top

    def within(self, other: "PixelBox") -> "PixelBox":
        """What this one has in common with another."""
        return PixelBox(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns."""
        return self.bottom - self.top, self.right - self.left

    def slices(self) -> tuple[slice, slice]:
        """Rows and columns, for indexing."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def pixels(self) -> tuple[AnyFloatArray, AnyFloatArray]:
        """The x of each column, shape (1, w), and the y of each row, shape (h, 1)."""
        x = np.arange(self.left, self.right, dtype=np.float32)[None]
        y = np.arange(self.top, self.bottom, dtype=np.float32)[:, None]
        return x, y


@dataclass(frozen=True, slots=True)
class Layer:
    """Something to lay over a patch: colours (h, w, 3) uint8, opacity (h, w) float32, and its height (mm).

    ``face`` is the opacity of its upper face, (h, w), ``None`` if it has none to be booked.
    """

    patch: PixelBox
    colour: Picture
    alpha: AnyFloatArray
    height_mm: float
    face: AnyFloatArray | None = None


@dataclass(frozen=True)
class Canvas:
    """What is painted on: ``picture`` (h, w, 3), ``owner`` (h, w) int32 and ``rail`` (h, w), heights in mm.

    ``owner`` holds the number of the thing whose upper face is seen (from 1), 0 for nothing and -1 where a
    hand or cup covers the board. ``rail`` is how high the fixed parts of the board reach at each pixel.
    """

    picture: Picture
    owner: NDArray[np.int32]
    rail: AnyFloatArray

    def patch(self, spots: FloatArray, margin: float) -> PixelBox:
        """The part of the picture around some pixels, shape (n, 2)."""
        height, width = self.owner.shape
        return around(spots, margin, width, height)

    def put(self, layer: Layer, number: int) -> int:
        """Lay something over what is there, behind rails higher than it.

        Its upper face is booked under ``number``, the rest as nobody's (as covered if ``number`` is ``HIDDEN``).
        Returns how many pixels the face would have if nothing hid it.
        """
        if layer.patch.empty:
            return 0
        rows, columns = layer.patch.slices()
        rail, shown = self.rail[rows, columns], layer.alpha
        if rail.max() > layer.height_mm:
            shown = np.where(rail > layer.height_mm, np.float32(0), shown)
        ground = self.picture[rows, columns]
        cv2.blendLinear(layer.colour, ground, shown, 1 - shown, ground)
        owner, solid = self.owner[rows, columns], shown > 0.5
        if layer.face is None:
            np.copyto(owner, HIDDEN if number == HIDDEN else NOBODY, where=solid)
            return 0
        upper = layer.face > 0.5
        np.copyto(owner, np.where(upper, np.int32(number), np.int32(NOBODY)), where=solid)
        return int(np.count_nonzero(upper))


def around(spots: FloatArray, margin: float, width: int, height: int) -> PixelBox:
    """The part of a picture of this size around some pixels, shape (n, 2)."""
    return around_each(spots[None], margin, width, height)[0]


def around_each(spots: FloatArray, margin: float, width: int, height: int) -> list[PixelBox]:
    """The parts of a picture of this size around several groups of pixels, shape (m, n, 2)."""
    low, high = spots.min(axis=1) - margin, spots.max(axis=1) + margin
    # What is not all before the camera has no place in the picture.
    ends = np.nan_to_num(np.concatenate([np.floor(low), np.ceil(high) + 1], axis=1), nan=0.0)
    return [PixelBox(*each) for each in np.clip(ends, 0, [width, height, width, height]).astype(int).tolist()]


def px_per_mm(camera: CameraModel, place_mm: FloatArray) -> float:
    """Scale of a picture at a place, shape (3,), straight across the line of sight."""
    return camera.focal / float(np.linalg.norm(camera.centre_mm - place_mm))


def fill(patch: PixelBox, outline: FloatArray) -> AnyFloatArray:
    """How much of each pixel of a patch a convex outline (n, 2) covers, 0..1, shape (h, w)."""
    rows, columns = patch.shape
    canvas = np.zeros((rows * FINER, columns * FINER), np.uint8)
    spots = (outline - [patch.left, patch.top] + 0.5) * FINER - 0.5
    cv2.fillConvexPoly(canvas, np.round(spots * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    small = cv2.resize(canvas, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / np.float32(255)


def fill_hull(patch: PixelBox, spots: FloatArray) -> AnyFloatArray:
    """The same for the hull of some pixels (n, 2)."""
    return fill(patch, np.asarray(cv2.convexHull(spots.astype(np.float32)), float).reshape(-1, 2))
