"""``pointsman calibrate dice``."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from calibration.face_lesson import FaceLesson, show_faces
from calibration.faces import (
    CUBE_FACES,
    NUMBERS,
    FacesLearned,
    FacesSeen,
    FacesShown,
    check_size,
    learn_faces,
    look_at_faces,
)
from controller.arrays import Picture
from controller.cli.boards import take_pictures
from controller.cli.options import ConfigFile
from controller.cli.output import counted, note, write_text
from controller.config import load_config
from controller.config.board import read_board_file
from controller.devices.pictures import load_picture
from controller.errors import UserError
from controller.vision import Board
from controller.vision.board.board import dump_board

TRIES: Final = 3
"""So often is asked for a number again."""


def calibrate_dice(
    image: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Picture in which all dice show the 1; then one with the 2, up to the 6. More rounds are better.",
        ),
    ] = None,
    camera: Annotated[
        bool, typer.Option("--camera", help="Be asked for each number, and take the pictures.")
    ] = False,
    cube: Annotated[
        bool,
        typer.Option("--cube", help="The cube lies there as well, and shows 2, 4, 8, 16, 32, 64 in turn."),
    ] = False,
    board: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Board file; what is learned is written into it.",
            show_default="the one that the configuration names",
        ),
    ] = None,
    config: ConfigFile = None,
    forget: Annotated[
        bool, typer.Option("--forget", help="Forget what was learned of dice and cube instead.")
    ] = False,
) -> None:
    """Learn the numbers on this table's own dice and cube: show each once. It takes a minute."""
    if camera + bool(image) + forget != 1:
        raise UserError(
            "The dice are shown in pictures or to the camera: give --image FILE, or --camera; or --forget to forget "
            "them."
        )
    path = board or load_config(config).board_file()
    known = read_board_file(path)
    if forget:
        write_text(path, dump_board(replace(known, dice=None, cube=None)))
        note(f"What was learned of dice and cube is forgotten; wrote {path}.")
        return
    check_size(known)
    shown = _ask(known, _camera(known, config), cube=cube) if camera else _look(image or [], known, cube=cube)
    note("Learning ...")
    learned = learn_faces(shown, known)
    write_text(path, dump_board(learned.board), image or [])
    _tell(learned, path)


def _tell(learned: FacesLearned, path: Path) -> None:
    """Say what was learned, and what was not."""
    read, cube = learned.read, learned.cube
    also = "" if cube is None or cube.worse else ", and the cube"
    note(f"Learned {counted(learned.dice, 'die', 'dice')} with 6 numbers{also}; wrote {path}.")
    note(
        f"Of {read.shown} faces of dice, each read by what the others taught, {read.after} are right; before it was "
        f"{read.before}."
    )
    if cube is not None:
        kept = (
            "nothing was learned of the cube; show it again in even light"
            if cube.worse
            else "the cube is kept"
        )
        note(
            f"Of {cube.shown} faces of the cube {cube.after} are right with what it would learn, and {cube.before} "
            f"without it: {kept}."
        )
    for name, number, told in learned.left_out:
        note(f"Note: in {name} a die looks like the {told}, not the {number}; nothing was learned from it.")


def _look(images: list[Path], known: Board, *, cube: bool) -> list[FacesSeen]:
    """What the pictures show. Raises UserError for one that cannot be learned from."""
    return [look_at_faces(shown, known) for shown in _pictures(images, cube=cube)]


def _pictures(images: list[Path], *, cube: bool) -> Iterator[FacesShown]:
    """The pictures with what they show. Raises UserError unless there are six, or rounds of six."""
    if len(images) % len(NUMBERS):
        raise UserError(
            f"--image is given {counted(len(images), 'time')}; give 6 pictures, with the 1 up to the 6, or "
            "rounds of 6."
        )
    for place, path in enumerate(images):
        number = NUMBERS[place % len(NUMBERS)]
        yield FacesShown(str(path), load_picture(path), number, CUBE_FACES[number] if cube else None)


def _camera(known: Board, config: Path | None) -> Callable[[], Picture]:
    """What takes a picture as the table does."""
    settings = load_config(config)
    wish = settings.wish((known.camera.width, known.camera.height), known.lens_position)
    return lambda: take_pictures(settings, wish, 1)[0].picture


def _ask(known: Board, take: Callable[[], Picture], *, cube: bool) -> tuple[FacesSeen, ...]:
    """Ask for each number until as many dice are seen as with the first one."""
    lesson = FaceLesson(None, cube)
    for number in NUMBERS:
        face = CUBE_FACES[number] if cube else None
        also = "" if face is None else f", and the cube with the {face} up"
        for tried in range(TRIES):
            typer.prompt(
                f"Lay all dice on the board with the {number} up, well apart{also}; then press Enter",
                default="",
                show_default=False,
                err=True,
            )
            lesson = show_faces(lesson, take(), known, sure=lesson.doubted)
            if lesson.number != number or lesson.whole:
                note(f"{counted(len(lesson.seen[-1].dice), 'die', 'dice')} seen.")
                break
            note(f"Note: {lesson.trouble or 'not all of the dice were turned since the last picture.'}")
            if tried + 1 == TRIES and lesson.trouble is not None:
                raise lesson.trouble
        else:
            raise UserError(
                f"The dice with the {number} up were not all seen; lay them well apart, and begin again."
            )
    return lesson.seen
