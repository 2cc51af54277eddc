"""A lesson of the course set up on the real board: what still differs, in words and as the lights show it."""

from dataclasses import dataclass
from typing import Final

from controller.analysis.lessons.lesson import LEARNER, CourseLesson
from controller.analysis.question.doubt_words import doubt_words
from controller.analysis.question.seen import BoardFault, seen_board
from controller.devices import LightFrame, Signal
from controller.messages.catalogue import catalogue
from controller.messages.table_words import capital
from controller.record.journal.journal import Json
from controller.referee.table.restore import Differences, between, restoring_frame
from controller.rules import Position
from controller.telling.table import lamp_words
from controller.vision import Reading

IN_THE_WAY: Final = frozenset({BoardFault.UNREAD, BoardFault.COVERED, BoardFault.UNSURE_BAR})
"""While one of these stands against a reading, nobody can tell what differs."""


@dataclass(frozen=True, slots=True)
class BoardLesson:
    """How the board stands to a lesson.

    Attributes:
        words: what to do, or what is in the way.
        frame: what to do as the lights show it; None while something is in the way, as nobody can tell what differs.
        set_up: whether the position of the lesson lies there.
        position: what lies there, as far as it is certain; None otherwise.
        doubts: why that is not certain.
    """

    words: tuple[str, ...]
    frame: LightFrame | None = None
    set_up: bool = False
    position: Position | None = None
    doubts: tuple[str, ...] = ()

    def content(self) -> dict[str, Json]:
        """As plain values."""
        position = None if self.position is None else self.position.compact()
        return {
            "words": [*self.words],
            "waits": self.frame is None,
            "set_up": self.set_up,
            "position": position,
            "doubts": [*self.doubts],
        }


def board_lesson(lesson: CourseLesson, reading: Reading, language: str) -> BoardLesson:
    """How a board that was read stands to a lesson. Raises LanguageError."""
    seen = seen_board(reading)
    doubts = tuple(doubt_words(seen, reading, language))
    if any(doubt.fault in IN_THE_WAY for doubt in seen.doubts):
        return BoardLesson(doubts, doubts=doubts)
    lies = Position.seen(reading.points, reading.bar.light or 0, reading.bar.dark or 0)
    found = between(lies, lesson.position)
    unsure = tuple(sorted(reading.unsure - set(found.points)))
    frame = restoring_frame(Differences(found.surplus, unsure))
    if found.surplus or unsure:
        lit = lamp_words(frame, language, LEARNER)
        told = tuple(f"{capital(text)}." for signal, text in lit if signal is not Signal.WAITING)
        return BoardLesson(told, frame, False, seen.position, doubts)
    told = (catalogue(language).text("exercise", "set_up_right"),)
    return BoardLesson(told, frame, True, seen.position, doubts)
