"""Places, tie-breaks with their working, and ratings, worked out by hand."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from controller.tournament.catalogue import parse_format
from controller.tournament.changes import begin, draw, withdraw
from controller.tournament.events import MatchesDrawn, PlayerEntered, ResultReported, TournamentEvent
from controller.tournament.format import RatingRules, TieBreak
from controller.tournament.match import (
    BYE,
    Bracket,
    MatchEnding,
    MatchSource,
    ReportedResult,
    SourceKind,
    TournamentMatch,
)
from controller.tournament.rating import expected, player_ratings, rated_matches
from controller.tournament.sheets.wording import TournamentWords
from controller.tournament.standings import StandingTable, standing_tables
from controller.tournament.tournament import fold
from tests.tournament.evenings import open_matches, opening, play_on

ROUNDS = (((1, 2, 7, 3), (3, 4, 7, 5)), ((1, 3, 7, 6), (2, 4, 7, 0)), ((1, 4, 2, 7), (2, 3, 5, 7)))
"""Of each match both players and their points: 1 beats 2 and 3, 3 beats 4 and 2, 2 and 4 beat 4 and 1."""


def played(
    rounds: Sequence[Sequence[tuple[int, int, int, int]]], chosen: str = "swiss", players: int = 4
) -> list[TournamentEvent]:
    events = opening(chosen, players)
    number = 0
    for turn, pairs in enumerate(rounds, start=1):
        matches, results = [], []
        for one, other, points, others in pairs:
            number += 1
            seats = [MatchSource(SourceKind.ENTRY, each) if each else BYE for each in (one, other)]
            matches.append(TournamentMatch(number, Bracket.ROUNDS, turn, seats[0], seats[1], 7))
            if other:
                results.append(ResultReported(number, ReportedResult((one, other), (points, others))))
        events += [MatchesDrawn("1", tuple(matches)), *results]
    return events


def by_player(table: StandingTable, rule: TieBreak) -> dict[int, tuple[float, tuple[tuple[int, float], ...]]]:
    return {
        row.player: (each.value, each.working)
        for row in table.rows
        for each in row.tie_breaks
        if each.rule is rule
    }


def test_the_direct_encounter_decides_between_two() -> None:
    table = standing_tables(fold(played(ROUNDS)))[0]
    direct = by_player(table, TieBreak.DIRECT)
    assert direct[1] == (1.0, ((3, 1.0),))
    assert direct[3] == (0.0, ((1, 0.0),))
    assert direct[2] == (1.0, ((4, 1.0),))
    assert [row.player for row in table.rows] == [1, 3, 2, 4]


def test_buchholz_adds_the_points_of_the_opponents_and_shows_them() -> None:
    rules = parse_format(
        '[stage]\nkind = "rounds"\nrounds = 3\ntie_breaks = ["buchholz", "buchholz_cut"]', "x", "x"
    )
    events = played(ROUNDS)
    events[0] = begin("Cup", rules, "1")
    table = standing_tables(fold(events))[0]
    whole, cut = by_player(table, TieBreak.BUCHHOLZ), by_player(table, TieBreak.BUCHHOLZ_CUT)
    assert whole[1] == (4.0, ((2, 1.0), (4, 1.0), (3, 2.0)))
    assert whole[3] == (4.0, ((2, 1.0), (4, 1.0), (1, 2.0)))
    assert cut[1] == (3.0, ((4, 1.0), (3, 2.0)))
    assert [(row.place, row.last) for row in table.rows] == [(1, 2), (1, 2), (3, 4), (3, 4)]


def test_a_bye_is_a_win_and_no_opponent() -> None:
    table = standing_tables(fold(played((((1, 2, 7, 0), (3, 0, 0, 0)),), players=3)))[0]
    points = {row.player: row.record.points for row in table.rows if row.record}
    assert points == {1: 1, 2: 0, 3: 1}
    assert by_player(table, TieBreak.BUCHHOLZ)[3] == (0, ())


def test_points_are_those_of_the_event() -> None:
    table = standing_tables(fold(played((((1, 2, 7, 0), (3, 0, 0, 0)),), "club-evening", 3)))[0]
    assert {row.player: row.record.points for row in table.rows if row.record} == {1: 2, 2: 1, 3: 2}


@pytest.mark.parametrize(
    ("ratings", "length", "change"),
    [
        ((None, None), 1, 10.0),  # 4 * 5 * 1 * 0.5: newcomers
        ((None, None), 7, 26.4575),  # 4 * 5 * sqrt(7) * 0.5
        ((1600.0, 1400.0), 9, 20.0316),  # 4 * 5 * 3 * 0.33386: the stronger one wins
        ((1400.0, 1600.0), 9, 39.9684),
    ],
)
def test_ratings_follow_the_formula(
    ratings: tuple[float | None, float | None], length: int, change: float
) -> None:
    events = opening("swiss", 2)
    for place, rating in enumerate(ratings, start=1):
        entered = events[place]
        assert isinstance(entered, PlayerEntered)
        events[place] = PlayerEntered(replace(entered.entry, rating=rating))
    seats = [MatchSource(SourceKind.ENTRY, each) for each in (1, 2)]
    events += [
        MatchesDrawn("1", (TournamentMatch(1, Bracket.ROUNDS, 1, seats[0], seats[1], length),)),
        ResultReported(1, ReportedResult((1, 2), (length, 0))),
    ]
    first, second = sorted(player_ratings(fold(events)), key=lambda each: each.player)
    assert first.after - first.before == pytest.approx(change, abs=1e-3)
    assert second.after - second.before == pytest.approx(-change, abs=1e-3)
    assert first.experience == length


def test_a_corrected_result_changes_everything_after_it_and_a_walk_over_nothing() -> None:
    events = played(ROUNDS)
    before = {each.player: each.after for each in player_ratings(fold(events))}
    corrected = [*events, ResultReported(1, ReportedResult((1, 2), (3, 7)))]
    swapped = [
        ResultReported(1, ReportedResult((1, 2), (3, 7)))
        if isinstance(each, ResultReported) and each.match == 1
        else each
        for each in events
    ]
    assert player_ratings(fold(corrected)) == player_ratings(fold(swapped))
    assert {each.player: each.after for each in player_ratings(fold(corrected))} != before
    walked = [*events, ResultReported(6, ReportedResult((2, 3), (0, 1), MatchEnding.WALKOVER))]
    assert 6 not in {each.match for each in rated_matches(fold(walked))}


def test_results_of_who_leaves_a_round_robin_early_do_not_count() -> None:
    events = opening("round-robin", 6)
    events.append(draw(events))
    first = next(each for each in open_matches(fold(events)) if 6 in each.players)
    other = next(each for each in first.players if each != 6)
    events.append(
        ResultReported(first.match.number, ReportedResult((first.players[0], first.players[1]), (7, 0)))
    )
    events.append(withdraw(events, "P6"))
    table = standing_tables(fold(events))[0]
    row = next(each for each in table.rows if each.player == other)
    assert row.record is not None
    assert row.record.encounters == ()
    assert table.rows[-1].player == 6
    assert table.rows[-1].place is None


def test_places_in_a_bracket_are_shared_by_who_lost_in_the_same_round() -> None:
    tournament = fold(play_on(opening("single-elimination", 8), random.Random(1)))
    rows = standing_tables(tournament)[0].rows
    assert [(row.place, row.last) for row in rows] == [(1, 1), (2, 2), (3, 4), (3, 4), *[(5, 8)] * 4]


def with_first_players_winning(events: list[TournamentEvent], matches: int) -> list[TournamentEvent]:
    """The tournament after so many more matches, in the order of their numbers."""
    for _ in range(matches):
        match = min(open_matches(fold(events)), key=lambda each: each.match.number)
        first, second = match.players
        won = ReportedResult((first, second), (match.match.length, 0))
        events = [*events, ResultReported(match.match.number, won)]
    return events


def test_while_a_round_of_a_knockout_is_played_its_losers_share_the_places_of_all_who_may_yet_lose_in_it() -> (
    None
):
    drawn = opening("single-elimination", 8)
    drawn.append(draw(drawn))
    table = standing_tables(fold(with_first_players_winning(drawn, 1)))[0]
    assert [(row.place, row.last) for row in table.rows] == [*[(None, None)] * 7, (5, 8)]
    table = standing_tables(fold(with_first_players_winning(drawn, 5)))[0]
    assert [(row.place, row.last) for row in table.rows] == [*[(None, None)] * 3, (3, 4), *[(5, 8)] * 4]
    table = standing_tables(fold(with_first_players_winning(drawn, 7)))[0]
    assert [(row.place, row.last) for row in table.rows] == [(1, 1), (2, 2), *[(3, 4)] * 2, *[(5, 8)] * 4]


def test_a_consolation_is_shown_as_soon_as_two_players_are_in_it() -> None:
    drawn = opening("consolation", 8)
    drawn.append(draw(drawn))
    shown = [
        [table.bracket for table in standing_tables(fold(with_first_players_winning(drawn, matches)))]
        for matches in (0, 1, 2)
    ]
    assert shown == [[Bracket.MAIN], [Bracket.MAIN], [Bracket.MAIN, Bracket.CONSOLATION]]


def test_before_the_draw_a_round_robin_has_one_table_of_everybody() -> None:
    (table,) = standing_tables(fold(opening("round-robin", 4)))
    assert (table.bracket, table.group) == (Bracket.GROUP, 0)
    assert [(row.player, row.place, row.last) for row in table.rows] == [
        (player, 1, 4) for player in range(1, 5)
    ]


def test_a_hopeless_match_changes_next_to_nothing_and_no_rating_is_too_far_away() -> None:
    assert expected(0, 4000, 99, RatingRules(spread=100)) < 1e-100
    assert expected(4000, 0, 99, RatingRules(spread=100)) == 1


def test_nobody_has_won_before_the_last_match() -> None:
    for chosen in ("moreswiss", "consolation", "round-robin", "swiss-knockout"):
        whole = play_on(opening(chosen, 6), random.Random(2))
        assert TournamentWords(fold(whole)).champion()
        for end in range(8, len(whole)):
            assert not TournamentWords(fold(whole[:end])).champion()
