"""``pointsman replay``."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import STANDARD_NAME, BoardFile, ProfileName
from controller.cli.output import put
from controller.config import Config
from controller.config.board import read_board_file
from controller.config.sections import MatchSection
from controller.devices.film import load_rolls, open_film
from controller.record.journal.journal import utc_now
from controller.record.table.match_folder import JOURNAL, MAT, OGXM
from controller.referee import Settings
from controller.replay import replay
from controller.rules import Form, Position, Profile, load_profile
from controller.rules.profile.profile import MatchKind


def replay_film(
    board: BoardFile,
    frames: Annotated[Path, typer.Option(metavar="PLACE", help="Folder of numbered pictures, or a video.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the match files.")],
    dice: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Rolls of an electronic dice set.", show_default="read from the pictures"
        ),
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(metavar="COMPACT", help="Where the film begins.", show_default="the start position"),
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
    for line in replay(film, rolls, known, out, utc_now, start, rules=rules, live=settings):
        put(line)
    match = shlex.quote(str(out / MAT))
    put(
        f"\nThe match lies in {out}: open {MAT} with gnubg (gnubg -t, then: import mat {match}), XG or "
        f"GammonView, {OGXM} with OpenGammon or GammonView; events.jsonl holds every turn, {JOURNAL} the journal."
    )


def live_settings(profile: str, rules: Profile) -> Settings:
    """How `run` would run the table with this profile and nothing else configured."""
    form = Form.MONEY if rules.match.kind is MatchKind.MONEY else Form.MATCH
    return Config(match=MatchSection(form=form, profile=(profile,))).settings()
