"""A position is practised: set up, tried, played, rated."""

from dataclasses import replace
from itertools import count
from random import Random

import pytest

from controller.analysis.advice import Advice, RatedPlay
from controller.analysis.engine import EngineError
from controller.devices.lights.frame import LightFrame, Signal
from controller.exercise import AskEngine, Exercise, ExerciseError, Task
from controller.messages.catalogue import LANGUAGES
from controller.messages.sight_words import lost_words
from controller.referee.belief.steps import shift_checker
from controller.referee.events import FrameMoving, FrameSeen, Ticked
from controller.rules.forms.xgid import MatchState
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import STANDARD, Profile
from tests.referee.staging import Film
from tests.rows import each_row

LIGHT, DARK = Side.LIGHT, Side.DARK
THREE_ONE = Roll(3, 1)
POINT = Position.from_compact("b...BD.B...eE...c.e....B..")
RUN = shift_checker(shift_checker(START, LIGHT, 24, 21), LIGHT, 24, 23)
OTHER = shift_checker(START, LIGHT, 13, 9)


def engine(position: Position, state: MatchState) -> Advice:
    """An engine that likes points."""
    assert state.roll is not None
    plays = [RatedPlay(POINT, "8/5 6/5", 0.2), RatedPlay(RUN, "24/23 24/21", -0.05)]
    mirrored = [replace(each, after=each.after.mirrored()) for each in plays]
    return Advice("stub", tuple(plays if position == START else mirrored))


def broken(_: Position, __: MatchState) -> Advice:
    raise EngineError("There is no engine here.")


class Board:
    """A board under a camera, and what was said and shown."""

    def __init__(
        self,
        ask: AskEngine | None = engine,
        side: Side = LIGHT,
        hint: int = 0,
        language: str = "en",
        rules: Profile = STANDARD,
        position: Position = START,
        roll: Roll = THREE_ONE,
    ) -> None:
        self.film, self.number, self.t = Film(Random(3)), count(), 0.0
        self.lit: list[LightFrame] = []
        self.mirrored = side is DARK
        task = Task(self.of(position), MatchState(on_roll=side, roll=roll), roll, rules, hint)
        self.exercise = Exercise(task, ask, self.lit.append, language)
        self.said = [self.exercise.begin()]

    def of(self, position: Position) -> Position:
        return position.mirrored() if self.mirrored else position

    def lies(self, position: Position, seconds: float = 1.0) -> None:
        """A hand puts the checkers so, and they lie there for some seconds."""
        self.t += 0.4
        self.said += self.exercise.put(FrameMoving(self.t, next(self.number)))
        for step in range(1 + round(seconds / 0.5)):
            self.t += 0.5
            if step < 3:
                reading = self.film.read(self.of(position))
                self.said += self.exercise.put(FrameSeen(self.t, next(self.number), reading))
            self.said += self.exercise.put(Ticked(self.t))


@each_row("side", list(Side))
@each_row("language", LANGUAGES)
def test_the_best_play_is_praised(side: Side, language: str) -> None:
    board = Board(side=side, language=language)
    board.lies(START)
    board.lies(POINT, 4)
    assert board.exercise.done
    assert board.exercise.result is not None
    assert board.exercise.result.after == board.of(POINT)
    assert "8/5 6/5" in board.said[-1]
    assert "{" not in " ".join(board.said)


def test_a_weaker_play_is_told_what_it_loses_and_what_was_best() -> None:
    board = Board()
    board.lies(START)
    board.lies(RUN, 4)
    assert "0.250" in board.said[-1]
    assert "8/5 6/5" in board.said[-1]


def test_the_lights_help_to_set_up() -> None:
    board = Board()
    board.lies(POINT)
    assert board.lit[-1][5] is Signal.TAKE
    assert board.lit[-1][8] is board.lit[-1][6] is Signal.PUT
    board.lies(START)
    assert board.lit[-1] == LightFrame()
    assert "The position is set up." in board.said


def test_plays_may_be_tried_and_taken_back() -> None:
    board = Board()
    board.lies(START)
    board.lies(OTHER, 1)
    board.lies(START, 1)
    board.lies(RUN, 1)
    assert not board.exercise.done
    board.lies(POINT, 4)
    assert board.exercise.result is not None
    assert board.exercise.result.after == POINT


def test_an_illegal_play_is_explained_and_may_be_tried_again() -> None:
    board = Board()
    board.lies(START)
    board.lies(shift_checker(START, LIGHT, 24, 22), 8)
    assert not board.exercise.done
    assert "is not legal" in board.said[-1]
    assert "22 → 24" in board.said[-1]
    assert board.lit[-1][24] is Signal.PUT
    board.lies(START, 2)
    board.lies(POINT, 4)
    assert board.exercise.done
    assert "That is the best play." in board.said[-1]


def test_a_play_that_stays_half_done_is_told_of_once_and_may_be_completed() -> None:
    half = shift_checker(START, LIGHT, 8, 5)
    board = Board()
    board.lies(START)
    said = len(board.said)
    board.lies(half, 25)
    assert len(board.said) == said
    board.lies(half, 100)
    assert len(board.said) == said + 1
    assert "Only 1 of the 2 playable numbers was used, leaving 1." in board.said[-1]
    board.lies(POINT, 4)
    assert board.exercise.result is not None
    assert board.exercise.result.after == POINT


def test_a_board_on_which_nothing_is_played_is_left_alone() -> None:
    board = Board()
    board.lies(START)
    said = len(board.said)
    board.lies(START, 100)
    assert len(board.said) == said


@each_row("language", LANGUAGES)
def test_a_board_that_cannot_be_read_is_told_once_for_each_cause(language: str) -> None:
    board = Board(language=language)
    board.lies(START)
    said = len(board.said)

    def looks(fault: str | None, seconds: float) -> None:
        for _ in range(round(2 * seconds)):
            board.t += 0.5
            reading = replace(board.film.read(START), fault=fault)
            board.said += board.exercise.put(FrameSeen(board.t, next(board.number), reading))

    looks("blurred", 2)
    looks(None, 1)
    looks("other_board", 2)
    assert len(board.said) == said
    looks("other_board", 10)
    looks("blurred", 10)
    looks(None, 1)
    looks("blurred", 10)
    assert board.said[said:] == [
        lost_words(fault, 0.0, language) for fault in ("other_board", "blurred", "blurred")
    ]


def test_landing_points_are_shown_while_a_checker_is_in_the_hand() -> None:
    board = Board(hint=2)
    board.lies(START)
    assert board.lit[-1][8] is Signal.MOVABLE
    reading = replace(board.film.read(shift_checker(START, LIGHT, 8, 0)), hand=True)
    board.said += board.exercise.put(FrameSeen(board.t + 0.5, 99, reading))
    assert board.lit[-1][5] is board.lit[-1][7] is Signal.LANDING


def test_the_best_play_is_shown_to_those_who_ask_for_it() -> None:
    board = Board(hint=3)
    board.lies(START)
    assert board.lit[-1][8] is board.lit[-1][6] is Signal.MOVABLE
    assert board.lit[-1][5] is Signal.LANDING


@pytest.mark.parametrize("ask", [None, broken])
def test_without_an_engine_only_the_rules_judge(ask: AskEngine | None) -> None:
    board = Board(ask, hint=3)
    board.lies(START)
    board.lies(RUN, 4)
    assert board.exercise.done
    assert "is legal." in board.said[-1]
    assert ("no engine here" in board.said[-1]) is (ask is broken)


def test_rules_that_engines_do_not_know_are_not_rated() -> None:
    board = Board(rules=load_profile("terebess-cap5"))
    board.lies(START)
    board.lies(RUN, 4)
    assert "Engines do not know these rules" in board.said[-1]


def test_a_roll_that_cannot_be_played_ends_the_exercise() -> None:
    closed = Position.from_compact("..................bbbbbbA.")
    board = Board(position=closed, roll=Roll(6, 3))
    board.lies(closed)
    assert board.exercise.done
    assert "has no legal play" in board.said[-1]


def test_a_film_that_ends_too_early_is_judged_as_it_lies_or_not_at_all() -> None:
    early = Board()
    early.lies(START)
    early.lies(POINT, 1)
    early.said += early.exercise.give_up()
    assert early.exercise.done
    disturbed = Board()
    disturbed.lies(START)
    disturbed.lies(POINT, 1)
    disturbed.said += disturbed.exercise.put(FrameMoving(disturbed.t + 0.5, 99))
    disturbed.said += disturbed.exercise.give_up()
    assert disturbed.exercise.done
    never = Board()
    never.lies(POINT, 1)
    assert list(never.exercise.give_up()) == ["The film ends before the play could be seen."]


def test_nothing_more_is_said_when_the_exercise_is_done() -> None:
    board = Board()
    board.lies(START)
    board.lies(POINT, 4)
    said = len(board.said)
    board.lies(RUN, 6)
    assert len(board.said) == said


def test_a_position_in_which_the_game_is_over_is_refused() -> None:
    over = Position.from_compact("B.........................")
    with pytest.raises(ExerciseError, match="game is over"):
        Task(over, MatchState(on_roll=LIGHT), Roll(3, 1), STANDARD)
