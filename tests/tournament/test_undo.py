"""What is undone never happened: not for the standings, not for the next draw."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.tournament.catalogue import format_names
from controller.tournament.changes import EntryWish, Report, draw, enter, report, undo, withdraw
from controller.tournament.events import MatchesDrawn, ResultReported
from controller.tournament.fault import TournamentError
from controller.tournament.sheets.data import tournament_json
from controller.tournament.tournament import fold
from tests.tournament.evenings import any_result, open_matches, opening, play_on


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(format_names()), st.integers(2, 20), st.integers(0, 2**32), st.data())
def test_undoing_any_result_is_as_if_it_had_never_been_reported(
    chosen: str, players: int, seed: int, data: st.DataObject
) -> None:
    whole = play_on(opening(chosen, players), random.Random(seed))
    results = [place for place, event in enumerate(whole) if isinstance(event, ResultReported)]
    place = data.draw(st.sampled_from(results))
    before = whole[:place]
    undone = [*whole[: place + 1], undo(whole[: place + 1])]
    assert fold(undone) == fold(before)
    assert tournament_json(fold(undone)) == tournament_json(fold(before))
    again = play_on(undone, random.Random(seed + 1))
    never = play_on(before, random.Random(seed + 1))
    assert fold(again) == fold(never)


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(format_names()), st.integers(2, 14), st.integers(0, 2**32), st.data())
def test_undoing_an_old_event_with_all_that_follows_from_it_leaves_what_does_not(
    chosen: str, players: int, seed: int, data: st.DataObject
) -> None:
    whole = play_on(opening(chosen, players), random.Random(seed), wild=0.1)
    number = data.draw(st.integers(players + 2, len(whole)))
    undone = undo(whole, number, later=True)
    rest = [event for place, event in enumerate(whole, start=1) if place not in undone.numbers]
    assert number in undone.numbers
    assert min(undone.numbers) == number
    assert fold([*whole, undone]) == fold(rest)
    assert fold(play_on([*whole, undone], random.Random(1))) == fold(play_on(rest, random.Random(1)))


def test_undoing_can_be_undone() -> None:
    whole = play_on(opening("swiss", 6), random.Random(1))
    undone = [*whole, undo(whole)]
    redone = [*undone, undo(undone, len(undone))]
    assert fold(undone) != fold(whole)
    assert fold(redone) == fold(whole)


def test_a_result_on_which_a_later_round_stands_is_not_undone_alone_but_can_be_replaced() -> None:
    events = opening("swiss", 4)
    for _ in range(2):
        events.append(draw(events))
        for state in open_matches(fold(events)):
            events.append(ResultReported(state.match.number, any_result(state, random.Random(3))))
    first = next(place for place, each in enumerate(events, start=1) if isinstance(each, ResultReported))
    with pytest.raises(TournamentError, match="cannot be undone alone"):
        undo(events, first)
    old = events[first - 1]
    assert isinstance(old, ResultReported)
    other = Report(old.match, old.result.score[::-1])
    with pytest.raises(TournamentError, match=r"is over, .*; replace that result"):
        report(events, other)
    new = [*events, report(events, other, instead=True)]
    assert fold(new).results[old.match].winner == old.result.loser


def test_a_result_of_a_bracket_that_would_put_others_into_a_played_match_is_refused() -> None:
    events = opening("single-elimination", 4)
    events = play_on(events, random.Random(1))
    first = next(each for each in events if isinstance(each, ResultReported))
    with pytest.raises(TournamentError, match="Undo that result first"):
        report(events, Report(first.match, first.result.score[::-1]), instead=True)


def test_an_entry_that_was_drawn_is_not_undone_alone() -> None:
    events = opening("swiss", 4)
    events.append(draw(events))
    with pytest.raises(TournamentError, match="The entry of player 2"):
        undo(events, 3)


def test_who_withdraws_and_is_taken_back_plays_as_before() -> None:
    events = opening("consolation", 8)
    events.append(draw(events))
    gone = [*events, withdraw(events, "P3")]
    assert any(
        3 in state.players and state.winner != 3 for state in fold(gone).states().values() if state.result
    )
    assert fold([*gone, undo(gone)]) == fold(events)


def test_a_late_player_gets_the_place_of_a_bye_and_undoing_gives_it_back() -> None:
    for chosen in ("single-elimination", "consolation", "swiss"):
        events = opening(chosen, 7)
        events.append(draw(events))
        late = [*events, *enter(events, [EntryWish("Late")])]
        assert any(8 in state.players and len(state.players) == 2 for state in open_matches(fold(late)))
        assert fold([*late, undo(late)]) == fold(events)


def test_a_bracket_without_a_bye_takes_nobody_late() -> None:
    events = opening("single-elimination", 8)
    events.append(draw(events))
    with pytest.raises(TournamentError, match="too late"):
        enter(events, [EntryWish("Late")])


def test_the_last_event_is_undone_without_a_number_and_the_beginning_never() -> None:
    events = opening("swiss", 2)
    events.append(draw(events))
    assert isinstance(events[undo(events).numbers[0] - 1], MatchesDrawn)
    with pytest.raises(TournamentError, match="beginning"):
        undo(events, 1)
    with pytest.raises(TournamentError, match="no event 99"):
        undo(events, 99)
