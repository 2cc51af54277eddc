"""Paints dice and the doubling cube of a scene."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.simulation.box import Box, Lamp, leaning, paint_box, resting
from controller.simulation.faces import CUBE_VALUES, CubeStyle, DieStyle, cube_face, die_face
from controller.simulation.scene import Cube, Die
from controller.simulation.setting import Setting
from controller.simulation.stage import NOBODY, Stage
from controller.vision.camera import Camera

Picture = NDArray[np.uint8]
FloatArray = NDArray[np.float64]

# Opposite faces of a die add up to seven; those of a cube are as on most cubes.
OPPOSITE = {2: 64, 64: 2, 4: 32, 32: 4, 8: 16, 16: 8}


def die_centre(setting: Setting, die: Die) -> FloatArray:
    """The middle of a die (mm), shape (3,)."""
    side = setting.dice[die.side].size_mm
    return resting(die.x_mm, die.y_mm, die.z_mm, side, leaning(die.turn, die.lean, die.lean_to))


def die_top(setting: Setting, die: Die) -> FloatArray:
    """The centre of a die's upper face (mm), shape (3,)."""
    side = setting.dice[die.side].size_mm
    turn = leaning(die.turn, die.lean, die.lean_to)
    return np.asarray(die_centre(setting, die) + turn @ np.array([0, 0, side / 2]), float)


def paint_die(stage: Stage, camera: Camera, setting: Setting, die: Die, number: int) -> int:
    """Paint a die; returns how many pixels its upper face has when nothing hides it."""
    look = setting.dice[die.side]
    turn = leaning(die.turn, die.lean, die.lean_to)
    centre = die_centre(setting, die)
    faces = _die_faces(look.style, die.value)
    box = Box(
        _triple(centre), turn, look.size_mm, look.style.rounding, faces, look.style.gloss, look.style.clear
    )
    return _paint(stage, camera, setting, box, die.z_mm, number)


def paint_cube(stage: Stage, camera: Camera, setting: Setting, cube: Cube, number: int) -> int:
    """Paint the doubling cube; returns how many pixels its upper face has when nothing hides it."""
    look = setting.cube
    turn = leaning(cube.turn, 0.0, 0.0)
    centre = resting(cube.x_mm, cube.y_mm, cube.z_mm, look.size_mm, turn)
    faces = _cube_faces(look.style, cube.face)
    box = Box(_triple(centre), turn, look.size_mm, look.style.rounding, faces, look.style.gloss)
    return _paint(stage, camera, setting, box, cube.z_mm, number)


@cache
def _die_faces(style: DieStyle, value: int) -> tuple[Picture, ...]:
    across = next(v for v in (1, 2, 3) if v not in (value, 7 - value))
    along = next(v for v in (2, 3, 1) if v not in (value, 7 - value, across))
    return tuple(die_face(style, v) for v in (across, 7 - across, along, 7 - along, value, 7 - value))


@cache
def _cube_faces(style: CubeStyle, face: int) -> tuple[Picture, ...]:
    others = [v for v in CUBE_VALUES if v not in (face, OPPOSITE[face])]
    across, along = others[0], next(v for v in others if v not in (others[0], OPPOSITE[others[0]]))
    shown = (across, OPPOSITE[across], along, OPPOSITE[along], face, OPPOSITE[face])
    return tuple(cube_face(style, v) for v in shown)


def _triple(place: FloatArray) -> tuple[float, float, float]:
    return float(place[0]), float(place[1]), float(place[2])


def _paint(stage: Stage, camera: Camera, setting: Setting, box: Box, floor_mm: float, number: int) -> int:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    solid = np.array(box.centre) + corners * box.side / 2 @ box.turn.T
    spots = camera.project(solid)
    patch = stage.patch(spots, 3 * box.side)
    if patch.empty:
        return 0
    rows, columns = patch.slices()
    behind = stage.rail[rows, columns] > box.centre[2]
    kept = stage.picture[rows, columns][behind]
    paint_box(stage.picture, camera, box, _lamp(setting, box), floor_mm)
    stage.picture[rows, columns][behind] = kept
    owner = stage.owner[rows, columns]
    hull = np.asarray(cv2.convexHull(spots.astype(np.float32)), float).reshape(-1, 2)
    owner[_inside(owner.shape, hull - [patch.left, patch.top]) & ~behind] = NOBODY
    up = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], float) * box.side / 2
    face = camera.project(np.array(box.centre) + up @ box.turn.T)
    shown = _inside(owner.shape, face - [patch.left, patch.top])
    owner[shown & ~behind] = number
    return int(np.count_nonzero(shown))


def _inside(shape: tuple[int, ...], outline: FloatArray) -> NDArray[np.bool_]:
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return mask > 0


def _lamp(setting: Setting, box: Box) -> Lamp:
    """The strongest lamp as it stands over a box."""
    lamp = max(setting.light.lamps, key=lambda one: one.power)
    gap = np.array([lamp.x_mm, lamp.y_mm, lamp.z_mm]) - np.array(box.centre)
    distance = float(np.linalg.norm(gap))
    whole = setting.light.ambient + sum(one.power for one in setting.light.lamps)
    return Lamp(_triple(gap / distance), lamp.radius_mm / distance, lamp.power / whole)
