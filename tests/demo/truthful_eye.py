"""Readings made from what truly lies on a table, as wrong and as unsure as the real reader is.

For statistics over many thousands of plays, where painting and reading every picture would take days.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import numpy as np

from controller.arrays import FloatArray, another_chance
from controller.simulation.tabletop.arm import Arm
from controller.simulation.tabletop.tabletop import Tabletop
from controller.vision import Reading
from controller.vision.geometry.geometry import FLAT_ROW, BoardGeometry
from controller.vision.reading import BoardDrift, Count, CubeSeen, DieSeen, HandSeen

MOST: Final = 15
SPREAD: Final = 3
"""Counts that differ by up to this many are considered for each point."""
TRAY_STEP: Final = 4.0
HAND_MM: Final = 50.0
"""A hand with its arm hides what lies no further than this from its middle."""
PILE: Final = 5
"""From this many on, checkers lie on each other and may be misread for good."""
SURE_DIE: Final = 0.99
LOOKS_LIKE: Final = {1: 2, 2: 1, 3: 5, 5: 3, 4: 6, 6: 4}
"""A misread die is one of these taken for the other; on many dice the rows of the six lie so close together that the
reader takes it for a four..."""
ANOTHER: Final = 0.8
"""...and so much of what the reader does not give to the number that it tells goes to that one."""
DOUBTED: Final = (0.55, 0.95)
"""How surely the reader tells a die that it may have misread."""


@dataclass(frozen=True, slots=True)
class Errors:
    """How often the reader errs: shares of points, from painted and rendered boards with known truth.

    ``unsure`` points are read rightly but not sworn to, ``wrong`` ones are read wrongly (and known to be unsure);
    for piles of six and more both are much more frequent. ``sharp`` and ``dull`` are how much likelier the best
    count is than its neighbours (natural logarithms) where the reader is sure and where not. ``hand_unnoticed``
    is the share of hands lying still of which only the points they hide are known, as of a sleeve or a cup.

    The reader also errs for good, and knows nothing of it: ``pile_lasting`` are the shares of piles of five and more
    that are read by one, by two and by three checkers too high, and as many too low, as long as five of that colour
    stay there; ``blind_tray`` is the share of trays that look empty for a whole game. ``misread_die`` is the share of
    dice that show another number as long as they lie, ``doubted_die`` the share of the others that may be misread.
    ``side_unknown`` is the share of readings with hands since the one before of which one's side is not known,
    ``hands_missed`` the share of which none was seen.
    """

    unsure: float = 0.01
    wrong: float = 0.002
    pile_unsure: float = 0.6
    pile_wrong: float = 0.1
    sharp: float = 9.0
    dull: float = 1.5
    misread_die: float = 0.0
    doubted_die: float = 0.0
    hand_unnoticed: float = 0.5
    pile_lasting: tuple[float, float, float] = (0.0, 0.0, 0.0)
    blind_tray: float = 0.0
    side_unknown: float = 0.0
    hands_missed: float = 0.0


FLEETING: Final = Errors()
"""Errors of a moment alone: what was misread once may be read rightly as soon as something moves."""
LASTING: Final = Errors(
    misread_die=0.02,
    doubted_die=0.1,
    pile_lasting=(0.007, 0.004, 0.003),
    blind_tray=0.05,
    side_unknown=0.04,
    hands_missed=0.01,
)
"""With errors that stay. Three of 224 piles on 169 rendered boards were misread, by one and by two, and in the film
of a whole game one five was read as eight as long as it stood. Of fourteen trays in seven films one was misread for a
whole game. Of the pairs of dice on rendered boards 97 % were read right, on stranger ones 92 %: two dice of a hundred
misread make 96 %. Of 446 hands over the board in a film the side of 19 was not known, and none was told wrongly. Of
the 42 times that checkers changed there no hand was missed, nor of 134 on three painted boards but one."""


@dataclass(slots=True)
class TruthfulEye:
    """Reads a table without a picture. What a point was taken for stays so until something moves, as in pictures.

    With ``tells_hands`` its readings say whose hands were over which points since the reading before. ``sees_trays``
    tells whether trays are in sight; None where the board has some or not.
    """

    errors: Errors
    rng: np.random.Generator
    _taken: list[tuple[int | None, tuple[int, bool]]] = field(
        default_factory=lambda: [(None, (0, False))] * 24
    )
    tells_hands: bool = False
    sees_trays: bool | None = None
    _hands: np.random.Generator = field(init=False)
    _stays: np.random.Generator = field(init=False)
    _piles: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)] * 24)
    _blind: tuple[bool, bool] = (False, False)
    _borne_off: int = MOST
    _numbers: dict[tuple[float, float, int], tuple[int, float]] = field(default_factory=dict)
    _over: list[HandSeen] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Hands and lasting errors have their own luck, so that points are read the same however these are."""
        self._hands = another_chance(self.rng)
        self._stays = another_chance(self._hands)

    def notice_hands(self, table: Tabletop) -> None:
        """A picture that is not read shows these hands over the board."""
        if self.tells_hands:
            seen = [HandSeen(arm.side, hidden_by((arm,), table)) for arm in table.hands]
            self._over += [hand for hand in seen if hand not in self._over]

    def read(self, table: Tabletop) -> Reading:
        """What the reader might say of the table as it is now; of points under a hand it knows nothing."""
        reading = self._read_bare(table)
        if self.tells_hands:
            self.notice_hands(table)
            if self._over and self.errors.hands_missed and self._hands.random() < self.errors.hands_missed:
                self._over.clear()
            if self._over and self._hands.random() < self.errors.side_unknown:
                self._over[0] = HandSeen(None, self._over[0].points)
            reading = replace(reading, hands=tuple(self._over))
            self._over.clear()
        if not table.hands:
            return reading
        hidden = hidden_points(table)
        lies = all(arm.rests and arm.checker is None for arm in table.hands)
        noticed = not lies or self._hands.random() >= self.errors.hand_unnoticed
        nothing = dict.fromkeys(range(-MOST, MOST + 1), 0.0)
        return replace(
            reading,
            points=tuple(0 if k + 1 in hidden else count for k, count in enumerate(reading.points)),
            hand=noticed,
            covered=hidden,
            unsure=reading.unsure | hidden,
            likelihoods=tuple(
                nothing if k + 1 in hidden else known for k, known in enumerate(reading.likelihoods)
            ),
        )

    def _read_bare(self, table: Tabletop) -> Reading:
        truly = table.checkers.position().points
        self._piles = [self._lasting(*pile, count) for pile, count in zip(self._piles, truly, strict=True)]
        shown = [_shifted(count, by) for count, (_, by) in zip(truly, self._piles, strict=True)]
        self._taken = [
            taken if taken[0] == count else (count, self._misread(count))
            for taken, count in zip(self._taken, shown, strict=True)
        ]
        seen = [taken for _, taken in self._taken]
        unsure = frozenset(k + 1 for k, (_, doubt) in enumerate(seen) if doubt)
        lying = Counter((one.place, one.side) for one in table.checkers)
        bar = (lying["bar", "light"], lying["bar", "dark"])
        off = self._off_seen((lying["off", "light"], lying["off", "dark"]))
        trays = bool(table.setting.geometry.trays) if self.sees_trays is None else self.sees_trays
        return Reading(
            tuple(count for count, _ in seen),
            Count(*bar),
            Count(*off),
            dice=self._dice(table),
            cube=self._cube(table),
            hand=False,
            confidence=0.5 if unsure else 0.98,
            point_confidence=tuple(0.6 if doubt else 0.99 for _, doubt in seen),
            unsure=unsure,
            covered=frozenset(),
            likelihoods=tuple(self._likelihoods(count, doubt) for count, doubt in seen),
            bar_likelihoods={bar: 0.0, (bar[0] + 1, bar[1]): -8.0, (bar[0], bar[1] + 1): -8.0},
            assumed_off=not trays,
            off_likelihoods=(_tray(off[0]), _tray(off[1])) if trays else (None, None),
            drift=BoardDrift(0.0, 0.0, 0.0, (1.0, 1.0, 1.0), 0.95),
        )

    def _lasting(self, before: int, by: int, count: int) -> tuple[int, int]:
        """How many lie on a point now, and by how many that pile is misread; it is drawn as the pile comes to be."""
        if abs(count) < PILE:
            return count, 0
        if abs(before) >= PILE and before * count > 0:
            return count, by
        shares = self.errors.pile_lasting
        if not any(shares):
            return count, 0
        chance, misread = float(self._stays.random()), 0
        for size, share in enumerate(shares, start=1):
            for sign in (1, -1):
                if 0 <= chance < share:
                    misread = sign * size
                chance -= share
        return count, misread

    def _off_seen(self, off: tuple[int, int]) -> tuple[int, int]:
        """What the trays show; which of them look empty is drawn as a game begins."""
        if sum(off) < self._borne_off and self.errors.blind_tray:
            light, dark = (bool(self._stays.random() < self.errors.blind_tray) for _ in range(2))
            self._blind = light, dark
        self._borne_off = sum(off)
        light_off, dark_off = (0 if blind else count for blind, count in zip(self._blind, off, strict=True))
        return light_off, dark_off

    def _misread(self, count: int) -> tuple[int, bool]:
        """What a point that truly holds ``count`` is taken for, and whether the reader doubts it."""
        pile = abs(count) > FLAT_ROW
        wrong = self.errors.pile_wrong if pile else self.errors.wrong
        unsure = self.errors.pile_unsure if pile else self.errors.unsure
        chance = float(self.rng.random())
        if chance < wrong and count:
            sign = 1 if count > 0 else -1
            return sign * max(1, min(MOST, abs(count) + (1 if self.rng.random() < 0.5 else -1))), True
        return count, chance < wrong + unsure

    def _likelihoods(self, count: int, doubt: bool) -> dict[int, float]:
        step = self.errors.dull if doubt else self.errors.sharp
        jitter = float(self.rng.uniform(0.8, 1.2))
        near = {
            other: -step * jitter * abs(other - count)
            for other in range(max(-MOST, count - SPREAD), min(MOST, count + SPREAD) + 1)
            if other * count >= 0
        }
        for other in (-1, 0, 1):
            near.setdefault(other, -max(step, 6.0) * jitter)
        return near

    def _dice(self, table: Tabletop) -> tuple[DieSeen, ...]:
        known, self._numbers, seen = self._numbers, {}, []
        for die in table.dice:
            at = (die.x_mm, die.y_mm, die.value)
            number, surely = self._numbers[at] = known.get(at) or self._number(die.value)
            shares = _shares(number, surely)
            seen.append(
                DieSeen(
                    number,
                    die.x_mm,
                    die.y_mm,
                    confidence=surely,
                    cocked=die.lean > 0,
                    owner=die.side,
                    shares=shares,
                )
            )
        return tuple(seen)

    def _number(self, value: int) -> tuple[int, float]:
        """What a die that shows ``value`` is taken for as long as it lies, and how surely."""
        if not (self.errors.misread_die or self.errors.doubted_die):
            return value, SURE_DIE
        chance, doubted = float(self._stays.random()), float(self._stays.uniform(*DOUBTED))
        if chance < self.errors.misread_die:
            return LOOKS_LIKE[value], doubted
        return value, doubted if chance < self.errors.misread_die + self.errors.doubted_die else SURE_DIE

    def _cube(self, table: Tabletop) -> CubeSeen | None:
        cube = table.cube
        if cube is None:
            return None
        centred = cube.owner == "center" and cube.face == table.setting.cube.centred_face
        return CubeSeen(1 if centred else cube.face, cube.owner, 0.99, cube.face)


def _tray(count: int) -> dict[int, float]:
    """What a tray shows: the counts beside the right one are possible."""
    return {
        other: -TRAY_STEP * abs(other - count) for other in range(max(0, count - 1), min(MOST, count + 1) + 1)
    }


def _shares(number: int, surely: float) -> tuple[float, ...]:
    """How probable each number of a die is that is told so surely."""
    rest = 1.0 - surely
    other = {number: surely, LOOKS_LIKE[number]: ANOTHER * rest}
    return tuple(other.get(each, (1.0 - ANOTHER) * rest / 4) for each in range(1, 7))


def _shifted(count: int, by: int) -> int:
    """A pile as it is read when it is misread by ``by`` checkers for good."""
    return max(1, min(MOST, count + by)) if count > 0 else -max(1, min(MOST, by - count)) if count else 0


def hidden_points(table: Tabletop) -> frozenset[int]:
    """The points (1..24) of which hands and arms over the table hide something."""
    return hidden_by(table.hands, table)


def hidden_by(arms: Iterable[Arm], table: Tabletop) -> frozenset[int]:
    """The points (1..24) of which these arms hide something."""
    slots = _slots(table.setting.geometry)
    return frozenset(
        point
        for arm in arms
        for point, far in enumerate(_distances(arm, table.t, slots), start=1)
        if (far < HAND_MM).any()
    )


@lru_cache(maxsize=4)
def _slots(geometry: BoardGeometry) -> FloatArray:
    """Where the checkers of each point's first row lie (mm), (24, FLAT_ROW, 2)."""
    places = [[geometry.slot(point, row)[:2] for row in range(FLAT_ROW)] for point in range(1, 25)]
    return np.array(places, float)


def _distances(arm: Arm, t: float, places: FloatArray) -> FloatArray:
    """How far (mm) places, (..., 2), are from the line between an arm's finger tips and its player."""
    tips = np.array(arm.tips(t)[:2])
    way = np.array(arm.home[:2]) - tips
    here = places - tips
    share = np.clip(here @ way / max(float(way @ way), 1.0), 0.0, 1.0)
    off = here - share[..., None] * way
    return np.asarray(np.hypot(off[..., 0], off[..., 1]), float)
