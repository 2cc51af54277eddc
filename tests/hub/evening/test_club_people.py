"""Whatever people do at a club's evening, no result is lost or counts twice, and the standings are those results."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from controller.hub.evening.content import evening_content
from controller.hub.evening.tournament_log import TournamentLog, read_log
from controller.messages.catalogue import LANGUAGES
from controller.tournament.draw import is_over, nothing_to_draw
from controller.tournament.events import ResultReported
from controller.tournament.format import LateEntry, StageKind
from controller.tournament.match import Bracket
from controller.tournament.standings import standing_tables
from controller.tournament.tournament import Progress, Tournament, playable
from tests.amounts import amount
from tests.hub.evening.club_people import ClubPeople

DEEDS, PART = 60, 15
Line = Mapping[str, Any]


def counted(lines: Sequence[Line]) -> list[Line]:
    """The lines of a file that are not undone."""
    undone: set[int] = set()
    for number in range(len(lines), 0, -1):
        line = lines[number - 1]
        if line["kind"] == "undo" and number not in undone:
            undone.update(each for each in line["events"] if each < number)
    return [line for number, line in enumerate(lines, start=1) if number not in undone]


def seats(lines: list[Line]) -> dict[int, tuple[Line, list[int]]]:
    """Each match as drawn, with the players that its draw or a late entry names; 0 for nobody."""
    found: dict[int, tuple[Line, list[int]]] = {}
    for line in lines:
        for match in line.get("matches", ()):
            named = [number if kind == "entry" else 0 for kind, number in match["of"]]
            found[match["match"]] = (match, named)
        if line["kind"] == "enter" and "bye_of" in line:
            named = found[line["bye_of"]][1]
            named[1 if not named[1] else 0] = line["player"]
    return found


def points(tournament: Tournament, lines: list[Line]) -> dict[int, float]:
    """The points of each player in the rounds, from the lines alone."""
    rules = tournament.format.stage
    gone = {line["player"] for line in lines if line["kind"] == "withdraw"}
    results = {line["match"]: line for line in lines if line["kind"] == "result"}
    late = rules.bye if rules.late is LateEntry.BYE else rules.loss
    found = {e["player"]: late * e.get("missed", 0) for e in lines if e["kind"] == "enter"}
    for number, (match, (one, other)) in seats(lines).items():
        if match["bracket"] != Bracket.ROUNDS:
            continue
        for player, opponent in ((one, other), (other, one)):
            if not player:
                continue
            if not opponent:
                found[player] += rules.bye
            elif number in results:
                score = dict(zip(results[number]["players"], results[number]["score"], strict=True))
                found[player] += rules.win if score[player] > score[opponent] else rules.loss
            elif {player, opponent} & gone:
                found[player] += rules.loss if player in gone else rules.win
    return found


def at_rest(club: ClubPeople) -> TournamentLog:
    """The file once all that came from the tables is in it; the evening shows what a program that starts reads."""
    while True:
        club.look()
        log, shown = read_log(club.path), club.tournament
        if len(read_log(club.path).events) == len(log.events):
            assert log.tournament() == shown
            return log


def assert_sound(club: ClubPeople) -> None:
    """The tournament is what its file says, and nothing stands still."""
    log = at_rest(club)
    tournament, lines = log.tournament(), counted(log.file.records)
    said = {line["match"]: tuple(line["score"]) for line in lines if line["kind"] == "result"}
    assert said == {number: result.score for number, result in tournament.results.items()}
    records = [line["journal"] for line in lines if line.get("journal")]
    assert len({*records}) == len(records)
    assert_paired_once(lines)
    assert_standings(tournament, lines)
    assert_goes_on(tournament)
    assert_none_lost(club, log)
    for language in LANGUAGES:
        json.dumps(evening_content(club.evening, language, director=True))


def assert_paired_once(lines: list[Line]) -> None:
    """In one round nobody plays twice, nor against themselves."""
    rounds: defaultdict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    for match, named in seats(lines).values():
        if match["bracket"] in (Bracket.ROUNDS, Bracket.GROUP):
            rounds[match["bracket"], match["round"]].update(filter(None, named))
    assert {number for each in rounds.values() for number in each.values()} <= {1}


def assert_standings(tournament: Tournament, lines: list[Line]) -> None:
    if tournament.format.stage.kind not in (StageKind.ROUNDS, StageKind.FREE):
        return
    (table,) = (each for each in standing_tables(tournament) if each.bracket is Bracket.ROUNDS)
    wanted = points(tournament, lines)
    assert {row.player: row.record and row.record.points for row in table.rows} == wanted
    in_order = [wanted[row.player] for row in table.rows]
    assert in_order == sorted(in_order, reverse=True)


def assert_goes_on(tournament: Tournament) -> None:
    """Some match can be played, or something can be drawn, or the event is over or has too few players."""
    now = playable(tournament.states())
    assert max(Counter(player for each in now for player in each.players).values(), default=1) == 1
    if not now and not is_over(tournament):
        refused = nothing_to_draw(tournament)
        assert refused is None or refused.key == "too_few"


def assert_none_lost(club: ClubPeople, log: TournamentLog) -> None:
    """Each record of a match that is still open was entered once and undone, or the director was told of it."""
    tournament = log.tournament()
    entered = {each.journal for each in log.events if isinstance(each, ResultReported)}
    told = {each.journal for each in club.evening.notices.shown()}
    for record, command, table in club.finished:
        match, sent_to = tournament.commands.get(command, (0, ""))
        if match and sent_to == tournament.tables.get(match) == table:
            is_open = tournament.states()[match].progress is Progress.OPEN
            assert not is_open or record in entered | told


@pytest.mark.parametrize("seed", range(amount(12, 400)))
def test_nothing_is_lost_and_nothing_counts_twice(tmp_path: Path, seed: int) -> None:
    club = ClubPeople(tmp_path, seed)
    try:
        for number in range(1, DEEDS + 1):
            club.act()
            if number % PART == 0:
                assert_sound(club)
    finally:
        club.evening.close()
