"""``pointsman replay``."""

import datetime
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.boards import BoardFile, read_board_file
from controller.cli.rules import STANDARD_NAME, ProfileName
from controller.devices.film import open_film
from controller.devices.rollfile import load_rolls
from controller.record.folder import JOURNAL, MAT, OGXM
from controller.replay import replay
from controller.rules.catalogue import load_profile
from controller.rules.position import START, Position


def add_to(app: typer.Typer) -> None:
    """Add the commands that follow games."""
    app.command("replay")(replay_film)


def replay_film(
    board: BoardFile,
    frames: Annotated[Path, typer.Option(help="Folder of numbered pictures, or a video.")],
    out: Annotated[Path, typer.Option(help="Folder for the match files.")],
    dice: Annotated[
        Path | None, typer.Option(help="Rolls of an electronic dice set; without it the pictures tell.")
    ] = None,
    position: Annotated[
        str | None, typer.Option(help="Where the film begins, compact; else the start position.")
    ] = None,
    profile: ProfileName = STANDARD_NAME,
) -> None:
    """Follow a filmed game, judge every play and write the match files."""
    start = START if position is None else Position.from_compact(position)
    rolls = None if dice is None else load_rolls(dice)
    film = open_film(frames)
    rules = load_profile(profile)
    for line in replay(film, rolls, read_board_file(board), out, _now, start, rules=rules):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    match = shlex.quote(str(out / MAT))
    sys.stdout.write(
        f"\nThe match lies in {out}: open {MAT} with gnubg (gnubg -t, then: import mat {match}), XG or "
        f"GammonView, {OGXM} with OpenGammon or GammonView; events.jsonl holds every turn, {JOURNAL} the journal.\n"
    )


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
