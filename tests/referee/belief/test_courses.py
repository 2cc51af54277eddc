"""Doubles that follow the roll and are played in one go, without a picture between."""

from dataclasses import replace
from math import log

import pytest

from controller.referee.belief.branches import Branch, Kind, Throw, first_beam, lawful
from controller.referee.belief.courses import GO_ON, with_sequels
from controller.referee.belief.decision import Outcome
from controller.referee.belief.kinds import TurnCase
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from tests.referee.belief.looks import CAUTION, GOOD, after, rolled, turn, weighed

LIGHT = Side.LIGHT
NAMED = ((Roll(1, 1),), (Roll(2, 2),), (Roll(6, 6),))
"""Any of these may be named after a 2-1."""
TWO_ONE = after((13, 11), (6, 5))
WITH_ONES = after((8, 7), (8, 7), (6, 5), (6, 5), of=TWO_ONE)
WITH_TWOS = after((13, 11), (13, 11), (6, 4), (6, 4), of=TWO_ONE)


def found(board: Position, throw: Throw, least: float = -50.0) -> list[Branch]:
    return list(with_sequels(TurnCase(first_beam(START, LIGHT)[0], throw, turn(board), CAUTION), least))


@pytest.mark.parametrize(("end", "double"), [(WITH_ONES, Roll(1, 1)), (WITH_TWOS, Roll(2, 2))])
def test_the_double_that_was_named_is_told_by_the_board(end: Position, double: Roll) -> None:
    verdict = weighed(rolled(2, 1, sequels=NAMED), turn(end))
    assert verdict.outcome is Outcome.LEGAL
    assert [one.roll for one in verdict.entry.chain] == [Roll(2, 1), double]
    assert [one.ply for one in verdict.entry.chain] == [0, 1]
    assert verdict.entry.end == end
    assert all((one.side, one.kind) == (LIGHT, Kind.LEGAL) for one in verdict.entry.chain)


def test_a_line_of_doubles_is_played_one_after_the_other() -> None:
    line = ((Roll(1, 1), Roll(2, 2)),)
    end = after((13, 11), (13, 11), (6, 4), (6, 4), of=WITH_ONES)
    verdict = weighed(rolled(2, 1, sequels=line), turn(end))
    first, *further = verdict.entry.chain
    assert [one.roll for one in further] == [Roll(1, 1), Roll(2, 2)]
    assert [one.before for one in further] == [one.after for one in (first, further[0])]


def test_a_long_line_of_doubles_is_found_by_what_those_that_are_left_can_bring() -> None:
    """Thousands of boards lie on the way, and one in which few checkers lie otherwise need not lead to the end."""
    rules = load_profile("gul-bara").movement
    before = Position.from_compact("A.....aA.aafaAb..Aa..aaK..")
    end = Position.from_compact("Aa.abdaA....eAa..A.....K..")
    line = (Roll(3, 3), Roll(4, 4), Roll(5, 5), Roll(6, 6))
    throw = rolled(2, 2, Side.DARK, sequels=(line,))
    case = TurnCase(first_beam(before, Side.DARK)[0], throw, turn(end), replace(CAUTION, rules=rules))
    (only,) = with_sequels(case, -100.0)
    chain = only.last.chain
    assert [one.roll for one in chain] == [Roll(2, 2), *line]
    assert all(one.after in lawful(one.before, Side.DARK, one.roll, rules) for one in chain)
    assert only.lies == end


def test_playing_in_one_go_has_its_rate() -> None:
    (only,) = found(WITH_ONES, rolled(2, 1, sequels=((Roll(1, 1),),)))
    ways = sum(log(len(lawful(one.before, LIGHT, one.roll))) for one in only.last.chain)
    assert only.last.prior == pytest.approx(GO_ON.log - ways)
    assert GO_ON.share == 0.2
    assert not found(WITH_ONES, rolled(2, 1, sequels=((Roll(1, 1),),)), least=GO_ON.log + 0.1)


def test_without_doubles_that_follow_there_is_nothing_to_play_after_the_roll() -> None:
    assert not found(WITH_ONES, rolled(2, 1))


def test_a_board_that_the_doubles_do_not_lead_to_is_no_play_of_them() -> None:
    assert not found(GOOD, rolled(2, 1, sequels=NAMED))
    backwards = after((6, 7), of=WITH_ONES)
    assert not found(backwards, rolled(2, 1, sequels=NAMED))


def test_the_roll_alone_is_still_a_legal_play() -> None:
    verdict = weighed(rolled(2, 1, sequels=NAMED), turn(TWO_ONE))
    assert verdict.outcome is Outcome.LEGAL
    assert verdict.entry.then is None
    assert verdict.entry.end == TWO_ONE
