"""A board that somebody describes, as the sharp reading that a perfect camera would have made of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, cast

from controller.record.filter.keys import Keys
from controller.rules import Position, Side
from controller.rules.position import CHECKERS
from controller.vision import Colour, Owner, Reading
from controller.vision.reading import Count, CubeSeen, DieSeen, HandSeen

STEP: Final = 8.0
"""By so much (natural logarithm) the count that is seen is likelier than one that differs by one checker."""
CUT: Final = 12.0
"""Nothing is less likely than this."""
SURE: Final = 0.995
"""How certain the counts and the cube are."""
CERTAIN: Final = 1.0
"""How certain the numbers of dice are: whoever tells them without a word of doubt has none."""
GONE: Final = 2
"""A pair that is missing in this many boards was taken up; if it is seen again, it was thrown anew."""
APART: Final = 120.0
"""Pixels from one pair to the next: more than dice are pushed by."""
BETWEEN: Final = 40.0
"""Pixels between the two dice of a pair."""
COLUMNS: Final = 10
ROWS: Final = 5
VALUES: Final = (1, 2, 4, 8, 16, 32, 64)
OWNERS: Final = ("center", *Side)

DicePair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PairOnBoard:
    """A pair of dice: its numbers, the larger first, the number of its place, in how many boards it was missing."""

    pair: DicePair
    place: int
    missing: int = 0


@dataclass(frozen=True, slots=True)
class DiceOnBoard:
    """The pairs of dice that lie on a board, each in a place of its own.

    A pair that is seen again lies where it lay; another pair, or the same one after it was taken up, lies elsewhere.
    Where nobody can have thrown since the board before, other numbers are the same dice, read otherwise.
    """

    lying: tuple[PairOnBoard, ...] = ()
    thrown: int = 0

    def see(self, pairs: Iterable[DicePair], *, untouched: bool = False) -> "DiceOnBoard":
        """The dice after one more board on which these pairs lie; ``untouched`` since the board before, if so."""
        left, lying, thrown = list(self.lying), list[PairOnBoard](), self.thrown
        for one, other in pairs:
            pair = max(one, other), min(one, other)
            known = next((old for old in left if old.pair == pair), None)
            if known is None and untouched:
                known = next((old for old in left if not old.missing), None)
            if known is None:
                lying.append(PairOnBoard(pair, thrown))
                thrown += 1
            else:
                left.remove(known)
                lying.append(PairOnBoard(pair, known.place))
        away = [PairOnBoard(old.pair, old.place, old.missing + 1) for old in left if old.missing + 1 < GONE]
        return DiceOnBoard((*lying, *away), thrown)

    def readings(self) -> tuple[DieSeen, ...]:
        """The dice that lie there now, as they are read."""
        there = (old for old in self.lying if not old.missing)
        return tuple(die for old in there for die in _two(old))


def sharp_reading(
    position: Position,
    hidden: frozenset[int],
    off: tuple[int | None, int | None],
    dice: tuple[DieSeen, ...],
    cube: CubeSeen | None,
    hands: tuple[HandSeen, ...] | None = None,
) -> Reading:
    """The reading of a board at rest that shows ``position``; of ``hidden`` points it says nothing.

    ``off`` are light's and dark's checkers in the trays, None where there is no tray to see. ``hands`` were over the
    board since the reading before, None where that is not known.
    """
    counts = tuple(0 if n in hidden else count for n, count in enumerate(position.points, start=1))
    bar = position.bar(Side.LIGHT), position.bar(Side.DARK)
    return Reading(
        points=counts,
        bar=Count(*bar),
        off=Count(*off),
        dice=dice,
        cube=cube,
        hand=False,
        confidence=0.5 if hidden else SURE,
        point_confidence=tuple(0.0 if point in hidden else SURE for point in range(1, 25)),
        unsure=hidden,
        covered=hidden,
        likelihoods=tuple(
            {} if point in hidden else _near(count, range(-CHECKERS, CHECKERS + 1))
            for point, count in enumerate(counts, start=1)
        ),
        bar_likelihoods=_near_bar(*bar),
        assumed_off=None in off,
        off_likelihoods=(_tray(off[0]), _tray(off[1])),
        hands=hands,
    )


def cube_seen(keys: Keys) -> CubeSeen | None:
    """The cube that the line ``keys`` tells of, None where it was not seen. Raises TableLineError."""
    if not keys.has("cube"):
        return None
    cube = keys.inner("cube")
    cube.only(("value", "owner"))
    owner = cast("Owner", cube.word("owner", OWNERS))
    value = cube.one_of("value", VALUES if owner == "center" else VALUES[1:])
    return CubeSeen(value, owner, SURE, 64 if value == 1 else value)


def hands_seen(keys: Keys) -> tuple[HandSeen, ...] | None:
    """The hands that the line ``keys`` tells of, None where it does not. Raises TableLineError."""
    hands = keys.objects("hands", '{"side": "light", "points": [6, 5]}')
    return None if hands is None else tuple(map(_hand, hands))


def _hand(keys: Keys) -> HandSeen:
    keys.only(("side", "points"))
    side = cast("Colour", str(keys.side())) if keys.has("side") else None
    return HandSeen(side, keys.required_points("points"))


def _two(lying: PairOnBoard) -> tuple[DieSeen, DieSeen]:
    row, column = divmod(lying.place, COLUMNS)
    x, y = APART * (column + 1), APART * (row % ROWS + 1)
    high, low = lying.pair
    return DieSeen(high, x, y, CERTAIN), DieSeen(low, x + BETWEEN, y, CERTAIN)


# Boards come many a second and hold few counts: readings share what each count makes likely, and nobody changes it.
@cache
def _near(seen: int, counts: range) -> Mapping[int, float]:
    return {count: max(-CUT, -STEP * abs(count - seen)) for count in counts}


@cache
def _near_bar(seen_light: int, seen_dark: int) -> Mapping[tuple[int, int], float]:
    return {
        (light, dark): max(-CUT, -STEP * (abs(light - seen_light) + abs(dark - seen_dark)))
        for light in range(CHECKERS + 1)
        for dark in range(CHECKERS + 1)
    }


def _tray(count: int | None) -> Mapping[int, float] | None:
    return None if count is None else _near(count, range(CHECKERS + 1))
