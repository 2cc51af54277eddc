"""Traces a box with rounded edges: which of its pixels are covered, and what they send to the camera."""

import cv2
import numpy as np

from controller.arrays import AnyFloatArray, Float32Array, FloatArray, Mask
from controller.simulation.boards.setting import Light
from controller.simulation.painting.box import Box
from controller.simulation.painting.lighting import (
    BACK,
    Planes,
    Vector,
    add_up,
    ambient_colour,
    dot,
    encode,
    fresnel,
    glint,
    length,
    multiply,
    reflect,
    sources,
    straight,
    vector,
)
from controller.simulation.painting.stage import Layer, PixelBox

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
        way = (local[0].ravel()[some], local[1].ravel()[some], local[2].ravel()[some])
        place, normal, hit = _skin(way, enter.ravel()[some], start, box)
        for plane, colour in zip(fine, _look(place, normal, way, box, turn, light), strict=False):
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
    parts = []
    for k in range(3):
        a, b, c, d = corner[0, 0, k], corner[0, 1, k], corner[1, 0, k], corner[1, 1, k]
        parts.append((a + (b - a) * across) * (1 - down) + (c + (d - c) * across) * down)
    ray = (parts[0], parts[1], parts[2])
    return multiply(ray, 1 / length(ray))


def _turn(a: Vector, turn: AnyFloatArray) -> Vector:
    return (
        turn[0, 0] * a[0] + turn[0, 1] * a[1] + turn[0, 2] * a[2],
        turn[1, 0] * a[0] + turn[1, 1] * a[1] + turn[1, 2] * a[2],
        turn[2, 0] * a[0] + turn[2, 1] * a[1] + turn[2, 2] * a[2],
    )


def _skin(way: Vector, enter: AnyFloatArray, start: AnyFloatArray, box: Box) -> tuple[Vector, Vector, Mask]:
    """Where rays meet the rounded box (its own frame), the directions of its skin there, and which do."""
    radius = max(box.rounding, LEAST_ROUNDING) * box.side
    core = np.float32(box.side / 2 - radius)
    step, gap = enter.copy(), np.zeros_like(enter)
    # Most rays meet a flat face at once; only those by edges go on.
    going, along = np.arange(len(step)), way
    for _ in range(STEPS):
        beyond = [np.abs(start[k] + step[going] * along[k]) - core for k in range(3)]
        outside = [np.maximum(part, 0) for part in beyond]
        inside = np.minimum(np.maximum(np.maximum(beyond[0], beyond[1]), beyond[2]), 0)
        left = length((outside[0], outside[1], outside[2])) + inside - np.float32(radius)
        step[going] += left
        gap[going] = left
        more = np.flatnonzero(np.abs(left) > AT_SKIN * box.side)
        going, along = going[more], (along[0][more], along[1][more], along[2][more])
    place = (start[0] + step * way[0], start[1] + step * way[1], start[2] + step * way[2])
    bent = [np.sign(part) * np.maximum(np.abs(part) - core, 0) for part in place]
    normal = (bent[0], bent[1], bent[2])
    return place, multiply(normal, 1 / np.maximum(length(normal), np.float32(1e-6))), gap < MISS * box.side


def _look(place: Vector, normal: Vector, way: Vector, box: Box, turn: AnyFloatArray, light: Light) -> Planes:
    """Linear light, three times (n,), of places on the skin."""
    outward, ray = _turn(normal, turn), _turn(way, turn)
    middle = vector(np.array(box.centre))
    eye = (-ray[0], -ray[1], -ray[2])
    look = reflect(eye, outward)
    lambert = straight(middle, outward, light)
    spots = [
        glint(look, middle, lamp, ROUGHNESS) * np.minimum(1, 4 * one)
        for lamp, one in zip(light.lamps, lambert, strict=True)
    ]
    ambient = ambient_colour(light)
    bulbs = [np.asarray(lamp.colour, np.float32) / np.float32(255) for lamp in light.lamps]
    falling = add_up([0.45 * outward[2] + 0.55, *lambert], sources(light))
    shine = add_up([0.4 * look[2] + 0.6, *spots], [ambient, *bulbs])
    share = fresnel(dot(eye, outward), box.gloss)
    blue, green, red = (
        albedo * fallen + share * mirror
        for albedo, fallen, mirror in zip(_albedo(place, box), falling, shine, strict=True)
    )
    return blue, green, red


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
    blue, green, red = (
        np.asarray(BACK[np.asarray(plane).ravel()[: len(x)]], np.float32) for plane in cv2.split(picked)
    )
    return blue, green, red


def _in_rows(values: AnyFloatArray) -> AnyFloatArray:
    """Numbers (n,) in rows of equal length, the last one filled up."""
    rows = -(-len(values) // ROW)
    full = np.zeros(rows * ROW, np.float32)
    full[: len(values)] = values
    return full.reshape(rows, ROW)
