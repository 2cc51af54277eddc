"""Hands over the board: over which edge they come, and which points they cover."""

from dataclasses import replace

import numpy as np
import pytest

from controller.arrays import Float32Array
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry, Colour
from controller.vision.geometry.seen import Hands, HandSeen
from controller.vision.hands.hands import (
    clear_look,
    edges_of,
    edges_seen,
    find_hands,
    judge_hands,
    merge_hands,
)
from controller.vision.hands.occlusion import CELL
from controller.vision.hands.overview import COLUMNS, HEIGHT_MM, ROWS, STEP_MM
from tests.rows import each_row
from tests.vision.boards import learned, picture, with_arm

GEOMETRY = BoardGeometry("right", 44.0, 50.0, 470.0, 41.5, 40.0, 12.0)
EDGES: list[tuple[Colour, int]] = [("light", -1), ("dark", 1)]
NOTHING = np.zeros((ROWS // CELL, COLUMNS // CELL), np.float32)
UNLIT = np.ones(3)


def box(x_mm: tuple[float, float], y_mm: tuple[float, float]) -> Float32Array:
    """The share of each cell within a rectangle."""
    fine = np.zeros((ROWS, COLUMNS), np.float32)
    left, right = (round(x / STEP_MM + COLUMNS / 2) for x in sorted(x_mm))
    near, far = (round(y / STEP_MM + ROWS / 2) for y in sorted(y_mm))
    fine[max(near, 0) : far, max(left, 0) : right] = 1
    return np.asarray(fine.reshape(ROWS // CELL, CELL, COLUMNS // CELL, CELL).mean(axis=(1, 3)), np.float32)


def hands_in(
    hidden: Float32Array,
    changed: Float32Array | None = None,
    *,
    told: bool = True,
    narrow: Colour | None = None,
) -> Hands:
    edges = edges_of(GEOMETRY, narrow) if told else None
    return judge_hands(hidden, hidden if changed is None else changed, GEOMETRY, edges)


def arm(edge: int, x_mm: float, tip_mm: float) -> Float32Array:
    """An arm, 80 mm wide, over the long edge on this side; its tips are at a y."""
    return box((x_mm - 40, x_mm + 40), (edge * 300, tip_mm))


def test_over_an_empty_board_there_is_no_hand() -> None:
    assert hands_in(NOTHING) == ()


@each_row(("side", "edge"), EDGES)
@each_row("tip_mm", [-150.0, 0.0, 150.0])
def test_a_hand_is_of_the_side_over_whose_edge_it_comes(side: Colour, edge: int, tip_mm: float) -> None:
    (hand,) = hands_in(arm(edge, 100, tip_mm))
    assert hand.side == side


@pytest.mark.parametrize(("side", "edge"), EDGES)
def test_a_hand_that_reaches_to_the_far_rail_comes_over_the_near_one(side: Colour, edge: int) -> None:
    (hand,) = hands_in(arm(edge, 100, -edge * 245))
    assert hand.side == side
    assert {3, 22} <= hand.points or {4, 21} <= hand.points


def test_a_sleeve_that_only_looks_different_tells_the_side() -> None:
    hidden = box((60, 140), (-150, 150))
    assert [hand.side for hand in hands_in(hidden)] == [None]
    assert [hand.side for hand in hands_in(hidden, arm(1, 100, -150))] == ["dark"]


def test_a_hand_over_both_edges_or_over_neither_is_of_nobody_known() -> None:
    assert [hand.side for hand in hands_in(box((60, 140), (-300, 300)))] == [None]
    assert [hand.side for hand in hands_in(box((60, 160), (-60, 60)))] == [None]


def test_a_hand_over_a_short_edge_is_of_nobody_known() -> None:
    assert [hand.side for hand in hands_in(box((100, 360), (-40, 40)))] == [None]


@pytest.mark.parametrize(("side", "edge"), EDGES)
def test_an_arm_all_along_a_short_edge_is_of_nobody_known_though_it_ends_at_a_corner(
    side: Colour, edge: int
) -> None:
    (hand,) = hands_in(box((240, 360), (edge * 300, -edge * 200)))
    assert hand.side != side


@pytest.mark.parametrize(("side", "edge"), EDGES)
def test_a_hand_at_a_corner_is_of_the_side_whose_corner_it_is(side: Colour, edge: int) -> None:
    (hand,) = hands_in(box((240, 360), (edge * 300, edge * 40)))
    assert hand.side == side


def test_what_only_looks_different_is_no_hand() -> None:
    assert hands_in(NOTHING, arm(1, 100, -150)) == ()


def test_what_is_smaller_than_a_finger_is_no_hand() -> None:
    assert hands_in(box((90, 115), (-300, -205))) == ()


def test_where_too_little_is_seen_beyond_the_edges_no_side_is_told() -> None:
    (hand,) = hands_in(arm(1, 100, 0), told=False)
    assert hand.side is None
    assert hand.points


def test_two_hands_at_once_are_told_apart() -> None:
    both = np.maximum(arm(-1, -150, -50), arm(1, 150, 50))
    light, dark = hands_in(both)
    assert (light.side, dark.side) == ("light", "dark")
    assert all(point <= 12 for point in light.points)
    assert all(point >= 13 for point in dark.points)


def test_two_hands_of_a_side_are_told_as_one() -> None:
    (hand,) = hands_in(np.maximum(arm(-1, -200, -50), arm(-1, 200, -50)))
    assert min(hand.points) <= 3
    assert max(hand.points) >= 9


@each_row("point", range(1, 25))
def test_finger_tips_over_the_outermost_checker_cover_the_point(point: int) -> None:
    side, x = GEOMETRY.side_of(point), GEOMETRY.column_x(point)
    (hand,) = hands_in(arm(side, x, side * 205))
    assert point in hand.points
    assert 25 - point not in hand.points


def test_hands_that_came_one_after_the_other_are_joined_by_side() -> None:
    one, other = HandSeen("dark", frozenset({6})), HandSeen("light", frozenset({1}))
    nobody = HandSeen(None, frozenset())
    joined = merge_hands([nobody, one, other, HandSeen("dark", frozenset({13}))])
    assert joined == (other, HandSeen("dark", frozenset({6, 13})), nobody)


def test_a_camera_that_sees_only_the_board_cannot_tell_sides() -> None:
    board = learned("board1")
    assert edges_seen(board.camera, board.geometry) is edges_of(board.geometry, None)
    close = replace(board.camera, focal=1.25 * board.camera.focal)
    assert edges_seen(close, board.geometry) is None


@each_row(("narrow", "edge"), EDGES)
def test_a_camera_that_sees_little_beyond_one_edge_tells_sides(narrow: Colour, edge: int) -> None:
    geometry = learned("board1").geometry
    for beyond_mm, seen in [(30.0, True), (10.0, False)]:
        middle = -edge * (60.0 - beyond_mm) / 2
        across = geometry.surface_height_mm + 60.0 + beyond_mm
        above = CameraModel(
            1280, 720, 720 * 900 / across, 0.0, 0.0, (np.pi, 0.0, 0.0), (0.0, middle, 900.0 + HEIGHT_MM)
        )
        assert edges_seen(above, geometry) is (edges_of(geometry, narrow) if seen else None)


@each_row("narrow", ["light", "dark"])
@each_row(("side", "edge"), EDGES)
@each_row("tip_mm", [-150.0, 0.0, 150.0])
def test_a_hand_is_of_the_side_over_whose_edge_it_comes_where_little_is_seen_beyond_one(
    narrow: Colour, side: Colour, edge: int, tip_mm: float
) -> None:
    seen = 260 if side == narrow else 300
    (hand,) = hands_in(box((60, 140), (edge * seen, tip_mm)), narrow=narrow)
    assert hand.side == side


@each_row(("narrow", "edge"), EDGES)
def test_where_little_is_seen_beyond_one_edge_a_hand_at_both_is_of_nobody_known(
    narrow: Colour, edge: int
) -> None:
    for reach in (-edge * 245, -edge * 300):
        assert [hand.side for hand in hands_in(box((60, 140), (edge * 260, reach)), narrow=narrow)] == [None]
    assert [hand.side for hand in hands_in(box((60, 140), (edge * 245, -edge * 300)), narrow=narrow)] == [
        None
    ]


def test_checkers_that_were_moved_are_no_hands() -> None:
    board = learned("board1")
    clear = clear_look(picture("board1_start"), board.camera, UNLIT)
    assert find_hands(picture("board1_002"), clear, board) == ()


@each_row("light", [0.85, 1.0, 1.1])
@each_row(("side", "edge"), EDGES)
@each_row("skin", [(150, 180, 228), (50, 75, 120)])
def test_an_arm_in_a_picture_is_of_the_side_over_whose_edge_it_comes(
    side: Colour, edge: int, skin: tuple[int, int, int], light: float
) -> None:
    board, image = learned("board1"), picture("board1_002")
    clear = clear_look(image, board.camera, UNLIT)
    reached = with_arm(image, board.geometry.column_x(4), edge, -edge * 130.0, skin)
    (hand,) = find_hands(np.clip(reached * light, 0, 255).astype(np.uint8), clear, board)
    assert hand.side == side
    assert {4, 21} <= hand.points
