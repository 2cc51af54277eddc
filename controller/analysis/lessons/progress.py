"""What each learner has learned of the course, in a file beside that of the quiz."""

import json
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import platformdirs

from controller.analysis.lessons.lesson import CourseLesson, all_lessons
from controller.analysis.repetition import Card, Recall, card_from, due_of, new_card, review_card
from controller.errors import UserError
from controller.json_object import parse_object
from controller.record.journal.delivery import alone_with
from controller.whole_file import replace_file

NAME: Final = "course.json"
VERSION: Final = 1
"""Of the form in which it is kept."""
LONGEST_NAME: Final = 40
MOST_LEARNERS: Final = 500


class ProgressError(UserError):
    """What was learned cannot be read, or cannot be kept."""


@dataclass(frozen=True, slots=True)
class Learned:
    """One lesson of one learner.

    Attributes:
        card: what the scheduler knows.
        tries: how often it was answered.
        right: how often rightly.
        last: whether the last answer was right.
    """

    card: Card
    tries: int = 0
    right: int = 0
    last: bool = False

    @property
    def due(self) -> datetime:
        """When it is to be asked again."""
        return due_of(self.card)

    def answered(self, *, right: bool, hinted: bool, now: datetime) -> "Learned":
        """After an answer; with the hint a right one counts as hard."""
        recall = Recall.AGAIN if not right else Recall.HARD if hinted else Recall.GOOD
        card = review_card(self.card, recall, now)
        return replace(self, card=card, tries=self.tries + 1, right=self.right + right, last=right)


LearnedLessons = Mapping[str, Learned]
"""What one learner has answered, by the names of the lessons."""


@dataclass(frozen=True, slots=True)
class CourseProgress:
    """What everybody has learned: the lessons of each learner, by the learner's name."""

    learners: Mapping[str, LearnedLessons] = field(default_factory=dict)

    def of(self, learner: str) -> LearnedLessons:
        """The lessons that a learner has answered."""
        return self.learners.get(self.spelt(learner), {})

    def spelt(self, learner: str) -> str:
        """A learner's name as it is kept already: who writes it with other capital letters is nobody else."""
        if learner in self.learners:
            return learner
        return next((name for name in self.learners if _plain(name) == _plain(learner)), learner)

    def answered(
        self, learner: str, lesson: CourseLesson, *, right: bool, hinted: bool, now: datetime
    ) -> "CourseProgress":
        """After an answer. Raises ProgressError for a name that is none."""
        name = self.spelt(learner_name(learner))
        known = self.of(name)
        if name not in self.learners and len(self.learners) >= MOST_LEARNERS:
            raise ProgressError(f"There are {MOST_LEARNERS} learners already; take some out first.")
        before = known.get(lesson.name) or Learned(new_card(now))
        after = before.answered(right=right, hinted=hinted, now=now)
        return CourseProgress({**self.learners, name: {**known, lesson.name: after}})


def _plain(name: str) -> str:
    """A name without what a keyboard alone decides."""
    return unicodedata.normalize("NFC", name).casefold()


def learner_name(text: str) -> str:
    """A learner's name as it is kept. Raises ProgressError for one that is empty or too long."""
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise ProgressError(f"A learner's name has 1 to {LONGEST_NAME} characters; {text!r} has not.")
    return name


def lesson_state(learned: LearnedLessons, name: str, now: datetime) -> str:
    """How far a learner is with a lesson: `new`, `wrong` after a wrong answer, `due`, or `known`."""
    each = learned.get(name)
    if each is None:
        return "new"
    return "wrong" if not each.last else "due" if each.due <= now else "known"


def next_lesson(learned: LearnedLessons, now: datetime) -> CourseLesson | None:
    """What to ask next: the lesson that is longest due, else the first new one; None where nothing is to be asked."""
    lessons = {lesson.name: lesson for lesson in all_lessons()}
    due = [name for name, each in learned.items() if name in lessons and each.due <= now]
    if due:
        return lessons[min(due, key=lambda name: learned[name].due)]
    return next((lesson for name, lesson in lessons.items() if name not in learned), None)


def usual_progress() -> Path:
    """Where this user's course is kept."""
    return platformdirs.user_data_path("pointsman") / NAME


class ProgressFile:
    """The file that keeps it; written whole or not at all."""

    def __init__(self, path: Path | None = None) -> None:
        """By default that of this user."""
        self.path = path or usual_progress()

    def load(self) -> CourseProgress:
        """What is kept; nothing if there is no such file. Raises ProgressError."""
        try:
            told = parse_object(self.path.read_text(encoding="utf-8"))
            if told.get("version", VERSION) != VERSION:
                raise ProgressError(
                    f"{self.path} was written by a newer Pointsman, and stays as it is; update this one, or name "
                    "another file."
                )
            kept = told["learners"]
            return CourseProgress({str(name): _lessons_from(lessons) for name, lessons in kept.items()})
        except FileNotFoundError:
            return CourseProgress()
        except OSError as error:
            raise ProgressError(
                f"{self.path} cannot be read ({error.strerror}); name another file."
            ) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ProgressError(
                f"{self.path} does not hold what learners know of the course; name another file, or a new one to "
                "begin anew."
            ) from error

    def save(self, progress: CourseProgress) -> None:
        """Keep it. Raises ProgressError."""
        kept = {name: _values_of(lessons) for name, lessons in progress.learners.items()}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({"version": VERSION, "learners": kept}, indent=1)
            replace_file(self.path, text.encode(), 0o644)
        except OSError as error:
            raise _unwritten(self.path, error) from error

    def keep_answer(
        self, learner: str, lesson: CourseLesson, *, right: bool, hinted: bool, now: datetime
    ) -> Learned:
        """Keep an answer at once, whoever else does; gives the lesson as the learner knows it now.

        Raises ProgressError.
        """
        try:
            with alone_with(self.path):
                after = self.load().answered(learner, lesson, right=right, hinted=hinted, now=now)
                self.save(after)
        except OSError as error:
            raise _unwritten(self.path, error) from error
        return after.of(learner_name(learner))[lesson.name]


def _unwritten(path: Path, error: OSError) -> ProgressError:
    return ProgressError(f"{path} cannot be written ({error.strerror}); name another file.")


def _values_of(lessons: LearnedLessons) -> dict[str, Any]:
    return {
        name: {"card": dict(each.card), "tries": each.tries, "right": each.right, "last": each.last}
        for name, each in lessons.items()
    }


def _lessons_from(values: Mapping[str, Any]) -> LearnedLessons:
    return {str(name): _learned_from(each) for name, each in values.items()}


def _learned_from(values: Mapping[str, Any]) -> Learned:
    card = card_from(values["card"])
    return Learned(card, int(values["tries"]), int(values["right"]), bool(values["last"]))


@dataclass(frozen=True, slots=True)
class ClassRow:
    """One learner in the teacher's table.

    Attributes:
        name: the learner.
        known: lessons whose last answer was right; `due` those to be asked now; `wrong` those last answered wrongly.
        tries: answers in all, `right` of them right.
    """

    name: str
    known: int
    due: int
    wrong: tuple[str, ...]
    tries: int
    right: int


def class_rows(progress: CourseProgress, now: datetime) -> Iterable[ClassRow]:
    """The class at one glance, by name."""
    for name in sorted(progress.learners, key=str.casefold):
        each = progress.of(name)
        yield ClassRow(
            name,
            known=sum(one.last for one in each.values()),
            due=sum(one.due <= now for one in each.values()),
            wrong=tuple(lesson for lesson, one in each.items() if not one.last),
            tries=sum(one.tries for one in each.values()),
            right=sum(one.right for one in each.values()),
        )
