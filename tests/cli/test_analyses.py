"""``pointsman analyse`` and ``pointsman statistics`` as people type them."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_journals import journal_of


def test_a_match_is_analysed(tmp_path: Path, run: Run) -> None:
    said = run("analyse", "1", "--journal", journal_of(tmp_path / "journal.db"), "--worst", 2)
    assert "GNU Backgammon, 0 plies" in said
    assert "Anna" in said
    assert said.count("better: ") == 2


def test_statistics_run_over_several_journals(tmp_path: Path, run: Run) -> None:
    paths = [journal_of(tmp_path / name, light="Eve\x1b[2J") for name in ("one.db", "two.db")]
    said = run("statistics", *paths)
    assert said.startswith("Matches: 2, games: 2\nAll dice: 1: ")
    assert "Eve [2J: no match is finished yet, games 0 of 0" in said
    assert "\x1b" not in said


def test_statistics_give_the_error_rates_of_the_analysis(tmp_path: Path, run: Run) -> None:
    path = journal_of(tmp_path / "one.db")
    alone = re.search(r"Error rate \(mEMG\) +([\d.]+) +([\d.]+)", run("analyse", "1", "--journal", path))
    assert alone
    both = re.findall(r"error rate ([\d.]+) mEMG", run("statistics", path, "--rates"))
    assert sorted(both) == sorted(alone.groups())
    copy = tmp_path / "two.db"
    copy.write_bytes(path.read_bytes())
    assert re.findall(r"error rate ([\d.]+) mEMG", run("statistics", path, copy, "--rates")) == both


@pytest.mark.parametrize(
    "arguments",
    [
        ("analyse", "2"),
        ("analyse", "1", "--plies", 9),
        ("statistics", "none.db"),
        ("analyse", "1", "--journal", "x.db"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(tmp_path: Path, run: Run, arguments: tuple[object, ...]) -> None:
    path = journal_of(tmp_path / "journal.db")
    more = ("--journal", path) if arguments[0] == "analyse" and "--journal" not in arguments else ()
    assert len(run(*arguments, *more, status=2).splitlines()) == 1
