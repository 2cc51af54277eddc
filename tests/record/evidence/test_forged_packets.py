"""Packets that somebody without the table's key has changed: the command and the page never call them unchanged.

Each forgery makes every digest and the whole chain anew; what it cannot make are seals and signatures of the table.
"""

import base64
import hashlib
import io
import json
import os
import resource
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from controller.cli import main
from controller.messages.profile_words import describe
from controller.record.evidence.packet import (
    ENTRIES,
    MANIFEST,
    SIGNATURE,
    Packet,
    pack,
    packet_page,
    unpack,
)
from controller.record.evidence.packet_file import COMMENT, DIGEST, pack_file
from controller.record.journal.journal import Json
from controller.record.journal.seal import Signer, fingerprint, seal_from
from controller.record.match.corrections import Director
from controller.record.match.match_log import read_match
from controller.rules import Side
from tests.record.evidence.forging import (
    Entry,
    added,
    chained,
    entries_of,
    files_of,
    forged,
    journal_changed,
    named_picture,
    picture_added,
    relisted,
    replaced,
    seal_added,
    sealed_table,
    signed_with,
    with_digest,
)
from tests.record.evidence.test_dispute_page import Table
from tests.record.evidence.test_packet_page import page, show, verdict
from tests.record.match.test_match_log import noon
from tests.record.sealing import TABLE_KEY, UTC, key_of, put_seal

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["page"]

OWN: Final = key_of("somebody else")
"""A key that anybody can make."""
OTHER_WINNER: Final = {"winner": "light", "points": 7, "ending": None, "working": ""}
MEMORY: Final = 2_000_000_000
"""Bytes that a command may take: what a small Pi has."""
CLEAN, OPEN, BAD = 0, 3, 2
"""What the command ends with: all of it sealed; something without a seal; something changed."""


@dataclass(frozen=True)
class Honest:
    """A packet as the table made it, with the numbers of two of its events."""

    data: bytes
    table: Table

    def number(self, kind: str, place: int = 0) -> int:
        return [event.id for event in self.table.journal.events() if event.kind == kind][place]


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Honest]:
    table = sealed_table(tmp_path_factory.mktemp("honest") / "journal.db")
    yield Honest(pack(table.journal, table.store, "1", TABLE_KEY), table)
    table.journal.close()
    table.store.close()


# --- what is added behind the last seal ----------------------------------------------------------------------


def result_added(honest: Honest) -> bytes:
    return forged(honest.data, added("result", OTHER_WINNER))


def correction_added(honest: Honest) -> bytes:
    told = {"action": "result", "by": "Éva", "why": "", "game": honest.number("game"), "result": OTHER_WINNER}
    return forged(honest.data, added("correction", told))


def score_added(honest: Honest) -> bytes:
    told = {"action": "score", "by": "", "why": "", "game": honest.number("game"), "light": 4, "dark": 0}
    return forged(honest.data, added("correction", told))


def void_added(honest: Honest) -> bytes:
    return forged(
        honest.data,
        added("correction", {"action": "void", "by": "", "why": "", "game": honest.number("game")}),
    )


def other_players_added(honest: Honest) -> bytes:
    begun = json.loads(entries_of(files_of(honest.data))[0][6])
    return forged(honest.data, added("match", {**begun, "light": begun["dark"], "dark": "Mallory"}))


def whole_game_added(honest: Honest) -> bytes:
    game = {"start": "b....E.C...eE...c.e....B..", "light_score": 6, "dark_score": 0}
    return forged(honest.data, added("game", game), added("result", OTHER_WINNER))


def accusation_added(honest: Honest) -> bytes:
    wrong = next(json.loads(each[6]) for each in entries_of(files_of(honest.data)) if each[5] == "turn")
    return forged(honest.data, added("turn", {**wrong, "move": "Mallory cheats"}))


def note_added(honest: Honest) -> bytes:
    return forged(honest.data, added("input", {"input": "ticked", "t": 1.0}))


def other_match_added(honest: Honest) -> bytes:
    begun = json.loads(entries_of(files_of(honest.data))[0][6])
    return forged(honest.data, added("match", begun, "2"), added("result", OTHER_WINNER, "2"))


def picture_for_a_doubt_added(honest: Honest) -> bytes:
    digest, put = picture_added(b"\xff\xd8doctored")
    told = {"of": honest.number("unsure"), "pictures": [named_picture(digest)]}
    return forged(honest.data, put, added("evidence", told))


def result_added_under_the_last_seal_once_more(honest: Honest) -> bytes:
    seal = json.loads(entries_of(files_of(honest.data))[-1][6])
    return forged(honest.data, added("result", OTHER_WINNER), added("seal", seal))


def result_added_and_countersigned(honest: Honest) -> bytes:
    forge = [seal_added(OWN, by, "Éva") for by in (Signer.LIGHT, Signer.DARK, Signer.DIRECTOR)]
    return forged(honest.data, added("result", OTHER_WINNER), *forge)


# --- what is taken out, exchanged, or shown once more --------------------------------------------------------


def second_picture_of_a_turn(honest: Honest) -> bytes:
    digest, put = picture_added(b"\xff\xd8doctored")
    told = {"of": honest.number("turn"), "pictures": [named_picture(digest)]}
    return forged(honest.data, put, added("evidence", told))


def picture_of_a_turn_to_come(honest: Honest) -> bytes:
    digest, put = picture_added(b"\xff\xd8doctored")
    return forged(honest.data, put, added("evidence", {"of": 999, "pictures": [named_picture(digest)]}))


def picture_of_another_match(honest: Honest) -> bytes:
    digest, put = picture_added(b"\xff\xd8doctored")
    told = {"of": honest.number("unsure"), "pictures": [named_picture(digest)]}
    return forged(honest.data, put, added("evidence", told, "2"))


def rolled_back(honest: Honest) -> bytes:
    """Cut off behind the first game, which Béla won as well."""
    return forged(honest.data, journal_changed(lambda entries: entries[: honest.number("seal")]))


def last_seal_removed(honest: Honest) -> bytes:
    return forged(honest.data, journal_changed(lambda entries: entries[:-1]))


def all_seals_removed(honest: Honest) -> bytes:
    return forged(
        honest.data, journal_changed(lambda entries: [each for each in entries if each[5] != "seal"])
    )


def picture_removed(honest: Honest) -> bytes:
    def forge(held: dict[str, bytes]) -> None:
        del held[next(name for name in held if name.startswith("pictures/"))]

    return forged(honest.data, forge)


def pictures_exchanged(honest: Honest) -> bytes:
    def forge(held: dict[str, bytes]) -> None:
        one, other, *_ = (name for name in held if name.startswith("pictures/"))
        held[one], held[other] = held[other], held[one]

    return forged(honest.data, forge)


def roll_changed(honest: Honest) -> bytes:
    def change(entries: list[Entry]) -> list[Entry]:
        return [[*each[:6], each[6].replace('"dice":[3,1]', '"dice":[6,1]')] for each in entries]

    return forged(honest.data, journal_changed(change))


def signature_removed(honest: Honest) -> bytes:
    return forged(honest.data)


def signed_by_somebody_else(honest: Honest) -> bytes:
    return signed_with(forged(honest.data), OWN)


def rolled_back_and_signed(honest: Honest) -> bytes:
    return signed_with(rolled_back(honest), OWN)


def signature_of_another_packet(honest: Honest) -> bytes:
    """The table's signature under the packet, with something else under it."""
    held = files_of(rolled_back(honest))
    held[SIGNATURE] = files_of(honest.data)[SIGNATURE]
    return pack_file(held)


def sealed_by_another_table(honest: Honest) -> bytes:
    return forged(honest.data, added("result", OTHER_WINNER), seal_added(OWN, Signer.TABLE))


def seal_of_another_journal(honest: Honest) -> bytes:
    def change(entries: list[Entry]) -> list[Entry]:
        return [*entries[:3], ["", 0, "1", UTC, None, "bump", "{}"], *entries[3:]]

    return forged(honest.data, journal_changed(change))


def file_replaced(name: str, text: bytes) -> Callable[[Honest], bytes]:
    return lambda honest: forged(honest.data, replaced(name, text))


def rules_replaced_and_signed(honest: Honest) -> bytes:
    return signed_with(file_replaced("rules.txt", b"Light always wins.\n")(honest), OWN)


def match_renamed(honest: Honest) -> bytes:
    held = files_of(forged(honest.data))
    held[MANIFEST] = json.dumps({**json.loads(held[MANIFEST]), "match": "2"}).encode()
    return pack_file(held)


def countersigned(honest: Honest) -> bytes:
    return forged(honest.data, seal_added(OWN, Signer.DIRECTOR, "Éva"))


# --- what two readers might take differently -----------------------------------------------------------------


def own_zip(honest: Honest, write: Callable[[zipfile.ZipFile, dict[str, bytes]], None]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        write(packed, files_of(forged(honest.data)))
        packed.comment = COMMENT + bytes(DIGEST)
    return with_digest(out.getvalue())


def compressed(honest: Honest) -> bytes:
    def write(packed: zipfile.ZipFile, held: dict[str, bytes]) -> None:
        for name, content in held.items():
            packed.writestr(name, content, zipfile.ZIP_DEFLATED)

    return own_zip(honest, write)


def gigabytes_of_nothing(honest: Honest) -> bytes:
    """A file of two megabytes that unpacks to two gigabytes."""
    squeezed = zlib.compressobj(wbits=-15)
    zeros = squeezed.compress(bytes(1_000_000)) + squeezed.flush(zlib.Z_FULL_FLUSH)
    bomb = (b"pictures/bomb.jpg", zeros * 2_000 + zlib.compressobj(wbits=-15).flush(), 2_000_000_000)
    data = forged(honest.data)
    end = len(data) - DIGEST - len(COMMENT) - 22
    count, _, at = struct.unpack_from("<HII", data, end + 10)
    name, content, size = bomb
    sizes = struct.pack("<3I2H", 0, len(content), size, len(name), 0)
    local = b"PK\x03\x04" + struct.pack("<5H", 20, 0, 8, 0, 33) + sizes + name + content
    entry = (
        b"PK\x01\x02" + struct.pack("<6H", 20, 20, 0, 8, 0, 33) + sizes + bytes(10) + struct.pack("<I", at)
    )
    listed = data[at:end] + entry + name
    last = struct.pack("<4s4H2I", b"PK\x05\x06", 0, 0, count + 1, count + 1, len(listed), at + len(local))
    return with_digest(data[:at] + local + listed + last + data[end + 20 :])


def file_twice(honest: Honest) -> bytes:
    def write(packed: zipfile.ZipFile, held: dict[str, bytes]) -> None:
        for name, content in held.items():
            packed.writestr(zipfile.ZipInfo(name), content)
        with pytest.warns(UserWarning, match="Duplicate name"):
            packed.writestr(zipfile.ZipInfo(ENTRIES), held[ENTRIES])

    return own_zip(honest, write)


def something_in_front(honest: Honest) -> bytes:
    return with_digest(b"PK\x03\x04" + forged(honest.data))


def two_lists_of_files(honest: Honest) -> bytes:
    """The end of a file says where its list begins; a reader that goes by the list's length finds another one."""
    data = forged(honest.data)
    end = len(data) - DIGEST - len(COMMENT) - 22
    size, at = struct.unpack_from("<2I", data, end + 12)
    twice = data[:end] + data[at:end] + data[end:]
    return with_digest(twice[: end + size + 16] + struct.pack("<I", at) + twice[end + size + 20 :])


def line_of_events(change: Callable[[bytes], bytes]) -> Callable[[Honest], bytes]:
    def forge(honest: Honest) -> bytes:
        def replace(held: dict[str, bytes]) -> None:
            held[ENTRIES] = change(held[ENTRIES])

        return forged(honest.data, replace)

    return forge


def payload(text: str) -> Callable[[Honest], bytes]:
    """An event behind the last seal whose payload is that text."""

    def forge(honest: Honest) -> bytes:
        return forged(
            honest.data, journal_changed(lambda entries: [*entries, ["", 0, "1", UTC, None, "bump", text]])
        )

    return forge


def strange_seal(**changes: Json) -> Callable[[Honest], bytes]:
    def forge(honest: Honest) -> bytes:
        said = json.loads(entries_of(files_of(honest.data))[-1][6]) | changes
        held = files_of(forged(honest.data))
        entries = [*entries_of(held), ["", 0, "1", UTC, None, "seal", json.dumps(said)]]
        return pack_file(relisted({**held, ENTRIES: chained(entries)}))

    return forge


def strange_evidence(**changes: Json) -> Callable[[Honest], bytes]:
    def forge(honest: Honest) -> bytes:
        pictures: Json = [{**named_picture("0" * 64), **changes}]
        return forged(honest.data, added("evidence", {"of": honest.number("unsure"), "pictures": pictures}))

    return forge


DEEP: Final = '{"a":' * 100_000 + "1" + "}" * 100_000

FORGERIES: Final[dict[str, tuple[Callable[[Honest], bytes], int]]] = {
    each.__name__: (each, status)
    for status, forgeries in {
        OPEN: (
            result_added,
            correction_added,
            score_added,
            void_added,
            other_players_added,
            whole_game_added,
            accusation_added,
            note_added,
            other_match_added,
            picture_for_a_doubt_added,
            result_added_under_the_last_seal_once_more,
            result_added_and_countersigned,
            last_seal_removed,
            all_seals_removed,
        ),
        BAD: (
            second_picture_of_a_turn,
            picture_of_a_turn_to_come,
            picture_of_another_match,
            pictures_exchanged,
            roll_changed,
            signed_by_somebody_else,
            rolled_back_and_signed,
            signature_of_another_packet,
            sealed_by_another_table,
            seal_of_another_journal,
            rules_replaced_and_signed,
            match_renamed,
            compressed,
            gigabytes_of_nothing,
            file_twice,
            something_in_front,
            two_lists_of_files,
        ),
        CLEAN: (rolled_back, picture_removed, signature_removed, countersigned),
    }.items()
    for each in forgeries
} | {
    "seals_replaced": (file_replaced("seals.txt", b"pointsman seal 1\n"), BAD),
    "versions_replaced": (file_replaced("versions.json", b"{}"), CLEAN),
    "carriage_return": (line_of_events(lambda lines: lines.replace(b'["", 1,', b'["",\r1,')), BAD),
    "byte_order_mark": (line_of_events(lambda lines: b"\xef\xbb\xbf" + lines), BAD),
    "last_line_open": (line_of_events(lambda lines: lines[:-1]), BAD),
    "no_events": (line_of_events(lambda _: b""), BAD),
    "first_number_true": (line_of_events(lambda lines: lines.replace(b'["", 1,', b'["", true,')), BAD),
    "nested_too_deep": (payload(DEEP), BAD),
    "not_a_number": (payload('{"a":NaN}'), BAD),
    "a_list": (payload("[]"), BAD),
    "no_json": (payload("{"), BAD),
    "seal_of_two_lines": (strange_seal(name="a\nutc b"), BAD),
    "seal_of_half_a_sign": (strange_seal(name="\ud800"), BAD),
    "seal_of_nobody": (strange_seal(by="constructor"), BAD),
    "seal_of_a_list": (strange_seal(key=["0" * 64]), BAD),
    "seal_of_itself": (strange_seal(event=10**6), BAD),
    "picture_of_no_role": (strange_evidence(role="constructor"), BAD),
    "picture_of_no_time": (strange_evidence(t="soon"), BAD),
    "picture_of_no_digest": (strange_evidence(sha256="0"), BAD),
    "result_of_nobody": (
        lambda honest: forged(honest.data, added("result", {**OTHER_WINNER, "winner": "me"})),
        BAD,
    ),
}


@dataclass(frozen=True)
class Told:
    status: int
    out: str
    err: str


def page_with(html: str, old: str, new: str) -> bytes:
    """A page that was changed, with the digest at its end made anew."""
    body = html[: html.index("<!-- sha256 ")].replace(old, new)
    assert body != html[: len(body)]
    return f"{body}<!-- sha256 {hashlib.sha256(body.encode()).hexdigest()} -->\n".encode()


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    """Runs `pointsman journal check` on a packet."""

    def run(data: bytes, *options: str, name: str = "packet.zip") -> Told:
        path = tmp_path / name
        path.write_bytes(data)
        monkeypatch.setattr("sys.argv", ["pointsman", "journal", "check", str(path), *options])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return Told(int(ended.value.code or 0), said.out, said.err)

    return run


def games_on(page: "Page") -> list[str]:
    """The table of games: number, score before it, result."""
    rows = page.locator("table.plain tbody tr").all_inner_texts()
    return [row.replace("\N{EN DASH}", "-") for row in rows]


def test_an_honest_packet_is_told_unchanged(honest: Honest, page: "Page", tmp_path: Path, check: Any) -> None:
    told = check(honest.data)
    assert (told.status, told.err) == (CLEAN, "")
    assert "nothing was changed" in told.out.splitlines()[-1]
    show(page, packet_page(honest.data), tmp_path)
    assert verdict(page) == "good"
    assert page.locator("#verdict strong").inner_text() == "Nothing was changed."
    assert games_on(page) == [
        "1\t1 - 2\tBéla: 2",
        "2\t1 - 4\tBéla: 1",
    ]
    assert page.locator("#later").count() == 0


@pytest.mark.parametrize("name", FORGERIES)
def test_the_command_never_calls_a_forgery_unchanged(name: str, honest: Honest, check: Any) -> None:
    forge, status = FORGERIES[name]
    told = check(forge(honest))
    assert told.status == status, told
    assert "nothing was changed" not in told.out + told.err
    if status == OPEN:
        assert "no seal" in told.err or "not sealed" in told.err
    if status == CLEAN:
        assert "The table did not sign the packet as a whole" in told.out


def test_the_page_never_calls_a_forgery_unchanged(honest: Honest, page: "Page", tmp_path: Path) -> None:
    """And nothing that was added stands anywhere but in a box of its own."""
    show(page, packet_page(None), tmp_path)
    assert verdict(page, honest.data) == "good"
    pictures = page.locator("main img").count()
    for name, (forge, status) in FORGERIES.items():
        assert verdict(page, forge(honest)) == ("bad" if status == BAD else "open"), name
        text = page.locator("main").inner_text()
        assert "Nothing was changed." not in text, name
        assert (page.locator("#later").count() == 1) == (status == OPEN), name
        if name in ("all_seals_removed", "rolled_back", "picture_removed") or status == BAD:
            continue
        page.evaluate("document.getElementById('later')?.remove()")
        games = games_on(page)
        wanted = ["1\t1 - 2\tBéla: 2", "2\t1 - 4\tBéla: 1"]
        assert games == (wanted if name != "last_seal_removed" else wanted[:1]), name
        assert "Mallory" not in page.locator("main").inner_text(), name
        assert page.locator("main img").count() == pictures, name


def test_what_has_no_seal_is_told_in_a_box_of_its_own(honest: Honest, page: "Page", tmp_path: Path) -> None:
    show(page, packet_page(result_added(honest)), tmp_path)
    sealed = honest.table.journal.head()[0] - 1
    assert (
        page.locator("#verdict strong").inner_text()
        == f"Sealed up to event {sealed}; what follows has no seal."
    )
    later = page.locator("#later")
    assert "Anna: 7" in later.inner_text()
    assert later.evaluate("element => getComputedStyle(element).borderStyle") == "dashed"


def test_a_picture_behind_the_seal_is_shown_as_that(honest: Honest, page: "Page", tmp_path: Path) -> None:
    show(page, packet_page(picture_for_a_doubt_added(honest)), tmp_path)
    assert verdict(page) == "open"
    later = page.locator("#later")
    assert f"event {honest.number('unsure')} after the seal" in later.inner_text()
    assert later.locator("img").count() == 1


def test_the_command_says_up_to_where_a_packet_is_sealed(honest: Honest, check: Any) -> None:
    sealed = honest.table.journal.head()[0] - 1
    assert (
        f"is sealed up to event {sealed}; the 1 event after it has no seal" in check(result_added(honest)).err
    )
    assert "It has no seals" in check(all_seals_removed(honest)).err


def test_a_bad_seal_is_told_before_any_verdict(honest: Honest, check: Any) -> None:
    told = check(seal_of_another_journal(honest))
    assert "NOT GOOD: the journal is not the one that was signed" in told.out
    assert "changed" not in told.out


def test_another_rule_text_is_found_by_the_command_and_never_shown_by_the_page(
    honest: Honest, page: "Page", tmp_path: Path, check: Any
) -> None:
    data = file_replaced("rules.txt", b"Light always wins.\n")(honest)
    assert "rules.txt in" in check(data).err
    show(page, packet_page(data), tmp_path)
    assert verdict(page) == "open"
    page.locator("details summary").click()
    text = page.locator("main").inner_text()
    assert "Light always wins" not in text
    assert "Crawford" in text


def test_a_packet_takes_no_more_memory_than_its_file_is_long(honest: Honest, tmp_path: Path) -> None:
    path = tmp_path / "packet.zip"
    path.write_bytes(gigabytes_of_nothing(honest))
    assert path.stat().st_size < 3_000_000
    done = subprocess.run(
        [sys.executable, "-m", "controller", "journal", "check", str(path)],
        capture_output=True,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    assert "Traceback" not in done.stderr
    assert (done.returncode, "is no packet that can be read" in done.stderr) == (BAD, True)


def test_rules_that_were_added_behind_the_seal_are_not_those_that_count(honest: Honest, check: Any) -> None:
    begun = json.loads(entries_of(files_of(honest.data))[0][6])
    begun["terms"]["profiles"][0]["rules"]["match.crawford"] = False
    data = forged(honest.data, added("match", begun))
    assert check(data).status == OPEN
    without = unpack(data, "packet")
    other = forged(data, replaced("rules.txt", "\n\n".join(rules_in(without)).encode() + b"\n"))
    assert "rules.txt in" in check(other).err


def rules_in(packet: Packet) -> list[str]:
    """The rules in words that the last event of its kind tells."""
    return [describe(profile) for profile in read_match(packet.log, "1").terms.profiles]


def test_rules_in_the_words_of_another_version_are_no_forgery(honest: Honest, check: Any) -> None:
    held = files_of(file_replaced("rules.txt", b"As an older version put it.\n")(honest))
    held[MANIFEST] = json.dumps({**json.loads(held[MANIFEST]), "program": "0.0.9"}).encode()
    told = check(pack_file(held))
    assert told.status == CLEAN
    assert "those of version 0.0.9, which this one cannot compare" in told.out


def test_a_countersignature_by_a_key_that_nobody_knows_says_so(
    honest: Honest, page: "Page", tmp_path: Path, check: Any
) -> None:
    data, code = countersigned(honest), fingerprint(bytes.fromhex(OWN.public))
    told = check(data)
    assert f"director Éva, {UTC}" in told.out
    assert f"a key that nobody here knows, code {code}; the name is only what was typed" in told.out
    for known in (code.lower(), OWN.public):
        assert f"with the key of the code {code}, which you know" in check(data, "--known", known).out
    show(page, packet_page(data), tmp_path)
    assert verdict(page) == "open"
    row = page.locator("table.stacked tr", has_text="Éva").inner_text()
    assert "nobody here knows" in row
    assert code in row


def test_a_table_that_countersigns_for_others_is_told(honest: Honest, page: "Page", tmp_path: Path) -> None:
    put = seal_added(TABLE_KEY, Signer.DIRECTOR, "Éva")
    show(page, packet_page(forged(honest.data, put)), tmp_path)
    verdict(page)
    assert "the table's own key" in page.locator("table.stacked").inner_text()


def test_the_codes_of_keys_are_compared_too(honest: Honest, page: "Page", tmp_path: Path) -> None:
    show(page, packet_page(countersigned(honest)), tmp_path)
    verdict(page)
    for key, said in (
        (TABLE_KEY, "the code of the table's key"),
        (OWN, "a countersignature"),
        (key_of("x"), "cut"),
    ):
        page.locator("#code").fill(fingerprint(bytes.fromhex(key.public)))
        assert said in page.locator("#answer").inner_text()


def test_a_packet_made_wholly_anew_bears_another_key(honest: Honest, check: Any) -> None:
    """Nothing inside it can tell: its key is what people compare."""
    plain = [each for each in entries_of(files_of(honest.data)) if each[5] != "seal"]
    anew = forged(honest.data, journal_changed(lambda _: plain), seal_added(OWN, Signer.TABLE))
    data = signed_with(anew, OWN)
    code = fingerprint(bytes.fromhex(OWN.public))
    assert f"Anybody can make a key, so compare the code of the table's: {code}" in check(data).out
    assert check(data, "--key", TABLE_KEY.public).status == BAD


def test_an_older_packet_of_the_table_does_not_have_the_code_of_a_later_sheet(
    tmp_path: Path, check: Any
) -> None:
    table = Table(tmp_path / "journal.db")
    put_seal(table.journal)
    older = pack(table.journal, table.store, "1", TABLE_KEY)
    table.journal.append("1", "bump", {}, utc=UTC)
    code = seal_from(put_seal(table.journal).payload).statement.code
    newer = pack(table.journal, table.store, "1", TABLE_KEY)
    assert (check(older).status, check(newer, "--code", code).status) == (CLEAN, CLEAN)
    assert "cut or written anew" in check(older, "--code", code).err
    table.journal.close()
    table.store.close()


def test_pictures_that_are_missing_are_told(honest: Honest, page: "Page", tmp_path: Path, check: Any) -> None:
    data = picture_removed(honest)
    assert "1 picture of flagged turns that the journal names are not in it" in check(data).out
    show(page, packet_page(data), tmp_path)
    verdict(page)
    assert "not in this packet" in page.locator("main").inner_text()
    assert page.locator("figure.missing").count() >= 1


def test_a_page_whose_program_is_another_is_told(honest: Honest, check: Any) -> None:
    html = packet_page(honest.data, "hu")
    note = "The page around it is not as this version writes it"
    assert note not in check(html.encode(), name="packet.html").out
    assert note in check(page_with(html, "names[result.winner]", "names.light"), name="packet.html").out


def test_a_page_whose_packet_is_rubbish_is_one_sentence(honest: Honest, check: Any) -> None:
    html = packet_page(honest.data)
    start = html.index('id="packet">') + len('id="packet">')
    for rubbish in ("A", "A=A=", base64.b64encode(b"PK\x03\x04").decode()):
        packed = html[start : html.index("</script>", start)]
        assert check(page_with(html, packed, rubbish), name="packet.html").status == BAD


def revoked_twice(director: Director) -> None:
    first = director.change_result(1, Side.LIGHT, 5)
    director.revoke(director.revoke(first.id).id)


def revoked(director: Director) -> None:
    director.revoke(director.change_result(1, Side.LIGHT, 5).id)


def cube_ruling_and_undo(director: Director) -> None:
    director.change_cube(1, 0, ("double", "take"))
    director.rule(1, 0, "Both agree.")
    director.undo(1, 0)


CORRECTIONS: Final[dict[str, Callable[[Director], object]]] = {
    "result": lambda director: director.change_result(1, Side.LIGHT, 5),
    "no result": lambda director: director.change_result(2, None),
    "score": lambda director: director.change_score(2, 4, 2),
    "void": lambda director: director.void(1),
    "undo": lambda director: director.undo(1, 0),
    "cube, ruling, undo": cube_ruling_and_undo,
    "revoked": revoked,
    "revoked twice": revoked_twice,
}


@pytest.mark.parametrize("corrected", CORRECTIONS)
def test_the_page_follows_the_director_as_exports_do(corrected: str, tmp_path: Path, page: "Page") -> None:
    table = sealed_table(tmp_path / "journal.db")
    director = Director(table.journal, "1", noon, "Éva")
    CORRECTIONS[corrected](director)
    put_seal(table.journal)
    games = director.history().games
    show(page, packet_page(pack(table.journal, table.store, "1", TABLE_KEY)), tmp_path)
    assert verdict(page) == "good"
    names = {"light": "Anna", "dark": "Béla"}
    wanted = [
        f"{number}\t{game.light_score} - {game.dark_score}\t"
        + (f"{names[game.result.winner]}: {game.result.points}" if game.result else "-")
        for number, game in enumerate(games, start=1)
    ]
    assert games_on(page) == wanted
    told = page.locator("section", has=page.get_by_role("heading", name="Corrections by the director"))
    assert told.locator("li").count() == len(director.history().corrections)
    assert "By: Éva." in told.inner_text()
    table.journal.close()
    table.store.close()


def test_a_corrected_turn_is_shown_as_it_was_told_and_as_it_stands(tmp_path: Path, page: "Page") -> None:
    table = sealed_table(tmp_path / "journal.db")
    director = Director(table.journal, "1", noon)
    change = director.change_play(1, 0, "13/10 6/5").id
    put_seal(table.journal)
    show(page, packet_page(pack(table.journal, table.store, "1", TABLE_KEY, every=True)), tmp_path)
    assert verdict(page) == "good"
    text = page.locator("main").inner_text()
    assert f"Corrected by the director (event {change}): Anna, 3-1: 13/10 6/5" in text
    table.journal.close()
    table.store.close()
