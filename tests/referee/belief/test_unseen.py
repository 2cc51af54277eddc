"""Turns whose dice nobody saw, plays that were finished after the next roll, and rolls that were none."""

from dataclasses import replace
from math import log

import pytest

from controller.referee.belief import rates
from controller.referee.belief.branches import (
    Branch,
    EndedBy,
    Hypothesis,
    Kind,
    first_beam,
    lawful,
)
from controller.referee.belief.decision import Outcome, accuses
from controller.referee.belief.kinds import TurnCase
from controller.referee.belief.steps import steps
from controller.referee.belief.unseen import finished_late, one_turn, turns_unseen
from controller.rules.position import START, Position, Roll, Side
from tests.referee.belief.looks import (
    CAUTION,
    GOOD,
    after,
    best,
    boards,
    branches,
    by_camera,
    chance,
    hypothesis,
    rolled,
    seen,
    turn,
    weighed,
)

LIGHT, DARK = Side.LIGHT, Side.DARK
REPLY = after((8, 4), (6, 4), side=DARK, of=GOOD)
"""Dark's 4-2 after light's 3-1."""
BEGUN = after((8, 5))
"""The 3 of light's 3-1."""


# A turn after the roll.


def test_a_turn_whose_dice_nobody_saw_is_found_where_the_dice_were_taken_up_before() -> None:
    gone = by_camera(3, 1, stayed=False)
    verdict = weighed(gone, turn(REPLY, pauses=(seen(GOOD),)))
    assert verdict.outcome is Outcome.LEGAL
    first, then = verdict.entry.chain
    assert (first.side, first.after, first.ply) == (LIGHT, GOOD, 0)
    assert (then.side, then.after, then.ply) == (DARK, REPLY, 1)
    assert (verdict.beam[0].side, verdict.beam[0].ply) == (LIGHT, 2)
    assert (then.before, then.roll) == (GOOD, Roll(4, 2))


def test_no_other_turn_is_thought_of_while_the_dice_lie_there() -> None:
    for throw in (by_camera(3, 1), rolled(3, 1)):
        verdict = weighed(throw, turn(REPLY, pauses=(seen(GOOD),)))
        assert chance(verdict, lambda made: made.then is not None) == 0.0


def test_a_moment_in_which_the_board_lay_still_between_makes_two_turns_likelier() -> None:
    def two(made: Hypothesis) -> bool:
        return made.then is not None

    gone = by_camera(3, 1, stayed=False)
    shown = weighed(gone, turn(REPLY, pauses=(seen(GOOD),)))
    alone = weighed(gone, turn(REPLY))
    found = TurnCase(first_beam(START, LIGHT)[0], gone, turn(REPLY), CAUTION)
    scores = [branch.score for branch in turns_unseen(found, -50.0)]
    assert max(scores) == pytest.approx(best(alone, two).score)
    assert best(shown, two).score > best(alone, two).score + 2
    assert chance(shown, two) > chance(alone, two)


def test_an_unseen_turn_is_weighed_by_its_rate_and_its_roll() -> None:
    verdict = weighed(by_camera(3, 1, stayed=False), turn(REPLY, pauses=(seen(GOOD),)))
    plays = [len(lawful(START, LIGHT, Roll(3, 1))), len(lawful(GOOD, DARK, Roll(4, 2)))]
    least = -log(plays[0]) + rates.MISSED_TURN.log + log(2 / 36) - log(plays[1])
    assert least <= verdict.entry.prior < least + log(3)


def test_rare_turns_are_not_worked_out_where_all_is_explained() -> None:
    case = TurnCase(first_beam(START, LIGHT)[0], by_camera(3, 1, stayed=False), turn(REPLY), CAUTION)
    assert not list(turns_unseen(case, -1.0))
    assert list(turns_unseen(case, -20.0))


# A turn before the roll.


def test_a_turn_before_the_roll_is_found_by_the_moment_in_which_it_ended() -> None:
    first = after((13, 8), (13, 11))
    end = after((8, 4), (6, 4), side=DARK, of=first)
    verdict = weighed(by_camera(4, 2), turn(end, before=(seen(START), seen(first))))
    assert verdict.outcome is Outcome.LEGAL
    assert boards(verdict.beam[0]) == [first, end]
    assert [one.side for one in verdict.entry.chain] == [LIGHT, DARK]
    assert [one.roll for one in verdict.entry.chain] == [Roll(5, 2), Roll(4, 2)]


def test_who_gave_the_turn_up_unseen_is_thought_of_where_pictures_tell_the_dice() -> None:
    """Dark plays a roll that was thought to be light's: light may have rolled and not moved."""
    end = after((8, 4), (6, 4), side=DARK)

    def gave_up(made: Hypothesis) -> bool:
        return made.kind is Kind.UNCLEAR and made.then is not None and made.then.after == end

    seen_ = weighed(by_camera(4, 2), turn(end))
    assert 0 < chance(seen_, gave_up) < 0.1
    assert best(seen_, gave_up).last.after == START
    assert chance(weighed(rolled(4, 2), turn(end)), gave_up) == 0.0


# Turns against the rules beside one that nobody saw.


def test_after_a_turn_that_nobody_saw_a_wrong_play_is_told_as_seen_and_nobody_is_accused() -> None:
    """Light is shut out and its dice were not seen; the next roll is dark's, who bears off early."""
    shut_out = Position.from_compact("A......B....a.....ccbbbbB.")
    early = after((12, 11), (6, 0), side=DARK, of=shut_out)
    verdict = weighed(by_camera(6, 1), turn(early, shut_out, before=(seen(shut_out),)), before=shut_out)
    dance, wrong = verdict.entry.chain
    assert (dance.side, dance.after, dance.unseen) == (LIGHT, shut_out, True)
    assert (wrong.side, wrong.kind, wrong.after, wrong.ply) == (DARK, Kind.UNCLEAR, early, 1)
    assert verdict.outcome is Outcome.UNSURE
    assert chance(verdict, accuses) < 0.05


def test_a_wrong_play_whose_dice_nobody_saw_leaves_the_board_as_it_is_seen() -> None:
    wrong = after((24, 20), (24, 15))
    reply = after((8, 4), (6, 4), side=DARK, of=wrong)
    verdict = weighed(by_camera(4, 2), turn(reply, before=(seen(START), seen(wrong))))
    first, then = verdict.entry.chain
    assert (first.kind, first.side, first.after) == (Kind.UNCLEAR, LIGHT, wrong)
    assert (then.kind, then.side, then.after) == (Kind.LEGAL, DARK, reply)
    assert verdict.outcome is Outcome.UNSURE


def test_dice_that_report_themselves_leave_no_such_play_unseen() -> None:
    wrong = after((24, 20), (24, 15))
    reply = after((8, 4), (6, 4), side=DARK, of=wrong)
    shown = turn(reply, before=(seen(START), seen(wrong)))
    by_eye, reported = (weighed(throw, shown).beam for throw in (by_camera(4, 2), rolled(4, 2)))
    unclear = [
        any(each.kind is Kind.UNCLEAR and each.then for branch in beam for each in branch.last.chain)
        for beam in (by_eye, reported)
    ]
    assert unclear == [True, False]


def test_no_turn_that_nobody_saw_puts_a_wrong_play_on_the_side_whose_checkers_lie_still() -> None:
    """Dark forgets its checker on the bar, and its dice are read in doubt."""
    before = Position.from_compact("CBDBC........c.bb.b.a.ca.a")
    forgot = Position.from_compact("CBDBC........b.bb.aaa.da.a")
    doubtful = {Roll(6, 4): log(0.1), Roll(5, 3): log(0.45), Roll(4, 3): log(0.45)}
    throw = replace(by_camera(6, 4, DARK), rolls=doubtful)
    verdict = weighed(throw, turn(forgot, before, before=(seen(before),)), before=before, side=DARK)
    assert chance(verdict, accuses) > 0.9


# Plays that were finished late.


def unfinished(kind: Kind = Kind.UNFINISHED) -> tuple[Branch, ...]:
    """Light's 3-1, of which the 3 was played when the next roll came."""
    verdict = weighed(rolled(3, 1, ended_by=EndedBy.ROLL), turn(BEGUN))
    return tuple(branch for branch in verdict.beam if branch.last.kind is kind)


def test_a_play_is_finished_after_the_next_roll_which_is_still_to_be_played() -> None:
    verdict = weighed(rolled(4, 2, DARK), turn(GOOD, BEGUN), unfinished())
    course = verdict.beam[0].history
    assert [one.kind for one in course] == [Kind.LEGAL, Kind.VOID]
    assert boards(verdict.beam[0]) == [GOOD, GOOD]
    assert (verdict.beam[0].side, verdict.beam[0].ply) == (DARK, 1)
    assert verdict.outcome is Outcome.IDLE


def test_a_play_is_finished_and_the_next_roll_played_in_one_go() -> None:
    verdict = weighed(rolled(4, 2, DARK), turn(REPLY, BEGUN), unfinished())
    assert verdict.outcome is Outcome.LEGAL
    assert boards(verdict.beam[0]) == [GOOD, REPLY]
    assert [(one.side, one.ply, one.roll) for one in verdict.beam[0].history] == [
        (LIGHT, 0, Roll(3, 1)),
        (DARK, 1, Roll(4, 2)),
    ]


def test_a_play_is_finished_and_the_next_roll_is_being_played() -> None:
    begun = after((8, 4), side=DARK, of=GOOD)
    verdict = weighed(rolled(4, 2, DARK), turn(begun, BEGUN), unfinished())
    assert [one.kind for one in verdict.beam[0].history] == [Kind.LEGAL, Kind.UNFINISHED]
    assert boards(verdict.beam[0]) == [GOOD, begun]
    ways = {board for die in (4, 2) for board in steps(GOOD, DARK, die)}
    assert verdict.beam[0].last.prior == pytest.approx(-log(len(ways)))
    over = weighed(rolled(4, 2, DARK, ended_by=EndedBy.ACT), turn(begun, BEGUN), unfinished())
    assert all(branch.last.kind is not Kind.UNFINISHED for branch in over.beam)


def test_finishing_late_leaves_out_what_the_play_that_was_begun_cannot_become() -> None:
    case = TurnCase(unfinished()[0], rolled(4, 2, DARK), turn(REPLY, BEGUN), CAUTION)
    firsts = {branch.history[-2].after for branch in finished_late(case, -50.0)}
    assert GOOD in firsts
    assert firsts <= set(steps(BEGUN, LIGHT, 1)) < set(lawful(START, LIGHT, Roll(3, 1)))


def test_a_roll_that_lay_there_all_the_time_was_not_thrown_before_the_play_was_finished() -> None:
    """The longer the board still lay as before after the next roll, the less likely it is."""
    soon, late = (
        max(
            branch.score
            for branch in finished_late(
                TurnCase(unfinished()[0], rolled(4, 2, DARK), turn(REPLY, BEGUN, still_s=still_s), CAUTION),
                -50.0,
            )
        )
        for still_s in (0.0, 3.0)
    )
    assert soon - late == pytest.approx(3.0)


def test_every_end_of_a_play_that_was_begun_is_alike() -> None:
    first = unfinished()[0]
    case = TurnCase(first, rolled(4, 2, DARK), turn(REPLY, BEGUN), CAUTION)
    ends = [end for end in lawful(START, LIGHT, Roll(3, 1)) if end in set(steps(BEGUN, LIGHT, 1))]
    late = [branch.history[-2].prior for branch in finished_late(case, -50.0)]
    assert late == pytest.approx([first.fit + first.last.prior - log(len(ends))] * len(late))
    assert late


def test_a_play_that_goes_on_after_the_next_roll_does_so_soon() -> None:
    """The board lies as when the next roll came: the longer it does, the likelier that all of it was played."""
    soon, late = (
        best(
            weighed(rolled(4, 2, DARK), turn(BEGUN, BEGUN, still_s=still_s), unfinished()),
            lambda made: made.kind is Kind.VOID,
        )
        for still_s in (0.0, 3.0)
    )
    assert soon.history[0].kind is late.history[0].kind is Kind.UNFINISHED
    assert soon.last.prior - late.last.prior == pytest.approx(3.0)


def test_what_was_over_is_not_finished_any_more() -> None:
    over = branches((hypothesis(), 1.0))[0]
    case = TurnCase(over, rolled(4, 2, DARK), turn(REPLY, GOOD), CAUTION)
    assert not list(finished_late(case, -50.0))
    displaced = replace(unfinished()[0], history=(replace(unfinished()[0].last, lies=GOOD),))
    assert not list(finished_late(replace(case, branch=displaced), -50.0))


# Rolls that were none.


def test_a_roll_that_was_none_leaves_one_turn_with_the_roll_that_was() -> None:
    """A die was read as a 3 before it was read as a 4; light plays 6-4 and has played the 6 by then."""
    begun, end = after((24, 18)), after((24, 14))
    first = weighed(by_camera(6, 3, ended_by=EndedBy.ROLL), turn(begun))
    verdict = weighed(by_camera(6, 4, DARK), turn(end, begun), first.beam)
    assert verdict.outcome is Outcome.LEGAL
    assert [one.kind for one in verdict.beam[0].history] == [Kind.NONE, Kind.LEGAL]
    assert (verdict.entry.side, verdict.entry.roll, verdict.entry.ply) == (LIGHT, Roll(6, 4), 0)
    assert boards(verdict.beam[0]) == [START, end]
    assert (verdict.beam[0].side, verdict.beam[0].ply) == (DARK, 1)


def test_electronic_dice_report_no_roll_that_was_none() -> None:
    begun, end = after((24, 18)), after((24, 14))
    first = weighed(rolled(6, 3, ended_by=EndedBy.ROLL), turn(begun))
    case = TurnCase(first.beam[0], rolled(6, 4, DARK), turn(end, begun), CAUTION)
    assert not list(one_turn(case, -50.0))
    assert list(one_turn(replace(case, throw=by_camera(6, 4, DARK)), -50.0))


def test_the_roll_that_was_none_costs_its_rate() -> None:
    begun, end = after((24, 18)), after((24, 14))
    beam = weighed(by_camera(6, 3, ended_by=EndedBy.ROLL), turn(begun)).beam
    case = TurnCase(beam[0], by_camera(6, 4, DARK), turn(end, begun), CAUTION)
    found = max(one_turn(case, -50.0), key=lambda branch: branch.score)
    plays = lawful(START, LIGHT, Roll(6, 4))
    assert found.history[-2].prior == pytest.approx(beam[0].fit + rates.NO_ROLL.log)
    assert found.last.prior >= -log(len(plays))
    assert found.last.after == end


def test_nobody_is_accused_of_what_an_unseen_turn_explains() -> None:
    for shown in (turn(REPLY, pauses=(seen(GOOD),)), turn(REPLY)):
        verdict = weighed(by_camera(3, 1, stayed=False), shown)
        assert chance(verdict, accuses) < 0.05
