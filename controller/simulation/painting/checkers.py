"""Paints checkers: flat ones with relief, rounded rims and sides, and those that stand on their rim, as in trays."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from controller.arrays import AnyFloatArray, Float32Array, FloatArray, GreyPicture, Mask, Picture, triple
from controller.simulation.boards.scene import Checker
from controller.simulation.boards.setting import Bgr, CheckerLook, Light, Setting
from controller.simulation.painting.lighting import (
    Planes,
    Vector,
    add_up,
    ambient_colour,
    bulb_colours,
    develop,
    dot,
    encode,
    fresnel,
    gap_to,
    glints,
    length,
    linear,
    multiply,
    reflect,
    sources,
    straight,
    three,
    vector,
)
from controller.simulation.painting.shadow import Grid
from controller.simulation.painting.stage import Canvas, Layer, PixelBox, around_each, fill, fill_hull
from controller.simulation.painting.texture import blend, noise
from controller.vision import CameraModel

FACE_PX = 160
# The face pattern is cut from a larger sheet, so that no two checkers are the same.
SHEET_PX = 320
PROFILE = 512
# The side stands in its own and its neighbours' shade.
SIDE_SHADE = 0.45
# Less gloss than this is not seen.
DULL = 0.02
# This many checkers are worked out together: fewer cost more calls, more do not fit into the processor's cache.
BATCH = 12
# Strips that a rim is painted in.
AROUND = 40
# Drawing precision: coordinates are given in 1/16 of a pixel.
FINE = 4


@dataclass(frozen=True)
class Shade:
    """The shadows on the plane of a checker's upper face."""

    grid: Grid
    mask: GreyPicture


@dataclass(frozen=True, slots=True)
class Disc:
    """A checker to paint: centre of its upper face (mm), radius, thickness, look, turn, and shadows up there."""

    x_mm: float
    y_mm: float
    top_mm: float
    radius_mm: float
    thickness_mm: float
    look: CheckerLook
    turn: float
    flipped: bool
    shade: Shade

    @property
    def colour(self) -> Bgr:
        """What its upper side is painted in."""
        return self.look.back if self.flipped else self.look.colour


@dataclass(frozen=True)
class _Batch:
    """Checkers of one look and size: numbers for each have shape (n, 1, 1), those for each pixel (n, h, w)."""

    discs: Sequence[Disc]
    patches: Sequence[PixelBox]
    centre: Vector
    per_mm: AnyFloatArray
    qx: AnyFloatArray
    qy: AnyFloatArray


def trace_discs(camera: CameraModel, light: Light, discs: Sequence[Disc]) -> list[Layer]:
    """What each checker looks like where nothing hides it."""
    kinds: dict[tuple[CheckerLook, Bgr, float, float], list[int]] = {}
    for k, disc in enumerate(discs):
        kinds.setdefault((disc.look, disc.colour, disc.radius_mm, disc.thickness_mm), []).append(k)
    found: dict[int, Layer] = {}
    for members in kinds.values():
        for first in range(0, len(members), BATCH):
            some = members[first : first + BATCH]
            found.update(zip(some, _trace(camera, light, [discs[k] for k in some]), strict=True))
    return [found[k] for k in range(len(discs))]


def _trace(camera: CameraModel, light: Light, discs: Sequence[Disc]) -> list[Layer]:
    batch = _batch(camera, discs)
    radius = np.float32(discs[0].radius_mm)
    qx, qy, per_mm = batch.qx, batch.qy, batch.per_mm
    r = np.sqrt(qx * qx + qy * qy)
    ex, ey = _drift(camera, batch)
    square = np.maximum(ex * ex + ey * ey, np.float32(1e-6))
    # How far down the side the ray comes nearest to the axis, as a share of the thickness.
    depth = np.clip(qx * (-ex / square) + qy * (-ey / square), 0, 1)
    sx, sy = qx + depth * ex, qy + depth * ey
    nearest = np.sqrt(sx * sx + sy * sy)
    face = np.clip((radius - r) * per_mm + np.float32(0.5), 0, 1)
    alpha = np.clip((radius - nearest) * per_mm + np.float32(0.5), 0, 1)
    np.maximum(alpha, face, out=alpha)
    normals, tone = _normals(batch, r, face, (sx, sy, nearest))
    albedo = _albedo(batch, tone * _singles(discs))
    reach = _reach(batch)
    reach *= 1 - (1 - face) * np.float32(SIDE_SHADE)
    lit = _light(camera, light, batch, normals, albedo)
    planes = three(np.asarray((plane * reach).reshape(-1, plane.shape[2]), np.float32) for plane in lit)
    colour = develop(planes).reshape(*face.shape, 3)
    layers = []
    for k, (disc, patch) in enumerate(zip(discs, batch.patches, strict=True)):
        here = (k, slice(patch.shape[0]), slice(patch.shape[1]))
        layers.append(Layer(patch, colour[here], alpha[here], disc.top_mm, face[here]))
    return layers


def _batch(camera: CameraModel, discs: Sequence[Disc]) -> _Batch:
    """Where in the picture the checkers are, and where on their faces' planes each pixel of their patches is."""
    centres = np.array([[disc.x_mm, disc.y_mm, disc.top_mm] for disc in discs])
    r, down = discs[0].radius_mm, discs[0].thickness_mm
    ring = r * np.array([[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], float)
    square = 1.02 * r * np.array([[1, 1, 0], [1, -1, 0], [-1, -1, 0], [-1, 1, 0]], float)
    hull = np.concatenate([square, square - [0, 0, down]])
    spots = camera.project(centres[:, None] + np.concatenate([ring, hull]))
    patches = around_each(spots[:, 4:], 2.0, camera.width, camera.height)
    rim = spots[:, :4]
    across = np.linalg.norm(rim[:, 0] - rim[:, 2], axis=-1) + np.linalg.norm(rim[:, 1] - rim[:, 3], axis=-1)
    x = np.arange(max(patch.shape[1] for patch in patches), dtype=np.float32)[None, None]
    y = np.arange(max(patch.shape[0] for patch in patches), dtype=np.float32)[None, :, None]
    back = np.stack([_back(patch, one, ring[:, :2]) for patch, one in zip(patches, rim, strict=True)])
    a = back[..., None, None]
    below = 1 / (a[:, 2, 0] * x + a[:, 2, 1] * y + a[:, 2, 2])
    return _Batch(
        discs,
        patches,
        _each(centres),
        np.asarray(across / (4 * r), np.float32)[:, None, None],
        (a[:, 0, 0] * x + a[:, 0, 1] * y + a[:, 0, 2]) * below,
        (a[:, 1, 0] * x + a[:, 1, 1] * y + a[:, 1, 2]) * below,
    )


def _back(patch: PixelBox, rim: FloatArray, there: FloatArray) -> Float32Array:
    """The way from pixels of a patch to millimetres from the centre in the plane of a face, shape (3, 3)."""
    spots = (rim - [patch.left, patch.top]).astype(np.float32)
    if patch.empty or not np.isfinite(spots).all():
        return np.eye(3, dtype=np.float32)
    return np.asarray(cv2.getPerspectiveTransform(spots, there.astype(np.float32)), np.float32)


def _each(places: FloatArray) -> Vector:
    """Places (n, 3) as vectors of shape (n, 1, 1)."""
    return three(np.asarray(places, np.float32).T[..., None, None])


def _drift(camera: CameraModel, batch: _Batch) -> tuple[AnyFloatArray, AnyFloatArray]:
    """How far (mm) the rays through the centres go sideways from the upper face down to the lower."""
    eye = camera.centre_mm
    x, y, z = batch.centre
    share = np.float32(batch.discs[0].thickness_mm) / (np.float32(eye[2]) - z)
    return (x - np.float32(eye[0])) * share, (y - np.float32(eye[1])) * share


def _normals(
    batch: _Batch, r: AnyFloatArray, face: AnyFloatArray, side: Vector
) -> tuple[Vector, AnyFloatArray]:
    """Which way the checkers' skins look at each pixel, and how bright their paint is there."""
    first = batch.discs[0]
    profiles = [
        _profile(first.look, round(first.radius_mm, 2), round(float(per_mm), 1))
        for per_mm in batch.per_mm[:, 0, 0]
    ]
    index = np.minimum(r * np.float32((PROFILE - 1) / first.radius_mm), PROFILE - 1).astype(np.intp)
    index += PROFILE * np.arange(len(profiles))[:, None, None]
    slope = np.concatenate([slopes for slopes, _ in profiles])[index]
    tone = np.concatenate([tones for _, tones in profiles])[index]
    flat = face / np.sqrt(1 + slope * slope)
    outward = -slope * flat / np.maximum(r, np.float32(1e-3))
    sx, sy, nearest = side
    edge = (1 - face) / np.maximum(nearest, np.float32(1e-3))
    normal = (outward * batch.qx + edge * sx, outward * batch.qy + edge * sy, flat)
    return multiply(normal, 1 / (length(normal) + np.float32(1e-6))), (tone - 1) * face + 1


@cache
def _profile(look: CheckerLook, radius: float, per_mm: float) -> tuple[AnyFloatArray, AnyFloatArray]:
    """Slope of the face outwards and brightness of its paint, by distance from the centre; shape (PROFILE,)."""
    u = np.linspace(0, 1, PROFILE)
    depth = look.relief_mm
    rimmed, outer, inner = (depth / (1 + np.exp(-(u - at) / 0.02)) for at in (0.8, 0.82, 0.45))
    height = {
        "flat": np.zeros(PROFILE),
        "dished": depth * np.minimum(u / 0.8, 1) ** 2,
        "domed": -depth * u**2,
        "rimmed": rimmed,
        "stepped": outer - inner,
        "ringed": -0.6
        * depth
        * np.sum([np.exp(-(((u - at) / 0.025) ** 2)) for at in (0.4, 0.62, 0.84)], axis=0),
    }[look.relief]
    bevel = max(look.bevel_mm / radius, 0.01)
    past = np.clip((u - (1 - bevel)) / bevel, 0, 0.98)
    slope = np.gradient(height, u * radius) - past / np.sqrt(1 - past**2)
    # Detail finer than a pixel is seen blurred.
    sigma = 0.45 / per_mm / radius * PROFILE
    slope = np.asarray(cv2.GaussianBlur(slope[None].astype(np.float32), (0, 0), sigma), np.float32)[0]
    low = np.asarray(cv2.GaussianBlur(height[None].astype(np.float32), (0, 0), PROFILE / 14), np.float32)[0]
    tone = 1 + np.clip((height - low) * 0.35, -0.3, 0.12)
    return np.clip(slope, -3, 3).astype(np.float32), tone.astype(np.float32)


def _singles(discs: Sequence[Disc]) -> AnyFloatArray:
    """How much lighter each one is than its fellows: no two are cast alike."""
    fractions = [(np.sin(disc.turn * 12.9898 + disc.look.seed) * 43758.5453) % 1.0 for disc in discs]
    spread = discs[0].look.shade_spread
    return np.asarray(1 + spread * (2 * np.array(fractions) - 1), np.float32)[:, None, None]


def _albedo(batch: _Batch, tone: AnyFloatArray) -> Planes:
    """The share of light each pixel sends back; ``tone`` (n, h, w) makes paint brighter."""
    look, colour = batch.discs[0].look, batch.discs[0].colour
    if look.marbling == 0:
        return add_up([tone], [linear(colour)])
    sheet = _marble(colour, look.second, look.marbling, look.seed)
    scale, free = FACE_PX / 2 / batch.discs[0].radius_mm, SHEET_PX - FACE_PX
    turns = np.array([disc.turn for disc in batch.discs])[:, None, None]
    cos, sin = ((scale * part).astype(np.float32) for part in (np.cos(turns), np.sin(turns)))
    x0, y0 = ((FACE_PX / 2 + free * ((step * turns) % 1.0)).astype(np.float32) for step in (7.3, 3.1))
    columns = batch.qx.shape[2]
    cut = cv2.remap(
        sheet,
        (cos * batch.qx - sin * batch.qy + x0).reshape(-1, columns),
        (sin * batch.qx + cos * batch.qy + y0).reshape(-1, columns),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    return three(np.asarray(plane, np.float32).reshape(tone.shape) * tone for plane in cv2.split(cut))


@cache
def _marble(colour: Bgr, second: Bgr, marbling: float, seed: int) -> AnyFloatArray:
    rng = np.random.default_rng(seed)
    veins = noise(rng, (SHEET_PX, SHEET_PX), 60)
    cloud = noise(rng, (SHEET_PX, SHEET_PX), 25)
    mix = np.clip(marbling * (0.5 + 0.5 * veins + 0.3 * cloud), 0, 1)
    picture = cv2.GaussianBlur(blend(colour, second, mix, 0.06 * marbling * cloud), (0, 0), 1.5)
    return linear(picture)


def _reach(batch: _Batch) -> AnyFloatArray:
    """How much light gets to each pixel past what stands around, shape (n, h, w)."""
    found = np.empty(batch.qx.shape, np.uint8)
    for k, disc in enumerate(batch.discs):
        grid = disc.shade.grid
        x = (batch.qx[k] + np.float32(disc.x_mm - grid.left_mm)) * np.float32(1 / grid.step_mm)
        y = (batch.qy[k] + np.float32(disc.y_mm - grid.near_mm)) * np.float32(1 / grid.step_mm)
        cv2.remap(disc.shade.mask, x, y, cv2.INTER_LINEAR, found[k], cv2.BORDER_REPLICATE)
    return found * np.float32(1 / 255)


def _light(camera: CameraModel, light: Light, batch: _Batch, normals: Vector, albedo: Planes) -> Planes:
    """Linear light each pixel sends to the camera if nothing stands around."""
    look = batch.discs[0].look
    shines = look.metal or look.gloss > DULL
    place = (batch.qx + batch.centre[0], batch.qy + batch.centre[1], batch.centre[2])
    gap = gap_to(place, camera.centre_mm)
    eye = multiply(gap, 1 / length(gap))
    ray = reflect(eye, normals) if shines else eye
    lambert = straight(batch.centre, normals, light)
    falling = add_up([np.float32(0.4) * normals[2] + np.float32(0.6), *lambert], sources(light))
    lit = [share * one for share, one in zip(albedo, falling, strict=True)]
    if shines:
        spots = glints(ray, place, light, look.roughness, lambert)
        ambient, bulbs = ambient_colour(light), bulb_colours(light)
        sky = np.float32(0.4) * ray[2] + np.float32(0.6)
        if look.metal:
            sky *= 0.55 + 0.45 * np.sin(4 * ray[0] + look.seed) * np.cos(3.3 * ray[1] + 2 * look.seed)
            room = add_up([sky, *spots], [2.2 * ambient, *(np.float32(0.35) * bulb for bulb in bulbs)])
            lit = [0.4 * one + share * more for one, share, more in zip(lit, albedo, room, strict=True)]
        else:
            share = fresnel(dot(eye, normals), look.gloss)
            room = add_up([sky, *spots], [ambient, *bulbs])
            lit = [one + share * more for one, more in zip(lit, room, strict=True)]
    return three(lit)


def paint_edgewise(
    stage: Canvas, camera: CameraModel, setting: Setting, checker: Checker, number: int
) -> int:
    """Paint one; returns how many pixels its silhouette has when nothing hides it."""
    geometry = setting.geometry
    radius, thick = geometry.checker_diameter_mm / 2, geometry.checker_thickness_mm
    axis = np.array([np.cos(checker.turn), np.sin(checker.turn), 0.0])
    side = np.array([-axis[1], axis[0], 0.0])
    centre = np.array([checker.x_mm, checker.y_mm, checker.z_mm + radius])
    angle = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    ring = np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * np.array([0, 0, 1.0])
    ends = thick / 2 * axis * np.array([-1.0, 1.0])[:, None, None]
    spots = camera.project(centre + radius * ring + ends)
    patch = stage.patch(spots.reshape(-1, 2), 2.0)
    if patch.empty:
        return 0
    eye = camera.centre_mm - centre
    outward = ring + np.roll(ring, -1, axis=0)
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    sign = 1 if axis @ eye > 0 else -1
    shades = _light_rim(setting, checker, centre, np.concatenate([outward, sign * axis[None]]))
    picture = _strips(patch, spots, shades[:-1], outward @ eye > 0)
    picture = _cap(picture, fill(patch, spots[(1 + sign) // 2]), shades[-1])
    alpha = fill_hull(patch, spots.reshape(-1, 2))
    # A thin dark seam keeps neighbours apart.
    seam = np.clip(alpha * np.float32(1.3) - np.float32(0.3), 0.55, 1)
    colour = cv2.multiply(picture, cv2.merge([seam, seam, seam]), dtype=cv2.CV_8U)
    return stage.put(Layer(patch, np.asarray(colour, np.uint8), alpha, checker.z_mm + radius, alpha), number)


def _strips(patch: PixelBox, spots: FloatArray, shades: AnyFloatArray, seen: Mask) -> Picture:
    """The rim, strip by strip; ``spots`` (2, n, 2) are the pixels of its two edges."""
    picture = np.zeros((*patch.shape, 3), np.uint8)
    after = np.roll(spots, -1, axis=1)
    strips = np.stack([spots[0], after[0], after[1], spots[1]], axis=1) - [patch.left, patch.top]
    corners = np.round(strips * (1 << FINE)).astype(np.int32)
    for k in np.flatnonzero(seen):
        cv2.fillConvexPoly(picture, corners[k], triple(shades[k]), cv2.LINE_8, FINE)
    return picture


def _cap(picture: Picture, share: AnyFloatArray, shade: AnyFloatArray) -> Picture:
    """The picture with one colour laid over it."""
    cap = np.empty_like(picture)
    cap[:] = np.rint(shade)
    return np.asarray(cv2.blendLinear(cap, picture, share, 1 - share), np.uint8)


def _light_rim(setting: Setting, checker: Checker, centre: FloatArray, normals: FloatArray) -> AnyFloatArray:
    """Grey levels (n, 3) of the skin where it looks along ``normals`` (n, 3)."""
    skin = three(normals.astype(np.float32).T)
    light = setting.light
    falling = add_up([0.6 + 0.4 * skin[2], *straight(vector(centre), skin, light)], sources(light))
    albedo = linear(setting.checkers[checker.side].colour)
    return encode(np.stack(falling, axis=-1) * albedo * np.float32(0.85))
