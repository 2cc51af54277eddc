"""``pointsman course``."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

import typer

from controller.analysis.lessons.lesson import (
    LEARNER,
    CourseLesson,
    CoursePart,
    LessonQuestion,
    all_lessons,
    lesson_named,
)
from controller.analysis.lessons.lesson_words import (
    lesson_idea,
    lesson_text,
    lesson_title,
    source_text,
    task_text,
)
from controller.analysis.lessons.marking import Mark, best_play, mark_answer, mark_play
from controller.analysis.lessons.progress import (
    CourseProgress,
    LearnedLessons,
    ProgressFile,
    class_rows,
    learner_name,
    lesson_state,
    next_lesson,
)
from controller.cli.learning.exercise import WatchedBoard, practise_on
from controller.cli.options import CameraSource, Frames, Language, LightsPort
from controller.cli.output import put
from controller.errors import UserError
from controller.exercise import Task
from controller.record.files.transcript import diagram
from controller.rules import format_play, play_between

LAST, SHOW, HINT = "q", "?", "h"
ME: Final = "me"
"""The learner's name where none is given: most computers have one learner."""


def course(
    lesson: Annotated[
        str | None,
        typer.Argument(metavar="[LESSON]", help="One lesson by its name.", show_default="what is due"),
    ] = None,
    learner: Annotated[str, typer.Option(metavar="NAME", help="Who learns.")] = ME,
    number: Annotated[int, typer.Option(metavar="NUMBER", help="How many lessons at most.")] = 5,
    list_all: Annotated[bool, typer.Option("--list", help="List the lessons and how far you are.")] = False,
    whole_class: Annotated[bool, typer.Option("--class", help="Show all learners at one glance.")] = False,
    progress: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What was learned.", show_default="that of this user"),
    ] = None,
    board: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Play on the board of this board file.")
    ] = None,
    frames: Frames = None,
    camera: CameraSource = None,
    port: LightsPort = None,
    language: Language = "en",
) -> None:
    """Take the course: forty lessons, and a first one of each other game; the scheduler says what comes again."""
    lesson_text("course", "source", language, source="")
    name, file = learner_name(learner), ProgressFile(progress)
    if whole_class:
        _show_class(file.load(), language)
        return
    if list_all:
        _show_list(file.load().of(name), language)
        return
    watched = None if board is None else WatchedBoard(board, frames, camera, port, language)
    chosen = None if lesson is None else lesson_named(lesson)
    _CourseAsker(name, file, watched, language).ask(chosen, max(number, 0))


class _CourseAsker:
    """Asks one learner, in the terminal or on a watched board."""

    def __init__(self, learner: str, file: ProgressFile, watched: WatchedBoard | None, language: str) -> None:
        self._learner, self._file, self._watched, self._language = learner, file, watched, language

    def ask(self, chosen: CourseLesson | None, number: int) -> None:
        """Ask the lesson that was chosen, or those that are due and then new ones."""
        if chosen is not None:
            self._answered(chosen)
            return
        for _ in range(number):
            lesson = self._next()
            if lesson is None or not self._answered(lesson):
                return

    def _next(self) -> CourseLesson | None:
        learned = self._file.load().of(self._learner)
        found = next_lesson(learned, datetime.now(UTC))
        if found is None:
            put(
                self._text(
                    "nothing", day=f"{min(each.due for each in learned.values()).astimezone():%Y-%m-%d}"
                )
            )
        return found

    def _answered(self, lesson: CourseLesson) -> bool:
        """Ask one lesson; whether it was answered."""
        number = all_lessons().index(lesson) + 1
        put("\n" + self._text("lesson", number=number, title=lesson_title(lesson, self._language)))
        put(lesson_idea(lesson, self._language))
        heard = self._typed(lesson) if self._watched is None else self._played(lesson, self._watched)
        if heard is None:
            return False
        mark, hinted = heard
        self._keep(lesson, right=mark.right, hinted=hinted)
        return True

    def _keep(self, lesson: CourseLesson, *, right: bool, hinted: bool) -> None:
        learned = self._file.keep_answer(
            self._learner, lesson, right=right, hinted=hinted, now=datetime.now(UTC)
        )
        put(source_text(lesson, self._language))
        put(self._text("again", day=f"{learned.due.astimezone():%Y-%m-%d}"))

    def _typed(self, lesson: CourseLesson) -> tuple[Mark, bool] | None:
        """The mark of what is typed, and whether the hint was shown; None if there is no answer."""
        hinted = False
        put("\n" + diagram(lesson.position))
        put(f"{task_text(lesson, self._language)}\n{self._text(f'how_{lesson.asked}')}")
        for line in sys.stdin:
            said = " ".join(line.split())
            if said.casefold() == LAST:
                return None
            if not said:
                put(self._text(f"how_{lesson.asked}"))
                continue
            if said.casefold() == HINT:
                hinted = True
                put(self._text("hint", text=lesson_text(lesson.name, "hint", self._language)))
                continue
            mark = self._marked(lesson, _right_answer(lesson) if said == SHOW else said)
            if mark is None:
                continue
            put("\n".join(mark.sentences if said != SHOW else (_right_answer(lesson), *mark.sentences[-1:])))
            if mark.legal:
                return (mark, hinted) if said != SHOW else (Mark(False, True, ()), hinted)
        return None

    def _marked(self, lesson: CourseLesson, said: str) -> Mark | None:
        try:
            return mark_answer(lesson, said, self._language)
        except UserError:
            put(self._text("unread", play=said))
            return None

    def _played(self, lesson: CourseLesson, watched: WatchedBoard) -> tuple[Mark, bool] | None:
        """The mark of what is answered to the position on the board; None if there is no answer.

        A play is made there, by the lights; a word or a number is typed once the position is set up.
        """
        plays = lesson.asked is LessonQuestion.PLAY
        roll = lesson.roll if plays else None
        result = practise_on(watched, Task(lesson.position, lesson.state, roll, lesson.profile), None)
        if not plays:
            return self._typed(lesson) if result.set_up else None
        if result.result is None:
            return None
        mark = mark_play(lesson, result.result.after, self._language)
        put("\n".join(mark.sentences))
        return mark, False

    def _text(self, entry: str, **arguments: object) -> str:
        return lesson_text("course", entry, self._language, **arguments)


def _right_answer(lesson: CourseLesson) -> str:
    if lesson.asked is not LessonQuestion.PLAY:
        return lesson.answer
    play = play_between(lesson.position, LEARNER, lesson.roll, best_play(lesson), lesson.profile.movement)
    return format_play(play or ())


def _show_list(learned: LearnedLessons, language: str) -> None:
    now = datetime.now(UTC)
    for part in CoursePart:
        put(lesson_text("parts", str(part), language))
        for number, lesson in enumerate(all_lessons(), start=1):
            if lesson.part is part:
                state = lesson_text("course", f"state_{lesson_state(learned, lesson.name, now)}", language)
                put(f"  {number:2}  {lesson.name:16} {lesson_title(lesson, language)} ({state})")


def _show_class(progress: CourseProgress, language: str) -> None:
    for line in _class_lines(progress, language):
        put(line)


def _class_lines(progress: CourseProgress, language: str) -> Iterator[str]:
    rows, every = [*class_rows(progress, datetime.now(UTC))], len(all_lessons())
    if not rows:
        yield lesson_text("course", "nobody", language)
    for row in rows:
        yield lesson_text(
            "course", "summary", language, name=row.name, known=row.known, all=every, due=row.due
        )
