"""The next round of an event that draws its rounds one by one: all pairs are weighed against each other at once.

The weights are those of the format, in its order: each counts before all that follow it, summed over the whole round.
What they leave open the lot decides, so that anybody who knows the seed can draw the same round again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from controller.tournament.entry import Entry, same
from controller.tournament.fault import RefusalError
from controller.tournament.format import Criterion, Family
from controller.tournament.lot import lot, shuffle
from controller.tournament.match import NOBODY, Bracket
from controller.tournament.matching import LOTS, Pair, pair_cheaply
from controller.tournament.record import PlayerRecord, alive, player_records
from controller.tournament.tournament import Tournament

CLASHES: Final[Mapping[Family, int]] = {Family.FAMILY: 4, Family.CLUB: 2, Family.COUNTRY: 1}
"""How much it counts that two who meet in the first round share something."""
HALVES: Final = 2
"""Records are compared in halves of a point."""


@dataclass(frozen=True, slots=True)
class PairedRound:
    """The pairs of a round, a bye with `NOBODY` for the second player, and what was kept small, in all."""

    pairs: tuple[Pair, ...]
    totals: Mapping[Criterion, int]


@dataclass(frozen=True, slots=True)
class Weights:
    """What it costs to pair two players, or to give one the bye."""

    tournament: Tournament
    records: Mapping[int, PlayerRecord]
    floats: Mapping[int, int]
    first: bool
    worst: int

    def cost(self, one: int, other: int) -> tuple[int, ...]:
        """What each criterion of the format says of a pair; `NOBODY` for a bye."""
        return tuple(self._cost(each, one, other) for each in self.tournament.format.stage.pairing)

    def _cost(self, criterion: Criterion, one: int, other: int) -> int:
        if NOBODY in (one, other):
            player = one or other
            if criterion is Criterion.SECOND_BYE:
                return self.records[player].byes
            return (self.standing(player) - self.worst) if criterion is Criterion.BYE_RECORD else 0
        ahead = self.standing(one) - self.standing(other)
        match criterion:
            case Criterion.REMATCH:
                return self.records[one].met(other)
            case Criterion.RECORD:
                return ahead**2
            case Criterion.FLOAT:
                return self._repeated_floats(one, other, ahead)
            case Criterion.APART:
                entries = self.tournament.entries
                return (
                    clash(entries[one], entries[other], self.tournament.format.stage.apart)
                    if self.first
                    else 0
                )
            case _:
                return 0

    def standing(self, player: int) -> int:
        """A record as a whole number, more for a better one: by losses where lives count, else by points."""
        record = self.records[player]
        lives = self.tournament.format.stage.lives
        return round(HALVES * record.points) if lives is None else lives - record.losses

    def _repeated_floats(self, one: int, other: int, ahead: int) -> int:
        if ahead == 0:
            return 0
        down, up = (one, other) if ahead > 0 else (other, one)
        return (self.floats.get(down, 0) < 0) + (self.floats.get(up, 0) > 0)


def clash(one: Entry, other: Entry, apart: Sequence[Family]) -> int:
    """How much two players have in common of what keeps them apart."""
    return sum(
        CLASHES[each]
        for each in apart
        if getattr(one, each) and same(getattr(one, each)) == same(getattr(other, each))
    )


def round_weights(tournament: Tournament) -> Weights:
    """The weights of the next round."""
    drawn = tournament.rounds_drawn()
    states = tournament.stage(knockout=False)
    records = player_records(tournament, states)
    before = [state for state in states if state.match.round < drawn]
    earlier = Weights(tournament, player_records(tournament, before), {}, first=False, worst=0)
    floats = {}
    for state in states:
        if state.match.bracket is Bracket.ROUNDS and state.match.round == drawn and len(state.players) == 2:
            one, other = state.players
            floats[one] = earlier.standing(other) - earlier.standing(one)
            floats[other] = -floats[one]
    found = Weights(tournament, records, floats, first=drawn == 0, worst=0)
    return replace(found, worst=min(map(found.standing, alive(tournament, records)), default=0))


def pair_round(tournament: Tournament, seed: str, fixed: Sequence[Pair] = ()) -> PairedRound:
    """Draw the next round; `fixed` pairs are those that the director has made already."""
    weights = round_weights(tournament)
    number = tournament.rounds_drawn() + 1
    settled = {each for pair in fixed for each in pair}
    playing = alive(tournament, weights.records)
    for each in settled.difference(playing):
        raise RefusalError("is_out", name=tournament.entries[each].name)
    left = [each for each in playing if each not in settled]
    players = shuffle(seed, f"round {number}", left)
    if len(players) % 2:
        players = [NOBODY, *players]
    costs = {
        (one, other): (*weights.cost(one, other), lot(seed, number, *sorted((one, other))) % LOTS)
        for place, one in enumerate(players)
        for other in players[place + 1 :]
    }
    drawn = [(pair[1], NOBODY) if pair[0] == NOBODY else pair for pair in pair_cheaply(costs)]
    turned = [
        pair if NOBODY in pair or lot(seed, "turn", number, *sorted(pair)) % 2 else pair[::-1]
        for pair in drawn
    ]
    ordered = sorted(turned, key=lambda pair: _place(weights, seed, number, pair))
    pairs = (*fixed, *ordered)
    sums = [sum(column) for column in zip(*(weights.cost(*pair) for pair in pairs), strict=True)]
    return PairedRound(pairs, dict(zip(tournament.format.stage.pairing, sums, strict=False)))


def _place(weights: Weights, seed: str, number: int, pair: Pair) -> tuple[bool, int, int]:
    """Where a pair stands in the list: the best records first, the bye last."""
    best = max(weights.standing(each) for each in pair if each != NOBODY)
    return NOBODY in pair, -best, lot(seed, "list", number, *pair)
