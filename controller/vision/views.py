"""What the networks for dice and cube are shown: flat pictures of the whole board, and patches about a spot."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.camera import Camera
from controller.vision.geometry import BoardGeometry
from controller.vision.sheet import Picture, Sheet

FloatArray = NDArray[np.float64]
Patches = NDArray[np.float32]
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class View:
    """How patches are cut: on the plane at ``height_mm``, ``size`` pixels wide, ``step_mm`` apart."""

    height_mm: float
    step_mm: float
    size: int


# Grey levels of noise that are not blown up to a pattern when a patch is evenly coloured.
LEAST_CONTRAST = 6.0
# Along each side of a patch so many places are projected.
NODES = 5
# Map networks look at blocks of so many pixels along each side and answer for the quarters of each.
BLOCK = 4
# So far (radians) a patch may be turned from facing the camera: at a slant of 1, at least, at most.
LEEWAY = (0.06, 0.35, 3.1)
# Planes are those of usual upper faces (nominal mm); others appear a little shifted and scaled on them.
DIE_VIEW = View(15.0, 0.72, 32)
CUBE_VIEW = View(25.0, 1.1, 32)
# What is told apart on a cube besides nothing; a maker's mark may stand in place of the 64.
LOGO = 1
CUBE_CLASSES = (2, 4, 8, 16, 32, 64, LOGO)
# Dice are looked for on a sheet of so many steps for each four of the surface's.
DIE_STEPS = 3
# The cube is looked for on a coarse sheet that reaches past trays, and past the rails at either end.
CUBE_STEP_MM = 3.0
BESIDE_MM = 165.0
BEYOND_MM = 24.0


def die_sheet(sheet: Sheet) -> Sheet:
    """The sheet on which dice are looked for: the same surface in coarser steps."""
    step = sheet.step_mm * 4 / DIE_STEPS
    shift = (step - sheet.step_mm) / 2
    rows, columns = sheet.rows // 4 * DIE_STEPS, sheet.columns // 4 * DIE_STEPS
    return Sheet(sheet.left_mm + shift, sheet.near_mm + shift, rows, columns, step)


def die_picture(lit: Picture, camera: Camera, sheet: Sheet, bare: Picture) -> Picture:
    """The board laid flat at the height of a die's face, and how it differs from bare.

    ``bare`` is the bare board on ``sheet``; shape (rows, columns, 4) of its `die_sheet`.
    """
    flat = sheet.flatten(lit, camera, DIE_VIEW.height_mm)
    ground = sheet.lift(bare, sheet, camera, DIE_VIEW.height_mm)
    blue, green, red = cv2.split(cv2.absdiff(flat, ground))
    gap = cv2.max(cv2.max(blue, green), red)
    fine = cv2.merge([*cv2.split(flat), gap])[: sheet.rows // 4 * 4, : sheet.columns // 4 * 4]
    coarse = die_sheet(sheet)
    return np.asarray(cv2.resize(fine, (coarse.columns, coarse.rows)), np.uint8)


def cube_sheet(geometry: BoardGeometry) -> Sheet:
    """The sheet on which the cube is looked for: the surface, trays, and the table beside them."""
    width = geometry.surface_width_mm + 2 * BESIDE_MM
    height = geometry.surface_height_mm + 2 * BEYOND_MM
    rows, columns = round(height / CUBE_STEP_MM) + 1, round(width / CUBE_STEP_MM) + 1
    return Sheet(-width / 2, -height / 2, rows, columns, CUBE_STEP_MM)


def cube_picture(lit: Picture, camera: Camera, sheet: Sheet) -> Picture:
    """The board and what is beside it laid flat at the height of the cube's face, (rows, columns, 3)."""
    return sheet.flatten(lit, camera, CUBE_VIEW.height_mm)


def facing(camera: Camera, spots: FloatArray, view: View) -> tuple[FloatArray, FloatArray]:
    """The turns (radians) of patches at spots (..., 2) mm whose lower edges are nearest to the camera, and slants.

    The slant is how far sideways the camera stands for its height over the view's plane. In a patch that is
    turned so, the sides of things are seen below their upper faces.
    """
    away = camera.centre_mm[:2] - spots
    slant = np.hypot(away[..., 0], away[..., 1]) / (float(camera.centre_mm[2]) - view.height_mm)
    return np.asarray(np.arctan2(away[..., 0], -away[..., 1]), float), np.asarray(slant, float)


def leeway(slant: FloatArray) -> FloatArray:
    """How far (radians) a patch may be turned from facing the camera: any way where that is overhead."""
    scale, least, most = LEEWAY
    return np.asarray(np.clip(scale / np.maximum(slant, 1e-3) ** 2, least, most), float)


def cut_patches(image: Picture, camera: Camera, spots: FloatArray, view: View, turns: FloatArray) -> Picture:
    """Squares of the picture about spots (n, 2) mm, (n, size, size, 3), as seen on the plane of the view.

    Light's side is down; ``turns`` (n,) in radians turn each square on the board. Few nodes are projected and
    the rest interpolated.
    """
    nodes = np.linspace(-0.5, 0.5, NODES) * (view.size - 1) * view.step_mm
    across, along = np.meshgrid(nodes, -nodes)
    cos, sin = np.cos(turns)[:, None, None], np.sin(turns)[:, None, None]
    x, y = spots[:, 0, None, None], spots[:, 1, None, None]
    maps = camera.map_plane(x + cos * across - sin * along, y + sin * across + cos * along, view.height_mm)
    between = _between(view.size)
    fine_x, fine_y = ((between @ coarse @ between.T).reshape(-1, view.size) for coarse in maps)
    patches = cv2.remap(image, fine_x, fine_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patches, np.uint8).reshape(len(spots), view.size, view.size, 3)


@cache
def _between(size: int) -> NDArray[np.float32]:
    """What ``size`` places evenly from the first node to the last have of each node, (size, nodes)."""
    places = np.linspace(0, NODES - 1, size)[:, None]
    return np.asarray(np.maximum(0, 1 - np.abs(places - np.arange(NODES))), np.float32)


def normal(patches: Picture) -> Patches:
    """Patches (n, size, size, 3) as a network wants them: (n, 3, size, size), each of mean 0 and spread 1."""
    stack = patches.astype(np.float32).transpose(0, 3, 1, 2)
    mean = stack.mean(axis=(1, 2, 3), keepdims=True)
    spread = stack.std(axis=(1, 2, 3), keepdims=True)
    return np.ascontiguousarray((stack - mean) / (spread + LEAST_CONTRAST), np.float32)
