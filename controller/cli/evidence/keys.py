"""``pointsman journal key`` and ``countersign``: what a table seals with, and what others sign with."""

import getpass
import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.evidence.seals import key_code
from controller.cli.matches import ChosenMatch, find_journal
from controller.cli.options import JournalPlace, MatchId
from controller.cli.output import put
from controller.record import Journal
from controller.record.journal.journal import utc_now
from controller.record.journal.seal import (
    KEY_FILE,
    Signer,
    SigningKey,
    countersign,
    sealed_event,
    state,
)
from controller.record.table.match_folder import JOURNAL


def key(
    place: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FOLDER]", help="The folder of the table's matches.", show_default="the configured one"
        ),
    ] = None,
    make: Annotated[bool, typer.Option("--make", help="Make the key if there is none yet.")] = False,
) -> None:
    """Print the public key that this table seals its journals with, and its code.

    Write the code down before an event: seals that bear another one are not of this table.
    """
    path = _key_file(place)
    found = SigningKey.make(path) if make else SigningKey.read(path)
    put(f"Public key: {found.public}\nIts code:   {key_code(found.public)}")


def countersign_journal(
    by: Annotated[Signer, typer.Option(metavar="light|dark|director", help="Who signs.")],
    place: JournalPlace = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="The signer's name.")] = "",
    key_file: Annotated[
        Path | None,
        typer.Option(
            "--key",
            metavar="FILE",
            help="The signer's key file, made at first use; without it a PIN is asked.",
        ),
    ] = None,
    match: MatchId = None,
) -> None:
    """Have a player or the director sign what the table sealed last, with a key file or a PIN.

    The PIN has six signs or more; better is a phrase of four words. It is asked for, or read from standard input.
    """
    chosen = ChosenMatch(find_journal(place), match)
    with Journal(chosen.journal, read_only=True) as opened:
        opened.verify()
        name_there = chosen.name_in(opened)
        sealed = sealed_event(opened, name_there)
        first = next(opened.events()).chain
    signing = SigningKey.make(key_file) if key_file else SigningKey.from_pin(_ask_pin(), by, first)
    seal = signing.sign(state(by, name, sealed, signing.public, utc_now()))
    with Journal(chosen.journal) as opened:
        written = countersign(opened, name_there, seal, utc_now())
    put(
        f"{chosen.journal}: {by} signed for everything up to event {sealed.id} (event {written.id}).\n"
        f"Code of this seal:  {seal.statement.code}\n"
        f"Code of the key:    {key_code(signing.public)}"
    )


def _key_file(place: Path | None) -> Path:
    if place is None:
        from controller.config import load_config  # loads much that only this needs

        place = load_config().record_folder()
    if place.suffix == Path(KEY_FILE).suffix:
        return place
    return (place.absolute().parent if (place / JOURNAL).is_file() else place) / KEY_FILE


def _ask_pin() -> str:
    """From the terminal, unseen, or from standard input."""
    return getpass.getpass("PIN: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
