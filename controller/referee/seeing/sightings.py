"""Rolls seen in pictures: dice that come to lie where none lay before.

A die is followed by its place, not by its number: the number is weighed over all pictures in which it lies
there, so that one misread face neither makes a roll nor spoils one. Where the reader finds only one of two dice,
that one makes the roll, and the other may be anything. What lies just where something lay during an earlier roll is
most likely the same thing: a hinge, a stain, or an older die; a roll that leans on it weighs as little as that. The
longer nothing was seen there since, the less likely it is that something always lies there.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import exp, hypot, inf, log, log1p, prod
from typing import Final

import numpy as np

from controller.referee.caution import Caution
from controller.rules import Roll
from controller.vision.reading import DieSeen

FOUR, SIX = 4, 6
VIEWS: Final = 60
"""This many of the latest sightings are kept: a limit of work, no threshold."""
NUMBERS = range(1, 7)

# How certain a reader of dice is (shares), and how often it is wrong.
MISREAD: Final = 0.001
"""Share of dice that a reader gets wrong although it is certain."""
LEAST_CERTAIN: Final = 0.2
"""A reader that tells a number at all is at least so certain of it: a little more than by guessing (1 in 6)."""
FAINT: Final = 0.3
"""A die that is read with less confidence than this is not followed: twice as likely it is none, or misread."""
SURE: Final = 0.5
"""A die that is read with so much confidence is one; one that is doubted needs such a die beside it."""
CLEAR: Final = 0.9
"""A die that was read as one number with so much confidence, and then as another, was turned over: of 61 dice read so
in a filmed game none changed its number by itself."""
NO_DIE: Final = 0.00005
"""Share of things at a place, each read as a die beyond doubt, that are none: hinges, stains, lights. Nobody has
counted them; one painted board had three such things, which the reader took for dice with 0.2 to 0.9."""
LEFT: Final = 0.01
"""The same where it was no part of the roll that counted: it may be none, or a die of an older roll that was left."""
GLIMPSED: Final = 0.05
"""Share of those that were seen in a single picture and always lie there: nearly all of these are dice that roll."""
JUST_THERE: Final = 1 / 2000
"""Of some two thousand dice that are rolled one comes to lie where a certain thing lay, with the same number up. Of
11,918 pairs of dice of different rolls on eleven painted boards six lay so."""
SEEN_EITHER_WAY: Final = 1
"""How often what always lies somewhere is read as a die differs from thing to thing, from never to always, each as
likely: as if it had been found so often and missed so often before anything was known (the rule of succession)."""
EVEN: Final = 0.5
"""What is rather something that lay there before is no part of a roll."""
CERTAIN: Final = 30.0
"""Log-odds beyond which more rolls tell nothing."""
RULED_OUT: Final = 0.003
"""What a network whose labels were smoothed by 0.02 over seven classes says of a number that it rules out."""
DICE_CERTAIN: Final = 5.0
"""A roll is out of the question if the dice were read as another one that is likelier by so much (log-odds)."""

# In how many pictures a die is seen or missed before that counts: of readings of one die each may err.
DICE: Final = 2
"""A pair makes a roll: one die that was glimpsed tells too little."""
STEADY: Final = 2
"""A die lies still, or is gone, after this many pictures: one may show it in the air, or a finger as a die."""
LONE: Final = 3
"""A single die is a roll after this many pictures; before that its partner may turn up yet."""
PATIENT: Final = 4
"""Two dice that were not seen to come together are a roll when the later one was seen in this many pictures."""
GONE: Final = 4
"""A die that is missing in this many pictures is not followed any more: a hand may hide it for some."""
KNOWN: Final = 120
"""This many places are remembered, those of a game or so: a limit of work, no threshold."""
HAND_S: Final = 0.7
"""No hand turns a die over in less time; what changes sooner was misread. In a film the shortest reach took 1.1 s."""

# Where a die lies, in pixels of the camera's picture: where a board fills 1280 of them a die is about 30 wide.
NEAR: Final = 7.0
"""A die whose centre is found within this many pixels of where it was lies where it lay: a quarter of its width."""
SHIFTED_ALIKE: Final = 4.0
"""Two dice whose shifts differ by no more than this shifted together, as when the board is bumped."""
SHIFTED_FAR: Final = 48.0
"""Dice that shifted together by more than this were rolled anew: no bump pushes them by one and a half widths."""


@dataclass(frozen=True)
class Spot:
    """A die in one place, which is the mean of its sightings: ``views`` are the latest of them.

    The first one may show it in the air, a few pixels beside where it then lies. ``missed`` counts the pictures
    without it since. ``turned`` are the latest sightings in a row that all show another number than those before.
    """

    x: float
    y: float
    first_t: float
    views: tuple[tuple[float, DieSeen], ...]
    missed: int = 0
    turned: tuple[tuple[float, DieSeen], ...] = ()

    @property
    def seen(self) -> int:
        """In how many pictures."""
        return len(self.views)

    @property
    def place(self) -> tuple[float, float]:
        """Where it lies, in pixels."""
        return self.x, self.y

    @property
    def last_t(self) -> float:
        """When it was last seen."""
        return (self.turned or self.views)[-1][0]

    def distance(self, die: DieSeen) -> float:
        """Pixels between this place and a die."""
        return hypot(self.x - die.x, self.y - die.y)

    @property
    def is_there(self) -> bool:
        """Whether the die was seen lately."""
        return self.missed < GONE

    @property
    def is_die(self) -> float:
        """How probable it is to be a die, whatever its number, by the surest of its sightings."""
        return max(map(die_chance, self.dice))

    @property
    def value(self) -> int:
        """The number that all its sightings together make the likeliest."""
        votes = [sum(view) for view in zip(*map(_votes, self.dice), strict=True)]
        return votes.index(max(votes)) + 1

    @property
    def dice(self) -> tuple[DieSeen, ...]:
        """What it was seen as, picture by picture."""
        return tuple(die for _, die in self.views)

    @property
    def trust(self) -> float:
        """How sure the reader was of that number, on average over all pictures."""
        value = self.value
        return sum(die.confidence for _, die in self.views if die.value == value) / self.seen

    def shares(self, caution: Caution) -> dict[int, float]:
        """Log-probability of every number 1..6.

        The pictures are averaged, not added up: a die that lies there in the same light is misread in the same way
        again. So is a six whose rows of pips lie close together: a four may be one, however sure the reader is.
        """
        logs = np.mean([np.log(number_shares(die)) for die in self.dice], axis=0)
        level = dict(zip(NUMBERS, (float(value) for value in logs), strict=True))
        if max(level, key=level.__getitem__) == FOUR:
            level[SIX] = max(level[SIX], level[FOUR] - caution.four_or_six)
        total = np.logaddexp.reduce([*level.values()])
        return {number: float(value - total) for number, value in level.items()}

    def since(self, t: float) -> "Spot":
        """The same die without what was seen of it before ``t``."""
        views = tuple(view for view in (*self.views, *self.turned) if view[0] >= t)
        return replace(self, first_t=t, views=views, turned=())

    def after(self, left: list[DieSeen], t: float) -> "Spot":
        """The spot after one more picture; a die that lies there is taken out of ``left``.

        One that was away for long and shows another number then is another die.
        """
        near = min(left, key=self.distance, default=None)
        if near is not None and not self.is_there and near.value != self.value:
            near = None
        if near is None or self.distance(near) > NEAR:
            return replace(self, missed=self.missed + 1)
        left.remove(near)
        untouched = not self.turned and t - self.last_t < HAND_S
        if (
            self.seen >= STEADY
            and not untouched
            and near.value != self.value
            and self.trust >= CLEAR <= near.confidence
        ):
            return replace(self, turned=(*self.turned, (t, near))[-VIEWS:], missed=0)
        views = (*self.views, *self.turned, (t, near))[-VIEWS:]
        x, y = self.x + (near.x - self.x) / len(views), self.y + (near.y - self.y) / len(views)
        return replace(self, x=x, y=y, views=views, turned=(), missed=0)

    @property
    def is_turned(self) -> bool:
        """Whether somebody turned the die over: it clearly shows another number by now, in several pictures."""
        return len(self.turned) > STEADY

    @property
    def now(self) -> int:
        """The number that it shows now."""
        return self.turned[-1][1].value if self.turned else self.value


STATED: Final = 0.0001
"""Share of dice that somebody gets wrong who states them without a doubt, and not by what a picture looks like: a
typing error, as rare as one in ten thousand since it would show at once."""


def is_stated(die: DieSeen) -> bool:
    """Whether a number was given without any doubt and without what else it may be."""
    return not die.shares and die.confidence >= 1


def die_chance(die: DieSeen) -> float:
    """How probable it is that what was sighted is a die, whatever its number: a blurred one may show any.

    One that seems to show a number which it does not, as in a coarse picture, counts as none here: it may show any.
    """
    return min(die.confidence / max(die.shares), 1.0) if die.shares else die.confidence


def number_shares(die: DieSeen) -> tuple[float, ...]:
    """How probable each number 1..6 is by one sighting: even one that is certain may be misread.

    What may be no die at all tells less of its number. Where the reader named a number only, all others are alike.
    """
    wrong = MISREAD / 5
    if not die.shares:
        most = 1 - (STATED if is_stated(die) else MISREAD)
        certain = min(max(die.confidence, LEAST_CERTAIN), most)
        return tuple(certain if number == die.value else (1 - certain) / 5 for number in NUMBERS)
    is_die = die_chance(die)
    told = [max(share - RULED_OUT, wrong) for share in die.shares]
    return tuple(is_die * share / sum(told) + (1 - is_die) / 6 for share in told)


def _votes(die: DieSeen) -> tuple[float, ...]:
    """How much a sighting speaks for each number 1..6."""
    if not die.shares:
        return tuple(die.confidence if number == die.value else 0.0 for number in NUMBERS)
    return tuple(die.confidence / max(die.shares) * share for share in die.shares)


@dataclass(frozen=True, slots=True)
class Place:
    """A place where something lay during earlier rolls, with the number that it was read as.

    ``odds`` are those (log-odds) that what lies there always does; since it was first seen it was ``found`` there
    during so many rolls, and ``missed`` during so many.
    """

    x: float
    y: float
    value: int
    odds: float
    found: int = 0
    missed: int = 0

    @property
    def again(self) -> float:
        """The odds once it is found there with another roll, which dice hardly ever are."""
        return min(self.odds + log(self._rate(self.found) / JUST_THERE), CERTAIN)

    def after_roll(self, *, found: bool) -> "Place":
        """The place after one more roll: what always lies there is seldom missed for long once it was seen."""
        if found:
            return replace(self, odds=self.again, found=self.found + 1)
        return replace(self, odds=self.odds + log(self._rate(self.missed)), missed=self.missed + 1)

    def _rate(self, times: int) -> float:
        """How probable it is that what always lies there does again what it did during so many rolls."""
        return (times + SEEN_EITHER_WAY) / (self.found + self.missed + 2 * SEEN_EITHER_WAY)

    def holds(self, spot: Spot) -> bool:
        """Whether the spot may be the same thing."""
        return hypot(self.x - spot.x, self.y - spot.y) <= NEAR and spot.value == self.value


Places = tuple[Place, ...]
SpotPair = tuple[Spot, Spot]


@dataclass(frozen=True)
class Sightings:
    """The dice being followed.

    ``rolled`` holds the two spots of the roll that counts now, or the one that was seen, ``lying`` dice that lie
    there besides (an older roll, something that looks like a die), ``spots`` what may become a roll. ``gone`` are
    those that were seen during this roll and are not any more; ``places`` are where things lay during earlier ones.
    ``first_t`` is the time of the first picture. ``glimpsed`` are two dice that lay there in a single picture between
    the roll before and this one.
    """

    spots: tuple[Spot, ...] = ()
    rolled: tuple[Spot, ...] = ()
    lying: tuple[Spot, ...] = ()
    gone: tuple[Spot, ...] = ()
    places: Places = ()
    first_t: float | None = None
    glimpsed: tuple[Spot, ...] = ()

    def with_dice(self, dice: tuple[DieSeen, ...], t: float) -> tuple["Sightings", float | None]:
        """The sightings after one more picture at rest, and when a new roll came to lie, if one did.

        A die that leans is none: its roll is void and will be rolled again.
        """
        first_t = t if self.first_t is None else self.first_t
        left = [die for die in dice if die_chance(die) >= FAINT and not die.cocked]
        rolled = _rolled_after(self.rolled, left, t)
        followed = [[spot.after(left, t) for spot in some] for some in (self.lying, self.spots)]
        gone = (*self.gone, *(spot for some in followed for spot in some if not spot.is_there))[-KNOWN:]
        lying, spots = (tuple(spot for spot in some if spot.is_there) for some in followed)
        spots += tuple(Spot(die.x, die.y, t, ((t, die),)) for die in left)
        since = max([first_t, *(spot.last_t for spot in rolled)])
        after = replace(self, spots=spots, rolled=rolled, lying=lying, gone=gone, first_t=first_t)
        fresh = tuple(spot for spot in spots if after.is_other(spot) >= EVEN)
        new: tuple[Spot, ...] | None = _new_pair(fresh, since)
        if not new and (partner := _partner(rolled, fresh)) is not None:
            rest = tuple(spot for spot in spots if spot is not partner)
            return replace(after, spots=rest, rolled=(*rolled, partner)), None
        new = new or after._beside(fresh) or _alone(rolled, fresh, since)
        if not new:
            return after, None
        others = tuple(spot for spot in spots if spot not in new)
        lying += tuple(spot for spot in others if spot.seen >= STEADY)
        spots = tuple(spot for spot in others if spot.seen < STEADY)
        if _is_push(rolled, new):
            return replace(after, spots=spots, rolled=new, lying=lying), None
        taken = {spot.place for spot in new}
        old = tuple(spot for spot in rolled if spot.place not in taken)
        lifted = [spot for spot in old if spot.missed]
        old = tuple(spot for spot in old if not spot.missed)
        beside = [spot for spot in (*gone, *others, *after.lying, *old) if spot.seen >= STEADY]
        glimpsed = [spot for spot in (*gone, *others) if spot.seen < STEADY]
        seen = (*lifted, *glimpsed, *beside, *new)
        places = _remembered(_with_missed(self.places, seen), lifted, NO_DIE)
        places = _remembered(_remembered(places, glimpsed, NO_DIE, GLIMPSED), beside, LEFT)
        pair = _glimpsed_pair([spot for spot in glimpsed if after.is_other(spot) >= EVEN], since, new)
        after = Sightings(spots, new, lying + old, places=places[-KNOWN:], first_t=first_t, glimpsed=pair)
        return after, min(spot.first_t for spot in new)

    def is_other(self, spot: Spot) -> float:
        """How probable it is that a spot is not what lay just there during earlier rolls."""
        odds = max((place.again for place in self.places if place.holds(spot)), default=-inf)
        return 1 / (1 + exp(odds))

    @property
    def is_roll(self) -> float:
        """How probable it is that any of what is taken for the dice of the roll is one."""
        return 1 - prod(1 - spot.is_die * self.is_other(spot) for spot in self.rolled)

    def _beside(self, fresh: tuple[Spot, ...]) -> SpotPair | None:
        """A new roll of which one die came to lie where one of the roll before it lay, if there is one.

        It shows another number there. One that plainly shows the same still lies there: then the other one is hidden,
        or was pushed, and what is seen besides may be no die. Where it may itself be none, such as a hinge, what is
        seen besides is a roll.
        """
        fresh = tuple(spot for spot in fresh if spot.seen >= STEADY)
        kept = [spot for spot in self.rolled if spot.missed == 0]
        gone = [spot for spot in self.rolled if spot.missed >= STEADY]
        if not fresh or len(kept) != 1 or len(gone) != 1:
            return None
        die = max(fresh, key=lambda spot: spot.first_t)
        same = kept[0].since(die.first_t)
        if die.first_t <= gone[0].last_t or same.seen < STEADY:
            return None
        plain = die.value == gone[0].value or same.trust * self.is_other(same) >= CLEAR
        return None if same.value == kept[0].value and plain else (same, die)

    @property
    def last_t(self) -> float:
        """When a die of the roll was last seen lying there; minus infinity without a roll."""
        return max((spot.last_t for spot in self.rolled), default=-inf)

    @property
    def first_seen_t(self) -> float:
        """When a die of the roll was first seen lying there; infinity without a roll."""
        return min((spot.first_t for spot in self.rolled), default=inf)

    @property
    def coming(self) -> bool:
        """Whether something lies there that may become the next roll: a die, to the eye that sees it."""
        return any(spot.is_die >= SURE and self.is_other(spot) >= EVEN for spot in self.spots)

    @property
    def sure(self) -> bool:
        """Whether both dice were seen, with a number that is rather right than wrong."""
        return len(self.rolled) == 2 and min(spot.trust for spot in self.rolled) >= SURE

    @property
    def turned(self) -> tuple[int, int] | None:
        """What the dice of the roll show now, if one of them was turned over by hand."""
        if len(self.rolled) != 2 or not any(spot.is_turned for spot in self.rolled):
            return None
        one, other = (spot.now for spot in self.rolled)
        return one, other

    def came(self, since: float) -> tuple[Spot, ...]:
        """The dice of the roll; where one alone makes it, also what came with it and is taken for something older."""
        beside = (spot for spot in self.lying if spot.first_t >= since)
        return self.rolled if len(self.rolled) == DICE else (*self.rolled, *beside)

    def repeats(self, earlier: "Sightings") -> bool:
        """Whether both dice show what those of an earlier roll showed: they may be the same, moved by hand."""
        both = len(self.rolled) == 2
        return both and sorted(die.value for die in self.rolled) == sorted(
            die.value for die in earlier.rolled
        )

    def rolls(self, caution: Caution) -> dict[Roll, float]:
        """The log-probability of every roll; empty without a roll. Of a die that was not found nothing is known."""
        return self._rolls_by(self.rolled, caution)

    def glimpsed_rolls(self, caution: Caution) -> dict[Roll, float]:
        """The same of the dice that lay there in a single picture before them; empty where none did."""
        return self._rolls_by(self.glimpsed, caution)

    def _rolls_by(self, dice: tuple[Spot, ...], caution: Caution) -> dict[Roll, float]:
        if not dice:
            return {}
        one, *others = (_doubted(spot.shares(caution), self.is_other(spot)) for spot in dice)
        other = others[0] if others else dict.fromkeys(NUMBERS, -log(6))
        rolls = {
            Roll.from_dice(high, low): one[high] + other[low]
            if high == low
            else float(np.logaddexp(one[high] + other[low], one[low] + other[high]))
            for high, low in FACES
        }
        fours, sixes = Roll.from_dice(FOUR, FOUR), Roll.from_dice(SIX, SIX)
        if others and max(rolls, key=rolls.__getitem__) == fours:
            # Two dice of one set are misread alike: that is one error, not two.
            rolls[sixes] = max(rolls[sixes], rolls[fours] - caution.four_or_six)
        return rolls


def as_sixes(roll: Roll) -> tuple[Roll, ...]:
    """What a roll may be if fours in it are sixes."""
    fours = roll.dice.count(FOUR)
    others = [die for die in roll.dice if die != FOUR]
    return tuple(
        Roll.from_dice(*others, *[SIX] * sixes, *[FOUR] * (fours - sixes)) for sixes in range(1, fours + 1)
    )


FACES = tuple((high, low) for high in NUMBERS for low in range(1, high + 1))
ANY_ROLL = {Roll.from_dice(high, low): log((1 if high == low else 2) / 36) for high, low in FACES}
"""The log-probabilities of a roll of which nothing was seen."""


def _doubted(shares: dict[int, float], is_die: float) -> dict[int, float]:
    """The log-probabilities of the numbers of a die, if what shows them is it with this probability only."""
    none = log1p(-is_die) - log(6) if is_die < 1 else -inf
    return {number: float(np.logaddexp(log(is_die) + share, none)) for number, share in shares.items()}


def _remembered(places: Places, seen: Iterable[Spot], odd: float, stays: float = 1.0) -> Places:
    """The places with those of what was ``seen`` during a roll.

    Of such things the share ``odd`` are no dice of it though they look like dice; of those that are none ``stays`` is
    the share that always lie there.
    """
    known = list(places)
    for spot in seen:
        at = next((n for n, place in enumerate(known) if place.holds(spot)), None)
        if at is not None:
            place = known.pop(at)
            known.append(place.after_roll(found=True))
        elif not all(map(is_stated, spot.dice)):
            no_die = min(1 - spot.is_die * (1 - odd), EVEN) * stays
            known.append(Place(spot.x, spot.y, spot.value, log(no_die / (1 - no_die))))
    return tuple(known)


def _with_missed(places: Places, seen: Sequence[Spot]) -> Places:
    """The places after a roll during which this was ``seen``: where nothing was, what always lies is missed."""
    return tuple(place if any(map(place.holds, seen)) else place.after_roll(found=False) for place in places)


def _are_gone(rolled: tuple[Spot, ...]) -> bool:
    """Whether every die of a roll has been away for a while."""
    return all(spot.missed >= STEADY for spot in rolled)


def _partner(rolled: tuple[Spot, ...], spots: tuple[Spot, ...]) -> Spot | None:
    """The second die of a roll of which only one was found so far: both lay there at the same time."""
    if len(rolled) != 1:
        return None
    beside = [spot for spot in spots if spot.seen >= STEADY and _together(spot, rolled[0])]
    return max(beside, key=lambda spot: spot.first_t, default=None)


def _alone(rolled: tuple[Spot, ...], spots: tuple[Spot, ...], since: float) -> tuple[Spot] | None:
    """A single die that came to lie ``since`` those of the roll before were last seen, and stayed alone."""
    steady = [spot for spot in spots if spot.seen >= STEADY]
    if len(steady) != 1 or not _are_gone(rolled):
        return None
    (die,) = steady
    stayed = die.first_t > since and die.seen >= LONE
    return (die,) if stayed and die.is_die >= SURE else None


def _rolled_after(rolled: tuple[Spot, ...], left: list[DieSeen], t: float) -> tuple[Spot, ...]:
    """The dice of a roll after one more picture; those that lie there are taken out of ``left``.

    Where both were gone, and of two that lie there now one lies where one of them lay, both came to lie there.
    """
    others = list(left)
    after = tuple(spot.after(others, t) for spot in rolled)
    if others and sum(spot.missed == 0 for spot in after) == 1 and _are_gone(rolled):
        return tuple(spot.after([], t) for spot in rolled)
    left[:] = others
    return after


def _new_pair(spots: tuple[Spot, ...], since: float) -> SpotPair | None:
    """The two steady spots that came to lie last and together; ``None`` while there are no two.

    Two that were not seen to come together are believed if both came ``since`` the roll before was last seen, or
    when no better partner has turned up for a while. What lay there from the first picture on may be anything.
    """
    steady = [spot for spot in spots if spot.seen >= STEADY]
    pairs = [two for two in combinations(steady, 2) if _together(*two)]
    if not pairs:
        return None
    pair = min(
        pairs, key=lambda two: (abs(two[0].first_t - two[1].first_t), -two[0].first_t - two[1].first_t)
    )
    older, newer = sorted(pair, key=lambda spot: spot.first_t)
    apart = sum(t < newer.first_t for t, _ in older.views)
    waited = newer.seen >= PATIENT
    return pair if apart < STEADY or older.first_t > since or waited else None


def _glimpsed_pair(spots: list[Spot], since: float, new: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """The two dice that lay there together in a single picture ``since`` the roll before, if there is one such pair.

    A picture without them came before the dice that count: what is seen just before those is them, rolling.
    """
    came = min(spot.first_t for spot in new)
    between = max(spot.seen for spot in new) + STEADY
    last = [spot for spot in spots if since < spot.last_t < came and spot.missed >= between]
    times = [spot.last_t for spot in last]
    pair = tuple(spot for spot in last if spot.last_t == max(times))
    return pair if len(pair) == DICE and _together(*pair) else ()


def _together(one: Spot, other: Spot) -> bool:
    """Whether two dice lay there at the same time, and one of them is beyond doubt."""
    overlap = min(one.last_t, other.last_t) >= max(one.first_t, other.first_t)
    return overlap and max(one.is_die, other.is_die) >= SURE


def _is_push(old: tuple[Spot, ...], new: tuple[Spot, ...]) -> bool:
    """Whether both dice only shifted together by a little, as when the board is bumped."""
    if len(old) != 2 or len(new) != 2:
        return False
    for pair in (new, new[::-1]):
        if [spot.value for spot in old] != [spot.value for spot in pair]:
            continue
        shifts = [(b.x - a.x, b.y - a.y) for a, b in zip(old, pair, strict=True)]
        same = hypot(shifts[0][0] - shifts[1][0], shifts[0][1] - shifts[1][1]) <= SHIFTED_ALIKE
        if same and hypot(*shifts[0]) <= SHIFTED_FAR:
            return True
    return False
