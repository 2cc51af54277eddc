"""Checkers that do not lie close: off the edge of their point, or apart from those before them, on painted boards.

By itself: ``python -m tests.bench.bench_gaps [--boards N]``; eight boards take half a minute.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any, Final

import numpy as np

from controller.demo.preparing import prepare
from controller.rules import Position
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.scene import Checker
from controller.vision import read_board
from controller.vision.geometry.geometry import BoardGeometry

BOARDS: Final = 8
FIRST: Final = 102
STEP: Final = 5
"""The seeds of the boards are so far apart."""
APART: Final = (0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)
"""How far (widths of a checker) there is nothing, further than checkers lie from each other anyway."""
EDGE, BETWEEN = "off the edge", "apart from those before"
SHORT: Final = (1, 1, 2, 2, 3)
"""Checkers on a point. Of seven points of a side these never are more than fifteen."""


def run(boards: int = BOARDS) -> list[dict[str, Any]]:
    """Rows of the benchmark table."""
    seen = Counter[tuple[str, float, str]]()
    for number in range(boards):
        seen.update(_look(FIRST + STEP * number))
    return [row for where, apart in product((EDGE, BETWEEN), APART) for row in _rows(seen, where, apart)]


def _rows(seen: Counter[tuple[str, float, str]], where: str, apart: float) -> Iterator[dict[str, Any]]:
    right, asked, wrong = (seen[where, apart, told] for told in ("right", "in doubt", "sure and wrong"))
    name = f"checkers {apart} of their width {where}"
    points = max(right + asked + wrong, 1)
    yield {
        "name": f"{name}: counted right, of {points} points",
        "value": right / points,
        "unit": "",
        "target": 0.95,
    }
    yield {"name": f"{name}: sure but wrong", "value": wrong, "unit": "points", "target": 0}


def _look(seed: int) -> Iterator[tuple[str, float, str]]:
    """What is told of each point of one board: where the gap is, how wide, and how well it is counted."""
    table, random, rng = prepare(seed), Random(seed), np.random.default_rng(seed)
    for apart in APART:
        position = _position(random)
        before = {
            point: random.randrange(abs(count))
            for point, count in enumerate(position.points, start=1)
            if count
        }
        scene = arrange(table.setting, position, rng)
        checkers, too_far = _push(scene.checkers, before, apart, table.board.geometry)
        reading = read_board(table.painter.paint(replace(scene, checkers=checkers), rng).picture, table.board)
        for point in before.keys() - too_far:
            is_right = reading.points[point - 1] == position.points[point - 1]
            told = "right" if is_right else "in doubt" if point in reading.unsure else "sure and wrong"
            yield BETWEEN if before[point] else EDGE, apart, told


def _position(random: Random) -> Position:
    """Short rows on seven points of each side."""
    points, lying = [0] * 24, random.sample(range(24), 14)
    for number, point in enumerate(lying):
        side = 1 if number < 7 else -1
        left = 15 - sum(side * count for count in points if side * count > 0)
        points[point] = side * (random.choice(SHORT) if left > 8 else 1)
    return Position.from_counts(points)


def _push(
    checkers: tuple[Checker, ...], before: dict[int, int], apart: float, geometry: BoardGeometry
) -> tuple[tuple[Checker, ...], set[int]]:
    """The checkers with a gap ``before`` one of each point, and the points where that leads beyond the middle."""
    width, number = geometry.checker_diameter_mm, Counter[int]()
    pushed, too_far = list[Checker](), set[int]()
    for one in checkers:
        if isinstance(one.place, int):
            if number[one.place] >= before[one.place]:
                one = replace(one, y_mm=one.y_mm - geometry.side_of(one.place) * apart * width)
            if geometry.side_of(one.place) * one.y_mm < 0.55 * width:
                too_far.add(one.place)
            number[one.place] += 1
        pushed.append(one)
    return tuple(pushed), too_far


def main() -> None:
    """Print the rows as JSON on standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=BOARDS)
    json.dump(run(parser.parse_args().boards), sys.stdout, indent=1)


if __name__ == "__main__":
    main()
