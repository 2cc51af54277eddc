"""`.mat` files as programs and people end them, and what is left out of them: nobody is accused without a cause."""

import pytest

from controller.record.files.formats import Format, format_match, read_match_file
from controller.record.files.mat import read_mat
from controller.record.files.match_text import MatchFileError
from controller.record.match.match import Act, MatchRecord
from controller.record.match.playthrough import RecordFault, objections
from controller.rules.game.events import (
    Doubled,
    Passed,
    ResignationAccepted,
    Resigned,
    Rolled,
    Taken,
)
from controller.rules.position import START, Position, Roll, Side
from tests.rows import each_row

HEAD = " 7 point match\n\n Game 1\n Anna : {light}                         Bela : {dark}\n"
ROW = "  1) 31: 8/5 6/5              64: 24/14\n"
WON = """ 11 point match

 Game 1
 finch4 : 0                         wren_87 : 3
  1)                                 36: 24/18 13/10
  2) 52: 6/1* 24/22                  33: 25/22 6/3* 6/3 13/10
  3) 14: 25/21 8/7*                  14: 25/24* 22/18*
  4) 25: 25/20 25/23                 21: 6/5* 24/22
"""
"""The beginning of a game that was played on a server."""


def read(rows: str, light: int = 0, dark: int = 0) -> MatchRecord:
    return read_mat(HEAD.format(light=light, dark=dark) + rows, "x.mat")


def acts(record: MatchRecord, game: int = 0) -> list[object]:
    return [entry.event for entry in record.games[game].entries if isinstance(entry, Act)]


def told(record: MatchRecord) -> list[tuple[RecordFault, int | None, Side | None, str]]:
    return [(each.fault, each.ply, each.player, each.text) for each in objections(record)]


def assert_stable(record: MatchRecord) -> None:
    """What was read is written and read again as the same, in every form."""
    for form in (Format.MAT, Format.SGF, Format.OGXM, Format.JSON):
        data = format_match(record, form)
        assert format_match(read_match_file(data, "f"), form) == data


@each_row("score", [1, 3, 5])
@each_row("capped_at", ["the points needed", "the length of the match"])
def test_a_last_game_may_be_told_with_no_more_points_than_the_match_has(score: int, capped_at: str) -> None:
    """Galaxy tells 7 points where 6 were needed and a backgammon with the cube on 4 counted 12."""
    cube = "  2)  Doubles => 2                 Takes\n  3) 31: 13/9                   Doubles => 4\n"
    cube += "  4)  Takes                     21: 13/10\n"
    points = 7 if capped_at == "the length of the match" else 7 - score
    rows = ROW + cube + f"  5) 64: ????\n                              Wins {points} point and the match\n"
    record = read(rows, dark=score)
    assert told(record) == []
    [game] = record.games
    assert game.result is not None
    assert (game.result.winner, game.result.points) == (Side.DARK, points)
    assert isinstance(acts(record)[-2], Resigned)
    assert_stable(record)


def test_a_result_between_two_that_a_loser_can_lose_at_once_is_never_raised() -> None:
    """With the cube on 4 a game counts 4, 8 or 12: told as 9 points of the 7 that were needed, it is no 12."""
    cube = "  2)  Doubles => 2                 Takes\n  3) 31: 13/9                   Doubles => 4\n"
    cube += "  4)  Takes                     21: 13/10\n"
    record = read(ROW + cube + "  5) 64: ????\n                              Wins 9 points\n")
    [game] = record.games
    assert game.result is not None
    assert (game.result.winner, game.result.points) == (Side.DARK, 9)
    assert_stable(record)


def test_a_game_that_was_played_out_may_be_told_with_the_length_of_the_match() -> None:
    """A gammon with the cube on 4: 8 points, of which 6 were needed in a match to 7."""
    cube = "  1)  Doubles => 2                 Takes\n  2) 21: 1/off(2)                Doubles => 4\n"
    rows = cube + "  3)  Takes                        21: 6/4 6/5\n  4) 65: 1/off                   {wins}\n"
    for points, fine in ((8, True), (7, True), (6, True), (4, False), (5, False)):
        text = rows.format(wins="") + f"      Wins {points} point and the match\n"
        record = read_mat(begins("C.................cccbbb..") + HEAD.format(light=1, dark=0) + text, "x")
        assert [each.fault for each in objections(record)] == ([] if fine else [RecordFault.RESULT])


def begins(board: str) -> str:
    """The remark of ours that sets a board."""
    return f'; [Note "Game 1, ply 0: the game begins at {board}"]\n'


@each_row(
    ("rows", "loser"),
    [
        ("  2) 32: Concedes               Wins 1 point\n", Side.LIGHT),
        ("  2) 32: Concedes\n                               Wins 1 point\n", Side.LIGHT),
        ("  2) 32:  Concedes\n", Side.LIGHT),
        ("  2) 32: Resigns 1 point\n                               Wins 1 point\n", Side.LIGHT),
        ("  2) 21: 13/11 6/5              32: Concedes\n      Wins 1 point\n", Side.DARK),
        ("  2) 21: 13/11 6/5              32: Concedes\n", Side.DARK),
    ],
)
def test_a_player_may_concede_after_the_roll(rows: str, loser: Side) -> None:
    record = read(ROW + rows)
    assert acts(record) == [
        Rolled(loser, Roll.from_dice(3, 2)),
        Resigned(loser, 1),
        ResignationAccepted(loser.opponent),
    ]
    assert told(record) == []
    assert_stable(record)


@pytest.mark.parametrize(
    ("rows", "winner"),
    [
        ("  2) ????                       Wins 1 point\n", Side.DARK),
        ("  2) ????\n                               Wins 1 point\n", Side.DARK),
        ("  2) 21: 13/11 6/5              ????\n      Wins 1 point\n", Side.LIGHT),
        ("  2) 21: 13/11 6/5              ???\n  3)  Wins 1 point\n", Side.LIGHT),
    ],
)
def test_question_marks_without_dice_are_no_roll(rows: str, winner: Side) -> None:
    record = read(ROW + rows)
    assert acts(record) == [Resigned(winner.opponent, 1), ResignationAccepted(winner)]
    assert told(record) == []


def test_a_play_that_is_left_out_is_missed_and_the_other_is_not_blamed() -> None:
    record = read("  1) 31: 8/5 6/5              62:\n  2) 21: 13/11 6/5              41: 13/9 6/5\n")
    assert told(record) == [
        (RecordFault.MISSING, 1, Side.DARK, "Dark's play of 6-2 is missing (14 are legal).")
    ]
    assert_stable(record)


def test_question_marks_in_the_middle_of_a_game_are_a_play_that_is_left_out() -> None:
    record = read("  1) 31: 8/5 6/5              62: ????\n  2)  Doubles => 2               Takes\n")
    assert acts(record)[0] == Rolled(Side.DARK, Roll.from_dice(6, 2))
    assert told(record) == [
        (RecordFault.MISSING, 1, Side.DARK, "Dark's play of 6-2 is missing (14 are legal).")
    ]


def test_a_whole_turn_that_is_left_out_is_missed() -> None:
    record = read("  1) 31: 8/5 6/5\n  2) 21: 13/11 6/5              41: 13/9 6/5\n")
    assert told(record) == [(RecordFault.MISSING, 1, Side.DARK, "Dark's turn is missing.")]
    assert_stable(record)


@pytest.mark.parametrize(
    "rows",
    [
        "  1) 31: 8/5 6/5\n  2)  Doubles => 2               Takes\n  3) 21: 13/11 6/5\n",
        "  1) 31: 8/5 6/5\n  2) 42:                         61: 13/7 8/7\n  3) 21: 13/11 6/5\n",
    ],
)
def test_a_turn_that_is_left_out_before_a_double_or_a_blank_roll_is_missed(rows: str) -> None:
    record = read(rows)
    assert told(record) == [(RecordFault.MISSING, 1, Side.DARK, "Dark's turn is missing.")]
    assert_stable(record)


def test_a_turn_that_nobody_could_have_played_is_not_missed() -> None:
    """Some programs write nothing at all for who is closed out."""
    board = begins("BBBBBBC...........cccbba.a")
    record = read_mat(board + HEAD.format(light=0, dark=0) + "  1) 21: 7/5 7/6\n  2) 21: 7/5 6/5\n", "x")
    assert told(record) == []


def test_after_a_play_that_is_left_out_a_play_that_it_explains_is_legal() -> None:
    """Dark's 6-2 is not told; that 24/18 was played is plain when 18/16 follows, and nobody is accused of it."""
    rows = "  1) 31: 8/5 6/5              62:\n  2) 21: 13/11 6/5              21: 18/16 6/5\n"
    record = read(rows)
    assert [each.fault for each in objections(record)] == [RecordFault.MISSING]
    assert [turn.text for turn in record.games[0].turns] == ["8/5 6/5", "13/11 6/5", "18/16 6/5"]
    assert all(turn.legal for turn in record.games[0].turns)
    assert_stable(record)


def test_after_a_play_that_is_left_out_what_fits_nothing_is_kept_as_a_remark_and_accuses_nobody() -> None:
    rows = "  1) 31: 8/5 6/5              62:\n  2) 21: 20/18 3/2\n"
    record = read(rows)
    assert [each.fault for each in objections(record)] == [RecordFault.MISSING]
    assert acts(record) == [Rolled(Side.DARK, Roll.from_dice(6, 2)), Rolled(Side.LIGHT, Roll.from_dice(2, 1))]
    assert record.remarks == (
        "Game 1, ply 1, light 21: 20/18 3/2 fits no position that the plays told may lead to",
    )
    assert not any(not turn.legal for turn in record.games[0].turns)
    assert_stable(record)


UNTOLD = """  1)                             31: 6/3 3/2
  2) 43: 24/20 13/10             63: 24/18 8/5*
  3) 21: 25/23* 6/5              42:
  4) 65: 25/20* 20/14            22: 25/23 18/16 13/11* 11/9
  5) 42: 25/23 8/4               53: 23/18 9/6
  6) 62: 24/18 8/6               52: 16/11 6/4
  7) 54: 18/14* 14/9             65: 25/20 20/14
  8) 52: 10/8 6/1                21:
  9) 54: 13/9 6/1                54: 18/13 13/9
 10) 43: 13/10 13/9              62: 7/1 6/4
 11) 41: 9/5 6/5                 65: 14/9 13/7
 12) 43: 9/5 8/5                 61: 13/12* 12/6
 13) 43: 25/22 5/1               43: 22/18 7/4
 14) 54: 23/18* 5/1              53: 25/22 6/1
 15) 52: 18/13 8/6               54: 22/17 8/4
 16) 51: 10/5 6/5                61: 18/17 8/2*
"""
"""As gnubg writes a game in which an illegal play of 42 was left standing: it says itself that it cannot tell it."""


def test_a_board_that_only_a_legal_play_would_have_led_to_accuses_nobody_later() -> None:
    """What was left out was illegal; the one board that the next plays fit otherwise was never on the table."""
    record = read(UNTOLD)
    assert [fault for fault, *_ in told(record)] == [RecordFault.MISSING]
    assert any("fits no position" in remark for remark in record.remarks)
    assert_stable(record)


def test_an_illegal_play_that_is_not_told_accuses_nobody_of_what_follows() -> None:
    record = read("  1) 31: Illegal play         64: 24/14\n  2) 21: 5/3 2/1\n")
    assert {each.fault for each in objections(record)} <= {RecordFault.MISSING}


@pytest.mark.parametrize("rows", ["  1) 62:\n", "  1)                            62:\n", "  1) 62: ????\n"])
def test_a_file_that_ends_with_its_first_roll_is_in_order(rows: str) -> None:
    record = read(rows)
    assert [type(event) for event in acts(record)] == [Rolled]
    assert told(record) == []
    assert_stable(record)


def test_who_resigns_after_the_first_roll_lost_the_game() -> None:
    record = read("  1) 62: ????\n                               Wins 1 point\n")
    assert told(record) == []
    assert acts(record) == [
        Rolled(Side.LIGHT, Roll.from_dice(6, 2)),
        Resigned(Side.LIGHT, 1),
        ResignationAccepted(Side.DARK),
    ]


@each_row("play", ["25/19", "13/9 13/11", "4/2", "18/12 18/14 8/4", "24/18"])
def test_a_last_play_that_is_no_whole_one_is_a_resignation(play: str) -> None:
    """A server wrote `64: 22/16` and then the other's win: the player gave up in the middle of the turn."""
    rows = f"  5) 64: {play:<32}\n                                       Wins 4 points\n"
    record = read_mat(WON + rows, "x")
    assert told(record) == []
    assert acts(record)[-2:] == [Resigned(Side.LIGHT, 3), ResignationAccepted(Side.DARK)] or acts(record)
    assert all(turn.legal for turn in record.games[0].turns)
    assert record.games[0].result is not None
    assert record.games[0].result.winner is Side.DARK
    if Rolled(Side.LIGHT, Roll.from_dice(6, 4)) in acts(record):
        assert record.remarks[0].startswith("Game 1, ply 7, light 64: ")
    assert_stable(record)


def test_an_illegal_play_that_the_game_went_on_from_is_still_found() -> None:
    record = read_mat(WON + "  5) 64: 13/9 13/11                21: 6/4 6/5\n", "x")
    assert [(each.fault, each.ply, each.player) for each in objections(record)] == [
        (RecordFault.ILLEGAL_PLAY, 7, Side.LIGHT)
    ]


SET = """; [Site "eXtreme Gammon"]
; [Crawford "On"]

11 point match

 Game 1
 Nathaniel : 0          Karen : 1
; Set Pos=----cBD-D-B--A--Abcdc---A-/0
  1) 21: 16/15 15/13             61: 7/1 6/5
  2) 11: 25/24 8/7 8/7 6/5       32: 25/22 5/3
  3)  Doubles => 2                Takes
  4) 65: 13/7 13/8               55: 21/16 16/11 11/6 8/3
"""


def test_a_game_that_begins_from_a_set_position_is_played_from_there() -> None:
    record = read_mat(SET, "x")
    assert told(record) == []
    assert record.games[0].start == Position.from_compact("...cBD.D.B..A..Abcdc...A..")


def test_a_set_position_that_was_reached_already_changes_nothing() -> None:
    text = SET.replace("----cBD-D-B--A--Abcdc---A-", "-b----E-C---eE---c-e----B-")
    rows = text[: text.index("  1) ")] + "  1) 31: 8/5 6/5               64: 24/14\n"
    record = read_mat(rows, "x")
    assert record.games[0].start == START
    assert told(record) == []


def test_a_set_position_that_cannot_be_read_is_kept_as_a_remark() -> None:
    record = read_mat(SET.replace("----cBD-D-B--A--Abcdc---A-", "nonsense"), "x")
    assert record.remarks[0].startswith("Not understood: ; Set Pos=nonsense/0")


MARKED = """ 11 point match

 Game 1
 Michael Dixon : 10              Bob Zanders : 9
  1) 25: Illegal play (11;0;1;0;0;Bob Zanders;Michael Dixon;0;9;10;1;0;0;1;1;2;2;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;-1;0;0;-2;0;0;6;6;)  Doubles => 2
  2)  Takes                      66: 4/0 4/0 3/0 3/0
                                  Wins 2 points and the match
"""  # noqa: E501


def test_a_game_of_which_only_the_last_position_is_left_accuses_nobody() -> None:
    record = read_mat(MARKED, "x")
    assert [each.fault for each in objections(record)] == [RecordFault.GAP]
    assert [type(event) for event in acts(record)][:2] == [Doubled, Taken]
    assert record.games[0].result is not None
    assert record.games[0].result.winner is Side.DARK


@pytest.mark.parametrize(
    "rows",
    [
        "      Wins 1 point and the      Match\n",
        "  2)  Wins 1 point and the      match\n",
        "      Wins 1 point\n      and the match\n",
    ],
)
def test_the_end_of_the_match_may_be_spaced_in_any_way(rows: str) -> None:
    record = read(ROW + rows, light=6)
    assert told(record) == []
    assert record.remarks == ()
    assert record.games[0].result is not None


@pytest.mark.parametrize(
    "text",
    [
        " +13-14-15-16-17-18------19-20-21-22-23-24-+   O: Gruen  52\n"
        " Position-ID: b9sBCIC5bYDQAA    Match-ID: QYnoAGAAGAAE\n",
        "XGID=---BBaB-BbA-bC-b--BdAca---:0:0:1:00:0:5:0:9:10\n\nX:Player 1   O:Player 2\n",
    ],
)
def test_a_position_is_not_taken_for_a_damaged_match(text: str) -> None:
    with pytest.raises(MatchFileError, match=r"^p\.txt holds a position and no match; "):
        read_mat(text, "p.txt")


@pytest.mark.parametrize("line", ["Money session", " Unlimited match", "money game:"])
def test_a_money_session_may_be_called_so(line: str) -> None:
    record = read_mat(HEAD.format(light=0, dark=0).replace(" 7 point match", line) + ROW, "x")
    assert record.length == 0
    assert told(record) == []


def test_a_double_that_nobody_answered_before_the_doublers_win_was_passed() -> None:
    record = read(ROW + "  2)  Doubles => 2\n      Wins 1 point\n")
    assert acts(record) == [Doubled(Side.LIGHT), Passed(Side.DARK)]
    assert told(record) == []
