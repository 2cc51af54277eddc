"""The director's commands."""

import os
from pathlib import Path

import pytest

from controller.cli import corrections
from controller.locks import hold
from controller.record.journal.journal import Journal
from controller.record.match.match import MatchRecord
from controller.record.match.match_log import read_match
from tests.cli.conftest import Run
from tests.cli.test_journals import journal_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return journal_of(tmp_path / "journal.db")


def match_in(path: Path, *, corrected: bool = True) -> MatchRecord:
    with Journal(path, read_only=True) as journal:
        journal.verify()
        return read_match(journal, "1", corrected=corrected)


def test_a_play_is_put_right_and_taken_back(path: Path, run: Run) -> None:
    before = match_in(path)
    said = run("correct", "play", path, 4, "Cannot Move", "--by", "Éva", "--why", "misread")
    assert said.startswith("Correction 24: game 1, ply 4, ")
    assert "ILLEGAL, stands" in said
    assert match_in(path, corrected=False) == before != match_in(path)
    assert "by Éva (misread)" in run("correct", "list", path)
    run("correct", "revoke", path, 24)
    assert match_in(path) == before
    assert "taken back by 25" in run("correct", "list", path)


def test_a_match_that_is_being_played_does_not_hear_of_a_correction_and_its_director_does(
    path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes: list[str] = []
    monkeypatch.setattr(corrections, "note", notes.append)
    held = os.open(path.parent, os.O_RDONLY)
    hold(held)
    run("correct", "undo", path)
    os.close(held)
    run("correct", "undo", path)
    (told,) = notes
    assert "a table plays this match now and does not hear of it" in told


def test_every_correction_is_told_in_a_line(path: Path, run: Run) -> None:
    for (command, *arguments), told in (
        (("roll", 3, "6-6"), "game 1, ply 3"),
        (("cube", "double", "take", "--ply", 5), "before ply 5: double take"),
        (("cube",), "after the last ply: nothing with the cube"),
        (("score", 2, 1), "begins at light 2, dark 1"),
        (("result", "dark", 2), "won by dark, 2 points"),
        (
            ("ruling", "the play\x1b[2J stands", "--ply", 7),
            "ruling on game 1, ply 7: the play [2J stands",
        ),
        (("undo",), "goes on from ply 19"),
        (("undo", 10), "goes on from ply 10"),
        (("void", 1), "game 1 does not count"),
    ):
        said = run("correct", command, path, *arguments)
        assert told in said
        assert len(said.splitlines()) == 1
    assert len(run("correct", "list", path).splitlines()) == 9


def test_a_game_whose_result_was_taken_away_tells_how_it_goes_on(
    path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes: list[str] = []
    monkeypatch.setattr(corrections, "note", notes.append)
    run("correct", "cube", path, "double", "drop")
    run("correct", "result", path, "light", 1)
    notes.clear()
    run("correct", "result", path, "none")
    (told,) = notes
    assert "The game is over" in told
    assert "`pointsman correct undo` takes back its last turn" in told
    run("correct", "undo", path)
    run("correct", "result", path, "none")
    assert notes == [told]


def test_a_cube_that_makes_another_result_says_so(
    path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes: list[str] = []
    monkeypatch.setattr(corrections, "note", notes.append)
    run("correct", "result", path, "light", 3)
    run("correct", "cube", path, "double", "drop")
    (told,) = notes
    assert "but the record gives light 3" in told
    assert "`pointsman correct result` puts that right" in told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("play", 4, "rubbish"), "rubbish"),
        (("play", 400, "8/5"), "ply 400"),
        (("play", 4, "8/5", "--match", "2"), "no match '2'"),
        (("roll", 4, "7-1"), "7-1"),
        (("cube", "spin"), "spin"),
        (("score", 5, 0), "less than the 5 points"),
        (("result", "red", 1), "light, dark or none"),
        (("void", 2), "no game 2"),
        (("revoke", 3), "no correction 3"),
        (("ruling", " "), "needs words"),
    ],
)
def test_a_correction_that_cannot_be_made_is_one_sentence(
    path: Path, run: Run, arguments: tuple[object, ...], said: str
) -> None:
    command, *words = arguments
    error = run("correct", command, path, *words, status=2)
    assert said in error
    assert len(error.splitlines()) == 1


def test_a_correction_does_not_begin_a_journal(tmp_path: Path, run: Run) -> None:
    assert "no such match folder or journal" in run("correct", "void", tmp_path / "none.db", 1, status=2)
    assert list(tmp_path.iterdir()) == []
