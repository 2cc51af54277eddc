"""The table at which hands play: what is touched moves, nothing else does."""

from itertools import combinations
from math import hypot

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules.position import START, Position
from controller.simulation.boards.chance import random_setting
from controller.simulation.boards.scene import CheckerPlace
from controller.simulation.boards.scenes import random_position
from controller.simulation.boards.setting import Setting
from controller.simulation.tabletop.dice import throw_dice
from controller.simulation.tabletop.gestures import (
    Brush,
    Fumble,
    Gesture,
    Hover,
    LiftDice,
    MoveAway,
    Pick,
    Put,
    ThrowDice,
    TurnCube,
)
from controller.simulation.tabletop.tabletop import Tabletop
from controller.vision.geometry.geometry import Colour

LONG = 1000.0


def setting_of(seed: int) -> Setting:
    return random_setting(np.random.default_rng(seed), (640, 480))


SETTINGS = [setting_of(seed) for seed in range(3)]


def table(position: Position = START, seed: int = 0) -> Tabletop:
    return Tabletop(SETTINGS[seed % 3], position, np.random.default_rng(seed))


def carry(colour: Colour, *ways: tuple[CheckerPlace, CheckerPlace]) -> list[Gesture]:
    return [gesture for start, end in ways for gesture in (Pick(start, colour), Put(end))] + [MoveAway()]


def test_a_play_leads_to_the_position_it_names() -> None:
    board = table()
    board.do("light", carry("light", (8, 5), (6, 5)))
    board.run_until(LONG)
    assert board.checkers.position() == Position.from_compact("b...BD.B...eE...c.e....B..")
    assert not board.moving


@given(seed=st.integers(0, 10_000))
@settings(max_examples=30)
def test_what_no_hand_touches_stays_exactly_where_it_is(seed: int) -> None:
    rng = np.random.default_rng(seed)
    board = table(random_position(rng), seed)
    lying = [one for one in board.checkers if isinstance(one.place, int)]
    taken = lying[int(rng.integers(len(lying)))]
    empty = [point for point in range(1, 25) if not board.checkers.position().points[point - 1]]
    before = set(board.checkers)
    board.do(taken.side, carry(taken.side, (taken.place, empty[0])))
    board.run_until(LONG)
    after = set(board.checkers)
    assert len(after) == len(before) == 30
    (gone,) = before - after
    assert (gone.place, gone.side) == (taken.place, taken.side)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=30)
def test_checkers_of_one_layer_never_stand_in_one_another(seed: int) -> None:
    rng = np.random.default_rng(seed)
    board = table(START, seed)
    for _ in range(12):
        side: Colour = "light" if rng.random() < 0.5 else "dark"
        own = [one.place for one in board.checkers if one.side == side and isinstance(one.place, int)]
        other = {one.place for one in board.checkers if one.side != side}
        free = [point for point in range(1, 25) if point not in other]
        board.do(side, carry(side, (own[int(rng.integers(len(own)))], int(rng.choice(free)))))
        board.run_until(board.t + 60)
    flat = [one for one in board.checkers if one.layer == 0 and isinstance(one.place, int)]
    diameter = board.setting.geometry.checker_diameter_mm
    for one, other_one in combinations(flat, 2):
        assert hypot(one.x_mm - other_one.x_mm, one.y_mm - other_one.y_mm) > 0.85 * diameter


def test_a_checker_in_the_hand_lies_nowhere_and_is_seen_under_the_fingers() -> None:
    board = table()
    board.do("light", carry("light", (13, 7)))
    while not any(one.place == "hand" for one in board.scene().checkers):
        board.run_until(board.next_change())
    assert sum(board.checkers.position().points) == -1
    assert len(board.scene().hands) == 1
    assert len(board.scene().checkers) == 30


def test_a_hand_that_is_stopped_puts_back_what_it_holds() -> None:
    board = table()
    board.do("dark", carry("dark", (12, 18), (12, 18)))
    while len(board.checkers) == 30:
        board.run_until(board.next_change())
    board.stop("dark")
    board.run_until(LONG)
    assert board.checkers.position() == START
    assert not board.busy("dark")


@given(seed=st.integers(0, 10_000))
@settings(max_examples=30)
def test_a_hand_that_left_is_gone_wherever_it_came_from(seed: int) -> None:
    rng = np.random.default_rng(seed)
    board = table(START, seed)
    board.do("light", [Hover(0.1, over=int(rng.integers(1, 25))), TurnCube(2, "light"), MoveAway()])
    board.run_until(60)
    assert not board.moving
    assert board.scene().hands == ()


def test_two_hands_move_at_the_same_time() -> None:
    board = table()
    board.do("light", carry("light", (24, 20)))
    board.do("dark", carry("dark", (1, 5)))
    board.run_until(1.0)
    assert len(board.hands) == 2
    board.run_until(LONG)
    assert board.checkers.position().points[19] == 1
    assert board.checkers.position().points[4] == -1


def test_a_hit_checker_is_carried_to_the_bar_and_enters_from_there() -> None:
    board = table()
    board.do("light", carry("dark", (1, "bar")))
    board.run_until(board.t + 30)
    assert board.checkers.position().compact()[-2:] == ".a"
    board.do("dark", carry("dark", ("bar", 3)))
    board.run_until(board.t + 30)
    assert board.checkers.position().compact()[-2:] == ".."
    assert board.checkers.position().points[2] == -1


@pytest.mark.parametrize("seed", range(3))
def test_all_checkers_can_be_borne_off_and_lie_apart(seed: int) -> None:
    board = table(Position.from_compact("JE........................"), seed)
    board.do("light", carry("light", *[(1, "off")] * 10, *[(2, "off")] * 5))
    board.run_until(LONG)
    off = [one for one in board.checkers if one.place == "off" and one.side == "light"]
    assert len({(one.x_mm, one.y_mm, one.z_mm) for one in off}) == 15
    assert board.scene().off == (15, 15)


def test_dice_roll_come_to_rest_and_are_lifted() -> None:
    board = table()
    board.do("light", [ThrowDice((3, 1)), MoveAway()])
    while not board.scene().dice:
        board.run_until(board.next_change())
    assert board.dice == ()
    board.run_until(board.t + 5)
    assert [die.value for die in board.dice] == [3, 1]
    board.do("light", [LiftDice(), MoveAway()])
    board.run_until(board.t + 5)
    assert board.scene().dice == ()


def test_no_die_that_comes_to_rest_stands_in_a_checker() -> None:
    rng, setting = np.random.default_rng(1), SETTINGS[0]
    lying = [one for one in table().checkers if isinstance(one.place, int)]
    thrown = [throw_dice(setting, "light", (5, 4), lying, 0.0, rng) for _ in range(150)]
    least = (setting.geometry.checker_diameter_mm + setting.dice["light"].size_mm) / 2
    for die in (die for throw in thrown for die in throw.dice):
        assert die.lean == 0.0
        assert min(hypot(die.x_mm - one.x_mm, die.y_mm - one.y_mm) for one in lying) > least


def test_a_cube_is_turned_and_laid_with_its_owner() -> None:
    board = table()
    board.do("dark", [TurnCube(2, "light"), MoveAway()])
    board.run_until(10)
    assert board.cube is not None
    assert (board.cube.face, board.cube.owner) == (2, "light")


def test_a_dropped_checker_lies_on_a_free_point_until_it_is_picked_up_again() -> None:
    board = table()
    board.do("light", [Pick(6, "light"), Fumble(), Put(3), MoveAway()])
    lay: set[int] = set()
    while board.busy("light"):
        board.run_until(board.next_change())
        lay |= {point for point, count in enumerate(board.checkers.position().points, start=1) if count == 1}
    assert lay == {3, 5}
    assert (board.checkers.position().points[2], board.checkers.position().points[5]) == (1, 4)


def test_a_brushed_checker_moves_a_little_and_stays_on_its_point() -> None:
    board = table()
    before = set(board.checkers)
    board.do("light", [Brush(8, 3.0), MoveAway()])
    board.run_until(40)
    moved = before ^ set(board.checkers)
    assert {one.place for one in moved} == {8}
    assert board.checkers.position() == START


def test_pushes_and_lamps_add_up_in_the_scene() -> None:
    board = table()
    board.bump(3.0, -1.0, 0.01)
    board.bump(1.0, 0.0)
    board.lamp.change(board.t, 0.5)
    board.run_until(5.0)
    scene = board.scene()
    assert (scene.push.x_mm, scene.push.y_mm) == (4.0, -1.0)
    assert scene.brightness == 0.5


def test_the_same_calls_give_the_same_scenes() -> None:
    scenes = []
    for _ in range(2):
        board = table(seed=5)
        board.do("light", [ThrowDice((6, 6)), *carry("light", (24, 18), (24, 18))])
        board.run_until(1.7)
        scenes.append(board.scene())
    assert scenes[0] == scenes[1]
