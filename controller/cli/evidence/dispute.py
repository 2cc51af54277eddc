"""``pointsman dispute``: all that is known about a turn, on one page."""

from pathlib import Path
from typing import Annotated

import typer

from controller.cli.matches import open_journal, read_number, split_words
from controller.cli.options import GameNumber, Language, MatchId
from controller.cli.output import note, put, write_text
from controller.record.evidence.dispute import dispute_html, gather_dispute
from controller.record.evidence.store import evidence_name, hold_pictures, pictures_beside


def dispute(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[MATCH] PLY",
            help="A match folder or its journal.db, the newest match without it; then the number of the turn in its "
            "game, from 0.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="HTML file to write.", show_default="dispute-MATCH-PLY.html"),
    ] = None,
    game: GameNumber = None,
    match: MatchId = None,
    pictures: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The pictures, if they do not lie beside the journal.")
    ] = None,
    language: Language = "en",
) -> None:
    """Show all that is known about a turn on one page: pictures, readings, roll, verdict and reasons.

    The pictures of the turn are then kept longest.
    """
    chosen, (number,) = split_words(words, (1, 1), match)
    ply = read_number(number, "PLY")
    evidence = pictures or evidence_name(chosen.journal)
    with pictures_beside(chosen.journal, pictures) as store, open_journal(chosen.journal) as opened:
        name = chosen.name_in(opened)
        found = gather_dispute(opened, store, name, game, ply)
        page = dispute_html(found, language)
    target = out or Path(f"dispute-{_plain(name)}-{ply}.html")
    write_text(target, page, (chosen.journal, evidence))
    if not hold_pictures(chosen.journal, found.pictured, pictures):
        note(f"Note: {evidence} cannot be written, so the pictures are not marked as disputed.")
    state = "the journal's chain is unbroken" if found.fault is None else f"NOTE: {found.fault}"
    put(f"{target}: game {found.game}, ply {ply}; {state}")


def _plain(name: str) -> str:
    """A name that can stand in the name of a file."""
    return "".join(char if char.isalnum() else "-" for char in name)[:60]
