"""Paints checkers that stand on their rim, as in trays."""

import cv2
import numpy as np

from controller.arrays import AnyFloatArray, FloatArray, Mask, Picture, triple
from controller.simulation.boards.scene import Checker
from controller.simulation.boards.setting import Setting
from controller.simulation.painting.lighting import add_up, encode, linear, sources, straight, vector
from controller.simulation.painting.stage import Canvas, Layer, PixelBox, fill, fill_hull
from controller.vision.camera import CameraModel

AROUND = 40
# Drawing precision: coordinates are given in 1/16 of a pixel.
FINE = 4


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
    shades = _light_up(setting, checker, centre, np.concatenate([outward, sign * axis[None]]))
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


def _light_up(setting: Setting, checker: Checker, centre: FloatArray, normals: FloatArray) -> AnyFloatArray:
    """Grey levels (n, 3) of the skin where it looks along ``normals`` (n, 3)."""
    skin = (
        np.asarray(normals[:, 0], np.float32),
        np.asarray(normals[:, 1], np.float32),
        np.asarray(normals[:, 2], np.float32),
    )
    light = setting.light
    falling = add_up([0.6 + 0.4 * skin[2], *straight(vector(centre), skin, light)], sources(light))
    albedo = linear(setting.checkers[checker.side].colour)
    return encode(np.stack(falling, axis=-1) * albedo * np.float32(0.85))
