"""``pointsman dispute`` and ``pointsman packet``, and what ``journal check`` tells of a packet."""

from pathlib import Path
from typing import Annotated, Final

import typer

from controller.cli.matches import choose_match, read_number, split_words
from controller.cli.options import GameNumber, Language, MatchId, OldJournal
from controller.cli.output import counted, note, put, write_bytes, write_text
from controller.cli.seals import key_code, table_key, tell_seals
from controller.errors import UserError
from controller.record import Journal
from controller.record.evidence.dispute import dispute_html, gather_dispute
from controller.record.evidence.packet import PacketError, is_packet, pack, packet_page, unpack
from controller.record.evidence.store import EvidenceError, EvidenceStore, evidence_name
from controller.record.journal.seal import SEAL

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
    try:
        with Journal(chosen.journal, read_only=True) as opened:
            name = chosen.name_in(opened)
            found = gather_dispute(opened, store, name, game, ply)
        page = dispute_html(found, language)
    finally:
        if store is not None:
            store.close()
    target = out or Path(f"dispute-{_plain(name)}-{ply}.html")
    write_text(target, page)
    _hold(
        pictures or evidence_name(chosen.journal),
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
    with Journal(chosen.journal, read_only=True) as journal:
        there = chosen.name_in(journal)
        sealed = any(event.kind == SEAL for event in journal.events(there))
        if pictures.is_file():
            with EvidenceStore(pictures, read_only=True) as store:
                data = pack(journal, store, there, key, language, every=every)
        else:
            data = pack(journal, None, there, key, language)
    write_bytes(out, data)
    write_bytes(page, packet_page(data, language).encode())
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
