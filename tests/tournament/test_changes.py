"""What is refused, in one sentence with the remedy."""

import pytest

from controller.tournament.changes import EntryWish, Report, draw, enter, find_player, report, withdraw
from controller.tournament.entry import tidy
from controller.tournament.events import TournamentEvent
from controller.tournament.fault import TournamentError
from controller.tournament.match import MatchEnding
from controller.tournament.tournament import fold
from tests.rows import each_row
from tests.tournament.evenings import open_matches, opening


@pytest.fixture
def evening() -> list[TournamentEvent]:
    events = opening("swiss", 0)
    names = ("Ann Lee", "Anna Kis", "Žofia", "李雷", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627")
    events += enter(events, [EntryWish(each) for each in names])
    return [*events, draw(events)]


@each_row("name", ["", "   ", "\u202eevil", "a\x1b[2J", "a\nb\u0000", "x" * 61, "---", "\u200b"])
def test_an_odd_name_is_refused(name: str) -> None:
    with pytest.raises(TournamentError, match="is no name of a player"):
        enter(opening("swiss", 0), [EntryWish(name)])


@pytest.mark.parametrize("name", ["ann lee", "ANN  LEE", "\uff21nn Lee", "ŽOFIA", "Z\u030cofia"])
def test_two_players_with_one_name_are_refused(evening: list[TournamentEvent], name: str) -> None:
    with pytest.raises(TournamentError, match="has entered already"):
        enter(evening, [EntryWish(name)])


def test_names_of_a_list_are_entered_all_or_none() -> None:
    events = opening("swiss", 2)
    with pytest.raises(TournamentError, match="P1 has entered already"):
        enter(events, [EntryWish("New"), EntryWish("p1")])


def test_a_name_is_kept_composed_and_without_needless_blanks() -> None:
    assert tidy("  Zo\u0301fia   Kis ") == "Zófia Kis"


def test_a_player_is_found_by_number_name_or_a_beginning(evening: list[TournamentEvent]) -> None:
    tournament = fold(evening)
    for text, number in (
        ("Ann Lee", 1),
        ("lee", 1),
        ("kis", 2),
        ("#3", 3),
        ("3", 3),
        ("李", 4),
        ("\u0639\u0644\u06cc\u0631\u0636\u0627", 5),
    ):
        assert find_player(tournament, text).number == number
    with pytest.raises(TournamentError, match="may be Ann Lee, Anna Kis"):
        find_player(tournament, "ann")
    with pytest.raises(TournamentError, match="no player"):
        find_player(tournament, "Bob")


@pytest.mark.parametrize("score", [(7, 7), (6, 5), (8, 7), (0, 0), (5000, 2)])
def test_a_score_that_cannot_be_is_refused(evening: list[TournamentEvent], score: tuple[int, int]) -> None:
    number = open_matches(fold(evening))[0].match.number
    with pytest.raises(TournamentError, match="is no score of a match to 7"):
        report(evening, Report(number, score))


def test_a_match_that_was_not_paired_is_refused(evening: list[TournamentEvent]) -> None:
    tournament = fold(evening)
    one, other = open_matches(tournament)[:2]
    names = (tournament.entries[one.players[0]].name, tournament.entries[other.players[0]].name)
    with pytest.raises(TournamentError, match="are not paired; now play"):
        report(evening, Report(names, (7, 3)))
    with pytest.raises(TournamentError, match="There is no match 99"):
        report(evening, Report(99, (7, 3)))
    with pytest.raises(TournamentError, match="is not played"):
        report(evening, Report(3, (7, 3)))


def test_a_result_by_names_is_turned_the_way_the_match_stands(evening: list[TournamentEvent]) -> None:
    tournament = fold(evening)
    match = open_matches(tournament)[0]
    first, second = (tournament.entries[each].name for each in match.players)
    assert report(evening, Report((second, first), (7, 3))).result.score == (3, 7)
    won = report(evening, Report((second, first), None, MatchEnding.WALKOVER)).result
    assert won.winner == match.players[1]


def test_of_a_walk_over_whoever_has_more_points_goes_on(evening: list[TournamentEvent]) -> None:
    match = open_matches(fold(evening))[0]
    for score, winner in ((None, 0), ((1, 0), 0), ((0, 1), 1)):
        given = Report(match.match.number, score, MatchEnding.WALKOVER)
        assert report(evening, given).result.winner == match.players[winner]


def test_a_match_that_waits_names_what_it_waits_for() -> None:
    events = opening("single-elimination", 4)
    events.append(draw(events))
    with pytest.raises(TournamentError, match="Match 3 waits for match 1 and match 2"):
        report(events, Report(3, (7, 0)))


def test_the_next_round_waits_for_the_last_match(evening: list[TournamentEvent]) -> None:
    with pytest.raises(TournamentError, match="Matches 1, 2 are not over; report their results first"):
        draw(evening)


def test_a_draw_needs_two_players() -> None:
    with pytest.raises(TournamentError, match="too few"):
        draw(opening("swiss", 1))


def test_pairs_of_the_director_name_everybody_once_and_nobody_who_left() -> None:
    events = opening("swiss", 6)
    with pytest.raises(TournamentError, match="P1 cannot play twice"):
        draw(events, pairs=[("P1", "P2"), ("P3", "P1")])
    events.append(withdraw(events, "P6"))
    with pytest.raises(TournamentError, match="P6 is out"):
        draw(events, pairs=[("P6", "P2")])
    with pytest.raises(TournamentError, match="Pairs can only"):
        draw(opening("consolation", 6), pairs=[("P6", "P2")])


def test_nobody_comes_late_to_a_lives_event_with_all_lives_gone() -> None:
    events = opening("three-lives", 4)
    for _ in range(3):
        events.append(draw(events))
        for state in open_matches(fold(events)):
            events.append(report(events, Report(state.match.number, (9, 0))))
    with pytest.raises(TournamentError, match="3 losses, which is out"):
        enter(events, [EntryWish("Late")])
