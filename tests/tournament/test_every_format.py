"""Every format, any number of players: everybody plays, nobody twice at once, losers land once, byes are few."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.tournament.catalogue import format_names, load_format
from controller.tournament.changes import draw
from controller.tournament.events import MatchesDrawn, ResultReported, event_from, event_record
from controller.tournament.format import StageKind
from controller.tournament.match import Bracket, MatchEnding, SourceKind
from controller.tournament.standings import standing_tables
from controller.tournament.tournament import Progress, fold, playable
from tests.rows import each_row
from tests.tournament.evenings import any_result, drawn_pairs, free_pairs, open_matches, opening, play_on

FORMATS = st.sampled_from(format_names())
CHANCE = st.integers(0, 2**32).map(random.Random)


@settings(max_examples=15, deadline=None)
@given(FORMATS, st.integers(2, 24), CHANCE)
def test_everybody_plays(chosen: str, players: int, chance: random.Random) -> None:
    tournament = fold(play_on(opening(chosen, players), chance))
    met = {player for state in tournament.states().values() if state.played() for player in state.players}
    assert met == set(range(1, players + 1))


@settings(max_examples=15, deadline=None)
@given(FORMATS, st.integers(2, 24), CHANCE)
def test_nobody_plays_twice_at_once(chosen: str, players: int, chance: random.Random) -> None:
    events = opening(chosen, players, clubs=3)
    events.append(draw(events, pairs=free_pairs(fold(events), chance)))
    while opened := open_matches(tournament := fold(events)):
        now = playable(tournament.states())
        busy = Counter(player for state in now for player in state.players)
        assert now
        assert set(busy.values()) == {1}
        if load_format(chosen).stage.kind is not StageKind.ROUND_ROBIN:
            assert sorted(state.match.number for state in now) == sorted(each.match.number for each in opened)
        events.append(ResultReported(now[0].match.number, any_result(now[0], chance)))


@settings(max_examples=15, deadline=None)
@given(FORMATS, st.integers(2, 24), CHANCE)
def test_who_loses_lands_once(chosen: str, players: int, chance: random.Random) -> None:
    tournament = fold(play_on(opening(chosen, players), chance, wild=0.1))
    leads = Counter(
        (source.kind, source.number)
        for match in tournament.matches.values()
        if not match.decider
        for source in match.sources
        if source.kind in (SourceKind.WINNER, SourceKind.LOSER)
    )
    assert set(leads.values()) <= {1}
    for bracket in (Bracket.MAIN, Bracket.CONSOLATION, Bracket.LAST_CHANCE, Bracket.KNOCKOUT):
        lost = Counter(
            player
            for state in tournament.states().values()
            if state.match.bracket is bracket and state.progress is Progress.OVER
            for player in state.players
            if player != state.winner
        )
        assert set(lost.values()) <= {1}, bracket


@each_row("players", [*range(2, 20), 31, 32, 33, 64, 96, 130])
def test_losers_of_the_first_rounds_of_the_classic_event_drop_and_nobody_else(players: int) -> None:
    events = opening("consolation", players)
    matches = draw(events).matches
    last = max(match.round for match in matches if match.bracket is Bracket.MAIN)
    dropped = {s.number for m in matches for s in m.sources if s.kind is SourceKind.LOSER}
    main = {m.number for m in matches if m.bracket is Bracket.MAIN and m.round <= min(3, last - 1)}
    assert {each for each in dropped if matches[each - 1].bracket is Bracket.MAIN} == main
    rounds = [m.round for m in matches if m.bracket is Bracket.CONSOLATION]
    second = (
        {m.number for m in matches if m.bracket is Bracket.CONSOLATION and m.round <= min(2, max(rounds) - 1)}
        if rounds
        else set()
    )
    assert {each for each in dropped if matches[each - 1].bracket is Bracket.CONSOLATION} == second


@each_row("players", [2, 3, 4, 5, 8, 13, 16, 33])
def test_in_double_elimination_everybody_but_the_winner_loses_twice(players: int) -> None:
    tournament = fold(play_on(opening("double-elimination", players), random.Random(players)))
    lost = Counter(
        player
        for state in tournament.states().values()
        if state.progress is Progress.OVER
        for player in state.players
        if player != state.winner
    )
    winner = standing_tables(tournament)[0].rows[0].player
    assert lost.pop(winner, 0) <= 1
    assert lost == dict.fromkeys(set(range(1, players + 1)) - {winner}, 2)


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 130))
def test_a_bracket_has_as_few_byes_as_can_be_and_nobody_has_two(players: int) -> None:
    drawn = draw(opening("single-elimination", players))
    first = [match for match in drawn.matches if match.round == 1]
    byes = [each for each in drawn_pairs(MatchesDrawn("", tuple(first))) if len(each) == 1]
    assert all(len(each) > 0 for each in drawn_pairs(MatchesDrawn("", tuple(first))))
    assert len(byes) == 2 * len(first) - players
    assert len(byes) < max(len(first), 2)


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(["swiss", "moreswiss", "three-lives", "club-evening"]), st.integers(2, 24), CHANCE)
def test_a_round_has_a_bye_only_for_an_odd_number_and_no_second_one_before_all_had_one(
    chosen: str, players: int, chance: random.Random
) -> None:
    events = play_on(opening(chosen, players), chance)
    lives = load_format(chosen).stage.lives or 10**6
    lost: Counter[int] = Counter()
    byes: Counter[int] = Counter()
    pairs: dict[int, tuple[int, ...]] = {}
    for event in events:
        if isinstance(event, ResultReported):
            lost[event.result.loser] += 1
        if isinstance(event, MatchesDrawn):
            here = {each for each in range(1, players + 1) if lost[each] < lives}
            drawn = drawn_pairs(event)
            pairs |= dict(enumerate(drawn))
            assert Counter(each for pair in drawn for each in pair) == dict.fromkeys(here, 1)
            alone = [pair[0] for pair in drawn if len(pair) == 1]
            assert len(alone) == len(here) % 2
            for each in alone:
                assert byes[each] == min(byes[other] for other in here)
                byes[each] += 1


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(["swiss", "moreswiss", "three-lives"]), st.integers(8, 30), CHANCE)
def test_nobody_meets_again_while_half_of_the_others_are_new(
    chosen: str, players: int, chance: random.Random
) -> None:
    """Where everybody has met fewer than half of the others a round without rematches exists (Dirac 1952)."""
    events = play_on(opening(chosen, players), chance)
    met: set[tuple[int, ...]] = set()
    for number, event in enumerate(each for each in events if isinstance(each, MatchesDrawn)):
        drawn = [tuple(sorted(each)) for each in drawn_pairs(event) if len(each) == 2]
        if 2 * (number + 1) < 2 * len(drawn):
            assert met.isdisjoint(drawn)
        met.update(drawn)


@settings(max_examples=15, deadline=None)
@given(FORMATS, st.integers(2, 20), CHANCE)
def test_any_evening_comes_to_an_end_and_is_the_same_after_reading_its_file(
    chosen: str, players: int, chance: random.Random
) -> None:
    events = play_on(opening(chosen, players, clubs=4), chance, wild=0.15)
    lines = [event_from(event_record(event), "line") for event in events]
    assert lines == events
    tournament = fold(events)
    assert open_matches(tournament) == []
    for table in standing_tables(tournament):
        assert len({row.player for row in table.rows}) == len(table.rows)
        places = [row.place for row in table.rows if row.place is not None]
        assert places == sorted(places)


@each_row("players", range(3, 20))
def test_in_a_round_robin_everybody_meets_everybody_once(players: int) -> None:
    drawn = draw(opening("round-robin", players))
    pairs = Counter(frozenset(each) for each in drawn_pairs(drawn))
    assert pairs == {frozenset({a, b}): 1 for a in range(1, players + 1) for b in range(1, a)}
    for number in {match.round for match in drawn.matches}:
        busy = Counter(s.number for m in drawn.matches if m.round == number for s in m.sources)
        assert set(busy.values()) == {1}


@each_row("players", [5, 9, 14, 23, 30])
def test_groups_are_equal_and_clubs_are_spread_over_them(players: int) -> None:
    drawn = draw(opening("groups-knockout", players, clubs=5))
    groups: dict[int, set[int]] = {}
    for match in drawn.matches:
        groups.setdefault(match.group, set()).update(each.number for each in match.sources)
    sizes = sorted(len(each) for each in groups.values())
    assert sizes[-1] <= 4
    assert sizes[-1] - sizes[0] <= 1
    assert drawn.totals.get("apart", 0) == 0
    for members in groups.values():
        assert len({each % 5 for each in members}) == len(members)


@pytest.mark.parametrize("players", [9, 14, 16])
def test_those_of_one_group_meet_again_in_the_final_at_the_earliest(players: int) -> None:
    for seed in range(6):
        events = play_on(opening("groups-knockout", players, seed=str(seed)), random.Random(players + seed))
        tournament = fold(events)
        group = {s.number: m.group for m in tournament.matches.values() if m.group for s in m.sources}
        knockout = [each for each in tournament.states().values() if each.match.bracket is Bracket.KNOCKOUT]
        last = max(each.match.round for each in knockout)
        for state in knockout:
            if len(state.players) == 2 and state.match.round < last:
                assert len({group[each] for each in state.players}) == 2


@settings(max_examples=10, deadline=None)
@given(st.sampled_from([("moreswiss", 4, 3), ("three-lives", 3, 3)]), st.integers(2, 16), CHANCE)
def test_lives_are_played_until_one_player_can_win(
    rules: tuple[str, int, int], players: int, chance: random.Random
) -> None:
    chosen, lives, to_win = rules
    events = play_on(opening(chosen, players), chance)
    lost: Counter[int] = Counter()
    contenders: set[int] = set()
    for event in events:
        if isinstance(event, MatchesDrawn):
            contenders = {each for each in range(1, players + 1) if lost[each] < to_win}
            assert len(contenders) > 1
        if isinstance(event, ResultReported):
            lost[event.result.loser] += 1
    left = {each for each in contenders if lost[each] < to_win}
    # With a life more than it takes to win, the last who could may all lose to others in one round.
    assert len(left) == 1 or (not left and to_win < lives)
    assert max(lost.values()) <= lives
    first = [row.player for row in standing_tables(fold(events))[0].rows if row.place == 1]
    assert set(first) <= (left or contenders)


def test_clubmates_do_not_meet_in_the_first_round_while_that_can_be() -> None:
    for chosen in ("swiss", "single-elimination", "consolation"):
        for seed in map(str, range(6)):
            drawn = draw(opening(chosen, 18, clubs=3, seed=seed))
            first = [each for each in drawn_pairs(drawn) if len(each) == 2]
            assert all(one % 3 != other % 3 for one, other in first)


def test_the_same_seed_draws_the_same_and_another_one_something_else() -> None:
    for chosen in set(format_names()) - {"free"}:
        once, again, other = (draw(opening(chosen, 16, seed=seed)) for seed in ("7", "7", "8"))
        assert once == again
        assert once.matches != other.matches


def test_after_a_double_walk_over_the_empty_place_goes_on() -> None:
    events = opening("single-elimination", 4)
    events.append(draw(events))
    first = open_matches(fold(events))[0]
    gone = any_result(first, random.Random(1))
    gone = type(gone)(gone.players, (0, 0), MatchEnding.DOUBLE_WALKOVER)
    events.append(ResultReported(first.match.number, gone))
    events = play_on(events, random.Random(2))
    final = fold(events).states()[3]
    assert final.progress is Progress.BYE
    assert final.winner not in gone.players
