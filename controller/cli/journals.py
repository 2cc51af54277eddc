"""``pointsman journal``: check, copy and rescue journals, and list and print what is in them."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.evidence import check_packet, looks_packed, tell_seals
from controller.cli.matches import ChosenMatch, find_journal, open_journal
from controller.cli.options import JournalPlace, MatchId
from controller.cli.output import counted, put
from controller.errors import UserError
from controller.record import Journal
from controller.record.evidence.store import EvidenceStore, evidence_name
from controller.record.files.match_text import header_text
from controller.record.filter.line_writer import input_lines
from controller.record.journal.copies import copy_journal, rescue, rescued_name
from controller.record.match.history import read_history
from controller.record.table.destination import refuse_loss
from controller.record.table.doubts import list_doubts


def check(
    place: Annotated[
        Path | None,
        typer.Argument(
            metavar="[JOURNAL]",
            help="A match folder, its journal.db, or a packet or its page.",
            show_default="the newest match",
        ),
    ] = None,
    seals: Annotated[bool, typer.Option("--seals", help="Check the seals, too.")] = False,
    key: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="The table's public key or its code, which the seals are to bear."),
    ] = None,
    code: Annotated[
        str | None, typer.Option(metavar="CODE", help="The code of a seal to look for, as on a score sheet.")
    ] = None,
) -> None:
    """Check that a journal or a packet is whole: the file, the chain that shows later changes, the pictures.

    With --seals, --key or --code the seals are checked, too; those of a packet always are, if it has any.
    """
    journal = find_journal(place)
    wanted = seals or key is not None or code is not None
    if looks_packed(journal):
        check_packet(journal, key, code, seals=wanted)
        return
    with Journal(journal, read_only=True) as opened:
        doubts = list_doubts(journal)
        if doubts:
            raise UserError(" ".join(doubts))
        number = opened.verify()
        _, chain = opened.head()
        put(
            f"{journal}: {counted(number, 'event')} of {counted(len(opened.matches()), 'match', 'matches')}, "
            f"the file is whole and the chain unbroken. Chain after the last event: {chain or 'none'}"
        )
    if evidence_name(journal).is_file():
        _check_pictures(evidence_name(journal))
    if wanted:
        with Journal(journal, read_only=True) as opened:
            for line in tell_seals(opened.events, journal, key, code):
                put(line)


def _check_pictures(path: Path) -> None:
    with EvidenceStore(path, read_only=True) as store:
        changed, number = store.find_changed(), store.count
    if changed:
        raise UserError(
            f"{counted(len(changed), 'picture')} in {path} {'was' if len(changed) == 1 else 'were'} changed after "
            f"{'it was' if len(changed) == 1 else 'they were'} recorded, first {changed[0]}; do not rely on that."
        )
    put(f"{path}: {counted(number, 'picture')}, none was changed.")


def matches(place: JournalPlace = None) -> None:
    """List the matches of a journal: name, players, games and corrections."""
    with open_journal(find_journal(place)) as opened:
        for name in opened.matches():
            history = read_history(opened, name)
            players = " - ".join(
                header_text(player) or "?" for player in (history.heading.light, history.heading.dark)
            )
            length = f"{history.heading.length} points" if history.heading.length else "single games"
            day = history.heading.facts.played_on
            parts = [header_text(name), players, length, *([day.isoformat()] if day else [])]
            parts.append(counted(len(history.games), "game"))
            if history.corrections:
                parts.append(counted(len(history.corrections), "correction"))
            put("  ".join(parts))


def inputs(
    place: JournalPlace = None,
    match: MatchId = None,
) -> None:
    """Print what a live table was told, as lines that `pointsman referee` takes."""
    chosen = ChosenMatch(find_journal(place), match)
    with open_journal(chosen.journal) as opened:
        for line in input_lines(opened, chosen.name_in(opened)):
            sys.stdout.write(line + "\n")


def copy(
    out: Annotated[Path, typer.Option(metavar="FILE", help="New file for the copy.")],
    place: JournalPlace = None,
) -> None:
    """Copy a journal, also while a table is writing it, and check the copy."""
    journal = find_journal(place)
    refuse_loss(out, (journal,))
    number = copy_journal(journal, out)
    put(f"{out}: {counted(number, 'event')}, the chain is unbroken.")


def rescue_journal(
    place: JournalPlace = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="New file for what can be saved.", show_default="beside the journal"
        ),
    ] = None,
) -> None:
    """Save a damaged journal up to its last good event into a new file; the damaged one is not touched."""
    journal = find_journal(place)
    new = out or rescued_name(journal)
    refuse_loss(new, (journal,))
    found = rescue(journal, new)
    put(
        f"{found.path}: {counted(found.kept, 'event')} saved, the last one of {found.last_utc}; "
        f"{journal} is as it was."
    )
