"""What stands as evidence: ``pointsman dispute`` and ``packet``, ``journal key``, ``countersign`` and the seals."""

import getpass
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from controller.cli.matches import (
    ChosenMatch,
    choose_match,
    find_journal,
    open_journal,
    read_number,
    split_words,
)
from controller.cli.options import GameNumber, JournalPlace, Language, MatchId, OldJournal
from controller.cli.output import counted, note, put, utc_now, write_out, write_text
from controller.errors import UserError
from controller.messages.catalogue import catalogue
from controller.record import Journal
from controller.record.evidence.dispute import dispute_html, gather_dispute
from controller.record.evidence.packet import PacketError, is_packet, pack, packet_page, unpack
from controller.record.evidence.store import EvidenceError, EvidenceStore, evidence_name
from controller.record.journal.journal import JournalEvent
from controller.record.journal.seal import (
    KEY_FILE,
    SEAL,
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

PAGE: Final = ".html"
"""How the name of a packet's page ends."""


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
    journal: OldJournal = None,
    pictures: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The pictures, if they do not lie beside the journal.")
    ] = None,
    language: Language = "en",
) -> None:
    """Show all that is known about a turn on one page: pictures, readings, roll, verdict and reasons.

    The pictures of the turn are then kept longest.
    """
    chosen, (number,) = split_words(words, (1, 1), match, journal)
    ply = read_number(number, "PLY")
    store = _store(chosen.journal, pictures)
    evidence = pictures or evidence_name(chosen.journal)
    try:
        with open_journal(chosen.journal) as opened:
            name = chosen.name_in(opened)
            found = gather_dispute(opened, store, name, game, ply)
        page = dispute_html(found, language)
    finally:
        if store is not None:
            store.close()
    target = out or Path(f"dispute-{_plain(name)}-{ply}.html")
    write_text(target, page, (chosen.journal, evidence))
    _hold(
        evidence,
        [*(each.event for each in found.tries), *(each.event for each in found.remarks)],
    )
    state = "the journal's chain is unbroken" if found.fault is None else f"NOTE: {found.fault}"
    put(f"{target}: game {found.game}, ply {ply}; {state}")


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
        note(f"Note: {path} cannot be written, so the pictures are not marked as disputed.")


def _plain(name: str) -> str:
    """A name that can stand in the name of a file."""
    return "".join(char if char.isalnum() else "-" for char in name)[:60]


def packet(
    out: Annotated[Path, typer.Option(metavar="FILE", help="ZIP file to write; its page goes beside it.")],
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[MATCH]", help="A match folder or its journal.db.", show_default="the newest match"
        ),
    ] = None,
    match: MatchId = None,
    every: Annotated[
        bool, typer.Option("--all-pictures", help="Pictures of every turn, not only of flagged ones.")
    ] = False,
    language: Language = "en",
) -> None:
    """Pack a match into one file: journal, seals, rules, versions, pictures of flagged turns; and a page for it.

    The page holds the packet itself and needs no network.
    """
    page = out.with_suffix(PAGE)
    if page == out:
        raise UserError(f"{out} is the name of the page; end the packet's own name in .zip.")
    for file in (out, page):
        if file.exists() and not _holds_packet(file):
            raise UserError(f"{file} exists and is no whole packet; name another file with --out.")
    chosen = choose_match(name, match, None)
    pictures = evidence_name(chosen.journal)
    key = table_key(chosen.journal)
    with open_journal(chosen.journal) as journal:
        there = chosen.name_in(journal)
        sealed = any(event.kind == SEAL for event in journal.events(there))
        if pictures.is_file():
            with EvidenceStore(pictures, read_only=True) as store:
                data = pack(journal, store, there, key, language, every=every)
        else:
            data = pack(journal, None, there, key, language)
    write_out(out, data, (chosen.journal, pictures))
    write_out(page, packet_page(data, language).encode(), (chosen.journal, pictures))
    put(f"{out}: {counted(len(data), 'byte')}{'' if sealed else '; NOTE: the journal has no seals'}")
    put(f"{page}: the page that checks it, in any browser, without a network")


def _holds_packet(path: Path) -> bool:
    """Whether a file is a whole packet or its page, which a newer one may replace."""
    try:
        unpack(path.read_bytes(), str(path))
    except (OSError, PacketError):
        return False
    return True


def looks_packed(path: Path) -> bool:
    """Whether a file is a packet or its page, by how it begins."""
    try:
        with path.open("rb") as file:
            return is_packet(file.read(64))
    except OSError:
        return False


def check_packet(path: Path, key: str | None, code: str | None, *, seals: bool) -> None:
    """Tell whether a packet or its page is what was written, and of its seals."""
    found = unpack(path.read_bytes(), str(path))
    put(
        f"{path}: {counted(len(found.events), 'event')}, {counted(len(found.pictures), 'picture')}, nothing was "
        f"changed. Chain after the last event: {found.events[-1].chain}"
    )
    if found.signed_by is not None:
        put(f"The packet was signed with the key of the code {key_code(found.signed_by)}.")
    if seals or any(event.kind == SEAL for event in found.events):
        for line in tell_seals(lambda: found.events, path, key, code):
            put(line)
    else:
        put("It has no seals: whoever could write the journal could have written all of it anew.")


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
