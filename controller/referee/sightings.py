"""Rolls seen in pictures: two dice that come to lie where none lay before.

A die is followed by its place, not by its number: the number is voted on by all pictures in which it lies
there, so that one misread face neither makes a roll nor spoils one.
"""

from dataclasses import dataclass, replace
from itertools import combinations
from math import hypot, inf, log

from controller.referee.caution import Caution
from controller.rules.roll import Roll
from controller.vision.reading import DieSeen

SURE_DIE = 0.5
STEADY = 2
PATIENT = 4
GONE_AFTER = 4
VIEWS = 60
PUSHED_ALIKE = 4.0
PUSHED_FAR = 48.0


@dataclass(frozen=True)
class Spot:
    """A die in one place: ``views`` are its latest sightings, ``missed`` counts pictures without it since."""

    x: float
    y: float
    first_t: float
    views: tuple[tuple[float, DieSeen], ...]
    missed: int = 0

    @property
    def seen(self) -> int:
        """In how many pictures."""
        return len(self.views)

    @property
    def place(self) -> tuple[float, float]:
        """Where it was first seen, in pixels."""
        return self.x, self.y

    def distance(self, die: DieSeen) -> float:
        """Pixels between this place and a die."""
        return hypot(self.x - die.x, self.y - die.y)

    @property
    def is_there(self) -> bool:
        """Whether the die was seen lately."""
        return self.missed < GONE_AFTER

    @property
    def votes(self) -> dict[int, float]:
        """What each value that was read weighs."""
        votes: dict[int, float] = {}
        for _, die in self.views:
            votes[die.value] = votes.get(die.value, 0.0) + die.confidence
        return votes

    @property
    def value(self) -> int:
        """The value with most votes."""
        votes = self.votes
        return max(votes, key=lambda value: (votes[value], -value))

    @property
    def trust(self) -> float:
        """How sure the reader was of the value, on average, where it read it."""
        sure = [die.confidence for _, die in self.views if die.value == self.value]
        return sum(sure) / len(sure)

    def values(self, caution: Caution) -> dict[int, float]:
        """Log-share of each value that is more than an error."""
        votes = self.votes
        total = sum(votes.values())
        return {value: log(n / total) for value, n in votes.items() if n / total >= caution.die_share}

    def since(self, t: float) -> "Spot":
        """The same die without what was seen of it before ``t``."""
        return replace(self, first_t=t, views=tuple(view for view in self.views if view[0] >= t))


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
        """The sightings after one more picture at rest, and when a new roll came to lie, if one did.

        A die that leans is none: its roll is void and will be rolled again.
        """
        left = [die for die in dice if die.confidence >= SURE_DIE and not die.cocked]
        rolled = self.rolled
        if rolled is not None:
            rolled = (_matched(rolled[0], left, t, caution), _matched(rolled[1], left, t, caution))
        lying = _still_there(self.lying, left, t, caution)
        spots = _still_there(self.spots, left, t, caution)
        spots += tuple(Spot(die.x, die.y, t, ((t, die),)) for die in left)
        pair = _new_pair(spots) or _beside(rolled, spots)
        if pair is None:
            return Sightings(spots, rolled, lying), None
        others = tuple(spot for spot in spots if spot not in pair)
        lying += tuple(spot for spot in others if spot.seen >= STEADY)
        fresh = tuple(spot for spot in others if spot.seen < STEADY)
        if rolled is not None and _pushed(rolled, pair):
            return Sightings(fresh, pair, lying), None
        old = tuple(
            spot
            for spot in rolled or ()
            if spot.missed == 0 and spot.place not in {new.place for new in pair}
        )
        return Sightings(fresh, pair, lying + old), min(spot.first_t for spot in pair)

    def misread(self, caution: Caution) -> float:
        """Handicap of 'the less certain die shows another number than it is taken for'."""
        return min(
            (caution.misread_die(spot.votes[spot.value], spot.trust) for spot in self.rolled or ()),
            default=0.0,
        )

    @property
    def last_t(self) -> float:
        """When a die of the roll was last seen lying there; minus infinity without a roll."""
        return max((spot.views[-1][0] for spot in self.rolled or ()), default=-inf)

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


def _still_there(
    spots: tuple[Spot, ...], left: list[DieSeen], t: float, caution: Caution
) -> tuple[Spot, ...]:
    return tuple(spot for spot in (_matched(old, left, t, caution) for old in spots) if spot.is_there)


def _matched(spot: Spot, left: list[DieSeen], t: float, caution: Caution) -> Spot:
    """The spot after one more picture; a die that lies there is taken out of ``left``."""
    near = min(left, key=spot.distance, default=None)
    if near is None or spot.distance(near) > caution.die_near:
        return replace(spot, missed=spot.missed + 1)
    left.remove(near)
    return replace(spot, views=(*spot.views, (t, near))[-VIEWS:], missed=0)


def _beside(rolled: tuple[Spot, Spot] | None, spots: tuple[Spot, ...]) -> tuple[Spot, Spot] | None:
    """A new roll of which one die came to lie where one of the roll before it lay, if there is one."""
    fresh = [spot for spot in spots if spot.seen >= STEADY]
    if rolled is None or not fresh:
        return None
    kept = [spot for spot in rolled if spot.missed == 0]
    gone = [spot for spot in rolled if spot.missed >= STEADY]
    if len(kept) != 1 or len(gone) != 1:
        return None
    die = max(fresh, key=lambda spot: spot.first_t)
    same = kept[0].since(die.first_t)
    if same.seen < STEADY or (same.value == kept[0].value and die.value == gone[0].value):
        return None
    return same, die


def _new_pair(spots: tuple[Spot, ...]) -> tuple[Spot, Spot] | None:
    """The two steady spots that came to lie last and together; ``None`` while there are no two.

    Two that were not seen to come together are believed only when no better partner has turned up for a while.
    """
    steady = [spot for spot in spots if spot.seen >= STEADY]
    if len(steady) < 2:
        return None
    pair = min(
        combinations(steady, 2),
        key=lambda two: (abs(two[0].first_t - two[1].first_t), -two[0].first_t - two[1].first_t),
    )
    older, newer = sorted(pair, key=lambda spot: spot.first_t)
    apart = sum(t < newer.first_t for t, _ in older.views)
    return pair if apart < STEADY or newer.seen >= PATIENT else None


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
