"""The commands that look after journals, as a director types them."""

import json
from pathlib import Path
from random import Random

import pytest

from controller.app.desk import Desk
from controller.record.journal.journal import Journal
from controller.record.match.match import Facts, Note
from controller.record.match.match_log import MatchLog, read_match
from tests.app.opened import FIVE, book_in, play
from tests.app.playing import Players
from tests.cli.conftest import Run
from tests.record.matches import random_match


def journal_of(path: Path, light: str = "Anna") -> Path:
    match = random_match(1, games=1, length=5)
    with Journal(path) as journal:
        log = MatchLog(journal, "1", lambda: "2026-11-21T12:00:00Z")
        log.begin_match(light, "Béla", match.terms, Facts())
        log.begin_game(match.games[0].start)
        for turn in match.games[0].turns[:20]:
            log.add(turn)
        log.add(Note("bump", None, 1.0))
    return path


def test_a_whole_journal_says_so_with_its_chain(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "journal.db")
    said = run("journal", "check", path)
    with Journal(path) as journal:
        assert said.endswith(f"{journal.head()[1]}\n")
    assert "23 events of 1 match, the file is whole and the chain unbroken" in said


def test_a_changed_journal_is_one_sentence_and_exit_2(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "journal.db")
    with Journal(path) as journal:
        journal._database.execute("DROP TRIGGER event_is_not_changed")
        journal._database.execute("UPDATE event SET utc = '' WHERE id = 7")
    assert "was changed after it was written, first at event 7" in run("journal", "check", path, status=2)


def test_a_journal_can_be_copied_while_it_is_written(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "journal.db")
    with Journal(path) as journal:
        journal.append("1", "bump", {}, utc="")
        assert "24 events" in run("journal", "copy", path, "--out", tmp_path / "copy.db")
    assert "would be lost" in run("journal", "copy", path, "--out", tmp_path / "copy.db", status=2)
    assert "24 events of 1 match" in run("journal", "check", tmp_path / "copy.db")


def test_a_damaged_journal_is_saved_next_to_itself(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "journal.db")
    content = path.read_bytes()
    path.write_bytes(b"\0" * 4096 + content[4096:])
    assert "journal rescue" in run("journal", "check", path, status=2)
    assert "23 events saved" in run("journal", "rescue", path)
    assert "23 events" in run("journal", "check", tmp_path / "journal.rescued.db")


def test_names_of_players_cannot_play_tricks_with_the_terminal(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "journal.db", light="Eve\x1b[2J\r\nRoot\u202e")
    said = run("journal", "matches", path)
    assert said == "1  Eve [2J Root - Béla  5 points  1 game\n"


def test_what_a_table_was_told_comes_out_as_lines_for_the_referee(tmp_path: Path, run: Run) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        play(Desk.open(FIVE, book_in(journal)), Players(Random(4)), 60)
    lines = tmp_path / "lines.jsonl"
    lines.write_text(run("journal", "inputs", tmp_path / "journal.db"))
    assert json.loads(lines.read_text().splitlines()[0])["kind"] == "agreed"
    turns = [line for line in run("referee", lines).splitlines() if "player" in json.loads(line)]
    with Journal(tmp_path / "journal.db", read_only=True) as journal:
        (game, *_) = read_match(journal, "1").games
    assert len(turns) >= len(game.turns) > 5


def test_a_journal_without_a_live_table_has_no_inputs(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "journal.db")
    assert "not played at a live table" in run("journal", "inputs", path, status=2)
    assert "it holds: 1" in run("journal", "inputs", path, "--match", "final", status=2)


def test_one_of_several_matches_is_named(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "journal.db")
    with Journal(path) as journal:
        journal.append("2", "bump", {}, utc="")
    assert "--match" in run("journal", "inputs", path, status=2)


@pytest.mark.parametrize("command", ["check", "matches", "rescue", "inputs"])
def test_what_is_no_journal_is_one_sentence(tmp_path: Path, run: Run, command: str) -> None:
    (tmp_path / "letter").write_text("Dear players, " * 400)
    for name in ("letter", "nothing", "."):
        said = run("journal", command, tmp_path / name, status=2)
        assert len(said.splitlines()) == 1


def test_an_empty_file_is_said_to_be_empty_not_damaged(tmp_path: Path, run: Run) -> None:
    (tmp_path / "journal.db").touch()
    said = run("journal", "matches", tmp_path / "journal.db", status=2)
    assert "is empty: no match has been recorded in it yet" in said
    assert "damaged" not in said


def test_a_journal_that_is_nested_too_deeply_is_one_sentence(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "journal.db")
    with Journal(path) as journal:
        journal._database.execute("DROP TRIGGER event_is_not_changed")
        deep = '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}"
        journal._database.execute("UPDATE event SET payload = ? WHERE id = 3", (deep,))
    assert "is damaged" in run("journal", "matches", path, status=2)
