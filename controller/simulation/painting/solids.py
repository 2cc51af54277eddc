"""Paints dice and the doubling cube of a scene."""

from functools import cache

import numpy as np

from controller.arrays import FloatArray, Picture, triple
from controller.simulation.boards.faces import CUBE_VALUES, CubeStyle, DieStyle, cube_face, die_face
from controller.simulation.boards.scene import CubeBlock, Die, Scene
from controller.simulation.boards.setting import Setting
from controller.simulation.painting.box import Box, leaning, resting
from controller.simulation.painting.solid import trace
from controller.simulation.painting.stage import Canvas, around_each
from controller.vision.camera import CameraModel

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


def paint_solids(stage: Canvas, camera: CameraModel, setting: Setting, scene: Scene, first: int) -> list[int]:
    """Paint the dice and the cube, booked under ``first`` and following numbers.

    Returns how many pixels the upper face of each has when nothing hides it.
    """
    boxes = boxes_of(setting, scene)
    if not boxes:
        return []
    spots = camera.project(np.stack([corners_of(box) for box in boxes]))
    patches = around_each(spots, 1.0, camera.width, camera.height)
    ends = [
        [
            [[x, y] for x in (patch.left - 0.5, patch.right - 0.5)]
            for y in (patch.top - 0.5, patch.bottom - 0.5)
        ]
        for patch in patches
    ]
    faces = [0] * len(boxes)
    for k, (box, patch, rays) in enumerate(zip(boxes, patches, camera.rays(np.array(ends)), strict=True)):
        if not patch.empty:
            faces[k] = stage.put(trace(camera.centre_mm, rays, setting.light, box, patch), first + k)
    return faces


def boxes_of(setting: Setting, scene: Scene) -> list[Box]:
    """The dice and, after them, the cube as solids."""
    boxes = [die_box(setting, die) for die in scene.dice]
    return boxes if scene.cube is None else [*boxes, cube_box(setting, scene.cube)]


def die_box(setting: Setting, die: Die) -> Box:
    """A die as a solid."""
    look = setting.dice[die.side]
    turn = leaning(die.turn, die.lean, die.lean_to)
    centre = die_centre(setting, die)
    faces = _die_faces(look.style, die.value)
    style = look.style
    return Box(triple(centre), turn, look.size_mm, style.rounding, faces, style.gloss, style.clear)


def cube_box(setting: Setting, cube: CubeBlock) -> Box:
    """The doubling cube as a solid."""
    look = setting.cube
    turn = leaning(cube.turn, 0.0, 0.0)
    centre = resting(cube.x_mm, cube.y_mm, cube.z_mm, look.size_mm, turn)
    faces = _cube_faces(look.style, cube.face)
    return Box(triple(centre), turn, look.size_mm, look.style.rounding, faces, look.style.gloss)


def _die_faces(style: DieStyle, value: int) -> tuple[Picture, ...]:
    across = next(v for v in (1, 2, 3) if v not in (value, 7 - value))
    along = next(v for v in (2, 3, 1) if v not in (value, 7 - value, across))
    return tuple(_die_face(style, v) for v in (across, 7 - across, along, 7 - along, value, 7 - value))


def _cube_faces(style: CubeStyle, face: int) -> tuple[Picture, ...]:
    others = [v for v in CUBE_VALUES if v not in (face, OPPOSITE[face])]
    across, along = others[0], next(v for v in others if v not in (others[0], OPPOSITE[others[0]]))
    shown = (across, OPPOSITE[across], along, OPPOSITE[along], face, OPPOSITE[face])
    return tuple(_cube_face(style, v) for v in shown)


@cache
def _die_face(style: DieStyle, value: int) -> Picture:
    return die_face(style, value)


@cache
def _cube_face(style: CubeStyle, value: int) -> Picture:
    return cube_face(style, value)


def corners_of(box: Box) -> FloatArray:
    """The eight corners of a box, shape (8, 3)."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    return np.asarray(np.array(box.centre) + signs * box.side / 2 @ box.turn.T, float)
