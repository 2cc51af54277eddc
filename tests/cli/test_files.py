"""`pointsman export`, `import` and `check` as people type them."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.cli import main
from controller.record.files.formats import Format, format_match, read_match_file
from controller.record.files.mat import mat_text
from controller.record.journal.journal import Journal
from controller.record.match.match import MatchRecord
from controller.record.match.match_log import MatchLog, read_match
from tests.cli.conftest import Run
from tests.record.files.test_gnubg_reads import TIDY, WILD
from tests.record.files.test_matread import XG
from tests.record.simulated import simulated


@pytest.fixture
def record() -> MatchRecord:
    return simulated(4, "standard-match", 3, TIDY)


@pytest.fixture
def journal(tmp_path: Path, record: MatchRecord) -> Path:
    path = tmp_path / "journal.db"
    with Journal(path) as opened:
        MatchLog(opened, "final", lambda: "2026-11-21T12:00:00Z").write(record)
    return path


@pytest.mark.parametrize("form", list(Format))
def test_a_match_of_a_journal_is_exported_in_every_form(
    run: Run, journal: Path, record: MatchRecord, form: Format, tmp_path: Path
) -> None:
    out = tmp_path / f"match.{form}"
    run("export", "--format", form, "--out", out, journal)
    assert out.read_bytes() == format_match(record, form)


def test_a_match_file_becomes_another(run: Run, tmp_path: Path, record: MatchRecord) -> None:
    first = tmp_path / "a.mat"
    first.write_text(mat_text(record), encoding="utf-8")
    for form in (Format.SGF, Format.OGXM, Format.JSON, Format.MAT):
        second = tmp_path / f"b.{form}"
        run("export", "--format", form, "--out", second, first)
        assert mat_text(read_match_file(second.read_bytes(), "b")) == mat_text(record)
        first = second


def test_the_match_must_be_named_where_there_are_several(run: Run, journal: Path, tmp_path: Path) -> None:
    with Journal(journal) as opened:
        MatchLog(opened, "other", lambda: "2026-11-21T12:00:00Z").write(simulated(5, "hubgf-match", 3, TIDY))
    out = tmp_path / "x.mat"
    said = run("export", "--format", "mat", "--out", out, journal, status=2)
    assert "holds 2 matches (final, other)" in said
    run("export", "--format", "mat", "--match", "other", "--out", out, journal)
    assert "standard" not in out.read_text(encoding="utf-8")
    assert "no match 'third'" in run(
        "export", "--format", "mat", "--match", "third", "--out", out, journal, status=2
    )


def test_an_imported_match_can_be_kept_in_a_journal(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "club night.mat"
    file.write_text(XG, encoding="utf-8")
    kept = tmp_path / "kept.db"
    said = run("import", file, "--journal", kept)
    assert "Ken (light) - XG-Intermediate (dark), single games" in said
    assert "'club night'" in said
    with Journal(kept, read_only=True) as opened:
        assert read_match(opened, "club night") == read_match_file(XG.encode(), "x")
    assert "already" in run("import", file, "--journal", kept, status=2)
    run("import", file, "--journal", kept, "--match", "again")


def test_check_names_game_ply_and_reason_and_ends_with_one(
    run: Run, tmp_path: Path, record: MatchRecord
) -> None:
    good, bad = tmp_path / "good.mat", tmp_path / "bad.mat"
    good.write_text(mat_text(record), encoding="utf-8")
    assert "all legal" in run("check", good)
    bad.write_text(
        " 5 point match\n\n Game 1\n A : 0                         B : 0\n"
        "  1) 31: 8/5 6/5              64: 24/14\n  2) 31: 8/5 7/6\n",
        encoding="utf-8",
    )
    run("check", bad, good, status=1)
    run("check", bad, "--all", status=1)


def test_check_tells_where_the_first_illegal_play_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = tmp_path / "bad.mat"
    bad.write_text(
        " 5 point match\n\n Game 1\n A : 0                         B : 0\n"
        "  1) 31: 8/5 6/5              64: 24/14\n  2) 31: 8/4 8/4\n",
        encoding="utf-8",
    )
    monkeypatch.setattr("sys.argv", ["pointsman", "check", str(bad)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    said = capsys.readouterr().out
    assert said.startswith(f"{bad}: game 1, ply 2 (light): ")
    assert len(said) > len(str(bad)) + 40


def test_check_goes_on_after_a_file_that_cannot_be_read_and_ends_with_two(run: Run, tmp_path: Path) -> None:
    good, broken = tmp_path / "good.mat", tmp_path / "broken.mat"
    good.write_text(XG, encoding="utf-8")
    broken.write_bytes(bytes(range(256)))
    said = run("check", broken, good, tmp_path / "missing.mat", status=2)
    assert "broken.mat is no text" in said
    assert "missing.mat: there is no such file" in said


def test_another_profile_judges_otherwise(run: Run, tmp_path: Path) -> None:
    record = simulated(2, "terebess-cap5", 3, WILD)
    file = tmp_path / "x.json"
    file.write_bytes(format_match(record, Format.JSON))
    own = run("import", file)
    other = run("import", file, "--profile", "standard-match")
    assert own != other
    assert "Not in order" in other


SLOVAK = " 5 point match\n\n Game 1\n \u017dofia : 0                  \u0160imek : 0\n  1) 31: 8/5 6/5\n"


def test_no_game_is_judged_by_the_rules_of_another(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "xg.mat"
    file.write_text(XG, encoding="utf-8")
    said = run("check", file, "--profile", "fevga", status=2)
    assert "Game 1 of the match is backgammon, and fevga are rules of fevga" in said
    assert "cannot judge it" not in run("check", file, "--profile", "portes", status=1)


def test_an_encoding_that_nothing_tells_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "slovak.mat"
    for encoding, told in (("windows-1250", True), ("utf-8", False)):
        file.write_bytes(SLOVAK.encode(encoding))
        monkeypatch.setattr("sys.argv", ["pointsman", "check", str(file)])
        with pytest.raises(SystemExit):
            main()
        said = capsys.readouterr().err
        assert ("is not UTF-8: it was read as cp1252" in said) == told
        assert ("--encoding" in said) == told


def test_an_encoding_can_be_asked_for(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "slovak.mat"
    file.write_bytes(SLOVAK.encode("windows-1250"))
    named = run("import", file, "--encoding", "windows-1250")
    assert "\u017dofia (light) - \u0160imek (dark)" in named
    assert "not UTF-8" not in named
    out = tmp_path / "out.json"
    run("export", "--format", "json", "--out", out, "--encoding", "windows-1250", file)
    assert "\u0160imek" in out.read_text(encoding="utf-8")


def test_shift_jis_is_read_where_it_is_named(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "japan.mat"
    file.write_bytes(SLOVAK.replace("\u017dofia", "\u7530\u4e2d").replace("\u0160", "S").encode("shift_jis"))
    assert "\u7530\u4e2d (light)" in run("import", file, "--encoding", "shift_jis")


def test_an_encoding_that_is_wrong_or_unknown_is_named(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "slovak.mat"
    file.write_bytes(SLOVAK.encode("windows-1250"))
    assert "is not written in ascii" in run("check", file, "--encoding", "ascii", status=2)
    assert "There is no encoding 'klingon'" in run("check", file, "--encoding", "klingon", status=2)
    assert "There is no encoding 'base64'" in run("import", file, "--encoding", "base64", status=2)


def test_what_nobody_confirmed_is_told_beside_what_is_legal(
    run: Run, record: MatchRecord, tmp_path: Path
) -> None:
    turn = next(turn for game in record.games for turn in game.turns)
    doubted = replace(turn, legal=None, probability=0.9)
    games = tuple(
        replace(game, entries=tuple(doubted if entry is turn else entry for entry in game.entries))
        for game in record.games
    )
    file = tmp_path / "match.json"
    file.write_bytes(format_match(replace(record, games=games), Format.JSON))
    assert "all legal (1 not confirmed)." in run("check", file)
