"""Ways in which the game may have gone: how they are weighed, pruned, merged and carried on."""

from dataclasses import replace
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.referee.belief.branches import (
    Branch,
    Kind,
    Throw,
    differing_points,
    first_beam,
    grown,
    keep_latest,
    lawful,
    level,
    points_apart,
    prune,
    weights,
)
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Position, Roll, Side
from tests.referee.belief.looks import BESIDE, GOOD, WRONG, after, branches, hypothesis

LIGHT, DARK = Side.LIGHT, Side.DARK
REPLY = after((24, 23), side=DARK, of=GOOD)
scores = st.lists(st.floats(-60, 20), min_size=1, max_size=12)


def scored(numbers: list[float]) -> list[Branch]:
    """Branches with these log-weights, of which the last turn explains one half each."""
    first = first_beam(START, LIGHT)[0]
    return [replace(first, ply=at, base=score / 2, score=score) for at, score in enumerate(numbers)]


@given(scores)
def test_weights_sum_to_one_and_follow_the_scores(numbers: list[float]) -> None:
    shares = weights(scored(numbers))
    assert sum(shares) == pytest.approx(1)
    for one, share in zip(numbers, shares, strict=True):
        assert share == pytest.approx(
            shares[0] * 2.718281828459045 ** (one - numbers[0]), rel=1e-6, abs=1e-12
        )


@given(scores, st.floats(-1000, 1000))
def test_where_scores_are_counted_from_changes_no_weight(numbers: list[float], shift: float) -> None:
    beam = scored(numbers)
    moved = [replace(each, score=each.score + shift) for each in beam]
    assert weights(moved) == pytest.approx(weights(beam), abs=1e-6)
    levelled = level(beam)
    assert weights(levelled) == pytest.approx(weights(beam))
    assert max(each.score for each in levelled) == 0
    for one, other in zip(beam, levelled, strict=True):
        assert one.score - one.base == pytest.approx(other.score - other.base)


@given(scores, st.integers(1, 12), st.floats(0, 30))
def test_pruned_are_the_best_and_none_is_much_worse(numbers: list[float], most: int, within: float) -> None:
    kept = prune(scored(numbers), most, within)
    found = [each.score for each in kept]
    assert found == sorted(numbers, reverse=True)[: len(found)]
    assert 1 <= len(found) <= most
    assert found[-1] >= max(numbers) - within
    if len(found) < min(most, len(numbers)):
        assert sorted(numbers, reverse=True)[len(found)] < max(numbers) - within


def test_equal_courses_become_one_and_add_their_weights() -> None:
    """Two explanations of an older turn, after which the same was played."""
    legal = (hypothesis(after=GOOD), hypothesis(after=REPLY, before=GOOD, side=DARK, ply=1))
    illegal = (replace(legal[0], kind=Kind.ILLEGAL), legal[1])
    other = (legal[0], replace(legal[1], after=GOOD))
    beam = branches((legal, 0.3), (illegal, 0.2), (other, 0.5))
    kept = keep_latest(beam, 1)
    assert [len(each.history) for each in kept] == [1, 1]
    assert weights(kept) == pytest.approx([0.5, 0.5])
    assert {each.position for each in kept} == {REPLY, GOOD}


@given(
    st.lists(st.tuples(st.integers(0, 2), st.floats(0.01, 1.0)), min_size=1, max_size=8), st.integers(0, 2)
)
def test_what_older_turns_were_is_forgotten_and_what_the_board_may_be_is_not(
    made: list[tuple[int, float]], number: int
) -> None:
    ends = (GOOD, BESIDE, WRONG)
    beam = branches(
        *(
            ((hypothesis(after=ends[at]), hypothesis(Kind.VOID, ends[at], ends[at], ply=1)), share)
            for at, share in made
        )
    )
    kept = keep_latest(beam, number)
    assert all(len(each.history) == number for each in kept)
    for end in ends:
        before = sum(s for each, s in zip(beam, weights(beam), strict=True) if each.position == end)
        now = sum(s for each, s in zip(kept, weights(kept), strict=True) if each.position == end)
        assert now == pytest.approx(before)
    assert len({(each.position, each.last.key if each.history else None) for each in kept}) == len(kept)
    assert [each.score for each in kept] == sorted((each.score for each in kept), reverse=True)


def test_a_merged_course_explains_the_last_turn_as_well_as_before() -> None:
    turns = (hypothesis(), hypothesis(after=REPLY, before=GOOD, side=DARK, ply=1, prior=-2.0))
    beam = branches((turns, 0.5), (turns, 0.25))
    beam = tuple(replace(each, base=each.score - 3.0, fit=-1.0) for each in beam)
    kept = keep_latest(beam, 1)[0]
    assert kept.score - kept.base == pytest.approx(3.0)
    assert kept.score == pytest.approx(log(0.75))


def test_a_turn_goes_to_the_other_side_and_a_void_roll_does_not() -> None:
    start = first_beam(START, LIGHT, 4)[0]
    played = grown(start, hypothesis(ply=4, prior=-1.0), -2.0)
    assert (played.position, played.lies, played.side, played.ply) == (GOOD, GOOD, DARK, 5)
    assert (played.base, played.fit, played.score) == (0.0, -2.0, -3.0)
    void = grown(start, hypothesis(Kind.VOID, START, ply=4), 0.0)
    assert (void.position, void.side, void.ply) == (START, LIGHT, 4)
    none = grown(start, hypothesis(Kind.NONE, START, ply=4), 0.0)
    assert (none.side, none.ply) == (LIGHT, 4)
    twice = hypothesis(ply=4, then=hypothesis(after=REPLY, before=GOOD, side=DARK, ply=5))
    both = grown(start, twice, 0.0)
    assert (both.position, both.side, both.ply) == (REPLY, LIGHT, 6)


def test_displaced_checkers_lie_otherwise_than_the_play_left_them() -> None:
    pushed = hypothesis(lies=REPLY)
    assert (pushed.after, pushed.end) == (GOOD, REPLY)
    assert pushed.displaced == (1, 2)
    branch = grown(first_beam(START, LIGHT)[0], pushed, 0.0)
    assert (branch.position, branch.lies) == (GOOD, REPLY)
    assert hypothesis().displaced == ()


def test_a_turn_is_idle_where_nothing_moved_that_could_have() -> None:
    assert hypothesis(Kind.VOID, START).is_idle
    assert hypothesis(Kind.ILLEGAL, START).is_idle
    assert not hypothesis(Kind.LEGAL, START).is_idle
    assert not hypothesis(Kind.VOID, START, lies=after((24, 23))).is_idle
    assert hypothesis(pushed_from=BESIDE).origin == BESIDE
    assert hypothesis().origin == START


def test_likely_rolls_come_first_and_only_those_that_are_near() -> None:
    throw = Throw({Roll(3, 1): -1.0, Roll(4, 1): -0.5, Roll(6, 6): -9.0, Roll(2, 1): -1.0}, {}, 1.0)
    assert throw.likely(1.0) == [Roll(4, 1), Roll(2, 1), Roll(3, 1)]
    assert throw.likely(20.0)[-1] == Roll(6, 6)
    assert throw.likely(20.0, 2) == [Roll(4, 1), Roll(2, 1)]
    assert throw.likely(0.0) == [Roll(4, 1)]


def test_who_is_on_turn_rolled_whatever_else_was_thought() -> None:
    throw = Throw({Roll(3, 1): 0.0}, {LIGHT: -0.5, DARK: -1.0}, 1.0)
    assert throw.sides_from(first_beam(START, DARK)[0]) == {DARK: 0.0}
    assert throw.sides_from(first_beam(START, None)[0]) == throw.sides


def test_legal_results_are_those_of_the_rules() -> None:
    assert set(lawful(START, LIGHT, Roll(3, 1))) == {
        play.after for play in legal_plays(START, LIGHT, Roll(3, 1))
    }
    shut = Position.from_counts([0] * 18 + [-2] * 6, 1, 0)
    assert lawful(shut, LIGHT, Roll(3, 1)) == (shut,)


def test_boards_differ_by_so_many_checkers_on_each_point() -> None:
    assert points_apart(START, GOOD) == {5: 2, 6: 1, 8: 1}
    assert differing_points(START, GOOD) == (5, 6, 8)
    assert differing_points(GOOD, GOOD) == ()
