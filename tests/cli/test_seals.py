"""Seals and packets, as a director and a federation type them."""

import io
import stat
from pathlib import Path

import pytest

from controller.record.journal.journal import Journal
from controller.record.journal.seal import SigningKey, check_seals, seal_from
from tests.cli.conftest import Run
from tests.cli.test_journals import journal_of
from tests.record.sealing import key_of, put_seal


@pytest.fixture
def match(tmp_path: Path) -> Path:
    """A sealed match beside the key of its table."""
    folder = tmp_path / "matches" / "evening"
    folder.mkdir(parents=True)
    path = journal_of(folder / "journal.db")
    with Journal(path) as journal:
        put_seal(journal, key=SigningKey.make(folder.parent / "table.key"))
    return folder


def code_in(match: Path) -> str:
    with Journal(match / "journal.db", read_only=True) as journal:
        *_, last = journal.events()
        return seal_from(last.payload).statement.code


def test_a_table_shows_its_public_key_and_never_the_other(tmp_path: Path, match: Path, run: Run) -> None:
    said = run("journal", "key", match)
    assert SigningKey.read(match.parent / "table.key").public in said
    assert said == run("journal", "key", match.parent)
    assert "PRIVATE" not in said
    new = tmp_path / "new"
    assert "journal key --make" in run("journal", "key", new, status=2)
    assert "Public key" in run("journal", "key", new, "--make")
    assert stat.S_IMODE((new / "table.key").stat().st_mode) == 0o600


def test_good_seals_are_told_with_their_codes(match: Path, run: Run) -> None:
    said = run("journal", "check", "--seals", match)
    assert f"code {code_in(match)}: good" in said
    assert "Nothing came after the table's last seal." in said
    assert "seal in event 24" in run("journal", "check", match, "--code", code_in(match).lower())


def test_a_seal_of_another_key_is_one_sentence_and_exit_2(match: Path, run: Run) -> None:
    (match.parent / "table.key").unlink()
    SigningKey.make(match.parent / "table.key")
    assert "another key than the table's" in run("journal", "check", "--seals", match, status=2)
    assert "another key" in run("journal", "check", match, "--key", key_of("x").public, status=2)
    assert "No seal of" in run("journal", "check", match, "--key", "AAAAA-AAAAA", status=2)


def test_a_key_is_also_expected_by_its_code(match: Path, run: Run) -> None:
    code = run("journal", "key", match).split()[-1]
    assert "good" in run("journal", "check", match, "--key", code)


def test_a_code_that_is_missing_says_what_that_means(match: Path, run: Run) -> None:
    assert "cut or written anew" in run("journal", "check", match, "--code", "0" * 25, status=2)


def test_a_journal_without_seals_says_so(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "journal.db")
    assert "has no seals" in run("journal", "check", "--seals", path, status=2)
    assert "has sealed nothing" in run("journal", "countersign", path, "--by", "light", status=2)


def test_people_countersign_with_a_key_or_a_pin(
    tmp_path: Path, match: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    director = tmp_path / "director.key"
    said = run("journal", "countersign", match, "--by", "director", "--name", "Éva", "--key", director)
    assert "director signed for everything up to event 23" in said
    for pin, status in (("a long phrase of words\n", 0), ("1234\n", 2)):
        monkeypatch.setattr("sys.stdin", io.StringIO(pin))
        run("journal", "countersign", match, "--by", "dark", status=status)
    said = run("journal", "check", "--seals", match)
    assert "director Éva" in said
    assert said.count(": good") == 3
    assert said.count(": good, but with a key that nobody here knows") == 2
    with Journal(match / "journal.db", read_only=True) as journal:
        assert not check_seals(journal.events()).faults
    assert "Only the table itself" in run(
        "journal", "countersign", match, "--by", "table", "--key", director, status=2
    )


def test_a_packet_and_its_page_are_written_and_checked(tmp_path: Path, match: Path, run: Run) -> None:
    out = tmp_path / "evening.zip"
    said = run("packet", match, "--out", out)
    assert "evening.html: the page that checks it" in said
    data = out.read_bytes()
    assert run("packet", match, "--out", out) == said
    assert out.read_bytes() == data
    code = code_in(match)
    for file in (out, out.with_suffix(".html")):
        told = run("journal", "check", file)
        assert "24 events, 0 pictures, nothing was changed" in told
        assert f"code {code}: good" in told
        assert "signed with the key of the code" in told
        changed = bytearray(file.read_bytes())
        changed[len(changed) // 2] ^= 4
        file.write_bytes(changed)
        assert "changed after it was written" in run("journal", "check", file, status=2)


def test_a_packet_never_takes_the_place_of_something_else(tmp_path: Path, match: Path, run: Run) -> None:
    journal = match / "journal.db"
    before = journal.read_bytes()
    assert "is no whole packet" in run("packet", match, "--out", journal, status=2)
    assert journal.read_bytes() == before
    assert "end the packet's own name" in run("packet", match, "--out", tmp_path / "page.html", status=2)
    (tmp_path / "page.html").write_text("<!DOCTYPE html><html>mine</html>")
    assert "is no whole packet" in run("packet", match, "--out", tmp_path / "page.zip", status=2)


def test_an_unsealed_packet_says_so(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "journal.db")
    out = tmp_path / "packet.zip"
    assert "the journal has no seals" in run("packet", path, "--out", out)
    assert "It has no seals" in run("journal", "check", out, status=3)
    assert "has no seals" in run("journal", "check", "--seals", out, status=2)
