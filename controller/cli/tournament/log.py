"""The file of a tournament as the commands use it: a torn last line is reported, and events bear the time of day."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from controller.cli.output import note
from controller.errors import UserError
from controller.hub.evening import tournament_log
from controller.hub.evening.tournament_log import TournamentLog
from controller.tournament.fault import RefusalError

HINTS: Final[Mapping[str, str]] = {
    "has_result": "--replace puts another result there",
    "no_result": "leave --replace out",
    "no_player": "show --players lists them",
    "no_player_but": "show --players lists them",
    "no_match": "show lists the matches",
    "not_played": "show lists the matches",
    "not_played_at_all": "show lists the matches",
    "nothing_to_confirm": "show lists the matches",
    "nothing_to_play": "show lists the matches",
    "pairs_missing": "such as --pair Ann=Bob",
    "no_event": "show --log lists the events",
    "undone_already": "show --log lists the events",
    "undo_alone": "--later does so",
    "knockout_others": "undo with --later takes both back",
    "knockout_seats": "undo with --later takes both back",
}
"""How a refusal's remedy is typed, by its key: pages say the same sentences without it."""

TournamentPlace = Annotated[
    Path, typer.Argument(metavar="FILE", help="The tournament's file, as `pointsman tournament new` made it.")
]
Author = Annotated[str, typer.Option("--by", metavar="NAME", help="Who says so, for the log.")]


def read_log(path: Path) -> TournamentLog:
    """The events of a file. Raises UserError if it cannot be read."""
    return _told(tournament_log.read_log(path))


@contextmanager
def change_log(path: Path) -> Iterator[TournamentLog]:
    """The events of a file to which some are added; others wait meanwhile. Raises UserError if it cannot be read."""
    try:
        with tournament_log.change_log(path) as log:
            yield _told(log)
    except RefusalError as error:
        if error.key not in HINTS:
            raise
        raise UserError(f"{str(error).removesuffix('.')} ({HINTS[error.key]}).") from None


def _told(log: TournamentLog) -> TournamentLog:
    if log.file.torn:
        note(
            f"Note: the last line of {log.file.path} is torn and does not count; the next event sets it aside. "
            "Enter again what it was."
        )
    return log
