"""Paints a checker that lies flat: its upper face with relief, its rounded rim and its side."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.simulation.lighting import (
    Vector,
    ambient_colour,
    dot,
    encode,
    eye_from,
    fresnel,
    gap_to,
    glint,
    lamp_colour,
    length,
    linear,
    mirrored,
    scaled,
    toward,
    vector,
)
from controller.simulation.setting import Bgr, CheckerLook, Light
from controller.simulation.shadow import Grid, Mask
from controller.simulation.stage import Patch, Stage
from controller.simulation.texture import blend, noise
from controller.vision.camera import Camera

Array = NDArray[np.floating[Any]]

FACE_PX = 160
# The face pattern is cut from a larger sheet, so that no two checkers are the same.
SHEET_PX = 320
PROFILE = 512
# The side stands in its own and its neighbours' shade.
SIDE_SHADE = 0.45
# Less gloss than this is not seen.
DULL = 0.02


@dataclass(frozen=True, slots=True)
class Disc:
    """A checker to paint: centre of its upper face (mm), radius, thickness, look, turn, and its number."""

    x_mm: float
    y_mm: float
    top_mm: float
    radius_mm: float
    thickness_mm: float
    look: CheckerLook
    turn: float
    flipped: bool
    number: int


@dataclass(frozen=True)
class Shade:
    """The shadows on the plane of a checker's upper face."""

    grid: Grid
    mask: Mask


def paint_disc(stage: Stage, camera: Camera, light: Light, disc: Disc, shade: Shade) -> int:
    """Paint one checker over what is there; returns how many pixels its face has when nothing hides it."""
    spots = _frame(camera, disc)
    patch = stage.patch(_outline(camera, disc), 2.0)
    if patch.empty:
        return 0
    qx, qy = _across(patch, spots[:4], disc.radius_mm)
    r = np.sqrt(qx * qx + qy * qy)
    drift = _drift(camera, disc)
    ex, ey = drift
    square = max(ex * ex + ey * ey, 1e-6)
    # How far down the side the ray comes nearest to the axis, as a share of the thickness.
    depth = np.clip(-(qx * ex + qy * ey) / square, 0, 1)
    sx, sy = qx + depth * ex, qy + depth * ey
    nearest = np.sqrt(sx * sx + sy * sy)
    per_mm = float(np.linalg.norm(spots[0] - spots[2]) + np.linalg.norm(spots[1] - spots[3])) / (
        4 * disc.radius_mm
    )
    face = np.clip(0.5 + (disc.radius_mm - r) * per_mm, 0, 1)
    alpha = np.maximum(face, np.clip(0.5 + (disc.radius_mm - nearest) * per_mm, 0, 1))
    normals, tone = _normals(disc, qx, qy, r, face, (sx, sy, nearest), per_mm)
    albedo = _albedo(disc, qx, qy) * (tone * _single(disc))[..., None]
    reach = _reach(disc, shade, qx, qy)
    down = (1 - face) * np.float32(SIDE_SHADE)
    lit = _light(camera, light, disc, qx, qy, normals, albedo, reach * (1 - down))
    return stage.put(patch, encode(lit), alpha, disc.top_mm, face, disc.number)


def _frame(camera: Camera, disc: Disc) -> NDArray[np.float64]:
    """Pixels of four places on the rim and of the point right under the centre, shape (5, 2)."""
    r = disc.radius_mm
    centre = np.array([disc.x_mm, disc.y_mm, disc.top_mm])
    offsets = np.array([[r, 0, 0], [0, r, 0], [-r, 0, 0], [0, -r, 0], [0, 0, -disc.thickness_mm]])
    return camera.project(centre + offsets)


def _outline(camera: Camera, disc: Disc) -> NDArray[np.float64]:
    r = disc.radius_mm * 1.02
    square = np.array([[r, r], [r, -r], [-r, -r], [-r, r]])
    corners = [
        [disc.x_mm + x, disc.y_mm + y, disc.top_mm - down]
        for x, y in square
        for down in (0.0, disc.thickness_mm)
    ]
    return camera.project(np.array(corners))


def _across(patch: Patch, rim: NDArray[np.float64], radius: float) -> tuple[Array, Array]:
    """Millimetres from the centre, in the plane of the face, of each pixel of a patch."""
    there = np.array([[radius, 0], [0, radius], [-radius, 0], [0, -radius]], np.float32)
    origin = np.array([patch.left, patch.top])
    back = cv2.getPerspectiveTransform((rim - origin).astype(np.float32), there).astype(np.float32)
    x = np.arange(patch.right - patch.left, dtype=np.float32)[None]
    y = np.arange(patch.bottom - patch.top, dtype=np.float32)[:, None]
    below = 1 / (back[2, 0] * x + back[2, 1] * y + back[2, 2])
    return (
        (back[0, 0] * x + back[0, 1] * y + back[0, 2]) * below,
        (back[1, 0] * x + back[1, 1] * y + back[1, 2]) * below,
    )


def _drift(camera: Camera, disc: Disc) -> tuple[np.float32, np.float32]:
    """How far (mm) the ray through the centre goes sideways from the upper face down to the lower."""
    eye = camera.centre_mm
    share = disc.thickness_mm / (eye[2] - disc.top_mm)
    return np.float32((disc.x_mm - eye[0]) * share), np.float32((disc.y_mm - eye[1]) * share)


def _normals(
    disc: Disc, qx: Array, qy: Array, r: Array, face: Array, side: Vector, per_mm: float
) -> tuple[Vector, Array]:
    """Which way the checker's skin looks at each pixel, and how bright its paint is there."""
    slopes, tones = _profile(disc.look, round(disc.radius_mm, 2), round(per_mm, 1))
    index = np.minimum((r * np.float32((PROFILE - 1) / disc.radius_mm)).astype(np.int32), PROFILE - 1)
    slope = slopes[index]
    flat = face / np.sqrt(1 + slope * slope)
    outward = -slope * flat / np.maximum(r, np.float32(1e-3))
    sx, sy, nearest = side
    edge = (1 - face) / np.maximum(nearest, np.float32(1e-3))
    normal = (outward * qx + edge * sx, outward * qy + edge * sy, flat)
    return scaled(normal, 1 / (length(normal) + np.float32(1e-6))), tones[index] * face + (1 - face)


@cache
def _profile(look: CheckerLook, radius: float, per_mm: float) -> tuple[Array, Array]:
    """Slope of the face outwards and brightness of its paint, by distance from the centre; shape (PROFILE,)."""
    u = np.linspace(0, 1, PROFILE)
    depth, height = look.relief_mm, np.zeros(PROFILE)
    if look.relief == "dished":
        height = depth * np.minimum(u / 0.8, 1) ** 2
    elif look.relief == "domed":
        height = -depth * u**2
    elif look.relief == "rimmed":
        height = depth / (1 + np.exp(-(u - 0.8) / 0.02))
    elif look.relief == "stepped":
        height = depth / (1 + np.exp(-(u - 0.82) / 0.02)) - depth / (1 + np.exp(-(u - 0.45) / 0.02))
    elif look.relief == "ringed":
        rings = [np.exp(-(((u - at) / 0.025) ** 2)) for at in (0.4, 0.62, 0.84)]
        height = -0.6 * depth * np.sum(rings, axis=0)
    bevel = max(look.bevel_mm / radius, 0.01)
    past = np.clip((u - (1 - bevel)) / bevel, 0, 0.98)
    slope = np.gradient(height, u * radius) - past / np.sqrt(1 - past**2)
    # Detail finer than a pixel is seen blurred.
    sigma = 0.45 / per_mm / radius * PROFILE
    slope = np.asarray(cv2.GaussianBlur(slope[None].astype(np.float32), (0, 0), sigma), np.float32)[0]
    low = np.asarray(cv2.GaussianBlur(height[None].astype(np.float32), (0, 0), PROFILE / 14), np.float32)[0]
    tone = 1 + np.clip((height - low) * 0.35, -0.3, 0.12)
    return np.clip(slope, -3, 3).astype(np.float32), tone.astype(np.float32)


def _single(disc: Disc) -> np.float32:
    """How much lighter this one is than its fellows: no two are cast alike."""
    fraction = (np.sin(disc.turn * 12.9898 + disc.look.seed) * 43758.5453) % 1.0
    return np.float32(1 + disc.look.shade_spread * (2 * fraction - 1))


def _albedo(disc: Disc, qx: Array, qy: Array) -> Array:
    colour = disc.look.back if disc.flipped else disc.look.colour
    if disc.look.marbling == 0:
        return np.broadcast_to(linear(colour), (*np.broadcast_shapes(qx.shape, qy.shape), 3))
    sheet = _marble(colour, disc.look.second, disc.look.marbling, disc.look.seed)
    scale = np.float32(FACE_PX / 2 / disc.radius_mm)
    cos, sin = np.float32(np.cos(disc.turn)) * scale, np.float32(np.sin(disc.turn)) * scale
    free = SHEET_PX - FACE_PX
    x0 = FACE_PX / 2 + free * ((disc.turn * 7.3) % 1.0)
    y0 = FACE_PX / 2 + free * ((disc.turn * 3.1) % 1.0)
    mapped_x = np.asarray(cos * qx - sin * qy + np.float32(x0), np.float32)
    mapped_y = np.asarray(sin * qx + cos * qy + np.float32(y0), np.float32)
    return np.asarray(
        cv2.remap(sheet, mapped_x, mapped_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.float32
    )


@cache
def _marble(colour: Bgr, second: Bgr, marbling: float, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    veins = noise(rng, (SHEET_PX, SHEET_PX), 60)
    cloud = noise(rng, (SHEET_PX, SHEET_PX), 25)
    mix = np.clip(marbling * (0.5 + 0.5 * veins + 0.3 * cloud), 0, 1)
    picture = cv2.GaussianBlur(blend(colour, second, mix, 0.06 * marbling * cloud), (0, 0), 1.5)
    return np.asarray((picture.astype(np.float32) / 255) ** 2, np.float32)


def _reach(disc: Disc, shade: Shade, qx: Array, qy: Array) -> Array:
    """How much light gets to each pixel past what stands around."""
    grid = shade.grid
    x = np.asarray((qx + np.float32(disc.x_mm - grid.left_mm)) / np.float32(grid.step_mm), np.float32)
    y = np.asarray((qy + np.float32(disc.y_mm - grid.near_mm)) / np.float32(grid.step_mm), np.float32)
    sampled = cv2.remap(shade.mask, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(sampled, np.float32) * np.float32(1 / 255)


def _light(
    camera: Camera,
    light: Light,
    disc: Disc,
    qx: Array,
    qy: Array,
    normals: Vector,
    albedo: Array,
    reach: Array,
) -> Array:
    """Linear light each pixel sends to the camera, shape (h, w, 3)."""
    look = disc.look
    centre = vector(np.array([disc.x_mm, disc.y_mm, disc.top_mm]))
    place = (qx + centre[0], qy + centre[1], centre[2])
    gap = gap_to(place, eye_from(camera))
    eye = scaled(gap, 1 / length(gap))
    falling = _times(0.6 + 0.4 * normals[2], ambient_colour(light))
    shines = look.metal or look.gloss > DULL
    ray = mirrored(eye, normals) if shines else eye
    shine = np.zeros_like(albedo)
    for lamp in light.lamps:
        aim, strength = toward(centre, lamp)
        lambert = np.maximum(dot(normals, aim), 0) * strength
        falling += _times(lambert, lamp_colour(lamp))
        if shines:
            spot = glint(ray, place, lamp, look.roughness) * np.minimum(1, 4 * lambert)
            shine += _times(spot, np.asarray(lamp.colour, np.float32) / np.float32(255))
    lit = albedo * falling
    if shines:
        room = _times(0.6 + 0.4 * ray[2], ambient_colour(light))
        if look.metal:
            pattern = 0.55 + 0.45 * np.sin(4 * ray[0] + look.seed) * np.cos(3.3 * ray[1] + 2 * look.seed)
            lit = np.float32(0.4) * lit + albedo * (
                2.2 * room * pattern[..., None] + np.float32(0.35) * shine
            )
        else:
            lit += fresnel(dot(eye, normals), look.gloss)[..., None] * (shine + room)
    return np.asarray(lit * reach[..., None], np.float32)


def _times(amount: Array, colour: Array) -> Array:
    """A number for each pixel times a colour, shape (h, w, 3)."""
    return np.asarray(amount[..., None] * colour, np.float32)
