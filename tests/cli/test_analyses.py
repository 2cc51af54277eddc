"""``pointsman analyse`` and ``pointsman statistics`` as people type them."""

import io
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.analysis.quiz import Quiz
from controller.cli import main
from controller.rules.moves.plays import legal_plays
from controller.rules.notation import format_play
from tests.cli.conftest import Run
from tests.cli.test_journals import journal_of


def test_a_match_is_analysed(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "journal.db")
    said = run("analyse", path, "--plies", 0, "--worst", 2)
    assert re.search(r"GNU Backgammon [\d.]+, 0 plies ahead", said)
    assert "Anna" in said
    assert said.count("  best") == 2
    assert run("analyse", path, "--plies", 0, "--worst", 2) == said


def test_an_analysis_becomes_a_page_in_any_language(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "journal.db")
    page = tmp_path / "page.html"
    said = run("analyse", path, "--match", "1", "--plies", 0, "--html", page, "--language", "hu")
    assert "Hibaarány" in said
    assert "<h2>Hibák, a legsúlyosabb elöl</h2>" in page.read_text(encoding="utf-8")


def test_an_analysis_that_is_interrupted_says_that_it_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = journal_of(tmp_path / "journal.db")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("controller.analysis.gnubg.analyse", stop)
    monkeypatch.setattr("sys.argv", ["pointsman", "analyse", str(path), "--match", "1"])
    with pytest.raises((SystemExit, KeyboardInterrupt)):
        main()
    assert "goes on from there" in capsys.readouterr().err


def test_statistics_run_over_several_journals(tmp_path: Path, run: Run) -> None:
    paths = [journal_of(tmp_path / name, light="Eve\x1b[2J") for name in ("one.db", "two.db")]
    said = run("statistics", *paths, "--html", tmp_path / "page.html")
    assert said.startswith("Matches: 2, games: 2\n\nDice\n  All dice, ")
    assert re.search(r"  Eve \[2J\n    Matches won +none yet", said)
    assert "\x1b" not in said
    assert 'class="chart"' in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_statistics_give_the_error_rates_of_the_analysis(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "one.db")
    told = run("analyse", path, "--plies", 0)
    alone = re.search(r"PR \(performance rating\) +([\d.]+) +([\d.]+)", told)
    assert alone
    both = re.findall(r"PR, mEMG, luck in points +([\d.]+),", run("statistics", path, "--rates"))
    assert sorted(both) == sorted(alone.groups())
    copy = tmp_path / "two.db"
    copy.write_bytes(path.read_bytes())
    twice = run("statistics", path, copy, "--rates")
    assert re.findall(r"PR, mEMG, luck in points +([\d.]+),", twice) == both


REAL = Path(__file__).parents[1] / "data" / "record" / "gammonview"
XG, MAT = (REAL / f"B4_SrGcsKAQmoTyHlgJCbM.{ending}" for ending in ("xg", "mat"))
"""A session that eXtreme Gammon wrote, and its text."""


@pytest.mark.parametrize("file", [XG, MAT])
def test_a_match_file_is_analysed_as_a_journal_is(file: Path, run: Run) -> None:
    said = run("analyse", file, "--plies", 0, "--worst", 1)
    assert re.match(r"Analysis: (Fox - Bluepoint02|Bluepoint02 - Fox)\n", said)
    assert re.search(r"GNU Backgammon [\d.]+, 0 plies ahead", said)


def test_a_match_file_is_analysed_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(MAT.read_bytes())))
    assert run("analyse", "-", "--plies", 0, "--worst", 0) == run("analyse", MAT, "--plies", 0, "--worst", 0)


def test_the_only_match_of_a_file_needs_no_name(run: Run) -> None:
    said = run("analyse", MAT, "--match", "1", status=2)
    assert said == f"pointsman: {MAT} is a match file and holds one match; leave out --match.\n"


def test_names_of_a_match_file_are_read_in_its_encoding(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "m.mat"
    file.write_bytes(MAT.read_text(encoding="utf-8").replace("Fox", "Ľuboš").encode("windows-1250"))
    assert "Ľuboš" in run("analyse", file, "--encoding", "windows-1250", "--plies", 0, "--worst", 0)
    assert "  Ľuboš" in run("statistics", file, "--encoding", "windows-1250")


def test_statistics_and_the_audit_of_dice_take_match_files_beside_journals(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "one.db")
    said = run("statistics", path, XG, MAT)
    assert said.startswith("Matches: 3, games: 7\n")
    assert run("dice", "audit", XG) == run("dice", "audit", MAT)


def test_a_chance_is_told_in_plain_numbers(run: Run) -> None:
    """Dice as even as these came out as `1e+02 %`."""
    said = run("statistics", REAL / "hQ8sVn2LbTdF4wRm.mat")
    assert "or more, in 100 % of cases" in said


@pytest.mark.parametrize(
    "arguments",
    [("dispute", MAT, 3), ("journal", "check", XG), ("journal", "matches", MAT), ("correct", "undo", MAT)],
)
def test_what_needs_a_journal_says_how_a_match_file_becomes_one(
    arguments: tuple[object, ...], run: Run
) -> None:
    said = run(*arguments, status=2)
    assert "is not a journal" in said
    assert "A match file becomes one with pointsman import --journal;" in said


def test_a_damaged_journal_is_not_taken_for_a_match_file(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "journal.db")
    path.write_bytes(b"x" * 100 + path.read_bytes()[100:])
    assert "pointsman journal rescue" in run("analyse", path, status=2)


def test_blunders_become_exercises_that_are_asked(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, own = journal_of(tmp_path / "journal.db"), tmp_path / "own.json"
    assert "There are no exercises yet" in run("quiz", "--collection", own)
    said = run(
        "analyse", path, "--match", "1", "--plies", 0, "--quiz", "--player", "Anna", "--collection", own
    )
    made = re.search(r"(\d+) new exercises?; \1 in all", said)
    assert made
    quiz = Quiz.load(own)
    assert {item.name for item in quiz.items.values()} == {"Anna"}
    first = quiz.due(datetime.now(UTC))[0]
    monkeypatch.setattr("sys.stdin", io.StringIO(f"24/1\n{first.answers[0].text}\nq\n"))
    asked = run("quiz", "--collection", own)
    assert "is no legal play of" in asked or "please type one of the words" in asked
    assert "That is the best." in asked
    assert Quiz.load(own).items[first.key].due > first.due
    cards = tmp_path / "cards.txt"
    run("quiz", "--collection", own, "--anki", cards)
    assert cards.read_text(encoding="utf-8").count("<svg") == len(quiz.items)


def test_a_play_that_was_not_kept_is_judged_by_an_engine(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, own = journal_of(tmp_path / "journal.db"), tmp_path / "own.json"
    run("analyse", path, "--match", "1", "--plies", 0, "--quiz", "--collection", own)
    quiz = Quiz.load(own)
    item, other = next(
        (item, each)
        for item in quiz.items.values()
        if item.state.roll is not None
        for each in legal_plays(item.position, item.state.on_roll, item.state.roll)
        if item.loss("", each.after.compact()) is None
    )
    quiz.items = {item.key: item}
    quiz.save()
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{format_play(other.play)}\n"))
    said = run("quiz", "--collection", own)
    assert re.search(r"It gives up \d\.\d{3} points of equity", said)
    assert f"Best: {item.answers[0].text}" in said


@pytest.mark.parametrize(
    "arguments",
    [
        ("analyse", "{path}", "--match", "2"),
        ("analyse", "{path}", "--plies", 9),
        ("analyse", "{path}", "--player", "Nobody", "--quiz"),
        ("analyse", "{path}", "--language", "xx"),
        ("analyse", "{path}", "--plies", 0, "--html", "no/such/folder/page.html"),
        ("statistics", "none.db"),
        ("analyse", "no/x.db"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(tmp_path: Path, run: Run, arguments: tuple[object, ...]) -> None:
    path = journal_of(tmp_path / "journal.db")
    words = (str(each).format(path=path) for each in arguments)
    assert len(run(*words, status=2).splitlines()) == 1
