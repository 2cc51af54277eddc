from functools import cache
from pathlib import Path

import numpy as np
import pytest

from calibration.training.boards import KnownBoard, known_boards
from calibration.training.examples import FINENESS, Examples, cut, joined
from calibration.training.painted import piled_position
from calibration.training.retaken import retaken
from calibration.training.shelf import kept
from calibration.training.variety import any_glare, any_paint, miscalibrated, scaled, scaled_camera
from controller.vision.counting.strips import CHANNELS, COLUMNS, OUTSIDE, ROWS, SCALE
from tests.rows import each_row

SLOT_SLACK_PX = 4.0


@cache
def boards() -> tuple[KnownBoard, ...]:
    return known_boards()


def of_a_start() -> Examples:
    """The strips of a board's first start picture, taken anew."""
    random = np.random.default_rng(5)
    taken = retaken(boards()[2], random)
    return cut(next(taken.shots), taken.board, random, taken.share)


def test_every_known_board_has_start_pictures_and_others() -> None:
    assert len(boards()) == 14
    for board in boards():
        assert board.starts
        assert board.shots


@each_row("number", range(14))
def test_the_checkers_of_a_start_position_lie_where_the_camera_says(number: int) -> None:
    board = boards()[number]
    for checker in board.starts[0].truth["checkers"]:
        slots = [board.geometry.slot(checker["point"] + 1, place) for place in range(5)]
        gaps = np.hypot(*(board.camera.project(np.array(slots)) - [checker["x"], checker["y"]]).T)
        assert gaps.min() < SLOT_SLACK_PX + 0.2 * checker["r"]


def test_a_scaled_camera_sees_the_scaled_picture() -> None:
    board = boards()[0]
    half = scaled_camera(board.camera, 0.5)
    assert scaled(board.starts[0].image, 0.5).shape[:2] == (half.height, half.width)
    spot = board.geometry.slot(6, 2)
    assert half.project(spot) == pytest.approx((board.camera.project(spot) - 0.5) / 2, abs=0.6)


@each_row("seed", range(5))
def test_a_wrong_calibration_is_wrong_by_little(seed: int) -> None:
    board = boards()[seed]
    camera, geometry = miscalibrated(board.camera, board.geometry, np.random.default_rng(seed))
    radius = board.starts[0].truth["checkers"][0]["r"]
    for point in (1, 12, 13, 24):
        true = board.camera.project(board.geometry.slot(point, 0))
        taken = camera.project(geometry.slot(point, 0))
        assert np.hypot(*(true - taken)) < radius


@each_row("seed", range(20))
def test_a_paint_keeps_the_picture_a_picture(seed: int) -> None:
    random = np.random.default_rng(seed)
    image = random.integers(0, 256, (8, 8, 3)).astype(np.uint8)
    painted = any_paint(random).over(image)
    assert painted.shape == image.shape
    assert painted.dtype == np.uint8
    assert painted.std() > 0


@each_row("seed", range(5))
def test_a_mirrored_lamp_brightens_what_it_is_near_to(seed: int) -> None:
    random = np.random.default_rng(seed)
    dark = np.full((90, 160, 3), 20, np.uint8)
    lit = any_glare((0.5, 0.28), random).over(dark, random)
    assert (lit >= dark).all()
    assert lit.max() > 40


def test_a_board_taken_anew_gives_strips_with_their_counts_and_is_the_same_for_the_same_seed() -> None:
    first, again = (of_a_start() for _ in range(2))
    assert first.strips.shape[1:] == (CHANNELS, ROWS // 2, COLUMNS // 2)
    assert first.strips.dtype == np.int8
    assert sorted(first.counts[first.counts != 0]) == [-5, -5, -3, -2, 2, 3, 5, 5]
    assert np.array_equal(first.strips, again.strips)


def test_upper_faces_are_told_where_they_are_seen_on_the_strip() -> None:
    found = of_a_start()
    for count, faces in zip(found.counts, found.faces, strict=True):
        rows = sorted(row for layer, row, _ in faces if layer == 0)
        assert len(rows) == abs(count)
        for place, row in enumerate(rows):
            assert abs(row - OUTSIDE - (place + 0.5) * SCALE) < SCALE / 2


@each_row("seed", range(50))
def test_a_piled_position_has_at_most_fifteen_a_side(seed: int) -> None:
    position = piled_position(np.random.default_rng(seed))
    assert sum(count for count in position.points if count > 0) <= 15


def test_examples_are_made_once(tmp_path: Path) -> None:
    made: list[int] = []

    def make() -> Examples:
        made.append(1)
        part = Examples(np.zeros((2, 1, 1, 1), np.int8), np.array([3, -4]), np.zeros((2, 15, 3), np.int16))
        return joined([part, part])

    for _ in range(2):
        assert kept("x", make, lambda _line: None, tmp_path).counts.tolist() == [3, -4, 3, -4]
    assert made == [1]


def test_whole_numbers_hold_the_usual_range_of_a_channel() -> None:
    assert 127 / FINENESS > 5
