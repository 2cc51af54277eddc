"""The ledger: who did what wrong, held against what the referee said. Nothing is left out."""

from dataclasses import replace

import pytest

from controller.demo.ledger import Truth
from controller.referee.actions import (
    Acted,
    CubeUnclear,
    Flagged,
    GameOpened,
    Message,
    Told,
    TurnJudged,
    Unsure,
)
from controller.rules.game import events as ruled
from controller.rules.game.match import Score
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.conduct import Party
from controller.rules.reasons import Reason, ReasonCode
from controller.simulation.players.cheating import Cheat, Wrong
from tests.demo.measuring import Answer, LoggedDeed, MeasuringLedger
from tests.demo.rogues import Misdeed
from tests.rows import each_row

ROLL = Roll.from_dice(3, 1)
LEGAL = Position.from_compact("b...BD.B...eE...c.e....B..")
SHORT = Position.from_compact("b...AE.B...eE...c.e....B..")
GONE = Position.from_compact("b...BD.B...dE...c.e....B..")
DISTANCE = Cheat(Wrong.MOVES_WRONG_DISTANCE, frozenset({ReasonCode.WRONG_DISTANCE}), SHORT, (5, 8))
TAKEN = Cheat(Wrong.TAKES_CHECKER, frozenset({ReasonCode.CHECKER_MISSING}), GONE, (12,))
FIRST = 1001


def ledger() -> MeasuringLedger:
    one = MeasuringLedger()
    one.begin_match()
    one.on_action(GameOpened(0.0, 1, START, Score(0, 0)), START)
    return one


def truth(after: Position, cheat: Cheat | None = None, t: float = 10.0, ply: int = 0) -> Truth:
    return Truth(FIRST, ply, Side.LIGHT, ROLL, START, after, cheat, t)


def verdict(
    after: Position, *codes: ReasonCode, t: float = 10.5, ply: int = 0, stands: bool = True
) -> TurnJudged:
    reasons = tuple(Reason(code, {"side": "light"}) for code in codes)
    legal = not codes
    return TurnJudged(
        ply, Side.LIGHT, ROLL, None, "", legal, reasons, (), None, stands and not legal, START, after, None, t
    )


def flagged(turn: TurnJudged, t: float) -> Flagged:
    return Flagged(t, turn, frozenset(Party))


def told(message: Message, t: float, *points: int) -> Told:
    return Told(t, message, {"points": list(points)})


def test_an_honest_play_that_is_called_illegal_is_counted_once() -> None:
    one = ledger()
    one.truths.append(truth(LEGAL))
    one.on_action(flagged(verdict(LEGAL, ReasonCode.UNUSED_DIE), 10.5), LEGAL)
    one.on_action(verdict(LEGAL, ReasonCode.UNUSED_DIE, t=12.0), LEGAL)
    assert len(one.list_accused()) == 1
    assert one.list_accused_for_other() == []
    assert one.count_concluded() == (0, 1)


@pytest.mark.parametrize("open_", [True, False])
def test_an_honest_side_accused_of_what_the_other_did_is_counted_apart(open_: bool) -> None:
    one = ledger()
    pushed = LoggedDeed(FIRST, 0, Side.DARK, Misdeed.PUSHES, (12, 13), 5.0)
    one.begin(pushed)
    one.truths.append(truth(LEGAL))
    if not open_:
        one.end(pushed, 9.0)
    one.on_action(flagged(verdict(LEGAL, ReasonCode.OPPONENT_MOVED), 10.5), LEGAL)
    assert one.list_accused() == []
    assert len(one.list_accused_for_other()) == 1


def test_who_did_something_himself_is_not_honest() -> None:
    one = ledger()
    one.begin(LoggedDeed(FIRST, 0, Side.LIGHT, Misdeed.MOVES_IN_PAUSE, (5,), 5.0))
    one.on_action(flagged(verdict(LEGAL, ReasonCode.WRONG_DISTANCE), 10.5), LEGAL)
    assert one.list_accused() == one.list_accused_for_other() == []


def test_an_illegal_play_is_noticed_only_with_one_of_its_labels() -> None:
    one = ledger()
    one.truths.append(truth(SHORT, DISTANCE))
    one.on_action(flagged(verdict(SHORT, ReasonCode.BACKWARDS), 10.5), SHORT)
    assert [ok for _, ok in one.list_noticed()] == [False]
    one.on_action(flagged(replace(verdict(SHORT, ReasonCode.WRONG_DISTANCE), ply=0), 11.0), SHORT)
    assert [ok for _, ok in one.list_noticed()] == [True]
    assert one.time_told(one.truths[0]) == 11.0


def test_for_a_checker_taken_off_it_is_enough_to_ask_there_but_not_elsewhere() -> None:
    one = ledger()
    one.truths.append(truth(GONE, TAKEN))
    one.on_action(told(Message.LOOK, 10.5, 3), GONE)
    assert [ok for _, ok in one.list_noticed()] == [False]
    one.on_action(told(Message.LOOK, 10.6, 12), GONE)
    assert [ok for _, ok in one.list_noticed()] == [True]


def test_being_asked_to_look_is_no_right_reason_for_a_wrong_distance() -> None:
    one = ledger()
    one.truths.append(truth(SHORT, DISTANCE))
    one.on_action(told(Message.LOOK, 10.5, 5, 8), SHORT)
    assert [ok for _, ok in one.list_noticed()] == [False]


@each_row(
    ("said", "answer"),
    [
        ((), Answer.SILENT),
        ((verdict(SHORT, ReasonCode.WRONG_DISTANCE),), Answer.NAMED),
        ((verdict(SHORT, ReasonCode.BACKWARDS),), Answer.OTHER_NAME),
        ((verdict(SHORT),), Answer.SILENT),
        ((replace(verdict(SHORT), legal=None),), Answer.ASKED),
        ((Unsure(10.5, None, 0, ()), verdict(SHORT)), Answer.ASKED),
        ((Unsure(10.5, None, 1, ()), verdict(SHORT)), Answer.SILENT),
        ((told(Message.LOOK, 10.5, 5),), Answer.ASKED),
        ((told(Message.NO_PLAY, 10.5),), Answer.SILENT),
        ((told(Message.LOOK, 9.5, 5),), Answer.SILENT),
    ],
)
def test_an_illegal_play_is_named_asked_about_or_passed_over(
    said: tuple[TurnJudged | Unsure | Told, ...], answer: Answer
) -> None:
    one = ledger()
    one.truths.append(truth(SHORT, DISTANCE))
    for action in said:
        one.on_action(action, SHORT)
    assert one.answer_to_play(one.truths[0]) is answer


@each_row(
    ("what", "said", "answer"),
    [
        (Misdeed.PUSHES, None, Answer.SILENT),
        (
            Misdeed.PUSHES,
            Told(6.0, Message.MOVED_OUT_OF_TURN, {"points": [12], "side": "light"}),
            Answer.NAMED,
        ),
        (
            Misdeed.PUSHES,
            Told(6.0, Message.MOVED_OUT_OF_TURN, {"points": [12], "side": "dark"}),
            Answer.ASKED,
        ),
        (
            Misdeed.PUSHES,
            Told(6.0, Message.MOVED_OUT_OF_TURN, {"points": [3], "side": "light"}),
            Answer.SILENT,
        ),
        (Misdeed.PUSHES, Unsure(6.0, None, 1, ()), Answer.ASKED),
        (Misdeed.TURNS_DIE, Told(6.0, Message.ROLLED_AGAIN, {"dice": [6, 5]}), Answer.NAMED),
        (Misdeed.TURNS_DIE, verdict(SHORT, ReasonCode.DICE_MISMATCH, t=6.0), Answer.NAMED),
        (Misdeed.TURNS_DIE, Unsure(6.0, None, 0, ()), Answer.ASKED),
        (Misdeed.DOUBLES_LATE, CubeUnclear(6.0, 1, "dark", 2), Answer.NAMED),
        (Misdeed.DOUBLES_LATE, Told(6.0, Message.REFUSED), Answer.NAMED),
        (Misdeed.DOUBLES_LATE, Acted(6.0, ruled.Doubled(Side.LIGHT)), Answer.SILENT),
    ],
)
def test_a_deed_beside_a_play_is_named_asked_about_or_passed_over(
    what: Misdeed, said: TurnJudged | Unsure | Told | CubeUnclear | Acted | None, answer: Answer
) -> None:
    one = ledger()
    one.begin(LoggedDeed(FIRST, 0, Side.LIGHT, what, (12, 13), 5.0, (5, 6)))
    if said is not None:
        one.on_action(said, START)
    one.end(one.done[0], 8.0)
    assert one.answer_to_deed(one.done[0]) is answer


def test_a_position_that_the_board_never_had_is_invented_and_counted_apart_where_it_is_not_confirmed() -> (
    None
):
    one = ledger()
    one.truths += [truth(LEGAL), truth(LEGAL, ply=1), truth(LEGAL, ply=2), truth(LEGAL, ply=3)]
    one.on_action(verdict(LEGAL), GONE)
    one.on_action(verdict(SHORT, ply=1), GONE)
    one.on_action(replace(verdict(SHORT, ply=2), legal=None), GONE)
    one.on_action(verdict(GONE, ply=3), GONE)
    certain, unsure = one.list_invented()
    assert [turn.key for turn in certain] == [(FIRST, 1)]
    assert [turn.key for turn in unsure] == [(FIRST, 2)]


def test_what_was_stated_is_held_against_play_roll_and_verdict() -> None:
    one = ledger()
    one.truths += [truth(LEGAL, ply=ply) for ply in range(5)] + [truth(SHORT, DISTANCE, ply=5)]
    one.on_action(replace(verdict(LEGAL, ply=0), probability=0.991), GONE)
    one.on_action(replace(verdict(SHORT, ply=1), probability=0.992), GONE)
    one.on_action(replace(verdict(LEGAL, ply=2), probability=0.993, roll=Roll.from_dice(3, 2)), GONE)
    one.on_action(replace(verdict(LEGAL, ReasonCode.UNUSED_DIE, ply=3), probability=0.994), GONE)
    one.on_action(replace(verdict(LEGAL, ply=4), probability=0.5, legal=None), GONE)
    one.on_action(replace(verdict(SHORT, ReasonCode.BACKWARDS, t=11.0, ply=5), probability=0.996), SHORT)
    one.on_action(replace(verdict(LEGAL, ply=6), probability=0.997), GONE)
    assert [(said.confidence, said.right) for said in one.list_stated()] == [
        (0.991, True),
        (0.992, False),
        (0.993, False),
        (0.994, False),
        (0.996, True),
    ]
    assert one.count_unconfirmed() == (1, 7)


def test_a_turn_beside_which_something_was_done_states_nothing() -> None:
    one = ledger()
    one.truths += [truth(LEGAL, ply=ply) for ply in range(3)]
    one.begin(LoggedDeed(FIRST, 0, Side.DARK, Misdeed.PUSHES, (12, 13), 5.0))
    for ply in range(3):
        one.on_action(replace(verdict(LEGAL, ply=ply), probability=0.9 + ply / 100), LEGAL)
    assert [said.confidence for said in one.list_stated()] == [0.92]


def test_a_legal_play_that_took_the_place_of_an_illegal_one_is_so_if_it_lies_there() -> None:
    for lies, so in ((LEGAL, True), (GONE, False)):
        one = ledger()
        one.truths.append(truth(SHORT, DISTANCE))
        one.on_action(verdict(SHORT, ReasonCode.WRONG_DISTANCE, stands=False), SHORT)
        one.on_action(verdict(LEGAL, t=15.0), lies)
        assert [said.right for said in one.list_stated()] == [so]


def test_a_turn_is_so_as_the_board_lay_after_a_knock_that_is_put_right_before_the_turn_is_told_again() -> (
    None
):
    for lay, so in ((True, True), (False, False)):
        one = ledger()
        one.truths.append(truth(LEGAL))
        one.on_action(verdict(LEGAL), LEGAL)
        if lay:
            one.on_action(verdict(GONE, t=12.0), GONE)
        one.on_action(replace(verdict(GONE, t=15.0), revises=True), LEGAL)
        assert [said.right for said in one.list_stated()] == [so]


@pytest.mark.parametrize(("rolled", "in_time"), [(10.4, 0), (10.5, 0), (11.0, 1)])
def test_an_illegal_play_is_told_in_time_before_the_next_roll(rolled: float, in_time: int) -> None:
    one = ledger()
    one.roll(1.0)
    one.truths.append(truth(SHORT, DISTANCE))
    one.roll(rolled)
    one.on_action(flagged(verdict(SHORT, ReasonCode.WRONG_DISTANCE), 10.5), SHORT)
    assert one.count_told_in_time() == (in_time, 1)


def test_a_certain_turn_with_a_position_that_the_board_never_had_is_misplaced() -> None:
    one = ledger()
    one.truths.append(truth(GONE))
    one.on_action(verdict(LEGAL), GONE)
    assert [each.turn.after for each in one.list_misplaced()] == [LEGAL]
    one.on_action(Unsure(11.0, None, 0, (12,)), GONE)
    assert one.list_misplaced() == []


def test_a_turn_that_lay_so_when_it_was_ended_or_judged_is_in_its_place() -> None:
    one = ledger()
    one.truths.append(truth(LEGAL))
    one.on_action(verdict(LEGAL), GONE)
    one.on_action(verdict(GONE, t=20.0, ply=1), GONE)
    assert one.list_misplaced() == []


def test_an_illegal_play_that_was_put_right_is_judged_by_what_it_became() -> None:
    one = ledger()
    one.truths.append(truth(SHORT, DISTANCE))
    one.on_action(flagged(verdict(SHORT, ReasonCode.WRONG_DISTANCE), 10.5), SHORT)
    one.on_action(verdict(SHORT, ReasonCode.WRONG_DISTANCE, t=15.0, stands=False), LEGAL)
    one.on_action(verdict(LEGAL, t=15.0), LEGAL)
    assert one.list_misplaced() == []


def test_the_wait_begins_when_the_hand_is_gone() -> None:
    one = ledger()
    one.truths.append(truth(LEGAL, t=10.0))
    one.moved_t = 10.4
    one.on_action(verdict(LEGAL, t=10.6), LEGAL)
    assert one.waits() == [pytest.approx(0.2)]


@each_row(
    ("what", "said", "noticed"),
    [
        (Misdeed.PUSHES, told(Message.MOVED_OUT_OF_TURN, 6.0, 12), True),
        (Misdeed.PUSHES, told(Message.MOVED_OUT_OF_TURN, 6.0, 3), False),
        (Misdeed.PUSHES, told(Message.MOVED_OUT_OF_TURN, 4.0, 12), False),
        (Misdeed.HIDES, flagged(verdict(SHORT, ReasonCode.WRONG_DISTANCE), 6.0), True),
        (Misdeed.MOVES_IN_TURN, flagged(verdict(SHORT, ReasonCode.WRONG_DISTANCE), 6.0), False),
        (Misdeed.ROLLS_AGAIN, Told(6.0, Message.ROLL_NOT_DUE, {"dice": [6, 5]}), True),
        (Misdeed.ROLLS_AGAIN, Told(6.0, Message.NO_PLAY, {"dice": [6, 5]}), False),
        (Misdeed.TURNS_CUBE, CubeUnclear(6.0, 1, "dark", 2), True),
        (Misdeed.TURNS_CUBE, Acted(6.0, ruled.Doubled(Side.DARK)), False),
        (Misdeed.PRESSES_CLOCK, told(Message.NOTHING_MOVED, 6.0), True),
        (Misdeed.LETS_OWN_STAND, verdict(SHORT, ReasonCode.WRONG_DISTANCE, t=6.0), False),
        (Misdeed.LETS_OWN_STAND, told(Message.NOT_NOW, 6.0), True),
    ],
)
def test_what_was_done_is_noticed_by_what_is_said_about_it(
    what: Misdeed, said: Told | Flagged | CubeUnclear | Acted | TurnJudged, noticed: bool
) -> None:
    one = ledger()
    done = LoggedDeed(FIRST, 0, Side.LIGHT, what, (12, 13), 5.0, (6, 5))
    one.begin(done)
    one.on_action(said, START)
    assert one.notices(done) is noticed
    one.end(done, 8.0)
    assert one.done == [replace(done, until=8.0, noticed=noticed)]


def test_games_of_two_matches_are_not_mixed_up() -> None:
    one = ledger()
    one.truths.append(truth(LEGAL))
    one.begin_match()
    one.on_action(GameOpened(0.0, 1, START, Score(0, 0)), START)
    one.on_action(flagged(verdict(SHORT, ReasonCode.WRONG_DISTANCE), 10.5), SHORT)
    assert one.count_concluded() == (0, 1)
    assert [each.game for each in one.verdicts] == [2001]


def test_an_honest_play_that_was_not_confirmed_accuses_nobody() -> None:
    one = ledger()
    one.truths.append(truth(LEGAL))
    one.on_action(replace(verdict(LEGAL), legal=None, probability=0.6), LEGAL)
    assert one.list_accused() == []
    assert one.count_concluded() == (0, 1)


def after_a_missed_turn(said: TurnJudged) -> MeasuringLedger:
    """Light broke a rule in turn 4, which the referee, having missed one, calls 5: that is dark's number."""
    one = ledger()
    one.truths += [
        truth(LEGAL, t=10.0, ply=2),
        replace(truth(LEGAL, t=20.0, ply=3), side=Side.DARK),
        truth(SHORT, DISTANCE, t=30.0, ply=4),
        replace(truth(LEGAL, t=40.0, ply=5), side=Side.DARK),
    ]
    one.on_action(said, SHORT)
    return one


def test_once_a_turn_was_missed_a_verdict_is_about_what_its_side_had_ended_last() -> None:
    one = after_a_missed_turn(verdict(SHORT, ReasonCode.WRONG_DISTANCE, t=30.5, ply=5))
    assert one.list_accused() == []
    assert [ok for _, ok in one.list_noticed()] == [True]
    assert one.answer_to_play(one.truths[2]) is Answer.NAMED
    assert one.list_invented() == ([], [])


def test_once_a_turn_was_missed_an_honest_side_is_still_accused_falsely() -> None:
    early = after_a_missed_turn(verdict(LEGAL, ReasonCode.WRONG_DISTANCE, t=10.5, ply=5))
    other = replace(verdict(LEGAL, ReasonCode.WRONG_DISTANCE, t=30.5, ply=4), side=Side.DARK)
    assert len(early.list_accused()) == 1
    assert len(after_a_missed_turn(other).list_accused()) == 1


def test_a_turn_counts_as_concluded_although_its_number_differs() -> None:
    assert after_a_missed_turn(verdict(LEGAL, t=10.5, ply=5)).count_concluded()[0] == 1


def test_what_is_asked_at_the_moment_at_which_a_turn_ends_is_asked_about_it() -> None:
    one = ledger()
    one.truths.append(truth(SHORT, DISTANCE, t=10.50380001))
    one.on_action(told(Message.LOOK, 10.5038, 5, 8), SHORT)
    assert one.answer_to_play(one.truths[0]) is Answer.ASKED
