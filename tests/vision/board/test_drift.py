"""How far the board was pushed and what light it lies in, and how well both are followed."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.arrays import Picture
from controller.vision.board.board import Board
from controller.vision.board.drift import Settled, burn_out, relight, settle
from controller.vision.geometry.board_grid import moved, surface_grid
from controller.vision.reader import UNEVEN, read_board
from tests.rows import each_row
from tests.vision.boards import frames, in_bands_of_shadow, learned, picture

NAMES = ("board1_002", "board3_002", "board6_000")


def settled(image: Picture, board: Board) -> Settled:
    grid = surface_grid(board.geometry)
    return settle(image, board, grid, board.appearance.bare_surface(board.geometry))


def board_of(name: str) -> Board:
    return learned(frames()[name].board)


def astray_mm(one: Board, other: Settled) -> float:
    """How far apart two cameras think the corners of the surface are (mm, the worst of them)."""
    corners = one.geometry.corners()
    there = other.camera.to_board(one.camera.project(corners))
    return float(np.hypot(*(there - corners[:, :2]).T).max())


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=6, deadline=None)
@given(x=st.floats(-18, 18), y=st.floats(-18, 18), turn=st.floats(-0.025, 0.025))
def test_a_pushed_board_is_followed(name: str, x: float, y: float, turn: float) -> None:
    board, image = board_of(name), picture(name)
    where = settled(image, board)
    away = replace(board, camera=moved(board.camera, x, y, turn))
    assert astray_mm(replace(board, camera=where.camera), settled(image, away)) < 2.5


@pytest.mark.parametrize("board", ["board1", "board3", "board6"])
def test_noise_gives_a_board_that_nobody_touched_no_other_camera(board: str) -> None:
    known, image, rng = learned(board), picture(f"{board}_start"), np.random.default_rng(3)
    for _ in range(4):
        noisy = np.clip(image + rng.normal(0, 4, image.shape), 0, 255).astype(np.uint8)
        assert settled(noisy, known).camera is known.camera


@each_row("name", NAMES)
@each_row("light", [(0.5, 0.5, 0.5), (1.6, 1.6, 1.6), (0.7, 0.9, 1.1), (1.2, 1.0, 0.8)])
def test_light_is_measured_in_every_channel(name: str, light: tuple[float, float, float]) -> None:
    board, image = board_of(name), picture(name)
    before = settled(image, board).drift
    changed = np.clip(image.astype(float) * light, 0, 255).astype(np.uint8)
    after = settled(changed, board).drift
    for was, now, factor in zip(before.light, after.light, light, strict=True):
        assert now / was == pytest.approx(factor, rel=0.08)


@pytest.mark.parametrize("light", [(0.5, 0.5, 0.5), (1.3, 1.3, 1.3), (0.75, 0.9, 1.1)])
def test_points_are_read_alike_in_other_light(light: tuple[float, float, float]) -> None:
    board, image = board_of("board1_002"), picture("board1_002")
    changed = np.clip(image.astype(float) * light, 0, 255).astype(np.uint8)
    usual, other = read_board(image, board), read_board(changed, board)
    differing = {p for p in range(1, 25) if usual.points[p - 1] != other.points[p - 1]}
    assert len(differing) <= 2
    assert not differing - usual.unsure - other.unsure


def test_a_shadow_over_half_the_board_does_not_move_it() -> None:
    board, image = board_of("board1_002"), picture("board1_002")
    shade = np.ones(image.shape[:2])
    shade[:, : image.shape[1] // 2] = 0.6
    dark = (image * cv2.GaussianBlur(shade, (0, 0), 15)[..., None]).astype(np.uint8)
    there = settled(image, board).camera
    assert astray_mm(replace(board, camera=there), settled(dark, board)) < 1.5


def test_a_board_that_is_gone_is_not_recognised() -> None:
    board = board_of("board1_002")
    shape = picture("board1_002").shape
    rng = np.random.default_rng(5)
    for other in (
        np.full(shape, 90, np.uint8),
        rng.integers(0, 255, shape, np.uint8),
        cv2.resize(picture("board6_000"), shape[1::-1]),
    ):
        reading = read_board(np.asarray(other, np.uint8), board)
        assert not reading.recognised
        assert reading.unsure == frozenset(range(1, 25))


@pytest.mark.parametrize("name", ["board1_start", "board6_start"])
def test_a_board_in_dappled_light_is_known_by_its_fine_details(name: str) -> None:
    image = picture(name)
    leaves = cv2.GaussianBlur(np.random.default_rng(1).normal(size=image.shape[:2]), (0, 0), 4)
    dappled = image * np.exp(1.6 * leaves / leaves.std())[..., None]
    reading = read_board(np.clip(dappled, 0, 255).astype(np.uint8), board_of(name))
    assert reading.drift.likeness < 0.2, "the light varies more than the board"
    assert reading.fault is None


@given(st.lists(st.floats(0.4, 1.6), min_size=3, max_size=3))
def test_relit_levels_keep_their_order_and_only_what_may_be_burnt_out_is_lifted(gain: list[float]) -> None:
    levels = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)
    lit = relight(levels, np.array(gain))[0].astype(float)
    assert (np.diff(lit, axis=0) >= 0).all()
    plain = np.clip(np.arange(256)[:, None] * np.array(gain), 0, 255)
    assert np.abs(lit - plain)[:225].max() <= 1
    assert (lit >= plain - 1).all()
    if max(gain) < 0.85:
        assert lit[255].min() > 235


@pytest.mark.parametrize("light", [1.3, 1.6])
def test_a_board_is_expected_as_burnt_out_as_a_brighter_picture_shows_it(light: float) -> None:
    look, gain = board_of("board3_002").appearance, np.full(3, 1 / light)
    shown = relight(np.clip(look.bare * light, 0, 255).astype(np.uint8), gain)
    expected = burn_out(look, gain).bare
    assert np.abs(expected.astype(float) - shown).mean() < 3
    assert np.abs(look.bare.astype(float) - shown).mean() > 6


def test_of_pale_checkers_that_burn_out_all_are_equally_white() -> None:
    look = board_of("board3_002").appearance
    burnt = np.array(burn_out(look, np.full(3, 0.6)).light.means)
    assert np.ptp(np.array(look.light.means)[:, 0]) > 30
    assert np.ptp(burnt[:, 0]) < 3
    assert burnt[:, 0].min() > 240


@pytest.mark.parametrize("gain", [1.5, 1.0, 0.9])
def test_in_the_usual_light_and_in_less_a_board_is_expected_as_it_was_learned(gain: float) -> None:
    look = board_of("board1_002").appearance
    assert burn_out(look, np.full(3, gain)) is look


@each_row("name", NAMES)
def test_light_that_differs_from_place_to_place_is_told_and_less_light_is_not(name: str) -> None:
    image, board = picture(name), board_of(name)
    rng = np.random.default_rng(3)
    noisy = np.clip(image + rng.normal(0, 12, image.shape), 0, 255).astype(np.uint8)
    even = [settled(one, board).drift.uneven for one in (image, image // 2, noisy)]
    assert max(even) < UNEVEN
    assert settled(in_bands_of_shadow(image), board).drift.uneven > UNEVEN
