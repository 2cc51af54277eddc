"""Tells when a part of the board lies in shadow: the same cloth is much darker on one side than on the other."""

import cv2
import numpy as np

from controller.arrays import Picture
from controller.vision.camera import CameraModel
from controller.vision.geometry import BoardGeometry

# Places along each side of the board at which it is looked at.
SAMPLES = 60
# A side with less than this share of the other's grey level is in shadow.
SHADED = 0.62


def shaded_side(picture: Picture, camera: CameraModel, geometry: BoardGeometry) -> str | None:
    """``left``, ``right``, ``upper side`` or ``lower side`` of the picture if that side of the board is in shadow."""
    x = np.linspace(-0.47, 0.47, SAMPLES) * geometry.surface_width_mm
    y = np.linspace(-0.47, 0.47, SAMPLES) * geometry.surface_height_mm
    mesh_x, mesh_y = np.meshgrid(x, y)
    spots = camera.project(np.stack([mesh_x, mesh_y, np.zeros_like(mesh_x)], axis=-1)).reshape(-1, 2)
    height, width = picture.shape[:2]
    inside = ((spots >= 0) & (spots <= [width - 1, height - 1])).all(-1)
    spots = spots[inside]
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    levels = grey[np.round(spots[:, 1]).astype(int), np.round(spots[:, 0]).astype(int)].astype(float)
    middle = camera.project(np.zeros(3))
    for axis, (low, high) in enumerate((("left", "right"), ("upper side", "lower side"))):
        first = spots[:, axis] < middle[axis]
        one, two = (float(np.median(levels[half])) for half in (first, ~first))
        if min(one, two) < SHADED * max(one, two):
            return low if one < two else high
    return None
