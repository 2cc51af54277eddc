"""The words of the lessons: one TOML file for each language that ships; other languages read the English one."""

import tomllib
from functools import cache
from importlib.resources import files

from controller.analysis.lessons.lesson import CourseLesson, CoursePart, LessonQuestion
from controller.messages.catalogue import LANGUAGES, PLURALS, Catalogue, LanguageError


@cache
def lesson_catalogue(language: str) -> Catalogue:
    """The words of the lessons in a language. Raises LanguageError."""
    if language not in LANGUAGES:
        raise LanguageError(f'There are no texts in "{language}"; the languages are {", ".join(LANGUAGES)}.')
    shipped = language if language in PLURALS else LANGUAGES[0]
    text = (
        files("controller.analysis.lessons").joinpath("words", f"{shipped}.toml").read_text(encoding="utf-8")
    )
    return Catalogue(tomllib.loads(text), PLURALS[shipped])


def lesson_text(table: str, entry: str, language: str, **arguments: object) -> str:
    """A text of the lessons."""
    return lesson_catalogue(language).text(table, entry, **arguments)


def lesson_title(lesson: CourseLesson, language: str) -> str:
    """What a lesson is called."""
    if lesson.part is CoursePart.OPENINGS:
        return lesson_text("course", "opening", language, roll=lesson.roll)
    return lesson_text(lesson.name, "title", language)


def lesson_idea(lesson: CourseLesson, language: str) -> str:
    """What the learner reads first."""
    table = "course" if lesson.part is CoursePart.OPENINGS else lesson.name
    return lesson_text(table, "idea", language)


def source_text(lesson: CourseLesson, language: str) -> str:
    """Whose idea a lesson is: a name, or what is known to everybody in words."""
    known = lesson.source in lesson_catalogue(language).names("sources")
    source = lesson_text("sources", lesson.source, language) if known else lesson.source
    return lesson_text("course", "source", language, source=source)


def task_text(lesson: CourseLesson, language: str) -> str:
    """What is to be done."""
    roll = lesson.roll if lesson.asked is LessonQuestion.PLAY else ""
    return lesson_text("tasks", str(lesson.asked), language, roll=roll)
