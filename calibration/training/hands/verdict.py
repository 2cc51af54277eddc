"""How much must seem hidden, and how surely, to be a hand: ``python -m calibration.training.hands.verdict``.

It prints, for some values of `LEAST_SURELY_MM2` and `ARM_MM2` of `controller.vision.hands.occlusion`, the hands that
are missed and those that are imagined on the boards whose pictures ship with the project, in lights in which shadows
and reflections look like hands.
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
from controller.vision.board.drift import burn_out, settle
from controller.vision.geometry.board_grid import surface_grid
from controller.vision.hands.occlusion import ARM_MM2, LEAST_SURELY_MM2, hidden_cells, is_hand
from controller.vision.hands.overview import look_over

TRIED: Final = ((400.0, 700.0, 1000.0, 1400.0), (1500.0, 2500.0, 4000.0))
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
    settled = settle(image, board, grid, board.appearance.bare_surface(board.geometry))
    look = burn_out(board.appearance, 1 / np.array(settled.drift.light))
    seen = Board(board.camera, board.geometry, look)
    return hidden_cells(look_over(settled.lit, settled.camera), settled.camera, seen)


def outcome(known: Iterable[HandCase], least_surely_mm2: float, arm_mm2: float) -> tuple[int, int]:
    """With these two numbers: how many hands are missed, and how many imagined."""
    missed = imagined = 0
    for case in known:
        told = is_hand(case.hidden, case.geometry, least_surely_mm2, arm_mm2)
        missed, imagined = missed + (case.hand and not told), imagined + (told and not case.hand)
    return missed, imagined


if __name__ == "__main__":
    everything = list(cases())
    lines = [f"{len(everything)} pictures, {sum(case.hand for case in everything)} with a hand"]
    for numbers in product(*TRIED):
        missed, imagined = outcome(everything, *numbers)
        chosen = ", as it is" if numbers == (LEAST_SURELY_MM2, ARM_MM2) else ""
        told = f"{missed} missed, {imagined} imagined{chosen}"
        lines.append(f"{numbers[0]:g} mm2 surely or {numbers[1]:g} beside: {told}")
    print("\n".join(lines))  # noqa: T201
