"""Looks at a board and rolls, as tests of the sum need them: what a sharp reader says of positions that truly lie there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from controller.referee.belief.beam import extend
from controller.referee.belief.branches import Beam, Branch, Hypothesis, Kind, Throw, TurnLook, first_beam
from controller.referee.belief.decision import Verdict, decide
from controller.referee.belief.steps import shift_checker
from controller.referee.caution import Caution
from controller.referee.seeing.evidence import Evidence, evidence_of
from controller.rules.position import START, Position, Roll, Side
from tests.referee.staging import Film

CAUTION = Caution()
Opinion = Mapping[int, float]


def after(*moves: tuple[int, int], of: Position = START, side: Side = Side.LIGHT) -> Position:
    """The position with these checkers of a side moved, in its own numbering."""
    for source, target in moves:
        of = shift_checker(of, side, source, target)
    return of


GOOD = after((8, 5), (6, 5))
"""The usual 3-1."""
BESIDE = after((8, 5), (24, 23))
"""Another legal 3-1."""
WRONG = after((8, 4), (6, 5))
"""A 4-1 where 3-1 was rolled."""


def look(
    position: Position,
    number: int = 2,
    opinions: Mapping[int, Opinion] | None = None,
    hidden: Iterable[int] = (),
    trays: tuple[Opinion | None, Opinion | None] | None = None,
) -> Evidence:
    """What so many pictures say together (weighed); ``opinions`` are those about single points instead of the usual ones.

    ``trays`` are those about light's and dark's tray.
    """
    film, found = Film(Random(1)), list[Evidence]()
    for _ in range(number):
        reading = film.read(position, hidden=frozenset(hidden))
        told = dict(enumerate(reading.likelihoods, start=1)) | dict(opinions or {})
        reading = replace(reading, likelihoods=tuple(told.values()))
        if trays is not None:
            reading = replace(reading, off_likelihoods=trays)
        found.append(evidence_of(reading, CAUTION))
    pooled, *others = found
    for other in others:
        pooled = pooled.pooled(other)
    return pooled.weighed()


def sure(count: int) -> dict[int, float]:
    """A reader that swears to a number of checkers."""
    return {number: 0.0 if number == count else -40.0 for number in range(-15, 16)}


@lru_cache(maxsize=64)
def seen(position: Position) -> Evidence:
    """Two pictures of a position."""
    return look(position)


def turn(end: Evidence | Position, start: Position | None = START, **further: object) -> TurnLook:
    """How the board looked in a turn that began from ``start``."""
    shown = seen(end) if isinstance(end, Position) else end
    return TurnLook(shown, None if start is None else seen(start), **further)  # type: ignore[arg-type]


def rolled(first: int, second: int, side: Side = Side.LIGHT, **further: object) -> Throw:
    """A roll of an electronic set that lay for three seconds."""
    return replace(Throw({Roll.of(first, second): 0.0}, {side: 0.0}, 3.0), **further)  # type: ignore[arg-type]
