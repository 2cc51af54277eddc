"""Traces a box with rounded edges: which of its pixels are covered, and what they send to the camera."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.simulation.box import Box
from controller.simulation.lighting import (
    Vector,
    ambient_colour,
    dot,
    encode,
    fresnel,
    glint,
    lamp_colour,
    length,
    mirrored,
    scaled,
    toward,
    vector,
)
from controller.simulation.setting import Light
from controller.simulation.stage import Patch
from controller.vision.camera import Camera

Array = NDArray[np.floating[Any]]

# Rays per pixel along each side, and steps along a ray from the box's hull to its skin.
FINER = 2
STEPS = 7
# Even sharp edges are rounded by this share of the side.
LEAST_ROUNDING = 0.02
# A ray that stays this far (share of the side) from the skin misses.
MISS = 0.02
ROUGHNESS = 0.12


@dataclass(frozen=True)
class Traced:
    """Colours (h, w, 3) as grey levels, the opacity (h, w) of the box and of its upper face, for one patch."""

    colour: Array
    alpha: Array
    top: Array


def trace(camera: Camera, light: Light, box: Box, patch: Patch) -> Traced:
    """What a box looks like on a patch that holds it."""
    rows, columns = (patch.bottom - patch.top) * FINER, (patch.right - patch.left) * FINER
    rays = _rays(camera, patch, rows, columns)
    turn = np.asarray(box.turn, np.float32)
    local = _turned(rays, turn.T)
    start = turn.T @ (camera.centre_mm - np.array(box.centre)).astype(np.float32)
    half = np.float32(box.side / 2)
    enter, leave = np.full(local[0].shape, -np.inf, np.float32), np.full(local[0].shape, np.inf, np.float32)
    for k in range(3):
        inverse = 1 / np.where(np.abs(local[k]) < 1e-7, np.float32(1e-7), local[k])
        one, two = (-half - start[k]) * inverse, (half - start[k]) * inverse
        enter, leave = np.maximum(enter, np.minimum(one, two)), np.minimum(leave, np.maximum(one, two))
    some = np.flatnonzero(leave > enter)
    fine = np.zeros((rows * columns, 5), np.float32)
    if len(some):
        way = (local[0].ravel()[some], local[1].ravel()[some], local[2].ravel()[some])
        place, normal, hit = _skin(way, enter.ravel()[some], start, box)
        colour = _seen(place, normal, way, box, turn, light)
        upper = (place[2] > np.maximum(np.abs(place[0]), np.abs(place[1]))) & hit
        fine[some, :3] = np.where(hit[:, None], colour, 0)
        fine[some, 3] = hit
        fine[some, 4] = upper
    size = (columns // FINER, rows // FINER)
    small = np.asarray(
        cv2.resize(fine.reshape(rows, columns, 5), size, interpolation=cv2.INTER_AREA), np.float32
    )
    alpha = small[..., 3]
    return Traced(small[..., :3] / np.maximum(alpha, np.float32(1e-3))[..., None], alpha, small[..., 4])


def _rays(camera: Camera, patch: Patch, rows: int, columns: int) -> Vector:
    """Unit rays through the finer pixels of a small patch, from those through its corners."""
    ends = np.array(
        [
            [[x, y] for x in (patch.left - 0.5, patch.right - 0.5)]
            for y in (patch.top - 0.5, patch.bottom - 0.5)
        ]
    )
    corner = camera.rays(ends).astype(np.float32)
    across = ((np.arange(columns, dtype=np.float32) + 0.5) / columns)[None]
    down = ((np.arange(rows, dtype=np.float32) + 0.5) / rows)[:, None]
    parts = []
    for k in range(3):
        a, b, c, d = corner[0, 0, k], corner[0, 1, k], corner[1, 0, k], corner[1, 1, k]
        parts.append((a + (b - a) * across) * (1 - down) + (c + (d - c) * across) * down)
    ray = (parts[0], parts[1], parts[2])
    return scaled(ray, 1 / length(ray))


def _turned(a: Vector, turn: Array) -> Vector:
    return (
        turn[0, 0] * a[0] + turn[0, 1] * a[1] + turn[0, 2] * a[2],
        turn[1, 0] * a[0] + turn[1, 1] * a[1] + turn[1, 2] * a[2],
        turn[2, 0] * a[0] + turn[2, 1] * a[1] + turn[2, 2] * a[2],
    )


def _skin(way: Vector, enter: Array, start: Array, box: Box) -> tuple[Vector, Vector, NDArray[np.bool_]]:
    """Where rays meet the rounded box (its own frame), the directions of its skin there, and which do."""
    radius = max(box.rounding, LEAST_ROUNDING) * box.side
    core = np.float32(box.side / 2 - radius)
    step = enter.copy()
    gap = np.zeros_like(step)
    for _ in range(STEPS):
        beyond = [np.abs(start[k] + step * way[k]) - core for k in range(3)]
        outside = [np.maximum(part, 0) for part in beyond]
        inside = np.minimum(np.maximum(np.maximum(beyond[0], beyond[1]), beyond[2]), 0)
        gap = length((outside[0], outside[1], outside[2])) + inside - np.float32(radius)
        step = step + gap
    place = (start[0] + step * way[0], start[1] + step * way[1], start[2] + step * way[2])
    bent = [np.sign(part) * np.maximum(np.abs(part) - core, 0) for part in place]
    normal = (bent[0], bent[1], bent[2])
    return place, scaled(normal, 1 / np.maximum(length(normal), np.float32(1e-6))), gap < MISS * box.side


def _seen(place: Vector, normal: Vector, way: Vector, box: Box, turn: Array, light: Light) -> Array:
    """Grey levels (n, 3) of places on the skin."""
    albedo = (_texture(place, box) / np.float32(255)) ** 2
    outward, ray = _turned(normal, turn), _turned(way, turn)
    middle = vector(np.array(box.centre))
    falling = (0.55 + 0.45 * outward[2])[..., None] * ambient_colour(light)
    eye = (-ray[0], -ray[1], -ray[2])
    look = mirrored(eye, outward)
    shine = np.zeros_like(albedo)
    for lamp in light.lamps:
        aim, strength = toward(middle, lamp)
        straight = np.maximum(dot(outward, aim), 0) * strength
        falling = falling + straight[..., None] * lamp_colour(lamp)
        spot = glint(look, middle, lamp, ROUGHNESS) * np.minimum(1, 4 * straight)
        shine += spot[..., None] * (np.asarray(lamp.colour, np.float32) / np.float32(255))
    room = (0.6 + 0.4 * look[2])[..., None] * ambient_colour(light)
    share = fresnel(dot(eye, outward), box.gloss)
    return encode(np.asarray(albedo * falling + share[..., None] * (shine + room), np.float32))


def _texture(place: Vector, box: Box) -> Array:
    """Colours (n, 3) of the faces' textures."""
    size = box.faces[0].shape[0]
    atlas = np.concatenate(box.faces, axis=0)
    away = np.stack([np.abs(part) for part in place])
    axis = away.argmax(0)
    parts = np.stack([np.asarray(part) for part in place])
    index = np.arange(parts.shape[1])
    facing = np.sign(parts[axis, index])
    u = parts[(axis + 1) % 3, index] * facing / box.side + 0.5
    v = 0.5 - parts[(axis + 2) % 3, index] / box.side
    number_of = 2 * axis + (facing < 0)
    x = np.clip(u * size - 0.5, 0, size - 1).astype(np.float32)
    y = (np.clip(v * size - 0.5, 0, size - 1) + number_of * size).astype(np.float32)
    picked = cv2.remap(atlas, x[:, None], y[:, None], cv2.INTER_LINEAR)
    return np.asarray(picked, np.float32).reshape(-1, 3)
