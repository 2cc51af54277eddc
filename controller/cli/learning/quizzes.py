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
from controller.record.files.transcript import diagram
from controller.record.match.corrections import CorrectionError, after_moves
from controller.record.table.destination import refuse_loss
from controller.rules import Position, Side, is_result, load_profile, parse_play
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
        put(texts.text("quiz", "rest", day=f"{min(item.due for item in kept.items.values()):%Y-%m-%d}"))
    return due[: max(number, 0)]


def _ask_here(kept: Quiz, texts: Catalogue, language: str, number: int) -> None:
    """Ask in the terminal."""
    for item in _due(kept, texts, number):
        put("\n" + _shown(item))
        put(f"{situation(item, language)}\n{question(item, language)}")
        put(texts.text("quiz", f"how_{item.asked}"))
        lost = _heard(item, texts)
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


def _heard(item: QuizItem, texts: Catalogue) -> float | None:
    """What the answer that is typed loses; None if there is none any more."""
    for line in sys.stdin:
        said = " ".join(line.split())
        if said == LAST:
            return None
        if said == SHOW:
            return item.answers[0].equity - item.answers[-1].equity
        try:
            lost = _loss(item, said)
        except UserError:
            lost = None
        if lost is not None:
            return lost
        entry = "illegal" if item.asked is Asked.PLAY else "unknown"
        put(texts.text("quiz", entry, play=said, text=said, roll=item.state.roll))
    return None


def _loss(item: QuizItem, said: str) -> float | None:
    """What an answer loses; None if it is none. Raises UserError for a play that cannot be read."""
    if item.asked is not Asked.PLAY:
        return item.loss(said, "")
    roll, side, position = item.state.roll, item.state.on_roll, item.position
    if roll is None:
        return None
    try:
        play = parse_play(said)
        after = after_moves(position, side, play)
        if not is_result(position, side, roll, after):
            after = resolve(position, side, roll, play).after
    except (NotationError, CorrectionError):
        return None
    return _loss_of(item, after) if is_result(position, side, roll, after) else None


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
    later = reviewed(item, lost, datetime.now(UTC))
    kept.put(later)
    kept.save()
    put(texts.text("quiz", "again", day=f"{later.due:%Y-%m-%d}"))
