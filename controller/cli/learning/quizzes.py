"""``pointsman quiz``."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from controller.analysis.advice import advise
from controller.analysis.engine import SMALLEST, EngineError
from controller.analysis.quiz import (
    Asked,
    Quiz,
    QuizItem,
    anki_text,
    answer_text,
    question,
    reviewed,
    situation,
)
from controller.cli.learning.exercise import WatchedBoard, practise_on
from controller.cli.options import STANDARD_NAME, CameraSource, Collection, Frames, Language, LightsPort
from controller.cli.output import put, write_text
from controller.errors import UserError
from controller.exercise import Task, asker
from controller.messages.catalogue import Catalogue, catalogue
from controller.messages.game_words import offence_words
from controller.record.files.transcript import diagram
from controller.record.match.corrections import after_moves
from controller.record.table.destination import refuse_loss
from controller.rules import Position, Side, is_result, judge_play, load_profile, parse_play
from controller.rules.moves.plays import resolve
from controller.rules.notation import NotationError

LAST, SHOW = "q", "?"


def quiz(
    collection: Collection = None,
    number: Annotated[int, typer.Option(metavar="NUMBER", help="How many exercises at most.")] = 10,
    anki: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write all exercises for Anki (text) instead.")
    ] = None,
    board: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Ask the plays on the board of this board file.")
    ] = None,
    frames: Frames = None,
    camera: CameraSource = None,
    port: LightsPort = None,
    language: Language = "en",
) -> None:
    """Be asked about your own blunders: `pointsman analyse --quiz` collects them, the scheduler says when."""
    texts, kept = catalogue(language), Quiz.load(collection)
    if anki is not None:
        refuse_loss(anki, (kept.path,))
    if not kept.items:
        put(texts.text("quiz", "empty"))
    elif anki is not None:
        write_text(anki, anki_text(kept.items.values(), language), (kept.path,))
        put(f"{anki}: {texts.text('quiz', 'added', count=len(kept.items), all=len(kept.items))}")
    elif board is not None:
        _ask_on(WatchedBoard(board, frames, camera, port, language), kept, texts, number)
    else:
        _ask_here(kept, texts, language, number)


def _due(kept: Quiz, texts: Catalogue, number: int, *, plays: bool = False) -> list[QuizItem]:
    """What is to be asked; says how much it is, or when there will be something."""
    due = [item for item in kept.due(datetime.now(UTC)) if not plays or item.asked is Asked.PLAY]
    if due:
        put(texts.text("quiz", "due", count=len(due)))
    else:
        put(texts.text("quiz", "rest", day=_day(min(kept.items.values(), key=lambda item: item.due))))
    return due[: max(number, 0)]


def _ask_here(kept: Quiz, texts: Catalogue, language: str, number: int) -> None:
    """Ask in the terminal."""
    for item in _due(kept, texts, number):
        put("\n" + _shown(item))
        put(f"{situation(item, language)}\n{question(item, language)}")
        put(texts.text("quiz", f"how_{item.asked}"))
        lost = _heard(item, language)
        if lost is None:
            return
        put(texts.text("quiz", "right" if lost < SMALLEST else "wrong", loss=f"{lost:.3f}"))
        if lost >= SMALLEST:
            put(texts.text("quiz", "answer", best=answer_text(item, item.answers[0], language)))
        _keep(kept, item, lost, texts)


def _shown(item: QuizItem) -> str:
    """The board in letters, from the side of the player who is asked, whose checkers are O, and who that is."""
    seen = item.position if item.side is Side.LIGHT else item.position.mirrored()
    return f"{diagram(seen)}\nO: {item.name}"


def _heard(item: QuizItem, language: str) -> float | None:
    """What the answer that is typed loses; None if there is none any more."""
    for line in sys.stdin:
        said = " ".join(line.split())
        if said.casefold() == LAST:
            return None
        if said == SHOW:
            return item.answers[0].equity - item.answers[-1].equity
        try:
            return _loss(item, said, language)
        except _NoAnswerError as error:
            put(str(error))
    return None


class _NoAnswerError(UserError):
    """What is typed is no answer; the sentence says why, in the learner's language."""


def _loss(item: QuizItem, said: str, language: str) -> float:
    """What an answer loses. Raises _NoAnswerError."""
    texts = catalogue(language)
    if not said:
        raise _NoAnswerError(texts.text("quiz", f"how_{item.asked}"))
    if item.asked is not Asked.PLAY:
        lost = item.loss(said.casefold(), "")
        if lost is None:
            raise _NoAnswerError(texts.text("quiz", "unknown", text=said))
        return lost
    return _loss_of(item, _played(item, said, language))


def _played(item: QuizItem, said: str, language: str) -> Position:
    """The end of a legal play that is typed. Raises _NoAnswerError, which names the rule that another one breaks."""
    texts, roll, side, position = catalogue(language), item.state.roll, item.state.on_roll, item.position
    assert roll is not None
    try:
        play = parse_play(said)
        after = after_moves(position, side, play)
    except UserError:
        raise _NoAnswerError(texts.text("question", "unread", play=said)) from None
    if is_result(position, side, roll, after):
        return after
    try:
        return resolve(position, side, roll, play).after
    except NotationError:
        broken = offence_words(judge_play(position, side, roll, play, after).reasons, language)
        illegal = texts.text("quiz", "illegal", play=said, roll=roll)
        raise _NoAnswerError(" ".join((illegal, *broken))) from None


def _loss_of(item: QuizItem, after: Position) -> float:
    """What a legal play loses: as analysed, else as an engine says, else as much as the worst that is kept."""
    known = item.loss("", after.compact())
    if known is None:
        try:
            known = advise(item.position, item.state).loss(after)
        except EngineError:
            known = None
    return item.answers[0].equity - item.answers[-1].equity if known is None else known


def _ask_on(watched: WatchedBoard, kept: Quiz, texts: Catalogue, number: int) -> None:
    """Ask the plays that are due on a real board; answers about the cube need no board."""
    rules = load_profile(STANDARD_NAME)
    for item in _due(kept, texts, number, plays=True):
        if item.state.roll is None:
            continue
        task = Task(item.position, item.state, item.state.roll, rules)
        result = practise_on(watched, task, asker("auto")).result
        if result is None:
            return
        _keep(kept, item, _loss_of(item, result.after), texts)


def _keep(kept: Quiz, item: QuizItem, lost: float, texts: Catalogue) -> None:
    """Keep when the exercise comes again, at once, and say so."""
    with Quiz.changing(kept.path) as now_kept:
        later = reviewed(now_kept.items.get(item.key, item), lost, datetime.now(UTC))
        now_kept.put(later)
    put(texts.text("quiz", "again", day=_day(later)))


def _day(item: QuizItem) -> str:
    """The day on which it comes again, by the clock of whoever learns."""
    return f"{item.due.astimezone():%Y-%m-%d}"
