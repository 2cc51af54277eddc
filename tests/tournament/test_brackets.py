"""Brackets and Berger's tables as data."""

import pytest

from controller.tournament.brackets import bracket_matches, seeded_order
from controller.tournament.format import ConsolationRules, LastChanceRules, StageRules
from controller.tournament.match import Bracket, SourceKind, TournamentMatch
from controller.tournament.round_robin import all_rounds, berger_rounds
from tests.rows import each_row

BERGER = {
    4: "14 23 / 43 12 / 24 31",
    6: "16 25 34 / 64 53 12 / 26 31 45 / 65 14 23 / 36 42 51",
}
"""As FIDE's handbook prints them (C.05, annex 1)."""


@pytest.mark.parametrize("players", BERGER)
def test_the_tables_are_those_of_the_handbook(players: int) -> None:
    rounds = berger_rounds(range(1, players + 1))
    assert (
        " / ".join(" ".join(f"{one}{other}" for one, other in pairs) for pairs in rounds) == BERGER[players]
    )


def test_a_round_robin_that_is_cut_short_gives_everybody_as_many_matches() -> None:
    for players in (9, 10):
        rounds = list(all_rounds(range(1, players + 1), StageRules(rounds=6)))
        met = [each for _, pairs in rounds for pair in pairs if 0 not in pair for each in pair]
        assert min(met.count(each) for each in range(1, players + 1)) == 6


def test_a_second_leg_turns_every_pair_around() -> None:
    pairs = [pair for _, pairs in all_rounds(range(1, 5), StageRules(legs=2)) for pair in pairs]
    assert len(pairs) == 12
    assert len(set(pairs)) == 12


@each_row("players", [2, 4, 8, 16, 64])
def test_the_best_seeds_meet_last(players: int) -> None:
    order = seeded_order(players)
    while len(order) > 1:
        pairs = list(zip(order[::2], order[1::2], strict=True))
        assert {sum(pair) for pair in pairs} == {len(order) + 1}
        order = [min(pair) for pair in pairs]


def won_before(matches: tuple[TournamentMatch, ...], number: int) -> set[int]:
    """The matches that the players of this one have won to be in it."""
    here = [each.number for each in matches[number - 1].sources if each.kind is SourceKind.WINNER]
    return {*here, *(each for one in here for each in won_before(matches, one))}


def fell_from(matches: tuple[TournamentMatch, ...], number: int) -> set[int]:
    """The matches whose losers may be in this one."""
    found = set()
    for source in matches[number - 1].sources:
        if source.kind is SourceKind.LOSER:
            found.add(source.number)
        elif source.kind is SourceKind.WINNER:
            found |= fell_from(matches, source.number)
    return found


@each_row("players", [8, 16, 32, 64, 128])
@each_row("rounds", [2, 3, 9])
def test_who_drops_in_meets_as_few_again_at_once_as_any_shift_allows(players: int, rounds: int) -> None:
    matches = bracket_matches(players, ConsolationRules(rounds, returns=rounds == 9))
    merged: dict[int, list[tuple[int, int]]] = {}
    for match in matches:
        sources = {each.kind: each.number for each in match.sources}
        if match.bracket is Bracket.CONSOLATION and set(sources) == {SourceKind.WINNER, SourceKind.LOSER}:
            pair = (sources[SourceKind.LOSER], sources[SourceKind.WINNER])
            merged.setdefault(match.round, []).append(pair)
    assert merged
    for number, pairs in merged.items():
        met = [
            [len(won_before(matches, dropped) & fell_from(matches, winner)) for _, winner in pairs]
            for dropped, _ in pairs
        ]
        again = [sum(met[place][place ^ shift] for place in range(len(pairs))) for shift in range(len(pairs))]
        assert again[0] == min(again)
        if number == 2 and len(pairs) > 1:
            assert again[0] == 0


@each_row("players", [4, 8, 16, 32, 64])
def test_the_last_chance_takes_the_losers_of_the_consolation(players: int) -> None:
    matches = bracket_matches(players, ConsolationRules(3), LastChanceRules(1))
    fallen = [
        s
        for m in matches
        if m.bracket is Bracket.LAST_CHANCE
        for s in m.sources
        if s.kind is SourceKind.LOSER
    ]
    assert {matches[each.number - 1].bracket for each in fallen} <= {Bracket.CONSOLATION}
    assert {matches[each.number - 1].round for each in fallen} <= {1}
