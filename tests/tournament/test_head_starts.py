"""A match begins with the head start of a player, and with points for the one who was there in time."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.tournament.catalogue import format_names, parse_format
from controller.tournament.changes import EntryWish, begin, come_late, draw, enter, report, undo
from controller.tournament.changes import Report as Given
from controller.tournament.entry_list import listed_players
from controller.tournament.events import TournamentEvent, event_from, event_record
from controller.tournament.fault import TournamentError
from controller.tournament.match import MatchEnding
from controller.tournament.rating import rated_matches
from controller.tournament.sheets.data import tournament_csv
from controller.tournament.sheets.lines import overview
from controller.tournament.tournament import Progress, fold, playable
from tests.tournament.evenings import free_pairs, opening, play_on

SEVEN = '[stage]\nkind = "round_robin"\n[match]\nlength = [7]'


def drawn(*starts: int) -> list[TournamentEvent]:
    """Two players of such head starts whose match to 7 is on; the seats are theirs by lot."""
    events: list[TournamentEvent] = [begin("Cup", parse_format(SEVEN, "x", "x"), "1")]
    events += enter(events, [EntryWish(f"P{at}", head_start=each) for at, each in enumerate(starts, 1)])
    return [*events, draw(events)]


def start(events: Sequence[TournamentEvent], number: int = 1) -> dict[str, int]:
    tournament = fold(events)
    state = tournament.states()[number]
    names = (tournament.entries[each].name for each in state.players)
    return dict(zip(names, tournament.start(state), strict=True))


def late(
    events: Sequence[TournamentEvent], one: str, minutes: int, *both: str | int
) -> list[TournamentEvent]:
    other, others = both or ("", 0)
    return [*events, *come_late(events, one, minutes, str(other), int(others))]


def test_the_better_head_start_counts_less_the_other_one() -> None:
    assert start(drawn(0, 1)) == {"P1": 0, "P2": 1}
    assert start(drawn(1, 1)) == {"P1": 0, "P2": 0}
    assert start(drawn(5, 2)) == {"P1": 3, "P2": 0}
    assert start(drawn(0, 50)) == {"P1": 0, "P2": 6}, "nobody has won before the match"


def test_a_score_holds_the_points_that_the_match_began_with() -> None:
    events = drawn(0, 2)
    assert "begins at" in overview(fold(events))
    with pytest.raises(TournamentError, match="7-1 is no score of this match: P2 begins it with 2"):
        report(events, Given(("P1", "P2"), (7, 1)))
    assert report(events, Given(("P2", "P1"), (2, 7))).result.winner == 1


def test_coming_late_gives_points_as_the_event_says() -> None:
    events = drawn(0, 0)
    assert [start(late(events, "P1", each))["P2"] for each in (1, 4, 5, 9, 10, 19)] == [0, 0, 1, 1, 2, 3]
    assert start(late(events, "P1", 16, "P2", 6)) == {"P1": 0, "P2": 2}, "both late: the difference"
    assert start(late(events, "P2", 12, "P1", 12)) == {"P1": 0, "P2": 0}
    assert start(late(late(events, "P1", 16), "P1", 6)) == {"P1": 0, "P2": 1}, "a later report counts"


def test_more_than_half_of_the_match_is_the_match_and_is_not_rated() -> None:
    events = late(drawn(0, 0), "P1", 20)
    (state,) = fold(events).states().values()
    assert state.result is not None
    assert (state.result.ending, state.winner) == (MatchEnding.WALKOVER, 2)
    assert rated_matches(fold(events)) == ()
    both = fold(late(drawn(0, 0), "P1", 20, "P2", 90))
    assert next(iter(both.states().values())).result is not None
    assert next(iter(both.results.values())).ending is MatchEnding.DOUBLE_WALKOVER


def test_after_two_who_never_came_the_empty_place_goes_on() -> None:
    events = opening("single-elimination", 4)
    events.append(draw(events))
    first = playable(fold(events).states())[0]
    one, other = (fold(events).entries[each].name for each in first.players)
    tournament = fold(play_on(late(events, one, 60, other, 60), random.Random(2)))
    assert tournament.states()[3].progress is Progress.BYE


def test_the_points_are_data_of_the_event() -> None:
    rules = parse_format(f"{SEVEN}\n[lateness]\nfirst_min = 15\neach_min = 10\nlost_above = 100", "x", "x")
    events: list[TournamentEvent] = [begin("Cup", rules, "1")]
    events += enter(events, [EntryWish("P1"), EntryWish("P2")])
    events.append(draw(events))
    assert [start(late(events, "P1", each))["P2"] for each in (14, 15, 25, 74)] == [0, 1, 2, 6]


def test_what_cannot_be_is_refused() -> None:
    events = drawn(0, 0)
    for minutes in (0, -3, 601):
        with pytest.raises(TournamentError, match=f"{minutes} are no minutes"):
            come_late(events, "P1", minutes)
    with pytest.raises(TournamentError, match="P1 plays P2 now"):
        come_late(events, "P1", 5, "P1", 5)
    with pytest.raises(TournamentError, match="P1 has no match to play now"):
        come_late([*events, report(events, Given(1, (7, 0)))], "P1", 5)
    for wrong in (-1, 99):
        with pytest.raises(TournamentError, match=f"P: {wrong} is no head start"):
            enter(events[:1], [EntryWish("P", head_start=wrong)])
    with pytest.raises(TournamentError, match="line 2: 'one' is no head start"):
        listed_players("name,head_start\nAnn,one\n", "players.csv")


def test_lists_of_players_keep_head_starts() -> None:
    tournament = fold(drawn(0, 1))
    wishes = listed_players(tournament_csv(tournament, "players"), "x")
    assert [each.head_start for each in wishes] == [0, 1]


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(format_names()), st.integers(2, 12), st.integers(0, 2**32), st.integers(1, 60))
def test_late_players_undone_were_never_late(chosen: str, players: int, seed: int, minutes: int) -> None:
    events = opening(chosen, players)
    events.append(draw(events, pairs=free_pairs(fold(events), random.Random(seed))))
    tournament = fold(events)
    state = random.Random(seed).choice(playable(tournament.states()))
    found = late(events, tournament.entries[state.players[0]].name, minutes)
    assert [event_from(event_record(each), "line") for each in found] == found
    found = (
        [*found, undo(found)]
        if len(found) == len(events) + 1
        else [*found, undo(found), undo(found, len(events) + 1)]
    )
    assert fold(found) == tournament
