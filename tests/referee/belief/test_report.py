"""What is told of a turn, in words of the game."""

import pytest

from controller.referee.belief.branches import Kind
from controller.referee.belief.report import play_to, turn_judged
from controller.rules.moves.movement import STANDARD
from controller.rules.notation import format_play
from controller.rules.position import START, Side
from controller.rules.reasons import ReasonCode
from tests.referee.belief.looks import GOOD, USUAL_ROLL, WRONG, after, hypothesis

BREACH = hypothesis(
    Kind.ILLEGAL,
    WRONG,
    START,
    USUAL_ROLL,
    Side.LIGHT,
    ReasonCode.WRONG_DISTANCE,
    nearest=GOOD,
    text="8/4 6/5",
)


def test_a_legal_play_is_told_with_its_moves() -> None:
    turn = turn_judged(hypothesis(ply=7), 12, 3.5, STANDARD, 0.98765)
    assert turn.legal is True
    assert turn.play is not None
    assert turn.text == format_play(turn.play) == "8/5 6/5"
    assert (turn.ply, turn.side, turn.roll, turn.frame, turn.t) == (7, Side.LIGHT, USUAL_ROLL, 12, 3.5)
    assert (turn.before, turn.after) == (START, GOOD)
    assert turn.probability == 0.9877
    assert not turn.stands
    assert not turn.reasons


def test_a_breach_is_told_with_its_rule_its_change_and_what_could_have_been_played() -> None:
    turn = turn_judged(BREACH, None, 1.0, STANDARD, 0.97)
    assert turn.legal is False
    assert turn.stands
    assert turn.play is None
    assert turn.text == "8/4 6/5"
    assert [reason.code for reason in turn.reasons] == [ReasonCode.WRONG_DISTANCE]
    assert turn.instead is not None
    assert format_play(turn.instead) == "8/5 6/5"


@pytest.mark.parametrize("entry", [hypothesis(), BREACH, hypothesis(Kind.UNCLEAR, WRONG)])
def test_what_is_not_confirmed_is_neither_legal_nor_illegal_and_names_no_rule(entry: object) -> None:
    turn = turn_judged(entry, None, 1.0, STANDARD, 0.6, confirmed=False)  # type: ignore[arg-type]
    assert turn.legal is None
    assert turn.reasons == turn.also == ()
    assert turn.instead is None
    assert not turn.stands
    assert turn.text
    assert turn.probability == 0.6


@pytest.mark.parametrize("kind", [Kind.UNCLEAR, Kind.UNFINISHED])
def test_what_is_not_understood_or_not_over_has_no_verdict_though_it_is_certain(kind: Kind) -> None:
    turn = turn_judged(hypothesis(kind, WRONG), None, 1.0, STANDARD)
    assert turn.legal is None
    assert turn.play is None
    assert turn.text == "8/4 6/5"


def test_the_board_is_told_as_it_lies_where_checkers_were_displaced() -> None:
    lies = after((24, 22), side=Side.DARK, of=GOOD)
    turn = turn_judged(hypothesis(lies=lies), None, 1.0, STANDARD)
    assert turn.after == lies
    assert turn.text == "8/5 6/5"


def test_what_is_told_anew_is_marked() -> None:
    assert turn_judged(hypothesis(), None, 1.0, STANDARD, revises=True).revises
    assert not turn_judged(hypothesis(), None, 1.0, STANDARD).revises


def test_no_play_leads_to_a_board_that_none_reaches() -> None:
    assert play_to(hypothesis(), WRONG, STANDARD) == ()
    assert format_play(play_to(hypothesis(), GOOD, STANDARD)) == "8/5 6/5"
