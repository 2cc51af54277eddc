"""Whether an answer to a lesson is right, and what is said to it; pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from controller.analysis.lessons.lesson import LEARNER, CourseLesson, LessonQuestion
from controller.analysis.lessons.lesson_words import lesson_text, task_text
from controller.analysis.why.explaining import PlayMade, play_reason
from controller.analysis.why.facts import facts_of
from controller.messages.game_words import offence_words
from controller.record.match.corrections import CorrectionError, after_play, named_play
from controller.rules import (
    Play,
    Position,
    format_play,
    is_result,
    judge_play,
    parse_play,
    play_between,
    results,
)
from controller.rules.moves.plays import resolve
from controller.rules.notation import NotationError

POINTS: Final = 24
LOST: Final = 1.0
"""What a play that a rule of a lesson does not accept is taken to lose; it only says that the others are better."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What comes of an answer.

    Attributes:
        right: whether it is one of the right ones.
        legal: whether it is an answer at all: an illegal play is explained, and asked again.
        sentences: what is said to the learner.
        best: the position after a play that is right; None where no play is asked for.
    """

    right: bool
    legal: bool
    sentences: tuple[str, ...]
    best: Position | None = None


def mark_play(lesson: CourseLesson, after: Position, language: str) -> Mark:
    """The mark of a play, known by the position after it. Raises LanguageError."""
    return _mark_of(lesson, after, (), language)


def _mark_of(lesson: CourseLesson, after: Position, named: Play, language: str) -> Mark:
    """The mark of a play that leads to a position; what is said of an illegal one speaks of the moves it names."""
    rules = lesson.profile.movement
    verdict = judge_play(lesson.position, LEARNER, lesson.roll, named, after, rules)
    if verdict.play is None:
        faults = offence_words(verdict.reasons, language)
        return Mark(False, False, (*faults, task_text(lesson, language)))
    right, best = is_accepted(lesson, after), best_play(lesson)
    said = [lesson_text("answers", "right" if right else "wrong", language)]
    why = play_reason(PlayMade(lesson.position, LEARNER, lesson.roll, after), _weighed(lesson), language)
    if why is not None:
        said.append(why)
    elif not right:
        better = format_play(play_between(lesson.position, LEARNER, lesson.roll, best, rules) or ())
        said.append(lesson_text("answers", "better", language, play=better))
    return Mark(right, True, (*said, lesson_text(lesson.name, "why", language)), best)


def mark_word(lesson: CourseLesson, said: str, language: str) -> Mark:
    """The mark of a word about the cube, or of a number of pips. Raises LanguageError."""
    word = said.strip().lower()
    if not _is_answer(lesson, word):
        return Mark(False, False, (lesson_text("answers", f"how_{lesson.asked}", language),))
    right = word == lesson.answer
    begun = lesson_text("answers", "right" if right else "wrong", language)
    told = [] if right else [lesson_text("answers", f"is_{_named(lesson)}", language, pips=lesson.answer)]
    return Mark(right, True, (begun, *told, lesson_text(lesson.name, "why", language)))


def mark_answer(lesson: CourseLesson, said: str, language: str) -> Mark:
    """The mark of what a learner types: a play in notation, a word about the cube, or a number.

    Raises UserError for a play that cannot be read or made.
    """
    if lesson.asked is not LessonQuestion.PLAY:
        return mark_word(lesson, said, language)
    try:
        return _mark_of(lesson, play_end(lesson, said), named_play(said), language)
    except CorrectionError:
        closed = _closed_point(lesson, said)
        if closed is None:
            raise
        told = lesson_text("answers", "closed", language, point=closed)
        return Mark(False, False, (told, task_text(lesson, language)))


def _closed_point(lesson: CourseLesson, said: str) -> int | None:
    """The first point of a play on which the other side's checkers allow no landing."""
    held = lesson.profile.movement.landing_blocked_at
    targets = (move.target for move in parse_play(said) if 1 <= move.target <= POINTS)
    return next((each for each in targets if lesson.position.checkers(LEARNER.opponent, each) >= held), None)


def play_end(lesson: CourseLesson, said: str) -> Position:
    """Where a play in notation leads; steps may be joined and hits on the way left out.

    Raises UserError for what is no play, or cannot be made on the board.
    """
    rules = lesson.profile.movement
    after = after_play(lesson.position, LEARNER, said, rules)
    if is_result(lesson.position, LEARNER, lesson.roll, after, rules):
        return after
    try:
        return resolve(lesson.position, LEARNER, lesson.roll, parse_play(said), rules).after
    except NotationError:
        return after


def answers_to(lesson: CourseLesson) -> tuple[str, ...]:
    """The words that answer a lesson about the cube; none where a play or a number is asked for."""
    return WORDS.get(lesson.asked, ())


def best_play(lesson: CourseLesson) -> Position:
    """The position after a right play: the best one that an engine weighed, else the first by its notation."""
    weighed = (after for after, _ in lesson.plays if is_accepted(lesson, after))
    ends, _ = results(lesson.position, LEARNER, lesson.roll, lesson.profile.movement)
    ranked = sorted((Position(code) for code in ends), key=Position.compact)
    return next(weighed, None) or next(after for after in ranked if is_accepted(lesson, after))


def is_accepted(lesson: CourseLesson, after: Position) -> bool:
    """Whether a legal play is one of the right ones."""
    kind, _, number = lesson.accepted.partition(" ")
    return ACCEPTS[kind](lesson, after, int(number or 0))


def _weighed(lesson: CourseLesson) -> tuple[tuple[Position, float], ...]:
    """The plays with what each loses: as an engine says, or by the rule of the lesson."""
    if lesson.accepted == "engine":
        return lesson.plays
    right = [after for after, _ in lesson.plays if is_accepted(lesson, after)]
    others = [after for after, _ in lesson.plays if after not in right]
    return (*((after, 0.0) for after in right), *((after, LOST) for after in others))


def _engine(lesson: CourseLesson, after: Position, _: int) -> bool:
    return any(end == after and loss <= lesson.threshold for end, loss in lesson.plays)


def _hits(lesson: CourseLesson, after: Position, _: int) -> bool:
    return after.bar(LEARNER.opponent) > lesson.position.bar(LEARNER.opponent)


def _pins(lesson: CourseLesson, after: Position, _: int) -> bool:
    return len(after.pins(LEARNER.opponent)) > len(lesson.position.pins(LEARNER.opponent))


ACCEPTS: Final[Mapping[str, Callable[[CourseLesson, Position, int], bool]]] = {
    "legal": lambda *_: True,
    "engine": _engine,
    "hits": _hits,
    "pins": _pins,
    "safe": lambda _, after, __: not facts_of(after, LEARNER).shots,
    "off": lambda lesson, after, count: after.off(LEARNER) - lesson.position.off(LEARNER) >= count,
    "makes": lambda _, after, point: after.checkers(LEARNER, point) > 1,
}
"""How each way to accept plays, by its name in the file, tells whether one is right."""
WORDS: Final = {LessonQuestion.DOUBLE: ("double", "roll"), LessonQuestion.TAKE: ("take", "pass")}


def _is_answer(lesson: CourseLesson, word: str) -> bool:
    return word.isdecimal() if lesson.asked is LessonQuestion.PIPS else word in answers_to(lesson)


def _named(lesson: CourseLesson) -> str:
    return "pips" if lesson.asked is LessonQuestion.PIPS else lesson.answer
