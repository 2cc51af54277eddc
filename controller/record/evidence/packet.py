"""A packet: one file with all that others need to judge a match later, and to see that nothing was changed.

It is a ZIP file without compression, the same to the byte for the same journal, whose comment ends with the SHA-256
of all before it. The page beside it holds the packet itself and checks it in a browser, without a network.
"""

import base64
import hashlib
import io
import json
import platform
import re
import sqlite3
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files as package_files
from typing import Any, Final

from controller import __version__
from controller.errors import UserError
from controller.messages.catalogue import catalogue
from controller.messages.profile_words import describe
from controller.record.evidence.store import EvidenceStore
from controller.record.files.html_page import html_page, safe_json, script_hash
from controller.record.journal.journal import Journal, JournalEvent
from controller.record.journal.seal import SigningKey, read_seals
from controller.record.match.history import EVIDENCE, read_history

ENTRIES: Final = "journal.jsonl"
MANIFEST: Final = "manifest.json"
SIGNATURE: Final = "manifest.sig"
RULES: Final = "rules.txt"
VERSIONS: Final = "versions.json"
SEALS: Final = "seals.txt"
README: Final = "README.txt"
PICTURES: Final = "pictures/"
WRITING: Final = "pointsman packet 1"
_COMMENT: Final = f"{WRITING} sha256 "
_DIGEST: Final = 64
_BLANKS: Final = {
    name: f"{{{name}}}" for name in ("code", "count", "event", "fault", "game", "key", "name", "ply")
}
"""The places of texts that the page itself fills in."""
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a ZIP file can name; the same packet is to be the same file."""
_PAGE_START: Final = b"<!DOCTYPE html>"
_PAGE_END: Final = "<!-- sha256 "
_PAGE_TAIL: Final = re.compile(rb"<!-- sha256 ([0-9a-f]{64}) -->\n\Z")
_PACKED: Final = re.compile(rb'<script type="text/plain" id="packet">([A-Za-z0-9+/=]*)</script>')


class PacketError(UserError):
    """A packet that was changed, or that is none."""


@dataclass(frozen=True, slots=True)
class Packet:
    """What a packet holds.

    Attributes:
        events: the events of the journal; their chain holds.
        pictures: the JPEGs by their SHA-256.
        signed_by: the public key that signed the packet as a whole, `None` if nobody did.
        program: the version of Pointsman that wrote it.
    """

    events: tuple[JournalEvent, ...]
    pictures: Mapping[str, bytes]
    signed_by: str | None
    program: str


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
        key: signs the packet as a whole.
        language: of the rules in words.
        every: with the pictures of every turn, not only of flagged and disputed ones.

    Raises:
        JournalError: if the journal is damaged, or there is no such match.
        EvidenceError: if the pictures cannot be read.
    """
    journal.verify()
    content = {
        README: catalogue(language).text("packet", "readme"),
        RULES: _rules(journal, match, language),
        VERSIONS: _json(_versions()),
        SEALS: "\n".join(seal.text() for _, seal in read_seals(journal.events())),
        ENTRIES: "".join(f"{entry}\n" for entry in journal.entries()),
    }
    held = {name: text.encode() for name, text in content.items()}
    if store is not None:
        wanted = None if every else store.flagged()
        for digest in _digests(journal, match, wanted):
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
    return _zip(held)


def _rules(journal: Journal, match: str, language: str) -> str:
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


def _digests(journal: Journal, match: str, wanted: frozenset[int] | None) -> Iterator[str]:
    """The pictures of the match's turns and doubts with these event numbers, each once, in their order."""
    seen: set[str] = set()
    for event in journal.events(match):
        payload: Any = event.payload
        if event.kind == EVIDENCE and (wanted is None or payload["of"] in wanted):
            for picture in payload["pictures"]:
                if picture["sha256"] not in seen:
                    seen.add(picture["sha256"])
                    yield picture["sha256"]


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _signed_text(manifest: bytes) -> str:
    return f"{WRITING}\nmanifest {hashlib.sha256(manifest).hexdigest()}\n"


def _signature(key: SigningKey, manifest: bytes) -> str:
    return f"key {key.public}\nsignature {key.sign_text(_signed_text(manifest))}\n"


def _zip(held: Mapping[str, bytes]) -> bytes:
    """The files one after the other, and in the comment the digest of all that stands before it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as packed:
        for name, data in held.items():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.external_attr, info.create_system = 0o644 << 16, 3
            packed.writestr(info, data)
        packed.comment = _COMMENT.encode() + bytes(_DIGEST)
    body = out.getvalue()[:-_DIGEST]
    return body + hashlib.sha256(body).hexdigest().encode()


def is_packet(data: bytes) -> bool:
    """Whether a file begins like a packet or its page."""
    return data.startswith((b"PK\x03\x04", _PAGE_START))


def unpack(data: bytes, name: str) -> Packet:
    """Check a packet, or the page that holds one, from its first to its last bit; `name` is for messages.

    Its seals are left to `check_seals`: what somebody wrote anew with all its digests is seen there only.

    Raises:
        PacketError: if it is none, or anything in it was changed.
    """
    if data.startswith(_PAGE_START):
        data = _packet_of_page(data, name)
    end = len(data) - _DIGEST
    comment = _COMMENT.encode()
    if end < len(comment) or hashlib.sha256(data[:end]).hexdigest().encode() != data[end:]:
        raise PacketError(f"{name} was changed after it was written, or is no packet; get it once more.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            held = {each: packed.read(each) for each in packed.namelist()}
        manifest = json.loads(held[MANIFEST])
        listed: Mapping[str, str] = manifest["files"]
        _check_listed(held, listed, name)
        events = tuple(_events(held[ENTRIES], name))
        pictures = {
            path.removeprefix(PICTURES).removesuffix(".jpg"): jpeg
            for path, jpeg in held.items()
            if path.startswith(PICTURES)
        }
        _check_pictures(pictures, events, name)
        return Packet(events, pictures, _signer(held, name), str(manifest["program"]))
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, AttributeError) as error:
        raise PacketError(f"{name} is no packet that can be read ({error}); get it once more.") from error


def _packet_of_page(page: bytes, name: str) -> bytes:
    tail = _PAGE_TAIL.search(page)
    packed = _PACKED.search(page)
    if tail is None or packed is None or hashlib.sha256(page[: tail.start()]).hexdigest() != tail[1].decode():
        raise PacketError(
            f"{name} was changed after it was written, or is no packet's page; get it once more."
        )
    if not packed[1]:
        raise PacketError(f"The page {name} holds no packet; name the packet itself.")
    return base64.b64decode(packed[1])


def _check_listed(held: Mapping[str, bytes], listed: Mapping[str, str], name: str) -> None:
    if set(held) - {MANIFEST, SIGNATURE} != set(listed):
        raise PacketError(f"{name} does not hold the files that its manifest lists; do not rely on it.")
    for path, digest in listed.items():
        if hashlib.sha256(held[path]).hexdigest() != digest:
            raise PacketError(f"{path} in {name} is not what the manifest lists; do not rely on it.")


def _events(entries: bytes, name: str) -> Iterator[JournalEvent]:
    """The events of `journal.jsonl`, whose chain holds."""
    before = ""
    for expected, line in enumerate(entries.splitlines(keepends=True), start=1):
        link, number, match, utc, t, kind, payload = json.loads(line)
        if link != before or number != expected or not line.endswith(b"\n"):
            raise PacketError(
                f"The journal in {name} was changed after it was written, first at event {expected}; "
                "do not rely on it from there."
            )
        before = hashlib.sha256(line[:-1]).hexdigest()
        yield JournalEvent(number, match, utc, t, kind, json.loads(payload), before)


def _check_pictures(pictures: Mapping[str, bytes], events: tuple[JournalEvent, ...], name: str) -> None:
    payloads: list[Any] = [event.payload for event in events if event.kind == EVIDENCE]
    vouched = {picture["sha256"] for payload in payloads for picture in payload["pictures"]}
    for digest, jpeg in pictures.items():
        if digest not in vouched or hashlib.sha256(jpeg).hexdigest() != digest:
            raise PacketError(f"The picture {digest[:16]} in {name} is not one that the journal vouches for.")


def _signer(held: Mapping[str, bytes], name: str) -> str | None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if SIGNATURE not in held:
        return None
    (word, key), (other, signature) = (line.split(" ") for line in held[SIGNATURE].decode().splitlines())
    if (word, other) != ("key", "signature"):
        raise ValueError("the signature is not written as one")
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(signature), _signed_text(held[MANIFEST]).encode()
        )
    except InvalidSignature:
        raise PacketError(
            f"The signature of {name} is not that of the key it names; do not rely on it."
        ) from None
    return key


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
    program = package_files(__package__).joinpath("packet.js").read_text(encoding="utf-8")
    script = f"const LANGUAGE = {safe_json(language)}, WORDS = {safe_json(words)};\n{program}"
    style = package_files(__package__).joinpath("packet.css").read_text(encoding="utf-8")
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
