"""A packet: the same file each time, and not a bit of it can be changed unnoticed."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from controller.record.evidence.packet import (
    ENTRIES,
    MANIFEST,
    SIGNATURE,
    PacketError,
    is_packet,
    pack,
    packet_page,
    unpack,
)
from controller.record.journal.journal import DamagedJournalError
from controller.record.journal.seal import SealFault, check_seals
from tests.record.evidence.test_dispute_page import Table
from tests.record.sealing import TABLE_KEY, key_of, put_seal

FLIPS = 400


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path / "journal.db")
    put_seal(made.journal)
    yield made
    made.journal.close()
    made.store.close()


def packet_of(table: Table) -> bytes:
    return pack(table.journal, table.store, "1", TABLE_KEY)


def flipped(data: bytes, place: int, bit: int) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 1 << bit
    return bytes(changed)


def rebuilt(data: bytes, change: Callable[[dict[str, bytes]], None], *, manifest: bool = True) -> bytes:
    """A packet as somebody would make it who knows the format but has no key."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        held = {name: packed.read(name) for name in packed.namelist()}
    change(held)
    if manifest:
        listed = json.loads(held[MANIFEST])
        names = [name for name in held if name not in (MANIFEST, SIGNATURE)]
        listed["files"] = {name: hashlib.sha256(held[name]).hexdigest() for name in names}
        held[MANIFEST] = json.dumps(listed).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, content in held.items():
            packed.writestr(zipfile.ZipInfo(name), content)
        packed.comment = b"pointsman packet 1 sha256 " + bytes(64)
    body = out.getvalue()[:-64]
    return body + hashlib.sha256(body).hexdigest().encode()


def anew(held: dict[str, bytes]) -> None:
    """Another roll in the journal, with the whole chain made anew."""
    lines, before = [], ""
    for line in held[ENTRIES].decode().splitlines():
        entry = json.loads(line)
        entry[0], entry[-1] = before, entry[-1].replace('"dice":[3,1]', '"dice":[6,1]')
        lines.append(json.dumps(entry, ensure_ascii=False))
        before = hashlib.sha256(lines[-1].encode()).hexdigest()
    held[ENTRIES] = "".join(f"{line}\n" for line in lines).encode()


def unsign(held: dict[str, bytes]) -> None:
    del held[SIGNATURE]


def test_a_packet_is_the_same_file_each_time_and_holds_what_happened(table: Table) -> None:
    data = packet_of(table)
    assert data == packet_of(table)
    found = unpack(data, "packet")
    assert found.events == tuple(table.journal.events())
    assert found.signed_by == TABLE_KEY.public
    assert not check_seals(found.events).faults
    assert all(hashlib.sha256(jpeg).hexdigest() == name for name, jpeg in found.pictures.items())
    assert len(found.pictures) == 3


def test_pictures_of_plain_turns_come_on_demand(table: Table) -> None:
    assert len(unpack(pack(table.journal, table.store, "1", every=True), "packet").pictures) == 4
    assert unpack(pack(table.journal, None, "1"), "packet").pictures == {}


def test_anybody_can_follow_the_chain_with_a_common_digest_tool(table: Table) -> None:
    with zipfile.ZipFile(io.BytesIO(packet_of(table))) as packed:
        lines = packed.read(ENTRIES).split(b"\n")[:-1]
    chains = [hashlib.sha256(line).hexdigest() for line in lines]
    assert chains == [event.chain for event in table.journal.events()]
    assert [json.loads(line)[0] for line in lines] == ["", *chains[:-1]]


def test_one_bit_changed_anywhere_in_the_packet_is_found(table: Table) -> None:
    data, rng = packet_of(table), Random(1)
    places = {rng.randrange(len(data)) for _ in range(FLIPS)} | set(range(len(data) - 200, len(data)))
    for place in sorted(places):
        with pytest.raises(PacketError):
            unpack(flipped(data, place, rng.randrange(8)), "packet")


def test_one_bit_changed_anywhere_in_the_page_is_found(table: Table) -> None:
    page, rng = packet_page(packet_of(table)).encode(), Random(2)
    assert len(unpack(page, "page").events) == table.journal.head()[0]
    for place in {rng.randrange(len(page)) for _ in range(FLIPS)} | set(range(len(page) - 90, len(page))):
        with pytest.raises(PacketError):
            unpack(flipped(page, place, rng.randrange(8)), "page")


def test_a_packet_that_was_cut_is_found(table: Table) -> None:
    data = packet_of(table)
    for length in (0, 3, 64, 100, len(data) // 2, len(data) - 1):
        with pytest.raises(PacketError):
            unpack(data[:length], "packet")


def test_a_journal_written_anew_with_all_digests_fails_its_seal(table: Table) -> None:
    data = rebuilt(rebuilt(packet_of(table), unsign), anew)
    assert [each.fault for each in check_seals(unpack(data, "packet").events).checks] == [
        SealFault.OTHER_CHAIN
    ]


def test_what_the_signature_covers_cannot_be_exchanged(table: Table) -> None:
    def versions(held: dict[str, bytes]) -> None:
        held["versions.json"] = b"{}"

    with pytest.raises(PacketError, match="signature"):
        unpack(rebuilt(packet_of(table), versions), "packet")
    with pytest.raises(PacketError, match=r"versions\.json"):
        unpack(rebuilt(packet_of(table), versions, manifest=False), "packet")


def test_a_picture_that_the_journal_does_not_name_is_found(table: Table) -> None:
    def exchange(held: dict[str, bytes]) -> None:
        del held[SIGNATURE]
        held[f"pictures/{hashlib.sha256(b'other').hexdigest()}.jpg"] = b"other"

    with pytest.raises(PacketError, match="not one that the journal vouches for"):
        unpack(rebuilt(packet_of(table), exchange), "packet")


def test_a_stray_file_and_a_changed_event_are_found(table: Table) -> None:
    def stray(held: dict[str, bytes]) -> None:
        held["more.txt"] = b""

    def event(held: dict[str, bytes]) -> None:
        del held[SIGNATURE]
        held[ENTRIES] = held[ENTRIES].replace(b'\\"dice\\":[3,1]', b'\\"dice\\":[6,1]', 1)

    with pytest.raises(PacketError, match="files that its manifest lists"):
        unpack(rebuilt(packet_of(table), stray, manifest=False), "packet")
    with pytest.raises(PacketError, match="first at event"):
        unpack(rebuilt(packet_of(table), event), "packet")


def test_another_key_may_sign_a_packet_but_is_named(table: Table) -> None:
    data = pack(table.journal, table.store, "1", key_of("somebody"))
    assert unpack(data, "packet").signed_by == key_of("somebody").public


def test_a_damaged_journal_is_not_packed(table: Table) -> None:
    table.journal._database.execute("DROP TRIGGER event_is_not_changed")
    table.journal._database.execute("UPDATE event SET utc = '' WHERE id = 2")
    with pytest.raises(DamagedJournalError):
        packet_of(table)


def test_a_packet_and_its_page_are_known_by_how_they_begin(table: Table) -> None:
    data = packet_of(table)
    assert is_packet(data)
    assert is_packet(packet_page(data).encode())
    assert not is_packet(b"SQLite format 3\0")
    with pytest.raises(PacketError, match="holds no packet"):
        unpack(packet_page(None).encode(), "page")
