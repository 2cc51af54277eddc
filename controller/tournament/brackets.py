"""Brackets as data: who plays whom where, and who drops where, for any number of players.

Matches are numbered from 1, each source of a match is a smaller one, a seed, or a bye. Losers drop so that those who
have met come back together as late as possible (tourneygeek.com calls it the shift).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

from controller.tournament.format import ConsolationRules, LastChanceRules
from controller.tournament.match import BYE, Bracket, MatchSource, SourceKind, TournamentMatch


@dataclass(slots=True)
class _Plan:
    """Matches so far."""

    matches: list[TournamentMatch] = field(default_factory=list)

    def add(
        self, bracket: Bracket, number: int, first: MatchSource, second: MatchSource, *, decider: bool = False
    ) -> int:
        """Another match of a round; its number."""
        here = len(self.matches) + 1
        self.matches.append(TournamentMatch(here, bracket, number, first, second, decider=decider))
        return here

    def rounds(self, bracket: Bracket) -> list[list[int]]:
        """The numbers of a bracket's matches, round by round."""
        rounds: dict[int, list[int]] = {}
        for match in self.matches:
            if match.bracket is bracket:
                rounds.setdefault(match.round, []).append(match.number)
        return [rounds[each] for each in sorted(rounds)]


def bracket_matches(
    players: int,
    consolation: ConsolationRules | None = None,
    last_chance: LastChanceRules | None = None,
    bracket: Bracket = Bracket.MAIN,
) -> tuple[TournamentMatch, ...]:
    """The matches for 2 players or more, with seeds for sources; the highest seeds have the byes.

    Lengths are left at 0.
    """
    plan = _Plan()
    winner = _knockout(plan, [_seed(each, players) for each in seeded_order(players)], bracket)
    if consolation is not None and consolation.rounds:
        main = plan.rounds(bracket)
        drops = main if consolation.returns else main[: min(consolation.rounds, len(main) - 1)]
        back = _consolation(plan, drops, Bracket.CONSOLATION) if drops else None
        if back is not None and consolation.returns:
            first = plan.add(Bracket.TITLE, 1, winner, back)
            plan.add(Bracket.TITLE, 2, _winner(first), _loser(first), decider=True)
        elif last_chance is not None and last_chance.rounds:
            second = plan.rounds(Bracket.CONSOLATION)
            drops = second[: min(last_chance.rounds, len(second) - 1)]
            if drops:
                _consolation(plan, drops, Bracket.LAST_CHANCE)
    return tuple(plan.matches)


def size_for(players: int) -> int:
    """The places of the smallest bracket that holds this many players."""
    return 1 << max(1, (players - 1).bit_length())


def seeded_order(players: int) -> list[int]:
    """The seeds from the top of the bracket to its bottom: 1 meets 2 in the final, 1 to 4 in the semifinals."""
    order = [1, 2]
    while len(order) < size_for(players):
        whole = 2 * len(order) + 1
        order = [each for seed in order for each in (seed, whole - seed)]
    return order


def _seed(number: int, players: int) -> MatchSource:
    return MatchSource(SourceKind.SEED, number) if number <= players else BYE


def _winner(match: int) -> MatchSource:
    return MatchSource(SourceKind.WINNER, match)


def _loser(match: int) -> MatchSource:
    return MatchSource(SourceKind.LOSER, match)


def _halve(plan: _Plan, current: Sequence[MatchSource], bracket: Bracket, number: int) -> list[MatchSource]:
    """A round in which neighbours play; its winners."""
    pairs = zip(current[::2], current[1::2], strict=True)
    return [_winner(plan.add(bracket, number, *pair)) for pair in pairs]


def _knockout(plan: _Plan, current: Sequence[MatchSource], bracket: Bracket) -> MatchSource:
    for number in count(1):
        if len(current) == 1:
            break
        current = _halve(plan, current, bracket, number)
    return current[0]


def _consolation(plan: _Plan, drops: Sequence[Sequence[int]], bracket: Bracket) -> MatchSource:
    """A bracket of the losers of some rounds, each of which drops in when as many are left as it brings."""
    above = _earlier(plan)
    current = [_loser(each) for each in drops[0]]
    fallen = [{each} for each in drops[0]]
    waiting = list(drops[1:])
    for number in count(1):
        if waiting and len(waiting[0]) == len(current):
            wave = _shift(fallen, waiting.pop(0), above)
            pairs = zip(current, map(_loser, wave), strict=True)
            current = [_winner(plan.add(bracket, number, *pair)) for pair in pairs]
            fallen = [{*those, each} for those, each in zip(fallen, wave, strict=True)]
        elif len(current) > 1:
            current = _halve(plan, current, bracket, number)
            fallen = [one | other for one, other in zip(fallen[::2], fallen[1::2], strict=True)]
        else:
            return current[0]
    raise AssertionError


def _shift(fallen: Sequence[set[int]], wave: Sequence[int], above: Sequence[set[int]]) -> list[int]:
    """The losers who drop in, moved so that those who have met come together as late as possible."""
    places = range(len(wave))
    have_met = [[sum(_related(one, other, above) for other in those) for those in fallen] for one in wave]

    def meetings(mask: int) -> list[int]:
        """How many who have met can meet again in this round for the first time, in the next one, and so on."""
        found = [0] * (len(wave).bit_length())
        for place in places:
            for other in places:
                found[(place ^ other).bit_length()] += have_met[place ^ mask][other]
        return found

    mask = min(places, key=meetings)
    return [wave[place ^ mask] for place in places]


def _earlier(plan: _Plan) -> list[set[int]]:
    """Of each match by number, those that its players have won on their way to it in the same bracket."""
    found: list[set[int]] = [set()]
    for match in plan.matches:
        before = [each.number for each in match.sources if each.kind is SourceKind.WINNER]
        found.append({*before, *(each for one in before for each in found[one])})
    return found


def _related(one: int, other: int, above: Sequence[set[int]]) -> bool:
    """Whether the losers of two matches may have met in one of them."""
    return one in above[other] or other in above[one]
