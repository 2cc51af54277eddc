"""Pictures of the filmed game: checkers, dice and hands together."""

import json
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.calibrate import CalibrationPicture, calibrate
from controller.vision.board.board import Board
from controller.vision.reader import read_board
from controller.vision.reading import Reading
from tests.calibration.pictures import GAME, START, known_corners
from tests.rows import each_row

TRUTH: list[dict[str, Any]] = [json.loads(line) for line in (GAME / "truth.jsonl").read_text().splitlines()]


@cache
def board() -> Board:
    first, second = (CalibrationPicture(f"{n:05d}.jpg", shot(n), START) for n in (0, 1))
    return calibrate([first, second], corners=known_corners("game")).board


def shot(number: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.asarray(cv2.imread(str(GAME / "frames" / f"{number:05d}.jpg")), np.uint8)


@cache
def reading(number: int) -> Reading:
    return read_board(shot(number), board())


RESTING = [n for n, truth in enumerate(TRUTH) if not truth["hand"] and truth["phase"] in {"settled", "dice"}]
READ = RESTING[::5]
"""The same for every test: a picture is read once."""


@each_row("number", READ[::2])
def test_a_resting_board_is_read_rightly_wherever_the_reader_is_sure(number: int) -> None:
    seen, truth = reading(number), TRUTH[number]
    wrong = [p for p in range(1, 25) if seen.points[p - 1] != truth["points"][p - 1]]
    assert set(wrong) <= seen.unsure
    assert len(wrong) <= 2


def test_most_throws_are_read_and_dice_lie_within_the_picture() -> None:
    thrown = [number for number in READ if TRUTH[number]["dice"]]
    seen = [reading(number).dice for number in thrown]
    right = [
        sorted(die.value for die in dice) == sorted(TRUTH[number]["dice"])
        for number, dice in zip(thrown, seen, strict=True)
    ]
    assert sum(right) >= 0.7 * len(thrown)
    assert all(0 < die.x < 960 and 0 < die.y < 540 for dice in seen for die in dice)


@pytest.mark.parametrize("number", [0, 1])
def test_where_no_dice_lie_none_are_seen(number: int) -> None:
    assert reading(number).dice == ()


def test_most_hands_are_noticed() -> None:
    hands = [n for n, truth in enumerate(TRUTH) if truth["hand"]][::4]
    assert sum(reading(n).hand for n in hands) >= 0.7 * len(hands)


def test_no_hand_is_imagined() -> None:
    assert not [n for n in READ if reading(n).hand]


def test_points_that_a_hand_hides_are_never_sworn_to() -> None:
    for number in (15, 50):
        seen = reading(number)
        assert seen.hand
        assert seen.covered
        assert seen.covered <= seen.unsure
