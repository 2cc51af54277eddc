"""The bar of painted boards that no network learned from."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.training.boards import KnownBoard
from calibration.training.painted_bars import painted_bars
from calibration.training.transplant import RoundItem, transplant
from controller.arrays import Picture
from controller.vision.board.board import Board
from controller.vision.board.drift import settle
from controller.vision.counting.appearance import learn_appearance
from controller.vision.counting.excerpt import cut_excerpt
from controller.vision.counting.likelihoods import (
    COUNTS,
    MOST,
    PAIRS,
    WORST,
    bar_likelihoods,
    edges_left,
    may_be_higher,
    may_be_piled,
    noise_of,
    point_likelihoods,
)
from controller.vision.geometry.board_grid import surface_grid
from tests.rows import each_row
from tests.vision.boards import learned, picture

SEEDS = (900, 901, 902)
PICTURES_EACH = 6


@cache
def painted(seed: int) -> tuple[KnownBoard, Board]:
    known = painted_bars(seed, PICTURES_EACH)
    images = [start.image for start in known.starts]
    look = learn_appearance(images, known.camera, known.geometry, known.starts[0].points)
    return known, Board(known.camera, known.geometry, look)


def likelihoods(image: Picture, board: Board) -> dict[tuple[int, int], float]:
    grid = surface_grid(board.geometry)
    settled = settle(image, board, grid, board.appearance.bare_surface(board.geometry))
    return bar_likelihoods(settled.lit, settled.camera, board.geometry, board.appearance)


def counted(image: Picture, board: Board) -> tuple[int, int]:
    found = likelihoods(image, board)
    return max(found, key=lambda pair: found[pair])


def test_checkers_on_the_bar_of_boards_never_seen_are_counted() -> None:
    right, several = [], 0
    for seed in SEEDS:
        known, board = painted(seed)
        for shot in known.shots:
            truth = (shot.truth["bar"]["light"], shot.truth["bar"]["dark"])
            several += sum(truth) > 1
            right.append(counted(shot.image, board) == truth)
    assert several > 4
    assert np.mean(right) > 0.85


@pytest.mark.parametrize("seed", SEEDS)
def test_an_empty_bar_is_seen_empty(seed: int) -> None:
    known, board = painted(seed)
    assert [counted(start.image, board) for start in known.starts] == [(0, 0), (0, 0)]


@cache
def taken_to_the_bar() -> tuple[tuple[tuple[int, int], tuple[int, int]], ...]:
    """(truth, counted) for one checker of a point carried over to the bar of a board of start positions."""
    found = []
    for name in ("board1", "board3", "board6"):
        board, start = learned(name), picture(f"{name}_start")
        geometry = board.geometry
        radius, thickness = geometry.checker_diameter_mm / 2, geometry.checker_thickness_mm
        for along in (-0.3, 0.2, 0.35):
            for point, truth in ((6, (1, 0)), (13, (1, 0)), (12, (0, 1)), (19, (0, 1))):
                x, y, _ = geometry.slot(point, 4)
                place = (0.0, along * geometry.surface_height_mm, 0.0)
                image = start.copy()
                transplant(
                    image, start, board.camera, RoundItem(float(x), float(y), radius, thickness), place, 0.2
                )
                found.append((truth, counted(image, board)))
    return tuple(found)


def test_a_checker_taken_to_the_bar_is_never_missed_nor_taken_for_the_other_side() -> None:
    for truth, seen in taken_to_the_bar():
        assert (seen[0] > 0, seen[1] > 0) == (truth[0] > 0, truth[1] > 0)


def test_a_checker_taken_to_the_bar_is_nearly_always_counted_once() -> None:
    assert np.mean([truth == seen for truth, seen in taken_to_the_bar()]) >= 0.9


def test_every_pair_that_is_told_of_has_a_likelihood_and_the_best_is_zero() -> None:
    known, board = painted(SEEDS[0])
    found = likelihoods(known.shots[0].image, board)
    assert set(found) == set(PAIRS)
    assert max(light + dark for light, dark in found) == MOST
    assert max(found.values()) == 0


@pytest.mark.parametrize("which", [[3], [0, 5, 12, 23], [1, 2, 6, 7, 11, 13, 17, 18]])
def test_some_points_are_judged_by_their_parts_of_the_picture_as_by_all_of_it(which: list[int]) -> None:
    board, image = learned("board1"), picture("board1_start")
    assert cut_excerpt(image, board.camera, board.geometry, which).picture.size < image.size
    whole = point_likelihoods(image, board.camera, board.geometry, board.appearance)
    some = point_likelihoods(image, board.camera, board.geometry, board.appearance, which)
    assert sorted(some) == which
    for point, likely in some.items():
        assert likely == pytest.approx(whole[point], abs=0.1)


def test_a_picture_that_cuts_a_point_off_is_taken_whole() -> None:
    board, image = learned("board1"), picture("board1_start")
    near = replace(board.camera, focal=3 * board.camera.focal)
    assert cut_excerpt(image, near, board.geometry, [0]).picture is image


@pytest.mark.parametrize(("across", "down"), [(0.0, 150.0), (0.0, -150.0), (500.0, 0.0), (-500.0, 0.0)])
def test_points_that_leave_the_picture_on_one_side_are_taken_whole(across: float, down: float) -> None:
    board, image = learned("board1"), picture("board1_start")
    x, y, away = board.camera.translation
    aside = replace(board.camera, translation=(x + across, y + down, away))
    assert cut_excerpt(image, aside, board.geometry, [0, 11, 12, 23]).picture is image


def raised(seen: dict[int, float]) -> dict[int, float]:
    """What `may_be_higher` makes of one point."""
    scores = may_be_higher(np.array([[seen[count] for count in COUNTS]]))
    return dict(zip(COUNTS, scores[0].tolist(), strict=True))


SCORES = st.floats(-WORST, -0.1) | st.just(-WORST)


@given(st.sampled_from(COUNTS), st.lists(SCORES, min_size=31, max_size=31))
def test_what_a_point_seems_to_hold_stays_the_likeliest_and_any_pile_may_be_higher(
    best: int, scores: list[float]
) -> None:
    seen = {**dict(zip(COUNTS, scores, strict=True)), best: 0.0}
    found = raised(seen)
    assert found[best] == max(found.values()) == 0
    for count, score in found.items():
        higher_pile = abs(best) >= 5 and abs(count) > abs(best) and count * best > 0
        assert score >= -8 if higher_pile else score <= seen[count]


def test_that_many_checkers_are_overlooked_is_less_likely_than_that_one_is() -> None:
    empty = raised({count: 0.0 if count == 0 else -WORST for count in COUNTS})
    assert empty[1] == empty[-1] == -WORST
    assert empty[10] < empty[5] < empty[1]
    row = raised({count: 0.0 if count == 5 else -WORST for count in COUNTS})
    assert row[15] > row[4] > row[-5]


@given(st.lists(SCORES, min_size=len(PAIRS), max_size=len(PAIRS)))
def test_more_may_lie_on_what_is_seen_of_the_bar_but_not_beside_it(scores: list[float]) -> None:
    seen = dict(zip(PAIRS, scores, strict=True))
    found = may_be_piled(seen)
    assert max(found.values()) == max(seen.values())
    for (light, dark), score in found.items():
        below = [(n, dark) for n in range(1, light + 1)] + [(light, n) for n in range(1, dark + 1)]
        assert score == seen[light, dark] or any(score < seen[pair] for pair in below)


def test_a_pile_of_three_on_the_bar_that_looks_like_one_is_not_out_of_the_question() -> None:
    seen = {pair: 0.0 if pair == (1, 0) else -WORST for pair in PAIRS}
    found = may_be_piled(seen)
    assert found[1, 0] > found[2, 0] > found[3, 0] > -5
    assert found[0, 0] == found[0, 1] == found[1, 1] == -WORST


@each_row("level", [2, 12, 30, 45])
def test_the_noise_of_a_picture_is_told_whatever_it_shows(level: float) -> None:
    noise = np.random.default_rng(3).normal(0, level, picture("board1_002").shape)
    noisy = np.clip(picture("board1_002") + noise, 0, 255).astype(np.uint8)
    assert noise_of(noisy) == pytest.approx(level, rel=0.15, abs=1.5)


def test_the_less_noise_leaves_of_edges_the_likelier_is_it_that_more_lies_on_a_row_than_is_seen() -> None:
    image = picture("board1_002")
    noise = np.random.default_rng(3).normal(0, 30, image.shape)
    noisy = np.clip(image + noise, 0, 255).astype(np.uint8)
    assert edges_left(image) == 1
    row = np.where(np.array(COUNTS) == 5, 0.0, -WORST)[None]
    six = COUNTS.index(6)
    plain, hidden = may_be_higher(row), may_be_higher(row, edges_left(noisy))
    assert hidden[0, six] > plain[0, six] + 3
    assert hidden[0, COUNTS.index(4)] == plain[0, COUNTS.index(4)]
    assert hidden[0].argmax() == COUNTS.index(5)
