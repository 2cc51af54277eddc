"""Makes many boards of one: other colours, lights, lenses and sensors, and calibrations that are a little off."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.arrays import FloatArray, Picture
from controller.vision import BoardGeometry, CameraModel
from controller.vision.geometry.board_grid import moved

Random = np.random.Generator

# A camera that looks down more steeply than this (sine of the tilt) does not tell its height well.
STEEP = 0.14


@dataclass(frozen=True)
class Paint:
    """A change of all colours of a scene: channel k becomes ``mix[k] @ channels``, then a power, then a gain."""

    mix: FloatArray
    power: float
    gain: FloatArray

    def over(self, image: Picture) -> Picture:
        """The picture in those colours."""
        mixed = cv2.transform(image.astype(np.float32) / 255, self.mix)
        return _bytes(np.clip(mixed, 0, 1) ** self.power * self.gain * 255)


def any_paint(random: Random) -> Paint:
    """A paint: often the true colours, else channels swapped or mixed."""
    mix = np.eye(3)
    if random.random() < 0.7:
        mix = mix[random.permutation(3)]
        blend = random.dirichlet(np.ones(3), size=3)
        mix = (1 - (share := random.uniform(0, 0.5))) * mix + share * blend
    return Paint(mix, float(np.exp(random.normal(0, 0.2))), np.exp(random.normal(0, 0.12, 3)))


def other_light(image: Picture, random: Random) -> Picture:
    """The picture a little brighter, darker, warmer or colder."""
    return _bytes(image * np.exp(random.normal(0, 0.06) + random.normal(0, 0.03, 3)))


@dataclass(frozen=True)
class Glare:
    """A lamp mirrored in the board: middle and half widths as shares of the picture's width, turn, grey levels."""

    x: float
    y: float
    broad: tuple[float, float]
    turn: float
    levels: float

    def over(self, image: Picture, random: Random) -> Picture:
        """The picture with the lamp, a little elsewhere and stronger or weaker each time."""
        height, width = image.shape[:2]
        shift = random.normal(0, 0.006, 2)
        x = np.arange(width)[None] / width - self.x - shift[0]
        y = np.arange(height)[:, None] / width - self.y - shift[1]
        along = (np.cos(self.turn) * x + np.sin(self.turn) * y) / self.broad[0]
        across = (np.cos(self.turn) * y - np.sin(self.turn) * x) / self.broad[1]
        lamp = self.levels * random.uniform(0.7, 1.2) * np.exp(-0.5 * (along**2 + across**2))
        return _bytes(image + lamp[..., None])


def any_glare(where: tuple[float, float], random: Random) -> Glare:
    """A lamp mirrored about a place, given as shares of the picture's width."""
    broad = np.exp(random.uniform(np.log(0.02), np.log(0.12), 2))
    x, y = np.asarray(where) + random.normal(0, 0.12, 2)
    sizes = (float(broad[0]), float(broad[1]))
    return Glare(float(x), float(y), sizes, random.uniform(0, np.pi), random.uniform(40, 350))


def other_sensor(random: Random) -> Callable[[Picture], Picture]:
    """What a camera does to its pictures: softness, sharpening, noise, compression."""
    soft = max(0.0, random.normal(0.2, 0.4))
    crisp = random.uniform(0, 0.8) if random.random() < 0.3 else 0.0
    noise = abs(random.normal(0, 3.0))
    quality = int(random.uniform(60, 98))
    coarse = random.random() < 0.5

    def take(image: Picture) -> Picture:
        seen = np.asarray(image, np.float32)
        if soft > 0.2:
            seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), soft), np.float32)
        if crisp:
            seen = seen + crisp * (seen - cv2.GaussianBlur(seen, (0, 0), 1.2))
        seen = seen + random.normal(0, noise + 0.1, seen.shape).astype(np.float32)
        sampling = 0x221111 if coarse else 0x111111
        options = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling]
        packed = cv2.imencode(".jpg", _bytes(seen), options)[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)

    return take


def scaled(image: Picture, share: float) -> Picture:
    """The picture with this many times the pixels along each side."""
    size = (round(image.shape[1] * share), round(image.shape[0] * share))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def scaled_camera(camera: CameraModel, share: float) -> CameraModel:
    """The camera of pictures made with :func:`scaled`."""
    return replace(
        camera,
        width=round(camera.width * share),
        height=round(camera.height * share),
        focal=camera.focal * share,
    )


def miscalibrated(
    camera: CameraModel, geometry: BoardGeometry, random: Random
) -> tuple[CameraModel, BoardGeometry]:
    """What a calibration might have made of that board: a little off its place, its height and its sizes."""
    off = pushed(camera, random, 0.8, 0.002)
    sine = np.hypot(*off.rotation_matrix[2, :2])
    if sine < STEEP:
        nearer = float(np.exp(random.normal(0, 0.2) * (1 - sine / STEEP)))
        x, y, z = off.translation
        off = replace(off, focal=off.focal * nearer, translation=(x, y, z * nearer))
    return off, replace(
        geometry,
        checker_diameter_mm=geometry.checker_diameter_mm * float(np.exp(random.normal(0.01, 0.025))),
        checker_thickness_mm=geometry.checker_thickness_mm * float(np.exp(random.normal(0, 0.08))),
        surface_height_mm=geometry.surface_height_mm + random.normal(0, 2.0),
    )


def pushed(camera: CameraModel, random: Random, spread_mm: float = 0.6, spread: float = 0.001) -> CameraModel:
    """The camera as taken for a board that lies about so far (mm, radians) from where it is thought to be."""
    x, y = random.normal(0, spread_mm, 2)
    return moved(camera, float(x), float(y), random.normal(0, spread))


def _bytes(values: NDArray[Any]) -> Picture:
    return np.asarray(np.clip(np.rint(values), 0, 255), np.uint8)
