"""Level planes of the board as the camera sees them: brings maps of light into the picture."""

from dataclasses import dataclass

import cv2
import numpy as np

from controller.arrays import Float32Array, GreyPicture, Picture
from controller.simulation.painting.shadow import Grid
from controller.simulation.painting.stage import PixelBox, around
from controller.vision.camera import CameraModel

# A grey level goes with the root of the light.
ROOTS = np.asarray(np.rint(255 * np.sqrt(np.arange(256) / 255)), np.uint8)
# Places are worked out for one pixel in so many along each side and are even enough in between.
COARSE = 8


@dataclass(frozen=True)
class Plane:
    """Where the pixels of a patch lie on a grid of board points at some height, worked out once.

    ``apart`` (h, w) is 255 at pixels that show something else than this plane, 0 at its own.
    """

    grid: Grid
    camera: CameraModel
    height_mm: float
    patch: PixelBox
    x: Float32Array
    y: Float32Array
    apart: GreyPicture

    def darken(self, picture: Picture, mask: GreyPicture) -> None:
        """Let the light on the grid, 255 being all, fall on the picture's pixels that show this plane."""
        patch = self._dark(mask)
        if patch.empty:
            return
        rows = slice(patch.top - self.patch.top, patch.bottom - self.patch.top)
        columns = slice(patch.left - self.patch.left, patch.right - self.patch.left)
        x, y = self.x[rows, columns], self.y[rows, columns]
        factor = cv2.remap(cv2.LUT(mask, ROOTS), x, y, cv2.INTER_LINEAR, None, cv2.BORDER_CONSTANT, 255)
        factor = cv2.cvtColor(cv2.bitwise_or(factor, self.apart[rows, columns]), cv2.COLOR_GRAY2BGR)
        part = picture[patch.slices()]
        cv2.multiply(part, factor, part, 1 / 255)

    def _dark(self, mask: GreyPicture) -> PixelBox:
        """The part of the picture on which less than all light may fall."""
        x, y, width, height = cv2.boundingRect(cv2.bitwise_not(mask))
        if not width:
            return PixelBox(0, 0, 0, 0)
        grid = self.grid
        across = grid.left_mm + grid.step_mm * np.linspace(x - 1, x + width, 5)
        along = grid.near_mm + grid.step_mm * np.linspace(y - 1, y + height, 5)
        places = np.stack(np.meshgrid(across, along, [self.height_mm]), axis=-1).reshape(-1, 3)
        near = around(self.camera.project(places), 4.0, self.camera.width, self.camera.height)
        return near.within(self.patch)


def plane_of(grid: Grid, camera: CameraModel, height: float, shown: GreyPicture) -> Plane:
    """The plane at a height under a camera; ``shown`` (h, w) is 255 at pixels that show it, else 0."""
    left, top, width, height_px = cv2.boundingRect(shown)
    patch = PixelBox(left, top, left + width, top + height_px)
    x, y = np.meshgrid(
        np.arange(left, patch.right + COARSE, float(COARSE)),
        np.arange(top, patch.bottom + COARSE, float(COARSE)),
    )
    where = camera.to_board(np.stack([x, y], -1), height)
    back = np.array([[1 / COARSE, 0, 0], [0, 1 / COARSE, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    maps = [
        cv2.warpAffine(
            ((where[..., k] - start) / grid.step_mm).astype(np.float32), back, (width, height_px), flags=flags
        )
        for k, start in ((0, grid.left_mm), (1, grid.near_mm))
    ]
    apart = cv2.bitwise_not(shown[patch.slices()])
    return Plane(
        grid,
        camera,
        height,
        patch,
        np.asarray(maps[0], np.float32),
        np.asarray(maps[1], np.float32),
        np.asarray(apart, np.uint8),
    )
