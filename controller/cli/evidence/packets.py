"""``pointsman packet``, and packets that `pointsman journal check` is given."""

from pathlib import Path
from typing import Annotated, Final

import typer

from controller.cli.evidence.seals import SealsWanted, expected_key, key_code, refuse_open, tell_seals
from controller.cli.matches import choose_match, open_journal
from controller.cli.options import Language, MatchId
from controller.cli.output import counted, put, write_out
from controller.errors import UserError
from controller.record.evidence.packet import (
    Packet,
    PacketError,
    PacketFinding,
    PacketStanding,
    examine,
    is_own_page,
    is_packet,
    is_page,
    pack,
    packet_page,
    packing_key,
    unpack,
)
from controller.record.evidence.packet_file import LARGEST
from controller.record.evidence.store import evidence_name, pictures_beside
from controller.record.journal.seal import SealReport, check_seals
from controller.record.table.match_folder import is_of_folder, keys_of

PAGE: Final = ".html"
"""How the name of a packet's page ends."""


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
    chosen = choose_match(name, match)
    pictures = evidence_name(chosen.journal)
    with open_journal(chosen.journal) as journal, pictures_beside(chosen.journal) as store:
        there = chosen.name_in(journal)
        keys = keys_of(chosen.journal.parent) if is_of_folder(chosen.journal) else []
        key = packing_key(journal, keys)
        data = pack(journal, store, there, key, language, every=every)
        report = check_seals(journal.events())
    write_out(out, data, (chosen.journal, pictures))
    write_out(page, packet_page(data, language).encode(), (chosen.journal, pictures))
    put(f"{out}: {counted(len(data), 'byte')}{_packed_note(report, signed=key is not None)}")
    put(f"{page}: the page that checks it, in any browser, without a network")


def _packed_note(report: SealReport, *, signed: bool) -> str:
    """What whoever packs a journal should know of its seals."""
    if not report.checks:
        return "; NOTE: the journal has no seals"
    if report.open:
        return f"; NOTE: {counted(report.open, 'event')} came after the table's last seal"
    return (
        "" if signed else "; NOTE: the key that sealed the journal is not here, so the packet is not signed"
    )


def _holds_packet(path: Path) -> bool:
    """Whether a file is a whole packet or its page, which a newer one may replace."""
    try:
        read_packet(path)
    except PacketError:
        return False
    return True


def looks_packed(path: Path) -> bool:
    """Whether a file is a packet or its page, by how it begins."""
    try:
        with path.open("rb") as file:
            return is_packet(file.read(64))
    except OSError:
        return False


def read_packet(path: Path) -> tuple[bytes, Packet]:
    """A file that is a packet or its page, and the packet in it.

    Raises:
        PacketError: if it cannot be read, or anything in it was changed.
    """
    try:
        if path.stat().st_size > 2 * LARGEST:
            raise PacketError(f"{path} is larger than a packet can be; get it once more.")
        data = path.read_bytes()
        return data, unpack(data, str(path))
    except OSError as error:
        raise PacketError(f"{path} cannot be read ({error.strerror}); check the path.") from error
    except MemoryError as error:
        raise PacketError(f"{path} takes more memory than there is; check it on a larger machine.") from error


def check_packet(path: Path, wanted: SealsWanted) -> None:
    """Tell whether a packet or its page is what was written, and how far somebody vouches for it.

    Raises:
        NotSealedError: if something in it has no seal.
        UserError: if anything was changed, or a seal is not good.
    """
    data, packet = read_packet(path)
    report = check_seals(packet.events, expected_key(packet.events, path, wanted.key))
    for line in tell_seals(lambda: packet.events, report, path, wanted):
        put(line)
    finding = examine(packet, report)
    if packet.signed_by is not None:
        put(f"The packet was signed with the key of the code {key_code(packet.signed_by)}.")
    if not finding.rules_compared:
        put(
            f"Its rules in words are those of version {packet.program}, which this one cannot compare; those that "
            "count are in the journal."
        )
    if packet.missing_pictures:
        put(
            f"{counted(packet.missing_pictures, 'picture')} of flagged turns that the journal names are not in it."
        )
    if is_page(data) and not is_own_page(data):
        put(
            "The page around it is not as this version writes it: what it shows may not be what is told here."
        )
    put(_packet_verdict(packet, finding))
    refuse_open(report, path)


def _packet_verdict(packet: Packet, finding: PacketFinding) -> str:
    """What a packet without a fault is, in a sentence, and the chain after its last event."""
    counts = f"{counted(len(packet.events), 'event')}, {counted(len(packet.pictures), 'picture')}"
    key = "" if finding.seals.key is None else key_code(finding.seals.key)
    match finding.standing:
        case PacketStanding.WHOLE:
            verdict = (
                "nothing was changed since the table sealed it and signed the packet. Anybody can make a key, so "
                f"compare the code of the table's: {key}"
            )
        case PacketStanding.SEALED:
            verdict = (
                f"all of it sealed with the key of the code {key}. The table did not sign the packet as a whole: "
                "whether it recorded more does not show"
            )
        case PacketStanding.OPEN:
            verdict = (
                f"sealed up to event {finding.seals.sealed}, with the key of the code {key}, and no further"
            )
        case PacketStanding.UNSEALED:
            verdict = "not sealed by a table"
    return f"{packet.name}: {counts}, {verdict}. Chain after the last event: {packet.events[-1].chain}"
