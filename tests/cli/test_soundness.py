"""``pointsman journal check`` says what is missing and what does not fit, not only what was changed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.record.evidence.store import EvidenceStore
from controller.record.journal.copies import copy_journal, rescue, rescued_name
from controller.record.journal.head import head_name
from controller.record.journal.journal import Journal, link
from controller.record.journal.seal import SigningKey
from controller.record.match.match import RecordedResult
from controller.record.match.match_log import MatchLog
from controller.record.table.table_log import lines_of
from controller.rules import Side
from controller.rules.position import START, Roll
from tests.cli.conftest import Run
from tests.record.evidence.forging import named_picture
from tests.record.evidence.test_dispute_page import AFTER, Table, turn
from tests.record.match.test_match_log import noon
from tests.record.sealing import key_of, put_seal


def played_at(folder: Path, games: int = 1) -> Path:
    """A match of a table with its key, head, lines and pictures; each game is sealed."""
    folder.mkdir(parents=True)
    key = SigningKey.make(folder.parent / "table.key")
    table = Table(folder / "journal.db")
    log = MatchLog(table.journal, "1", noon)
    for number in range(games):
        if number:
            log.begin_game(START)
        log.end_game(RecordedResult(Side.DARK, 2))
        put_seal(table.journal, key=key)
    table.journal.fold()
    lines = lines_of(table.journal.events("1"))
    (folder / "events.jsonl").write_text("".join(f"{line}\n" for line in lines))
    table.journal.close()
    table.store.close()
    return folder


@pytest.fixture
def match(tmp_path: Path) -> Path:
    return played_at(tmp_path / "matches" / "evening")


def rewrite(journal: Path, change: Callable[[list[list[Any]]], list[list[Any]]]) -> None:
    """The entries of a journal as somebody leaves them who can write the file: with a chain made anew."""
    with Journal(journal, read_only=True) as opened:
        entries = change([[*row[1:6]] for row in opened.rows()])
    journal.unlink()
    before = ""
    with Journal(journal) as anew:
        anew._database.execute("BEGIN")
        for number, entry in enumerate(entries, start=1):
            before = link(before, number, *entry)
            anew._database.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", (number, *entry, before))
        anew._database.execute("COMMIT")


def test_a_whole_match_has_nothing_to_add(match: Path, run: Run) -> None:
    said = run("journal", "check", match)
    assert "missing" not in said
    assert "nothing came after that" in said
    assert "4 pictures, none was changed" in said


def test_a_missing_head_is_told_because_a_missing_end_would_not_show(match: Path, run: Run) -> None:
    head = head_name(match / "journal.db")
    head.write_text("{}")
    assert f"{head} cannot be read: if events were missing" in run("journal", "check", match)
    head.unlink()
    assert f"{head} is missing: if events were missing" in run("journal", "check", match)


def test_missing_lines_are_told(match: Path, run: Run) -> None:
    lines = match / "events.jsonl"
    told = lines.read_text().splitlines(keepends=True)
    lines.write_text("".join(told[:-1]))
    assert "events.jsonl does not tell of the last turn" in run("journal", "check", match)
    lines.unlink()
    assert "events.jsonl is missing" in run("journal", "check", match)


def test_a_journal_whose_turns_are_gone_is_known_by_its_pictures(match: Path, run: Run) -> None:
    """Its head and its lines are gone with them."""
    rewrite(match / "journal.db", lambda entries: entries[:4])
    for name in ("journal.head", "events.jsonl"):
        (match / name).unlink()
    said = run("journal", "check", match, status=2)
    assert "pictures of turns after the last event of the journal, whose end is missing" in said


def test_pictures_of_another_match_are_known(match: Path, tmp_path: Path, run: Run) -> None:
    other = tmp_path / "other.db"
    with EvidenceStore(other) as store, EvidenceStore(match / "journal.evidence.db", read_only=True) as own:
        for turn_event, _ in own.uses():
            store.keep(turn_event, [b"another board"])
    shutil.copyfile(other, match / "journal.evidence.db")
    assert "those of another match" in run("journal", "check", match, status=2)


def test_deleted_pictures_are_counted(match: Path, run: Run) -> None:
    pictures = match / "journal.evidence.db"
    with EvidenceStore(pictures) as store:
        store._database.execute("DELETE FROM picture WHERE rowid = 1")
    assert "lacks 2 of the 5 pictures that the journal names" in run("journal", "check", match)
    pictures.unlink()
    assert "evidence.db is missing: the journal names 5 pictures" in run("journal", "check", match)


def test_pictures_that_a_loss_of_power_left_are_no_fault(match: Path, run: Run) -> None:
    with Journal(match / "journal.db") as journal, EvidenceStore(match / "journal.evidence.db") as store:
        event = MatchLog(journal, "1", noon).add(turn(1, Side.DARK, Roll.from_dice(6, 6), AFTER, AFTER))
        store.keep(event.id, [b"kept, and then the power went"])
    assert "1 picture that the journal does not name" in run("journal", "check", match)


def test_a_rescued_journal_goes_on_with_the_pictures_of_the_damaged_one(match: Path, run: Run) -> None:
    journal = match / "journal.db"
    rescue(journal, rescued_name(journal))
    with Journal(rescued_name(journal)) as opened:
        opened.append("1", "rescued", {"kind": "rescued"}, utc="")
    said = run("journal", "check", match)
    assert "journal.evidence.db: 4 pictures, none was changed" in said
    assert "evidence.db is missing" not in said


def test_pictures_named_twice_for_one_turn_are_a_fault(match: Path, run: Run) -> None:
    with Journal(match / "journal.db") as journal:
        first = next(event for event in journal.events() if event.kind == "evidence")
        told = {"of": first.payload["of"], "pictures": [named_picture("0" * 64)]}
        journal.append("1", "evidence", told, utc="")
    assert "names pictures for a turn that has its own already" in run("journal", "check", match, status=2)
    page = match.parent / "page.html"
    said = run("dispute", match, "0", "--out", page)
    assert "names pictures for a turn that has its own already" in said
    assert "0" * 64 not in page.read_text()


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (
            "turn",
            {"reasons": [{"code": "backwards", "text": "", "side": "dark", "source": 27, "target": 3}]},
        ),
        ("turn", {"position": "Z" * 26}),
        ("turn", {"dice": [10**400, 1]}),
        ("turn", {"moves": [[1, 2]]}),
        ("turn", {"frame": []}),
        ("result", {"winner": "me"}),
        ("result", {"points": 1e999}),
        ("match", {"terms": {"profiles": [{}]}}),
        ("match", {"facts": []}),
        ("game", {"start": ""}),
    ],
)
def test_an_edited_event_is_one_sentence(match: Path, run: Run, kind: str, change: dict[str, Any]) -> None:
    def edit(entries: list[list[Any]]) -> list[list[Any]]:
        for entry in entries:
            if entry[3] == kind:
                entry[4] = json.dumps(json.loads(entry[4]) | change)
        return [entry for entry in entries if entry[3] != "seal"]

    rewrite(match / "journal.db", edit)
    (match / "journal.head").unlink()
    assert "that can be read" in run("journal", "check", match, status=2)


@pytest.mark.parametrize("text", ["[]", "7", "{", '{"a":' * 100_000 + "1" + "}" * 100_000])
def test_an_event_that_holds_no_object_is_one_sentence(match: Path, run: Run, text: str) -> None:
    rewrite(match / "journal.db", lambda entries: [*entries, ["1", "", None, "bump", text]])
    (match / "journal.head").unlink()
    assert "journal.db" in run("journal", "check", match, status=2)


def test_seals_are_looked_at_always(match: Path, run: Run) -> None:
    def change(entries: list[list[Any]]) -> list[list[Any]]:
        return [[*entry[:4], entry[4].replace('"dice":[3,1]', '"dice":[6,1]')] for entry in entries]

    rewrite(match / "journal.db", change)
    (match / "journal.head").unlink()
    (match / "events.jsonl").unlink()
    assert "the journal is not the one that was signed" in run("journal", "check", match, status=2)


def test_how_far_a_journal_is_sealed_is_told(match: Path, run: Run) -> None:
    with Journal(match / "journal.db") as journal:
        sealed = journal.head()[0] - 1
        journal.append("1", "bump", {"kind": "bump", "frame": None, "t": None}, utc="")
    assert f"It is sealed up to event {sealed}" in run("journal", "check", match)
    said = run("journal", "check", "--seals", match, status=3)
    assert f"sealed up to event {sealed}; the 1 event after it has no seal" in said
    rewrite(match / "journal.db", lambda entries: [each for each in entries if each[3] != "seal"])
    (match / "journal.head").unlink()
    assert "It has no seals." in run("journal", "check", match)


def test_a_match_of_another_table_says_so(match: Path, run: Run) -> None:
    (match.parent / "table.key").unlink()
    key_of("another").keep(match.parent / "table.key")
    assert "another table recorded it" in run("journal", "check", match)


def test_a_journal_is_checked_without_its_key_where_that_cannot_be_read(match: Path, run: Run) -> None:
    (match.parent / "table.key").write_text("rubbish")
    assert "It is sealed up to event" in run("journal", "check", match)


def test_a_copy_says_which_traces_it_lacks(match: Path, tmp_path: Path, run: Run) -> None:
    copy_journal(match / "journal.db", tmp_path / "copy.db")
    said = run("journal", "check", tmp_path / "copy.db")
    assert "copy.head is missing" in said
    assert "copy.evidence.db is missing: the journal names 5 pictures" in said
    assert "events.jsonl" not in said


def test_a_correction_is_sealed_where_all_before_it_was(match: Path, run: Run) -> None:
    run("correct", "result", match, "light", "3", "--game", "1")
    assert "Nothing came after the table's last seal." in run("journal", "check", "--seals", match)
    with Journal(match / "journal.db") as journal:
        journal.append("1", "bump", {"kind": "bump", "frame": None, "t": None}, utc="")
    run("correct", "result", match, "dark", "3", "--game", "1")
    assert "the 2 events after it have no seal" in run("journal", "check", "--seals", match, status=3)


def test_a_correction_without_the_tables_key_is_not_sealed(match: Path, run: Run) -> None:
    (match.parent / "table.key").unlink()
    run("correct", "result", match, "light", "3", "--game", "1")
    assert "has no seal" in run("journal", "check", "--seals", match, status=3)


def test_a_packet_is_signed_only_with_the_key_that_sealed(match: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "packet.zip"
    run("packet", match, "--out", out)
    assert "nothing was changed" in run("journal", "check", out)
    (match.parent / "table.key").unlink()
    key_of("another").keep(match.parent / "table.key")
    assert "so the packet is not signed" in run("packet", match, "--out", out)
    assert "The table did not sign the packet as a whole" in run("journal", "check", out)


def test_a_packet_that_is_longer_than_any_is_not_read(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.cli.evidence.packets.LARGEST", 500)
    path = tmp_path / "packet.zip"
    path.write_bytes(b"PK\x03\x04" + bytes(1_000))
    assert "is larger than a packet can be" in run("journal", "check", path, status=2)


def test_a_folder_moved_to_another_place_is_as_whole_as_before(match: Path, tmp_path: Path, run: Run) -> None:
    shutil.move(match, tmp_path / "moved")
    assert "missing" not in run("journal", "check", tmp_path / "moved")
