"""The verdict on a turn is worked out once for what is known, and anew when anything of that is another."""

from dataclasses import replace

from controller.referee.actions import Message
from controller.referee.belief.decision import Outcome
from controller.referee.table.closing import judge_turn
from controller.rules.position import Roll
from tests.referee.table.evening import Evening
from tests.referee.table.test_turns import GOOD, WRONG, opened


def played() -> Evening:
    """Light has rolled 3-1 and played it."""
    evening = opened()
    evening.move(GOOD, 3)
    return evening


def test_what_was_said_about_the_board_changes_no_verdict() -> None:
    table = played().table
    assert judge_turn(table) is judge_turn(replace(table, warned=(Message.LOOK,)))


def test_another_roll_another_picture_and_another_moment_are_judged_anew() -> None:
    evening = played()
    table = evening.table
    first = judge_turn(table)
    assert first is not None
    assert first.outcome is Outcome.LEGAL
    assert table.thrown is not None
    other = judge_turn(replace(table, thrown=replace(table.thrown, roll=Roll.from_dice(6, 5), dice=(6, 5))))
    assert other is not None
    assert other.outcome is Outcome.ILLEGAL
    before = judge_turn(table, table.views[:1])
    assert before is not None
    assert before.outcome is Outcome.IDLE
    evening.move(WRONG, 3)
    later = judge_turn(evening.table)
    assert later is not None
    assert later.outcome is Outcome.ILLEGAL
