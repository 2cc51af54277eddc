"""The eye that looks straight at the truth errs as long as it says, and no longer."""

from dataclasses import replace

import numpy as np
import pytest

from controller.rules.position import START, Position, Side
from controller.simulation.boards.chance import random_setting
from controller.simulation.tabletop.gestures import Hover, LiftDice, MoveAway, Pick, Put, ThrowDice, TurnDie
from controller.simulation.tabletop.tabletop import Tabletop
from tests.demo.truthful_eye import (
    FLEETING,
    LASTING,
    LOOKS_LIKE,
    SURE_DIE,
    Errors,
    TruthfulEye,
)

SETTING = random_setting(np.random.default_rng(4), (640, 480))
SHARP = Errors(0.0, 0.0, 0.0, 0.0)
OFF = Position.from_compact(".BBBBB.............bbbbb..")


def table(position: Position = START) -> Tabletop:
    return Tabletop(SETTING, position, np.random.default_rng(1))


def eye(errors: Errors, **more: bool) -> TruthfulEye:
    return TruthfulEye(errors, np.random.default_rng(1), **more)


def carried(board: Tabletop, start: int, end: int) -> None:
    board.do("light", [Pick(start, "light"), Put(end), MoveAway()])
    board.run_until(board.t + 60.0)


def test_a_misread_pile_is_misread_alike_in_every_picture_as_long_as_five_lie_there() -> None:
    board, one = table(), eye(replace(SHARP, pile_lasting=(0.5, 0.0, 0.0)))
    first = one.read(board).points
    piles = [point for point in range(1, 25) if abs(START.points[point - 1]) >= 5]
    assert len(piles) == 4
    for point in range(1, 25):
        apart = abs(first[point - 1]) - abs(START.points[point - 1])
        assert abs(apart) == (point in piles)
    assert all(one.read(board).points == first for _ in range(3))
    carried(board, 24, 22)
    assert [one.read(board).points[point - 1] for point in piles] == [first[point - 1] for point in piles]
    carried(board, 6, 5)
    assert one.read(board).points[5] == 4


def test_a_pile_is_misread_by_as_many_as_its_share_says() -> None:
    errors = replace(SHARP, pile_lasting=(0.0, 0.0, 0.5))
    shown = [TruthfulEye(errors, np.random.default_rng(seed)).read(table()).points[5] for seed in range(12)]
    assert set(shown) == {2, 8}


def test_the_reader_knows_nothing_of_what_it_misreads_for_good() -> None:
    reading = eye(replace(SHARP, pile_lasting=(0.5, 0.0, 0.0))).read(table())
    assert not reading.unsure
    for shown, known in zip(reading.points, reading.likelihoods, strict=True):
        assert max(known, key=lambda count: known[count]) == shown


@pytest.mark.parametrize("blind", [0.0, 1.0])
def test_a_blind_tray_looks_empty(blind: float) -> None:
    board = table(OFF)
    reading = eye(replace(SHARP, blind_tray=blind), sees_trays=True).read(board)
    counts = (OFF.off(Side.LIGHT), OFF.off(Side.DARK))
    assert counts == (5, 5)
    assert (reading.off.light, reading.off.dark) == ((0, 0) if blind else counts)
    assert all(
        known is not None and max(known, key=lambda n: known[n]) == (0 if blind else 5)
        for known in reading.off_likelihoods
    )


def test_trays_out_of_sight_tell_nothing() -> None:
    reading = eye(SHARP, sees_trays=False).read(table(OFF))
    assert reading.off_likelihoods == (None, None)
    assert reading.assumed_off


def test_a_misread_die_shows_the_same_other_number_until_it_is_thrown_again() -> None:
    board, one = table(), eye(replace(SHARP, misread_die=1.0))
    board.do("light", [ThrowDice((6, 1)), MoveAway()])
    board.run_until(20.0)
    seen = [one.read(board).dice for _ in range(3)]
    assert seen[0] == seen[1] == seen[2]
    assert sorted(die.value for die in seen[0]) == sorted((LOOKS_LIKE[6], LOOKS_LIKE[1]))
    assert all(die.confidence < SURE_DIE for die in seen[0])
    board.do("light", [TurnDie(3), MoveAway()])
    board.run_until(40.0)
    assert sorted(die.value for die in board.dice) in ([1, 3], [3, 6])
    assert sorted(die.value for die in one.read(board).dice) != sorted(die.value for die in seen[0])
    board.do("light", [LiftDice(), MoveAway()])
    board.run_until(60.0)
    assert one.read(board).dice == ()


def test_the_numbers_of_a_die_are_probabilities_and_the_one_it_looks_like_has_most_of_the_rest() -> None:
    board = table()
    board.do("light", [ThrowDice((6, 1)), MoveAway()])
    board.run_until(20.0)
    for die in eye(LASTING).read(board).dice:
        assert sum(die.shares) == pytest.approx(1.0)
        assert die.shares[die.value - 1] == pytest.approx(die.confidence)
        others = {number: die.shares[number - 1] for number in range(1, 7) if number != die.value}
        assert max(others, key=lambda number: others[number]) == LOOKS_LIKE[die.value]


def test_points_are_read_the_same_whatever_errs_for_good_elsewhere() -> None:
    flat = replace(LASTING, pile_lasting=(0.0, 0.0, 0.0))
    board = table()
    for _ in range(3):
        assert eye(FLEETING).read(board).points == eye(flat).read(board).points


def test_whose_hand_was_where_since_the_last_reading_is_told_where_it_is_asked_for() -> None:
    board, one, silent = table(), eye(SHARP, tells_hands=True), eye(SHARP)
    board.do("dark", [Hover(2.0, over=1), MoveAway()])
    for tick in range(100):
        board.run_until(0.1 * tick)
        one.notice_hands(board)
    (reading, later, untold) = one.read(board), one.read(board), silent.read(board)
    assert reading.hands
    assert {hand.side for hand in reading.hands} == {"dark"}
    assert any(1 in hand.points for hand in reading.hands)
    assert later.hands == ()
    assert untold.hands is None
