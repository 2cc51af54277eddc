"""``pointsman dispute``."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.boards import write_text
from controller.cli.corrections import JOURNAL, GameNumber, InJournal, MatchName, Ply
from controller.cli.rules import Language
from controller.record.evidence.dispute import gather_dispute
from controller.record.evidence.dispute_page import dispute_html
from controller.record.evidence.store import EvidenceError, EvidenceStore, evidence_name
from controller.record.journal.journal import Journal


def add_to(app: typer.Typer) -> None:
    """Add the command for quarrels."""
    app.command()(dispute)


def dispute(
    match: MatchName,
    ply: Ply,
    out: Annotated[
        Path | None, typer.Option(help="HTML file to write.", show_default="dispute-MATCH-PLY.html")
    ] = None,
    game: GameNumber = None,
    journal: InJournal = JOURNAL,
    pictures: Annotated[
        Path | None, typer.Option(help="The pictures, if they do not lie beside the journal.")
    ] = None,
    language: Language = "en",
) -> None:
    """Show all that is known about a ply on one page: pictures, readings, roll, verdict and reasons.

    The pictures of the ply are then kept longest.
    """
    store = _store(journal, pictures)
    try:
        with Journal(journal, read_only=True) as opened:
            found = gather_dispute(opened, store, match, game, ply)
        page = dispute_html(found, language)
    finally:
        if store is not None:
            store.close()
    target = out or Path(f"dispute-{_plain(match)}-{ply}.html")
    write_text(target, page)
    _hold(
        pictures or evidence_name(journal),
        [*(each.event for each in found.tries), *(each.event for each in found.remarks)],
    )
    state = "the journal's chain is unbroken" if found.fault is None else f"MIND: {found.fault}"
    sys.stdout.write(f"{target}: game {found.game}, ply {ply}; {state}\n")


def _store(journal: Path, pictures: Path | None) -> EvidenceStore | None:
    """The pictures; none if nobody named them and there are none."""
    beside = evidence_name(journal)
    if pictures is None and not beside.is_file():
        return None
    return EvidenceStore(pictures or beside, read_only=True)


def _hold(path: Path, turns: list[int]) -> None:
    """Keep these pictures longest; on a card that cannot be written nothing will be thrown out anyway."""
    if not path.is_file():
        return
    try:
        with EvidenceStore(path) as store:
            for turn in turns:
                store.hold(turn)
    except EvidenceError:
        sys.stderr.write(f"Mind: {path} cannot be written, so the pictures are not marked as disputed.\n")


def _plain(name: str) -> str:
    """A name that can stand in the name of a file."""
    return "".join(char if char.isalnum() else "-" for char in name)[:60]
