"""Paints checkers that stand on their rim, as in trays."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.simulation.lighting import ambient_colour, dot, encode, lamp_colour, linear, toward, vector
from controller.simulation.scene import Checker
from controller.simulation.setting import Setting
from controller.simulation.stage import Stage, fill
from controller.vision.camera import Camera

Array = NDArray[np.floating[Any]]
FloatArray = NDArray[np.float64]

AROUND = 40


def paint_edgewise(stage: Stage, camera: Camera, setting: Setting, checker: Checker, number: int) -> int:
    """Paint one; returns how many pixels its silhouette has when nothing hides it."""
    geometry = setting.geometry
    radius, thick = geometry.checker_diameter_mm / 2, geometry.checker_thickness_mm
    axis = np.array([np.cos(checker.turn), np.sin(checker.turn), 0.0])
    side = np.array([-axis[1], axis[0], 0.0])
    centre = np.array([checker.x_mm, checker.y_mm, checker.z_mm + radius])
    angle = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    ring = radius * (np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * np.array([0, 0, 1.0]))
    spots = [camera.project(centre + ring + s * thick / 2 * axis) for s in (-1, 1)]
    both = np.concatenate(spots)
    patch = stage.patch(both, 2.0)
    if patch.empty:
        return 0
    look = setting.checkers[checker.side]
    hull = np.asarray(cv2.convexHull(both.astype(np.float32)), float).reshape(-1, 2)
    alpha = fill(patch, hull)
    albedo = linear(look.colour)
    picture = np.zeros((*alpha.shape, 3), np.float32)
    eye = camera.centre_mm - centre
    for k in range(AROUND):
        outward = ring[k] + ring[(k + 1) % AROUND]
        if outward @ eye <= 0:
            continue
        shade = _lit(setting, centre, outward / np.linalg.norm(outward), albedo)
        strip = np.array([spots[0][k], spots[0][(k + 1) % AROUND], spots[1][(k + 1) % AROUND], spots[1][k]])
        corners = np.round((strip - [patch.left, patch.top]) * 16).astype(np.int32)
        cv2.fillConvexPoly(picture, corners, [float(c) for c in shade], cv2.LINE_8, 4)
        cv2.polylines(picture, [corners], True, [float(c) for c in shade], 1, cv2.LINE_8, 4)
    sign = 1 if axis @ eye > 0 else -1
    cap = spots[0 if sign < 0 else 1]
    face = fill(patch, cap)[..., None]
    picture += face * (_lit(setting, centre, sign * axis, albedo) - picture)
    # A thin dark seam keeps neighbours apart.
    seam = np.clip(alpha * 1.3 - 0.3, 0.55, 1)[..., None]
    return stage.put(patch, picture * seam, alpha, checker.z_mm + radius, alpha, number)


def _lit(setting: Setting, centre: FloatArray, normal: FloatArray, albedo: Array) -> Array:
    """Grey levels of the skin there, shape (3,)."""
    falling = ambient_colour(setting.light) * np.float32(0.6 + 0.4 * normal[2])
    for lamp in setting.light.lamps:
        aim, strength = toward(vector(centre), lamp)
        straight = max(0.0, float(dot(aim, vector(normal))))
        falling = falling + lamp_colour(lamp) * np.float32(straight * float(strength))
    return encode(np.asarray(albedo * falling * np.float32(0.85), np.float32))
