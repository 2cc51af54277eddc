"""``pointsman journal key`` and ``countersign``, and what ``journal check --seals`` tells."""

import getpass
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.matches import ChosenMatch, find_journal
from controller.cli.options import JournalPlace, MatchId
from controller.cli.output import counted, put, utc_now
from controller.errors import UserError
from controller.messages.catalogue import catalogue
from controller.record import Journal
from controller.record.journal.journal import JournalEvent
from controller.record.journal.seal import (
    KEY_FILE,
    SealCheck,
    SealReport,
    Signer,
    SigningKey,
    check_seals,
    countersign,
    fingerprint,
    plain_code,
    read_seals,
    sealed_event,
    state,
)
from controller.record.match.history import GAME
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


def tell_seals(
    events: Callable[[], Iterable[JournalEvent]], place: Path, expected: str | None, code: str | None
) -> Iterator[str]:
    """Lines about every seal of a journal whose chain was verified.

    Args:
        events: reads those of the whole journal, once more each time.
        place: where it lies, for messages, and to find the table's own key beside its matches.
        expected: the public key or its code that the table's seals are to bear.
        code: of a seal that is to be in it.

    Raises:
        UserError: if there is no seal, one is not good, they bear another key, or none has that code.
    """
    report = check_seals(events(), _expected_key(events(), place, expected))
    if not report.checks:
        raise UserError(
            f"{place} has no seals: it was not recorded at a live table, or no game was finished. Its chain alone "
            "does not show whether it was written anew."
        )
    games = [(event.id, event.match) for event in events() if event.kind == GAME]
    for check in report.checks:
        yield _line(check, games)
    if report.faults:
        first = report.faults[0]
        number = counted(len(report.faults), "seal")
        raise UserError(
            f"{number} of {place} cannot be relied on, first that in event {first.event}: {_fault(first)}"
        )
    yield from _summary(report)
    if code is not None:
        yield _find_code(report, code, place)


def table_key(journal: Path) -> SigningKey | None:
    """The key of the table at which a journal was written, if it lies beside its matches."""
    beside = journal.absolute().parent.parent / KEY_FILE
    return SigningKey.read(beside) if journal.name == JOURNAL and beside.is_file() else None


def key_code(public: str) -> str:
    """The fingerprint of a public key."""
    return fingerprint(bytes.fromhex(public))


def _line(check: SealCheck, games: list[tuple[int, str]]) -> str:
    if check.seal is None:
        return f"Event {check.event}: {_fault(check)}"
    said = check.seal.statement
    game = sum(number <= said.event and match == check.match for number, match in games)
    who = f"{said.by} {said.name}".strip()
    verdict = "good" if check.fault is None else f"NOT GOOD: {_fault(check)}"
    return f"Game {game}, up to event {said.event}: {who}, {said.utc}, code {said.code}: {verdict}"


def _fault(check: SealCheck) -> str:
    return catalogue("en").text("seal", "fault", str(check.fault))


def _summary(report: SealReport) -> Iterator[str]:
    keys = {
        each.seal.statement.key
        for each in report.checks
        if each.seal is not None and each.seal.statement.by is Signer.TABLE
    }
    for public in keys:
        yield f"Key of the table: {public}, code {key_code(public)}"
    if not report.sealed:
        yield "None of the seals is the table's own."
    elif report.open:
        yield f"{counted(report.open, 'event')} came after the table's last seal; nobody vouches for them."
    else:
        yield "Nothing came after the table's last seal."


def _find_code(report: SealReport, code: str, place: Path) -> str:
    for check in report.checks:
        if check.seal is not None and check.seal.statement.code == plain_code(code):
            return f"The code {plain_code(code)} is that of the seal in event {check.event}."
    raise UserError(
        f"No seal of {place} has the code {plain_code(code)}: compare it with the score sheet again. If it is the "
        "same, the journal was cut or written anew after that sheet was printed."
    )


def _expected_key(events: Iterable[JournalEvent], place: Path, expected: str | None) -> str | None:
    """The key in hex that the table's seals are to bear: as told, as in the file beside the matches, or any."""
    if expected is None:
        own = table_key(place)
        return None if own is None else own.public
    text = expected.strip().lower()
    if len(text) == 64 and all(char in "0123456789abcdef" for char in text):
        return text
    for _, seal in read_seals(events):
        if seal.statement.by is Signer.TABLE and key_code(seal.statement.key) == plain_code(expected):
            return seal.statement.key
    raise UserError(
        f"No seal of {place} bears the key {expected}; compare it with what pointsman journal key prints there."
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
