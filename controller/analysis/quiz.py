"""Exercises made of blunders: asked again until they sit, at the times that the scheduler FSRS works out."""

import csv
import hashlib
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Self

import platformdirs

from controller.analysis.drawing import board_svg
from controller.analysis.engine import BLUNDER, SMALLEST, Analysis, CubeAction, CubeDecision, Decision
from controller.analysis.repetition import Recall, card_from, due_of, new_card, review_card
from controller.analysis.wording import AnalysisWords, player_called, score_words
from controller.errors import UserError
from controller.json_object import parse_object
from controller.messages.catalogue import catalogue
from controller.record import MatchRecord
from controller.record.files.match_text import one_line
from controller.record.journal.delivery import alone_with
from controller.rules import Position, Side, from_xgid, xgid
from controller.rules.forms.xgid import IdError, MatchState
from controller.whole_file import replace_file

NAME: Final = "quiz.json"
VERSION: Final = 1
"""Of the form in which exercises are kept."""
DOUBTFUL: Final = 0.03
"""Points of equity from which an answer has to be learned anew; gnubg calls such plays doubtful."""
DECK: Final = "Pointsman"


class QuizError(UserError):
    """Exercises that cannot be read or written."""


class Asked(StrEnum):
    """What an exercise asks for."""

    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"


@dataclass(frozen=True, slots=True)
class QuizAnswer:
    """A possible answer: a play with the compact position after it, or a word about the cube with an empty one."""

    text: str
    after: str
    equity: float


@dataclass(frozen=True, slots=True)
class QuizItem:
    """An exercise.

    Attributes:
        place: its position, score, cube and dice as an XGID.
        asked: what it asks for.
        answers: the best ones, the best first, and what was played.
        played: what was played in the match.
        name: who played it; `source` where.
        card: what the scheduler knows of it.
    """

    place: str
    asked: Asked
    answers: tuple[QuizAnswer, ...]
    played: str
    name: str
    source: str
    card: Mapping[str, Any]

    @property
    def key(self) -> str:
        """What tells it from all others."""
        return hashlib.sha256(f"{self.asked} {self.place}".encode()).hexdigest()[:16]

    @property
    def position(self) -> Position:
        """Where the checkers are."""
        return from_xgid(self.place)[0]

    @property
    def state(self) -> MatchState:
        """Score, cube and dice."""
        return from_xgid(self.place)[1]

    @property
    def side(self) -> Side:
        """Whose decision it is."""
        return self.state.on_roll.opponent if self.asked is Asked.TAKE else self.state.on_roll

    @property
    def due(self) -> datetime:
        """When it is to be asked again."""
        return due_of(self.card)

    def loss(self, text: str, after: str) -> float | None:
        """What an answer loses, a play known by the position after it; None if it is not one of those kept."""
        for each in self.answers:
            if after == each.after if self.asked is Asked.PLAY else text == each.text:
                return self.answers[0].equity - each.equity
        return None


def items_of(
    match: MatchRecord, analysis: Analysis, now: datetime, only: Side | None = None
) -> Iterator[QuizItem]:
    """The blunders of a match, of one side or of both, as exercises that are due now."""
    words = AnalysisWords(match, analysis)
    for decision in analysis.mistakes:
        if decision.loss < BLUNDER or only not in (None, decision.player):
            continue
        try:
            place = xgid(decision.before, decision.state)
        except IdError:
            continue
        source = f"{words.title()}, {words.where(decision)}"
        name = words.names[decision.player]
        yield QuizItem(
            place,
            _asked(decision),
            _answers(decision),
            played=_played(decision),
            name=name,
            source=source,
            card=new_card(now),
        )


def _asked(decision: Decision) -> Asked:
    if isinstance(decision, CubeDecision):
        return Asked.TAKE if decision.answers else Asked.DOUBLE
    return Asked.PLAY


def _answers(decision: Decision) -> tuple[QuizAnswer, ...]:
    if isinstance(decision, CubeDecision):
        return tuple(QuizAnswer(str(action), "", equity) for action, equity in decision.options)
    plays = [*decision.best, decision.played]
    known = {each.after: QuizAnswer(each.text, each.after.compact(), each.equity) for each in plays}
    return tuple(sorted(known.values(), key=lambda each: -each.equity))


def _played(decision: Decision) -> str:
    return str(decision.action) if isinstance(decision, CubeDecision) else decision.played.text


def reviewed(item: QuizItem, loss: float, now: datetime) -> QuizItem:
    """The exercise after an answer that lost so much, with the next time it is due."""
    recall = Recall.GOOD if loss < SMALLEST else Recall.HARD if loss < DOUBTFUL else Recall.AGAIN
    return replace(item, card=review_card(item.card, recall, now))


def usual_collection() -> Path:
    """Where the exercises of this user lie."""
    return platformdirs.user_data_path("pointsman") / NAME


class Quiz:
    """The exercises of a player, in a file of their own.

    Attributes:
        path: the file.
        items: the exercises by their keys.
    """

    def __init__(self, path: Path, items: Iterable[QuizItem] = ()) -> None:
        self.path = path
        self.items = {item.key: item for item in items}

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Those in a file, by default that of this user; none if there is no such file. Raises QuizError."""
        place = path or usual_collection()
        try:
            kept = parse_object(place.read_text(encoding="utf-8"))
            if kept.get("version", VERSION) != VERSION:
                raise QuizError(
                    f"{place} was written by a newer Pointsman, and stays as it is; update this one, or name "
                    "another file."
                )
            return cls(place, map(_item_from, kept["items"]))
        except FileNotFoundError:
            return cls(place)
        except OSError as error:
            raise QuizError(f"{place} cannot be read ({error.strerror}); name another file.") from error
        except QuizError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, UserError) as error:
            raise QuizError(
                f"{place} does not hold exercises of the quiz; name another file, or a new one to begin anew."
            ) from error

    @classmethod
    @contextmanager
    def changing(cls, path: Path | None = None) -> Iterator[Self]:
        """The exercises of a file, for somebody who changes them: they are saved when the block is left in order.

        Anybody else who would change them waits meanwhile. Raises QuizError.
        """
        place = path or usual_collection()
        try:
            with alone_with(place):
                quiz = cls.load(place)
                yield quiz
                quiz.save()
        except OSError as error:
            raise _unwritten(place, error) from error

    def add(self, items: Iterable[QuizItem]) -> int:
        """Take in exercises; those that are known keep their times. Gives how many are new."""
        before = len(self.items)
        for item in items:
            self.items.setdefault(item.key, item)
        return len(self.items) - before

    def due(self, now: datetime) -> list[QuizItem]:
        """What is to be asked now, the longest due first."""
        return sorted((item for item in self.items.values() if item.due <= now), key=lambda item: item.due)

    def put(self, item: QuizItem) -> None:
        """Keep an exercise as it is now."""
        self.items[item.key] = item

    def save(self) -> None:
        """Write the file whole or not at all. Raises QuizError."""
        text = json.dumps(
            {"version": VERSION, "items": list(map(_item_values, self.items.values()))}, indent=1
        )
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self.path, text.encode(), 0o644)
        except OSError as error:
            raise _unwritten(self.path, error) from error


def _unwritten(path: Path, error: OSError) -> QuizError:
    return QuizError(f"{path} cannot be written ({error.strerror}); name another file.")


def _item_values(item: QuizItem) -> dict[str, Any]:
    answers = [[each.text, each.after, each.equity] for each in item.answers]
    values = {"place": item.place, "asked": str(item.asked), "answers": answers, "played": item.played}
    return {**values, "name": item.name, "source": item.source, "card": dict(item.card)}


def _item_from(values: Mapping[str, Any]) -> QuizItem:
    asked, state = Asked(values["asked"]), from_xgid(values["place"])[1]
    answers = tuple(
        QuizAnswer(str(text), str(after), float(equity)) for text, after, equity in values["answers"]
    )
    if not answers or (asked is Asked.PLAY) != (state.roll is not None):
        raise ValueError("an exercise without answers, or without its roll")
    for each in answers:
        _check_answer(asked, each)
    name, source = str(values["name"]), str(values["source"])
    return QuizItem(
        values["place"],
        asked,
        answers,
        played=str(values["played"]),
        name=name,
        source=source,
        card=card_from(values["card"]),
    )


def _check_answer(asked: Asked, answer: QuizAnswer) -> None:
    """Raises ValueError or UserError for one that is no answer to this."""
    if not math.isfinite(answer.equity):
        raise ValueError("an answer without its equity")
    if asked is Asked.PLAY:
        Position.seen_compact(answer.after)
    else:
        CubeAction(answer.text)


def question(item: QuizItem, language: str = "en") -> str:
    """What is asked. Raises LanguageError."""
    side = player_called(item.name, item.side, language)
    return catalogue(language).text("quiz", str(item.asked), side=side, roll=item.state.roll)


def situation(item: QuizItem, language: str = "en") -> str:
    """Score and cube, which the answer depends on. Raises LanguageError."""
    state = item.state
    cube = catalogue(language).text("analysis", "cube")
    return f"{score_words(state, language)}. {cube}: {state.cube}"


def answer_text(item: QuizItem, answer: QuizAnswer, language: str = "en") -> str:
    """An answer in notation or words."""
    return answer.text if item.asked is Asked.PLAY else catalogue(language).text("analysis", answer.text)


def anki_text(items: Iterable[QuizItem], language: str = "en") -> str:
    """Exercises as a text file that Anki imports: tabs between the fields, boards as drawings in the cards.

    Cards that were imported before are brought up to date, because each keeps its first field.
    """
    out = io.StringIO()
    out.write(f"#separator:tab\n#html:true\n#notetype:Basic\n#deck:{DECK}\n#guid column:1\n#tags column:4\n")
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    for item in items:
        label = catalogue(language).text("analysis", "board", position=item.position.compact())
        board = board_svg(item.position, item.side, item.state, label)
        front = f'<div style="max-width:520px;margin:auto">{board}</div>{_asked_of(item, language)}'
        writer.writerow([f"pointsman-{item.key}", front, _back(item, language), "pointsman"])
    return out.getvalue()


def _asked_of(item: QuizItem, language: str) -> str:
    return f"<p>{_plain(situation(item, language))}</p><p>{_plain(question(item, language))}</p>"


def _back(item: QuizItem, language: str) -> str:
    top = item.answers[0].equity
    rows = "".join(
        f"<tr><td>{_plain(answer_text(item, each, language))}</td><td>{each.equity:+.3f}</td>"
        f"<td>{'' if each is item.answers[0] else f'{each.equity - top:+.3f}'}</td></tr>"
        for each in item.answers
    )
    return f"<table>{rows}</table><p>{_plain(item.source)}</p>"


def _plain(text: str) -> str:
    return one_line(text).replace("&", "&amp;").replace("<", "&lt;")
