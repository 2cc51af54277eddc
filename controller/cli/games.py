"""``pointsman replay``."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.boards import BoardFile, read_board_file
from controller.devices.film import open_film
from controller.devices.rollfile import load_rolls
from controller.replay import EVENTS, JOURNAL, MATCH
from controller.replay import replay as replay_film
from controller.rules.position import START, Position


def add_to(app: typer.Typer) -> None:
    """Add the commands that follow games."""
    app.command()(replay)


def replay(
    board: BoardFile,
    frames: Annotated[Path, typer.Option(help="Folder of numbered pictures, or a video.")],
    out: Annotated[Path, typer.Option(help="Folder for the transcript and the match files.")],
    dice: Annotated[
        Path | None, typer.Option(help="Rolls of an electronic dice set; without it the pictures tell.")
    ] = None,
    position: Annotated[
        str | None, typer.Option(help="Where the film begins, compact, if not at the start position.")
    ] = None,
) -> None:
    """Follow a filmed game: check every play and write the match down."""
    start = START if position is None else Position.from_compact(position)
    rolls = None if dice is None else load_rolls(dice)
    film = open_film(frames)
    for line in replay_film(film, rolls, read_board_file(board), out, _now, start):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    sys.stdout.write(
        f"Wrote {MATCH}, {EVENTS} and {JOURNAL} to {out}: open {MATCH} in GNU Backgammon "
        f"(gnubg, File > Open) or eXtreme Gammon.\n"
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
