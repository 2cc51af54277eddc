"""The board under the camera as a question on the page: what lies there, and whose turn it is, as plain values."""

from dataclasses import dataclass, replace
from datetime import datetime

from controller.analysis.advice import advise
from controller.analysis.drawing import board_svg
from controller.analysis.question.doubt_words import doubt_words
from controller.analysis.question.question import BoardQuestion, exercise_of, question_of
from controller.analysis.question.seen import SeenBoard, seen_board
from controller.analysis.quiz import Quiz
from controller.errors import UserError
from controller.messages.catalogue import catalogue
from controller.messages.device_words import program_words
from controller.messages.table_words import capital, side_words
from controller.record.journal.journal import Json
from controller.record.match.playthrough import Moment, moment_state
from controller.referee import Phase
from controller.referee.table.state import Table
from controller.rules import Position, Roll, Side, results
from controller.rules.forms.xgid import MatchState
from controller.rules.moves.movement import STANDARD
from controller.vision import Board, Reading
from controller.web.learning.lessons import LessonPlace
from controller.web.table_service import Glimpse, RoomState, RoomView


@dataclass(frozen=True, slots=True)
class BoardGlance:
    """A look at the board that can be asked about.

    Attributes:
        glimpse: the picture.
        reading: what was read in it.
        board: the board that it was read by.
    """

    glimpse: Glimpse
    reading: Reading
    board: Board


class MovingError(UserError):
    """Something moves on the board, so that nothing is known of it until it lies still."""


def board_glance(glimpse: Glimpse | None, view: RoomView, language: str) -> BoardGlance:
    """What the camera sees just now. Raises UserError where nothing can be read yet, MovingError while it moves."""
    if glimpse is None:
        raise UserError(catalogue(language).text("question", "no_camera"))
    # The last picture of a camera that is gone says nothing of the board as it lies now.
    gone = next((each for each in view.devices if each.name == "camera" and not each.ready), None)
    if gone is not None:
        raise UserError(gone.words(language))
    if glimpse.board is None:
        raise UserError(program_words("no_board")(language))
    if glimpse.moving or glimpse.reading is None:
        raise MovingError(catalogue(language).text("question", "moving"))
    return BoardGlance(glimpse, glimpse.reading, glimpse.board)


def glance_content(
    glance: BoardGlance, view: RoomView, side: Side | None, roll: Roll | None, language: str
) -> dict[str, Json]:
    """What is on the board: the question as XGID, or what is still to be told, or what stands against it.

    ``side`` and ``roll`` are what people told; else what is seen counts, or what the match on the table knows.
    """
    seen = seen_board(glance.reading)
    doubts: list[Json] = [*_other_game(view, language), *doubt_words(seen, glance.reading, language)]
    table = _table_of(view)
    whose, thrown = side or _whose(seen, table), roll or _rolled(seen, table)
    asked = None
    if not doubts and whose is not None and thrown is not None:
        asked = question_of(seen, whose, thrown, None if table is None else _state(table))
        doubts += _nothing_to_play(asked, language)
    return {
        "doubts": doubts,
        "position": None if seen.position is None else seen.position.compact(),
        "side": None if whose is None else str(whose),
        "dice": _dice(thrown or seen.guess),
        "xgid": None if asked is None or doubts else asked.xgid,
    }


def drawn(place: LessonPlace, language: str) -> str:
    """The position as an SVG drawing, seen by the side that rolled. Raises LanguageError."""
    label = catalogue(language).text("analysis", "board", position=place.position.compact())
    return board_svg(place.position, place.side, place.state, label)


def keep_content(
    place: LessonPlace, played: Position | None, now: datetime, language: str
) -> dict[str, Json]:
    """Keep a position in this user's quiz, and what is said to it; slow.

    Raises UserError without an engine, or where the quiz cannot be kept.
    """
    Quiz.load()  # one that cannot be read is told before an engine works
    asked, advice = BoardQuestion(place.position, place.state), advise(place.position, place.state)
    item = exercise_of(asked, advice, played or advice.best.after, now, language)
    with Quiz.changing() as kept:
        new = bool(kept.add([item]))
    return {"kept": new, "text": catalogue(language).text("question", "kept" if new else "known")}


def _table_of(view: RoomView) -> Table | None:
    """The table of a match that is on."""
    table = view.referee
    on = table is not None and view.state is RoomState.PLAYING and table.phase is not Phase.MATCH_OVER
    return table if on else None


def _other_game(view: RoomView, language: str) -> list[Json]:
    table = _table_of(view)
    if table is None or table.match.game.profile.movement == STANDARD:
        return []
    return [catalogue(language).text("question", "other_game")]


def _state(table: Table) -> MatchState:
    return replace(moment_state(Moment(0, None, table.match)), roll=None)


def _whose(seen: SeenBoard, table: Table | None) -> Side | None:
    return seen.side if table is None else table.on_turn or seen.side


def _rolled(seen: SeenBoard, table: Table | None) -> Roll | None:
    """The roll that is to be played: that of the match while its position lies there, else what is seen."""
    thrown = None if table is None or seen.position != table.position else table.thrown
    return seen.roll if thrown is None else thrown.roll


def _dice(roll: Roll | None) -> Json:
    return None if roll is None else [*roll.dice]


def _nothing_to_play(asked: BoardQuestion, language: str) -> list[Json]:
    side = asked.state.on_roll
    if results(asked.position, side, asked.roll)[0] != {asked.position.code}:
        return []
    name = capital(side_words(side, language))
    return [catalogue(language).text("question", "no_play", side=name, roll=asked.roll)]
