"""``pointsman dispute`` as a director types it."""

import sqlite3
from pathlib import Path

import pytest

from controller.record.evidence.store import EvidenceStore, Worth, evidence_name
from tests.cli.conftest import Run
from tests.record.evidence.test_dispute_page import Table


@pytest.fixture
def path(tmp_path: Path) -> Path:
    table = Table(tmp_path / "journal.db")
    table.journal.close()
    table.store.close()
    return table.path


def test_the_page_is_written_and_its_pictures_are_kept_longest(tmp_path: Path, path: Path, run: Run) -> None:
    out = tmp_path / "page.html"
    said = run("dispute", path, 0, "--out", out, "--language", "hu")
    assert said == f"{out}: game 1, ply 0; the journal's chain is unbroken\n"
    assert "Szabálytalan" in out.read_text(encoding="utf-8")
    with EvidenceStore(evidence_name(path)) as store:
        worth = store._database.execute("SELECT DISTINCT worth FROM use").fetchall()
    assert worth == [(Worth.DISPUTED,)]


def test_without_a_place_the_page_lands_here_under_a_plain_name(
    tmp_path: Path, path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("dispute", "1", 0)
    assert (tmp_path / "dispute-1-0.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    evidence_name(path).unlink()
    assert "dispute-1-0.html" in run("dispute", "1", 0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((9,), "ply 9"),
        ((0, "--match", "2"), "no match '2'"),
        ((0, "--game", 4), "no game 4"),
        ((0, "--language", "xx"), "xx"),
        ((0, "--pictures", "none.db"), "none.db"),
    ],
)
def test_what_is_not_there_is_one_sentence_and_no_page(
    tmp_path: Path, path: Path, run: Run, arguments: tuple[object, ...], said: str
) -> None:
    out = tmp_path / "page.html"
    error = run("dispute", path, *arguments, "--out", out, status=2)
    assert said in error
    assert len(error.splitlines()) == 1
    assert not out.exists()


def test_checking_a_journal_checks_its_pictures_too(path: Path, run: Run) -> None:
    assert "4 pictures, none was changed" in run("journal", "check", path)
    with sqlite3.connect(evidence_name(path)) as database:
        database.execute("UPDATE picture SET jpeg = x'00' WHERE rowid = 2")
    database.close()
    assert "1 picture in" in run("journal", "check", path, status=2)
