"""How pictures are read that something is wrong with: 32 disturbances of light, camera and place.

Pictures without a hand of the boards of `tests.bench.bench_eyes`, three of each. Light, noise, blur and small pushes
may cost points, but none that is wrong may be sure. A board that was moved by a point or more, turned or exchanged,
and a camera that was tilted, are to be named. What moves is done to the picture as if all lay on the surface.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from controller.arrays import Picture
from controller.vision.board.board import Board
from controller.vision.geometry.board_grid import moved
from controller.vision.geometry.camera import CameraModel
from controller.vision.reader import read_board
from controller.vision.reading import Fault, Reading
from tests.bench.alterations import packed
from tests.bench.bench_eyes import painted, recorded
from tests.vision.boards import seen_from, tilted

Pixels = npt.NDArray[np.float64]
"""A picture (h, w, 3), BGR, 0..255."""
PICTURES: Final = 3
"""Of each board."""
SEED: Final = 1
Case = tuple[str, Board, Picture, tuple[int, ...]]
"""A board's name, the board, a picture of it, and what truly lies there."""


@dataclass(frozen=True)
class Disturbance:
    """Something that is done to a picture: to its pixels, or to where the camera stands.

    `named` is the fault that a reading is to tell, None where it is to be read; `may_refuse` where it may do either.
    """

    pixels: Callable[[Pixels], Pixels] | None = None
    camera: Callable[[CameraModel], CameraModel] | None = None
    named: Fault | None = None
    may_refuse: bool = False

    def shown(self, picture: Picture, board: Board) -> Picture:
        """The picture with it."""
        if self.camera is not None:
            return seen_from(picture, board.camera, self.camera(board.camera))
        if self.pixels is None:
            return picture
        return np.asarray(self.pixels(picture.astype(np.float64)).clip(0, 255), np.uint8)


def _ramp(left: float, right: float) -> Callable[[Pixels], Pixels]:
    return lambda pixels: pixels * np.linspace(left, right, pixels.shape[1])[None, :, None]


def _bands(pixels: Pixels) -> Pixels:
    """Shadows of a blind, each an eleventh of the picture wide."""
    columns = np.arange(pixels.shape[1])
    shade = np.where(11 * columns // pixels.shape[1] % 2, 0.7, 1.0)
    return pixels * cv2.blur(shade[None], (15, 1))[0][None, :, None]


def _glare(pixels: Pixels) -> Pixels:
    """A lamp that mirrors in the middle of the board's left half."""
    rows, columns = np.mgrid[: pixels.shape[0], : pixels.shape[1]]
    across = (columns / pixels.shape[1] - 0.35) / 0.06
    down = (rows / pixels.shape[0] - 0.45) / 0.09
    return np.asarray(pixels + 170 * np.exp(-(across**2) - down**2)[..., None])


def _noise(level: float) -> Callable[[Pixels], Pixels]:
    return lambda pixels: pixels + np.random.default_rng(SEED).normal(0, level, pixels.shape)


def _jpeg(quality: int) -> Callable[[Pixels], Pixels]:
    return lambda pixels: packed(pixels.astype(np.uint8), quality).astype(np.float64)


def _narrow(width: int) -> Callable[[Pixels], Pixels]:
    """No more to be seen than in a picture so many pixels wide."""

    def taken(pixels: Pixels) -> Pixels:
        height, whole = pixels.shape[:2]
        small = cv2.resize(pixels, (width, round(height * width / whole)), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.resize(small, (whole, height), interpolation=cv2.INTER_CUBIC), np.float64)

    return taken


def _dead_columns(pixels: Pixels) -> Pixels:
    """A sensor of which every hundredth column is black, and another white."""
    spoilt = pixels.copy()
    spoilt[:, 30::100], spoilt[:, 80::100] = 0, 255
    return spoilt


def _pushed(x_mm: float, y_mm: float, turn: float = 0.0) -> Callable[[CameraModel], CameraModel]:
    return lambda camera: moved(camera, x_mm, y_mm, turn)


def _tilted(degrees: float, nearer: float) -> Callable[[CameraModel], CameraModel]:
    return lambda camera: tilted(camera, degrees, nearer)


def _blurred(sigma: float) -> Callable[[Pixels], Pixels]:
    return lambda pixels: np.asarray(cv2.GaussianBlur(pixels, (0, 0), sigma), np.float64)


DISTURBANCES: Final[Mapping[str, Disturbance]] = {
    "none": Disturbance(),
    "half the light": Disturbance(lambda pixels: pixels * 0.5),
    "a quarter of the light": Disturbance(lambda pixels: pixels * 0.25),
    "30 % more light": Disturbance(lambda pixels: pixels * 1.3, may_refuse=True),
    "60 % more light": Disturbance(lambda pixels: pixels * 1.6, may_refuse=True),
    "light from one side": Disturbance(_ramp(1.15, 0.6)),
    "cold light from one side": Disturbance(lambda pixels: _ramp(0.6, 1.1)(pixels) * (1.15, 1.0, 0.8)),
    "warm light": Disturbance(lambda pixels: pixels * np.array([0.75, 1.0, 1.15])),
    "bands of shadow": Disturbance(_bands),
    "a lamp that mirrors": Disturbance(_glare),
    "noise of 12 levels": Disturbance(_noise(12)),
    "noise of 30 levels": Disturbance(_noise(30)),
    "blurred by 3 pixels": Disturbance(_blurred(3.0), may_refuse=True),
    "smeared by 9 pixels": Disturbance(lambda pixels: np.asarray(cv2.blur(pixels, (9, 1)), np.float64)),
    "JPEG of quality 30": Disturbance(_jpeg(30)),
    "JPEG of quality 10": Disturbance(_jpeg(10)),
    "640 pixels wide": Disturbance(_narrow(640)),
    "400 pixels wide": Disturbance(_narrow(400), may_refuse=True),
    "dead columns": Disturbance(_dead_columns),
    "pushed by 11 mm": Disturbance(camera=_pushed(10, 5, 0.01)),
    "pushed by 30 mm": Disturbance(camera=_pushed(-22, 20, -0.01)),
    "moved by 44 mm": Disturbance(camera=_pushed(44, 5), named="moved"),
    "moved by 62 mm towards a player": Disturbance(camera=_pushed(2, 62), named="moved"),
    "moved by 71 mm and turned": Disturbance(camera=_pushed(-50, -50, 0.03), named="moved"),
    "moved by 88 mm, two points": Disturbance(camera=_pushed(88, 0), named="moved"),
    "moved by 102 mm and turned": Disturbance(camera=_pushed(100, -20, -0.05), named="moved"),
    "moved by 149 mm": Disturbance(camera=_pushed(-140, 50, 0.02), named="moved"),
    "turned by half a turn": Disturbance(camera=_pushed(0, 0, np.pi), named="turned"),
    "turned by half a turn and pushed": Disturbance(camera=_pushed(12, -9, np.pi + 0.02), named="turned"),
    "camera tilted by 1.5 degrees": Disturbance(camera=_tilted(1.5, 0.03), named="tilted"),
    "camera tilted by 3 degrees": Disturbance(camera=_tilted(3.0, 0.03), named="tilted"),
    "camera tilted by 5 degrees": Disturbance(camera=_tilted(-5.0, -0.04), named="tilted"),
}


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    cv2.setNumThreads(1)
    rows = list(_rows("painted", list(_cases(painted()))))
    for folder in filter(None, os.environ.get("BOARDS", "").split(os.pathsep)):
        rows += _rows(Path(folder).name, list(_cases(recorded(Path(folder)))))
    return rows


def _cases(boards: Iterator[Any]) -> Iterator[Case]:
    for name, board, shots in boards:
        clear = [shot for shot in shots if not shot[1]["hand"] and not shot[1].get("cup_on_board")]
        if board is not None:
            for picture, truth in clear[:PICTURES]:
                yield name, board, picture, tuple(truth["points"])


def _rows(what: str, cases: list[Case]) -> Iterator[dict[str, Any]]:
    for name, disturbance in DISTURBANCES.items():
        count = Counter[str]()
        for _, board, picture, points in cases:
            count += _count(read_board(disturbance.shown(picture, board), board), points, disturbance)
        yield from _told(f"{what}, {name}", count, disturbance)
    others = Counter[str]()
    for number, (name, board, _, points) in enumerate(cases):
        other = next((one for one in cases[number:] + cases[:number] if one[0] != name), None)
        if other is not None and other[2].shape[:2] == (board.camera.height, board.camera.width):
            others += _count(read_board(other[2], board), points, Disturbance(named="other_board"))
    yield from _told(f"{what}, another board", others, Disturbance(named="other_board"))


def _count(reading: Reading, points: tuple[int, ...], disturbance: Disturbance) -> Counter[str]:
    count = Counter(pictures=1, hands=int(reading.hand), named=int(reading.fault == disturbance.named))
    if reading.fault is not None:
        return count + Counter(refused=1)
    wrong = {point for point in range(1, 25) if reading.points[point - 1] != points[point - 1]}
    return count + Counter(points=24, wrong=len(wrong), sure_wrong=len(wrong - reading.unsure))


def _told(name: str, count: Counter[str], disturbance: Disturbance) -> Iterator[dict[str, Any]]:
    pictures = count["pictures"]
    if disturbance.named is None:
        right = 100 * (count["points"] - count["wrong"]) / max(count["points"], 1)
        refused = None if disturbance.may_refuse else 0
        yield {"name": f"{name}: points right", "value": right, "unit": "%", "target": 98}
        yield {
            "name": f"{name}: refused",
            "value": count["refused"],
            "unit": f"of {pictures}",
            "target": refused,
        }
    else:
        named = 100 * count["named"] / max(pictures, 1)
        yield {"name": f"{name}: named", "value": named, "unit": "%", "target": 95}
    for key, words in (("sure_wrong", "wrong and not marked unsure"), ("hands", "hands imagined")):
        yield {
            "name": f"{name}: {words}",
            "value": count[key],
            "unit": f"of {pictures} pictures",
            "target": 0,
        }


if __name__ == "__main__":
    json.dump(run(), sys.stdout, indent=1)
