"""``pointsman journal``: check, copy and rescue journals, and list and print what is in them."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.errors import UserError
from controller.record.evidence.store import EvidenceStore, evidence_name
from controller.record.files.match_text import header_text
from controller.record.filter.input_lines import input_lines
from controller.record.journal.copies import copy_journal, rescue, rescued_name
from controller.record.journal.journal import Journal
from controller.record.match.history import read_history

JournalFile = Annotated[Path, typer.Argument(metavar="JOURNAL", help="A journal.db that Pointsman wrote.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands that look after journals."""
    journal_app = typer.Typer(no_args_is_help=True, help="Look after journals.")
    journal_app.command("check")(check)
    journal_app.command("matches")(matches)
    journal_app.command("copy")(copy)
    journal_app.command("rescue")(rescue_journal)
    journal_app.command("inputs")(inputs)
    app.add_typer(journal_app, name="journal")


def check(journal: JournalFile) -> None:
    """See whether a journal is whole: the file, and the chain that shows later changes."""
    with Journal(journal, read_only=True) as opened:
        opened.check_file()
        number = opened.verify()
        _, chain = opened.head()
        sys.stdout.write(
            f"{journal}: {_counted(number, 'event')} of {_counted(len(opened.matches()), 'match', 'matches')}, "
            f"the file is whole and the chain unbroken. Chain after the last event: {chain or 'none'}\n"
        )
    if evidence_name(journal).is_file():
        _check_pictures(evidence_name(journal))


def _check_pictures(path: Path) -> None:
    with EvidenceStore(path, read_only=True) as store:
        changed, number = store.find_changed(), store.count
    if changed:
        raise UserError(
            f"{_counted(len(changed), 'picture')} in {path} {'was' if len(changed) == 1 else 'were'} changed after "
            f"{'it was' if len(changed) == 1 else 'they were'} recorded, first {changed[0]}; do not rely on that."
        )
    sys.stdout.write(f"{path}: {_counted(number, 'picture')}, none was changed.\n")


def matches(journal: JournalFile) -> None:
    """List the matches of a journal: name, players, games and corrections."""
    with Journal(journal, read_only=True) as opened:
        for name in opened.matches():
            history = read_history(opened, name)
            players = " - ".join(
                header_text(player) or "?" for player in (history.heading.light, history.heading.dark)
            )
            length = f"{history.heading.length} points" if history.heading.length else "single games"
            day = history.heading.facts.played_on
            parts = [header_text(name), players, length, *([day.isoformat()] if day else [])]
            parts.append(_counted(len(history.games), "game"))
            if history.corrections:
                parts.append(_counted(len(history.corrections), "correction"))
            sys.stdout.write("  ".join(parts) + "\n")


def inputs(
    journal: JournalFile,
    match: Annotated[
        str | None, typer.Option(help="The match; needed where the journal holds several.")
    ] = None,
) -> None:
    """Print what a live table was told, as lines that `pointsman referee` takes."""
    with Journal(journal, read_only=True) as opened:
        names = opened.matches()
        if match is None and len(names) != 1:
            known = ", ".join(names) or "none"
            raise UserError(f"{journal} holds {len(names)} matches ({known}); name one with --match.")
        for line in input_lines(opened, names[0] if match is None else match):
            sys.stdout.write(line + "\n")


def copy(journal: JournalFile, out: Annotated[Path, typer.Option(help="New file for the copy.")]) -> None:
    """Copy a journal, also while a table is writing it, and check the copy."""
    number = copy_journal(journal, out)
    sys.stdout.write(f"{out}: {_counted(number, 'event')}, the chain is unbroken.\n")


def rescue_journal(
    journal: JournalFile,
    out: Annotated[
        Path | None, typer.Option(help="New file for what can be saved; else next to the journal.")
    ] = None,
) -> None:
    """Save a damaged journal up to its last good event into a new file; the damaged one is not touched."""
    found = rescue(journal, out or rescued_name(journal))
    sys.stdout.write(
        f"{found.path}: {_counted(found.kept, 'event')} saved, the last one of {found.last_utc}; "
        f"{journal} is as it was.\n"
    )


def _counted(number: int, noun: str, nouns: str = "") -> str:
    return f"{number} {noun if number == 1 else nouns or noun + 's'}"
