"""How light falls on things: what a point of some direction sends to the camera.

Light is counted in linear units: 1 is what a white level surface at the board's centre sends. A picture's
grey level is the square root of it, which is near enough to a camera's curve and cheap.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.arrays import AnyFloatArray, Picture
from controller.simulation.boards.setting import Bgr, Lamp, Light

# The three components of a direction or a place, each an array (without axes for a single one).
Vector = tuple[AnyFloatArray, AnyFloatArray, AnyFloatArray]
# Blue, green and red apart: arithmetic on whole planes is many times faster than on pixels of three channels.
Planes = tuple[AnyFloatArray, AnyFloatArray, AnyFloatArray]

# A bare dielectric mirrors this share of what falls on it straight.
STRAIGHT_MIRROR = 0.045
# How bright a lamp of radius one twentieth of its distance is against what it lights.
LAMP_BRIGHTNESS = 160.0
UNIT_LAMP = 0.05**2
BRIGHTEST_MIRROR = 12.0
# Light above this is bent off.
KNEE = 0.8
# Below this roughness (against the window's size) its cross bar is seen.
SMOOTH_ENOUGH = 0.3


def three(parts: Iterable[AnyFloatArray]) -> Vector:
    """Three components of a direction, or three channels."""
    first, second, third = parts
    return first, second, third


def linear(colour: Bgr | NDArray[Any]) -> AnyFloatArray:
    """The share of light that grey levels send back: those of a colour, (3,), or of a picture, in its shape."""
    return np.asarray((np.asarray(colour, np.float32) / 255) ** 2, np.float32)


BACK = linear(np.arange(256))
"""The share of light each grey level sends back."""


def encode(light: AnyFloatArray) -> AnyFloatArray:
    """Grey levels 0..255 (float) of linear light; brightest parts are bent off softly, as cameras do."""
    # Above the knee 1 - (1 - knee)^2 / (light - (2 knee - 1)), which goes on straight from there and never reaches 1.
    over = np.maximum(light, np.float32(KNEE)) - np.float32(2 * KNEE - 1)
    soft = np.minimum(light, 1 - np.float32((1 - KNEE) ** 2) / over)
    return np.asarray(255 * np.sqrt(np.maximum(soft, 0)), np.float32)


def develop(light: Planes) -> Picture:
    """The picture (h, w, 3) BGR uint8 of linear light, each plane of shape (h, w)."""
    levels = [(encode(plane) + np.float32(0.5)).astype(np.uint8) for plane in light]
    return np.asarray(cv2.merge(levels), np.uint8)


def add_up(amounts: Sequence[AnyFloatArray], colours: Sequence[AnyFloatArray]) -> Planes:
    """The sum of lights of these amounts and colours, each colour of shape (3,)."""
    pairs = list(zip(amounts, colours, strict=True))
    return three(
        np.asarray(sum((amount * colour[k] for amount, colour in pairs), np.float32(0))) for k in range(3)
    )


def lamp_colour(lamp: Lamp) -> AnyFloatArray:
    """What a lamp gives in each channel at the board's centre, shape (3,)."""
    return np.asarray(lamp.power * np.asarray(lamp.colour, np.float32) / 255, np.float32)


def bulb_colours(light: Light) -> list[AnyFloatArray]:
    """What the lamps themselves look like, colours of shape (3,)."""
    return [np.asarray(lamp.colour, np.float32) / np.float32(255) for lamp in light.lamps]


def ambient_colour(light: Light) -> AnyFloatArray:
    """What comes from everywhere, shape (3,)."""
    return np.asarray(light.ambient * np.asarray(light.ambient_colour, np.float32) / 255, np.float32)


def toward(place: Vector, lamp: Lamp) -> tuple[Vector, AnyFloatArray]:
    """Unit vectors from places to a lamp, and how strong it is there against the board's centre."""
    gap = gap_to(place, (lamp.x_mm, lamp.y_mm, lamp.z_mm))
    distance = length(gap)
    # The lamp gives its power to a level surface at the centre.
    centre = lamp.x_mm**2 + lamp.y_mm**2 + lamp.z_mm**2
    level = lamp.z_mm / np.sqrt(centre)
    return multiply(gap, 1 / distance), number(centre / level) / (distance * distance)


def sources(light: Light) -> list[AnyFloatArray]:
    """What lights a thing: the ambient light first, then each lamp, colours of shape (3,)."""
    return [ambient_colour(light), *(lamp_colour(lamp) for lamp in light.lamps)]


def straight(place: Vector, normals: Vector, light: Light) -> list[AnyFloatArray]:
    """How much of each lamp's light a matt skin of these normals sends back (Lambert)."""
    found = []
    for lamp in light.lamps:
        aim, strength = toward(place, lamp)
        found.append(np.maximum(dot(normals, aim), 0) * strength)
    return found


def gap_to(place: Vector, goal: Iterable[float]) -> Vector:
    """The way from places to one goal."""
    return three(number(to) - start for to, start in zip(goal, place, strict=True))


def number(value: float) -> AnyFloatArray:
    """A single number as an array without axes."""
    return np.asarray(value, np.float32)


def vector(place: AnyFloatArray) -> Vector:
    """A single place or direction, shape (3,)."""
    return three(map(number, place))


def dot(a: Vector, b: Vector) -> AnyFloatArray:
    """The inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def length(a: Vector) -> AnyFloatArray:
    """How long vectors are."""
    return np.sqrt(dot(a, a))


def multiply(a: Vector, by: AnyFloatArray) -> Vector:
    """Vectors times numbers."""
    return three(part * by for part in a)


def reflect(towards_eye: Vector, normals: Vector) -> Vector:
    """Where the eye looks after a mirror of these normals."""
    twice = 2 * dot(towards_eye, normals)
    return three(twice * normal - eye for normal, eye in zip(normals, towards_eye, strict=True))


def glint(look: Vector, place: Vector, lamp: Lamp, roughness: float) -> AnyFloatArray:
    """How bright a lamp appears in a mirror of some roughness to an eye that looks along ``look``.

    The last two axes are those of one thing; how far it is from the lamp is taken in its middle.
    """
    gap = gap_to(place, (lamp.x_mm, lamp.y_mm, lamp.z_mm))
    distance = length(gap)
    size = lamp.radius_mm / middle(distance)
    width2 = size * size + np.float32(roughness**2)
    peak = np.minimum(
        np.float32(BRIGHTEST_MIRROR), np.float32(lamp.power * LAMP_BRIGHTNESS * UNIT_LAMP) / width2
    )
    if lamp.window:
        return np.asarray(_window(look, multiply(gap, 1 / distance), size, roughness) * peak)
    away = np.maximum(2 * (1 - dot(look, gap) / distance), 0) / width2
    # A sharp disc where the mirror is smooth, a wide soft spot where it is rough.
    edge = 2 * (size * size / width2) ** 2 + np.float32(1)
    return np.asarray(np.exp(-(away**edge)) * peak, np.float32)


def glints(
    look: Vector, place: Vector, light: Light, roughness: float, lambert: Sequence[AnyFloatArray]
) -> list[AnyFloatArray]:
    """The same for all lamps, fading where a skin turns away from one; ``lambert`` is as `straight` tells it."""
    return [
        glint(look, place, lamp, roughness) * np.minimum(1, 4 * one)
        for lamp, one in zip(light.lamps, lambert, strict=True)
    ]


def middle(values: AnyFloatArray) -> AnyFloatArray:
    """The mean over the last two axes, which stay with length 1; of fewer axes over all there are."""
    axes = tuple(range(-min(values.ndim, 2), 0))
    return np.asarray(np.mean(values, axis=axes, keepdims=True), np.float32)


def _window(look: Vector, aim: Vector, size: AnyFloatArray, roughness: float) -> AnyFloatArray:
    """The reflection of a window: a rectangle with a cross bar."""
    x, y, z = (middle(part) for part in aim)
    # Across the line to the lamp: level, and upright to both.
    wide = 1 / (np.sqrt(x * x + y * y) + np.float32(1e-6))
    level = (y * wide, -x * wide)
    upright = (level[1] * z, -level[0] * z, level[0] * y - level[1] * x)
    off = (look[0] - aim[0], look[1] - aim[1], look[2] - aim[2])
    u = (off[0] * level[0] + off[1] * level[1]) / size
    v = dot(off, upright) / (np.float32(1.4) * size)
    soft = np.maximum(np.float32(0.03), np.float32(roughness) / size)
    pane = np.clip(0.5 + 0.5 * (1 - np.abs(u)) / soft, 0, 1) * np.clip(
        0.5 + 0.5 * (1 - np.abs(v)) / soft, 0, 1
    )
    bar = 1 - np.float32(0.8) * np.exp(-((u / np.maximum(np.float32(0.06), soft)) ** 2))
    return np.asarray(np.where(soft < SMOOTH_ENOUGH, pane * bar, pane), np.float32)


def fresnel(facing: AnyFloatArray, gloss: float) -> AnyFloatArray:
    """Share of light mirrored at a slant; ``facing`` is the cosine between normal and eye."""
    slant = np.clip(1 - facing, 0, 1)
    square = slant * slant
    grazing = square * square * slant
    return np.asarray(
        np.float32(gloss * STRAIGHT_MIRROR) + np.float32(gloss * (1 - STRAIGHT_MIRROR)) * grazing, np.float32
    )
