"""SGF files read back: our own to the byte, gnubg's as the same match."""

from pathlib import Path

import pytest

from controller.record.files.match_text import MatchFileError, one_line
from controller.record.files.sgf import looks_like_sgf, read_sgf, sgf_text
from controller.record.match.match import MatchRecord
from controller.record.match.playthrough import RecordFault, objections
from controller.rules.game.scoring import Ending
from tests.record.files.test_gnubg_reads import KINDS, course, matches
from tests.record.files.test_matread import OTHER_RULES, records_of, told
from tests.record.gnubg import run_commands
from tests.rows import each_row


def same(again: MatchRecord, record: MatchRecord) -> None:
    assert told(again) == told(record)
    assert again.terms == record.terms
    assert [game.start for game in again.games] == [game.start for game in record.games]
    for game, other in zip(record.games, again.games, strict=True):
        assert [turn.legal for turn in game.played] == [turn.legal for turn in other.played]
        if game.result and game.result.ending in (Ending.PLAYED, Ending.DROPPED):
            assert other.result == game.result
    faults = {objection.fault for objection in objections(again)}
    assert faults <= {RecordFault.ILLEGAL_PLAY}


@each_row("kind", [*KINDS, *OTHER_RULES])
def test_our_own_files_come_back_to_the_byte(kind: str) -> None:
    for record in records_of(kind):
        text = sgf_text(record)
        assert looks_like_sgf(text)
        again = read_sgf(text, "x.sgf")
        assert sgf_text(again) == text
        same(again, record)


@pytest.mark.parametrize("kind", KINDS)
def test_what_gnubg_saves_is_read_as_the_same_match(kind: str, tmp_path: Path) -> None:
    records = matches(kind)[:15]
    commands = []
    for number, record in enumerate(records):
        (tmp_path / f"{number}.sgf").write_text(sgf_text(record), encoding="utf-8")
        commands += [f"load match {number}.sgf", f"save match out{number}.sgf"]
    run_commands(commands, tmp_path)
    for number, record in enumerate(records):
        again = read_sgf((tmp_path / f"out{number}.sgf").read_text(encoding="utf-8"), "x.sgf")
        for game, other in zip(record.games, again.games, strict=True):
            mine, theirs = list(course(game)), list(course(other))
            assert theirs == mine or (theirs == mine[:-1] and mine[-1].endswith("double"))
            assert (other.light_score, other.dark_score) == (game.light_score, game.dark_score)
        assert (again.light, again.dark) == (one_line(record.light), one_line(record.dark))


def test_analysis_and_variations_are_passed_over() -> None:
    text = """(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B]RU[Crawford]
;W[31hefe]A[0][hefe E ver 3 0.5]DA[E 2]LU[0.1]C[a \\] remark]
;B[64xrrn](;W[66mgmggaga];B[21xwyv])(;W[55mhmhhchc])
)"""
    record = read_sgf(text, "x.sgf")
    [game] = record.games
    assert [turn.roll.dice for turn in game.turns] == [(3, 1), (6, 4), (6, 6), (2, 1)]
    assert [turn.legal for turn in game.turns][:1] == [True]


@each_row(
    ("text", "message"),
    [
        ("(;GM[1]FF[4])", "no backgammon game"),
        ("(;GM[6]MI[length:99999])", "a match to 99999 points"),
        ("(;GM[6]MI[length:5];W[31hefe]", "ends in the middle"),
        ("(;GM[6]MI[length:5]))", "closes a game"),
        ("(;GM[6]MI[length:5];W[31hefe]!)", "line 1: '!)' is no SGF"),
        ("(;GM[6]MI[length:5];W[nonsense])", "game 1: 'nonsense' is no play"),
        ("(;GM[6]MI[length:5];W[31zeyy])", "no checker goes"),
        ("(;GM[6]MI[length:5];PL[W]AE[a:y]AW[aa])", "is no point"),
        ("(;GM[6]MI[length:5]RE[W+0])", "nobody wins 0"),
        ("(;GM[6]MI[length:5][ws:99999999])", "no player can have that many points"),
    ],
)
def test_what_cannot_be_read_is_told_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(MatchFileError, match=r"x\.sgf") as caught:
        read_sgf(text, "x.sgf")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
