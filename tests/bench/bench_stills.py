"""What stills of dice are worth: rolls in pictures made small as a camera far away has them, without and with
all pixels, on painted boards that nothing was learned from.

`BOARDS=folder` also measures boards in folders as `tests.bench.bench_eyes` describes them. A picture is taken three
times with the noise of a sensor, as of a scene at rest. A roll is told where two dice of one owner are told with 90 %
or more, and misread where one of them is told so and another number lies there; what is neither is asked about.
"""

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from controller.app.closer.closer import SMALL_PX
from controller.app.closer.fit import fit_still
from controller.arrays import Picture
from controller.vision.board.board import Board
from controller.vision.dice.dice_size import dice_size
from controller.vision.reader import read_board
from controller.vision.reading import DieSeen, Reading
from controller.vision.watch import Watch, look_closer, watch_of, watch_picture
from tests.bench.bench_eyes import SEED, SEEN, painted, recorded

BOARDS, PICTURES = 4, 6
SIZE: Final = (1920, 1080)
SHARES: Final = (0.42, 0.3)
"""The usual pictures have so many pixels along each side for one of the stills."""
NOISE: Final = 2.0
TOLD: Final = 0.9
FPS: Final = 5.0


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    cv2.setNumThreads(1)
    rows = list(_rows("painted", painted(BOARDS, PICTURES, SIZE, SEED + 500)))
    for folder in filter(None, os.environ.get("BOARDS", "").split(os.pathsep)):
        rows += _rows(Path(folder).name, recorded(Path(folder)))
    return rows


def _rows(what: str, boards: Iterator[Any]) -> Iterator[dict[str, Any]]:
    counts = {share: Counter[str]() for share in SHARES}
    spent: list[float] = []
    for name, board, shots in boards:
        print(f"  {name}", file=sys.stderr, flush=True)
        for picture, truth in shots if board is not None else []:
            for share in SHARES:
                counts[share].update(_told(board, picture, truth, share, spent))
    for share, count in counts.items():
        many = f"of {count['rolls']}"
        for told in ("told", "misread"):
            for how in ("usual", "still"):
                yield _row(
                    f"rolls {told}, {what}, pictures {share:.2f} as wide, {how}", count[f"{how} {told}"], many
                )
    if spent:
        yield _row(f"look at the dice of a still, {what}", 1000 * float(np.median(spent)), "ms")


def _told(
    board: Board, picture: Picture, truth: Mapping[str, Any], share: float, spent: list[float]
) -> Counter[str]:
    """What was told of the rolls in one picture, in usual pictures and with the still."""
    size = round(share * picture.shape[1]), round(share * picture.shape[0])
    there = replace(board, camera=board.camera.resized(*size))
    watch, usual, shown = _looked(there, np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA)))
    began = time.process_time()
    fitted = fit_still(picture, shown)
    assert fitted is not None
    _, still = look_closer(
        watch, shown, read_board, fitted.picture, beside=dice_size(there).pixels >= SMALL_PX
    )
    spent.append(time.process_time() - began)
    found = Counter[str]()
    for roll in _rolls(truth, share):
        found["rolls"] += 1
        for how, reading in (("usual", usual), ("still", still)):
            found[f"{how} {_as_told(roll, reading)}"] += 1
    return found


def _looked(board: Board, small: Picture) -> tuple[Watch, Reading | None, Picture]:
    """Three looks at a scene at rest after the start position: as at a table, each goes on from that."""
    rng, watch, reading = np.random.default_rng(1), watch_of(board), None
    shown = small
    for number in range(3):
        shown = np.asarray(np.clip(small + rng.normal(0, NOISE, small.shape), 0, 255), np.uint8)
        watch, reading = watch_picture(watch, shown, number / FPS, read_board)
    return watch, reading, shown


def _rolls(truth: Mapping[str, Any], share: float) -> Iterator[list[tuple[int, float, float]]]:
    """The dice of each owner as value and place in the small picture, where there are two that can be seen."""
    for owner in {die.get("owner") for die in truth["dice"]}:
        dice = [die for die in truth["dice"] if die.get("owner") == owner]
        if len(dice) == 2 and all(die["value"] and die["visible"] >= SEEN for die in dice):
            yield [(die["value"], share * die["x"], share * die["y"]) for die in dice]


def _as_told(roll: Sequence[tuple[int, float, float]], reading: Reading | None) -> str:
    seen = [] if reading is None else [_nearest(place, reading.dice) for place in roll]
    values = [None if die is None or die.confidence < TOLD else die.value for die in seen]
    if any(told not in (None, die[0]) for told, die in zip(values, roll, strict=False)):
        return "misread"
    return "told" if values and None not in values else "asked"


def _nearest(place: tuple[int, float, float], dice: Sequence[DieSeen]) -> DieSeen | None:
    """The die that is seen there, no further away than it is wide."""
    near = [(float(np.hypot(die.x - place[1], die.y - place[2])), die) for die in dice]
    distance, die = min(near, key=lambda one: one[0], default=(float("inf"), None))
    return die if distance <= 12 else None


def _row(name: str, value: float, unit: str) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "target": None}


if __name__ == "__main__":
    json.dump(run(), sys.stdout, indent=1)
