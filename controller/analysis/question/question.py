"""The question "what would you play here?", and what is answered: the best plays, why, and an exercise to keep."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from controller.analysis.advice import Advice
from controller.analysis.engine import RatedPlay
from controller.analysis.question.seen import SeenBoard
from controller.analysis.quiz import Asked, QuizAnswer, QuizItem
from controller.analysis.repetition import new_card
from controller.analysis.why.explaining import PlayMade, play_reason, risk_words
from controller.analysis.why.facts import facts_of
from controller.errors import UserError
from controller.messages.catalogue import catalogue
from controller.rules import Position, Roll, Side, xgid
from controller.rules.forms.xgid import MatchState

SHOWN: Final = 3
"""As many plays are shown."""


class QuestionError(UserError):
    """A board that nobody can be asked about."""


@dataclass(frozen=True, slots=True)
class BoardQuestion:
    """A position of which a play is asked.

    Attributes:
        position: how the checkers lie.
        state: whose turn it is, with the roll; score and cube.
    """

    position: Position
    state: MatchState

    @property
    def roll(self) -> Roll:
        """What was rolled."""
        assert self.state.roll is not None
        return self.state.roll

    @property
    def xgid(self) -> str:
        """The question in one line."""
        return xgid(self.position, self.state)


@dataclass(frozen=True, slots=True)
class ShownPlay:
    """One of the best plays: in notation, what it loses in points of equity, and what it risks, in words."""

    text: str
    loss: float
    risk: str


def question_of(seen: SeenBoard, side: Side, roll: Roll, state: MatchState | None = None) -> BoardQuestion:
    """The question at a board; ``state`` has the score and the cube of a match, else it is for money.

    Raises QuestionError where something stands against the position.
    """
    if seen.position is None:
        raise QuestionError("What lies on the board is no position; look at what stands against it.")
    known = state or MatchState(cube=seen.cube, owner=seen.owner)
    return BoardQuestion(seen.position, replace(known, on_roll=side, roll=roll))


def best_plays(question: BoardQuestion, advice: Advice, language: str) -> tuple[ShownPlay, ...]:
    """The best three plays with what each of them loses and risks. Raises LanguageError."""
    side, top = question.state.on_roll, advice.best.equity
    return tuple(
        ShownPlay(each.text, top - each.equity, risk_words(facts_of(each.after, side), language))
        for each in advice.plays[:SHOWN]
    )


def why_text(question: BoardQuestion, advice: Advice, after: Position, language: str) -> str | None:
    """Why a play is good, or what another one does better, in one sentence. Raises LanguageError."""
    made = PlayMade(question.position, question.state.on_roll, question.roll, after)
    plays = [(each.after, advice.best.equity - each.equity) for each in advice.plays]
    return play_reason(made, plays, language)


def exercise_of(
    question: BoardQuestion, advice: Advice, played: Position, now: datetime, language: str
) -> QuizItem:
    """The question as an exercise of the quiz, due now; its source is the day. Raises LanguageError.

    Args:
        question: what was asked.
        advice: what an engine says.
        played: what the learner would play; the best play where they named none.
        now: the time.
        language: of the words for where it comes from.
    """
    plays = [*advice.plays[:SHOWN], *_among(advice, played)]
    answers = {each.after: QuizAnswer(each.text, each.after.compact(), each.equity) for each in plays}
    ranked = tuple(sorted(answers.values(), key=lambda each: -each.equity))
    chosen = next((each.text for each in _among(advice, played)), advice.best.text)
    source = catalogue(language).text("question", "source", day=f"{now:%Y-%m-%d}")
    return QuizItem(question.xgid, Asked.PLAY, ranked, chosen, name="", source=source, card=new_card(now))


def _among(advice: Advice, after: Position) -> list[RatedPlay]:
    return [each for each in advice.plays if each.after == after]
