"""Matches of the family under the commands: what lies under a pile and in a hand is in every piece of evidence."""

import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from controller.record import Journal
from controller.record.files.formats import Format, format_match
from controller.record.match.match import Entry, MatchRecord, Turn
from controller.record.match.match_log import MatchLog
from controller.rules import Position, Roll, Side, judge, load_profile
from tests.cli.conftest import Run
from tests.record.family_matches import FOREIGN, family_match

NOW = "2026-11-22T20:00:00Z"
HIDDEN = {"plakoto": re.compile(r"/pinned=[0-9,]+"), "acey-deucey": re.compile(r"/hand=[0-9,]+")}


def written(match: MatchRecord, folder: Path) -> Path:
    """The folder of a match with its journal."""
    folder.mkdir()
    with Journal(folder / "journal.db") as journal:
        MatchLog(journal, "1", lambda: NOW).write(match)
    return folder


@pytest.mark.parametrize("name", HIDDEN)
def test_what_nobody_sees_is_in_a_packet_and_in_what_was_rescued(run: Run, name: str, tmp_path: Path) -> None:
    played = family_match(4, name)
    folder = written(played, tmp_path / "match")
    packet, rescued, out = (tmp_path / each for each in ("packet.zip", "rescued.db", "match.json"))
    run("packet", folder, "--out", packet)
    hidden = HIDDEN[name].findall(format_match(played, Format.JSON).decode())
    with zipfile.ZipFile(packet) as opened:
        assert set(HIDDEN[name].findall(opened.read("journal.jsonl").decode())) == set(hidden) != set()
    run("journal", "rescue", "--out", rescued, folder / "journal.db")
    run("export", "--format", "json", "--out", out, rescued)
    assert out.read_bytes() == format_match(played, Format.JSON)


def blocked(name: str) -> MatchRecord:
    """A match in which dark's only play from its 24-point to its 18-point lands on light's checkers."""
    played = family_match(1, name, games=1)
    game, rules = played.games[0], load_profile(name).movement
    light = {"plakoto": {7: 2, 24: 13}, "fevga": {6: 2, 24: 13}}[name]
    dark = {"plakoto": {1: 15}, "fevga": {12: 15}}[name]
    points = [light.get(point, 0) - dark.get(point, 0) for point in range(1, 25)]
    before = Position.from_counts(points)
    source, target = min(dark), next(iter(light))
    points[source - 1] += 1
    points[target - 1] = -1
    after = Position.from_counts(points, bar_light=0)
    reasons = judge(before, Side.DARK, Roll(6, 6), after, rules).reasons
    turn = Turn(0, Side.DARK, Roll(6, 6), None, "illegal play", False, reasons, True, before, after)
    entries: tuple[Entry, ...] = (turn,)
    return replace(played, games=(replace(game, entries=entries, start=before, result=None),))


@pytest.mark.parametrize("name", ["plakoto", "fevga"])
def test_reasons_count_points_along_the_way_of_who_played(run: Run, name: str, tmp_path: Path) -> None:
    folder, out = written(blocked(name), tmp_path / "match"), tmp_path / "dispute.html"
    run("dispute", folder, 0, "--out", out)
    assert "lands on the 18-point" in out.read_text(encoding="utf-8")
    assert "18-point" in run("export", "--format", "text", "--out", "-", folder)


@pytest.mark.parametrize("name", [*FOREIGN, "hypergammon"])
def test_no_engine_analyses_a_game_that_none_plays(run: Run, name: str, tmp_path: Path) -> None:
    folder = written(family_match(1, name), tmp_path / "match")
    assert "nothing that it could say of this match" in run("analyse", folder, status=2)


def test_the_rules_of_a_club_are_judged_by_their_file(run: Run, tmp_path: Path) -> None:
    club, file = tmp_path / "club.toml", tmp_path / "match.mat"
    club.write_text('inherits = "fevga"\n[stated]\nmove.prime_limit = "one_ahead"\nmove.head_limit = 1\n')
    file.write_bytes(format_match(family_match(3, str(club)), Format.MAT))
    assert "all legal" in run("check", "--profile", club, file)
    assert "are rules of backgammon: they cannot judge it" in run(
        "check", "--profile", "standard-match", file, status=2
    )
