"""What befalls honest players: each accident does what it says, and the play is what it was."""

import numpy as np

from controller.rules.position import START, Position, Roll, Side
from controller.simulation.boards.chance import random_setting
from controller.simulation.boards.scenes import random_position
from controller.simulation.players.carrying import Carry
from controller.simulation.players.temperament import Temperament
from controller.simulation.tabletop.gestures import Gesture
from controller.simulation.tabletop.tabletop import Tabletop
from tests.demo.accidents import Accident, TwoGoes, drop, slips_of, try_in_vain
from tests.demo.measured_player import MeasuredIntent, MeasuredPlayer
from tests.rows import each_row

LONG = 1000.0
SETTING = random_setting(np.random.default_rng(4), (640, 480))
PLAYED = Position.from_compact("b...BD.B...eE...c.e....B..")
CALM = Temperament("calm")


def boards(board: Tabletop, goes: TwoGoes | None) -> list[Position]:
    """How the board lies before, between and after the goes of a hand, which is away then."""
    assert goes is not None
    seen = [board.checkers.position()]
    for go in goes:
        board.do("light", go)
        board.run_until(board.t + LONG)
        assert not board.moving
        seen.append(board.checkers.position())
    return seen


def table(position: Position = START) -> Tabletop:
    return Tabletop(SETTING, position, np.random.default_rng(1))


@each_row("seed", range(20))
def test_when_the_board_is_knocked_one_checker_of_each_side_slips_to_the_point_beside(seed: int) -> None:
    rng = np.random.default_rng(seed)
    position = random_position(rng)
    board = table(position)
    slips = slips_of(position, rng)
    for slip in slips:
        assert isinstance(slip.start, int)
        assert isinstance(slip.end, int)
        assert abs(slip.start - slip.end) == 1
        board.checkers.slip(slip.start, slip.end, slip.colour)
    assert len({slip.colour for slip in slips}) == len(slips)
    after = board.checkers.position()
    assert not board.moving
    for side in Side:
        moved = sum(
            abs(after.checkers(side, point) - position.checkers(side, point)) for point in range(1, 25)
        )
        assert moved == 2 * any(slip.colour == str(side) for slip in slips)
        assert (after.bar(side), after.off(side)) == (position.bar(side), position.off(side))


def test_a_dropped_checker_lies_elsewhere_with_the_hand_away_and_comes_to_its_place() -> None:
    end = Position.from_compact("b...AE.B...eE...c.e....B..")
    goes = drop(Carry("light", 8, 5), START, PLAYED, np.random.default_rng(2))
    first, astray, last = boards(table(), goes)
    assert first == START
    assert astray.checkers(Side.LIGHT, 8) == 2
    assert astray.checkers(Side.LIGHT, 5) == 0
    assert astray.points != last.points
    assert last.checkers(Side.LIGHT, 5) == 1
    assert last.pips(Side.LIGHT) == START.pips(Side.LIGHT) - 3
    assert last.checkers(Side.LIGHT, 6) == end.checkers(Side.LIGHT, 6)


def test_a_checker_that_is_borne_off_is_not_dropped() -> None:
    assert drop(Carry("light", 3, "off"), START, START, np.random.default_rng(2)) is None


@each_row("seed", range(10))
@each_row(("roll", "made_up"), [(Roll.from_dice(3, 1), {1, 3, 4}), (Roll.from_dice(2, 2), {2, 4, 6, 8})])
def test_a_play_that_is_tried_goes_where_no_number_leads_and_is_taken_back(
    roll: Roll, made_up: set[int], seed: int
) -> None:
    goes = try_in_vain(START, Side.LIGHT, roll.numbers, np.random.default_rng(seed))
    before, tried, after = boards(table(), goes)
    assert before == after == START
    distance = START.pips(Side.LIGHT) - tried.pips(Side.LIGHT)
    assert 0 < distance <= 6
    assert distance not in made_up


def test_nothing_is_tried_with_a_checker_on_the_bar() -> None:
    on_bar = Position.from_compact("b....E.C...eE...c.e....AA.")
    assert not try_in_vain(on_bar, Side.LIGHT, (3, 1), np.random.default_rng(1))


@each_row("accident", [None, *Accident])
def test_whatever_befalls_a_turn_its_play_is_made(accident: Accident | None) -> None:
    board, player = table(), MeasuredPlayer(Side.LIGHT, CALM, np.random.default_rng(5), throws=True)
    deeds = player.play(MeasuredIntent(START, PLAYED, Roll.from_dice(3, 1), accident=accident))
    board.do("light", [deed for deed in deeds if isinstance(deed, Gesture)])
    board.run_until(LONG)
    assert board.checkers.position() == PLAYED
    assert not board.moving
