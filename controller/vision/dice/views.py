"""What the networks for dice and cube are shown: flat pictures of the whole board, and patches about a spot."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from controller.arrays import Float32Array, FloatArray, Picture
from controller.vision.counting.appearance import strongest
from controller.vision.geometry.board_grid import BoardGrid
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PatchView:
    """How patches are cut: on the plane at ``height_mm``, ``size`` pixels wide, ``step_mm`` apart."""

    height_mm: float
    step_mm: float
    size: int


# Grey levels of noise that are not blown up to a pattern when a patch is evenly coloured.
LEAST_CONTRAST = 6.0
# Map networks look at blocks of this many pixels along each side and answer for the quarters of each.
BLOCK = 4
# So far (radians) a patch may be turned from facing the camera: at a slant of 1, at least, at most.
LEEWAY = (0.06, 0.35, 3.1)
# Planes are those of usual upper faces (nominal mm); others appear a little shifted and scaled on them.
DIE_VIEW = PatchView(15.0, 0.72, 32)
CUBE_VIEW = PatchView(25.0, 1.1, 32)
# What is told apart on a cube besides nothing; a maker's mark may stand in place of the 64.
LOGO = 1
CUBE_CLASSES = (2, 4, 8, 16, 32, 64, LOGO)
# The cube is looked for on a coarse grid that reaches past trays, and past the rails at either end.
CUBE_STEP_MM = 3.0
BESIDE_MM = 165.0
BEYOND_MM = 24.0


def die_picture(lit: Picture, camera: CameraModel, grid: BoardGrid, bare: Picture) -> Picture:
    """The board laid flat at the height of a die's face, and how it differs from bare: (rows, columns, 4)."""
    flat = grid.flatten(lit, camera, DIE_VIEW.height_mm)
    ground = grid.lift(bare, grid, camera, DIE_VIEW.height_mm)
    return np.asarray(cv2.merge([*cv2.split(flat), strongest(cv2.absdiff(flat, ground))]), np.uint8)


def cube_sheet(geometry: BoardGeometry) -> BoardGrid:
    """The grid on which the cube is looked for: the surface, trays, and the table beside them."""
    width = geometry.surface_width_mm + 2 * BESIDE_MM
    height = geometry.surface_height_mm + 2 * BEYOND_MM
    rows, columns = round(height / CUBE_STEP_MM) + 1, round(width / CUBE_STEP_MM) + 1
    return BoardGrid(-width / 2, -height / 2, rows, columns, CUBE_STEP_MM)


def cube_picture(lit: Picture, camera: CameraModel, grid: BoardGrid) -> Picture:
    """The board and what is beside it laid flat at the height of the cube's face, (rows, columns, 3)."""
    return grid.flatten(lit, camera, CUBE_VIEW.height_mm)


def facing(camera: CameraModel, spot: Spot, view: PatchView) -> tuple[float, float]:
    """The turn (radians) of a patch at a spot (mm) whose lower edge is nearest to the camera, and the slant there.

    The slant is how far sideways the camera stands for its height over the view's plane. In a patch that is
    turned so, the sides of things are seen below their upper faces.
    """
    x, y = float(camera.centre_mm[0]) - spot[0], float(camera.centre_mm[1]) - spot[1]
    return float(np.arctan2(x, -y)), float(np.hypot(x, y)) / (float(camera.centre_mm[2]) - view.height_mm)


def leeway(slant: FloatArray) -> FloatArray:
    """How far (radians) a patch may be turned from facing the camera: any way where that is overhead."""
    scale, least, most = LEEWAY
    return np.asarray(np.clip(scale / np.maximum(slant, 1e-3) ** 2, least, most), float)


def cut_patch(image: Picture, camera: CameraModel, spot: Spot, view: PatchView, turn: float = 0.0) -> Picture:
    """A square of the picture about a spot, (size, size, 3), as seen on the plane of the view.

    Light's side is down; ``turn`` (radians) turns the square on the board. Few nodes are projected and the
    rest interpolated.
    """
    nodes = np.linspace(-0.5, 0.5, 5) * (view.size - 1) * view.step_mm
    across, along = np.meshgrid(nodes, -nodes)
    cos, sin = np.cos(turn), np.sin(turn)
    x, y = camera.map_plane(
        spot[0] + cos * across - sin * along, spot[1] + sin * across + cos * along, view.height_mm
    )
    scale = 4 / (view.size - 1)
    back = np.array([[scale, 0, 0], [0, scale, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    fine_x, fine_y = (
        cv2.warpAffine(nodes, back, (view.size, view.size), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        for nodes in (x, y)
    )
    patch = cv2.remap(image, fine_x, fine_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.uint8)


def normal(patches: Sequence[Picture]) -> Float32Array:
    """Patches as a network wants them: (n, 3, size, size), each of mean 0 and spread 1."""
    stack = np.stack(patches).astype(np.float32).transpose(0, 3, 1, 2)
    mean = stack.mean(axis=(1, 2, 3), keepdims=True)
    spread = stack.std(axis=(1, 2, 3), keepdims=True)
    return np.ascontiguousarray((stack - mean) / (spread + LEAST_CONTRAST), np.float32)
