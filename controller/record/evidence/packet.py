"""A packet: one file with all that others need to judge a match later, and to see that nothing was changed.

The page beside it holds the packet itself and checks it in a browser, without a network.
"""

import base64
import hashlib
import json
import platform
import re
import sqlite3
import struct
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any, Final

from controller import __version__
from controller.errors import UserError
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.messages.profile_words import FAMILY_KEYS, all_sentences, describe
from controller.record.evidence.named import NamedPictures, named_pictures, naming_fault
from controller.record.evidence.packet_file import WRITING, files_in, is_whole, pack_file
from controller.record.evidence.store import EvidenceStore
from controller.record.files.html_page import html_page, safe_json, script_hash
from controller.record.journal.frozen import FrozenLog
from controller.record.journal.journal import EventLog, Journal, JournalError, JournalEvent
from controller.record.journal.seal import SealReport, SigningKey, check_seals, read_seals
from controller.record.match.history import MATCH, TURN, read_history
from controller.rules.game.match_record import profile_record
from controller.rules.profile.profile import STANDARD

ENTRIES: Final = "journal.jsonl"
MANIFEST: Final = "manifest.json"
SIGNATURE: Final = "manifest.sig"
RULES: Final = "rules.txt"
VERSIONS: Final = "versions.json"
SEALS: Final = "seals.txt"
README: Final = "README.txt"
PICTURES: Final = "pictures/"
DEEPEST: Final = 50
"""How deep the values of an event may be nested; the page says the same. A table nests them six deep."""
_BLANKS: Final = {
    name: f"{{{name}}}"
    for name in ("code", "count", "event", "fault", "game", "key", "name", "number", "ply", "who")
}
"""The places of texts that the page itself fills in."""
PROGRAM: Final = ("signatures.js", "packet_match.js", "packet_file.js", "packet.js")
"""The page's program, in this order."""
_PAGE_START: Final = b"<!DOCTYPE html>"
_PAGE_END: Final = "<!-- sha256 "
_PAGE_TAIL: Final = re.compile(rb"<!-- sha256 ([0-9a-f]{64}) -->\n\Z")
_PACKED: Final = re.compile(rb'<script type="text/plain" id="packet">([A-Za-z0-9+/=]*)</script>')
_SIGNED: Final = re.compile(r"key ([0-9a-f]{64})\nsignature ([0-9a-f]{128})\n")


class PacketError(UserError):
    """A packet that was changed, or that is none."""


class PacketStanding(StrEnum):
    """How far somebody vouches for a packet in which no fault was found."""

    WHOLE = "whole"
    """The table sealed it to its end, and signed the packet itself: nothing in it was changed or left out."""
    SEALED = "sealed"
    """The table sealed it to its end; who packed it does not show, nor whether more was recorded."""
    OPEN = "open"
    """Something in it comes after the table's last seal."""
    UNSEALED = "unsealed"
    """No seal of a table covers it."""


@dataclass(frozen=True, slots=True)
class Packet:
    """What a packet holds.

    Attributes:
        name: what complaints call it.
        match: the match that it is about.
        events: the events of the journal; their chain holds.
        pictures: the JPEGs by their SHA-256.
        rules: the rules in words, which nobody has compared with the journal yet.
        signed_by: the public key that signed the packet as a whole, `None` if nobody did.
        program: the version of Pointsman that wrote it, as it says itself.
    """

    name: str
    match: str
    events: tuple[JournalEvent, ...]
    pictures: Mapping[str, bytes]
    rules: str
    signed_by: str | None
    program: str

    @property
    def log(self) -> EventLog:
        """Its events, to be read as a journal is."""
        return FrozenLog(self.events, Path(self.name))

    @property
    def missing_pictures(self) -> int:
        """How many pictures of flagged turns and doubts the journal names that are not in the packet."""
        named = named_pictures(self.events).of
        flagged = {
            event.id for event in self.events if event.kind != TURN or event.payload.get("legal") is not True
        }
        wanted = {each.sha256 for turn, pictures in named.items() if turn in flagged for each in pictures}
        return len(wanted - set(self.pictures))


@dataclass(frozen=True, slots=True)
class PacketFinding:
    """What seals and signature say of a packet.

    Attributes:
        seals: every seal in it.
        standing: how far somebody vouches for it; nobody does if one of the seals has a fault.
        rules_compared: whether the rules in words are those of the journal, or the table signed them; else they
            come from another version, which words them otherwise.
    """

    seals: SealReport
    standing: PacketStanding
    rules_compared: bool


def pack(
    journal: Journal,
    store: EvidenceStore | None,
    match: str,
    key: SigningKey | None = None,
    language: str = "en",
    *,
    every: bool = False,
) -> bytes:
    """A packet of a journal as the bytes of its file.

    Args:
        journal: the journal; all of it goes in, because its chain runs through all of it.
        store: its pictures, if there are any.
        match: the match whose pictures and rules go in.
        key: signs the packet as a whole, see `packing_key`.
        language: of the rules in words.
        every: with the pictures of every turn, not only of flagged and disputed ones.

    Raises:
        JournalError: if the journal is damaged, or there is no such match.
        EvidenceError: if the pictures cannot be read.
        PacketError: if it would be too large, or the journal names pictures as no table does.
    """
    journal.verify()
    content = {
        README: catalogue(language).text("packet", "readme"),
        RULES: _rules(journal, match, language),
        VERSIONS: _json(_versions()),
        SEALS: _seals_text(journal.events()),
        ENTRIES: "".join(f"{entry}\n" for entry in journal.entries()),
    }
    held = {name: text.encode() for name, text in content.items()}
    if store is not None:
        wanted = None if every else store.flagged()
        for digest in _digests(_named(journal.events(match), journal.path), wanted):
            jpeg = store.picture(digest)
            if jpeg is not None:
                held[f"{PICTURES}{digest}.jpg"] = jpeg
    manifest = {
        "format": WRITING,
        "program": __version__,
        "match": match,
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in held.items()},
    }
    held[MANIFEST] = _json(manifest).encode()
    if key is not None:
        held[SIGNATURE] = _signature(key, held[MANIFEST]).encode()
    try:
        return pack_file(held)
    except zipfile.LargeZipFile as error:
        raise PacketError(
            f"The packet of {journal.path} would be too large; leave out --all-pictures."
        ) from error


def packing_key(journal: EventLog, keys: Iterable[SigningKey]) -> SigningKey | None:
    """The first of these keys that may sign a packet of a journal: the one that sealed it, any where nothing did."""
    sealed_with = check_seals(journal.events()).key
    return next((key for key in keys if sealed_with in (key.public, None)), None)


def _rules(journal: EventLog, match: str, language: str) -> str:
    terms = read_history(journal, match).heading.terms
    return "\n\n".join(describe(profile, language) for profile in terms.profiles) + "\n"


def _versions() -> dict[str, str]:
    found = {"pointsman": __version__, "python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    # install.sh has OpenCV without its windows, under another name.
    packages = (("numpy",), ("opencv-python", "opencv-python-headless"), ("cryptography",))
    for names in packages:
        found[names[0]] = next(filter(None, map(_version, names)), "unknown")
    return found | {"system": f"{platform.system()} {platform.machine()}"}


def _version(package: str) -> str:
    """Of an installed package; empty if it is none, as where it comes from the system under another name."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _named(events: Iterable[JournalEvent], where: object) -> NamedPictures:
    named = named_pictures(events)
    fault = naming_fault(named, where)
    if fault is not None:
        raise PacketError(fault)
    return named


def _digests(named: NamedPictures, wanted: frozenset[int] | None) -> Iterator[str]:
    """The pictures of the turns and doubts with these event numbers, each once, in their order."""
    chosen = (pictures for turn, pictures in named.of.items() if wanted is None or turn in wanted)
    yield from dict.fromkeys(each.sha256 for pictures in chosen for each in pictures)


def _seals_text(events: Iterable[JournalEvent]) -> str:
    """The texts that were signed, each with its signature."""
    return "\n".join(seal.text() for _, seal in read_seals(events))


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _signed_text(manifest: bytes) -> str:
    return f"{WRITING}\nmanifest {hashlib.sha256(manifest).hexdigest()}\n"


def _signature(key: SigningKey, manifest: bytes) -> str:
    return f"key {key.public}\nsignature {key.sign_text(_signed_text(manifest))}\n"


def is_packet(data: bytes) -> bool:
    """Whether a file begins like a packet or its page."""
    return data.startswith((b"PK\x03\x04", _PAGE_START))


def unpack(data: bytes, name: str) -> Packet:
    """Check a packet, or the page that holds one, from its first to its last bit; `name` is for messages.

    Its seals are left to `check_seals`: what somebody wrote anew with all its digests is seen there only.

    Raises:
        PacketError: if it is none, or anything in it was changed.
    """
    if is_page(data):
        data = _packet_of_page(data, name)
    if not is_whole(data):
        raise PacketError(f"{name} was changed after it was written, or is no packet; get it once more.")
    try:
        held = files_in(data)
        manifest = _parsed(held[MANIFEST])
        _check_listed(held, manifest["files"], name)
        packet = Packet(
            name,
            manifest["match"],
            tuple(_events(held[ENTRIES], name)),
            pictures={
                path.removeprefix(PICTURES).removesuffix(".jpg"): jpeg
                for path, jpeg in held.items()
                if path.startswith(PICTURES)
            },
            rules=held[RULES].decode(),
            signed_by=_signer(held, name),
            program=manifest["program"],
        )
        if manifest["format"] != WRITING or not all(
            isinstance(each, str) for each in (packet.match, packet.program)
        ):
            raise ValueError("its manifest is not that of a packet")
        _check_content(packet, held)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, struct.error) as error:
        raise PacketError(f"{name} is no packet that can be read ({error}); get it once more.") from error
    return packet


def is_own_page(data: bytes) -> bool:
    """Whether a page that holds a packet is, to the byte, what this version writes around that packet."""
    packet = _packet_of_page(data, "")
    return any(packet_page(packet, language).encode() == data for language in LANGUAGES)


def is_page(data: bytes) -> bool:
    """Whether a file begins as the page of a packet."""
    return data.startswith(_PAGE_START)


def _packet_of_page(page: bytes, name: str) -> bytes:
    tail = _PAGE_TAIL.search(page)
    packed = _PACKED.search(page)
    if tail is None or packed is None or hashlib.sha256(page[: tail.start()]).hexdigest() != tail[1].decode():
        raise PacketError(
            f"{name} was changed after it was written, or is no packet's page; get it once more."
        )
    if not packed[1]:
        raise PacketError(f"The page {name} holds no packet; name the packet itself.")
    try:
        return base64.b64decode(packed[1], validate=True)
    except ValueError as error:
        raise PacketError(f"The page {name} holds no packet that can be read; get it once more.") from error


def _parsed(text: bytes) -> Any:
    """The value of a JSON text as the page reads it: UTF-8, no mark in front, no NaN, not nested too deeply."""
    value = json.loads(text.decode(), parse_constant=_refuse_constant)
    _check_depth(value, DEEPEST)
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _check_depth(value: object, left: int) -> None:
    if left < 0:
        raise ValueError("values are nested too deeply")
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            _check_depth(each, left - 1)


def _check_listed(held: Mapping[str, bytes], listed: Mapping[str, str], name: str) -> None:
    if set(held) - {MANIFEST, SIGNATURE} != set(listed):
        raise PacketError(f"{name} does not hold the files that its manifest lists; do not rely on it.")
    for path, digest in listed.items():
        if hashlib.sha256(held[path]).hexdigest() != digest:
            raise PacketError(f"{path} in {name} is not what the manifest lists; do not rely on it.")


def _events(entries: bytes, name: str) -> Iterator[JournalEvent]:
    """The events of `journal.jsonl`, whose chain holds."""
    *lines, rest = entries.split(b"\n")
    before = ""
    for expected, line in enumerate(lines, start=1):
        link, number, match, utc, t, kind, payload = _parsed(line)
        if link != before or type(number) is not int or number != expected:
            raise PacketError(
                f"The journal in {name} was changed after it was written, first at event {expected}; "
                "do not rely on it from there."
            )
        told = _parsed(payload.encode())
        if not all(isinstance(each, str) for each in (match, utc, kind)) or not isinstance(told, dict):
            raise ValueError(f"event {expected} is not written as one")
        if not (t is None or type(t) in (int, float)):
            raise ValueError(f"event {expected} has no time that can be read")
        before = hashlib.sha256(line).hexdigest()
        yield JournalEvent(number, match, utc, t=t, kind=kind, payload=told, chain=before)
    if rest or not lines:
        raise ValueError("its last event is not whole")


def _check_content(packet: Packet, held: Mapping[str, bytes]) -> None:
    """Compare what the files of a packet say with each other, as far as nobody has to vouch for it."""
    vouched = {
        each.sha256 for pictures in _named(packet.events, packet.name).of.values() for each in pictures
    }
    for digest, jpeg in packet.pictures.items():
        if digest not in vouched or hashlib.sha256(jpeg).hexdigest() != digest:
            raise PacketError(
                f"The picture {digest[:16]} in {packet.name} is not one that the journal vouches for."
            )
    if held[SEALS].decode() != _seals_text(packet.events):
        raise PacketError(
            f"{SEALS} in {packet.name} does not tell the seals of its journal; do not rely on it."
        )
    try:
        read_history(packet.log, packet.match)
    except JournalError as error:
        raise PacketError(str(error)) from error


def _signer(held: Mapping[str, bytes], name: str) -> str | None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if SIGNATURE not in held:
        return None
    signed = _SIGNED.fullmatch(held[SIGNATURE].decode())
    if signed is None:
        raise ValueError("its signature is not written as one")
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(signed[1])).verify(
            bytes.fromhex(signed[2]), _signed_text(held[MANIFEST]).encode()
        )
    except InvalidSignature:
        raise PacketError(
            f"The signature of {name} is not that of the key it names; do not rely on it."
        ) from None
    return signed[1]


def examine(packet: Packet, seals: SealReport) -> PacketFinding:
    """Compare the signature of a packet with its seals, as `check_seals` found them, and its rules with its journal.

    Raises:
        PacketError: if another key than the table's signed it, or its rules in words are not those of the journal.
    """
    if packet.signed_by is not None and seals.key not in (packet.signed_by, None):
        raise PacketError(
            f"{packet.name} was signed with another key than that of the table which sealed its journal; somebody "
            "else packed it, so do not rely on it."
        )
    signed = packet.signed_by is not None and packet.signed_by == seals.key
    said = any(
        packet.rules == _rules(_sealed_log(packet, seals), packet.match, language) for language in LANGUAGES
    )
    if not (said or signed) and packet.program == __version__:
        raise PacketError(
            f"{RULES} in {packet.name} does not say what its journal says about the rules; do not rely on it."
        )
    if not seals.sealed or seals.faults:
        standing = PacketStanding.UNSEALED
    elif seals.open:
        standing = PacketStanding.OPEN
    else:
        standing = PacketStanding.WHOLE if signed else PacketStanding.SEALED
    return PacketFinding(seals, standing, said or signed)


def _sealed_log(packet: Packet, seals: SealReport) -> EventLog:
    """The events that the table sealed; all of them where the match began after that."""
    sealed = packet.events[: seals.sealed]
    begun = any(event.kind == MATCH and event.match == packet.match for event in sealed)
    return FrozenLog(sealed, Path(packet.name)) if begun else packet.log


def packet_page(packet: bytes | None, language: str = "en") -> str:
    """The page that checks a packet: with the packet in it, or empty for one that is dropped on it.

    Raises:
        LanguageError: if there are no texts in that language.
    """
    from markupsafe import Markup

    texts = catalogue(language)
    words = {
        name: texts.text("packet", "page", name, **_BLANKS) for name in sorted(texts.names("packet", "page"))
    }
    words |= {f"fault_{name}": texts.text("seal", "fault", name) for name in texts.names("seal", "fault")}
    words |= {f"by_{name}": texts.text("seal", "by", name) for name in texts.names("seal", "by")}
    rules = {
        "order": list(all_sentences(language)),
        "sentences": all_sentences(language),
        "standard": profile_record(STANDARD)["rules"],
        "family": sorted(FAMILY_KEYS),
    }
    given = {"LANGUAGE": language, "WORDS": words, "RULES": rules}
    script = "".join(f"const {name} = {safe_json(value)};\n" for name, value in given.items())
    script += "".join(_own_text(name) for name in PROGRAM)
    style = _own_text("packet.css")
    page = html_page(
        __package__,
        "packet.html",
        language=language,
        title=words["title"],
        unchecked=words["unchecked"],
        policy=f"default-src 'none'; img-src data: blob:; style-src {script_hash(style)}; "
        f"script-src {script_hash(script)}",
        style=Markup(style),
        packet=Markup(base64.b64encode(packet or b"").decode()),
        script=Markup(script),
    )
    return f"{page}{_PAGE_END}{hashlib.sha256(page.encode()).hexdigest()} -->\n"


def _own_text(name: str) -> str:
    return package_files(__package__).joinpath(name).read_text(encoding="utf-8")
