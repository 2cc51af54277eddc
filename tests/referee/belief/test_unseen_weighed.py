"""What turns and rolls that nobody saw weigh against each other, and which of them are thought of at all."""

from dataclasses import replace
from math import log

import pytest

from controller.referee.belief import rates
from controller.referee.belief.branches import (
    Branch,
    EndedBy,
    Hypothesis,
    Kind,
    Throw,
    TurnLook,
    first_beam,
    grown,
    lawful,
)
from controller.referee.belief.kinds import TurnCase
from controller.referee.belief.unseen import finished_late, one_turn, turns_unseen
from controller.rules.position import START, Position, Roll, Side
from tests.referee.belief.looks import (
    CAUTION,
    GOOD,
    after,
    boards,
    by_camera,
    hypothesis,
    look,
    rolled,
    seen,
    turn,
)
from tests.rows import each_row

LIGHT, DARK = Side.LIGHT, Side.DARK
REPLY = after((8, 4), (6, 4), side=DARK, of=GOOD)
"""Dark's 4-2 after light's 3-1."""
BEGUN = after((8, 5))
"""The 3 of light's 3-1."""
SEEMED = after((24, 18))
"""The 6 of light's 6-4, when its 4 was still read as a 3."""
RUN = after((24, 14))
"""All of that 6-4."""
FIRST = after((13, 8), (13, 11))
"""Light's 5-2."""
SECOND = after((13, 8), (6, 5), side=DARK, of=FIRST)
"""Dark's 5-1 after that."""
THIRD = after((24, 21), (24, 23), of=SECOND)
"""Light's 3-1 after that."""
BOTH = {LIGHT: log(0.25), DARK: log(0.75)}
"""Dark rolled, three to one."""
UNSURE = dict.fromkeys(range(-15, 16), 0.0)
"""A reader that cannot say how many checkers lie on a point."""


def case_of(branch: Branch, throw: Throw, shown: TurnLook) -> TurnCase:
    return TurnCase(branch, throw, shown, CAUTION)


def begun(*, fit: float = 0.0, **changed: object) -> Branch:
    """Light's 3-1 was rolled, and its 3 played, when the next roll came."""
    made = hypothesis(Kind.UNFINISHED, BEGUN, prior=-2.0)
    return grown(first_beam(START, LIGHT)[0], replace(made, **changed), fit)  # type: ignore[arg-type]


def waiting(**changed: object) -> Branch:
    """Light's 3-1 was rolled, and nothing was played, when the next roll came."""
    return begun(**{"kind": Kind.VOID, "after": START, **changed})  # type: ignore[arg-type]


def seemed(*, fit: float = 0.0, **changed: object) -> Branch:
    """Light's roll was read as a 6-3, and its 6 played, when a 6-4 was read."""
    made = hypothesis(Kind.UNFINISHED, SEEMED, roll=Roll(6, 3))
    return grown(first_beam(START, LIGHT)[0], replace(made, **changed), fit)  # type: ignore[arg-type]


def sum_of(found: list[Branch], *course: Position) -> float:
    """The best score of the branches whose turns left these boards."""
    return max(branch.score for branch in found if boards(branch) == list(course))


# Plays that were finished late.


def finished(branch: Branch, shown: TurnLook, throw: Throw | None = None) -> list[Branch]:
    return list(finished_late(case_of(branch, throw or rolled(4, 2, DARK), shown), -50.0))


def test_a_roll_of_which_nothing_was_played_is_played_after_the_next() -> None:
    found = finished(waiting(fit=-0.5), turn(REPLY, still_s=2.0))
    ends = lawful(START, LIGHT, Roll(3, 1))
    assert GOOD in {branch.history[0].after for branch in found}
    late = [branch.history[0].prior for branch in found]
    assert late == pytest.approx([-0.5 + rates.early_prior(2.0) - log(len(ends))] * len(late))


def test_in_the_opening_either_side_may_have_begun_the_play_with_half_the_chance() -> None:
    known, opening = (
        sum_of(finished(begun(side=side), turn(REPLY, BEGUN)), GOOD, REPLY) for side in (LIGHT, None)
    )
    assert known - opening == pytest.approx(log(2))


def test_a_roll_that_allows_no_play_is_not_finished_late() -> None:
    home = dict.fromkeys(range(19, 25), -2)
    shut = Position.from_counts([home.get(point, 0) for point in range(1, 25)], bar_light=1)
    assert lawful(shut, LIGHT, Roll(3, 1)) == (shut,)
    assert not finished(waiting(before=shut, after=shut), turn(shut, shut))


def test_who_finished_late_has_not_rolled_next() -> None:
    throw = replace(rolled(4, 2), sides=BOTH)
    found = finished(begun(), turn(REPLY, BEGUN), throw)
    then = [branch.last for branch in found if branch.last.kind is not Kind.VOID]
    assert {one.side for one in then} == {DARK}


def test_who_rolled_next_weighs_what_a_late_end_is_worth() -> None:
    throw = replace(rolled(4, 2), sides=BOTH)
    plain, shared = (
        sum_of(finished(begun(), turn(REPLY, BEGUN), each), GOOD, REPLY) for each in (None, throw)
    )
    assert shared - plain == pytest.approx(log(0.75))


def test_the_late_ends_that_look_most_like_the_board_are_kept() -> None:
    assert len(lawful(START, LIGHT, Roll(3, 1))) > 12
    for end in lawful(START, LIGHT, Roll(3, 1)):
        ended = {branch.history[0].after for branch in finished(waiting(), turn(end))}
        assert end in ended


def test_late_ends_that_nothing_tells_apart_are_all_thought_of() -> None:
    hidden = look(GOOD, opinions=dict.fromkeys((4, 5, 6, 8), UNSURE))
    ended = {branch.history[0].after for branch in finished(waiting(), turn(hidden))}
    assert {GOOD, after((8, 5), (5, 4))} <= ended


def test_a_turn_that_is_finished_late_takes_the_place_of_the_one_that_was_begun() -> None:
    for branch in finished(begun(fit=-0.5), turn(REPLY, BEGUN)):
        first, then = branch.history
        assert branch.score == pytest.approx(first.prior + then.prior + branch.fit)


def test_late_ends_are_not_worked_out_where_all_is_explained() -> None:
    for branch in (begun(), waiting()):
        case = case_of(branch, rolled(4, 2, DARK), turn(REPLY, BEGUN))
        assert not list(finished_late(case, rates.EARLY.log + 0.1))
        assert list(finished_late(case, rates.EARLY.log - 0.1))


# Rolls that were none.


def one(branch: Branch, shown: TurnLook, throw: Throw | None = None) -> list[Branch]:
    return list(one_turn(case_of(branch, throw or by_camera(6, 4, DARK), shown), -50.0))


def test_rolls_that_were_none_are_not_worked_out_where_all_is_explained() -> None:
    case = case_of(seemed(), by_camera(6, 4, DARK), turn(RUN, SEEMED))
    assert not list(one_turn(case, rates.NO_ROLL.log + 0.1))
    assert list(one_turn(case, rates.NO_ROLL.log - 0.1))


def test_only_a_turn_whose_side_and_board_are_known_goes_on_after_a_roll_that_was_none() -> None:
    assert one(seemed(), turn(RUN, SEEMED))
    displaced, unknown = seemed(lies=GOOD), seemed(side=None)
    chained = seemed(then=hypothesis(before=SEEMED, side=DARK, ply=1))
    for branch in (displaced, unknown, chained):
        assert not one(branch, turn(RUN, SEEMED))


def test_what_spoke_for_the_board_before_still_does_where_the_roll_was_none() -> None:
    sharp, dim = (sum_of(one(seemed(fit=fit), turn(RUN, SEEMED)), START, RUN) for fit in (0.0, -3.0))
    assert sharp - dim == pytest.approx(3.0)


def test_what_was_seen_last_may_have_been_no_die_and_the_first_roll_right() -> None:
    end = after((24, 18), (13, 10))
    found = one(seemed(), turn(end, SEEMED))
    made = max(found, key=lambda branch: branch.score).last
    assert (made.roll, made.after) == (Roll(6, 3), end)
    assert made.prior == pytest.approx(-8.0 - log(ends_from(Roll(6, 3))))


def ends_from(roll: Roll, middle: Position = SEEMED) -> int:
    """In how many ways light's ``roll`` goes on from its 6."""
    left = roll.low
    return sum(end in lawful(START, LIGHT, roll) for end in set(one_step(middle, left)))


def one_step(of: Position, die: int) -> list[Position]:
    """Every board a checker of light's one step further, whether or not that step is legal."""
    return [
        after((point, point - die), of=of)
        for point in range(die + 1, 25)
        if of.points[point - 1] > 0 and of.points[point - die - 1] > -2
    ]


def test_each_end_of_a_roll_that_goes_on_is_alike() -> None:
    found = [branch.last for branch in one(seemed(), turn(RUN, SEEMED)) if branch.last.roll == Roll(6, 4)]
    ends = ends_from(Roll(6, 4))
    assert len(found) == min(ends, 12)
    assert [made.prior for made in found] == pytest.approx([-log(ends)] * len(found))


def test_a_roll_that_goes_on_keeps_what_was_played_of_it() -> None:
    for branch in one(seemed(), turn(RUN, SEEMED)):
        made = branch.last
        assert made.after in one_step(SEEMED, made.roll.low)


def test_each_number_that_the_die_may_show_is_tried_the_likelier_first() -> None:
    rolls = {Roll(6, 4): log(0.95), Roll(6, 2): log(0.05)}
    throw = replace(by_camera(6, 4, DARK), rolls=rolls)
    for low in (4, 2):
        end = after((24, 18), (13, 13 - low))
        best = one(seemed(), turn(end, SEEMED), throw)[0].last
        assert (best.roll, best.after) == (Roll(6, low), end)


def test_ends_of_the_one_turn_that_nothing_tells_apart_are_all_kept() -> None:
    either = look(RUN, opinions=dict.fromkeys((9, 13, 14, 18), UNSURE))
    ended = {branch.last.after for branch in one(seemed(), turn(either, SEEMED))}
    assert {RUN, after((24, 18), (13, 9))} <= ended


# Turns of which nothing but the board tells.


def unseen(
    shown: TurnLook, throw: Throw | None = None, branch: Branch | None = None, least: float = -80.0
) -> list[Branch]:
    """What is thought of after a roll of light's from the start."""
    start = branch or first_beam(START, LIGHT)[0]
    return list(turns_unseen(case_of(start, throw or by_camera(3, 1), shown), least))


def before(end: Position, *pauses: Position) -> TurnLook:
    """The board lay still in these ways before the dice came to lie."""
    return turn(end, before=tuple(seen(board) for board in pauses))


def test_two_turns_in_a_row_may_go_by_unseen_each_ended_in_a_moment_of_its_own() -> None:
    found = unseen(before(THIRD, FIRST, SECOND))
    best = max(found, key=lambda branch: branch.score)
    assert boards(best) == [FIRST, SECOND, THIRD]
    assert [made.side for made in best.last.chain] == [LIGHT, DARK, LIGHT]
    assert [made.ply for made in best.last.chain] == [0, 1, 2]


def test_no_two_turns_ended_in_the_same_moment_and_none_in_an_earlier_one() -> None:
    for pauses in ((SECOND,), (SECOND, FIRST)):
        courses = [boards(branch) for branch in unseen(before(THIRD, *pauses))]
        assert [FIRST, SECOND, THIRD] not in courses
    assert max(len(boards(branch)) for branch in unseen(before(THIRD, SECOND))) == 2


def test_three_turns_in_a_row_do_not_go_by_unseen() -> None:
    fourth = after((13, 7), side=DARK, of=THIRD)
    courses = [boards(branch) for branch in unseen(before(fourth, FIRST, SECOND, THIRD), by_camera(4, 2))]
    assert max(map(len, courses)) == 3


def test_the_latest_moments_tell_where_the_board_lay_still_often() -> None:
    """Hands that come and go over a board on which nothing changes make many such moments."""
    still = [START] * 8
    end = after((24, 21), (24, 23), side=DARK, of=FIRST)
    shown = before(end, *still, FIRST)
    assert boards(max(unseen(shown), key=lambda branch: branch.score)) == [FIRST, end]
    gone = turn(REPLY, pauses=tuple(seen(board) for board in (*still, GOOD)))
    plain = turn(REPLY, pauses=(seen(GOOD),))
    throw = by_camera(3, 1, stayed=False)
    assert sum_of(unseen(gone, throw), GOOD, REPLY) == pytest.approx(
        sum_of(unseen(plain, throw), GOOD, REPLY)
    )


def test_how_the_board_looked_in_the_moment_between_counts() -> None:
    end = after((24, 21), (24, 23), side=DARK, of=FIRST)
    shown, blurred = (
        sum_of(unseen(turn(end, before=(moment,))), FIRST, end)
        for moment in (seen(FIRST), look(FIRST, opinions={13: {3: -2.0, 4: 0.0}}))
    )
    assert shown - blurred > 1


@each_row("throw, rate", [(by_camera(3, 1), rates.MISSED_TURN), (rolled(3, 1), rates.MISSED_REPORT)])
def test_a_turn_before_the_roll_is_weighed_by_its_rate_and_its_roll(throw: Throw, rate: rates.Rate) -> None:
    """Dice that report themselves are missed more seldom than dice that a camera has to see."""
    end = after((24, 21), (24, 23), side=DARK, of=FIRST)
    found = unseen(before(end, FIRST), throw)
    plays = [len(lawful(START, LIGHT, Roll(5, 2))), len(lawful(FIRST, DARK, Roll(3, 1)))]
    prior = rate.log + log(2 / 36) - log(plays[0]) - log(plays[1])
    assert max(found, key=lambda branch: branch.score).last.prior == pytest.approx(prior)


def test_unseen_plays_that_nothing_tells_apart_are_all_thought_of() -> None:
    end = after((24, 21), (24, 23), side=DARK, of=FIRST)
    dim = dict.fromkeys((4, 6, 8, 11, 13), UNSURE)
    found = unseen(turn(look(end, opinions=dim), before=(look(FIRST, opinions=dim),)))
    assert len({boards(branch)[0] for branch in found if boards(branch)[0] != START}) > 1


def test_the_likeliest_of_the_plays_that_look_alike_is_thought_of_first() -> None:
    throw = replace(by_camera(3, 1), rolls={Roll(3, 1): log(0.999), Roll(2, 1): log(0.001)}, stayed=False)
    found = unseen(turn(look(REPLY, opinions=dict.fromkeys(range(1, 25), UNSURE))), throw)
    assert {made.last.roll for made in found if made.last.kind is Kind.LEGAL} == {Roll(3, 1)}


def test_a_turn_is_said_to_be_unseen_whose_dice_nobody_saw_and_no_other() -> None:
    found = unseen(turn(REPLY, pauses=(seen(GOOD),)), by_camera(3, 1, stayed=False))
    best = max(found, key=lambda branch: branch.score)
    assert [made.unseen for made in best.last.chain] == [False, True]


@each_row("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0)])
def test_where_several_rolls_allow_a_play_all_count_and_the_likeliest_is_named(
    order: tuple[int, int, int],
) -> None:
    """Light's two last checkers are borne off by each of these rolls."""
    last = Position.from_counts([1, 1, *(0,) * 20, -1, -1])
    bare = Position.from_counts([*(0,) * 22, -1, -1])
    end = Position.from_counts([*(0,) * 23, -1])
    shares = [(Roll(3, 2), log(0.4)), (Roll(4, 3), log(0.3)), (Roll(5, 4), log(0.3))]
    ordered = dict(shares[at] for at in order)
    sure, split = (
        unseen(turn(end, start=last), by_camera(3, 2, stayed=False, **rolls), first_beam(last, LIGHT)[0])
        for rolls in ({}, {"rolls": ordered})
    )
    assert {branch.last.roll for branch in split if boards(branch) == [bare, end]} == {Roll(3, 2)}
    assert sum_of(split, bare, end) == pytest.approx(sum_of(sure, bare, end))


def test_who_gave_the_turn_up_unseen_leaves_the_next_turn_to_the_other() -> None:
    end = after((8, 4), (6, 4), side=DARK)
    given = [
        branch for branch in unseen(turn(end), by_camera(4, 2)) if branch.history[0].kind is Kind.UNCLEAR
    ]
    best = max(given, key=lambda branch: branch.score)
    assert [made.ply for made in best.last.chain] == [0, 1]
    assert boards(best) == [START, end]


def test_the_weight_of_turns_in_one_is_that_of_the_first_alone() -> None:
    def first_of(branch: Branch) -> Hypothesis:
        return branch.history[0]

    for branch in unseen(before(THIRD, FIRST, SECOND)):
        made = first_of(branch)
        assert branch.score == pytest.approx(made.prior + branch.fit)
        assert all(then.prior == 0.0 for then in made.chain[1:])


def test_nothing_is_thought_of_after_a_turn_that_is_over() -> None:
    over = grown(first_beam(START, LIGHT)[0], hypothesis(), 0.0)
    assert not finished(over, turn(REPLY, GOOD))
    assert not finished(first_beam(START, LIGHT)[0], turn(GOOD))
    assert not one(first_beam(START, LIGHT)[0], turn(GOOD), by_camera(3, 1, ended_by=EndedBy.ROLL))
