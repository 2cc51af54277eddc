"""Level planes of the board as the camera sees them: brings maps of light into the picture."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.simulation.shadow import Grid
from controller.vision.camera import Camera

# A grey level goes with the root of the light.
ROOTS = np.asarray(np.rint(255 * np.sqrt(np.arange(256) / 255)), np.uint8)


@dataclass(frozen=True)
class Plane:
    """Where a grid of board points at some height lies in the picture, worked out once."""

    fixed: NDArray[np.int16]
    fraction: NDArray[np.uint16]

    def projected(self, mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A map of light on the grid as grey factors (root of the light) on the picture's pixels."""
        return np.asarray(
            cv2.remap(
                cv2.LUT(mask, ROOTS),
                self.fixed,
                self.fraction,
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_CONSTANT,
                borderValue=255,
            ),
            np.uint8,
        )


def plane_of(grid: Grid, camera: Camera, height: float) -> Plane:
    """The plane at a height under a camera."""
    rows, columns = camera.height, camera.width
    x, y = np.meshgrid(np.arange(0, columns + 8, 8.0), np.arange(0, rows + 8, 8.0))
    where = camera.to_board(np.stack([x, y], -1), height)
    map_x = np.asarray((where[..., 0] - grid.left_mm) / grid.step_mm, np.float32)
    map_y = np.asarray((where[..., 1] - grid.near_mm) / grid.step_mm, np.float32)
    back = np.array([[1 / 8, 0, 0], [0, 1 / 8, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    fine_x = cv2.warpAffine(map_x, back, (columns, rows), flags=flags)
    fine_y = cv2.warpAffine(map_y, back, (columns, rows), flags=flags)
    fixed, fraction = cv2.convertMaps(fine_x, fine_y, cv2.CV_16SC2)
    return Plane(np.asarray(fixed, np.int16), np.asarray(fraction, np.uint16))
