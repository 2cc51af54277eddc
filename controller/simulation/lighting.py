"""How light falls on things: what a point of some direction sends to the camera.

Light is counted in linear units: 1 is what a white level surface at the board's centre sends. A picture's
grey level is the square root of it, which is near enough to a camera's curve and cheap.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from controller.simulation.setting import Bgr, Lamp, Light
from controller.vision.camera import Camera

Array = NDArray[np.floating[Any]]

# A bare dielectric mirrors this share of what falls on it straight.
STRAIGHT_MIRROR = 0.045
# How bright a lamp of radius one twentieth of its distance is against what it lights.
LAMP_BRIGHTNESS = 160.0
BRIGHTEST_MIRROR = 12.0


def linear(colour: Bgr) -> Array:
    """The share of light a colour sends back, shape (3,)."""
    return np.asarray((np.asarray(colour, np.float32) / 255) ** 2, np.float32)


def encode(light: Array) -> Array:
    """Grey levels 0..255 (float) of linear light; brightest parts are bent off softly, as cameras do."""
    soft = np.where(light > 0.8, 0.8 + 0.2 * np.tanh((light - 0.8) / 0.35), light)
    return np.asarray(255 * np.sqrt(np.maximum(soft, 0)), np.float32)


def lamp_colour(lamp: Lamp) -> Array:
    """What a lamp gives in each channel at the board's centre, shape (3,)."""
    return np.asarray(lamp.power * np.asarray(lamp.colour, np.float32) / 255, np.float32)


def ambient_colour(light: Light) -> Array:
    """What comes from everywhere, shape (3,)."""
    return np.asarray(light.ambient * np.asarray(light.ambient_colour, np.float32) / 255, np.float32)


def toward(place: Array, lamp: Lamp) -> tuple[Array, Array]:
    """Unit vectors from places (..., 3) to a lamp, and how strong it is there against the centre (...)."""
    gap = np.array([lamp.x_mm, lamp.y_mm, lamp.z_mm], np.float32) - place
    distance = np.sqrt((gap * gap).sum(-1))
    # The lamp gives its power to a level surface at the centre.
    centre = float(lamp.x_mm**2 + lamp.y_mm**2 + lamp.z_mm**2)
    level = lamp.z_mm / np.sqrt(centre)
    return gap / distance[..., None], np.asarray(centre / distance**2 / level, np.float32)


def mirrored(towards_eye: Array, normals: Array) -> Array:
    """Where the eye looks after a mirror of these normals; both (..., 3)."""
    along = (towards_eye * normals).sum(-1, keepdims=True)
    return np.asarray(2 * along * normals - towards_eye, np.float32)


def glint(look: Array, place: Array, lamp: Lamp, roughness: float) -> Array:
    """How bright a lamp appears in a mirror of some roughness, shape (...)."""
    gap = np.array([lamp.x_mm, lamp.y_mm, lamp.z_mm], np.float32) - place
    distance = np.sqrt((gap * gap).sum(-1))
    size = lamp.radius_mm / float(np.mean(distance))
    width2 = size**2 + roughness**2
    if lamp.window:
        return _window(look, gap / distance[..., None], size, roughness) * np.float32(
            _peak(lamp, size, width2)
        )
    away = 2 * (1 - (look * gap).sum(-1) / distance)
    # A sharp disc where the mirror is smooth, a wide soft spot where it is rough.
    edge = 2.0 * (size / np.sqrt(width2)) ** 4 + 1.0
    return np.asarray(
        np.exp(-((np.maximum(away, 0) / width2) ** edge)) * _peak(lamp, size, width2), np.float32
    )


def _peak(lamp: Lamp, size: float, width2: float) -> float:
    return min(BRIGHTEST_MIRROR, lamp.power * LAMP_BRIGHTNESS * 0.0025 / size**2 * size**2 / width2)


def _window(look: Array, aim: Array, size: float, roughness: float) -> Array:
    """The reflection of a window: a rectangle with a cross bar."""
    middle = aim.reshape(-1, 3).mean(0)
    across = np.cross(middle, np.array([0, 0, 1], np.float32))
    across = across / (np.linalg.norm(across) + 1e-6)
    up = np.cross(across, middle)
    u, v = (look - aim) @ across / size, (look - aim) @ up / (1.4 * size)
    soft = max(0.03, roughness / size)
    pane = _step((1 - np.abs(u)) / soft) * _step((1 - np.abs(v)) / soft)
    bars = 1 - 0.8 * np.exp(-((u / max(0.06, soft)) ** 2)) * np.float32(soft < 0.3)
    return np.asarray(pane * bars, np.float32)


def _step(x: Array) -> Array:
    return np.asarray(np.clip(0.5 + 0.5 * x, 0, 1), np.float32)


def eye_from(camera: Camera) -> Array:
    """Where the camera is, shape (3,), float32."""
    return np.asarray(camera.centre_mm, np.float32)


def fresnel(facing: Array, gloss: float) -> Array:
    """Share of light mirrored at a slant; ``facing`` is the cosine between normal and eye."""
    grazing = np.clip(1 - facing, 0, 1) ** 5
    return np.asarray(gloss * (STRAIGHT_MIRROR + (1 - STRAIGHT_MIRROR) * grazing), np.float32)
