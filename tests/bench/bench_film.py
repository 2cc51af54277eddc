"""How well and how fast the filmed game is seen and judged.

Plies are compared by their number: where dice are read from pictures, one missed roll shifts all later plies.
"""

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.calibrate import View, calibrate
from controller.devices.film import open_film
from controller.devices.rollfile import load_rolls
from controller.record.folder import EVENTS
from controller.replay import replay
from controller.rules.position import START, Position
from controller.vision.board import Board
from controller.vision.reader import read_board

GAME = Path(__file__).parent.parent / "data" / "game"


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    cv2.setNumThreads(1)
    first, second = (_view(f"{number:05d}.jpg") for number in (0, 1))
    board = calibrate([first, second]).board
    return [*_reading(board), *_judging(board, dice=True), *_judging(board, dice=False)]


def _view(name: str) -> View:
    return View(name, np.asarray(cv2.imread(str(GAME / "frames" / name)), np.uint8), START.points)


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GAME / name).read_text().splitlines()]


def _reading(board: Board) -> Iterator[dict[str, Any]]:
    points = right = sure_wrong = pictures = exact = pairs = pairs_right = 0
    spent: list[float] = []
    for truth in _lines("truth.jsonl"):
        if truth["hand"]:
            continue
        picture = _view(Path(truth["file"]).name).picture
        began = time.perf_counter()
        seen = read_board(picture, board)
        spent.append((time.perf_counter() - began) * 1000)
        wrong = {p for p in range(1, 25) if seen.points[p - 1] != truth["points"][p - 1]}
        points, right = points + 24, right + 24 - len(wrong)
        sure_wrong += len(wrong - seen.unsure)
        pictures, exact = pictures + 1, exact + (not wrong)
        if len(truth["dice"]) == 2:
            pairs += 1
            pairs_right += sorted(die.value for die in seen.dice) == sorted(truth["dice"])
    yield _row("points read right, no hand", 100 * right / points, "%", 99.8)
    yield _row("points wrong and not marked unsure", sure_wrong, f"of {points}", points // 2000)
    yield _row("boards read exactly", 100 * exact / pictures, "%", 97)
    yield _row("pairs of dice read right", 100 * pairs_right / pairs, "%", 97)
    yield _row("one picture of 960x540, median", statistics.median(spent), "ms", 60)


def _judging(board: Board, dice: bool) -> Iterator[dict[str, Any]]:
    rolls = load_rolls(GAME / "dice.jsonl") if dice else None
    how = "dice file" if dice else "dice from pictures"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        for _ in replay(open_film(GAME / "frames"), rolls, board, out, lambda: "1970-01-01T00:00:00Z"):
            pass
        told = [json.loads(line) for line in (out / EVENTS).read_text().splitlines()]
    by_ply: dict[int, list[dict[str, Any]]] = {}
    for line in told:
        if "move" in line:
            by_ply.setdefault(line["ply"], []).append(line)
    plies = right = accused = illegal = noticed = 0
    for truth in _lines("events.jsonl"):
        lines = by_ply.get(truth["ply"], [])
        after = truth["after"]
        end = Position.of(after["points"], after["bar"]["light"], after["bar"]["dark"]).compact()
        plies += 1
        right += bool(lines) and lines[-1]["position"] == end
        called = any(not line["legal"] for line in lines)
        accused += truth["legal"] and called
        illegal += not truth["legal"]
        noticed += not truth["legal"] and called
    yield _row(f"plies concluded right, {how}", 100 * right / plies, "%", 99 if dice else 97)
    yield _row(f"legal plays called illegal, {how}", accused, f"of {plies - illegal}", 0)
    yield _row(f"illegal plays noticed, {how}", noticed, f"of {illegal}", illegal)


def _row(name: str, value: float, unit: str, target: float) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "target": target}


if __name__ == "__main__":
    json.dump(run(), sys.stdout, indent=1)
