"""Are the dice fair? Tests over many rolls, and a small chart."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import erfc, sqrt
from typing import Final

from controller.analysis.chi_squared import critical_value, needed_noncentrality, tail_chance

ENOUGH: Final = 180
"""Rolls below which a pair is expected less than five times, which is too few for the chi-square to be trusted."""
SUSPICIOUS: Final = 0.01
POWER: Final = 0.8
"""In how many of its cases a fault is found that is called large enough to be found."""
FACES: Final = range(1, 7)
PAIRS: Final = tuple((high, low) for high in FACES for low in range(1, high + 1))
BAR: Final = 24


@dataclass(frozen=True, slots=True)
class FairnessTest:
    """One test: its name, its statistic, and how often fair dice are at least that far off (0 to 1)."""

    name: str
    statistic: float
    p: float

    @property
    def suspicious(self) -> bool:
        """Fair dice do that less than once in a hundred times."""
        return self.p < SUSPICIOUS


@dataclass(frozen=True, slots=True)
class Audit:
    """What the rolls show.

    Attributes:
        rolls: how many.
        faces: how often each face came, 1 first.
        pairs: how often each of the 21 pairs came, the larger die first.
        tests: chi-square of the faces and of the pairs, runs of high and low totals; none without rolls.
    """

    rolls: int
    faces: tuple[int, ...]
    pairs: dict[tuple[int, int], int]
    tests: tuple[FairnessTest, ...]

    @property
    def enough(self) -> bool:
        """This many rolls that the tests mean something."""
        return self.rolls >= ENOUGH

    @property
    def p(self) -> float | None:
        """The tests as one: how often fair dice are so far off in any of them; `None` with too few rolls to tell.

        Bonferroni: the strictest test decides, and pays for all of them.
        """
        if not self.enough or not self.tests:
            return None
        return min(1.0, len(self.tests) * min(test.p for test in self.tests))


def audit(rolls: Sequence[tuple[int, int]]) -> Audit:
    """Test the rolls of a record, in the order they were thrown; each two faces from 1 to 6 in any order."""
    faces = Counter(die for roll in rolls for die in roll)
    pairs = Counter((max(roll), min(roll)) for roll in rolls)
    counts, counted = tuple(faces[face] for face in FACES), {pair: pairs[pair] for pair in PAIRS}
    if not rolls:
        return Audit(0, counts, counted, ())
    ways = [1 if high == low else 2 for high, low in PAIRS]
    tests = (evenness("faces", counts, [1] * 6), evenness("pairs", list(counted.values()), ways))
    return Audit(len(rolls), counts, counted, (*tests, *_runs_test(rolls)))


def evenness(name: str, counts: Sequence[int], shares: Sequence[int]) -> FairnessTest:
    """Pearson's chi-squared test of whether things came as often as they should, which is in these shares."""
    total, parts = sum(counts), sum(shares)
    expected = [total * share / parts for share in shares]
    statistic = sum((count - usual) ** 2 / usual for count, usual in zip(counts, expected, strict=True))
    return FairnessTest(name, statistic, tail_chance(statistic, len(counts) - 1))


def compare(chances: Sequence[float | None]) -> list[float | None]:
    """The chances of several sets of rolls, each made larger by how many are compared (Holm 1979); `None` stays."""
    known = sorted((chance, place) for place, chance in enumerate(chances) if chance is not None)
    found: list[float | None] = [None] * len(chances)
    highest = 0.0
    for rank, (chance, place) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * chance))
        found[place] = highest
    return found


def smallest_fault(rolls: int) -> float:
    """By which share a face must come too often for the test to find it in 8 of 10 cases: 0.3 is 30 % more often.

    The power of the chi-square of the six faces at the level of one of three tests; the other faces give way evenly.
    """
    freedom = len(FACES) - 1
    needed = needed_noncentrality(POWER, critical_value(SUSPICIOUS / 3, freedom), freedom)
    return sqrt(freedom * needed / (2 * rolls))


def _runs_test(rolls: Sequence[tuple[int, int]]) -> tuple[FairnessTest, ...]:
    """Runs of totals above and below seven (Wald and Wolfowitz 1940): dice with a memory have too few or too many."""
    high = [sum(roll) > 7 for roll in rolls if sum(roll) != 7]
    above = sum(high)
    below = len(high) - above
    if above < 2 or below < 2:
        return ()
    runs = 1 + sum(a != b for a, b in pairwise(high))
    mean = 2 * above * below / len(high) + 1
    variance = (mean - 1) * (mean - 2) / (len(high) - 1)
    z = (runs - mean) / sqrt(variance)
    return (FairnessTest("runs", z, erfc(abs(z) / sqrt(2))),)


def chart(result: Audit) -> str:
    """A bar for each face, with what fair dice would show on average."""
    if not result.rolls:
        return "no rolls"
    fair, most = result.rolls / 3, max(result.faces)
    bars = [
        f"{face}  {'#' * round(BAR * count / most):<{BAR}}  {count:5d}  {100 * (count / fair - 1):+6.1f} %"
        for face, count in zip(FACES, result.faces, strict=True)
    ]
    return "\n".join([*bars, f"fair: {fair:.1f} of each face in {result.rolls} rolls"])
