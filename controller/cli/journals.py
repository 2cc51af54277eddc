"""``pointsman journal``: check, copy and rescue journals, and list and print what is in them."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import typer

from controller.cli.evidence.packets import check_packet, looks_packed
from controller.cli.evidence.seals import (
    SealsWanted,
    expected_key,
    key_code,
    refuse_open,
    sum_up_seals,
    table_key,
    tell_seals,
)
from controller.cli.matches import ChosenMatch, find_journal, open_journal
from controller.cli.options import JournalPlace, MatchId
from controller.cli.output import counted, put
from controller.errors import UserError
from controller.record import Journal
from controller.record.evidence.inventory import Inventory, take_inventory
from controller.record.evidence.store import EvidenceStore, evidence_name
from controller.record.files.match_text import one_line
from controller.record.filter.line_writer import input_lines
from controller.record.journal.buffered import RESCUED
from controller.record.journal.copies import copy_journal, rescue, rescued_name
from controller.record.journal.journal import JournalError
from controller.record.journal.seal import SealError, SealReport, check_seals
from controller.record.match.history import INPUT, MATCH, read_history
from controller.record.table.destination import refuse_loss
from controller.record.table.doubts import list_doubts, list_gaps
from controller.record.table.match_folder import TURNS_MISSING

CONTINUED: Final = frozenset({RESCUED, TURNS_MISSING})
"""Notes where a journal goes on after a loss."""


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
    known: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY",
            help="A key or its code that you know to be a player's or the director's; more than once.",
        ),
    ] = None,
) -> None:
    """Check that a journal or a packet is whole: the file, the chain that shows later changes, pictures and seals.

    With --seals, --key, --code or --known there must be seals, over all of it, and each is told; those of a packet
    always are.
    """
    journal = find_journal(place)
    wanted = SealsWanted.from_options(seals=seals, key=key, code=code, known=known or ())
    if looks_packed(journal):
        check_packet(journal, wanted)
        return
    with Journal(journal, read_only=True) as opened:
        doubts = list_doubts(journal) or _unreadable_matches(opened)
        if doubts:
            raise UserError(" ".join(doubts))
        for line in (*list_gaps(journal), *_check_pictures(opened)):
            put(line)
        report = _check_seals(opened, wanted)
        _, chain = opened.head()
        put(
            f"{journal}: {counted(report.last, 'event')} of {counted(len(opened.matches()), 'match', 'matches')}, "
            f"the file is whole and the chain unbroken. Chain after the last event: {chain or 'none'}"
        )
    if wanted.asked:
        refuse_open(report, journal)


def _unreadable_matches(journal: Journal) -> list[str]:
    """Events that do not say what one of their kind must, though the chain holds."""
    doubts: list[str] = []
    for name in journal.matches():
        if any(event.kind == MATCH for event in journal.events(name, without=INPUT)):
            try:
                read_history(journal, name)
            except JournalError as error:
                doubts.append(str(error))
    return doubts


def _check_pictures(journal: Journal) -> Iterator[str]:
    """What to say about the pictures of a journal.

    Raises:
        UserError: if they are not those that it names.
    """
    path = evidence_name(journal.path)
    events = tuple(journal.events())
    if not path.is_file():
        found = take_inventory(events, ())
        if found.named:
            yield f"{path} is missing: the journal names {counted(found.named, 'picture')}."
        return
    with EvidenceStore(path, read_only=True) as store:
        changed, number = store.find_changed(), store.count
        found = take_inventory(events, store.uses())
    if changed:
        raise UserError(
            f"{counted(len(changed), 'picture')} in {path} {'was' if len(changed) == 1 else 'were'} changed after "
            f"{'it was' if len(changed) == 1 else 'they were'} recorded, first {changed[0]}; do not rely on that."
        )
    yield from _picture_lines(path, found, continued=any(event.kind in CONTINUED for event in events))
    yield f"{path}: {counted(number, 'picture')}, none was changed."


def _picture_lines(path: Path, found: Inventory, *, continued: bool) -> Iterator[str]:
    """How the pictures in a file fit the journal; one that went on after a loss has those of what was lost, too."""
    if not continued and found.beyond:
        raise UserError(
            f"{path} has {counted(found.beyond, 'picture')} of turns after the last event of the journal, whose end "
            "is missing; look for a copy that goes further."
        )
    if not continued and found.strange:
        raise UserError(
            f"{path} has {counted(found.strange, 'picture')} that the journal does not name for their turns; "
            "they are those of another match, or the journal was exchanged."
        )
    extra = found.unnamed + found.strange + found.beyond
    if extra:
        yield f"{path} has {counted(extra, 'picture')} that the journal does not name; a loss of power leaves such."
    if found.missing:
        yield (
            f"{path} lacks {found.missing} of the {counted(found.named, 'picture')} that the journal names; where "
            "there was room for all, somebody has removed them."
        )


def _check_seals(journal: Journal, wanted: SealsWanted) -> SealReport:
    """Tell how far a journal is sealed, and of each seal if that is asked or one is not good; what was found.

    Raises:
        UserError: if a seal is not good, or not what was asked.
    """
    key = expected_key(journal.events(), journal.path, wanted.key) if wanted.asked else None
    report = check_seals(journal.events(), key)
    if wanted.asked or report.faults:
        for line in tell_seals(journal.events, report, journal.path, wanted):
            put(line)
        return report
    put(sum_up_seals(report))
    own = None
    # Somebody else's key, which only that user may read, is no reason to check nothing.
    with suppress(SealError):
        own = table_key(journal.path)
    if own is not None and report.key not in (own.public, None):
        put(
            f"That is not the key beside the matches, of the code {key_code(own.public)}: another table recorded it."
        )
    return report


def matches(place: JournalPlace = None) -> None:
    """List the matches of a journal: name, players, games and corrections."""
    with open_journal(find_journal(place)) as opened:
        for name in opened.matches():
            history = read_history(opened, name)
            players = " - ".join(
                one_line(player) or "?" for player in (history.heading.light, history.heading.dark)
            )
            length = f"{history.heading.length} points" if history.heading.length else "single games"
            day = history.heading.facts.played_on
            parts = [one_line(name), players, length, *([day.isoformat()] if day else [])]
            parts.append(counted(len(history.games), "game"))
            if history.corrections:
                parts.append(counted(len(history.corrections), "correction"))
            put("  ".join(parts))


def inputs(
    place: JournalPlace = None,
    match: MatchId = None,
) -> None:
    """Print the events of a live table, as lines that `pointsman referee` takes."""
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
