"""``pointsman contribute form``, ``check`` and ``score``."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from controller.boardset import check as checking
from controller.boardset import folder as folders
from controller.boardset import score as scoring
from controller.cli.output import counted, put

Folders = Annotated[
    list[Path], typer.Argument(metavar="FOLDER...", help="Contributions, each in its folder.")
]


def form() -> None:
    """Print the form of a contribution to the set of real boards: save it as contribution.toml and fill it in."""
    put(folders.form())


def check(given: Folders) -> None:
    """See whether a contribution is complete and the program finds its board; nothing is sent anywhere."""
    for path in given:
        contribution = folders.read_contribution(path)
        doubts = list(checking.check(contribution))
        for doubt in doubts:
            put(f"Note: {doubt}")
        seen = counted(len(contribution.moments), "moment")
        looks = f", {counted(len(doubts), 'note')} to look at" if doubts else ", all as the match says"
        put(f"{path} is in order: {seen}{looks}; {contribution.given.licence}, by {contribution.given.by}.")


def score(
    given: Folders,
    program: Annotated[
        str,
        typer.Option(
            metavar="COMMAND",
            help="A program that calibrates and reads as pointsman does.",
            show_default="this one",
        ),
    ] = scoring.OWN,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a board, then one for all.")
    ] = False,
) -> None:
    """ReadingScore a program on contributions: how it reads the pictures, beside what the match says."""
    scores = {str(path): scoring.score(folders.read_contribution(path), program) for path in given}
    rows = {**scores, "all": scoring.total(scores.values())} if len(scores) > 1 else scores
    if as_json:
        for name, one in rows.items():
            put(json.dumps({"set": name, **one.figures()}))
        return
    table = Table("board", *next(iter(rows.values())).figures())
    for name, one in rows.items():
        table.add_row(name, *("" if value is None else f"{value:g}" for value in one.figures().values()))
    Console(width=100).print(table)
