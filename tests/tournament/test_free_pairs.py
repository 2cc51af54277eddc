"""Where the director makes the pairs, two play whenever they are free, and the points are counted."""

import pytest

from controller.tournament.catalogue import parse_format
from controller.tournament.changes import EntryWish, Report, draw, enter, report, undo, withdraw
from controller.tournament.fault import TournamentError
from controller.tournament.standings import standing_tables
from controller.tournament.tournament import fold
from tests.tournament.evenings import open_matches, opening


def test_pairs_are_made_while_others_play_and_results_come_in_any_order() -> None:
    events = opening("free", 5)
    events.append(draw(events, pairs=[("P1", "P2")]))
    events.append(draw(events, pairs=[("P3", "P4")]))
    events.append(report(events, Report(("P4", "P3"), (5, 2))))
    events.append(draw(events, pairs=[("P3", "P5")]))
    assert [each.players for each in open_matches(fold(events))] == [(1, 2), (3, 5)]
    events.append(report(events, Report(("P3", "P5"), (5, 0))))
    events.append(report(events, Report(("P1", "P2"), (5, 0))))
    records = {row.player: row.record for row in standing_tables(fold(events))[0].rows}
    points = {player: record.points for player, record in records.items() if record is not None}
    assert points == {1: 2, 2: 1, 3: 3, 4: 2, 5: 1}
    assert fold([*events, undo(events)]) == fold(events[:-1])


def test_late_players_have_missed_nothing() -> None:
    events = opening("free", 2)
    events.append(draw(events, pairs=[("P1", "P2")]))
    events += enter(events, [EntryWish("Late")])
    assert fold(events).entries[3].missed == 0


def test_who_plays_or_has_left_is_not_paired() -> None:
    events = opening("free", 4)
    with pytest.raises(TournamentError, match="The director makes the pairs of Cup; give them"):
        draw(events)
    events.append(draw(events, pairs=[("P1", "P2")]))
    with pytest.raises(TournamentError, match="P2 plays match 1; report its result first"):
        draw(events, pairs=[("P3", "P2")])
    with pytest.raises(TournamentError, match="P4 has withdrawn"):
        draw([*events, withdraw(events, "P4")], pairs=[("P3", "P4")])
    with pytest.raises(TournamentError, match="cannot play twice at once"):
        draw(events, pairs=[("P3", "P3")])


def test_a_knockout_cannot_follow() -> None:
    with pytest.raises(TournamentError, match="a knockout follows rounds or groups"):
        parse_format('[stage]\nkind = "free"\n[knockout]\nqualify = 4', "x", "x")
