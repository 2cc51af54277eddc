"""What reading costs, in full and of what changed, and what that means for a Raspberry Pi.

Instructions are counted where `perf stat -e instructions:u` works, else processor time is told beside a loop of fixed
work, so that machines can be compared. The figures for a Raspberry Pi are estimates: times measured here, multiplied.
"""

import json
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from controller.app.eyes import Eyes
from controller.arrays import Picture
from controller.devices.film import FilmFrame
from controller.referee.events import FrameSeen
from controller.rules.position import START
from controller.vision.baseline import Baseline
from controller.vision.board.board import Board
from controller.vision.fitted.network import choose_runner
from controller.vision.fitted.runner import NetworkRunner
from controller.vision.hands.occlusion import find_occlusion
from controller.vision.reader import read_board
from controller.vision.reading import Reading
from controller.vision.watch import MOST_LOOKS, watch_of, watch_picture
from tests.bench.films import SHIPPED, FilmFolder, lines_of
from tests.referee.staging import Film
from tests.striped import BOARD, picture_of
from tests.vision.boards import learned, picture

Work = Callable[[], object]

PLAYS = 6
"""So many plays of the shipped game are read."""
TIMES = 4
SLOWER = {"Pi 5": (2.2, 2.2), "Pi 4": (4.0, 6.0)}
"""How many times slower than a core of this kind: estimates, not measured on any Raspberry Pi."""
FPS = 15.0
READINGS = 2
"""So many readings of a board at rest precede an accusation."""


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    cv2.setNumThreads(1)
    spent = {name: 1000 * _spent(works()) for name, works in WORKS.items()}
    loop = 1000 * _spent([_loop])
    rows = [_row(f"{name}, CPU", ms, "ms") for name, ms in spent.items()]
    rows += [_row(f"{name}, beside a loop of fixed work", ms / loop, "loops") for name, ms in spent.items()]
    rows.append(
        _row("a play of two to four points against a full reading", spent[PLAY] / spent[FULL], "", 0.35)
    )
    rows += list(_other_runner(spent))
    rows += list(_counted())
    for machine, factors in SLOWER.items():
        for factor in sorted(set(factors)):
            how = f"estimate for a {machine} ({factor:g} times slower)"
            rows.append(_row(f"reading a play, {how}", factor * spent[PLAY], "ms"))
            rows.append(_row(f"a full reading, {how}", factor * spent[FULL], "ms"))
            rows.append(_row(f"hand gone to accusation, {how}", _wait_s(factor * spent[PLAY] / 1000), "s"))
    return rows


def _other_runner(spent: dict[str, float]) -> Iterator[dict[str, Any]]:
    """The processor time of each work with ONNX Runtime, as a share of that with OpenCV."""
    choose_runner(NetworkRunner.ONNXRUNTIME)
    try:
        for name, works in WORKS.items():
            share = 1000 * _spent(works()) / spent[name]
            yield _row(f"{name}, with ONNX Runtime against OpenCV", share, "")
    finally:
        choose_runner(NetworkRunner.OPENCV)


def _counted() -> Iterator[dict[str, Any]]:
    """The instructions of each work, where they can be counted."""
    if _instructions([sys.executable, "-c", ""]) is None:
        return
    for name, works in WORKS.items():
        module = [sys.executable, "-m", "tests.bench.bench_reading", name]
        few, many = (_instructions([*module, str(times)]) or 0.0 for times in (TIMES, 2 * TIMES))
        yield _row(f"{name}, instructions", (many - few) / TIMES / len(works()) / 1e6, "million")


def _instructions(command: list[str]) -> float | None:
    """What `perf` counts while a command runs; None where it cannot count."""
    perf = shutil.which("perf")
    if perf is None:
        return None
    counting = [perf, "stat", "-x", ",", "-e", "instructions:u", *command]
    told = subprocess.run(counting, capture_output=True, text=True, check=False)
    for line in told.stderr.splitlines():
        count, *rest = line.split(",")
        if "instructions:u" in rest and count.isdigit():
            return float(count)
    return None


def _spent(works: list[Work]) -> float:
    """Processor seconds for one of these works, the median of several times."""
    found = []
    for _ in range(1 + TIMES):
        began = time.process_time()
        for work in works:
            work()
        found.append((time.process_time() - began) / len(works))
    return statistics.median(found[1:])


def _loop() -> None:
    """A loop of fixed work of the kind that reading does."""
    picture = np.random.default_rng(1).random((480, 640), np.float32)
    for _ in range(20):
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.float32)


@cache
def _board() -> Board:
    return FilmFolder.of(SHIPPED).board


@cache
def _plays() -> tuple[tuple[Picture, Picture], ...]:
    """Pictures at rest before and after plays that change two to four points, while dice and hands are away."""
    resting = [
        truth
        for truth in lines_of(SHIPPED / "truth.jsonl")
        if not truth["hand"] and truth["phase"] in ("settled", "dice")
    ]
    found = []
    for before, after in pairwise(resting):
        changed = sum(one != other for one, other in zip(before["points"], after["points"], strict=True))
        if 2 <= changed <= 4 and after["phase"] == "settled":
            found.append((_picture(before), _picture(after)))
    return tuple(found[:PLAYS])


def _picture(truth: Any) -> Picture:
    return np.asarray(cv2.imread(str(SHIPPED / "frames" / Path(truth["file"]).name)), np.uint8)


def _full() -> list[Work]:
    return [partial(read_board, after, _board()) for _, after in _plays()]


def _full_large() -> list[Work]:
    shown = [f"board{board}_{number:03}" for board, number in ((1, 2), (1, 3), (1, 10), (3, 2))]
    return [partial(read_board, picture(name), learned(name.split("_")[0])) for name in shown]


def _play() -> list[Work]:
    return [
        partial(read_board, after, _board(), read_board(before, _board()).baseline)
        for before, after in _plays()
    ]


def _unchanged() -> list[Work]:
    picture, watch = _plays()[0][0], watch_of(_board())
    for number in range(MOST_LOOKS):
        watch, _ = watch_picture(watch, picture, 0.2 * number, read_board)
    return [partial(watch_picture, watch, picture, 0.2 * MOST_LOOKS, read_board)]


def _hand() -> list[Work]:
    return [partial(find_occlusion, after, _board().camera, _board()) for _, after in _plays()]


FULL, PLAY = "a full reading", "reading a play of two to four points"
WORKS: dict[str, Callable[[], list[Work]]] = {
    FULL: _full,
    f"{FULL} of 1280x720": _full_large,
    PLAY: _play,
    "a picture in which nothing changed": _unchanged,
    "a look for hands": _hand,
}


def _wait_s(reading_s: float) -> float:
    """From the first picture without the hand to the reading that an accusation needs, each taking so long."""
    now, reading = 0.0, Film(Random(1)).read(START)

    def read(_: Picture, __: Board, ___: Baseline | None = None) -> Reading:
        nonlocal now
        now += reading_s
        return reading

    eyes, seen = Eyes(BOARD, read, lambda: now), 0
    begun = None
    for number in range(600):
        now = max(now, number / FPS)
        scene = 5 if number < 3 else 6 + number if number < 12 else 40
        if begun is None and scene == 40:
            begun = now
        news = [one for one, _ in eyes.read_frame(FilmFrame(number, str(number), now, picture_of(scene)))]
        seen += begun is not None and any(isinstance(one, FrameSeen) for one in news)
        if begun is not None and seen == READINGS:
            return now - begun
    raise AssertionError("the board was never read")


def _row(name: str, value: float, unit: str, target: float | None = None) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "target": target}


if __name__ == "__main__":
    cv2.setNumThreads(1)
    if len(sys.argv) == 3:
        chosen = WORKS[sys.argv[1]]()
        for work in chosen * int(sys.argv[2]):
            work()
    else:
        json.dump(run(), sys.stdout, indent=1)
