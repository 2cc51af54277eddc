"""What somebody can do to a packet who knows the format and the program but holds no key of the table."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from controller.record.evidence.packet import ENTRIES, MANIFEST, SEALS, SIGNATURE
from controller.record.evidence.packet_file import COMMENT, DIGEST, pack_file
from controller.record.journal.seal import Seal, Signer, SigningKey, Statement
from controller.record.match.match import RecordedResult
from controller.record.match.match_log import MatchLog
from controller.rules import Side
from controller.rules.position import START
from tests.record.evidence.test_dispute_page import Table
from tests.record.match.test_match_log import noon
from tests.record.sealing import UTC, put_seal

Entry = list[Any]
"""A line of `journal.jsonl`: chain before, id, match, utc, t, kind, payload."""
Forge = Callable[[dict[str, bytes]], None]


def sealed_table(path: Path) -> Table:
    """A match of two games, each won by Béla and sealed, with pictures of a wrong play in the first."""
    table = Table(path)
    log = MatchLog(table.journal, "1", noon)
    log.end_game(RecordedResult(Side.DARK, 2))
    put_seal(table.journal)
    log.begin_game(START, 1, 4)
    log.end_game(RecordedResult(Side.DARK, 1))
    put_seal(table.journal)
    return table


def files_of(data: bytes) -> dict[str, bytes]:
    """The files of a packet, read with another ZIP library than the product's."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def forged(data: bytes, *changes: Forge) -> bytes:
    """A packet with its files changed and every digest made anew; the table's signature is left out."""
    held = files_of(data)
    held.pop(SIGNATURE, None)
    for change in changes:
        change(held)
    return pack_file(relisted(held))


def relisted(held: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files with a manifest that lists them as they are now."""
    manifest = json.loads(held[MANIFEST])
    manifest["files"] = {
        name: hashlib.sha256(data).hexdigest()
        for name, data in held.items()
        if name not in (MANIFEST, SIGNATURE)
    }
    return {**held, MANIFEST: json.dumps(manifest).encode()}


def with_digest(data: bytes) -> bytes:
    """A file whose last signs are made to fit."""
    body = data[:-DIGEST]
    assert body.endswith(COMMENT)
    return body + hashlib.sha256(body).hexdigest().encode()


def signed_with(data: bytes, key: SigningKey) -> bytes:
    """A packet signed by somebody else than its table."""
    held = files_of(data)
    text = f"pointsman packet 1\nmanifest {hashlib.sha256(held[MANIFEST]).hexdigest()}\n"
    held[SIGNATURE] = f"key {key.public}\nsignature {key.sign_text(text)}\n".encode()
    return pack_file(held)


def replaced(name: str, text: bytes) -> Forge:
    """Puts another file in the place of one."""

    def forge(held: dict[str, bytes]) -> None:
        held[name] = text

    return forge


def entries_of(held: Mapping[str, bytes]) -> list[Entry]:
    return [json.loads(line) for line in held[ENTRIES].decode().splitlines()]


def chained(entries: list[Entry]) -> bytes:
    """The lines of a journal with numbers and chain made anew."""
    lines, before = [], ""
    for number, entry in enumerate(entries, start=1):
        line = json.dumps([before, number, *entry[2:]], ensure_ascii=False)
        before = hashlib.sha256(line.encode()).hexdigest()
        lines.append(f"{line}\n")
    return "".join(lines).encode()


def journal_changed(change: Callable[[list[Entry]], list[Entry]]) -> Forge:
    """Changes the events, and tells their seals in `seals.txt`."""

    def forge(held: dict[str, bytes]) -> None:
        entries = change(entries_of(held))
        held[ENTRIES] = chained(entries)
        seals = [seal_text(json.loads(entry[6])) for entry in entries if entry[5] == "seal"]
        held[SEALS] = "\n".join(seals).encode()

    return forge


def seal_text(said: Mapping[str, Any]) -> str:
    statement = Statement(
        Signer(said["by"]),
        said["name"],
        said["utc"],
        said["event"],
        said["chain"],
        said["program"],
        said["key"],
    )
    return Seal(statement, said["signature"]).text()


def added(kind: str, payload: Mapping[str, Any], match: str = "1") -> Forge:
    """Adds one event behind the last."""
    return journal_changed(
        lambda entries: [*entries, ["", 0, match, UTC, None, kind, json.dumps(payload, ensure_ascii=False)]]
    )


def seal_added(key: SigningKey, by: Signer, name: str = "") -> Forge:
    """Adds a seal over the last event, with a key of one's own."""

    def forge(held: dict[str, bytes]) -> None:
        lines = held[ENTRIES].decode().splitlines()
        chain = hashlib.sha256(lines[-1].encode()).hexdigest()
        said = Statement(by, name, UTC, len(lines), chain, "0.1.0", key.public)
        payload = {
            "by": str(by),
            "name": name,
            "utc": UTC,
            "event": said.event,
            "chain": chain,
            "program": said.program,
            "key": key.public,
            "signature": key.sign(said).signature,
        }
        added("seal", payload)(held)

    return forge


def picture_added(jpeg: bytes) -> tuple[str, Forge]:
    """Puts a photograph of one's own into the packet; its digest."""
    digest = hashlib.sha256(jpeg).hexdigest()

    def forge(held: dict[str, bytes]) -> None:
        held[f"pictures/{digest}.jpg"] = jpeg

    return digest, forge


def named_picture(digest: str, role: str = "after") -> dict[str, Any]:
    """A picture as events of the kind `evidence` name it."""
    return {"role": role, "frame": 9, "t": 9.0, "sha256": digest, "bytes": 1, "seen": {}}
