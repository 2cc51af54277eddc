"""``pointsman replay``."""

import datetime
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.boards import BoardFile, read_board_file
from controller.cli.rules import STANDARD_NAME, ProfileName
from controller.config import Config
from controller.config.sections import MatchSection
from controller.devices.film import load_rolls, open_film
from controller.record.table.match_folder import JOURNAL, MAT, OGXM
from controller.referee.table.settings import Settings
from controller.replay import replay
from controller.rules.game.match import Form
from controller.rules.position import Position
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import MatchKind, Profile


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
    live: Annotated[
        bool,
        typer.Option("--live", help="Judge as `run` would have, at a table whose players do not answer."),
    ] = False,
) -> None:
    """Follow a filmed game, judge every play and write the match files."""
    start = None if position is None else Position.from_compact(position)
    rolls = None if dice is None else load_rolls(dice)
    film = open_film(frames)
    rules = load_profile(profile)
    settings = live_settings(profile, rules) if live else None
    known = read_board_file(board)
    for line in replay(film, rolls, known, out, _now, start, rules=rules, live=settings):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    match = shlex.quote(str(out / MAT))
    sys.stdout.write(
        f"\nThe match lies in {out}: open {MAT} with gnubg (gnubg -t, then: import mat {match}), XG or "
        f"GammonView, {OGXM} with OpenGammon or GammonView; events.jsonl holds every turn, {JOURNAL} the journal.\n"
    )


def live_settings(profile: str, rules: Profile) -> Settings:
    """How `run` would run the table with this profile and nothing else configured."""
    form = Form.MONEY if rules.match.kind is MatchKind.MONEY else Form.MATCH
    return Config(match=MatchSection(form=form, profile=(profile,))).settings()


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
