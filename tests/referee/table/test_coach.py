"""A learner is shown every step that leads to a complete legal play, and no other."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.devices.lights.frame import Place
from controller.referee.belief.emission import Bias, emission, learned
from controller.referee.belief.steps import shift_checker
from controller.referee.seeing.evidence import Evidence, evidence_of
from controller.referee.table.coach import PartialPlay, Ways, ways
from controller.rules import packed
from controller.rules.moves.movement import LargerDie, MaxDice, MovementRules
from controller.rules.moves.plays import results
from controller.rules.position import START, Position, Roll, Side
from tests.referee.staging import Film
from tests.rules import reference
from tests.rules.strategies import positions, rolls, sides

LIGHT, DARK = Side.LIGHT, Side.DARK
OTHER_RULES = (
    MovementRules(max_dice=MaxDice.ADVISORY),
    MovementRules(larger_die=LargerDie.NOT_STATED),
    MovementRules(max_stack=5),
    MovementRules(landing_blocked_at=1),
)


def board(position: Position, side: Side) -> reference.Board:
    return tuple(count - packed.EMPTY for count in packed.view(position.code, dark=side is DARK))


def on_the_way(position: Position, side: Side, roll: Roll) -> set[reference.Board]:
    """Every board on the way to a complete legal play, found the plain way."""
    start = board(position, side)
    ends = reference.results(start, roll.high, roll.low)
    found: set[reference.Board] = {start}

    def leads(now: reference.Board, dice: list[int]) -> bool:
        after = [leads(each, dice[1:]) for each in reference.steps(now, dice[0])] if dice else []
        if now in ends or any(after):
            found.add(now)
            return True
        return False

    for order in {roll.numbers, roll.numbers[::-1]}:
        leads(start, list(order))
    return found


def completions(course: Ways, stage: PartialPlay) -> set[Position]:
    """The ends that can be reached from a stage by the steps shown."""
    seen, waiting = {stage.position}, [stage]
    while waiting:
        for _, after in course.steps(waiting.pop()):
            if after.position not in seen:
                seen.add(after.position)
                waiting.append(after)
    return {position for position in seen if getattr(course.stage(position), "complete", False)}


@given(positions(), sides, rolls)
def test_the_stages_are_those_from_which_a_legal_play_can_be_completed(
    position: Position, side: Side, roll: Roll
) -> None:
    course = ways(position, side, roll)
    assert course.stages[0].position == position
    assert {board(stage.position, side) for stage in course.stages} == on_the_way(position, side, roll)


@settings(max_examples=60)
@given(positions(), sides, rolls, st.sampled_from((MovementRules(), *OTHER_RULES)))
def test_every_legal_play_is_reached_by_the_steps_shown_and_nothing_else_is_an_end(
    position: Position, side: Side, roll: Roll, rules: MovementRules
) -> None:
    course = ways(position, side, roll, rules)
    lawful = {Position(code) for code in results(position, side, roll, rules)[0]}
    assert completions(course, course.stages[0]) == lawful
    assert {stage.position for stage in course.stages if stage.complete} == lawful
    for stage in course.stages:
        assert completions(course, stage)


@settings(max_examples=60)
@given(positions(), sides, rolls, st.integers(0, 2**32))
def test_every_landing_of_a_movable_checker_is_a_stage(
    position: Position, side: Side, roll: Roll, seed: int
) -> None:
    course = ways(position, side, roll)
    stage = Random(seed).choice(course.stages)
    for source in course.movable(stage):
        assert course.landings(stage, source)
        for target in course.landings(stage, source):
            gone = own(stage.position, side)
            gone[source] -= 1
            gone[target] = gone.get(target, 0) + 1
            assert any(own(each.position, side) == gone for each in course.stages)
    for place in {*range(1, 25), f"bar-{side}"} - course.movable(stage):
        assert not course.landings(stage, place)


def own(position: Position, side: Side) -> dict[Place, int]:
    """A side's checkers by the places of the lights."""
    counts: dict[Place, int] = {point: position.checkers(side, point) for point in range(1, 25)}
    return {**counts, f"bar-{side}": position.bar(side), f"tray-{side}": position.off(side)}


@given(positions(), sides, rolls)
def test_the_moves_of_a_stage_lead_there(position: Position, side: Side, roll: Roll) -> None:
    for stage in ways(position, side, roll).stages:
        at = position
        for move in stage.play:
            at = shift_checker(at, side, move.source, move.target)
        assert at == stage.position


def test_a_checker_may_run_with_both_numbers_at_once() -> None:
    course = ways(START, LIGHT, Roll(6, 5))
    assert course.landings(course.stages[0], 24) == {18, 13}


def test_dark_is_shown_its_landing_points_where_the_lights_are() -> None:
    course = ways(START, DARK, Roll(6, 5))
    assert course.landings(course.stages[0], 1) == {7, 12}


def test_a_step_after_which_a_number_that_must_be_played_could_not_be_is_not_shown() -> None:
    course = ways(Position.from_compact("b...A..A.................."), LIGHT, Roll(6, 1))
    assert course.landings(course.stages[0], 8) == {2}
    assert course.landings(course.stages[0], 5) == {4}


def test_the_smaller_number_is_not_shown_where_the_larger_must_be_played() -> None:
    course = ways(Position.from_compact(".b.......A................"), LIGHT, Roll(6, 2))
    assert course.landings(course.stages[0], 10) == {4}


def test_where_nothing_can_be_played_nothing_may_be_lifted() -> None:
    closed = Position.from_compact("..................bbbbbbA.")
    course = ways(closed, LIGHT, Roll(6, 3))
    assert course.stages[0].complete
    assert not course.movable(course.stages[0])


def test_bearing_off_lands_in_the_tray() -> None:
    course = ways(Position.from_compact("AAAAAA..............bb...."), LIGHT, Roll(6, 1))
    assert "tray-light" in course.landings(course.stages[0], 6)


def looked(position: Position, before: Position, seed: int, hidden: frozenset[int] = frozenset()) -> Evidence:
    """What two pictures of a position say, against one of how it lay before."""
    film = Film(Random(seed))
    earlier = evidence_of(film.read(before)).weighed()
    now = evidence_of(film.read(position, hidden=hidden))
    both = now.pooled(evidence_of(film.read(position, hidden=hidden))).weighed()
    known = learned(Bias.fresh(before), earlier, before, before, 15)
    return emission(both, earlier, before, known)


@settings(max_examples=40)
@given(rolls, sides, st.integers(0, 2**32))
def test_the_stage_that_lies_there_is_seen(roll: Roll, side: Side, seed: int) -> None:
    course = ways(START, side, roll)
    stage = Random(seed).choice(course.stages)
    seen = course.seen(looked(stage.position, START, seed), hand=False)
    assert seen is not None
    assert seen.stage == stage
    assert seen.lifted is None


@pytest.mark.parametrize(("source", "targets"), [(13, {10, 9}), (24, {23, 21, 20}), (6, {5, 3, 2})])
def test_the_checker_that_is_lifted_is_seen(source: int, targets: set[int]) -> None:
    course = ways(START, LIGHT, Roll(3, 1))
    bare = shift_checker(START, LIGHT, source, 0)
    seen = course.seen(looked(bare, START, source, hidden=frozenset({7, 8})), hand=True)
    assert seen is not None
    assert (seen.stage, seen.lifted) == (course.stages[0], source)
    assert course.landings(seen.stage, source) == targets


def test_a_checker_that_left_the_home_board_is_in_the_hand_or_borne_off() -> None:
    position = Position.from_compact("B.CC.B..............bb....")
    course = ways(position, LIGHT, Roll(6, 1))
    bare = shift_checker(position, LIGHT, 6, 0)
    film = Film(Random(4), tray_seen=False)
    lies = evidence_of(film.read(bare)).pooled(evidence_of(film.read(bare))).weighed()
    held, off = course.seen(lies, hand=True), course.seen(lies, hand=False)
    assert held is not None
    assert off is not None
    assert (held.stage.position, held.lifted) == (position, 6)
    assert (off.stage.position, off.lifted) == (bare, None)


def test_a_board_that_shows_no_way_to_play_the_roll_is_not_guessed_at() -> None:
    course = ways(START, LIGHT, Roll(3, 1))
    mess = Position.from_compact("b....E.C...eA...c.e..A.E..")
    assert course.seen(looked(mess, START, 7), hand=False) is None


def test_a_board_that_is_hidden_is_not_guessed_at() -> None:
    course = ways(START, LIGHT, Roll(3, 1))
    everything = frozenset(range(1, 25))
    film = Film(Random(1), tray_seen=False)
    lies = evidence_of(film.read(START, hidden=everything)).weighed()
    assert course.seen(lies, hand=True) is None
