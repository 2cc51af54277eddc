"""The course on the page: its list, a lesson, what an answer is worth, and the class, as plain values."""

from datetime import datetime
from typing import Final

from controller.analysis.lessons.lesson import (
    LEARNER,
    CourseLesson,
    CoursePart,
    LessonQuestion,
    all_lessons,
)
from controller.analysis.lessons.lesson_words import (
    lesson_idea,
    lesson_text,
    lesson_title,
    source_text,
    task_text,
)
from controller.analysis.lessons.marking import Mark, answers_to
from controller.analysis.lessons.progress import (
    CourseProgress,
    LearnedLessons,
    class_rows,
    lesson_state,
    next_lesson,
)
from controller.analysis.wording import score_words
from controller.record.journal.journal import Json
from controller.rules.moves.movement import STANDARD
from controller.web.learning.lessons import next_moves
from controller.web.snapshot import game_content

ABOUT_CUBE: Final = (LessonQuestion.DOUBLE, LessonQuestion.TAKE)


def course_content(learned: LearnedLessons, now: datetime, language: str) -> dict[str, Json]:
    """The list of the lessons with how far a learner is, and which comes next."""
    following = next_lesson(learned, now)
    states = {lesson.name: lesson_state(learned, lesson.name, now) for lesson in all_lessons()}
    parts: list[Json] = [
        {
            "name": str(part),
            "title": lesson_text("parts", str(part), language),
            "lessons": [
                {"name": each.name, "title": lesson_title(each, language), "state": states[each.name]}
                for each in all_lessons()
                if each.part is part
            ],
        }
        for part in CoursePart
    ]
    return {
        "parts": parts,
        "next": None if following is None else following.name,
        "known": sum(each.last for each in learned.values()),
        "all": len(states),
    }


def lesson_content(lesson: CourseLesson, language: str) -> dict[str, Json]:
    """A lesson as it is asked."""
    plays = lesson.asked is LessonQuestion.PLAY
    return {
        "name": lesson.name,
        "title": lesson_title(lesson, language),
        "idea": lesson_idea(lesson, language),
        "task": task_text(lesson, language),
        "hint": lesson_text(lesson.name, "hint", language),
        "source": source_text(lesson, language),
        "position": lesson.position.compact(),
        "side": str(LEARNER),
        "game": game_content(lesson.profile),
        "score": score_words(lesson.state, language) if lesson.asked in ABOUT_CUBE else "",
        "cube": {"value": 1, "owner": None, "in_play": lesson.asked in ABOUT_CUBE, "offer": _offer(lesson)},
        "dice": [*lesson.roll.dice] if plays else None,
        "asked": str(lesson.asked),
        "answers": [*answers_to(lesson)],
        "on_board": lesson.profile.movement == STANDARD,
    }


def _offer(lesson: CourseLesson) -> Json:
    if lesson.asked is not LessonQuestion.TAKE:
        return None
    return {"kind": "double", "by": str(LEARNER.opponent), "to": str(LEARNER), "value": 2}


def lesson_landings(lesson: CourseLesson, play: str) -> dict[str, Json]:
    """Where each checker may go next, as in `landings_content`. Raises UserError for what is no play."""
    if lesson.asked is not LessonQuestion.PLAY:
        return {"moves": []}
    return next_moves((lesson.position, LEARNER, lesson.roll), play, lesson.profile.movement)


def mark_content(mark: Mark, due: datetime | None, language: str) -> dict[str, Json]:
    """What comes of an answer; ``due`` is when the lesson comes again."""
    again = (
        "" if due is None else lesson_text("course", "again", language, day=f"{due.astimezone():%Y-%m-%d}")
    )
    return {
        "right": mark.right,
        "legal": mark.legal,
        "sentences": [*mark.sentences],
        "best": None if mark.best is None else mark.best.compact(),
        "again": again,
    }


def class_content(progress: CourseProgress, now: datetime, language: str) -> dict[str, Json]:
    """All learners at one glance."""
    titles = {lesson.name: lesson_title(lesson, language) for lesson in all_lessons()}
    rows: list[Json] = [
        {
            "name": row.name,
            "known": row.known,
            "due": row.due,
            "tries": row.tries,
            "right": row.right,
            "wrong": [titles[name] for name in row.wrong if name in titles],
        }
        for row in class_rows(progress, now)
    ]
    return {"all": len(titles), "learners": rows}
