"""`.mat` files in the dialects of many programs: none refused, no false objection, and gnubg sees the same match."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from controller.record.files.foreign import common_profile
from controller.record.files.formats import Format, format_match, read_match_file
from controller.record.files.mat import mat_text, read_mat
from controller.record.files.match_text import MatchFileError
from controller.record.match.match import Act, MatchRecord
from controller.record.match.playthrough import RecordFault, objections
from controller.rules.game.events import (
    MatchForfeited,
    Passed,
    ResignationAccepted,
    Resigned,
    Rolled,
)
from controller.rules.game.scoring import Ending
from controller.rules.position import Side
from controller.rules.profile.profile import Layout
from tests.amounts import amount
from tests.record.files.dialects import DIALECTS, dialect_text
from tests.record.files.test_gnubg_reads import WILD
from tests.record.gnubg import complaints, import_all, run_commands
from tests.record.simulated import Habits, simulated
from tests.rows import each_row

SERVER = Habits(double=0.15, resign=0.02, longest=400)
SEEN_BY_GNUBG = ("galaxy", "unrolled", "fibs", "padded")
"""The dialects that gnubg 1.07 takes as they are meant."""


@cache
def served(seed: int, layout: Layout = Layout.BACKGAMMON) -> MatchRecord:
    record = simulated(seed, common_profile(beaver=False, layout=layout), 5 if seed % 3 else 0, SERVER)
    return replace(record, light="anna_k", dark="bela99")


@each_row("dialect", DIALECTS)
def test_every_dialect_is_read_without_a_false_objection_and_comes_back_to_the_byte(dialect: str) -> None:
    for seed in range(amount(2, 12)):
        record = served(seed)
        again = read_match_file(dialect_text(record, DIALECTS[dialect]).encode(), "f")
        assert list(objections(again)) == []
        assert again.remarks == ()
        for game, meant in zip(again.games, record.games, strict=True):
            plays = [turn.after for turn in meant.played]
            assert [turn.after for turn in game.turns][: len(plays)] == plays
        for form in (Format.MAT, Format.SGF, Format.OGXM, Format.JSON):
            data = format_match(again, form)
            assert format_match(read_match_file(data, "f"), form) == data


@pytest.mark.parametrize("dialect", SEEN_BY_GNUBG)
def test_gnubg_sees_the_same_match_in_our_export_as_in_the_original(dialect: str, tmp_path: Path) -> None:
    originals = [dialect_text(served(seed), DIALECTS[dialect]) for seed in range(amount(6, 12))]
    exports = [mat_text(read_match_file(text.encode(), "f")) for text in originals]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    _, theirs = import_all(originals, tmp_path / "a")
    said, ours = import_all(exports, tmp_path / "b")
    assert complaints(said) == []
    assert [match.games for match in ours] == [match.games for match in theirs]


HEAD = " 5 point match\n\n Game 1\n Anna : 0                         Bela : 0\n"
ROW = "  1) 31: 8/5 6/5              64: 24/14\n"


def read(rows: str, head: str = HEAD) -> MatchRecord:
    return read_mat(head + rows, "x.mat")


def acts(record: MatchRecord, game: int = 0) -> list[object]:
    return [entry.event for entry in record.games[game].entries if isinstance(entry, Act)]


@each_row(
    "rows",
    [
        "  2) Losses 1 point             Wins 1 point\n",
        "  2)  Losses 1 point\n                                Wins 1 point\n",
        "  2) Concedes\n                               Wins 1 point\n",
        "  2) Concedes\n",
        "  2) Resigns                    Wins 1 points\n",
        "  2) Resign normal\n",
        "  2) 00: ????                   Wins 1 point\n",
        "  2.  Losses 1 point            Wins 1 point\n",
        "      Losses 1 point            Wins 1 point\n",
    ],
)
def test_a_resignation_is_read_however_it_is_told(rows: str) -> None:
    record = read(ROW + rows)
    assert acts(record) == [Resigned(Side.LIGHT, 1), ResignationAccepted(Side.DARK)]
    assert record.games[0].result is not None
    assert (record.games[0].result.winner, record.games[0].result.points) == (Side.DARK, 1)
    assert list(objections(record)) == []


def test_the_winners_word_counts_more_than_the_losers() -> None:
    record = read(ROW + "  2) Concedes                   Wins 2 points\n")
    assert acts(record) == [Resigned(Side.LIGHT, 2), ResignationAccepted(Side.DARK)]


def test_an_empty_cell_is_the_only_legal_play() -> None:
    rows = "  1) 66: 24/18(2) 13/7(2)     66:\n  2) 21: 8/5\n"
    [game] = read(rows).games
    assert [turn.text for turn in game.turns] == ["24/18(2) 13/7(2)", "8/2(3)", "8/5"]
    forced = ROW.replace("64: 24/14", "66: 13/7(2)") + "  2) 55: 8/3(2) 6/1(2)           65:\n"
    assert [type(event) for event in acts(read(forced))] == [Rolled]


@each_row(
    ("score", "cube", "told", "counted"),
    [
        ("4", "", "Wins 1 point", 1),
        ("3", "", "Wins 2 points and the match", 2),
        ("3", "  2)  Doubles => 2             Takes\n", "Wins 2008 point", 6),
        ("0", "", "Wins 2008 point", 5),
        ("0", "", "Wins 5 points and the match", 5),
    ],
)
def test_a_result_is_capped_at_what_the_match_needs(score: str, cube: str, told: str, counted: int) -> None:
    head = HEAD.replace("Anna : 0", f"Anna : {score}")
    record = read(ROW + cube + f"      {told}\n", head)
    assert list(objections(record)) == []
    [game] = record.games
    assert game.result is not None
    assert game.result.points == counted
    said = next(int(word) for word in told.split() if word.isdecimal())
    assert bool(record.remarks) == (said != counted)
    assert mat_text(read_mat(mat_text(record), "x")) == mat_text(record)


def test_more_than_a_game_can_count_forfeits_the_match() -> None:
    record = read(ROW + "      Wins 5 points and the match\n")
    assert acts(record) == [MatchForfeited(Side.DARK)]


def test_a_result_that_is_wrong_is_still_found() -> None:
    rows = ROW + "  2)  Doubles => 2                 Drops\n      Wins 2 points\n"
    assert [objection.fault for objection in objections(read(rows))] == [RecordFault.RESULT]


def test_a_result_that_is_left_out_is_that_of_the_board_or_the_cube() -> None:
    record = read(ROW + "  2)  Doubles => 2                 Drops\n")
    result = record.games[0].result
    assert result is not None
    assert (result.winner, result.points, result.ending) == (Side.LIGHT, 1, Ending.DROPPED)
    assert list(objections(record)) == []


def test_a_result_beside_the_pass_is_the_doublers() -> None:
    record = read(ROW + "  2)  Doubles => 2                 Drops   Wins 1 point\n")
    result = record.games[0].result
    assert result is not None
    assert (result.winner, result.points) == (Side.LIGHT, 1)
    assert acts(record)[-1] == Passed(Side.DARK)


@pytest.mark.parametrize(
    "rows",
    [
        "     Doubles => 2                Takes\n  3) 64: 24/14\n",
        "  2) Double ==> 2                Take\n  3) 64: 24/14\n",
        "  2) Doubles => 2 Takes\n  3) 64: 24/14\n",
        "  2)  doubles => 2\n  3)                              TAKES\n  4) 64: 24/14\n",
    ],
)
def test_words_of_the_cube_are_read_in_every_spelling(rows: str) -> None:
    record = read(ROW + rows)
    assert [type(event).__name__ for event in acts(record)] == ["Doubled", "Taken"]
    assert record.games[0].turns[-1].text == "24/14"
    assert list(objections(record)) == []


def test_a_play_that_went_backwards_is_an_illegal_play() -> None:
    record = read(ROW + "  2) 64: 13/9 6/8\n")
    turn = record.games[0].turns[-1]
    assert not turn.legal
    assert turn.after.checkers(Side.LIGHT, 8) == 3
    assert mat_text(read_mat(mat_text(record), "x")) == mat_text(record)


def test_a_rating_after_a_comma_stays_where_gnubg_looks_for_it(tmp_path: Path) -> None:
    head = HEAD.replace("Anna :", "Anna, 1650.23 :").replace("Bela :", "Bela, 1712.5 :")
    text = mat_text(read(ROW, head))
    assert " Anna, 1650.23 : 0 " in text
    (tmp_path / "x.mat").write_text(text, encoding="utf-8")
    run_commands(["import mat x.mat", "save match x.sgf"], tmp_path)
    saved = (tmp_path / "x.sgf").read_text(encoding="utf-8")
    assert "PW[Anna]PB[Bela]WR[ 1650.23]BR[ 1712.5]" in saved


@pytest.mark.parametrize("told", [True, False])
def test_nackgammon_is_recognised(told: bool) -> None:
    for seed in range(6):
        text = mat_text(served(seed, Layout.NACKGAMMON))
        if not told:
            text = "".join(line for line in text.splitlines(True) if "[Variation" not in line)
        again = read_mat(text, "x")
        assert again.profile(0).opening.layout is Layout.NACKGAMMON
        assert list(objections(again)) == []


def test_what_gnubg_exports_of_nackgammon_is_recognised(tmp_path: Path) -> None:
    (tmp_path / "n.mat").write_text(mat_text(served(1, Layout.NACKGAMMON)), encoding="utf-8")
    run_commands(["import mat n.mat", "export match mat o.mat", "save match o.sgf"], tmp_path)
    for name in ("o.mat", "o.sgf"):
        again = read_match_file((tmp_path / name).read_bytes(), name)
        assert again.profile(0).opening.layout is Layout.NACKGAMMON
        assert {objection.fault for objection in objections(again)} <= {RecordFault.RESULT}


def test_a_double_in_what_would_be_the_crawford_game_tells_that_the_rule_was_not_played() -> None:
    head = HEAD.replace("Anna : 0", "Anna : 3") + ROW + "      Wins 1 point\n"
    head += HEAD.removeprefix(" 5 point match\n").replace("Game 1", "Game 2").replace("Anna : 0", "Anna : 4")
    doubled = ROW + "  2) 21: 13/11 6/5\n                                 Doubles => 2\n  3)  Takes\n"
    assert list(objections(read(doubled, head))) == []
    ruled = read(doubled, '; [Crawford "On"]\n' + head)
    assert [objection.fault for objection in objections(ruled)][:1] == [RecordFault.REFUSED]


def test_a_second_match_in_a_file_is_told_and_left_out() -> None:
    record = read(ROW + "      Wins 1 point\n\n 3 point match\n\n Game 1\n C : 0       D : 0\n" + ROW)
    assert len(record.games) == 1
    assert record.remarks == ("Another match begins in the file; it is not read",)


def test_a_row_longer_than_any_is_refused() -> None:
    with pytest.raises(MatchFileError, match="line 5: it has 20004 characters"):
        read("  1)" + " " * 19_999 + "x\n")


@pytest.mark.parametrize("profile", ["hunbg-club", "terebess"])
def test_gnubg_keeps_every_game_of_a_match_that_it_counts_otherwise(profile: str, tmp_path: Path) -> None:
    records = [
        simulated(seed, profile, 5, replace(WILD, resign=0.08, double=0.3)) for seed in range(amount(8, 40))
    ]
    texts = [mat_text(record) for record in records]
    said, understood = import_all(texts, tmp_path)
    assert complaints(said) == []
    assert [len(match.games) for match in understood] == [len(record.games) for record in records]
    if profile == "hunbg-club":
        assert any("\n 0 point match\n" in text and '; [Length "5"]' in text for text in texts)
        assert any("GNU Backgammon counts" in text for text in texts)
    for record, text in zip(records, texts, strict=True):
        again = read_mat(text, "x")
        assert again.length == 5
        assert mat_text(again) == text
        assert [game.result and game.result.points for game in again.games] == [
            game.result and game.result.points for game in record.games
        ]
