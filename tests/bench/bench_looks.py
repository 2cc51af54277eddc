"""What a second look at a die tells: how alike its errors are to those of the first, and what both tell together.

Every die of the boards of `tests.bench.bench_eyes` is looked at as it is and in other light, noise and sharpness. The
numbers by which `controller/vision/looks.py` weighs looks are from here: BOARDS=FOLDER python -m
tests.bench.bench_looks.
"""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import hypot, inf
from pathlib import Path
from typing import Any, Final

import numpy as np

from controller.arrays import FloatArray, Picture
from controller.vision.board.board import Board
from controller.vision.dice.dice import CLOSE_LOOK
from controller.vision.dice.patches import Sight
from controller.vision.dice.spots import SpotsSeen, SpotTold, look_closely
from controller.vision.dice.views import DIE_VIEW, Spot
from controller.vision.looks import LEAST_SHARE, detail_apart, pool_spots
from controller.vision.reader import read_board
from tests.bench.bench_disturbed import DISTURBANCES
from tests.bench.bench_eyes import SAME_MM, SEEN, painted, recorded

OTHERWISE: Final = (
    "half the light",
    "30 % more light",
    "light from one side",
    "warm light",
    "bands of shadow",
    "noise of 12 levels",
    "JPEG of quality 30",
    "640 pixels wide",
)
"""What a second look may be like."""
BINS: Final = (0.0, 0.1, 0.2, 0.3, 0.45, 0.6, inf)
IN_DOUBT: Final = 4.0
"""Dice whose number both looks tell with more than this (nats) on average have no errors to compare."""
SURE: Final = 0.9


@dataclass(frozen=True, eq=False)
class TwoLooks:
    """What two looks told of one die."""

    number: int
    looks: tuple[SpotTold, SpotTold]

    @property
    def apart(self) -> float:
        """By how much what they saw differs."""
        one, other = (look.detail for look in self.looks)
        assert one is not None
        assert other is not None
        return detail_apart(one, other)

    @property
    def margins(self) -> tuple[float, float]:
        """By how much each of them tells the true number rather than the likeliest other (nats)."""
        one, other = (_margin(shares_of(look), self.number) for look in self.looks)
        return one, other


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    boards = [*painted()]
    if folder := os.environ.get("BOARDS"):
        boards += recorded(Path(folder))
    pairs = [pair for _, board, shots in boards if board is not None for pair in _pairs(board, shots)]
    return [*_errors(pairs), *_joined(pairs)]


def _pairs(board: Board, shots: list[tuple[Picture, Mapping[str, Any]]]) -> Iterator[TwoLooks]:
    for picture, truth in shots:
        dice = [die for die in truth["dice"] if die["visible"] >= SEEN]
        baseline = read_board(picture, board).baseline if dice else None
        if baseline is None:
            continue
        camera = baseline.camera.resized(board.camera.width, board.camera.height)
        told = [(die["value"], _at(die, baseline.dice_spots, board)) for die in dice]
        found = [(number, spot) for number, spot in told if spot is not None]
        plain = look_closely(CLOSE_LOOK, Sight(picture, camera, baseline.gain), [spot for _, spot in found])
        for name in OTHERWISE:
            seen = DISTURBANCES[name].shown(picture, board)
            other = look_closely(CLOSE_LOOK, Sight(seen, camera, baseline.gain), [*plain])
            for number, spot in found:
                yield TwoLooks(number, (plain[spot], other[spot]))


def _at(die: Mapping[str, Any], seen: SpotsSeen, board: Board) -> Spot | None:
    """Where a die was looked at; None if nothing was told of it."""
    place = board.camera.to_board(np.array([die["x"], die["y"]]), DIE_VIEW.height_mm)
    apart = {spot: hypot(*np.subtract(one.middle, place)) for spot, one in seen.told.items()}
    nearest = min(apart, key=lambda spot: apart[spot], default=None)
    return nearest if nearest is not None and apart[nearest] <= SAME_MM else None


def shares_of(look: SpotTold) -> FloatArray:
    """The shares of the numbers 1 to 6, none below what looks are joined with."""
    numbers = np.maximum(look.chances[1:] / max(float(look.chances[1:].sum()), 1e-9), LEAST_SHARE)
    return np.asarray(numbers / numbers.sum(), float)


def _margin(shares: FloatArray, number: int) -> float:
    logs = np.log(shares)
    return float(logs[number - 1] - np.delete(logs, number - 1).max())


def _errors(pairs: list[TwoLooks]) -> Iterator[dict[str, Any]]:
    """How alike the errors of two looks are, by how much what they saw differs."""
    both = np.array([pair.margins for pair in pairs])
    apart = np.array([pair.apart for pair in pairs])
    for low, high in pairwise(BINS):
        chosen = (apart >= low) & (apart < high) & (both.mean(axis=1) < IN_DOUBT)
        if chosen.sum() > 2:
            alike = float(np.corrcoef(both[chosen].T)[0, 1])
            name = f"errors alike, looks {low:.2f} to {high:.2f} apart ({chosen.sum()} in doubt)"
            yield _row(name, alike, "correlation", None)


def _joined(pairs: list[TwoLooks]) -> Iterator[dict[str, Any]]:
    """What both looks tell, weighed and simply averaged, beside the first alone."""
    ways = {
        "one look": [shares_of(pair.looks[0]) for pair in pairs],
        "two looks, their mean": [_mean(pair) for pair in pairs],
        "two looks, weighed": [
            shares_of(pool_spots([{look.middle: look} for look in pair.looks])[0]) for pair in pairs
        ],
    }
    for name, told in ways.items():
        right = [shares.argmax() + 1 == pair.number for shares, pair in zip(told, pairs, strict=True)]
        sure = [bool(shares.max() >= SURE) for shares in told]
        wrong = sum(stated and not so for stated, so in zip(sure, right, strict=True))
        loss = np.mean([-np.log(shares[pair.number - 1]) for shares, pair in zip(told, pairs, strict=True)])
        yield _row(f"dice right, {name}", 100 * sum(right) / len(pairs), "%", None)
        yield _row(f"dice told with 0.9, {name}", 100 * sum(sure) / len(pairs), "%", None)
        yield _row(f"of these wrong, {name}", wrong, f"of {len(pairs)}", None)
        yield _row(f"loss, {name}", float(loss), "nats", None)


def _mean(pair: TwoLooks) -> FloatArray:
    levels = np.exp(np.mean([np.log(shares_of(look)) for look in pair.looks], axis=0))
    return np.asarray(levels / levels.sum(), float)


def _row(name: str, value: float, unit: str, target: float | None) -> dict[str, Any]:
    return {"name": name, "value": round(value, 4), "unit": unit, "target": target}


if __name__ == "__main__":
    json.dump(run(), sys.stdout, indent=1)
