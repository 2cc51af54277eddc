"""Ratings by the formula of FIBS, from the results in the order in which they were reported; walk-overs do not count.

Source: bkgm.com, "FIBS rating formula". With ``D`` the difference of the ratings and ``n`` the length of the match,
the weaker one wins with ``1 / (10 ** (D * sqrt(n) / spread) + 1)``; ``K`` falls from `newcomer` to 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Final

from controller.tournament.format import RatingRules
from controller.tournament.tournament import Tournament

HOPELESS: Final = 300.0
"""Powers of ten beyond this are no numbers any more."""


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """What a match changed.

    Attributes:
        match: its number.
        players: winner and loser.
        ratings: before it, of both.
        chance: the winner's, before it.
        changes: of both; the loser's is below 0.
    """

    match: int
    players: tuple[int, int]
    ratings: tuple[float, float]
    chance: float
    changes: tuple[float, float]


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """A player's rating before and after the event, and their experience after it."""

    player: int
    before: float
    after: float
    experience: float
    matches: int


def expected(own: float, other: float, length: int, rules: RatingRules) -> float:
    """The chance to win a match, from 0 to 1."""
    power = (other - own) * sqrt(length) / rules.spread
    return 1 / (10 ** min(power, HOPELESS) + 1)


def pace(experience: float, rules: RatingRules) -> float:
    """How many times as fast as usual a rating moves after so much experience."""
    if rules.settled == 0:
        return 1.0
    return max(1.0, rules.newcomer - (rules.newcomer - 1) * experience / rules.settled)


def rated_matches(tournament: Tournament) -> tuple[RatedMatch, ...]:
    """Every match that counts, in its order."""
    return tuple(match for match, *_ in _rate(tournament))


def player_ratings(tournament: Tournament) -> tuple[PlayerRating, ...]:
    """Everybody's rating, the highest first."""
    rules = tournament.format.rating
    before = {each.number: _start(each.rating, rules) for each in tournament.entries.values()}
    after = dict(before)
    experience = {each.number: each.experience for each in tournament.entries.values()}
    played = dict.fromkeys(before, 0)
    for match, length in _rate(tournament):
        for player, change in zip(match.players, match.changes, strict=True):
            after[player] += change
            experience[player] += length
            played[player] += 1
    found = [PlayerRating(each, before[each], after[each], experience[each], played[each]) for each in before]
    return tuple(sorted(found, key=lambda each: (-each.after, each.player)))


def _rate(tournament: Tournament) -> Iterator[tuple[RatedMatch, int]]:
    rules, states = tournament.format.rating, tournament.states()
    ratings = {each.number: _start(each.rating, rules) for each in tournament.entries.values()}
    experience = {each.number: each.experience for each in tournament.entries.values()}
    for number in tournament.results:
        state = states[number]
        if not state.played() or not state.winner or not state.loser:
            continue
        length, pair = state.match.length, (state.winner, state.loser)
        old = (ratings[pair[0]], ratings[pair[1]])
        chance = expected(*old, length, rules)
        step = rules.swing * sqrt(length) * (1 - chance)
        changes = (step * pace(experience[pair[0]], rules), -step * pace(experience[pair[1]], rules))
        for player, change in zip(pair, changes, strict=True):
            ratings[player] += change
            experience[player] += length
        yield RatedMatch(number, pair, old, chance, changes), length


def _start(rating: float | None, rules: RatingRules) -> float:
    return rules.start if rating is None else rating
