"""A die or a cube as a solid: a box with rounded edges and textured faces, seen through a camera.

Rays are traced against the rounded box by its distance field, so edges, tilted boxes and cast shadows come out right
at any angle. Lengths are millimetres in the board frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from controller.arrays import Float32Array, FloatArray, Picture
from controller.vision import CameraModel

# Rays per pixel along each side.
FINER = 2
STEPS = 14
REACHED_MM = 0.02
LAMP_RAYS = 7


@dataclass(frozen=True, slots=True)
class Box:
    """A cube-shaped solid. ``turn`` (3, 3) takes its own axes to the board's.

    ``faces`` are textures, (n, n, 3) BGR uint8, of the faces towards +x, -x, +y, -y, +z, -z of its own axes.
    ``clear`` is the share of the ground that shines through, ``gloss`` (0..1) how it mirrors the lamp.
    """

    centre: tuple[float, float, float]
    turn: FloatArray
    side: float
    rounding: float
    faces: Sequence[Picture]
    gloss: float = 0.3
    clear: float = 0.0


@dataclass(frozen=True, slots=True)
class DistantLight:
    """Light from far away: unit vector towards it, how broad it is (radians), and its share of all light."""

    towards: tuple[float, float, float]
    breadth: float
    share: float


def upright(angle: float) -> FloatArray:
    """Turned about the vertical by ``angle`` radians."""
    return leaning(angle, 0.0, 0.0)


def leaning(angle: float, tilt: float, towards: float) -> FloatArray:
    """Turned by ``angle``, then tilted by ``tilt`` towards the direction ``towards`` (all radians)."""
    spin = np.array([0.0, 0.0, angle])
    lean = tilt * np.array([-np.sin(towards), np.cos(towards), 0.0])
    return np.asarray(cv2.Rodrigues(lean)[0] @ cv2.Rodrigues(spin)[0], float)


def resting(x_mm: float, y_mm: float, floor_mm: float, side: float, turn: FloatArray) -> FloatArray:
    """The centre, shape (3,), of a box that stands on a floor with its lowest corner or face."""
    drop = float(np.abs(turn[2]).sum()) * side / 2
    return np.array([x_mm, y_mm, floor_mm + drop])


def paint_box(
    image: Picture,
    camera: CameraModel,
    box: Box,
    lamp: DistantLight,
    floor_mm: float = 0.0,
    blur: float = 0.0,
) -> None:
    """Paint a box and its shadow on a floor into ``image``, (h, w, 3) BGR uint8, in place.

    ``blur`` is the lens's, in pixels. Parts outside the picture are cut off.
    """
    region = _region(image.shape[:2], camera, box, lamp, floor_mm)
    if region is None:
        return
    left, top, right, bottom = region
    patch = image[top:bottom, left:right].astype(np.float32)
    plain = _rays(camera, region, 1)
    foot = _on_floor(camera.centre_mm, plain, floor_mm)
    dark = _shadow(foot, box, lamp, floor_mm)
    patch *= (1 - 0.85 * lamp.share * dark)[..., None].astype(np.float32)
    rays = _rays(camera, region, FINER)
    colour, covered = _trace(camera.centre_mm, rays, box, lamp)
    size = (right - left, bottom - top)
    share = cv2.resize(covered, size, interpolation=cv2.INTER_AREA)[..., None]
    body = cv2.resize(colour, size, interpolation=cv2.INTER_AREA)
    if blur > 0:
        share = cv2.GaussianBlur(share, (0, 0), blur)
        body = cv2.GaussianBlur(body, (0, 0), blur)
        share = share.reshape(*body.shape[:2], 1)
    opaque = share * (1 - box.clear)
    blend = patch * (1 - opaque) + body * (1 - box.clear)
    image[top:bottom, left:right] = np.clip(np.rint(blend), 0, 255).astype(np.uint8)


def _region(
    shape: tuple[int, ...], camera: CameraModel, box: Box, lamp: DistantLight, floor_mm: float
) -> tuple[int, int, int, int] | None:
    """Left, top, right, bottom of the pixels that a box and its shadow may touch."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    corners = np.array(box.centre) + signs * box.side / 2 @ box.turn.T
    towards = np.array(lamp.towards)
    shadow = corners - (corners[:, 2:] - floor_mm) / max(towards[2], 0.2) * towards
    pixels = camera.project(np.concatenate([corners, shadow]))
    if not np.isfinite(pixels).all():
        return None
    low, high = np.floor(pixels.min(axis=0)).astype(int) - 3, np.ceil(pixels.max(axis=0)).astype(int) + 4
    left, top = max(0, int(low[0])), max(0, int(low[1]))
    right, bottom = min(shape[1], int(high[0])), min(shape[0], int(high[1]))
    return (left, top, right, bottom) if right - left > 2 and bottom - top > 2 else None


def _rays(camera: CameraModel, region: tuple[int, int, int, int], finer: int) -> FloatArray:
    """Unit rays through the (sub)pixels of a small region, from those through its corners."""
    left, top, right, bottom = region
    ends = np.array([[[x, y] for x in (left - 0.5, right - 0.5)] for y in (top - 0.5, bottom - 0.5)])
    corner = camera.rays(ends)
    across = (np.arange((right - left) * finer) + 0.5) / ((right - left) * finer)
    down = (np.arange((bottom - top) * finer) + 0.5) / ((bottom - top) * finer)
    upper = corner[0, 0] + across[:, None] * (corner[0, 1] - corner[0, 0])
    lower = corner[1, 0] + across[:, None] * (corner[1, 1] - corner[1, 0])
    rays = upper[None] + down[:, None, None] * (lower - upper)[None]
    return np.asarray(rays / np.linalg.norm(rays, axis=-1, keepdims=True), float)


def _on_floor(eye: FloatArray, rays: FloatArray, floor_mm: float) -> FloatArray:
    return np.asarray(eye + (floor_mm - eye[2]) / rays[..., 2:] * rays, float)


def _shadow(foot: FloatArray, box: Box, lamp: DistantLight, floor_mm: float) -> FloatArray:
    """Share of the lamp that a box hides from points on the floor, with the dimness close to it."""
    local = (foot - np.array(box.centre)) @ box.turn
    towards = np.array(lamp.towards)
    side = np.cross(towards, [0.0, 1.0, 0.3])
    side /= np.linalg.norm(side)
    other = np.cross(towards, side)
    hidden = np.zeros(foot.shape[:2])
    for k in range(LAMP_RAYS):
        angle, reach = 2.4 * k, lamp.breadth * np.sqrt((k + 0.5) / LAMP_RAYS)
        ray = (towards + reach * (np.cos(angle) * side + np.sin(angle) * other)) @ box.turn
        with np.errstate(divide="ignore", invalid="ignore"):
            one, two = (-box.side / 2 - local) / ray, (box.side / 2 - local) / ray
        enter, leave = np.minimum(one, two).max(axis=-1), np.maximum(one, two).min(axis=-1)
        hidden += (leave > np.maximum(enter, 0)) / LAMP_RAYS
    gap = np.linalg.norm(np.maximum(np.abs(local) - box.side / 2, 0), axis=-1)
    lift = max(0.0, box.centre[2] - box.side / 2 - floor_mm)
    near = 0.35 * np.exp(-gap / (0.12 * box.side)) / (1 + lift / 3)
    return np.asarray(np.clip(hidden + near, 0, 1), float)


def _trace(
    eye: FloatArray, rays: FloatArray, box: Box, lamp: DistantLight
) -> tuple[Float32Array, Float32Array]:
    """Colour premultiplied by cover, (h, w, 3), and cover, (h, w), of a box along rays."""
    start = (eye - np.array(box.centre)) @ box.turn
    way = rays.reshape(-1, 3) @ box.turn
    nearest = -(way @ start)
    miss = np.linalg.norm(start + nearest[:, None] * way, axis=-1)
    some = np.flatnonzero(miss < box.side)
    way = way[some]
    point = start + (nearest[some] - box.side)[:, None] * way
    radius = box.rounding * box.side
    core = box.side / 2 - radius
    gap = np.zeros(len(some))
    for _ in range(STEPS):
        beyond = np.abs(point) - core
        gap = np.linalg.norm(np.maximum(beyond, 0), axis=-1) + np.minimum(beyond.max(axis=-1), 0) - radius
        point = point + gap[:, None] * way
    hit = gap < 20 * REACHED_MM
    normal = np.sign(point) * np.maximum(np.abs(point) - core + 1e-6, 0)
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-9)
    shaded = _shaded(point, normal, way, box, lamp)
    colour = np.zeros((rays.shape[0] * rays.shape[1], 3), np.float32)
    cover = np.zeros(len(colour), np.float32)
    colour[some] = np.where(hit[:, None], shaded, 0)
    cover[some] = hit
    return colour.reshape(rays.shape), cover.reshape(rays.shape[:2])


def _shaded(
    point: FloatArray, normal: FloatArray, way: FloatArray, box: Box, lamp: DistantLight
) -> FloatArray:
    """Colours, shape (n, 3), of points on the box; a level face in full light has its texture's colours."""
    towards = np.array(lamp.towards) @ box.turn
    up = box.turn[2]
    sky = 0.6 + 0.4 * (normal @ up)
    lit = np.maximum(normal @ towards, 0) / max(lamp.towards[2], 0.2)
    light = (1 - lamp.share) * sky + lamp.share * np.minimum(lit, 1.6)
    mirrored = way - 2 * (way * normal).sum(axis=-1, keepdims=True) * normal
    glint = np.maximum(mirrored @ towards, 0) ** (10 + 120 * box.gloss)
    albedo = _texture(point, box)
    return np.asarray(albedo * light[:, None] + 190 * box.gloss * lamp.share * glint[:, None], float)


def _texture(point: FloatArray, box: Box) -> FloatArray:
    axis = np.abs(point).argmax(axis=-1)
    colours = np.zeros((len(point), 3))
    for k in range(3):
        for sign in (1, -1):
            on = (axis == k) & (np.sign(point[:, k]) == sign)
            if not on.any():
                continue
            face = box.faces[2 * k + (sign < 0)]
            u, v = (point[on][:, (k + 1) % 3] * sign, point[on][:, (k + 2) % 3])
            size = face.shape[0]
            column = np.clip((u / box.side + 0.5) * size - 0.5, 0, size - 1).astype(np.float32)
            row = np.clip((0.5 - v / box.side) * size - 0.5, 0, size - 1).astype(np.float32)
            picked = cv2.remap(face, column[:, None], row[:, None], cv2.INTER_LINEAR)
            colours[on] = np.asarray(picked, float).reshape(-1, 3)
    return colours
