"""Looks at a board and rolls for tests of the sum: what a sharp reader says of what truly lies there."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache, reduce
from math import log
from random import Random

from controller.referee.belief.branches import (
    Beam,
    Branch,
    Hypothesis,
    Kind,
    Passage,
    Throw,
    Touched,
    TurnLook,
    first_beam,
    grown,
    weights,
)
from controller.referee.belief.decision import Verdict, share_of, weigh
from controller.referee.belief.emission import SHIFTS
from controller.referee.belief.steps import shift_checker
from controller.referee.caution import Caution
from controller.referee.seeing.evidence import Evidence, evidence_of
from controller.referee.seeing.settled import SettledView
from controller.rules.position import START, Position, Roll, Side
from controller.rules.reasons import Reason, ReasonCode
from tests.referee.staging import Film

CAUTION = Caution()
HONEST = list(SHIFTS).index(0)
"""The index of no bias."""
Opinion = Mapping[int, float]


def after(*moves: tuple[int, int], of: Position = START, side: Side = Side.LIGHT) -> Position:
    """The position with these checkers of a side moved, in its own numbering."""
    for source, target in moves:
        of = shift_checker(of, side, source, target)
    return of


USUAL_ROLL = Roll(3, 1)
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
    """What so many pictures say together, weighed.

    ``opinions`` are those about single points instead of the usual ones, ``trays`` about light's and dark's tray.
    """
    film, found = Film(Random(1)), list[Evidence]()
    for _ in range(number):
        reading = film.read(position, hidden=frozenset(hidden))
        told = dict(enumerate(reading.likelihoods, start=1)) | dict(opinions or {})
        reading = replace(reading, likelihoods=tuple(told.values()))
        if trays is not None:
            reading = replace(reading, off_likelihoods=trays)
        found.append(evidence_of(reading))
    return reduce(Evidence.pooled, found).weighed()


def sure(count: int) -> dict[int, float]:
    """A reader that swears to a number of checkers."""
    return {number: 0.0 if number == count else -40.0 for number in range(-15, 16)}


@lru_cache(maxsize=64)
def seen(position: Position) -> Evidence:
    """Two pictures of a position."""
    return look(position)


def rest(position: Position, first_t: float, until: float, number: int = 2) -> SettledView:
    """So many pictures of a position, at which the board lay still until something else came."""
    film = Film(Random(1))
    pooled = reduce(Evidence.pooled, [evidence_of(film.read(position)) for _ in range(number)])
    return SettledView(pooled, first_t, until - 0.5, round(until), until=until, resumed_t=first_t)


def turn(
    end: Evidence | Position,
    start: Position | None = START,
    touched: Touched | None = None,
    **further: object,
) -> TurnLook:
    """How the board looked in a turn that began from ``start``, over which hands covered these points.

    In each of the moments between that are named it lay still for three seconds.
    """
    shown = seen(end) if isinstance(end, Position) else end
    passages = (Passage(shown, touched),)
    between = further.get("between", ())
    further = {"between_s": (3.0,) * len(between), **further}  # type: ignore[arg-type]
    return TurnLook(shown, None if start is None else seen(start), passages=passages, **further)  # type: ignore[arg-type]


def rolled(first: int, second: int, side: Side = Side.LIGHT, **further: object) -> Throw:
    """A roll of an electronic set that lay for three seconds."""
    return replace(Throw({Roll.from_dice(first, second): 0.0}, {side: 0.0}, 3.0), **further)  # type: ignore[arg-type]


def by_camera(first: int, second: int, side: Side = Side.LIGHT, **further: object) -> Throw:
    """The same, seen by a camera."""
    return rolled(first, second, side, reported=False, **further)


def boards(branch: Branch) -> list[Position]:
    """The boards that all turns of a branch left."""
    return [one.after for made in branch.history for one in made.chain]


def weighed(
    throw: Throw,
    look: TurnLook,
    beam: Beam | None = None,
    before: Position = START,
    side: Side | None = Side.LIGHT,
) -> Verdict:
    """The judgement of a turn from a position, or after the turns of a ``beam``."""
    return weigh(beam or first_beam(before, side), throw, look, CAUTION)


def chance(verdict: Verdict, holds: Callable[[Hypothesis], bool]) -> float:
    """How probable it is that something holds of the turn."""
    return share_of(verdict.beam, weights(verdict.beam), -1, holds)


def best(verdict: Verdict, holds: Callable[[Hypothesis], bool]) -> Branch:
    """The likeliest branch of whose last turn something holds."""
    return next(branch for branch in verdict.beam if holds(branch.last))


def hypothesis(
    kind: Kind = Kind.LEGAL,
    after: Position = GOOD,
    before: Position = START,
    roll: Roll = USUAL_ROLL,
    side: Side = Side.LIGHT,
    *codes: ReasonCode,
    ply: int = 0,
    prior: float = 0.0,
    **further: object,
) -> Hypothesis:
    """What may have become of a roll, as it is written in a history; ``codes`` are the rules it broke."""
    reasons = tuple(Reason(code, {"side": str(side)}) for code in codes)
    return Hypothesis(ply, kind, side, roll, before, after, prior, reasons=reasons, **further)  # type: ignore[arg-type]


def branches(*made: tuple[Hypothesis | tuple[Hypothesis, ...], float]) -> Beam:
    """A beam of histories, each with its weight."""
    found = []
    for history, weight in made:
        turns = history if isinstance(history, tuple) else (history,)
        branch = first_beam(turns[0].before, turns[0].side, turns[0].ply)[0]
        for one in turns:
            branch = grown(branch, replace(one, prior=0.0), 0.0)
        found.append(replace(branch, base=log(weight), score=log(weight)))
    return tuple(found)
