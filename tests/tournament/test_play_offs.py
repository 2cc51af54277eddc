"""Play-offs: who would share a place plays for it, and nothing else changes."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.tournament.catalogue import format_names, load_format, parse_format
from controller.tournament.changes import Report as Given
from controller.tournament.changes import begin, draw, play_off, report, undo, withdraw
from controller.tournament.events import MatchesDrawn, PlayerEntered, ResultReported, TournamentEvent
from controller.tournament.fault import TournamentError
from controller.tournament.format import StageKind, TieBreak
from controller.tournament.match import Bracket
from controller.tournament.sheets.lines import overview, standings_lines
from controller.tournament.standings import play_off_groups, standing_tables
from controller.tournament.tournament import fold
from tests.tournament.evenings import opening, play_on

PLAIN = parse_format('[stage]\nkind = "rounds"\nrounds = 1\ntie_breaks = []', "x", "x")


def one_round(players: int) -> list[TournamentEvent]:
    """One round without tie-breaks: half of the players share the first place."""
    return play_on(opening(PLAIN, players), random.Random(1))


def places(events: Sequence[TournamentEvent]) -> dict[str, tuple[int | None, int | None]]:
    tournament = fold(events)
    return {
        tournament.entries[row.player].name: (row.place, row.last)
        for table in standing_tables(tournament)
        for row in table.rows
    }


def first_names(events: Sequence[TournamentEvent]) -> list[str]:
    tournament = fold(events)
    return [tournament.entries[each].name for each in play_off_groups(tournament)[0]]


def win(events: Sequence[TournamentEvent], winner: str, loser: str) -> list[TournamentEvent]:
    """A play-off and its result."""
    drawn = [*events, play_off(events, winner, loser)]
    return [*drawn, report(drawn, Given((winner, loser), (1, 0)))]


def test_the_winner_of_a_play_off_has_the_better_place_and_the_others_keep_theirs() -> None:
    events = one_round(4)
    before = places(events)
    one, other = first_names(events)
    assert before[one] == before[other] == (1, 2)
    after = win(events, other, one)
    assert places(after) == before | {other: (1, 1), one: (2, 2)}
    assert f"play-off 1 = {one} 1" in standings_lines(fold(after))
    records = {row.player: row.record for row in standing_tables(fold(after))[0].rows}
    assert all(record is not None and record.wins + record.losses == 1 for record in records.values())


def test_of_three_the_one_who_beats_the_first_winner_comes_first() -> None:
    events = one_round(6)
    a, b, c = first_names(events)
    events = win(win(events, a, b), c, a)
    assert {each: places(events)[each] for each in (a, b, c)} == {a: (2, 2), b: (3, 3), c: (1, 1)}
    matches = [each for each in fold(events).matches.values() if each.bracket is Bracket.PLAY_OFF]
    assert [(each.round, each.length) for each in matches] == [(1, 1), (2, 1)]


def test_a_play_off_that_is_open_is_what_is_played_now() -> None:
    events = one_round(4)
    one, other = first_names(events)
    events = [*events, play_off(events, one, other, 3)]
    assert f"Play-off, to 3 points\n  3  {one} - {other}" in overview(fold(events))


def test_play_offs_may_come_before_other_tie_breaks_but_never_decide_what_those_before_them_did() -> None:
    rules = parse_format(
        '[stage]\nkind = "rounds"\nrounds = 1\ntie_breaks = ["difference", "play_off", "lot"]', "x", "x"
    )
    assert rules.stage.tie_breaks == (TieBreak.DIFFERENCE, TieBreak.PLAY_OFF, TieBreak.LOT)
    events = opening(rules, 4)
    events.append(draw(events))
    for number in (1, 2):
        events.append(report(events, Given(number, (7, 3))))
    tied = first_names(events)
    assert {places(events)[each] for each in tied} == {(1, 1), (2, 2)}, (
        "the lot decides until they have played"
    )
    after = win(events, tied[1], tied[0])
    assert places(after)[tied[1]] == (1, 1)
    other = [*events[:-1], report(events[:-1], Given(2, (7, 4)))]
    one, two = (name for name, (place, _) in places(other).items() if place in (1, 2))
    with pytest.raises(TournamentError, match="do not share a place; nobody shares a place"):
        play_off(other, one, two)


def test_what_decides_nothing_is_refused() -> None:
    events = one_round(4)
    one, other = first_names(events)
    third = next(name for name, (place, _) in places(events).items() if place == 3)
    with pytest.raises(
        TournamentError, match=f"{one} and {third} do not share a place; give two of {one}, {other}"
    ):
        play_off(events, one, third)
    with pytest.raises(TournamentError, match="do not share a place"):
        play_off(events, one, one)
    done = win(events, one, other)
    with pytest.raises(TournamentError, match="have their play-off"):
        play_off(done, other, one)
    with pytest.raises(TournamentError, match=f"{other} has withdrawn"):
        play_off([*events, withdraw(events, other)], one, other)


def test_a_play_off_waits_for_the_last_round_and_comes_before_the_knockout() -> None:
    early = opening("swiss", 4)
    with pytest.raises(TournamentError, match="Rounds are left to draw"):
        play_off(early, "P1", "P2")
    with pytest.raises(TournamentError, match="Matches 1, 2 are not over"):
        play_off([*early, draw(early)], "P1", "P2")
    with pytest.raises(TournamentError, match="Brackets have no play-offs"):
        play_off(opening("single-elimination", 4), "P1", "P2")
    over = play_on(opening("groups-knockout", 8), random.Random(3))
    with pytest.raises(TournamentError, match="The knockout is drawn"):
        play_off(over, "P1", "P2")


def test_a_play_off_decides_who_goes_on_into_the_knockout() -> None:
    rules = parse_format(
        '[stage]\nkind = "rounds"\nrounds = 1\ntie_breaks = []\n[knockout]\nqualify = 2', "x", "x"
    )
    events = opening(rules, 6)
    events.append(draw(events))
    for number in (1, 2, 3):
        events.append(report(events, Given(number, (7, 3))))
    a, b, c = first_names(events)
    events = win(win(events, b, c), a, c)
    events = [*events, play_off(events, a, b)]
    with pytest.raises(TournamentError, match="is not over"):
        draw(events)
    events.append(report(events, Given((a, b), (1, 0))))
    drawn = fold([*events, draw(events)])
    (final,) = (each for each in drawn.states().values() if each.match.bracket is Bracket.KNOCKOUT)
    assert {drawn.entries[each].name for each in final.players} == {a, b}


def test_an_earlier_result_cannot_be_taken_back_under_a_play_off() -> None:
    events = one_round(4)
    one, other = first_names(events)
    number = next(at for at, each in enumerate(events, start=1) if type(each).__name__ == "ResultReported")
    with pytest.raises(TournamentError, match="Undo what follows from it, too"):
        undo(win(events, one, other), number)


@pytest.mark.parametrize(
    "chosen", [each for each in format_names() if load_format(each).stage.kind is not StageKind.BRACKETS]
)
@given(players=st.integers(3, 12), seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=6)
def test_undone_play_offs_leave_what_was_before(chosen: str, players: int, seed: int) -> None:
    chance = random.Random(seed)
    made = load_format(chosen)
    events = _without_knockout(
        play_on([begin("Cup", made, "1"), *opening(made, players)[1:]], chance, wild=0.1)
    )
    tournament = fold(events)
    here = [
        [tournament.entries[each].name for each in group if each not in tournament.withdrawn]
        for group in play_off_groups(tournament)
    ]
    pairs = [(group[at], group[at + 1]) for group in here for at in range(len(group) - 1)]
    before, said = places(events), len(events)
    for one, other in pairs:
        events = win(events, *chance.sample((one, other), 2))
    for number in range(len(events), said, -1):
        events = [*events, undo(events, number)]
    assert places(events) == before
    assert fold(events).matches == tournament.matches


def _without_knockout(events: Sequence[TournamentEvent]) -> list[TournamentEvent]:
    """The events up to the knockout."""
    found: list[TournamentEvent] = []
    for event in events:
        if any(each.bracket is Bracket.KNOCKOUT for each in fold([*found, event]).matches.values()):
            break
        found.append(event)
    return found


PAID = parse_format(
    '[stage]\nkind = "rounds"\nlives = 2\nplay_off_at = 3\ntie_breaks = ["losses", "play_off", "buchholz"]',
    "x",
    "x",
)


def left_of(events: Sequence[TournamentEvent]) -> set[int]:
    """Who has lost fewer than two matches of the rounds, counted from the events alone."""
    lost = Counter(each.result.loser for each in events if isinstance(each, ResultReported))
    entered = (each.entry.number for each in events if isinstance(each, PlayerEntered))
    return {each for each in entered if lost[each] < 2}


@given(players=st.integers(2, 16), seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=15)
def test_rounds_end_when_as_many_are_left_as_are_paid(players: int, seed: int) -> None:
    events = play_on(opening(PAID, players), random.Random(seed))
    draws = [at for at, each in enumerate(events) if isinstance(each, MatchesDrawn)]
    enough = min(3, players - 1)
    assert len(left_of(events)) <= enough
    assert all(len(left_of(events[:at])) > enough for at in draws[1:])


def test_three_who_are_left_with_equal_records_play_for_the_first_place() -> None:
    for seed in range(40):
        events = play_on(opening(PAID, 7, seed=str(seed)), random.Random(seed))
        equal = first_names(events) if play_off_groups(fold(events)) else []
        if len(equal) == len(left_of(events)) == 3:
            break
    a, b, c = equal
    assert {places(events)[each] for each in equal} <= {(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)}
    after = places(win(win(events, b, a), b, c))
    assert after[b] == (1, 1)
    assert after | {each: places(events)[each] for each in equal} == places(events)


def test_play_offs_at_a_number_of_players_need_lives() -> None:
    with pytest.raises(TournamentError, match="without lives nobody is out; set lives"):
        parse_format('[stage]\nkind = "rounds"\nrounds = 3\nplay_off_at = 3', "x", "x")
