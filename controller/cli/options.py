"""Arguments and options that several commands take, each worded once."""

from pathlib import Path
from typing import Annotated

import typer

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
MatchId = Annotated[
    str | None,
    typer.Option("--match", metavar="ID", help="Which match, where the journal holds several."),
]
OldJournal = Annotated[
    Path | None,
    typer.Option("--journal", metavar="JOURNAL", help="The journal that MATCH is in.", hidden=True),
]
