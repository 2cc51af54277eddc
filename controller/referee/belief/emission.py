"""What a look says of a board when the reader may err in a place for good.

A reader errs in two ways. It misreads a place in one picture, which `controller.referee.seeing.evidence` allows for.
And it misreads a place in every picture, such as a pile of five that reads as eight: the *bias* of that place. The
bias is a hidden state: nobody tells it, what lay there and what was read there tell of it, and it stays as long as
the checkers stay. It is carried from turn to turn with each way in which the game may have gone.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from controller.arrays import FloatArray, IndexArray
from controller.referee.seeing.evidence import (
    MOST,
    OTHER_LOOK,
    PILE,
    SAME_LOOK,
    CountTable,
    Evidence,
    changes_of_look,
)
from controller.rules import Position, Side

SHIFTS: Final = np.arange(-3, 4)
"""By how many checkers too few or too many a place may be read for good."""
WRONG: Final = -9.0
"""Whatever the reader says, one place in some eight thousand (log-probability) is wrong for a reason that no model
has. Of 3,887 places that it swore to on 169 rendered boards none was wrong, none of 2,659 on stranger ones, and none
of 15,312 in a film."""
FLOOR: Final = WRONG - float(np.log(len(SHIFTS) - 1))
"""No single place speaks more against a count than this (log-likelihood): a place that is wrong for such a reason is
read as any of the six numbers within three of what lies there, and not always as just the one that was seen."""
FLAT_SHARES: Final = (0.000007, 0.000014, 0.000034)
"""How often a place of fewer than five checkers is read wrongly for good by three, by two, and by one, each way. On
169 rendered boards none of 3,736 was, empty ones among them, nor any of 2,659 that it swore to on stranger boards:
with one in nine thousand, half of such trials would have shown none."""
EMPTY_SHARES: Final = (0.00001, 0.00001, 0.000034)
"""The same for an empty place, which is read as this many checkers of one colour or the other."""
PILE_SHARES: Final = (0.003, 0.004, 0.007)
"""The same for five and more, which people pile up. On those boards 3 of 224 were, by one, by two and by one too few;
in
the film of a whole game one five was read as eight as long as it stood."""
TRAY_SHARES: Final = (0.004, 0.008, 0.03)
"""The same for a tray."""
USELESS_TRAY: Final = 0.05
"""Share of trays that say nothing of what lies in them: in one film of seven one was misread for the whole game."""
BAR_SHARES: Final = (0.00003, 0.02)
"""How often the bar is read for good with one checker too few of a side, and with one too many. In 288 pictures of 24
painted boards with none to two checkers there it was never read with too few, and 12 times with one too many, eight
of them on one board: there the cube, at the end of the bar, looks like a checker of that colour."""
BAR_AS_BEFORE: Final = 0.999
"""Share of the biases of the bar that stay from turn to turn: it takes a cube that is turned."""
KEPT: Final = 0.7
"""Share of biases that stay when a checker leaves or comes: a pile that reads too high does so a checker lower,
too. What becomes a pile has its bias anew: it is the height that is misread, and a row of four has none."""
AS_BEFORE: Final = 0.99
"""Share of biases that stay from turn to turn where nothing moves; light and shadow change now and then."""
UNSEEN_CHANGE: Final = 2.5
"""Handicap (log-odds) of another count on a point that looks as before: a checker that comes or goes is seen, or
nearly always."""
LOOK_ONLY: Final = 1.0
"""Handicap (log-odds) of the same count on a point that looks different: a shadow may do that, too."""
USELESS_ROW: Final = -3.0
"""What a tray that says nothing is worth (log-likelihood), against one that shows its checkers."""

_PLACES: Final = np.arange(24)
_COUNTS: Final = np.arange(-MOST, MOST + 1)
_OUT: Final = -60.0
"""As good as impossible, and still a number that can be added."""


@dataclass(frozen=True, eq=False, slots=True)
class Bias:
    """How probable each bias of each place is (log-probabilities).

    ``points`` is (24, 7) by `SHIFTS`, a positive one for more checkers of the colour that lies there. ``off`` is (2,
    8), light's tray first; the last column is a tray that says nothing. ``bar`` is (3, 3): one too few, none, or one
    too many of light and of dark.
    """

    points: FloatArray
    off: FloatArray
    bar: FloatArray

    @classmethod
    def fresh(cls, board: Position) -> "Bias":
        """What is known before anything was seen of a board that lies so."""
        points = _FRESH[np.array(board.points) + MOST].copy()
        return cls(points, np.tile(_FRESH_TRAY, (2, 1)), _FRESH_BAR.copy())


@lru_cache(maxsize=256)
def emission(look: Evidence, start: Evidence | None, before: Position, bias: Bias) -> Evidence:
    """What a look (weighed) says of the board that came from ``before``, biases allowed for.

    ``start`` is the look (weighed) of the board ``before``: a place that looks the same holds as many as before,
    however many that are, and one that looks different does not.
    """
    points = _sum_over_biases(look, before, bias)
    told = look.points.any(axis=1)
    if start is not None:
        change = changes_of_look(look, start)
        same = np.equal(_COUNTS, np.array(before.points)[:, None])
        both = told & start.points.any(axis=1)
        points -= UNSEEN_CHANGE * ((both & (change < SAME_LOOK))[:, None] & ~same)
        points -= LOOK_ONLY * ((both & (change > OTHER_LOOK))[:, None] & same)
    points[~told] = 0.0
    off = np.stack([_tray(row, bias.off[side]) for side, row in enumerate(look.off)])
    return replace(look, points=_limited(points), bar=_bar(look.bar, bias.bar), off=off)


@lru_cache(maxsize=256)
def learned(bias: Bias, look: Evidence, before: Position, after: Position, checkers: int) -> Bias:
    """The biases when ``after`` lay there, which came from ``before``, and the look (weighed) was so."""
    at = np.array(after.points) + MOST
    seen = _shifted(look)[_PLACES, at]
    seen[~look.points.any(axis=1)] = 0.0
    points = _settled(_biases_at(before, bias, _PLACES, at) + seen, _FRESH[at])
    off = np.array(bias.off)
    for number, side in enumerate(Side):
        row = look.off[number]
        if not row.any():
            continue
        count = int(np.clip(after.off(side, checkers), 0, MOST))
        shown = _read_in(row, count + SHIFTS)
        off[number] = _settled(off[number] + np.append(shown, USELESS_ROW), _FRESH_TRAY)
    return Bias(points, off, _learned_bar(bias.bar, look.bar, after))


def _learned_bar(bias: FloatArray, read: CountTable, after: Position) -> FloatArray:
    """The biases of the bar when it was read so and holds what it does in ``after``."""
    if read.any():
        bias = bias + _shifted_bar(read)[:, :, after.bar(Side.LIGHT), after.bar(Side.DARK)]
    return _settled(bias.ravel(), _FRESH_BAR.ravel(), BAR_AS_BEFORE).reshape(bias.shape)


def _settled(posterior: FloatArray, fresh: FloatArray, as_before: float = AS_BEFORE) -> FloatArray:
    """Normalised log-probabilities, some of which are made anew."""
    summed = posterior - np.logaddexp.reduce(posterior, axis=-1, keepdims=True)
    mixed: FloatArray = np.logaddexp(summed + np.log(as_before), fresh + np.log1p(-as_before))
    return mixed


def _biases_at(before: Position, bias: Bias, places: IndexArray, at: IndexArray) -> FloatArray:
    """(N, 7) log-probability of each bias of these places, where what lies there now is the count with this index.

    It stays with the checkers that stay; where those of the other side lie, none lay, or a row became a pile, it is
    anew.
    """
    known, fresh, was, now = bias.points[places], _FRESH[at], np.array(before.points)[places], at - MOST
    kept = np.logaddexp(known + np.log(KEPT), fresh + np.log1p(-KEPT))
    stays = (now * was > 0) & ((np.abs(now) < PILE) | (np.abs(was) >= PILE))
    return np.where((now == was)[:, None], known, np.where(stays[:, None], kept, fresh))


@lru_cache(maxsize=32)
def _shifted(look: Evidence) -> FloatArray:
    """(24, 31, 7) what was read of each place where each count in it is read with each bias."""
    return np.where(_VALID.T, look.points[:, _INDEX.T], _OUT)


@lru_cache(maxsize=32)
def _summed_anew(look: Evidence) -> FloatArray:
    """(24, 31) log-likelihood of each count in each place, summed over biases of which nothing is known."""
    summed: FloatArray = np.logaddexp.reduce(_shifted(look) + _FRESH, axis=-1)
    return summed


def _sum_over_biases(look: Evidence, before: Position, bias: Bias) -> FloatArray:
    """(24, 31) the same, summed over the biases that each place may have with each count."""
    was = np.array(before.points)[:, None]
    # What is known goes only with counts of the side that lay there: few.
    places, at = np.nonzero((_COUNTS * was > 0) | np.equal(_COUNTS, was))
    summed = _summed_anew(look).copy()
    biases = _biases_at(before, bias, places, at)
    summed[places, at] = np.logaddexp.reduce(_shifted(look)[places, at] + biases, axis=-1)
    return summed


def _tray(row: CountTable, bias: FloatArray) -> CountTable:
    """(16,) log-likelihood of each count in a tray."""
    if not row.any():
        return row
    shown = _read_in(row, np.arange(MOST + 1)[:, None] + SHIFTS[None])
    every = np.concatenate([shown + bias[:-1], np.full((MOST + 1, 1), USELESS_ROW + bias[-1])], axis=1)
    told: CountTable = _limited(np.logaddexp.reduce(every, axis=-1)[None])[0]
    return told


def _bar(read: CountTable, bias: FloatArray) -> CountTable:
    """(16, 16) log-likelihood of each count of light and of dark on the bar, summed over the biases."""
    if not read.any():
        return read
    summed = np.logaddexp.reduce(_shifted_bar(read) + bias[:, :, None, None], axis=(0, 1))
    limited: CountTable = np.maximum(summed - summed.max(), FLOOR)
    return limited


def _shifted_bar(read: CountTable) -> FloatArray:
    """(3, 3, 16, 16) what was read where the bar, with so many of light and of dark, is read with these biases."""
    wide = np.pad(read, 1, constant_values=_OUT)
    return np.array([[wide[a : a + MOST + 1, b : b + MOST + 1] for b in range(3)] for a in range(3)])


def _read_in(row: CountTable, counts: IndexArray) -> FloatArray:
    """The log-likelihoods of these counts in a tray, in which some of them cannot be."""
    there = (counts >= 0) & (counts <= MOST)
    shown: FloatArray = np.where(there, row[np.clip(counts, 0, MOST)], _OUT)
    return shown


def _limited(rows: FloatArray) -> FloatArray:
    """Rows whose best entry is 0 and of which none is below `FLOOR`, or hardly."""
    limited: FloatArray = np.logaddexp(rows - rows.max(axis=-1, keepdims=True), FLOOR)
    level: FloatArray = limited - limited.max(axis=-1, keepdims=True)
    return level


def _tables() -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """What is the same for all places: which entry each bias reads, whether there is one, and the fresh biases."""
    # Where nothing lies a checker of either colour may be imagined: light's are positive.
    shifted = _COUNTS[None] + SHIFTS[:, None] * np.where(_COUNTS < 0, -1, 1)[None]
    valid = (np.abs(shifted) <= MOST) & (np.sign(shifted) == np.sign(_COUNTS)[None])
    valid[:, MOST] = True
    index = np.clip(shifted + MOST, 0, 2 * MOST)
    rows = []
    for count in np.abs(_COUNTS):
        shares = PILE_SHARES if count >= PILE else FLAT_SHARES
        rows.append(_log_shares(shares if count else EMPTY_SHARES))
    tray = np.append(_log_shares(TRAY_SHARES) + np.log1p(-USELESS_TRAY), np.log(USELESS_TRAY))
    return index, valid, np.array(rows), tray


def _fresh_bar() -> FloatArray:
    """(3, 3) the same for the bar."""
    few, many = BAR_SHARES
    each = np.log([few, 1 - few - many, many])
    both: FloatArray = each[:, None] + each[None]
    return both


def _log_shares(shares: tuple[float, float, float]) -> FloatArray:
    every = np.array([*shares, 1 - 2 * sum(shares), *shares[::-1]])
    logs: FloatArray = np.log(np.maximum(every, np.exp(_OUT)))
    return logs


_INDEX, _VALID, _FRESH, _FRESH_TRAY = _tables()
_FRESH_BAR: Final = _fresh_bar()
