"""``pointsman ask``."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer

from controller.analysis.advice import Advice, EngineName, advise
from controller.analysis.drawing import board_svg
from controller.analysis.question.doubt_words import doubt_words
from controller.analysis.question.question import (
    BoardQuestion,
    QuestionError,
    ShownPlay,
    best_plays,
    exercise_of,
    question_of,
    why_text,
)
from controller.analysis.question.seen import SeenBoard, seen_board
from controller.analysis.quiz import Quiz
from controller.arrays import Picture
from controller.cli.boards import write_picture
from controller.cli.matches import read_roll
from controller.cli.options import BoardFile, CameraSource, Collection, Language, Plies, need_level
from controller.cli.output import put, write_text
from controller.config.board import read_board_file
from controller.devices.camera.camera import Wish
from controller.devices.camera.still import take_stills
from controller.devices.pictures import load_picture
from controller.errors import UserError
from controller.messages.catalogue import Catalogue, catalogue
from controller.messages.device_words import status_words
from controller.messages.game_words import offence_words
from controller.messages.table_words import capital, side_words
from controller.record.files.transcript import diagram
from controller.record.match.corrections import after_play, named_play
from controller.record.table.destination import refuse_loss
from controller.rules import Position, Roll, Side, is_result, judge_play, parse_play, results
from controller.rules.moves.plays import resolve
from controller.rules.position import CHECKERS
from controller.vision import Board, read_board
from controller.vision.board.straight import straight_board

LAST, SHOW = "q", "?"
NOTHING: Final = 0.0005
"""Points of equity below which a play loses nothing: it would be shown as 0.000."""
Answer = TypeVar("Answer")


def ask(
    board: BoardFile,
    image: Annotated[
        Path | None, typer.Argument(metavar="[IMAGE]", help="A picture of the board.", show_default=False)
    ] = None,
    camera: CameraSource = None,
    side: Annotated[
        Side | None, typer.Option(help="Whose turn it is.", show_default="whose dice are seen; else asked")
    ] = None,
    dice: Annotated[
        str | None,
        typer.Option(
            metavar="ROLL", help="The roll, such as 31.", show_default="what is seen; else it is asked"
        ),
    ] = None,
    play: Annotated[
        str | None,
        typer.Option(metavar="PLAY", help="What you would play, ? for nothing.", show_default="asked"),
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the position: `pointsman quiz` asks it.")
    ] = False,
    collection: Collection = None,
    drawing: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the position as a drawing (SVG).")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the camera's picture of the board, drawn straight."),
    ] = None,
    engine: Annotated[EngineName, typer.Option(help="Who is asked.")] = "auto",
    plies: Plies = 0,
    language: Language = "en",
) -> None:
    """Ask about the position on your board: what would you play, what are the best plays, and why."""
    need_level("--plies", plies)
    texts, roll = catalogue(language), None if dice is None else read_roll(dice, f"--dice {dice}")
    for path in (drawing, picture):
        if path is not None:
            refuse_loss(path, [board, *([] if image is None else [image])])
    known = read_board_file(board)
    shot = _shot(image, camera, known, language)
    seen = _seen(shot, known, language)
    asked = _completed(seen, side, roll, texts)
    if asked is None:
        return
    _show(asked, texts, language)
    if drawing is not None:
        write_text(drawing, _drawn(asked, texts))
    if picture is not None:
        write_picture(picture, _straight(shot, known, asked))
    advice = advise(asked.position, asked.state, engine, plies)
    heard = _heard(asked, play, texts, language)
    if heard is None:
        return
    _tell(asked, advice, heard, texts, language)
    if keep:
        _keep(collection, asked, advice, heard, language)


@dataclass(frozen=True, slots=True)
class _PlayNamed:
    """What was answered: the end of a play, None where only the answer was asked for."""

    after: Position | None


def _shot(image: Path | None, camera: str | None, board: Board, language: str) -> Picture:
    if (image is None) == (camera is None):
        raise UserError("The board is seen either in a picture or live: name one IMAGE, or give --camera.")
    if image is not None:
        return load_picture(image)
    size = (board.camera.width, board.camera.height)
    stills = take_stills(Wish(camera or "auto", size, lens_position=board.lens_position))
    if not stills.frames:
        raise UserError(status_words(stills.status)(language))
    return stills.frames[-1].picture


def _seen(shot: Picture, board: Board, language: str) -> SeenBoard:
    """What lies on the board. Raises QuestionError with a sentence for each doubt."""
    if board.checkers.each != CHECKERS:
        raise QuestionError(catalogue(language).text("question", "other_game"))
    reading = read_board(shot, board)
    seen = seen_board(reading)
    if seen.doubts:
        raise QuestionError(" ".join(doubt_words(seen, reading, language)))
    return seen


def _completed(
    seen: SeenBoard, side: Side | None, roll: Roll | None, texts: Catalogue
) -> BoardQuestion | None:
    """The question, once what was not seen is asked; None if that is not answered."""
    whose = side or seen.side or _typed(texts, "how_side", "no_side", _side)
    thrown = None if whose is None else roll or seen.roll or _typed(texts, "how_dice", "no_dice", _roll)
    return None if whose is None or thrown is None else question_of(seen, whose, thrown)


def _typed(texts: Catalogue, how: str, wrong: str, read: Callable[[str], Answer]) -> Answer | None:
    """What is typed, asked again until it can be read; None where nothing more is."""
    put(texts.text("question", how))
    for said in _lines():
        try:
            return read(said)
        except ValueError:
            put(texts.text("question", wrong, text=said))
    return None


def _lines() -> Iterator[str]:
    """What is typed, a line each, until the learner stops."""
    for line in sys.stdin:
        said = " ".join(line.split())
        if said.casefold() == LAST:
            return
        yield said


def _side(said: str) -> Side:
    return Side(said.lower())


def _roll(said: str) -> Roll:
    try:
        return read_roll(said, said)
    except UserError as error:
        raise ValueError(said) from error


def _show(asked: BoardQuestion, texts: Catalogue, language: str) -> None:
    """The board in letters from the side of the player who is asked, and what is asked."""
    side = asked.state.on_roll
    seen = asked.position if side is Side.LIGHT else asked.position.mirrored()
    name = capital(side_words(side, language))
    put(f"{diagram(seen)}\nO: {name}\n{asked.xgid}")
    if results(asked.position, side, asked.roll)[0] == {asked.position.code}:
        raise QuestionError(texts.text("question", "no_play", side=name, roll=asked.roll))
    put(texts.text("question", "asked", side=name, roll=asked.roll))


def _drawn(asked: BoardQuestion, texts: Catalogue) -> str:
    label = texts.text("analysis", "board", position=asked.position.compact())
    return board_svg(asked.position, asked.state.on_roll, asked.state, label)


def _straight(shot: Picture, board: Board, asked: BoardQuestion) -> Picture:
    """The camera's picture, seen as the drawing has it: the home of the player who is asked at the bottom right."""
    home = "bottom-right" if asked.state.on_roll is Side.LIGHT else "top-right"
    return straight_board(shot, board, home)


def _heard(asked: BoardQuestion, play: str | None, texts: Catalogue, language: str) -> _PlayNamed | None:
    """The play that is named: by the option, or typed until it is legal; None where nothing more is typed."""
    if play is not None:
        return _PlayNamed(None if play == SHOW else _legal(asked, play, language))
    put(texts.text("question", "how_play"))
    for said in _lines():
        try:
            return _PlayNamed(None if said == SHOW else _legal(asked, said, language))
        except UserError as error:
            put(
                str(error)
                if isinstance(error, QuestionError)
                else texts.text("question", "unread", play=said)
            )
    return None


def _legal(asked: BoardQuestion, said: str, language: str) -> Position:
    """The end of a play that is named. Raises QuestionError if it is illegal, UserError if it is none."""
    side, roll = asked.state.on_roll, asked.roll
    after = after_play(asked.position, side, said)
    if is_result(asked.position, side, roll, after):
        return after
    try:
        return resolve(asked.position, side, roll, parse_play(said)).after
    except UserError:
        verdict = judge_play(asked.position, side, roll, named_play(said), after)
        raise QuestionError(" ".join(offence_words(verdict.reasons, language))) from None


def _tell(asked: BoardQuestion, advice: Advice, heard: _PlayNamed, texts: Catalogue, language: str) -> None:
    """What the play loses, the best plays, and why."""
    loss = None if heard.after is None else advice.loss(heard.after)
    if loss is not None:
        put(texts.text("quiz", "right" if loss < NOTHING else "wrong", loss=f"{loss:.3f}"))
    put(f"{texts.text('question', 'best')} ({advice.engine})")
    for number, each in enumerate(best_plays(asked, advice, language), start=1):
        put(_line(number, each, texts))
    why = why_text(asked, advice, heard.after or advice.best.after, language)
    if why is not None:
        put(why)


def _line(number: int, play: ShownPlay, texts: Catalogue) -> str:
    lost = "" if play.loss < NOTHING else f"  {texts.text('question', 'loses', loss=f'{play.loss:.3f}')};"
    return f"  {number}. {play.text:24}{lost} {play.risk}"


def _keep(
    collection: Path | None, asked: BoardQuestion, advice: Advice, heard: _PlayNamed, language: str
) -> None:
    item = exercise_of(asked, advice, heard.after or advice.best.after, datetime.now(UTC), language)
    with Quiz.changing(collection) as kept:
        new = kept.add([item])
    put(catalogue(language).text("question", "kept" if new else "known"))
