"""Finds a place for a camera from which the whole board is seen."""

from dataclasses import replace

import cv2
import numpy as np

from controller.arrays import FloatArray, triple
from controller.simulation.boards.setting import BoardFrame
from controller.vision.camera import CameraModel
from controller.vision.geometry import BoardGeometry

STEEPEST_DEG = 50.0
NEAREST_MM, FARTHEST_MM = 300.0, 6000.0


def place_camera(
    rng: np.random.Generator, geometry: BoardGeometry, frame: BoardFrame, width: int, height: int
) -> CameraModel:
    """A camera from overhead to 50 degrees, turned any way, that has the whole board in its picture."""
    overhead = rng.random() < 0.45
    slant = np.radians(abs(rng.normal(0, 5)) if overhead else rng.uniform(8, STEEPEST_DEG))
    quarter = np.pi / 2 * float(rng.choice([3, 3, 3, 1, 1, 0, 2]))
    seat = quarter + rng.normal(0, 0.2) if rng.random() < 0.75 else rng.uniform(0, 2 * np.pi)
    roll = rng.normal(0, 0.08)
    focal = width * float(rng.uniform(0.7, 1.5))
    bent = rng.random() < 0.55
    k1 = float(rng.uniform(-0.22, 0.06)) if bent else 0.0
    k2 = float(rng.uniform(-0.02, 0.05)) if bent else 0.0
    outline = _outline(geometry, frame)
    fill = float(rng.uniform(0.62, 0.97))
    low, high = NEAREST_MM, FARTHEST_MM
    slack = np.clip(rng.normal(0, 0.45, 2), -1, 1)
    camera = _aim(width, height, (focal, k1, k2), (slant, seat, roll), high, np.zeros(2))
    for _ in range(24):
        distance = (low + high) / 2
        camera = _aim(width, height, (focal, k1, k2), (slant, seat, roll), distance, np.zeros(2))
        target = _centring(camera, outline)
        camera = _aim(width, height, (focal, k1, k2), (slant, seat, roll), distance, target)
        spots = camera.project(outline)
        share = (
            np.inf if not np.isfinite(spots).all() else float((np.ptp(spots, axis=0) / [width, height]).max())
        )
        low, high = (distance, high) if share > fill else (low, distance)
    return _shift(camera, outline, slack)


def _outline(geometry: BoardGeometry, frame: BoardFrame) -> FloatArray:
    """The corners of the board's outside, upper and lower, with points between them (n, 3)."""
    far = geometry.surface_height_mm / 2 + frame.rail_mm
    x, y = np.meshgrid(np.linspace(*geometry.x_range(frame.rail_mm), 5), np.linspace(-far, far, 5))
    flat = np.stack([x.ravel(), y.ravel()], 1)
    heights = (frame.rail_height_mm, -frame.body_mm)
    return np.concatenate([np.concatenate([flat, np.full((len(flat), 1), z)], 1) for z in heights])


def _aim(
    width: int,
    height: int,
    lens: tuple[float, float, float],
    angles: tuple[float, float, float],
    distance: float,
    target: FloatArray,
) -> CameraModel:
    """A camera ``distance`` mm from a place of the board, slanted, standing towards ``seat``, rolled."""
    slant, seat, roll = angles
    forward = np.array(
        [-np.sin(slant) * np.cos(seat), -np.sin(slant) * np.sin(seat), -np.cos(slant)],
    )
    right = np.array([-np.sin(seat), np.cos(seat), 0.0])
    down = np.cross(forward, right)
    cos, sin = np.cos(roll), np.sin(roll)
    turn = np.stack([cos * right + sin * down, cos * down - sin * right, forward])
    centre = np.array([target[0], target[1], 0.0]) - distance * forward
    rotation = cv2.Rodrigues(turn)[0].ravel()
    return CameraModel(width, height, *lens, triple(rotation), triple(-turn @ centre))


def _centring(camera: CameraModel, outline: FloatArray) -> FloatArray:
    """The place of the board to aim at so that its outline is in the middle of the picture."""
    spots = camera.project(outline)
    if not np.isfinite(spots).all():
        return np.zeros(2)
    middle = (spots.min(0) + spots.max(0)) / 2
    return np.asarray(camera.to_board(middle), float)


def _shift(camera: CameraModel, outline: FloatArray, slack: FloatArray) -> CameraModel:
    """The camera moved sideways by a share of the free margin, -1..1 each way."""
    spots = camera.project(outline)
    size = np.array([camera.width, camera.height])
    free = np.maximum(0, np.minimum(spots.min(0), size - spots.max(0)) - 4) * slack
    depth = float(np.linalg.norm(camera.centre_mm))
    step = np.append(free * depth / camera.focal, 0.0)
    made = replace(camera, translation=triple(np.array(camera.translation) + step))
    new = made.project(outline)
    inside = bool((new.min(0) >= 0).all() and (new.max(0) <= size - 1).all())
    return made if inside else camera
