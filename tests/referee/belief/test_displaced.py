"""Checkers that somebody displaced: by a bump, by the side not on turn, or by somebody else than the player."""

from math import exp, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.referee.belief import rates
from controller.referee.belief.displaced import AT_BEST, Displacement, displacements
from controller.referee.belief.steps import count
from controller.rules.position import START, Position, Side
from tests.referee.belief.looks import GOOD, after

LIGHT, DARK = Side.LIGHT, Side.DARK


def ways(board: Position, mover: Side = LIGHT, end: Position = GOOD) -> dict[Side | None, float]:
    """Who may have made that of the end of light's turn, and how probable that is."""
    return {one.by: one.prior for one in displacements([end], [board], mover)}


def test_a_checker_of_the_side_not_on_turn_that_went_far_was_pushed_by_it() -> None:
    assert ways(after((24, 20), side=DARK, of=START), end=START, mover=LIGHT) == {DARK: rates.PUSHED.log}


def test_a_checker_that_slipped_to_the_next_point_may_have_been_bumped_as_well() -> None:
    assert ways(after((24, 23), side=DARK, of=GOOD)) == {
        None: pytest.approx(rates.BUMPED.log + log(2 / 60)),
        DARK: pytest.approx(rates.PUSHED.log),
        LIGHT: pytest.approx(rates.BRUSHED.log + log(2 / 60)),
    }


def test_a_sleeve_of_the_player_brushes_against_checkers_of_the_others_or_its_own_slip_is_another_play() -> (
    None
):
    assert LIGHT not in ways(after((13, 14), of=GOOD))
    assert LIGHT not in ways(after((24, 22), side=DARK, of=GOOD))


def test_a_bump_of_one_checker_of_each_side_is_the_deed_of_nobody_or_of_a_sleeve() -> None:
    """Either of dark's two may have slipped, and any of light's five; and it does not matter which one came first."""
    bumped = after((24, 23), side=DARK, of=after((13, 14), of=GOOD))
    assert ways(bumped) == {
        None: pytest.approx(rates.BUMPED.log + log(2 * 2 * 5 / 60**2)),
        LIGHT: pytest.approx(rates.BRUSHED.log + log(2 * 2 * 5 / 60**2)),
    }


def test_any_of_the_checkers_on_a_point_may_have_slipped() -> None:
    def slip(number: int, slipped: int) -> float:
        lay, lies = [0] * 24, [0] * 24
        lay[9] = number
        lies[9], lies[10] = number - slipped, slipped
        return ways(Position.from_counts(lies), end=Position.from_counts(lay))[None]

    assert slip(5, 1) == pytest.approx(slip(1, 1) + log(5))
    assert slip(5, 2) == pytest.approx(rates.BUMPED.log + log(10 * 2 / 60**2))
    assert slip(15, 1) <= AT_BEST


def test_the_boards_to_which_one_slip_may_lead_share_most_of_its_rate() -> None:
    """The rest are slips onto points that the other side holds, or off the ends."""
    for start in (START, GOOD):
        places = [(side, point) for side in Side for point in range(2, 24) if count(start, side, point) > 0]
        slipped = {
            after((point, target), of=start, side=side)
            for side, point in places
            for target in (point - 1, point + 1)
            if count(start, side, target) >= 0
        }
        shares = [exp(ways(board, end=start)[None]) for board in slipped]
        assert rates.BUMPED.share / 2 < sum(shares) <= rates.BUMPED.share


def test_a_checker_of_the_players_was_displaced_by_somebody_else_only_now_and_then() -> None:
    own = ways(after((24, 20), of=GOOD))
    assert own == {DARK: rates.PUSHED_OWN.log}
    assert own[DARK] < rates.PUSHED.log - 4


def test_each_further_checker_that_was_pushed_makes_it_rarer() -> None:
    one = ways(after((24, 22), side=DARK, of=GOOD))[DARK]
    two = ways(after((24, 22), (6, 4), side=DARK, of=GOOD))[DARK]
    three = ways(after((24, 22), (6, 4), (8, 3), side=DARK, of=GOOD))[DARK]
    assert one - two == pytest.approx(two - three) == pytest.approx(-rates.PUSHED_CHECKER.log)
    assert ways(after((24, 22), (6, 4), (8, 3), (13, 11), side=DARK, of=GOOD)) == {}


def test_a_checker_slips_over_the_bar_or_the_rim_more_rarely_than_to_the_point_beside_it() -> None:
    def slip(source: int, target: int) -> float:
        lone, moved = [0] * 24, [0] * 24
        lone[source - 1] = 2
        moved[source - 1] = moved[target - 1] = 1
        return ways(Position.from_counts(moved), end=Position.from_counts(lone))[None]

    within = slip(4, 5)
    for source, target in ((6, 7), (13, 12), (18, 19)):
        assert slip(source, target) == pytest.approx(within + rates.OVER_EDGE.log)


def test_a_knock_that_is_hard_enough_for_one_checker_to_go_over_an_edge_sends_others_over_it_too() -> None:
    def slips(*steps: tuple[int, int]) -> float:
        lone, moved = [0] * 24, [0] * 24
        for source, target in steps:
            lone[source - 1] = moved[target - 1] = 1
        return ways(Position.from_counts(moved), end=Position.from_counts(lone))[None]

    within = slips((3, 4), (9, 10))
    assert slips((6, 7), (9, 10)) == pytest.approx(within + rates.OVER_EDGE.log)
    assert slips((6, 7), (13, 12)) == pytest.approx(within + rates.OVER_EDGE.log)


def test_what_lies_as_the_play_left_it_was_not_displaced_and_a_checker_that_is_gone_is_something_else() -> (
    None
):
    assert ways(GOOD) == {}
    assert ways(after((6, 0), of=GOOD)) == {}
    assert list(displacements([], [GOOD], LIGHT)) == list(displacements([GOOD], [], LIGHT)) == []


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([*Side]), st.integers(2, 24), st.integers(1, 5)), max_size=4))
def test_whoever_displaced_it_no_checker_comes_or_goes(moves: list[tuple[Side, int, int]]) -> None:
    board = GOOD
    for side, source, distance in moves:
        target = source - distance
        if target >= 1 and count(board, side, source) > 0 and count(board, side, target) >= 0:
            board = after((source, target), of=board, side=side)
    for mover in Side:
        for one in displacements([GOOD, START], [board], mover):
            assert isinstance(one, Displacement)
            assert all(one.board.off(side) == one.end.off(side) for side in Side)
            assert one.board == board != one.end
            assert one.prior < -6
            assert one.prior <= AT_BEST
