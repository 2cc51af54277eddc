"""Paints dice and the doubling cube: traces boxes with rounded edges, and what their pixels send to the camera."""

from functools import cache

import cv2
import numpy as np

from controller.arrays import AnyFloatArray, Float32Array, FloatArray, Mask, Picture, triple
from controller.simulation.boards.faces import CUBE_VALUES, CubeStyle, DieStyle, cube_face, die_face
from controller.simulation.boards.scene import CubeBlock, Die, Scene
from controller.simulation.boards.setting import Light, Setting
from controller.simulation.painting.box import Box, leaning, resting
from controller.simulation.painting.lighting import (
    BACK,
    Planes,
    Vector,
    add_up,
    ambient_colour,
    bulb_colours,
    dot,
    encode,
    fresnel,
    glints,
    length,
    multiply,
    reflect,
    sources,
    straight,
    three,
    vector,
)
from controller.simulation.painting.stage import Canvas, Layer, PixelBox, around_each
from controller.vision import CameraModel

# Opposite faces of a die add up to seven; those of a cube are as on most cubes.
OPPOSITE = {2: 64, 64: 2, 4: 32, 32: 4, 8: 16, 16: 8}
# Rays per pixel along each side, and steps along a ray from the box's hull to its skin.
FINER = 2
STEPS = 7
# Even sharp edges are rounded by this share of the side.
LEAST_ROUNDING = 0.02
# A ray that stays this far (share of the side) from the skin misses.
MISS = 0.02
# One that is this near (share of the side) is there.
AT_SKIN = 1e-4
ROUGHNESS = 0.12
# Pixels in a row of what OpenCV looks up: it takes neither very long rows nor very many.
ROW = 64


def die_top(setting: Setting, die: Die) -> FloatArray:
    """The centre of a die's upper face (mm), shape (3,)."""
    box = die_box(setting, die)
    return np.asarray(np.array(box.centre) + box.turn @ np.array([0, 0, box.side / 2]), float)


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
    side, style = setting.dice[die.side].size_mm, setting.dice[die.side].style
    turn = leaning(die.turn, die.lean, die.lean_to)
    centre = resting(die.x_mm, die.y_mm, die.z_mm, side, turn)
    faces = _die_faces(style, die.value)
    return Box(
        triple(centre), turn, side, rounding=style.rounding, faces=faces, gloss=style.gloss, clear=style.clear
    )


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


_die_face, _cube_face = cache(die_face), cache(cube_face)


def corners_of(box: Box) -> FloatArray:
    """The eight corners of a box, shape (8, 3)."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    return np.asarray(np.array(box.centre) + signs * box.side / 2 @ box.turn.T, float)


def trace(eye_mm: FloatArray, rays: FloatArray, light: Light, box: Box, patch: PixelBox) -> Layer:
    """What a box looks like on a patch that holds it, to an eye at (x, y, z).

    ``rays`` (2, 2, 3) are those through the patch's outer corners, upper ones first.
    """
    rows, columns = (FINER * side for side in patch.shape)
    turn = np.asarray(box.turn, np.float32)
    local = _between(rays.astype(np.float32) @ turn, rows, columns)
    start = turn.T @ (eye_mm - np.array(box.centre)).astype(np.float32)
    half = np.float32(box.side / 2)
    enter, leave = np.full(local[0].shape, -np.inf, np.float32), np.full(local[0].shape, np.inf, np.float32)
    for k in range(3):
        inverse = 1 / np.where(np.abs(local[k]) < 1e-7, np.float32(1e-7), local[k])
        one, two = (-half - start[k]) * inverse, (half - start[k]) * inverse
        enter, leave = np.maximum(enter, np.minimum(one, two)), np.minimum(leave, np.maximum(one, two))
    some = np.flatnonzero(leave > enter)
    fine = np.zeros((5, rows * columns), np.float32)
    if len(some):
        way = three(part.ravel()[some] for part in local)
        place, normal, hit = _skin(way, enter.ravel()[some], start, box)
        for plane, colour in zip(fine, _radiance(place, normal, way, box, turn, light), strict=False):
            plane[some] = encode(colour) * hit
        fine[3, some] = hit
        fine[4, some] = (place[2] > np.maximum(np.abs(place[0]), np.abs(place[1]))) & hit
    size = (columns // FINER, rows // FINER)
    blue, green, red, alpha, top = (
        np.asarray(cv2.resize(plane.reshape(rows, columns), size, interpolation=cv2.INTER_AREA), np.float32)
        for plane in fine
    )
    share = 1 / np.maximum(alpha, np.float32(1e-3))
    levels = [(plane * share + np.float32(0.5)).astype(np.uint8) for plane in (blue, green, red)]
    opaque = alpha * np.float32(1 - box.clear)
    return Layer(patch, np.asarray(cv2.merge(levels), np.uint8), opaque, box.centre[2], top)


def _between(corner: Float32Array, rows: int, columns: int) -> Vector:
    """Unit rays through the finer pixels of a small patch, from those through its corners, (2, 2, 3)."""
    across = ((np.arange(columns, dtype=np.float32) + 0.5) / columns)[None]
    down = ((np.arange(rows, dtype=np.float32) + 0.5) / rows)[:, None]
    ray = three(
        (a + (b - a) * across) * (1 - down) + (c + (d - c) * across) * down
        for a, b, c, d in corner.reshape(4, 3).T
    )
    return multiply(ray, 1 / length(ray))


def _turn(a: Vector, turn: AnyFloatArray) -> Vector:
    return three(row[0] * a[0] + row[1] * a[1] + row[2] * a[2] for row in turn)


def _skin(way: Vector, enter: AnyFloatArray, start: AnyFloatArray, box: Box) -> tuple[Vector, Vector, Mask]:
    """Where rays meet the rounded box (its own frame), the directions of its skin there, and which do."""
    radius = max(box.rounding, LEAST_ROUNDING) * box.side
    core = np.float32(box.side / 2 - radius)
    step, gap = enter.copy(), np.zeros_like(enter)
    # Most rays meet a flat face at once; only those by edges go on.
    going, along = np.arange(len(step)), way
    for _ in range(STEPS):
        beyond = [np.abs(start[k] + step[going] * along[k]) - core for k in range(3)]
        outside = three(np.maximum(part, 0) for part in beyond)
        inside = np.minimum(np.maximum(np.maximum(beyond[0], beyond[1]), beyond[2]), 0)
        left = length(outside) + inside - np.float32(radius)
        step[going] += left
        gap[going] = left
        more = np.flatnonzero(np.abs(left) > AT_SKIN * box.side)
        going, along = going[more], three(part[more] for part in along)
    place = three(start[k] + step * way[k] for k in range(3))
    normal = three(np.sign(part) * np.maximum(np.abs(part) - core, 0) for part in place)
    return place, multiply(normal, 1 / np.maximum(length(normal), np.float32(1e-6))), gap < MISS * box.side


def _radiance(
    place: Vector, normal: Vector, way: Vector, box: Box, turn: AnyFloatArray, light: Light
) -> Planes:
    """Linear light, three times (n,), of places on the skin."""
    outward, ray = _turn(normal, turn), _turn(way, turn)
    middle = vector(np.array(box.centre))
    eye = (-ray[0], -ray[1], -ray[2])
    look = reflect(eye, outward)
    lambert = straight(middle, outward, light)
    spots = glints(look, middle, light, ROUGHNESS, lambert)
    falling = add_up([0.45 * outward[2] + 0.55, *lambert], sources(light))
    shine = add_up([0.4 * look[2] + 0.6, *spots], [ambient_colour(light), *bulb_colours(light)])
    share = fresnel(dot(eye, outward), box.gloss)
    parts = zip(_albedo(place, box), falling, shine, strict=True)
    return three(albedo * fallen + share * mirror for albedo, fallen, mirror in parts)


def _albedo(place: Vector, box: Box) -> Planes:
    """The share of light, three times (n,), that places on the faces send back."""
    size = box.faces[0].shape[0]
    x_far, y_far, z_far = (np.abs(part) for part in place)
    upright = z_far > np.maximum(x_far, y_far)
    sideways = (y_far > x_far) & ~upright
    facing = np.where(upright, place[2], np.where(sideways, place[1], place[0]))
    back = facing < 0
    across = np.where(upright, place[0], np.where(sideways, place[2], place[1]))
    u = np.where(back, -across, across)
    v = np.where(upright, place[1], np.where(sideways, place[0], place[2]))
    face = np.asarray(4 * upright + 2 * sideways + back, np.float32)
    x = np.clip((u * np.float32(1 / box.side) + np.float32(0.5)) * size - 0.5, 0, size - 1)
    y = np.clip((np.float32(0.5) - v * np.float32(1 / box.side)) * size - 0.5, 0, size - 1) + face * size
    picked = cv2.remap(
        np.concatenate(box.faces, axis=0),
        _in_rows(x),
        _in_rows(y),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return three(np.asarray(BACK[np.asarray(plane).ravel()[: len(x)]]) for plane in cv2.split(picked))


def _in_rows(values: AnyFloatArray) -> AnyFloatArray:
    """Numbers (n,) in rows of equal length, the last one filled up."""
    rows = -(-len(values) // ROW)
    full = np.zeros(rows * ROW, np.float32)
    full[: len(values)] = values
    return full.reshape(rows, ROW)
