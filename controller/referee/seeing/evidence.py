"""What pictures at rest say about a position: a log-likelihood for every count in every place.

Readings overstate what they know: pictures of one scene share their errors. So each place is softened (no
place can weigh more than the rate of misreadings allows), several readings of one settled view are averaged, and
their number raises the weight only up to a factor (`WEIGHTS`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import Final

import numpy as np

from controller.arrays import ByteArray, FloatArray, IndexArray, Mask
from controller.rules import Position, Side
from controller.rules.hidden import BOARD
from controller.rules.packed import DARK_COUNT, EMPTY, OWN_COUNT, PLACES
from controller.vision import Reading

CountTable = FloatArray

MOST: Final = 15
"""Checkers of one side, in games with the most."""
MISREAD: Final = 0.01
"""Share of places that a reader gets wrong in one picture although it is certain; no single place weighs more."""
MISREAD_UNSURE: Final = 0.1
"""The same for points that the reader itself would not swear to..."""
PLAIN: Final = 6.9
"""...unless the point by itself is as plain as this (log-odds; 0.999, what a reader asks for in uneven light), and
not all are unsure: then only the number of a side's checkers speaks against it, and that is weighed with the board.
On thirteen painted boards 695 such points were read, all rightly; of 157 less plain ones 46 were not."""
MISREAD_TRAY: Final = 0.02
"""The same for the trays, in which checkers lie in any way."""
PILE: Final = 5
"""From this many checkers on, the height of a pile is hard to see: the sixth one hides behind the first..."""
PILE_DOUBT: Final = 3.0
"""...and at most so much is believed about one height of it against another (log-odds) by one picture. Three weigh
twice as much: with the piles that are misread for good they doubt a pile by one checker, each way, in 0.9 % of cases.
On 169 rendered boards 3 of 224 were misread, 0.7 % each way."""
MIXED: Final = 2.0
"""Where checkers are counted but their owner is less certain than this (log-odds), both sides' may lie on a point."""
WEIGHTS: Final = (1.0, 1.0, 1.6, 2.0)
"""No picture, one, two, and three or more of one position weigh this many times as much as one: they share errors."""
CONTRADICTION: Final = 1.5
"""Two readings that contradict each other by so much (log-odds) show different positions."""
WITNESS: Final = 2.0
"""A place speaks against what should lie there if it does so by this much (log-odds): seven to one."""
SAME_LOOK: Final = 1.5
"""A point of which the opinion changed by less than this (log-odds) looks as before..."""
OTHER_LOOK: Final = 2.5
"""...and one of which it changed by more than this looks different; nothing is said of what lies between."""
_PLACES = np.arange(24)
_ROWS = _PLACES * (2 * MOST + 1) + MOST - EMPTY
"""Where the row of each point lies in a table of all points, counted from the byte of a place that is empty."""


@dataclass(frozen=True, eq=False, slots=True)
class Evidence:
    """Sums of softened log-likelihoods over ``readings`` pictures (all tables: best count 0 in each picture).

    ``points`` is (24, 31), second index signed count + 15 (light positive); ``bar`` is (16, 16) by light and
    dark; ``off`` is (2, 16), light's row first. ``checkers`` are those of one side in the game.
    """

    points: CountTable
    bar: CountTable
    off: CountTable
    readings: int
    checkers: int = MOST

    def pooled(self, other: "Evidence") -> "Evidence":
        """Both together, as seen in one settled view.

        Of a place that one of them says nothing about the other tells all.
        """
        counts = (self.readings, other.readings)
        return Evidence(
            _add_counts(self.points, other.points, counts),
            _add_counts(self.bar[None], other.bar[None], counts)[0],
            _add_counts(self.off, other.off, counts),
            self.readings + other.readings,
            other.checkers,
        )

    def weighed(self) -> "Evidence":
        """One table of log-likelihoods for the settled view: the mean, weighed by how many pictures there are."""
        return weighed_without(self, frozenset())

    def blinded(self, place: int) -> "Evidence":
        """The same evidence without one point (index 0..23)."""
        points = self.points.copy()
        points[place] = 0.0
        return replace(self, points=points)

    def scores(self, positions: Sequence[Position]) -> CountTable:
        """(N,) log-likelihood of each position, summed over all places.

        What nobody can see, pins and hands, is counted with the checkers that are not in the trays.
        """
        return self.scores_of_codes([position.code for position in positions])

    def scores_of_codes(self, codes: Sequence[int]) -> CountTable:
        """The same of packed positions."""
        if max(codes, default=0) > BOARD:
            scored = self._scores_on_board(_bytes_of([code & BOARD for code in codes]))
            scored += np.array([sum(self._trays(Position(code))) for code in codes])
            return scored
        boards = _bytes_of(codes)
        scored = self._scores_on_board(boards)
        counts = boards.view(np.int8) - np.int8(EMPTY)
        light = np.maximum(counts, 0).sum(axis=1, dtype=np.intp)
        dark = light - counts.sum(axis=1, dtype=np.intp)
        scored += self.off[0].take(self.checkers - light) + self.off[1].take(self.checkers - dark)
        return scored

    def score_of_code(self, code: int) -> float:
        """The same of one packed position, in a quarter of the time: 8 µs instead of 34 on a PC."""
        if code > BOARD:
            return float(self.scores_of_codes([code])[0])
        places = code.to_bytes(PLACES, "little")
        light, dark = places.translate(OWN_COUNT), places.translate(DARK_COUNT)
        shown = self.points.ravel().take(np.frombuffer(places, np.uint8)[1:25] + _ROWS).sum()
        off = self.off[0, self.checkers - sum(light)] + self.off[1, self.checkers - sum(dark)]
        return float(shown + self.bar[light[25], dark[0]] + off)

    def _scores_on_board(self, boards: ByteArray) -> CountTable:
        """(N,) log-likelihood of what lies on the points and the bar."""
        bar = self.bar[boards[:, 25].astype(np.intp) - EMPTY, EMPTY - boards[:, 0].astype(np.intp)]
        scored: CountTable = self.points.ravel().take(boards[:, 1:25] + _ROWS).sum(axis=1) + bar
        return scored

    def by_place(self, position: Position) -> CountTable:
        """(27,) log-likelihood of the position in each place: 24 points, the bar, both trays."""
        counts = np.array(position.points) + MOST
        rest = [self.bar[position.bar(Side.LIGHT), position.bar(Side.DARK)], *self._trays(position)]
        return np.concatenate([self.points[_PLACES, counts], rest])

    def _trays(self, position: Position) -> list[float]:
        """The log-likelihood of what lies in light's and in dark's tray: checkers in hand may lie there too."""
        found = []
        for row, side in zip(self.off, Side, strict=True):
            off = max(position.off(side, self.checkers), 0)
            hand = position.hand(side)
            found.append(float(row[off : off + hand + 1].max() if hand else row[off]))
        return found

    @property
    def _weight(self) -> float:
        return WEIGHTS[min(self.readings, len(WEIGHTS) - 1)]


@lru_cache(maxsize=256)
def weighed_without(evidence: Evidence, points: frozenset[int]) -> Evidence:
    """The same, without these points (1..24).

    It is made once: what follows from an earlier moment of a turn need not be worked out again with each picture.
    """
    weight = evidence._weight / max(evidence.readings, 1)
    table = evidence.points * weight
    table[[point - 1 for point in points]] = 0.0
    return replace(evidence, points=table, bar=evidence.bar * weight, off=evidence.off * weight)


@lru_cache(maxsize=4096)
def score_of(evidence: Evidence, position: Position) -> float:
    """The log-likelihood of one position: the same one is asked about for every roll and side that is thought of."""
    return evidence.score_of_code(position.code)


def counts_of(codes: Iterable[int]) -> IndexArray:
    """(N, 26) signed counts of packed positions, light positive: dark's bar, the 24 points, light's bar."""
    return _bytes_of([code & BOARD for code in codes]).astype(np.intp) - EMPTY


def _bytes_of(codes: Iterable[int]) -> ByteArray:
    """(N, 26) the bytes of packed boards without pins and hands."""
    boards = b"".join([code.to_bytes(PLACES, "little") for code in codes])
    return np.frombuffer(boards, np.uint8).reshape(-1, PLACES)


def of_both_sides(row: CountTable) -> bool:
    """Whether an opinion about a point, shape (31,), is that of a reader who saw checkers of both sides there.

    It counts them but cannot say whose they are.
    """
    count = abs(int(np.argmax(row)) - MOST)
    owners = row[[MOST - count, MOST + count]]
    return count > 1 and bool(owners.min() > owners.max() - MIXED)


def differ(one: Evidence, other: Evidence, scale: float = 1.0) -> bool:
    """Whether two settled views show different positions: their counts contradict each other, or the look is another.

    A smaller ``scale`` asks for less of a difference.
    """
    first, second = one.points / one.readings, other.points / other.readings
    bars = one.bar / one.readings + other.bar / other.readings
    contradiction = -float((first + second).max(axis=1).sum() + bars.max())
    shift = float(_shift_of_look(first, second).max())
    return contradiction > CONTRADICTION * scale or shift > OTHER_LOOK * scale


def changes_of_look(one: Evidence, other: Evidence) -> CountTable:
    """(24,) how much the opinion about each point differs in two looks (weighed), as in single pictures."""
    return _shift_of_look(one.points / one._weight, other.points / other._weight)


def _shift_of_look(one: CountTable, other: CountTable) -> CountTable:
    """(24,) how much the opinion about each point has changed, most for any count; 0 where one has none."""
    shift: CountTable = np.abs(one - other).max(axis=1)
    shift[~one.any(axis=1) | ~other.any(axis=1)] = 0.0
    return shift


def _add_counts(one: CountTable, other: CountTable, counts: tuple[int, int]) -> CountTable:
    """The sums over this many pictures each; rows (or tables) that are empty in one count as often as the other's."""
    total: CountTable = one + other
    axes = tuple(range(1, one.ndim))
    both = sum(counts)
    for alone, count, empty in ((one, counts[0], other), (other, counts[1], one)):
        rows = alone.any(axis=axes) & ~empty.any(axis=axes)
        if count:
            total[rows] = alone[rows] * (both / count)
    return total


def _soften(table: CountTable, misread: float) -> CountTable:
    return _soften_rows(table.reshape(1, -1), np.array([[misread]])).reshape(table.shape)


def _soften_rows(rows: CountTable, misread: CountTable) -> CountTable:
    """Of each row, shape (N, counts), that it is misread now and then, as often as ``misread``, (N, 1), says."""
    best = rows.max(axis=1, keepdims=True)
    softened: CountTable = np.logaddexp(rows - best, np.log(misread)) - np.log1p(misread)
    return softened


def _are_plain(rows: CountTable) -> Mask:
    """Which rows, shape (N, counts), have one count that is plainly likelier than all others; shape (N, 1)."""
    two = np.partition(rows, -2, axis=1)[:, -2:]
    plain: Mask = two[:, 1:] - two[:, :1] >= PLAIN
    return plain


def _level_piles(rows: CountTable) -> CountTable:
    levelled = rows.copy()
    for side in (slice(0, MOST - PILE + 1), slice(MOST + PILE, 2 * MOST + 1)):
        best = rows[:, side].max(axis=1, keepdims=True)
        levelled[:, side] = np.maximum(rows[:, side], best - PILE_DOUBT)
    return levelled


def _tray(opinion: Mapping[int, float] | None) -> CountTable:
    return _soften(np.array(_filled(MOST + 1, opinion)), MISREAD_TRAY) if opinion else np.zeros(MOST + 1)


def _filled(size: int, opinion: Mapping[int, float], first: int = 0) -> list[float]:
    """Log-likelihoods of the counts from ``first`` on; what has none is impossible."""
    row = [-inf] * size
    for count, value in opinion.items():
        row[count - first] = value
    return row


def evidence_of(reading: Reading, checkers: int = MOST) -> Evidence:
    """The evidence of one picture of a game with this many ``checkers`` a side.

    Covered points and trays that are not there say nothing.
    """
    points = np.zeros((24, 2 * MOST + 1))
    told = [
        place
        for place, likelihoods in enumerate(reading.likelihoods)
        if likelihoods and place + 1 not in reading.covered
    ]
    if told:
        rows = np.array([_filled(2 * MOST + 1, reading.likelihoods[place], -MOST) for place in told])
        unsure = np.array([[place + 1 in reading.unsure] for place in told])
        doubted = unsure if unsure.all() else unsure & ~_are_plain(rows)
        points[told] = _soften_rows(_level_piles(rows), np.where(doubted, MISREAD_UNSURE, MISREAD))
    wide = MOST + 1
    bar = np.zeros((wide, wide))
    if reading.bar_likelihoods:
        on_bar = {light * wide + dark: value for (light, dark), value in reading.bar_likelihoods.items()}
        bar = _soften(np.array(_filled(wide * wide, on_bar)).reshape(bar.shape), MISREAD)
    off = np.stack([_tray(opinion) for opinion in reading.off_likelihoods])
    return Evidence(points, bar, off, 1, checkers)
