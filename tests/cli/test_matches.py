"""How a match is named: by its folder, its journal, or not at all."""

from pathlib import Path

import pytest

from controller.record.journal.journal import Journal
from tests.cli.conftest import Run
from tests.cli.test_journals import journal_of


@pytest.fixture
def matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a configuration and two matches, the newer one Carla's."""
    folder = tmp_path / "evenings"
    for name, light in (("2026-01-01", "Anna"), ("2026-02-02", "Carla")):
        (folder / name).mkdir(parents=True)
        journal_of(folder / name / "journal.db", light=light)
    (tmp_path / "pointsman.toml").write_text('[record]\nfolder = "evenings"\n')
    monkeypatch.chdir(tmp_path)
    return folder


READERS = [
    ("journal", "matches"),
    ("export", "--format", "text", "--out", "-"),
    ("statistics",),
    ("analyse", "--worst", 0, "--plies", 0),
]


@pytest.mark.parametrize("command", READERS, ids=lambda given: given[0])
def test_folder_and_journal_name_the_same_match(run: Run, matches: Path, command: tuple[object, ...]) -> None:
    folder = matches / "2026-01-01"
    said = run(*command, folder)
    assert "Anna" in said
    assert said == run(*command, folder / "journal.db")


@pytest.mark.parametrize("command", READERS, ids=lambda given: given[0])
def test_no_name_is_the_newest_match(run: Run, matches: Path, command: tuple[object, ...]) -> None:
    assert "Carla" in run(*command)
    assert "Carla" in run(*command, matches)


def test_statistics_run_over_every_match_of_a_folder(run: Run, matches: Path) -> None:
    for said in (run("statistics"), run("statistics", matches)):
        assert said.startswith("Matches: 2, ")
        assert "Anna" in said


def test_a_journal_in_the_current_folder_comes_before_the_configured_place(
    run: Run, matches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(matches / "2026-01-01")
    assert "Anna" in run("journal", "matches")


def test_checking_names_the_illegal_plays_of_a_match_folder(run: Run, matches: Path) -> None:
    assert "all legal" in run("check", matches / "2026-01-01")
    assert "all legal" in run("check")


def test_corrections_go_into_the_match_that_is_named(run: Run, matches: Path) -> None:
    folder = matches / "2026-01-01"
    assert "game 1, ply 3" in run("correct", "roll", folder, 3, "6-6")
    assert "game 1, ply 4" in run("correct", "play", folder / "journal.db", 4, "Cannot Move")
    assert "goes on from ply 10" in run("correct", "undo", folder, 10)
    assert "nothing with the cube" in run("correct", "cube", folder)
    assert len(run("correct", "list", folder).splitlines()) == 4
    with Journal(matches / "2026-02-02" / "journal.db", read_only=True) as other:
        assert "correction" not in {event.kind for event in other.events()}


def test_corrections_without_a_name_go_into_the_newest_match(run: Run, matches: Path) -> None:
    for arguments, said in (
        (("roll", 3, "6-6"), "game 1, ply 3"),
        (("cube", "double", "take", "--ply", 5), "before ply 5: double take"),
        (("score", 2, 1), "begins at light 2, dark 1"),
        (("result", "dark", 2), "won by dark, 2 points"),
        (("ruling", "it stands"), "ruling on game 1: it stands"),
        (("undo", 10), "goes on from ply 10"),
        (("undo",), "goes on from ply 9"),
        (("void", 1), "game 1 does not count"),
        (("revoke", 31), "correction 31 is taken back"),
    ):
        assert said in run("correct", *arguments)
    assert len(run("correct", "list").splitlines()) == 9
    with Journal(matches / "2026-02-02" / "journal.db", read_only=True) as newest:
        assert "correction" in {event.kind for event in newest.events()}


def test_one_of_several_matches_is_picked_by_its_id(run: Run, matches: Path) -> None:
    path = matches / "2026-02-02" / "journal.db"
    with Journal(path) as journal:
        journal.append("2", "bump", {}, utc="")
    assert "--match" in run("correct", "roll", matches / "2026-02-02", 3, "6-6", status=2)
    assert "ply 3" in run("correct", "roll", matches / "2026-02-02", 3, "6-6", "--match", "1")
    assert "ply 4" in run("correct", "roll", "1", 4, "6-6")
    assert "no match '7'" in run("correct", "roll", "7", 4, "6-6", status=2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("journal", "matches", "nowhere"), "nowhere"),
        (("journal", "matches", "."), "journal.db"),
        (("analyse", "evenings/2027"), "evenings/2027: there is no such match folder"),
        (("dispute", "evenings/2026-01-01"), "is not what this command takes"),
        (("correct", "roll", "evenings/2026-01-01", 3), "evenings/2026-01-01 3 is not what"),
        (("correct", "roll", "evenings/2026-01-01", "three", "6-6"), "PLY is a whole number"),
        (("correct", "undo", "evenings/2026-01-01", 3, 4), "evenings/2026-01-01 3 4 is not"),
        (("correct", "result", "evenings/2026-01-01"), "--help says what to give"),
    ],
    ids=lambda given: " ".join(map(str, given)) if isinstance(given, tuple) else "",
)
def test_what_names_no_match_is_one_sentence(
    run: Run, matches: Path, arguments: tuple[object, ...], said: str
) -> None:
    error = run(*arguments, status=2)
    assert said in error
    assert error.count("\n") == 1
    assert len(list(matches.iterdir())) == 2


def test_without_any_match_it_says_where_it_looked(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "There is no match in matches; name a match folder" in run("analyse", status=2)
