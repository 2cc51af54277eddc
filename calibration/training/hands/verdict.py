"""How much must seem hidden, and how surely, to be a hand: ``python -m calibration.training.hands.verdict``.

It prints, for some values of `SURELY` and `LEAST_SURELY_MM2` of `controller.vision.occlusion`, the hands that are
missed and those that are imagined on the boards whose pictures ship with the project, in lights in which shadows and
reflections look like hands.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

import cv2
import numpy as np

from calibration.training.boards import known_boards
from controller.arrays import AnyFloatArray, Float32Array, Picture
from controller.vision import Board, BoardGeometry, learn_appearance
from controller.vision.board_grid import ground_grid, surface_grid
from controller.vision.drift import burn_out, settle
from controller.vision.occlusion import (
    CELL,
    LEAST_AREA_MM2,
    LEAST_OVER_MM2,
    LEAST_SURELY_MM2,
    LIKELY,
    RIM_WORTH,
    SURELY,
    hidden_cells,
    rim_share,
    surface_share,
)
from controller.vision.overview import STEP_MM, look_over

TRIED: Final = ((0.6, 0.7, 0.8), (400.0, 700.0, 1000.0, 1200.0, 1400.0))
SEED: Final = 3


@dataclass(frozen=True, eq=False)
class HandCase:
    """One picture: what share of each cell seems hidden, on which board, and whether a hand is there."""

    hidden: Float32Array
    geometry: BoardGeometry
    hand: bool


def _bands(pixels: AnyFloatArray) -> AnyFloatArray:
    shade = np.where(11 * np.arange(pixels.shape[1]) // pixels.shape[1] % 2, 0.7, 1.0)
    return np.asarray(pixels * cv2.blur(shade[None], (15, 1))[0][None, :, None], float)


def _lamp(pixels: AnyFloatArray) -> AnyFloatArray:
    rows, columns = np.mgrid[: pixels.shape[0], : pixels.shape[1]]
    across, down = columns / pixels.shape[1] - 0.35, rows / pixels.shape[0] - 0.45
    return np.asarray(pixels + 170 * np.exp(-((across / 0.06) ** 2) - (down / 0.09) ** 2)[..., None], float)


def _noise(pixels: AnyFloatArray) -> AnyFloatArray:
    return np.asarray(pixels + np.random.default_rng(SEED).normal(0, 30, pixels.shape), float)


LIGHTS: Final[Mapping[str, Callable[[AnyFloatArray], AnyFloatArray]]] = {
    "as taken": lambda pixels: pixels,
    "half the light": lambda pixels: pixels * 0.5,
    "60 % more light": lambda pixels: pixels * 1.6,
    "bands of shadow": _bands,
    "a lamp that mirrors": _lamp,
    "noise": _noise,
    "blurred": lambda pixels: np.asarray(cv2.GaussianBlur(pixels, (0, 0), 3.0), float),
}


def cases() -> Iterator[HandCase]:
    """Every picture that ships, in every light."""
    for known in known_boards():
        images = [start.image for start in known.starts]
        look = learn_appearance(images, known.camera, known.geometry, known.starts[0].points)
        board = Board(known.camera, known.geometry, look)
        for shot in (*known.starts, *known.shots):
            for light in LIGHTS.values():
                pixels = light(shot.image.astype(np.float64)).clip(0, 255)
                yield HandCase(
                    _hidden(pixels.astype(np.uint8), board), board.geometry, bool(shot.truth["hand"])
                )


def _hidden(image: Picture, board: Board) -> Float32Array:
    grid = surface_grid(board.geometry)
    settled = settle(image, board, grid, grid.crop(board.appearance.bare, ground_grid(board.geometry)))
    look = burn_out(board.appearance, 1 / np.array(settled.drift.light))
    seen = Board(board.camera, board.geometry, look)
    return hidden_cells(look_over(settled.lit, settled.camera), settled.camera, seen)


def outcome(known: Iterable[HandCase], surely: float, least_mm2: float) -> tuple[int, int]:
    """With these two numbers: how many hands are missed, and how many imagined."""
    missed = imagined = 0
    for case in known:
        told = _areas(case, LIKELY) >= LEAST_AREA_MM2 and _areas(case, surely) >= least_mm2
        told = told and _areas(case, LIKELY, rim=0.0) >= LEAST_OVER_MM2
        missed, imagined = missed + (case.hand and not told), imagined + (told and not case.hand)
    return missed, imagined


def _areas(case: HandCase, least: float, rim: float = RIM_WORTH) -> float:
    worth = surface_share(case.geometry) + rim * rim_share(case.geometry)
    return float((np.where(case.hidden > least, case.hidden, 0) * worth).sum()) * (CELL * STEP_MM) ** 2


if __name__ == "__main__":
    everything = list(cases())
    print(f"{len(everything)} pictures, {sum(case.hand for case in everything)} with a hand")  # noqa: T201
    for numbers in product(*TRIED):
        missed, imagined = outcome(everything, *numbers)
        chosen = ", as it is" if numbers == (SURELY, LEAST_SURELY_MM2) else ""
        print(f"{numbers[0]:g}, {numbers[1]:g} mm2: {missed} missed, {imagined} imagined{chosen}")  # noqa: T201
