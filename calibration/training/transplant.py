"""Moves things that are seen in a picture to another place on the board, for pictures that were never taken."""

from dataclasses import dataclass

import cv2
import numpy as np

from controller.arrays import FloatArray, Picture
from controller.vision import CameraModel

# A round thing is carried over in this many slices from its foot to its top.
SLICES = 4
# Its shadow reaches so much further than itself.
SHADOW = 1.2


@dataclass(frozen=True)
class RoundItem:
    """Something round that stands on the surface, in mm: its middle, radius and height."""

    x: float
    y: float
    radius: float
    height: float


def transplant(
    into: Picture,
    out_of: Picture,
    camera: CameraModel,
    thing: RoundItem,
    place: tuple[float, float, float],
    shade: float,
) -> None:
    """Put a thing that is seen in ``out_of`` also at a place (x, y, height of its foot; mm) of ``into``, in place.

    Both are pictures (h, w, 3) by the same camera; the surface around is darkened by up to ``shade`` (0 to 1).
    """
    x, y, foot = place
    rows, columns, off = _around(camera, place, SHADOW * thing.radius, into)
    if not off.size:
        return
    near = np.clip((SHADOW - np.hypot(off[..., 0], off[..., 1]) / thing.radius) / (SHADOW - 0.8), 0, 1)
    darker = into[rows, columns] * (1 - shade * near[..., None])
    into[rows, columns] = np.rint(darker).astype(np.uint8)
    for height in np.linspace(0, thing.height, SLICES):
        rows, columns, off = _around(camera, (x, y, foot + float(height)), thing.radius, into)
        if not off.size:
            return
        source = np.concatenate(
            [off + np.array([thing.x, thing.y]), np.full((*off.shape[:2], 1), height)], axis=-1
        )
        seen = camera.project(source).astype(np.float32)
        patch = cv2.remap(
            out_of, seen[..., 0], seen[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        pixel = thing.radius / max(1.0, off.shape[1] / 2)
        share = np.clip((thing.radius - np.hypot(off[..., 0], off[..., 1])) / pixel, 0, 1)[..., None]
        blended = share * patch + (1 - share) * into[rows, columns]
        into[rows, columns] = np.rint(blended).astype(np.uint8)


def _around(
    camera: CameraModel, place: tuple[float, float, float], radius: float, image: Picture
) -> tuple[slice, slice, FloatArray]:
    """The part of a picture around a circle at a place, and where (mm off its middle) each pixel lies there."""
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = np.array(place) + radius * np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=-1)
    seen = camera.project(ring)
    left, top = np.maximum(np.floor(seen.min(axis=0)).astype(int) - 1, 0)
    right, bottom = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + 2, image.shape[1::-1])
    across, down = np.meshgrid(np.arange(left, max(left, right)), np.arange(top, max(top, bottom)))
    pixels = np.stack([across, down], axis=-1).astype(float)
    off = camera.to_board(pixels, place[2]) - place[:2]
    return slice(top, max(top, bottom)), slice(left, max(left, right)), off
