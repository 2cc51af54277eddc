"""What is rare: raccoons, nackgammon, series, matches without the Crawford rule, Snowie lines one by one."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from controller.record.files.foreign import common_profile
from controller.record.files.formats import Format, format_match, read_match_file
from controller.record.files.mat import mat_text
from controller.record.files.snowie import snowie_text
from controller.record.match.match import Act, GameRecord, MatchRecord
from controller.record.match.playthrough import RecordFault, objections
from controller.rules.forms.gnuid import position_id
from controller.rules.game.events import Raccooned
from controller.rules.game.match import Terms
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Roll, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import Layout
from tests.amounts import amount
from tests.record.files.test_gnubg_reads import WILD, agrees, matches
from tests.record.gnubg import complaints, import_all, run_commands
from tests.record.matches import played, terms_of
from tests.record.simulated import Habits, simulated
from tests.rows import each_row

CUBES = Habits(double=0.5, beaver=0.9, longest=20)


def raccoons(seed: int) -> MatchRecord:
    return simulated(seed, common_profile(jacoby=True, cube_max=64), 0, CUBES, games=2)


def nackgammon(seed: int) -> MatchRecord:
    return simulated(seed, common_profile(layout=Layout.NACKGAMMON, beaver=False), 3, WILD)


def series(seed: int) -> MatchRecord:
    record = simulated(seed, "terebess", 3, WILD)
    return replace(record, terms=Terms.series(3, load_profile("terebess"), load_profile("terebess")))


def without_crawford(seed: int) -> MatchRecord:
    return simulated(seed, common_profile(crawford=False, beaver=False), 3, WILD)


@each_row("make", [raccoons, nackgammon, series, without_crawford])
@each_row("form", [Format.MAT, Format.SGF, Format.OGXM, Format.JSON])
def test_it_comes_back_to_the_byte(make: Callable[[int], MatchRecord], form: Format) -> None:
    for seed in range(amount(3, 20)):
        record = make(seed)
        data = format_match(record, form)
        again = read_match_file(data, "f")
        assert format_match(again, form) == data
        assert {objection.fault for objection in objections(again)} <= {RecordFault.ILLEGAL_PLAY}


def test_gnubg_reads_beavers_and_raccoons(tmp_path: Path) -> None:
    records = [raccoons(seed) for seed in range(20)]
    acts = [e.event for r in records for g in r.games for e in g.entries if isinstance(e, Act)]
    assert sum(isinstance(event, Raccooned) for event in acts) > 10
    for form, command in ((Format.MAT, "import mat"), (Format.SGF, "load match")):
        said, understood = import_all([format_match(r, form).decode() for r in records], tmp_path, command)
        assert complaints(said) == []
        agrees(records, understood, complete=form is Format.SGF)


def test_gnubg_reads_each_snowie_line_as_the_position_with_its_dice(tmp_path: Path) -> None:
    record = matches("wild money")[2]
    lines = snowie_text(record).splitlines()
    turns = [turn for game in record.games for turn in game.played]
    commands = [
        "set automatic roll off",
        "set automatic game off",
        "set player 0 human",
        "set player 1 human",
    ]
    for number, line in enumerate(lines):
        (tmp_path / f"{number}.txt").write_text(line + "\n", encoding="utf-8")
        commands += [f"import snowietxt {number}.txt"]
    said = run_commands(commands, tmp_path)
    assert complaints(said) == []
    shown = re.findall(r"Position ID: (\S+).*?Rolled (\d\d)", said, re.DOTALL)
    told = [(position_id(turn.before, turn.player), f"{turn.roll.high}{turn.roll.low}") for turn in turns]
    assert shown == told


def test_a_file_that_names_rules_that_are_not_known_keeps_the_name() -> None:
    text = mat_text(raccoons(1)).replace("; [Jacoby", '; [Rules "our kitchen"]\n; [Jacoby', 1)
    record = read_match_file(text.encode(), "f")
    assert record.profile(0).name == "our kitchen"
    assert '; [Rules "our kitchen"]' in mat_text(record)


SESSION = """(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]MI[length:0][game:0][ws:0][bs:0]PW[a]PB[b]CV[2]RE[W+2]
;W[31hefe];B[64aggk];W[double];B[drop])"""
"""A single game of gnubg's whose opening roll was a tie, which turned the cube."""


@pytest.mark.parametrize("form", [Format.SGF, Format.MAT, Format.OGXM, Format.JSON])
def test_a_cube_that_a_tie_turned_counts_in_files_that_name_no_rules(form: Format) -> None:
    record = read_match_file(SESSION.encode(), "s.sgf")
    data = format_match(record, form)
    again = read_match_file(data, "f")
    assert list(objections(again)) == []
    assert again.games[0].result is not None
    assert (again.games[0].result.points, again.games[0].result.working) == (2, "double passed, cube 2 = 2")
    assert format_match(again, form) == data


@pytest.mark.parametrize("form", [Format.MAT, Format.SGF, Format.OGXM, Format.JSON])
def test_a_gap_of_ours_is_no_illegal_play_when_it_comes_back(form: Format) -> None:
    """Turns that the camera did not see: the next one begins elsewhere, and who played it did nothing wrong."""
    roll = Roll.from_dice(3, 1)
    first = played(0, Side.LIGHT, roll, START, legal_plays(START, Side.LIGHT, roll)[0])
    unseen = legal_plays(first.after, Side.LIGHT, Roll.from_dice(2, 1))[3].after
    later = played(1, Side.DARK, roll, unseen, legal_plays(unseen, Side.DARK, roll)[0])
    data = format_match(MatchRecord("A", "B", terms_of(5), (GameRecord((first, later)),)), form)
    again = read_match_file(data, "f")
    assert [objection.fault for objection in objections(again)] == [RecordFault.GAP]
    assert format_match(again, form) == data


@pytest.mark.parametrize("form", [Format.MAT, Format.SGF, Format.OGXM, Format.JSON])
def test_a_result_that_the_director_took_away_does_not_come_back_with_the_file(form: Format) -> None:
    match = simulated(1000, "standard-match", 5, replace(WILD, broken_off=0, award=0, forfeit=0))
    first, *others = match.games
    assert first.result is not None
    taken = replace(match, games=(replace(first, result=None), *others))
    data = format_match(taken, form)
    again = read_match_file(data, "f")
    assert [game.result is None for game in again.games] == [game.result is None for game in taken.games]
    assert format_match(again, form) == data
