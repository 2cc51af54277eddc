"""The end of a turn of which the camera has not shown the board yet: pictures stay away, or come late."""

from controller.devices.link.happenings import Button
from controller.referee.actions import Flagged, Message, Phase, TurnJudged
from controller.referee.belief.steps import shift_checker
from controller.referee.events import FrameMoving, FrameSame, RollReported, Ticked
from controller.referee.table.settings import End, Settings
from controller.rules.position import START, Position, Side
from controller.rules.profile.profile import STANDARD
from controller.rules.reasons import ReasonCode
from tests.referee.table.evening import CLOCK, Evening, match_terms
from tests.rows import each_row

HALF = shift_checker(START, Side.LIGHT, 8, 5)
GOOD = shift_checker(HALF, Side.LIGHT, 6, 5)
WRONG = shift_checker(HALF, Side.LIGHT, 6, 4)
PRESSES = {"their clock": CLOCK[Side.LIGHT], "the button": Button.DONE}


def seen_before_the_play(lies: Position = START, *, clock: bool = True) -> Evening:
    """Light has rolled 3-1, and a camera that tells of every picture has shown the board like this."""
    evening = Evening(Settings(match_terms(STANDARD), clock=clock))
    evening.start(3, 1)
    evening.stay()
    if lies != START:
        evening.move(lies)
        evening.stay()
    evening.actions.clear()
    return evening


def judged(evening: Evening) -> list[tuple[str, bool | None]]:
    return [(each.text, each.legal) for each in evening.actions if isinstance(each, TurnJudged)]


def broken(evening: Evening) -> list[ReasonCode]:
    """The rules that somebody was told to have broken."""
    return [each.turn.reasons[0].code for each in evening.actions if isinstance(each, Flagged)]


@each_row("press", PRESSES)
def test_who_plays_while_no_picture_comes_and_says_twice_that_they_are_done_is_not_accused(
    press: str,
) -> None:
    evening = seen_before_the_play()
    evening.press(PRESSES[press])
    evening.press(PRESSES[press])
    assert evening.table.phase is Phase.TURN_ENDED
    assert Message.NOTHING_MOVED not in evening.messages()
    evening.move(GOOD)
    assert judged(evening) == [("8/5 6/5", True)]
    assert broken(evening) == []
    assert Message.NOTHING_MOVED not in evening.messages()


@each_row("press", PRESSES)
def test_who_moves_nothing_and_says_twice_that_they_are_done_is_accused_while_pictures_come(
    press: str,
) -> None:
    evening = seen_before_the_play()
    evening.press(PRESSES[press])
    evening.stay()
    assert evening.messages() == [Message.NOTHING_MOVED]
    assert evening.table.phase is Phase.MOVING
    evening.press(PRESSES[press])
    assert broken(evening) == []
    evening.stay()
    assert broken(evening) == [ReasonCode.NOTHING_MOVED]
    assert evening.table.phase is Phase.PUT_RIGHT


def test_who_was_told_that_nothing_was_moved_and_plays_while_no_picture_comes_is_not_accused() -> None:
    evening = seen_before_the_play()
    evening.done()
    evening.stay()
    evening.done()
    evening.move(GOOD)
    assert judged(evening) == [("8/5 6/5", True)]
    assert broken(evening) == []


@each_row("lies, rule", [(HALF, ReasonCode.UNUSED_DIE), (WRONG, ReasonCode.WRONG_DISTANCE)])
def test_what_is_no_legal_play_is_told_when_a_picture_shows_it_after_the_press(
    lies: Position, rule: ReasonCode
) -> None:
    evening = seen_before_the_play(lies)
    evening.done()
    assert evening.table.phase is Phase.TURN_ENDED
    assert broken(evening) == []
    evening.stay()
    assert broken(evening) == [rule]


def test_a_play_that_was_put_right_while_no_picture_came_counts_as_the_next_one_shows_it() -> None:
    evening = seen_before_the_play(WRONG)
    evening.done()
    evening.move(GOOD)
    assert judged(evening) == [("8/5 6/5", True)]
    assert broken(evening) == []


def test_a_legal_play_counts_at_once() -> None:
    evening = seen_before_the_play(GOOD)
    evening.done()
    assert judged(evening) == [("8/5 6/5", True)]


def test_a_picture_that_was_taken_before_the_press_and_comes_after_it_tells_nothing_of_it() -> None:
    evening = seen_before_the_play()
    evening.done()
    evening.tell(FrameSame(evening.t - 0.1, 99))
    assert evening.table.phase is Phase.TURN_ENDED
    assert evening.messages() == []


@each_row("lies", [START, HALF])
def test_the_opponent_who_rolls_before_a_picture_comes_has_nobody_accused(lies: Position) -> None:
    evening = seen_before_the_play(lies, clock=False)
    evening.done()
    evening.t += 0.5
    evening.tell(RollReported(evening.t, (5, 2)))
    evening.look(GOOD)
    evening.move(shift_checker(shift_checker(GOOD, Side.DARK, 13, 8), Side.DARK, 13, 11))
    evening.done()
    assert judged(evening) == [("8/5 6/5", True), ("13/11 13/8", True)]
    assert broken(evening) == []


def test_a_board_that_lies_still_only_because_no_picture_comes_has_nobody_accused() -> None:
    evening = Evening(Settings(match_terms(STANDARD), ends=frozenset({End.REST}), rest_s=2.0))
    evening.start(3, 1)
    evening.stay()
    evening.move(WRONG)
    evening.t += 5.0
    evening.tell(Ticked(evening.t))
    assert evening.table.phase is Phase.TURN_ENDED
    assert broken(evening) == []
    evening.move(GOOD)
    assert judged(evening) == [("8/5 6/5", True)]
    assert broken(evening) == []


@each_row("third", [(6, 4), (2, 1)])
def test_who_played_while_the_camera_was_away_for_two_turns_is_not_accused(third: tuple[int, int]) -> None:
    """Dice that report themselves go on meanwhile."""
    evening = seen_before_the_play(clock=False)
    for roll in ((5, 2), third):
        evening.t += 8.0
        evening.tell(RollReported(evening.t, roll))
    evening.t += 3.0
    evening.look(shift_checker(shift_checker(GOOD, Side.DARK, 13, 8), Side.DARK, 13, 11))
    evening.stay()
    assert broken(evening) == []
    assert False not in [legal for _, legal in judged(evening)]


@each_row("shown_before", [True, False])
def test_a_wrong_play_made_while_no_picture_came_is_laid_to_no_roll_that_the_dice_never_reported(
    shown_before: bool,
) -> None:
    """The first picture of it is taken before the opponent rolls, or after that."""
    evening = seen_before_the_play(clock=False)
    evening.t += 1.0
    evening.tell(FrameMoving(evening.t, round(evening.t * 15)))
    evening.t += 8.0
    if shown_before:
        evening.look(WRONG)
    evening.tell(RollReported(evening.t, (6, 2)))
    evening.look(WRONG)
    evening.move(shift_checker(shift_checker(WRONG, Side.DARK, 13, 7), Side.DARK, 13, 11))
    evening.stay()
    evening.tell(RollReported(evening.t, (4, 3)))
    evening.stay()
    assert judged(evening) == [("8/4 6/5", False), ("13/11 13/7", True)]


def test_a_wrong_play_after_one_that_no_picture_showed_before_the_roll_is_taken_for_no_legal_one() -> None:
    evening = seen_before_the_play(clock=False)
    evening.t += 1.0
    evening.tell(FrameMoving(evening.t, round(evening.t * 15)))
    evening.t += 3.0
    evening.tell(RollReported(evening.t, (6, 2)))
    evening.look(GOOD)
    evening.move(shift_checker(shift_checker(GOOD, Side.DARK, 24, 23), Side.DARK, 13, 7))
    evening.stay()
    evening.tell(RollReported(evening.t, (4, 3)))
    evening.stay()
    assert judged(evening) == [("8/5 6/5", True), ("24/23 13/7", False)]
