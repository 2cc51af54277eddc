"""Arguments and options that several commands take, each worded once; the lines of a file."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.errors import UserError
from controller.logs.level import LogLevel

if TYPE_CHECKING:
    pass

STANDARD_NAME = "standard-match"

Lines = Annotated[
    Path,
    typer.Argument(
        metavar="[FILE]",
        help="File of JSON lines, - for standard input.",
        show_default="standard input",
    ),
]
ProfileName = Annotated[
    str,
    typer.Option(
        "--profile", metavar="NAME", help="Rule profile: a name that `pointsman profiles` lists, or a file."
    ),
]
Language = Annotated[str, typer.Option("--language", metavar="en|hu|et|sk", help="Language of the texts.")]
BoardFile = Annotated[
    Path,
    typer.Option("--board", metavar="FILE", help="Board file made by `pointsman calibrate board`."),
]
JournalPlace = Annotated[
    Path | None,
    typer.Argument(
        metavar="[JOURNAL]", help="A match folder or its journal.db.", show_default="the newest match"
    ),
]
MatchPlace = Annotated[
    Path | None,
    typer.Argument(
        metavar="[MATCH]",
        help="A match folder, its journal.db, or a match file of any form.",
        show_default="the newest match",
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Encoding of a match file that is text, such as shift_jis or windows-1250.",
        show_default="UTF-8 or UTF-16 where the file is that; else it is told which one is taken",
    ),
]
MatchId = Annotated[
    str | None,
    typer.Option("--match", metavar="ID", help="Which match, where the journal holds several."),
]
GameNumber = Annotated[
    int | None,
    typer.Option("--game", metavar="GAME", help="Number of the game, from 1, where the ply does not tell."),
]
Plies = Annotated[int, typer.Option(metavar="0..3", help="How far the engine looks ahead, 0 to 3.")]
Collection = Annotated[
    Path | None,
    typer.Option("--collection", metavar="FILE", help="The exercises.", show_default="those of this user"),
]
Frames = Annotated[
    Path | None, typer.Option("--frames", metavar="PLACE", help="Folder of numbered pictures, or a video.")
]
LightsPort = Annotated[
    str | None, typer.Option("--port", help="Port of the electronics with the lights, or auto.")
]
CameraSource = Annotated[
    str | None,
    typer.Option("--camera", metavar="SOURCE", help="A camera: auto, its number, or its address."),
]
LogLevelGiven = Annotated[
    LogLevel | None,
    typer.Option(
        "--log-level",
        help="How much is written into the log. SIGUSR1 turns debug on while it runs, and off again.",
        show_default="info",
    ),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="How the table is set up.",
        show_default="pointsman.toml in this folder",
    ),
]


def need_level(option: str, value: int) -> None:
    """Raise UserError unless the value of an option is 0 to 3."""
    if not 0 <= value <= 3:
        raise UserError(f"{option} {value} is not possible; give 0 to 3.")


def file_name(file: Path) -> str:
    """What a file is called in a complaint; - is standard input."""
    return "standard input" if str(file) == "-" else str(file)


def read_lines(file: Path) -> Iterator[bytes]:
    """The lines of a file, or of standard input. Raises UserError if it cannot be read."""
    if str(file) == "-":
        yield from sys.stdin.buffer
        return
    try:
        with file.open("rb") as lines:
            yield from lines
    except FileNotFoundError:
        raise UserError(f"{file}: there is no such file; check the path.") from None
    except OSError as error:
        raise UserError(f"{file} cannot be read ({error}); give a text file of JSON lines.") from None
