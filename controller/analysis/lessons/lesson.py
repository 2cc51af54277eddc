"""A lesson: a position, what is asked, and which answers are right; all of them from the file `course.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final

from controller.errors import UserError
from controller.record.match.corrections import after_play
from controller.rules import Position, Profile, Roll, Side, load_profile
from controller.rules.forms.xgid import MatchState

USUAL_RULES: Final = "standard-match"
LEARNER: Final = Side.LIGHT
"""The side of the learner in every lesson."""


class LessonQuestion(StrEnum):
    """What a lesson asks for."""

    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    PIPS = "pips"


class CoursePart(StrEnum):
    """A part of the course; the last one holds a first lesson of each other game."""

    MOVING = "moving"
    BAR = "bar"
    CUBE = "cube"
    OPENINGS = "openings"
    PLANS = "plans"
    FAMILY = "family"


class LessonNameError(UserError):
    """A lesson that there is not."""


@dataclass(frozen=True, slots=True)
class CourseLesson:
    """One lesson.

    Attributes:
        name: by which it is asked for.
        part: where it belongs.
        position: how the checkers stand.
        state: dice, score and cube; the learner is light, so light is on roll, but for a take.
        asked: what is asked for.
        accepted: which plays are right: `legal`, `hits`, `safe`, `pins`, `off N`, `makes N`, or `engine`.
        answer: the right word or number where no play is asked for.
        plays: plays as an engine weighed them, each end with what it loses, the best first.
        threshold: points of equity that a right play loses at most, where an engine says which are right.
        equities: without a double, taken and passed, for the side on roll; empty where no cube is asked about.
        rules: name of the rule profile.
        source: whose idea it is: a name, or an entry of the words.
    """

    name: str
    part: CoursePart
    position: Position
    state: MatchState
    asked: LessonQuestion
    accepted: str
    answer: str
    plays: tuple[tuple[Position, float], ...]
    threshold: float
    equities: tuple[float, ...]
    rules: str
    source: str

    @property
    def profile(self) -> Profile:
        """The rules it is played by."""
        return load_profile(self.rules)

    @property
    def roll(self) -> Roll:
        """The roll of a lesson that asks for a play."""
        assert self.state.roll is not None
        return self.state.roll


@cache
def all_lessons() -> tuple[CourseLesson, ...]:
    """The lessons of the course, in its order."""
    text = files("controller.analysis.lessons").joinpath("course.toml").read_text(encoding="utf-8")
    return tuple(map(_lesson_from, tomllib.loads(text)["lesson"]))


def lesson_named(name: str) -> CourseLesson:
    """The lesson of this name. Raises LessonNameError."""
    for lesson in all_lessons():
        if lesson.name == name:
            return lesson
    raise LessonNameError(f'There is no lesson "{name}"; `pointsman course --list` names them all.')


def _lesson_from(values: Mapping[str, Any]) -> CourseLesson:
    position = Position.from_compact(values["position"])
    asked = LessonQuestion(values.get("asked", "play"))
    light, dark = values.get("score", (0, 0))
    state = MatchState(
        on_roll=LEARNER.opponent if asked is LessonQuestion.TAKE else LEARNER,
        roll=_roll_of(values.get("roll")),
        length=values.get("length", 0),
        score=(light, dark),
    )
    plays = tuple(
        (after_play(position, LEARNER, text), float(loss)) for text, loss in values.get("plays", ())
    )
    return CourseLesson(
        name=values["name"],
        part=CoursePart(values["part"]),
        position=position,
        state=state,
        asked=asked,
        accepted=values.get("accepted", ""),
        answer=values.get("answer", ""),
        plays=plays,
        threshold=values.get("threshold", 0.0),
        equities=tuple(values.get("equities", ())),
        rules=values.get("profile", USUAL_RULES),
        source=values["source"],
    )


def _roll_of(text: str | None) -> Roll | None:
    return None if text is None else Roll.from_dice(int(text[0]), int(text[1]))
