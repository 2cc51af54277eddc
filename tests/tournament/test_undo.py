"""What is undone never happened: not for the standings, not for the next draw."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.tournament.catalogue import format_names, load_format
from controller.tournament.changes import EntryWish, Report, draw, enter, report, undo, withdraw
from controller.tournament.events import (
    MatchesDrawn,
    ResultReported,
    TournamentEvent,
    event_from,
    event_record,
)
from controller.tournament.fault import TournamentError
from controller.tournament.format import LateEntry
from controller.tournament.match import MatchEnding, ReportedResult
from controller.tournament.record import player_records
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


def walked_over(chosen: str, players: int = 6) -> tuple[list[TournamentEvent], int]:
    """P3 leaves in the first round, and the next one is drawn without them; the number of the leaving."""
    events = opening(chosen, players)
    events.append(draw(events))
    events.append(withdraw(events, "P3"))
    number = len(events)
    for state in open_matches(fold(events)):
        events.append(ResultReported(state.match.number, any_result(state, random.Random(3))))
    if chosen != "single-elimination":
        events.append(draw(events))
    return events, number


@pytest.mark.parametrize("chosen", ["swiss", "three-lives", "single-elimination"])
def test_a_withdrawal_on_whose_walk_over_later_matches_stand_is_undone_once_that_has_a_result(
    chosen: str,
) -> None:
    events, number = walked_over(chosen, 8)
    for state in open_matches(fold(events)):
        events.append(ResultReported(state.match.number, any_result(state, random.Random(4))))
    (match,) = (each for each in fold(events).states().values() if 3 in each.players)
    with pytest.raises(
        TournamentError, match=f"match {match.match.number} was walked over .* result of that"
    ) as told:
        undo(events, number)
    assert "events" not in str(told.value)
    opponent = sum(match.players) - 3
    events.append(report(events, Report((f"#{opponent}", "#3"), None, MatchEnding.WALKOVER)))
    events.append(undo(events, number))
    assert not fold(events).withdrawn
    assert fold(events).states()[match.match.number].winner == opponent


def test_a_withdrawal_that_is_needed_otherwise_names_what_follows_as_before() -> None:
    events = opening("swiss", 4)
    events.append(draw(events))
    events.append(withdraw(events, "P3"))
    assert fold([*events, undo(events)]) == fold(events[:-1])


@pytest.mark.parametrize(
    ("chosen", "losses", "byes", "points"), [("swiss", 2, 0, 0), ("three-lives", 2, 0, 0), ("bye", 1, 1, 1)]
)
def test_a_round_that_somebody_misses_who_had_left_and_comes_back_is_as_one_before_a_late_entry(
    chosen: str, losses: int, byes: int, points: int
) -> None:
    swiss = load_format("swiss")
    made = replace(swiss, stage=replace(swiss.stage, late=LateEntry.BYE)) if chosen == "bye" else chosen
    events = opening(made, 8)
    events.append(draw(events))
    for state in open_matches(fold(events)):
        first, second = state.players
        score = (0, state.match.length) if first == 3 else (state.match.length, 0)
        events.append(ResultReported(state.match.number, ReportedResult((first, second), score)))
    events.append(withdraw(events, "P3"))
    left = len(events)
    events.append(draw(events))
    for state in open_matches(fold(events)):
        events.append(ResultReported(state.match.number, any_result(state, random.Random(5))))
    events.append(undo(events, left))
    back = fold(events)
    record = player_records(back, back.states().values())[3]
    assert (record.losses, record.byes, record.points) == (losses, byes, points)
    assert back.missed(3) == 1
    kept = [event_from(event_record(each), "line") for each in events]
    assert fold(kept) == back
    assert any(3 in each.players for each in open_matches(fold([*events, draw(events)])))


def test_who_comes_back_with_no_life_left_plays_no_more() -> None:
    events = opening("three-lives", 8)
    left = len(events) + 1
    events.append(withdraw(events, "P3"))
    for turn in range(3):
        events.append(draw(events))
        for state in open_matches(fold(events)):
            events.append(ResultReported(state.match.number, any_result(state, random.Random(turn))))
    events.append(undo(events, left))
    assert not any(3 in each.players for each in open_matches(fold([*events, draw(events)])))


def test_who_is_gone_misses_no_rounds_and_who_was_out_of_lives_by_a_wrong_result_neither() -> None:
    events = opening("three-lives", 10)
    for turn in range(4):
        events.append(draw(events))
        for state in open_matches(fold(events)):
            first, second = state.players
            score = (0, state.match.length) if first == 3 else (state.match.length, 0)
            events.append(ResultReported(state.match.number, ReportedResult((first, second), score)))
        if turn == 0:
            events += [withdraw(events, "P5"), withdraw(events, "P6")]
    lost = [each for each in fold(events).states().values() if 3 in each.players]
    assert len(lost) == 3
    last = lost[-1]
    other = Report(last.match.number, last.result.score[::-1] if last.result else None)
    events.append(report(events, other, instead=True))
    now = fold(events)
    records = player_records(now, now.states().values())
    assert records[3].losses == 2
    assert now.missed(3) == now.missed(5) == 0


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
