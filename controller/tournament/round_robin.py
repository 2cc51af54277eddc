"""Everybody against everybody: Berger's tables, and groups as equal as possible."""

from collections.abc import Callable, Iterator, Sequence

from controller.tournament.format import StageRules
from controller.tournament.match import NOBODY
from controller.tournament.matching import LOTS, Pair, pair_cheaply


def berger_rounds(players: Sequence[int]) -> list[list[Pair]]:
    """The rounds for these players; with an odd number each has one bye, a pair with `NOBODY`.

    In Berger's tables the last place stays while the others move on by half their number.
    """
    places = [*players] if len(players) % 2 == 0 else [*players, NOBODY]
    half, moving = len(places) // 2, len(places) - 1
    rounds = []
    for number in range(moving):
        start = number * half
        circle = [places[(start + step) % moving] for step in range(moving)]
        last = places[-1]
        first = (circle[0], last) if number % 2 == 0 else (last, circle[0])
        pairs = [first, *((circle[step], circle[-step]) for step in range(1, half))]
        rounds.append([pair if pair[0] != NOBODY else (pair[1], NOBODY) for pair in pairs])
    return rounds


def all_rounds(players: Sequence[int], rules: StageRules) -> Iterator[tuple[int, list[Pair]]]:
    """Every round of a group with its number from 1, turned around in every second leg, as many as the rules say.

    With an odd number of players there is a round more then, so that nobody plays less for a bye.
    """
    number = 0
    most = None if rules.rounds is None else rules.rounds + len(players) % 2
    for leg in range(rules.legs):
        for pairs in berger_rounds(players):
            number += 1
            if most is not None and number > most:
                return
            turned = leg % 2 == 1
            yield number, [(two, one) if turned and two != NOBODY else (one, two) for one, two in pairs]


def even_groups(
    ordered: Sequence[int], most: int, clash: Callable[[int, int], int], lot: Callable[[int, int], int]
) -> list[list[int]]:
    """Groups of no more than `most` players, whose sizes differ by one at the most.

    The players come in order, as many at a time as there are groups, and each of these goes to another group: there
    where `clash` of it with those who are there is least, then by `lot` of player and group.
    """
    number = -(-len(ordered) // most)
    groups: list[list[int]] = [[] for _ in range(number)]
    for start in range(0, len(ordered), number):
        pot = ordered[start : start + number]
        costs: dict[Pair, tuple[int, int]] = {
            (player, -1 - group): (sum(clash(player, other) for other in there), lot(player, group) % LOTS)
            for player in pot
            for group, there in enumerate(groups)
        }
        # Where fewer players are left than there are groups, some groups get nobody.
        for spare in range(number - len(pot)):
            costs |= {(-1 - number - spare, -1 - group): (0, 0) for group in range(number)}
        for one, two in pair_cheaply(costs):
            if one > 0:
                groups[-1 - two].append(one)
    return groups
