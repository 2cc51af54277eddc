"""What a network sees of the bar: one strip along all of it, light's end first."""

import cv2
import numpy as np

from controller.arrays import Float32Array, Picture
from controller.vision.counting.appearance import Appearance, bare_densities, densities, to_lab
from controller.vision.counting.strips import CURVE, FINELY, LIGHTNESS, LIMIT
from controller.vision.geometry.board_grid import BoardGrid
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry

# Pixels to a checker's diameter, and the strip's size: it reaches past both ends of any bar.
SCALE = 20
ROWS, COLUMNS = 288, 40
CHANNELS = 9
# Local contrast is what is bright or dark against this many pixels around.
AROUND = 11


def bar_sheet(geometry: BoardGeometry) -> BoardGrid:
    """Where the strip lies: its middle is that of the board, rows run from light's end to dark's."""
    step = geometry.checker_diameter_mm / SCALE
    return BoardGrid(-step * (COLUMNS - 1) / 2, -step * (ROWS - 1) / 2, ROWS, COLUMNS, step)


def look_at_bar(
    lit: Picture, camera: CameraModel, geometry: BoardGeometry, ground: BoardGrid, look: Appearance
) -> Float32Array:
    """What the network is given: float32 of shape (1, ``CHANNELS``, ``ROWS``, ``COLUMNS``).

    ``lit`` is a picture in the light of the appearance, ``camera`` as it stands to the board now, ``ground``
    the grid of the appearance's pictures. The channels are those of the points' strips (see ``strips``), and
    last where the bar is: 1 on it, -1 beside it.
    """
    grid = bar_sheet(geometry)
    height = geometry.checker_thickness_mm
    first = to_lab(grid.flatten(lit, camera, height))
    upper = cv2.cvtColor(grid.flatten(lit, camera, 2 * height), cv2.COLOR_BGR2GRAY)
    bare = to_lab(grid.lift(look.bare, ground, camera, height))
    doubt = grid.lift(look.doubt, ground, camera, height)
    light, dark = densities(first, look.light), densities(first, look.dark)
    checker = np.maximum(light, dark) - bare_densities(first, bare, doubt)
    found = np.empty((1, CHANNELS, ROWS, COLUMNS), np.float32)
    lightness = np.ascontiguousarray(first[..., 0])
    found[0, 0] = lightness / 64.0 - 2.0
    found[0, 1] = _contrast(lightness)
    found[0, 2] = _contrast(np.asarray(cv2.LUT(upper, LIGHTNESS), np.uint8))
    found[0, 3] = np.clip(checker, -LIMIT, LIMIT) / LIMIT
    found[0, 4] = np.clip(light - dark, -LIMIT, LIMIT) / LIMIT
    found[0, 5] = bare[..., 0] / 64.0 - 2.0
    foot, eye = camera.centre_mm[:2], float(camera.centre_mm[2])
    rise = height / (eye - 2 * height) / (geometry.checker_diameter_mm / 4)
    found[0, 6] = (grid.y_mm[:, None] - foot[1]) * rise
    found[0, 7] = (grid.x_mm[None] - foot[0]) * rise
    on_bar = np.abs(grid.x_mm[None]) < geometry.bar_mm / 2
    found[0, 8] = np.where(on_bar & (np.abs(grid.y_mm[:, None]) < geometry.surface_height_mm / 2), 1, -1)
    return found


def _contrast(lightness: Picture) -> Float32Array:
    """Lightness against its surroundings, faint differences enlarged."""
    around = cv2.blur(lightness.astype(np.float32), (AROUND, AROUND), borderType=cv2.BORDER_REPLICATE)
    level = np.rint(FINELY * (lightness - around + 256)).astype(np.intp)
    return np.asarray(CURVE[level], np.float32)
