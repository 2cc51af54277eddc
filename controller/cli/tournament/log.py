"""The file of a tournament as the commands use it: a torn last line is told, and events bear the time of day."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.output import note
from controller.hub.evening import tournament_log
from controller.hub.evening.tournament_log import TournamentLog

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
    with tournament_log.change_log(path) as log:
        yield _told(log)


def _told(log: TournamentLog) -> TournamentLog:
    if log.file.torn:
        note(
            f"Note: the last line of {log.file.path} is torn and does not count; the next event sets it aside. "
            "Enter again what it was."
        )
    return log
