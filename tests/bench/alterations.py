"""Ways in which the pictures of a film may be worse, or other, than those that were taken."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import cos, sin
from typing import Any, Final

import cv2
import numpy as np

from controller.arrays import Float32Array, Picture

Alter = Callable[[Picture, int], Picture]
"""What becomes of a picture; the number is that of the picture in its film."""
Keep = Callable[[float, float], bool]
"""Whether a picture stays in its film, by its time and that of the last one that stayed, in seconds."""
SEED: Final = 1
OPPOSITE: Final = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


def _as_it_is(picture: Picture, _: int) -> Picture:
    return picture


def _toned(gamma: float) -> Alter:
    levels = (255 * np.power(np.arange(256) / 255, gamma)).astype(np.uint8)
    return lambda picture, _: np.asarray(cv2.LUT(picture, levels), np.uint8)


@cache
def _field(sigma: float) -> Float32Array:
    """Noise that is larger than any picture."""
    return np.random.default_rng(SEED).normal(0, sigma, (1200, 2100, 3)).astype(np.float32)


def _noisy(sigma: float) -> Alter:
    """Sensor noise of so many levels, another in each picture: pieces of one large field."""

    def noisy(picture: Picture, number: int) -> Picture:
        height, width = picture.shape[:2]
        down, along = np.random.default_rng(number).integers(0, (1200 - height, 2100 - width))
        noise = _field(sigma)[down : down + height, along : along + width]
        return np.asarray((picture + noise).clip(0, 255), np.uint8)

    return noisy


def _lit_by_turns(picture: Picture, number: int) -> Picture:
    """A lamp that goes a quarter up and down in some 25 s, at ten pictures a second."""
    return np.asarray((picture * (1 + 0.25 * sin(number / 40))).clip(0, 255), np.uint8)


def _shadow(picture: Picture, to: float) -> Picture:
    """Somebody between the lamp and the left of the board, up ``to`` this share of the picture: half the light."""
    along = np.arange(picture.shape[1]) / picture.shape[1]
    light = 0.5 + 0.5 / (1 + np.exp((to - along) * 40))
    return np.asarray(picture * light[None, :, None], np.uint8)


def _shadowed(picture: Picture, number: int) -> Picture:
    """Somebody who stands there for half of each minute, at ten pictures a second, and not in the first one."""
    return _shadow(picture, 0.45) if 0 < number % 600 < 300 else picture


def _crept_over(picture: Picture, number: int) -> Picture:
    """Somebody whose shadow wanders over the whole picture and back in 80 seconds."""
    return _shadow(picture, 1 - abs(1 - number % 800 / 400))


def _with_glass(picture: Picture, number: int) -> Picture:
    """A glass of tea on the board for half of every two minutes, each time elsewhere; not in the first picture."""
    time, put_down = number % 1200, number // 1200
    if not 0 < time < 600:
        return picture
    height, width = picture.shape[:2]
    along, down = np.random.default_rng(put_down).uniform((0.25, 0.2), (0.75, 0.8))
    middle, radius = (int(width * along), int(height * down)), width * 34 // 960
    shown = picture.copy()
    for share, colour in ((1.0, (200, 220, 230)), (0.94, (40, 70, 110)), (0.7, (30, 50, 80))):
        cv2.circle(shown, middle, round(share * radius), colour, -1, cv2.LINE_AA)
    return shown


def _smaller(width: int) -> Alter:
    def smaller(picture: Picture, _: int) -> Picture:
        height, whole = picture.shape[:2]
        size = width, round(height * width / whole / 2) * 2
        return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)

    return smaller


def _blurred(sigma: float) -> Alter:
    return lambda picture, _: np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)


def packed(picture: Picture, quality: int) -> Picture:
    """The picture as it comes out of a JPEG of this quality."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _packed(quality: int) -> Alter:
    return lambda picture, _: packed(picture, quality)


def _grey(picture: Picture, _: int) -> Picture:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


def _shaken(pixels: float) -> Alter:
    """A camera that trembles by so many pixels, each picture elsewhere."""

    def shaken(picture: Picture, number: int) -> Picture:
        by = np.array([[1, 0, pixels * sin(1.7 * number)], [0, 1, pixels * cos(2.3 * number)]])
        return _warped(
            picture, lambda size: cv2.warpAffine(picture, by, size, borderMode=cv2.BORDER_REPLICATE)
        )

    return shaken


def _turned(degrees: float) -> Alter:
    def turned(picture: Picture, _: int) -> Picture:
        height, width = picture.shape[:2]
        by = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 0.85)
        return _warped(
            picture, lambda size: cv2.warpAffine(picture, by, size, borderMode=cv2.BORDER_REPLICATE)
        )

    return turned


def _from_lower(picture: Picture, _: int) -> Picture:
    """As from a camera that stands lower: the far edge is shorter."""
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    there = corners + np.array([[90, 60], [-90, 60], [-5, -5], [5, -5]], np.float32) * (width / 960)
    by = cv2.getPerspectiveTransform(corners, there.astype(np.float32))
    return _warped(
        picture, lambda size: cv2.warpPerspective(picture, by, size, borderMode=cv2.BORDER_REPLICATE)
    )


def _warped(picture: Picture, warp: Callable[[tuple[int, int]], Any]) -> Picture:
    height, width = picture.shape[:2]
    return np.asarray(warp((width, height)), np.uint8)


def _both(first: Alter, second: Alter) -> Alter:
    return lambda picture, number: second(first(picture, number), number)


def _apart(seconds: float) -> Keep:
    # Times of a video are rounded to the millisecond.
    return lambda t, last: t - last > seconds - 0.005


@cache
def _gaps(apart_s: float, long_s: float) -> tuple[tuple[float, float], ...]:
    """Begin and end, in seconds, of a thousand gaps that come as it happens, so long and so far apart in the mean."""
    random = np.random.default_rng(SEED)
    apart, lengths = random.exponential(apart_s, 1000), long_s * random.uniform(0.5, 1.5, 1000)
    ends = np.cumsum(apart + lengths)
    return tuple(zip(ends - lengths, ends, strict=True))


def _with_gaps(apart_s: float, long_s: float) -> Keep:
    return lambda t, _: not any(begin <= t < end for begin, end in _gaps(apart_s, long_s))


@dataclass(frozen=True)
class Alteration:
    """What is done to a film: to its pictures, and which of them stay if not all do.

    ``mirrors`` are the axes, x and y, along which it turns the board over.
    """

    alter: Alter
    mirrors: str = ""
    keeps: Keep | None = None

    def home(self, home: str) -> str:
        """Where light's home lies in the picture then: ``bottom-right`` and the like."""
        rows, columns = home.split("-")
        turned = "y" in self.mirrors, "x" in self.mirrors
        return "-".join(
            OPPOSITE[end] if swap else end for end, swap in zip((rows, columns), turned, strict=True)
        )


ALTERATIONS: Final[Mapping[str, Alteration]] = {
    "as it is": Alteration(_as_it_is),
    "dark": Alteration(_toned(1.7)),
    "bright": Alteration(_toned(0.6)),
    "changing light": Alteration(_lit_by_turns),
    "shadow": Alteration(_shadowed),
    "creeping shadow": Alteration(_crept_over),
    "glass": Alteration(_with_glass),
    "noise": Alteration(_noisy(9)),
    "dark and noise": Alteration(_both(_toned(1.7), _noisy(9))),
    "small": Alteration(_smaller(800)),
    "small and dark": Alteration(_both(_smaller(800), _toned(1.7))),
    "blur": Alteration(_blurred(1.2)),
    "shake": Alteration(_shaken(1.5)),
    "JPEG": Alteration(_packed(60)),
    "coarse JPEG": Alteration(_packed(25)),
    "two a second": Alteration(_as_it_is, keeps=_apart(0.5)),
    "one a second": Alteration(_as_it_is, keeps=_apart(1.0)),
    "gaps": Alteration(_as_it_is, keeps=_with_gaps(apart_s=10, long_s=3)),
    "long gaps": Alteration(_as_it_is, keeps=_with_gaps(apart_s=60, long_s=15)),
    "grey": Alteration(_grey),
    "colours": Alteration(lambda picture, _: np.ascontiguousarray(picture[:, :, ::-1])),
    "turned": Alteration(_turned(12)),
    "lower": Alteration(_from_lower),
    "left and right": Alteration(lambda picture, _: np.ascontiguousarray(picture[:, ::-1]), "x"),
    "up and down": Alteration(lambda picture, _: np.ascontiguousarray(picture[::-1]), "y"),
    "half a turn": Alteration(lambda picture, _: np.ascontiguousarray(picture[::-1, ::-1]), "xy"),
}
