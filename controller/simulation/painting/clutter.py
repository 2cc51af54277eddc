"""Paints what else is about: hands with their arms, dice cups, and things beside the board."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.arrays import AnyFloatArray, FloatArray, IndexArray, Picture
from controller.simulation.boards.scene import Cup, Hand, Limb, TableItem
from controller.simulation.boards.setting import Bgr, Light
from controller.simulation.painting.lighting import (
    BACK,
    add_up,
    encode,
    linear,
    sources,
    straight,
    three,
    vector,
)
from controller.simulation.painting.stage import (
    HIDDEN,
    NOBODY,
    Canvas,
    Layer,
    PixelBox,
    fill,
    fill_hull,
    px_per_mm,
)
from controller.vision import CameraModel

# What a limb hides of the ambient light below its middle, and how rough cloth and skin look.
CREASES = {True: 0.10, False: 0.03}
# Higher than any rail (mm).
ABOVE_ALL = 1e3
# Of a limb that is not all before the camera so many places are tried. What is nearer (mm), or further aside than
# this many times its distance, no picture shows: of a lens that bends lines inward, less far aside (`_widest`).
PARTS, NEAREST_MM, WIDEST = 17, 40.0, 3.0


def paint_hand(stage: Canvas, camera: CameraModel, light: Light, hand: Hand) -> None:
    """Paint a hand, its lowest parts first."""
    for limb in sorted(hand.limbs, key=lambda one: one.start[2] + one.end[2]):
        shown = part_before(camera, limb)
        if shown is not None:
            _paint_limb(stage, camera, light, shown)


def part_before(camera: CameraModel, limb: Limb) -> Limb | None:
    """The part of a limb that lies well before the camera; ``None`` where nothing of it does.

    An upper arm may reach up beside a low camera, or behind it, where nothing has a place in the picture, or so far
    aside that the lens's formula would lead it back in.
    """
    along = np.linspace(0, 1, PARTS)[:, None]
    seen = (
        np.array(limb.start) * (1 - along) + np.array(limb.end) * along - camera.centre_mm
    ) @ camera.rotation_matrix.T
    before = np.flatnonzero(
        (seen[:, 2] > NEAREST_MM) & (np.hypot(seen[:, 0], seen[:, 1]) < _widest(camera) * seen[:, 2])
    )
    if len(before) == PARTS:
        return limb
    if len(before) < 2:
        return None
    ends = [float(along[at, 0]) for at in (before[0], before[-1])]
    start, end = (_place_at(limb, share) for share in ends)
    radii = [limb.start_radius_mm + share * (limb.end_radius_mm - limb.start_radius_mm) for share in ends]
    return replace(limb, start=start, end=end, start_radius_mm=radii[0], end_radius_mm=radii[1])


@lru_cache(maxsize=4)
def _widest(camera: CameraModel) -> float:
    """How many times its distance a place may lie aside, and those further aside are still seen further out."""
    turns = np.roots([5 * camera.k2, 3 * camera.k1, 1.0])
    return min([WIDEST, *(float(np.sqrt(square.real)) for square in turns if square.real > 0 == square.imag)])


def _place_at(limb: Limb, share: float) -> tuple[float, float, float]:
    x, y, z = (one + share * (other - one) for one, other in zip(limb.start, limb.end, strict=True))
    return x, y, z


def _paint_limb(stage: Canvas, camera: CameraModel, light: Light, limb: Limb) -> None:
    ends = np.array([limb.start, limb.end])
    spots = camera.project(ends)
    radii = [
        radius * px_per_mm(camera, place)
        for radius, place in zip((limb.start_radius_mm, limb.end_radius_mm), ends, strict=True)
    ]
    patch = stage.patch(spots, max(radii) + 2)
    if patch.empty:
        return
    inside, t, u, v = _within(patch, spots, radii)
    square = u * u + v * v
    rise = np.sqrt(np.clip(1 - square, 0.02, 1))
    gap = camera.centre_mm - ends.mean(0)
    right, down, up = np.array([*camera.rotation_matrix[:2], gap / np.linalg.norm(gap)], np.float32)
    normals = three(u * right[k] + v * down[k] + rise * up[k] for k in range(3))
    long = t * np.float32(np.linalg.norm(ends[1] - ends[0]) / limb.start_radius_mm)
    wave = np.sin(5 * long + 2 * np.sin(3 * u + long)) * np.sin(2 * long + 3 * v)
    crease = np.float32(CREASES[limb.cloth]) * wave + 1
    lambert = straight(vector(ends.mean(0)), normals, light)
    amounts = [crease * one for one in (0.4 * normals[2] + 0.6, *lambert)]
    albedo = linear(limb.colour)
    colours = [albedo * one for one in sources(light)]
    levels = [
        _spread(inside, encode(plane) + np.float32(0.5), np.uint8, patch.shape)
        for plane in add_up(amounts, colours)
    ]
    opaque = np.clip((1 - np.sqrt(square)) * np.float32(min(radii)) + np.float32(0.5), 0, 1)
    alpha = np.asarray(_spread(inside, opaque, np.float32, patch.shape), np.float32)
    stage.put(Layer(patch, np.asarray(cv2.merge(levels), np.uint8), alpha, ABOVE_ALL), HIDDEN)


def _spread(
    inside: IndexArray, values: AnyFloatArray, kind: type[np.uint8 | np.float32], shape: tuple[int, int]
) -> NDArray[Any]:
    """Values at some pixels (flat indices) of a patch, 0 elsewhere."""
    plane = np.zeros(shape, kind)
    plane.ravel()[inside] = values
    return plane


def _within(
    patch: PixelBox, spots: FloatArray, radii: list[float]
) -> tuple[IndexArray, AnyFloatArray, AnyFloatArray, AnyFloatArray]:
    """Pixels of a patch within a tapering rod: which (flat), how far along (0..1), and how far off its axis.

    The last is in radii, right and down. Only the pixels within are worked out.
    """
    mask = np.zeros(patch.shape, np.uint8)
    origin = spots - [patch.left, patch.top]
    angle = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], 1)
    both = np.concatenate([origin[k] + (radii[k] + 1) * ring for k in (0, 1)])
    cv2.fillConvexPoly(mask, np.round(cv2.convexHull(both.astype(np.float32))).astype(np.int32), 1)
    inside = np.flatnonzero(mask)
    y, x = np.divmod(inside, mask.shape[1])
    along = (origin[1] - origin[0]).astype(np.float32)
    length2 = max(float(along @ along), 1e-3)
    x32, y32 = (
        x.astype(np.float32) - np.float32(origin[0][0]),
        y.astype(np.float32) - np.float32(origin[0][1]),
    )
    t = np.clip((x32 * along[0] + y32 * along[1]) / np.float32(length2), 0, 1)
    radius = np.float32(radii[0]) + t * np.float32(radii[1] - radii[0])
    return inside, t, (x32 - t * along[0]) / radius, (y32 - t * along[1]) / radius


def paint_cup(stage: Canvas, camera: CameraModel, light: Light, cup: Cup) -> None:
    """Paint an upright cup: its outside, its rim and its dark inside."""
    low, high, inner, bottom = (
        camera.project_circle(np.array([cup.x_mm, cup.y_mm, cup.z_mm + rise]), share * cup.radius_mm, 48)
        for rise, share in ((0.0, 0.86), (cup.height_mm, 1.0), (cup.height_mm, 0.88), (4.0, 0.74))
    )
    patch = stage.patch(np.concatenate([low, high]), 2.0)
    if patch.empty:
        return
    body = fill_hull(patch, np.concatenate([low, high]))
    power = light.ambient + sum(lamp.power for lamp in light.lamps)
    colour = np.zeros((*body.shape, 3), np.float32)
    x, _ = patch.pixels()
    middle, wide = float(high[:, 0].mean()), float(np.ptp(high[:, 0])) / 2 + 1e-3
    roll = np.asarray(0.75 + 0.25 * np.sin(2.2 * (x - middle) / wide + 0.6), np.float32)
    colour += encode(linear(cup.colour) * power * 0.5)[None, None] * roll[..., None]
    for outline, shade in (
        (high, encode(linear(cup.colour) * power)),
        (inner, encode(linear(cup.inside) * power * 0.25)),
        (bottom, encode(linear(cup.inside) * power * 0.12)),
    ):
        share = fill(patch, outline)
        if outline is bottom:
            share = share * fill(patch, inner)
        colour += share[..., None] * (shade - colour)
    layer = Layer(patch, _round(colour), body, cup.z_mm + cup.height_mm)
    stage.put(layer, HIDDEN if cup.z_mm >= 0 else NOBODY)


def paint_thing(stage: Canvas, camera: CameraModel, light: Light, thing: TableItem) -> None:
    """Paint a box beside the board with what is on top of it."""
    cos, sin = np.cos(thing.turn), np.sin(thing.turn)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [thing.width_mm / 2, thing.depth_mm / 2]
    flat = half @ np.array([[cos, sin], [-sin, cos]]) + [thing.x_mm, thing.y_mm]
    low = camera.project(np.concatenate([flat, np.full((4, 1), thing.z_mm)], 1))
    high = camera.project(np.concatenate([flat, np.full((4, 1), thing.z_mm + thing.height_mm)], 1))
    patch = stage.patch(np.concatenate([low, high]), 2.0)
    if patch.empty:
        return
    power = light.ambient + sum(lamp.power for lamp in light.lamps)
    body, top = fill_hull(patch, np.concatenate([low, high])), fill(patch, high)
    face = _thing_face(thing)
    rows, columns = face.shape[:2]
    source = np.array([[0, rows], [columns, rows], [columns, 0], [0, 0]], np.float32)
    warp = cv2.getPerspectiveTransform(source, (high - [patch.left, patch.top]).astype(np.float32))
    size = patch.shape[::-1]
    lit = cv2.LUT(face, _round(encode(BACK * np.float32(power))))
    laid = cv2.warpPerspective(lit, warp, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    side = np.empty((size[1], size[0], 3), np.uint8)
    side[:] = _round(encode(linear(thing.colour) * power * 0.35))
    colour = cv2.blendLinear(laid, side, top, 1 - top)
    # The stage tells heights from the surface up, the table counting as 0: things of a flat board's height lie on it.
    height = max(0.0, thing.z_mm + thing.height_mm)
    stage.put(Layer(patch, np.asarray(colour, np.uint8), body, height), NOBODY)


def _round(colour: AnyFloatArray) -> Picture:
    """Grey levels as a picture has them."""
    return (np.clip(colour, 0, 255) + np.float32(0.5)).astype(np.uint8)


@lru_cache(maxsize=16)
def _thing_face(thing: TableItem) -> Picture:
    rows, columns = max(8, round(2 * thing.depth_mm)), max(8, round(2 * thing.width_mm))
    face = np.empty((rows, columns, 3), np.uint8)
    face[:] = np.asarray(thing.colour)
    ink: Bgr = thing.ink
    if thing.kind == "card":
        for k in range(2, 18):
            y = rows * k // 20
            cv2.line(face, (columns // 10, y), (columns * (5 + (k * 7) % 4) // 10, y), ink, 2, cv2.LINE_AA)
    elif thing.kind == "phone":
        cv2.rectangle(
            face, (columns // 16, rows // 16), (columns - columns // 16, rows - rows // 16), ink, -1
        )
    elif thing.kind == "clock":
        cv2.rectangle(face, (columns // 8, rows // 4), (columns * 7 // 8, rows * 3 // 4), (150, 165, 150), -1)
        for k, text in enumerate(("0:12", "1:07")):
            at = (columns // 6 + k * columns // 3, rows * 6 // 10)
            cv2.putText(face, text, at, cv2.FONT_HERSHEY_SIMPLEX, columns / 260, (20, 20, 20), 2, cv2.LINE_AA)
    else:
        cv2.putText(
            face, "1  0", (columns // 8, rows * 2 // 3), cv2.FONT_HERSHEY_SIMPLEX, columns / 90, ink, 4
        )
    return face
