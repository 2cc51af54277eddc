"""`.mat` files read back: our own to the byte, and those of other programs with what is wrong in them."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from controller.record.files.mat import mat_text, read_mat
from controller.record.files.match_text import MatchFileError
from controller.record.match.match import Act, MatchRecord, Turn
from controller.record.match.playthrough import RecordFault, objections
from controller.rules.game.events import (
    Beavered,
    Doubled,
    Passed,
    ResignationAccepted,
    Resigned,
    Rolled,
    Taken,
)
from controller.rules.game.scoring import Ending
from controller.rules.position import Roll, Side
from tests.amounts import amount
from tests.record.files.test_gnubg_reads import KINDS, WILD, course, matches
from tests.record.gnubg import run_commands
from tests.record.simulated import simulated
from tests.rows import each_row

OTHER_RULES = {
    "hunbg-club": ("hunbg-club", 9, WILD),
    "terebess": ("terebess", 7, WILD),
    "terebess-cap5": ("terebess-cap5", 5, WILD),
    "sk-box": ("sk-box", 5, WILD),
}
OTHER_SEEDS = amount((1, 9), range(8))
"""These two of each have all acts and results that the first four have."""


@cache
def records_of(kind: str) -> list[MatchRecord]:
    """Matches of `KINDS` or of `OTHER_RULES`."""
    if kind in KINDS:
        return matches(kind)
    profile, length, habits = OTHER_RULES[kind]
    return [simulated(seed, profile, length, habits) for seed in OTHER_SEEDS]


def told(record: MatchRecord) -> list[list[str]]:
    return [list(course(game)) for game in record.games]


@each_row("kind", [*KINDS, *OTHER_RULES])
def test_our_own_files_come_back_to_the_byte(kind: str) -> None:
    for record in records_of(kind):
        text = mat_text(record)
        again = read_mat(text, "x.mat")
        assert mat_text(again) == text
        assert told(again) == told(record)
        assert again.terms == record.terms
        assert [game.start for game in again.games] == [game.start for game in record.games]
        for game, other in zip(record.games, again.games, strict=True):
            assert [turn.legal for turn in game.played] == [turn.legal for turn in other.played]
            if game.result and game.result.ending in (Ending.PLAYED, Ending.DROPPED):
                assert other.result == game.result
        faults = {objection.fault for objection in objections(again)}
        assert faults <= {RecordFault.ILLEGAL_PLAY}


def test_what_gnubg_writes_is_read_as_the_same_match(tmp_path: Path) -> None:
    records = [record for kind in ("tidy match", "money") for record in matches(kind)[:20]]
    commands = []
    for number, record in enumerate(records):
        (tmp_path / f"{number}.mat").write_text(mat_text(record), encoding="utf-8")
        commands += [f"import mat {number}.mat", f"export match mat out{number}.mat"]
    run_commands(commands, tmp_path)
    for number, record in enumerate(records):
        text = (tmp_path / f"out{number}.mat").read_text(encoding="utf-8")
        if any(game.result is None for game in record.games) or any(
            isinstance(entry, Act) and isinstance(entry.event, Rolled)
            for game in record.games
            for entry in game.entries
        ):
            continue  # gnubg writes neither games broken off nor rolls that were not played as it reads them
        again = read_mat(text, "x.mat")
        for game, other in zip(record.games, again.games, strict=True):
            wanted = [part for part in course(game) if not part.endswith("take")]
            assert [part for part in course(other) if not part.endswith("take")] == wanted
            assert other.result == game.result or game.result is None or other.result is not None


def test_a_game_that_gnubg_wrote_as_broken_off_is_read_with_the_game_behind_it(tmp_path: Path) -> None:
    """It begins no line there: `20) 21: 6/5 5/3   42: 7/5* 6/2  Game 2`."""
    record = next(
        match
        for match in matches("tidy match")
        if any(game.result is None and game.turns for game in match.games[:-1])
    )
    (tmp_path / "in.mat").write_text(mat_text(record), encoding="utf-8")
    run_commands(["import mat in.mat", "export match mat out.mat"], tmp_path)
    text = (tmp_path / "out.mat").read_text(encoding="utf-8")
    assert re.search(r"\d\) .* Game \d", text)
    again = read_mat(text, "out.mat")
    assert [(game.light_score, game.dark_score, game.end) for game in again.games] == [
        (game.light_score, game.dark_score, game.end) for game in record.games
    ]
    assert [game.result for game in again.games] == [game.result for game in record.games]
    assert list(objections(again)) == []


XG = """; [Site "XG Mobile"]
; [Match ID "491989142"]
; [Player 1 "Ken"]
; [Player 2 "XG-Intermediate"]
; [Player 1 Elo "1522.94/244"]
; [EventDate "2022.12.24"]
; [Variation "Backgammon"]
; [Jacoby "On"]
; [Beaver "Off"]
; [CubeLimit "1024"]

0 point match

 Game 1
 Ken : 0                              XG-Intermediate : 0
  1)                                  15: 24/23 23/18
  2) 21: 13/11 8/7                    64: 25/21* 24/18
  3) 41: 25/24 11/7                   51: 25/20 21/20
  4)  Doubles => 2                     Takes
  5) 42: 24/20 8/6                    65: ????
  6)  Wins 2 points

 Game 2
 XG-Intermediate : 0                  Ken : 2
  1) 33: 8/5 8/5 6/3 6/3              22: 24/22(2) 6/4(2)
     Wins 1 point and the match
"""


def test_a_file_of_xg_is_read() -> None:
    record = read_mat(XG, "xg.mat")
    assert (record.light, record.dark, record.facts.place) == ("Ken", "XG-Intermediate", "XG Mobile")
    assert record.length == 0
    rules = record.profile(0)
    assert (rules.cube.jacoby, rules.cube.beaver, rules.cube.max) == (True, False, 1024)
    first, second = record.games
    assert [turn.text for turn in first.turns][:2] == ["24/18", "13/11 8/7*"]
    events = [entry.event for entry in first.entries if isinstance(entry, Act)]
    assert events == [
        Doubled(Side.LIGHT),
        Taken(Side.DARK),
        Rolled(Side.DARK, Roll.from_dice(6, 5)),
        Resigned(Side.DARK, 1),
        ResignationAccepted(Side.LIGHT),
    ]
    assert second.turns[0].player is Side.DARK
    assert (second.light_score, second.dark_score) == (2, 0)
    assert second.result is not None
    assert second.result.winner is Side.DARK


DIALECT = """\ufeff# some program's comment
; [Round Robin]
 7 Point Match

Game 1
Anna B : 3\t\t\tBela : 5
 1) 64: 24/14\t\t\t31 bar/24
 2) 13: 8/5 6/5 52: 13/8 13/11
 3) 22: 24/22(2) 6/4(2)  Doubles => 2
 4)    Takes                             66: Cannot Move
 5) 53: 8/3 6/3                          44:
 6) 61: 13/7 8/7   REDOUBLES => 4
 7)  Drops                               Wins 2 points
"""


def test_other_dialects_are_read() -> None:
    record = read_mat(DIALECT.removeprefix("\ufeff"), "d.mat")
    [game] = record.games
    assert record.length == 7
    assert (record.light, game.light_score, game.dark_score) == ("Anna B", 3, 5)
    assert [turn.player for turn in game.turns[:4]] == [Side.LIGHT, Side.DARK] * 2
    assert not game.turns[1].legal
    assert game.turns[2].legal
    acts = [type(entry.event) for entry in game.entries if isinstance(entry, Act)]
    assert acts == [Doubled, Taken, Rolled, Rolled, Doubled, Passed]
    told = "Game 1, ply 7, light 61: 13/7 8/7 fits no position that the plays told may lead to"
    assert record.remarks == (told,)


def test_an_illegal_play_is_kept_with_what_it_led_to() -> None:
    text = XG.replace("13/11 8/7 ", "13/10 8/7 ")
    record = read_mat(text, "x.mat")
    turn = record.games[0].turns[1]
    assert (turn.legal, turn.stands, turn.play, turn.text) == (False, True, None, "13/10 8/7")
    assert turn.reasons
    assert turn.after.checkers(Side.LIGHT, 10) == 1
    [first, *_] = objections(record)
    assert (first.fault, first.game, first.ply) == (RecordFault.ILLEGAL_PLAY, 1, 1)


def test_a_dropped_beaver_is_a_beaver_again() -> None:
    record = simulated(8, "standard-money", 0, WILD, games=20)
    dropped = [
        game
        for game in record.games
        if any(isinstance(e, Act) and isinstance(e.event, Beavered) for e in game.entries)
        and isinstance(game.entries[-1], Act)
        and isinstance(game.entries[-1].event, Passed)
    ]
    record = replace(record, games=tuple(dropped[:1]))
    again = read_mat(mat_text(record), "x.mat")
    assert [list(course(game)) for game in again.games] == [list(course(game)) for game in record.games]


@each_row(
    ("text", "message"),
    [
        ("hello", "no line such as"),
        (" 99999 point match", "line 1: a match to 99999 points"),
        (" 5 point match\n Game 1\n nobody here", "line 3: after the head of a game"),
        (" 5 point match\n Game 1\n A : 0   B : 99999999", "line 3: nobody has 99999999"),
        (" 5 point match\n Game 1\n A : 0   B : 0\n 1) 31: 8/99", "line 4: The play '8/99' names"),
        (" 5 point match\n Game 1\n A : 0   B : 0\n 1) <script>", "line 4: '<script>' is no roll"),
        (" 5 point match\n Game 1\n A : 0   B : 0\n 1) 31: illegal play (1;2;)", "40 fields"),
        (" 5 point match\n Game 1\n A : 0   B : 0\n  Wins 0 points", "nobody wins 0 points"),
    ],
)
def test_what_cannot_be_read_is_told_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(MatchFileError, match=r"x\.mat") as caught:
        read_mat(text, "x.mat")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_turns_are_numbered_and_timeless() -> None:
    turns: list[Turn] = [turn for game in read_mat(XG, "x").games[:1] for turn in game.turns]
    assert [turn.ply for turn in turns] == list(range(len(turns)))
    assert {turn.t for turn in turns} == {None}
