"""What the networks for dice and cube are shown: flat pictures of the whole board, and patches about a spot."""

from dataclasses import dataclass

import cv2
import numpy as np

from controller.vision.camera import Camera
from controller.vision.geometry import BoardGeometry
from controller.vision.sheet import Picture, Sheet


@dataclass(frozen=True, slots=True)
class View:
    """How patches are cut: on the plane at ``height_mm``, ``size`` pixels wide, ``step_mm`` apart."""

    height_mm: float
    step_mm: float
    size: int


# Planes are those of usual upper faces (nominal mm); others appear a little shifted and scaled on them.
DIE_VIEW = View(15.0, 0.72, 32)
CUBE_VIEW = View(25.0, 1.1, 32)
# What is told apart on a cube besides nothing; a maker's mark may stand in place of the 64.
LOGO = 1
CUBE_CLASSES = (2, 4, 8, 16, 32, 64, LOGO)
# The cube is looked for on a coarse sheet that reaches past trays, and past the rails at either end.
CUBE_STEP_MM = 3.0
BESIDE_MM = 165.0
BEYOND_MM = 24.0


def die_picture(lit: Picture, camera: Camera, sheet: Sheet, bare: Picture) -> Picture:
    """The board laid flat at the height of a die's face, and how it differs from bare: (rows, columns, 4)."""
    flat = sheet.flatten(lit, camera, DIE_VIEW.height_mm)
    ground = sheet.lift(bare, sheet, camera, DIE_VIEW.height_mm)
    gap = np.asarray(cv2.absdiff(flat, ground), np.uint8).max(axis=2)
    return np.dstack([flat, gap])


def cube_sheet(geometry: BoardGeometry) -> Sheet:
    """The sheet on which the cube is looked for: the surface, trays, and the table beside them."""
    width = geometry.surface_width_mm + 2 * BESIDE_MM
    height = geometry.surface_height_mm + 2 * BEYOND_MM
    rows, columns = round(height / CUBE_STEP_MM) + 1, round(width / CUBE_STEP_MM) + 1
    return Sheet(-width / 2, -height / 2, rows, columns, CUBE_STEP_MM)


def cube_picture(lit: Picture, camera: Camera, sheet: Sheet) -> Picture:
    """The board and what is beside it laid flat at the height of the cube's face, (rows, columns, 3)."""
    return sheet.flatten(lit, camera, CUBE_VIEW.height_mm)
