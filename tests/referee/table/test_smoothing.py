"""What later looks change of turns that were told, and what they leave alone."""

from dataclasses import replace

import pytest

from controller.referee.actions import Acted, Action, DiceVoid, TurnJudged, Unsure
from controller.referee.belief.branches import Beam, Hypothesis, Kind, weights
from controller.referee.belief.decision import decide, weigh
from controller.referee.belief.report import turn_judged
from controller.referee.table.smoothing import after_entry, forget, keep, revise, verdicts_of
from controller.referee.table.state import Answer, Closing, Table, Thrown, begin
from controller.rules.game import events as ruled
from controller.rules.moves.movement import STANDARD
from controller.rules.position import START, Roll, Side
from controller.rules.reasons import ReasonCode
from tests.referee.belief.looks import (
    BESIDE,
    CAUTION,
    GOOD,
    USUAL_ROLL,
    WRONG,
    after,
    branches,
    hypothesis,
    look,
    rolled,
    turn,
)
from tests.referee.staging import watching

LIGHT, DARK = Side.LIGHT, Side.DARK
REPLY = after((8, 4), (6, 4), side=DARK, of=GOOD)
BESIDE_REPLY = after((8, 4), (6, 4), side=DARK, of=BESIDE)
FIRST = hypothesis()
INSTEAD = hypothesis(after=BESIDE)
SECOND = hypothesis(after=REPLY, before=GOOD, roll=Roll(4, 2), side=DARK, ply=1)
SECOND_INSTEAD = replace(SECOND, before=BESIDE, after=BESIDE_REPLY)
BREACH = hypothesis(Kind.ILLEGAL, WRONG, START, USUAL_ROLL, LIGHT, ReasonCode.WRONG_DISTANCE, nearest=GOOD)


def told(entry: Hypothesis, *, confirmed: bool = True, probability: float = 1.0) -> TurnJudged:
    return turn_judged(entry, 3, 1.0, STANDARD, probability, confirmed=confirmed)


def closed(
    table: Table,
    entry: Hypothesis,
    turn_: TurnJudged | None = None,
    *,
    sure: bool = True,
    silent: bool = False,
) -> Closing:
    """A turn that is over; it was told, or it was not if it is ``silent``."""
    thrown = Thrown(entry.side, entry.roll, 0.0, entry.roll.dice)
    return Closing(
        table.match,
        thrown,
        rolled(*entry.roll.dice, entry.side or LIGHT),
        (),
        turn(entry.after, entry.before),
        table.beam,
        entry,
        None if silent else (turn_ or told(entry)),
        sure=sure,
    )


def at_table(beam: Beam, *entries: Hypothesis, sure: bool = True, confirmed: bool = True) -> Answer:
    """A table at which these turns were told, with the ways in which the game may have gone."""
    table = begin(watching(), 9.0, START, LIGHT)
    closings = tuple(closed(table, each, told(each, confirmed=confirmed), sure=sure) for each in entries)
    last = entries[-1]
    assert last.side is not None
    game = replace(table.match.game, position=last.end, turn=last.side.opponent)
    match = replace(table.match, game=game)
    return Answer(replace(table, match=match, closings=closings, beam=beam, ply=last.ply + 1))


def revised(on: Answer) -> list[Action]:
    revise(on)
    return on.actions


def judged(actions: list[Action]) -> list[TurnJudged]:
    return [action for action in actions if isinstance(action, TurnJudged)]


def test_a_turn_is_told_anew_when_another_course_has_become_likelier() -> None:
    beam = branches(((INSTEAD, SECOND_INSTEAD), 0.97), ((FIRST, SECOND), 0.03))
    on = at_table(beam, FIRST, SECOND)
    news = judged(revised(on))
    assert [(turn_.ply, turn_.after, turn_.revises, turn_.legal) for turn_ in news] == [
        (0, BESIDE, True, True),
        (1, BESIDE_REPLY, True, True),
    ]
    assert [turn_.probability for turn_ in news] == [0.97, 0.97]
    assert on.table.position == BESIDE_REPLY
    assert [closing.entry.after for closing in on.table.closings] == [BESIDE, BESIDE_REPLY]


def test_only_the_turn_that_was_something_else_is_told_anew() -> None:
    legal = replace(SECOND, after=after((8, 4), (24, 22), side=DARK, of=GOOD))
    on = at_table(branches(((FIRST, legal), 0.99), ((FIRST, SECOND), 0.01)), FIRST, SECOND)
    assert [turn_.ply for turn_ in judged(revised(on))] == [1]


def test_nothing_that_was_told_is_withdrawn_while_nothing_else_is_likelier() -> None:
    """Not even where it is less certain than it was."""
    beam = branches(((FIRST, SECOND), 0.6), ((INSTEAD, SECOND_INSTEAD), 0.4))
    on = at_table(beam, FIRST, SECOND)
    assert revised(on) == []
    assert all(closing.sure for closing in on.table.closings)
    assert on.table.position == REPLY


def test_a_breach_that_was_told_is_withdrawn_where_the_play_was_legal_after_all() -> None:
    lawful_after = hypothesis(after=WRONG, roll=Roll(4, 1))
    then = replace(SECOND, before=WRONG, after=after((8, 4), (6, 4), side=DARK, of=WRONG))
    on = at_table(branches(((lawful_after, then), 0.98), ((BREACH, then), 0.02)), BREACH, then)
    (news,) = judged(revised(on))
    assert (news.ply, news.legal, news.roll, news.reasons) == (0, True, Roll(4, 1), ())


def test_a_turn_that_was_asked_about_is_told_once_it_is_certain() -> None:
    on = at_table(branches((FIRST, 0.99), (INSTEAD, 0.01)), FIRST, sure=False, confirmed=False)
    (news,) = judged(revised(on))
    assert (news.ply, news.after, news.legal, news.revises) == (0, GOOD, True, True)
    assert on.table.closings[0].sure
    assert on.table.closings[0].turn == news


def test_a_turn_that_was_told_and_becomes_certain_is_not_told_twice() -> None:
    on = at_table(branches((FIRST, 0.99), (INSTEAD, 0.01)), FIRST, sure=False)
    assert revised(on) == []
    assert on.table.closings[0].sure


def test_a_turn_that_is_still_open_is_left_so() -> None:
    on = at_table(branches((FIRST, 0.9), (INSTEAD, 0.1)), FIRST, sure=False, confirmed=False)
    assert revised(on) == []
    assert not on.table.closings[0].sure


def test_a_turn_with_points_that_nobody_has_seen_does_not_become_certain() -> None:
    on = at_table(branches((FIRST, 0.99), (INSTEAD, 0.01)), FIRST, sure=False, confirmed=False)
    hidden = replace(on.table.closings[0], hidden=frozenset({5}))
    on.change(closings=(hidden,))
    assert revised(on) == []
    assert not on.table.closings[0].sure


def test_a_turn_told_anew_that_is_not_certain_is_asked_about_at_the_points_that_differ() -> None:
    on = at_table(branches((INSTEAD, 0.7), (FIRST, 0.3)), FIRST)
    unsure, news = revised(on)
    assert isinstance(unsure, Unsure)
    assert (unsure.ply, unsure.points) == (0, (5, 6, 23, 24))
    assert isinstance(news, TurnJudged)
    assert (news.legal, news.after, news.probability) == (None, BESIDE, 0.7)
    assert not on.table.closings[0].sure


def test_a_turn_that_was_none_is_no_turn_any_more_and_a_void_roll_is_told_as_such() -> None:
    none, then = hypothesis(Kind.NONE, START), replace(FIRST, roll=Roll(3, 1))
    on = at_table(branches(((none, then), 1.0)), INSTEAD, replace(SECOND, ply=1))
    news = judged(revised(on))
    assert [turn_.ply for turn_ in news] == [0]
    assert on.table.closings[0].turn is None
    void = hypothesis(Kind.VOID, START)
    on = at_table(branches((void, 1.0)), FIRST)
    assert revised(on) == [DiceVoid(9.0, USUAL_ROLL)]
    assert (on.table.position, on.table.ply) == (START, 0)
    assert on.table.match.game.turn is LIGHT


def test_the_roll_that_was_told_stays_unless_another_is_twice_as_likely() -> None:
    other = replace(FIRST, roll=Roll(2, 1))
    kept = at_table(branches((other, 0.6), (FIRST, 0.4)), FIRST)
    assert revised(kept) == []
    changed = at_table(branches((other, 0.7), (FIRST, 0.3)), FIRST)
    (news,) = judged(revised(changed))
    assert (news.roll, news.after) == (Roll(2, 1), GOOD)


def test_the_likeliest_board_now_decides_what_the_turns_before_were() -> None:
    """Two courses end on one board: together they are likelier than the likeliest single course."""
    breach_there = replace(BREACH, after=GOOD)
    third = (replace(BREACH, after=GOOD, roll=Roll(6, 6)), SECOND)
    beam = branches(
        ((INSTEAD, SECOND_INSTEAD), 0.4),
        ((FIRST, SECOND), 0.35),
        ((breach_there, SECOND), 0.15),
        (third, 0.1),
    )
    on = at_table(beam, FIRST, SECOND)
    assert revised(on) == []
    assert on.table.position == REPLY


def test_the_course_on_the_likeliest_board_is_the_one_told_with_most_weight_together() -> None:
    rolls = [replace(BREACH, after=GOOD, roll=roll) for roll in (Roll(3, 1), Roll(5, 5), Roll(6, 6))]
    beam = branches((FIRST, 0.4), *((each, 0.2) for each in rolls))
    on = at_table(beam, FIRST)
    (news,) = judged(revised(on))
    assert news.legal is None
    assert on.table.closings[0].entry.kind is Kind.ILLEGAL


def test_without_a_turn_there_is_nothing_to_tell_anew() -> None:
    on = Answer(begin(watching(), 0.0, START, LIGHT))
    revise(on)
    assert on.actions == []


def test_while_a_roll_is_played_the_board_before_it_follows_what_is_likeliest() -> None:
    on = at_table(branches((FIRST, 1.0)), FIRST)
    on.change(thrown=Thrown(DARK, Roll(4, 2), 5.0, (4, 2)))
    revise(on, branches(((INSTEAD, SECOND_INSTEAD), 0.99), ((FIRST, SECOND), 0.01)))
    assert [turn_.after for turn_ in judged(on.actions)] == [BESIDE]
    assert on.table.position == BESIDE
    assert on.table.match.game.turn is DARK
    assert on.table.ply == 1
    assert on.table.thrown is not None
    assert on.table.thrown.side is DARK


def test_later_looks_show_which_of_two_plays_was_made() -> None:
    """Light's play was seen badly, dark's was seen well: the sum carries both on until then."""
    table = begin(watching(), 0.0, START, LIGHT)
    doubtful = look(GOOD, 2, hidden={5, 6, 8, 23, 24})
    first = weigh(table.beam, rolled(3, 1), turn(doubtful), CAUTION)
    assert first.probability < 0.9
    entry = next(branch.last for branch in first.beam if branch.last.after != GOOD)
    on = at_table(first.beam, entry, confirmed=False)
    second = weigh(first.beam, rolled(4, 2, DARK), turn(REPLY, None), CAUTION)
    revise(on, second.beam)
    (news,) = judged(on.actions)
    assert (news.ply, news.after, news.legal, news.revises) == (0, GOOD, True, True)
    assert news.probability > 0.99
    assert on.table.position == GOOD


def test_turns_that_drop_out_are_not_asked_any_more_and_the_board_stays_as_likely() -> None:
    beam = branches(
        ((FIRST, SECOND), 0.5),
        ((replace(FIRST, kind=Kind.ILLEGAL), SECOND), 0.3),
        ((INSTEAD, SECOND_INSTEAD), 0.2),
    )
    on = at_table(beam, FIRST, SECOND)
    forget(on, 1)
    assert [closing.entry for closing in on.table.closings] == [SECOND]
    assert [len(branch.history) for branch in on.table.beam] == [1, 1]
    assert weights(on.table.beam) == pytest.approx([0.8, 0.2])
    assert on.actions == []
    forget(on, 5)
    assert len(on.table.closings) == 1


def test_a_play_that_was_never_seen_to_end_is_told_when_it_drops_out() -> None:
    unfinished = hypothesis(Kind.UNFINISHED, after((8, 5)))
    on = at_table(branches((unfinished, 1.0)), unfinished)
    on.change(closings=(closed(on.table, unfinished, silent=True, sure=False),))
    forget(on, 0)
    (news,) = judged(on.actions)
    assert (news.ply, news.legal, news.after) == (0, None, after((8, 5)))
    assert on.table.closings == ()


def test_one_more_turn_keeps_as_many_open_as_the_table_says() -> None:
    on = Answer(begin(watching(), 0.0, START, LIGHT))
    open_turns = on.table.settings.open_turns
    assert open_turns == 4
    for number in range(6):
        entry = hypothesis(Kind.LEGAL, START, START, ply=number)
        history = tuple(hypothesis(Kind.LEGAL, START, START, ply=at) for at in range(number + 1))
        keep(on, closed(on.table, entry), branches((history[-open_turns - 1 :], 1.0)))
        assert len(on.table.closings) == len(on.table.beam[0].history) == min(number + 1, open_turns)
    assert [closing.entry.ply for closing in on.table.closings] == [2, 3, 4, 5]


def test_what_is_told_of_a_turn_has_its_doubt_before_it() -> None:
    before, _ = verdicts_of(FIRST, 1, 2.0, CAUTION, 0.99, from_ply=0)
    assert before == []
    before, asked = verdicts_of(FIRST, 1, 2.0, CAUTION, 0.6, from_ply=0, confirmed=False, points=(5, 8))
    assert before == [Unsure(2.0, 1, 0, (5, 8))]
    assert (asked.legal, asked.probability) == (None, 0.6)
    before, _ = verdicts_of(FIRST, 1, 2.0, CAUTION, 0.6, from_ply=0, roll_sure=False)
    assert before == [Unsure(2.0, 1, 0, ())]


def test_turns_without_a_roll_between_are_told_one_after_the_other_and_a_named_double_is_named() -> None:
    two = replace(FIRST, then=replace(SECOND, prior=0.0))
    (first,), then = verdicts_of(two, 1, 2.0, CAUTION, 0.8, from_ply=1, confirmed=True)
    assert isinstance(first, TurnJudged)
    assert [(each.ply, each.revises) for each in (first, then)] == [(0, True), (1, False)]
    double = hypothesis(after=after((6, 4), (6, 4), of=GOOD), before=GOOD, roll=Roll(2, 2), ply=1)
    before, _ = verdicts_of(replace(FIRST, roll=Roll(2, 1), then=double), 1, 2.0, CAUTION, 0.8, from_ply=0)
    assert [type(each) for each in before] == [TurnJudged, Acted]
    assert before[1] == Acted(2.0, ruled.DoubleNamed(LIGHT, 2))


def test_the_match_goes_on_from_the_board_that_a_turn_left() -> None:
    match = begin(watching(), 0.0, START, LIGHT).match
    for entry, position, side in (
        (FIRST, GOOD, DARK),
        (replace(FIRST, then=SECOND), REPLY, LIGHT),
        (BREACH, WRONG, DARK),
    ):
        game = after_entry(match, entry, CAUTION).game
        assert (game.position, game.turn) == (position, side)


def test_the_verdict_that_was_decided_is_the_one_that_the_course_keeps() -> None:
    beam = branches((FIRST, 0.97), (INSTEAD, 0.03))
    verdict = decide(beam, rolled(3, 1), turn(GOOD), CAUTION)
    on = at_table(beam, verdict.entry)
    assert revised(on) == []
    assert verdict.probability == pytest.approx(0.97)
