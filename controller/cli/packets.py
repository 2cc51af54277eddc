"""``pointsman packet``, and what ``journal check`` tells of one."""

from pathlib import Path
from typing import Annotated, Final

import typer

from controller.cli.matches import choose_match
from controller.cli.options import Language, MatchId
from controller.cli.output import counted, put, write_bytes
from controller.cli.seals import key_code, table_key, tell_seals
from controller.errors import UserError
from controller.record import Journal
from controller.record.evidence.packet import is_packet, pack, packet_page, unpack
from controller.record.evidence.store import EvidenceStore, evidence_name
from controller.record.journal.seal import SEAL

PAGE: Final = ".html"


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
        if file.exists() and not looks_packed(file):
            raise UserError(f"{file} exists and is no packet; name another file with --out.")
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
