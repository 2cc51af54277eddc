"""``pointsman calibrate dice``."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from calibration.faces import CUBE_FACES, NUMBERS, FacesShown, count_seen, learn_faces
from controller.arrays import Picture
from controller.cli.boards import take_pictures
from controller.cli.options import ConfigFile
from controller.cli.output import counted, note, write_text
from controller.config import load_config
from controller.config.board import read_board_file
from controller.devices.pictures import load_picture
from controller.errors import UserError
from controller.vision import Board
from controller.vision.board import dump_board

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
) -> None:
    """Learn the numbers on this table's own dice and cube: show each once. It takes a minute."""
    if camera == bool(image):
        raise UserError("The dice are shown in pictures or to the camera: give --image FILE, or --camera.")
    path = board or load_config(config).board_file()
    known = read_board_file(path)
    if camera:
        shown = list(_ask(known, _camera(known, config), cube=cube))
    else:
        shown = list(_pictures(image or [], cube=cube))
    note("Learning ...")
    learned = learn_faces(shown, known)
    write_text(path, dump_board(learned.board), image or [])
    faces = f", and {counted(learned.cube_shown, 'face')} of the cube" if learned.cube_shown else ""
    note(f"Learned {counted(learned.dice, 'die', 'dice')} with 6 numbers{faces}; wrote {path}.")
    note(
        f"Of {learned.shown} faces shown, {learned.right_after} are read right now, "
        f"{learned.right_before} before."
    )


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


def _ask(known: Board, take: Callable[[], Picture], *, cube: bool) -> Iterator[FacesShown]:
    """Ask for each number until as many dice are seen as with the first one."""
    dice = 0
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
            shown = FacesShown(f"the picture of the {number}", take(), number, face)
            try:
                seen = count_seen(shown, known)
            except UserError as error:
                if tried + 1 == TRIES:
                    raise
                note(f"Note: {error}")
                continue
            if seen == (dice or seen):
                dice = seen
                note(f"{counted(seen, 'die', 'dice')} seen.")
                yield shown
                break
            note(f"Note: {counted(seen, 'die', 'dice')} seen, but {dice} with the 1.")
        else:
            raise UserError(
                f"The dice with the {number} up were not all seen; lay them well apart, and begin again."
            )
