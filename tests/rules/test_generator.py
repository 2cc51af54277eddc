"""The fast generator and the quick legality check, against generators written apart and counted trees."""

import platform
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules import packed
from controller.rules.moves import generator, legality, search
from controller.rules.moves.movement import STANDARD
from controller.rules.position import CHECKERS, START, Position, Roll, Side
from tests.amounts import amount
from tests.rules import boards, reference
from tests.rules.strategies import positions, rolls, sides
from tests.rules.turns import Turn, constructed_turn, played_turns

BATCH = 200
ALL_ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def own_results(turn: Turn) -> set[int]:
    position, side, roll = turn
    return generator.results(position.code, side is Side.DARK, roll.high, roll.low)[0]


needs_bgsage = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="bgsage is only made for x86-64 processors"
)


def bgsage_results(turn: Turn) -> set[int]:
    import bgsage

    position, side, roll = turn
    board = boards.board(position, side)
    found = bgsage.possible_moves([abs(board[0]), *board[1:]], roll.high, roll.low)
    return {boards.position(each, side).code for each in found} or {position.code}


def has_one_checker_left(turn: Turn) -> bool:
    """The corner where bgsage lets the last checker go with one number though both can be played."""
    position, side, _ = turn
    return position.off(side) == CHECKERS - 1


@needs_bgsage
@settings(max_examples=amount(20, 60))
@given(st.integers(0, 2**32))
def test_games_have_the_results_that_bgsage_finds(seed: int) -> None:
    turns = played_turns(seed)
    for turn in (next(turns) for _ in range(BATCH)):
        if has_one_checker_left(turn):
            assert own_results(turn) <= bgsage_results(turn)
        else:
            assert own_results(turn) == bgsage_results(turn)


@needs_bgsage
@settings(max_examples=amount(20, 60))
@given(st.integers(0, 2**32))
def test_made_up_positions_have_the_results_that_bgsage_finds(seed: int) -> None:
    chance = random.Random(seed)
    for turn in (constructed_turn(chance) for _ in range(BATCH)):
        if has_one_checker_left(turn):
            assert own_results(turn) <= bgsage_results(turn)
        else:
            assert own_results(turn) == bgsage_results(turn)


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_all_positions_have_the_results_of_the_plain_generator(seed: int) -> None:
    chance = random.Random(seed)
    for position, side, roll in (constructed_turn(chance) for _ in range(30)):
        plain = reference.results(boards.board(position, side), roll.high, roll.low)
        assert own_results((position, side, roll)) == {boards.position(each, side).code for each in plain}


@given(positions(), sides, rolls)
def test_the_search_for_any_rules_agrees_on_the_standard_ones(
    position: Position, side: Side, roll: Roll
) -> None:
    dark = side is Side.DARK
    found = search.results(position.code, dark, roll.numbers, STANDARD)
    assert found == generator.results(position.code, dark, roll.high, roll.low)


@given(positions(), sides, rolls)
def test_exchanging_sides_changes_nothing_but_names(position: Position, side: Side, roll: Roll) -> None:
    mirrored = own_results((position.mirrored(), side.opponent, roll))
    assert mirrored == {packed.mirror(code) for code in own_results((position, side, roll))}


@settings(max_examples=amount(30, 60))
@given(st.integers(0, 2**32))
def test_the_quick_check_knows_every_result_and_nothing_else(seed: int) -> None:
    chance = random.Random(seed)
    for turn in (constructed_turn(chance) for _ in range(40)):
        position, side, roll = turn
        dark = side is Side.DARK
        legal = own_results(turn)
        other = own_results((position, side, Roll.from_dice(chance.randint(1, 6), chance.randint(1, 6))))
        strayed = {
            code + packed.UNIT[chance.randint(0, 25)] - packed.UNIT[chance.randint(0, 25)] for code in legal
        }
        for code in legal | other | {each for each in strayed if valid(each)}:
            assert legality.reaches(position.code, dark, roll.high, roll.low, code) == (code in legal)


def valid(code: int) -> bool:
    return 0 < code < 1 << 208 and all(1 <= value <= 31 for value in code.to_bytes(26, "little"))


@pytest.mark.parametrize(
    ("opening", "first", "second"),
    [
        ([roll for roll in ALL_ROLLS if roll[0] != roll[1]], (175, 190), (71_485, 89_153)),
        (ALL_ROLLS, (406, 447), (163_706, 202_782)),
    ],
    ids=["no doubles at first", "doubles too"],
)
def test_two_plies_from_the_start_have_the_known_counts(
    opening: list[tuple[int, int]], first: tuple[int, int], second: tuple[int, int]
) -> None:
    paths: dict[int, int] = {}
    for high, low in opening:
        for code in generator.results(START.code, False, high, low)[0]:
            paths[code] = paths.get(code, 0) + 1
    assert (len(paths), sum(paths.values())) == first
    distinct: set[int] = set()
    total = 0
    for code, times in paths.items():
        for high, low in ALL_ROLLS:
            found = generator.results(code, True, high, low)[0]
            total += times * len(found)
            distinct |= found
    assert (len(distinct), total) == second
