"""A result that is corrected after the knockout was drawn: the knockout stands on it, or the director is told."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.messages.catalogue import LANGUAGES
from controller.tournament.changes import Report, draw, report, undo
from controller.tournament.draw import qualified_order
from controller.tournament.events import EventsUndone, MatchesDrawn, ResultReported, TournamentEvent
from controller.tournament.fault import RefusalError
from controller.tournament.match import Bracket
from controller.tournament.tournament import fold
from tests.tournament.evenings import open_matches, opening, play_on


def drawn_knockout(players: int = 8) -> tuple[list[TournamentEvent], int]:
    """Groups of four in which the lower number has won, and the drawn knockout; the number of its event."""
    events = opening("groups-knockout", players)
    events.append(draw(events))
    for state in open_matches(fold(events)):
        first, second = state.players
        events.append(report(events, Report(state.match.number, (7, 0) if first < second else (0, 7))))
    events.append(draw(events))
    return events, len(events)


def correct(events: list[TournamentEvent], one: int, other: int, *, won: bool) -> ResultReported:
    """The result of two players of a group turned round, or as it was."""
    score = (7, 5) if won else (5, 7)
    return report(events, Report((f"P{one}", f"P{other}"), score), instead=True)


def same_group(events: list[TournamentEvent]) -> list[int]:
    first = next(each for each in events if isinstance(each, MatchesDrawn))
    group = [each for each in first.matches if each.group == 1]
    return sorted({source.number for each in group for source in each.sources})


def names_in_knockout(events: list[TournamentEvent]) -> set[int]:
    return {each for state in fold(events).stage(knockout=True) for each in state.players}


def test_a_correction_that_lets_others_go_on_is_refused_with_the_way_to_draw_anew() -> None:
    events, number = drawn_knockout()
    _, second, third, _ = same_group(events)
    with pytest.raises(RefusalError) as caught:
        correct(events, second, third, won=False)
    assert str(caught.value) == (
        f"With that P{third} would be in the knockout instead of P{second}, and it is drawn already. Undo its draw "
        f"first (event {number}) with what follows from it; then do this, and draw again."
    )
    for language in LANGUAGES:
        told = caught.value.in_language(language)
        assert f"P{third}" in told
        assert f"P{second}" in told
        assert str(number) in told
    events.append(undo(events, number, later=True))
    events.append(correct(events, second, third, won=False))
    events.append(draw(events))
    assert third in names_in_knockout(events)
    assert second not in names_in_knockout(events)


def test_a_correction_that_changes_nothing_in_the_knockout_is_taken() -> None:
    events, _ = drawn_knockout()
    first, _, third, fourth = same_group(events)
    before = names_in_knockout(events)
    events.append(correct(events, first, fourth, won=True))
    events.append(correct(events, third, fourth, won=False))
    assert names_in_knockout(events) == before


def test_a_correction_that_turns_round_who_won_the_group_is_refused_too() -> None:
    events, number = drawn_knockout()
    first, second, *_ = same_group(events)
    with pytest.raises(RefusalError, match=rf"would stand elsewhere in it.*event {number}\b"):
        correct(events, first, second, won=False)


def test_a_result_of_the_knockout_itself_is_corrected_as_before() -> None:
    events, _ = drawn_knockout()
    state = open_matches(fold(events))[0]
    events.append(report(events, Report(state.match.number, (7, 0))))
    events.append(report(events, Report(state.match.number, (0, 7)), instead=True))
    assert fold(events).states()[state.match.number].winner == state.players[1]


def test_undoing_a_correction_on_which_the_knockout_stands_is_refused() -> None:
    events, number = drawn_knockout()
    _, second, third, _ = same_group(events)
    events.append(undo(events, number))
    events.append(correct(events, second, third, won=False))
    corrected = len(events)
    events.append(draw(events))
    with pytest.raises(RefusalError, match=rf"P{second} would be in the knockout instead of P{third}"):
        undo(events, corrected)
    undone = undo(events, corrected, later=True)
    assert undone == EventsUndone((corrected, corrected + 1))


def test_a_tournament_that_took_such_a_correction_before_takes_the_right_one_and_others() -> None:
    events, _ = drawn_knockout()
    first, second, third, fourth = same_group(events)
    wrong = fold(events).states()
    turned = next(each for each in wrong.values() if {*each.players} == {second, third})
    result = turned.result
    assert result is not None
    # As an older version wrote it.
    events.append(ResultReported(turned.match.number, type(result)(result.players, result.score[::-1])))
    assert correct(events, first, fourth, won=True)
    assert correct(events, second, third, won=True)


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(("groups-knockout", "swiss-knockout")),
    st.integers(4, 12),
    st.integers(0, 2**32),
    st.data(),
)
def test_whatever_is_corrected_or_undone_the_knockout_is_the_one_of_the_results(
    chosen: str, players: int, seed: int, data: st.DataObject
) -> None:
    events = play_on(opening(chosen, players), random.Random(seed))
    results = [(n, each) for n, each in enumerate(events, start=1) if isinstance(each, ResultReported)]
    number, old = data.draw(st.sampled_from(results))
    changed: list[TournamentEvent] = list(events)
    try:
        if data.draw(st.booleans()):
            changed.append(report(events, Report(old.match, old.result.score[::-1]), instead=True))
        else:
            changed.append(undo(events, number, later=data.draw(st.booleans())))
    except RefusalError:
        return
    now = fold(changed)
    drawn = [each for each in now.draws if any(m.bracket is Bracket.KNOCKOUT for m in each.matches)]
    for each in drawn:
        entered = {
            source.number for m in each.matches for source in m.sources if source.kind.value == "entry"
        }
        assert {*qualified_order(now, each.seed)} == entered
