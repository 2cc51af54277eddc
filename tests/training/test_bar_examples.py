from functools import cache
from pathlib import Path

import numpy as np
import pytest

from calibration.training.bar_examples import FINENESS, BarExamples, cut_all
from calibration.training.boards import KnownBoard, known_boards
from calibration.training.painted_bars import MOST, painted_bars, with_hits
from calibration.training.retaken import as_taken, retaken
from calibration.training.shelf import kept_as
from calibration.training.transplant import RoundItem, transplant
from controller.rules.position import Side
from controller.simulation.boards.scenes import random_position
from controller.vision.counting.bar_strip import CHANNELS, COLUMNS, ROWS
from tests.rows import each_row

LIGHTER = 4


@cache
def board() -> KnownBoard:
    return known_boards()[0]


@cache
def examples() -> BarExamples:
    random = np.random.default_rng(3)
    return cut_all(retaken(board(), random), random, 7)


def test_examples_are_of_the_networks_size_and_say_which_board_they_are_of() -> None:
    made = examples()
    assert made.strips.shape[1:] == (CHANNELS, ROWS, COLUMNS)
    assert made.strips.dtype == np.int8
    assert set(made.boards.tolist()) == {7}


def test_most_examples_have_checkers_on_the_bar_and_some_have_none() -> None:
    counts = (examples().faces[..., 0] >= 0).sum(axis=1)
    assert 0.5 < (counts > 0).mean() < 1


def test_faces_lie_on_the_strip_where_their_sides_colour_is_seen() -> None:
    right = []
    for strip, faces in zip(examples().strips, examples().faces, strict=True):
        for side, row, column in faces[faces[:, 0] >= 0]:
            seen = strip[LIGHTER, row - 2 : row + 3, column - 2 : column + 3].mean() / FINENESS
            right.append((seen > 0) == (side == 0))
    assert len(right) > 20
    assert np.mean(right) > 0.9


def test_painted_boards_give_their_bars_as_they_are_first_of_each_picture() -> None:
    known = painted_bars(950, 3)
    random = np.random.default_rng(1)
    made = cut_all(as_taken(known, random), random, 0)
    asis = [tuple(int((faces[:, 0] == side).sum()) for side in (0, 1)) for faces in made.faces]
    for shot in (*known.starts, *known.shots):
        truth = shot.truth["bar"]
        assert (truth["light"], truth["dark"]) in asis


@each_row("seed", range(20))
def test_hits_move_checkers_to_the_bar_and_lose_none(seed: int) -> None:
    random = np.random.default_rng(seed)
    before = random_position(random)
    after = with_hits(before, random)
    for side in (Side.LIGHT, Side.DARK):
        assert after.off(side) == before.off(side)
        assert after.bar(side) >= before.bar(side)
    assert after.bar(Side.LIGHT) + after.bar(Side.DARK) <= max(
        MOST, before.bar(Side.LIGHT) + before.bar(Side.DARK)
    )


def test_a_transplanted_thing_looks_as_it_did_and_leaves_the_rest_alone() -> None:
    known, start = board(), board().starts[0]
    geometry, camera = known.geometry, known.camera
    x, y, _ = geometry.slot(6, 4)
    thing = RoundItem(float(x), float(y), geometry.checker_diameter_mm / 2, geometry.checker_thickness_mm)
    image = start.image.copy()
    transplant(image, start.image, camera, thing, (0.0, 60.0, 0.0), 0.0)
    before, after = (
        np.rint(camera.project(np.array([*at, thing.height]))).astype(int) for at in ((x, y), (0.0, 60.0))
    )
    was = start.image[before[1] - 3 : before[1] + 4, before[0] - 3 : before[0] + 4].mean(axis=(0, 1))
    now = image[after[1] - 3 : after[1] + 4, after[0] - 3 : after[0] + 4].mean(axis=(0, 1))
    assert np.abs(was - now).max() < 10
    changed = np.argwhere((image != start.image).any(axis=2))
    assert np.hypot(*(changed - after[::-1]).T).max() < 3 * float(start.truth["checkers"][0]["r"])


def test_any_examples_are_kept_and_taken_back(tmp_path: Path) -> None:
    first = kept_as(BarExamples, "bar", examples, lambda _line: None, tmp_path)
    again = kept_as(BarExamples, "bar", lambda: pytest.fail("made again"), lambda _line: None, tmp_path)
    assert (first.strips == again.strips).all()
    assert (first.faces == again.faces).all()
