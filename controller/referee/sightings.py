"""Rolls seen in pictures: two dice that come to lie where none lay before.

A die is followed by its place, not by its number: the number is voted on by all pictures in which it lies
there, so that one misread face neither makes a roll nor spoils one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import hypot, log

from controller.referee.caution import Caution
from controller.rules.roll import Roll
from controller.vision.reading import DieSeen

SURE_DIE = 0.5
STEADY = 2
GONE_AFTER = 4
PUSHED_ALIKE = 4.0
PUSHED_FAR = 48.0


@dataclass(frozen=True)
class Spot:
    """A die in one place: ``votes`` weighs values by confidence, ``missed`` counts pictures without it since."""

    x: float
    y: float
    votes: Mapping[int, float]
    seen: int
    first_t: float
    missed: int = 0

    def distance(self, die: DieSeen) -> float:
        """Pixels between this place and a die."""
        return hypot(self.x - die.x, self.y - die.y)

    @property
    def is_there(self) -> bool:
        """Whether the die was seen lately."""
        return self.missed < GONE_AFTER

    @property
    def value(self) -> int:
        """The value with most votes."""
        return max(self.votes, key=lambda value: (self.votes[value], -value))

    def values(self, caution: Caution) -> dict[int, float]:
        """Log-share of each value that is more than an error."""
        total = sum(self.votes.values())
        return {v: log(n / total) for v, n in self.votes.items() if n / total >= caution.die_share}


@dataclass(frozen=True)
class Sightings:
    """The dice being followed.

    ``rolled`` holds the two spots of the roll that counts now, ``lying`` dice that lie there besides (an
    older roll, something that looks like a die), ``spots`` what may become a roll.
    """

    spots: tuple[Spot, ...] = ()
    rolled: tuple[Spot, Spot] | None = None
    lying: tuple[Spot, ...] = ()

    def with_dice(
        self, dice: tuple[DieSeen, ...], t: float, caution: Caution
    ) -> tuple["Sightings", float | None]:
        """The sightings after one more picture at rest, and when a new roll came to lie, if one did."""
        left = [die for die in dice if die.confidence >= SURE_DIE]
        rolled = self.rolled
        if rolled is not None:
            rolled = (_matched(rolled[0], left, caution), _matched(rolled[1], left, caution))
        lying = tuple(spot for spot in (_matched(old, left, caution) for old in self.lying) if spot.is_there)
        spots = tuple(spot for spot in (_matched(old, left, caution) for old in self.spots) if spot.is_there)
        spots += tuple(Spot(die.x, die.y, {die.value: die.confidence}, 1, t) for die in left)
        pair = _new_pair(spots)
        if pair is None:
            return Sightings(spots, rolled, lying), None
        others = tuple(spot for spot in spots if spot not in pair and spot.seen >= STEADY)
        fresh = tuple(spot for spot in spots if spot not in pair and spot.seen < STEADY)
        if rolled is not None and _pushed(rolled, pair):
            shifted = (
                replace(pair[0], first_t=rolled[0].first_t),
                replace(pair[1], first_t=rolled[1].first_t),
            )
            return Sightings(fresh, shifted, lying + others), None
        old = tuple(spot for spot in rolled or () if spot.missed == 0)
        return Sightings(fresh, pair, lying + others + old), max(spot.first_t for spot in pair)

    def rolls(self, caution: Caution) -> dict[Roll, float]:
        """Every roll that the two dice may show, with its log-share."""
        if self.rolled is None:
            return {}
        rolls: dict[Roll, float] = {}
        first, second = (spot.values(caution) for spot in self.rolled)
        for one, share in first.items():
            for other, other_share in second.items():
                roll = Roll.of(one, other)
                rolls[roll] = max(rolls.get(roll, share + other_share), share + other_share)
        return rolls


def _matched(spot: Spot, left: list[DieSeen], caution: Caution) -> Spot:
    """The spot after one more picture; a die that lies there is taken out of ``left``."""
    near = min(left, key=spot.distance, default=None)
    if near is None or spot.distance(near) > caution.die_near:
        return replace(spot, missed=spot.missed + 1)
    left.remove(near)
    return _voted(spot, near)


def _voted(spot: Spot, die: DieSeen) -> Spot:
    votes = _sum(spot.votes, {die.value: die.confidence})
    return replace(spot, votes=votes, seen=spot.seen + 1, missed=0)


def _sum(one: Mapping[int, float], other: Mapping[int, float]) -> dict[int, float]:
    return {value: one.get(value, 0.0) + other.get(value, 0.0) for value in sorted({*one, *other})}


def _new_pair(spots: tuple[Spot, ...]) -> tuple[Spot, Spot] | None:
    """The two steady spots that came to lie last and together; ``None`` while there are no two."""
    steady = [spot for spot in spots if spot.seen >= STEADY]
    if len(steady) < 2:
        return None
    return min(
        combinations(steady, 2),
        key=lambda pair: (abs(pair[0].first_t - pair[1].first_t), -pair[0].first_t - pair[1].first_t),
    )


def _pushed(old: tuple[Spot, Spot], new: tuple[Spot, Spot]) -> bool:
    """Whether both dice only shifted together by a little, as when the board is bumped."""
    for pair in (new, new[::-1]):
        if [spot.value for spot in old] != [spot.value for spot in pair]:
            continue
        shifts = [(b.x - a.x, b.y - a.y) for a, b in zip(old, pair, strict=True)]
        same = hypot(shifts[0][0] - shifts[1][0], shifts[0][1] - shifts[1][1]) <= PUSHED_ALIKE
        if same and hypot(*shifts[0]) <= PUSHED_FAR:
            return True
    return False
