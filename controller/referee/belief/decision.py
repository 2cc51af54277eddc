"""The decision about a turn: told, asked about, or accused, by what each costs where it is wrong.

Telling costs something if it is wrong, and nothing if it is right; asking costs a question either way. So a verdict
is told if the chance that it is wrong, times the cost of that error, is no more than a question costs (`Costs`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from controller.referee.belief.beam import extend
from controller.referee.belief.branches import (
    Beam,
    Branch,
    Hypothesis,
    Kind,
    Throw,
    TurnLook,
    differing_points,
    points_apart,
    weights,
)
from controller.referee.belief.touches import touched_while
from controller.referee.caution import Caution, Costs
from controller.rules import Side
from controller.rules.reasons import COUNT_CODES

T = TypeVar("T")
WHOLE: Final = 3
"""Whoever displaces two checkers or more by just the numbers of the roll played it: no bump and no slip does that."""


class Outcome(StrEnum):
    """What can be said of a turn."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    IDLE = "idle"
    """Nothing was moved, although something could have been."""
    UNSURE = "unsure"
    DISTURBED = "disturbed"
    """Checkers lie otherwise than the play left them, and nobody is known to have broken a rule."""


@dataclass(frozen=True, eq=False)
class Verdict:
    """The judgement of one turn.

    Attributes:
        outcome: what can be said of it.
        entry: what is told of it if it counts now: the likeliest.
        probability: how probable ``entry`` is, its roll and its verdict included.
        points: points (1..24) to look at where it is not certain, or that were disturbed.
        by: who displaced checkers, where that is as certain as guilt must be.
        roll_sure: whether its roll is as certain as the rest.
        inherited: whether what was done in this turn is certain, and only the board it began from is not: people were
            asked about that when it came up.
        beam: all branches, with this turn as the last of their histories.
        throw, look: the roll and the board as they were weighed.
    """

    outcome: Outcome
    entry: Hypothesis
    probability: float
    points: tuple[int, ...]
    by: Side | None
    roll_sure: bool
    inherited: bool
    beam: Beam
    throw: Throw
    look: TurnLook


def weigh(beam: Sequence[Branch], throw: Throw, look: TurnLook, caution: Caution) -> Verdict:
    """The judgement of the turn in which ``throw`` was played, as the board looks."""
    return decide(extend(beam, throw, look, caution), throw, look, caution)


def decide(beam: Beam, throw: Throw, look: TurnLook, caution: Caution) -> Verdict:
    """The judgement of the last turn of these branches."""
    shares = weights(beam)
    made = _likeliest(beam, shares, caution)
    right = share_of(beam, shares, -1, lambda other: alike(other, made))
    exact = share_of(beam, shares, -1, lambda other: alike(other, made) and other.roll == made.roll)
    points: tuple[int, ...] = ()
    if accuses(made):
        # The name of the rule may be open, and the roll, but not that one was broken.
        outcome, exact = Outcome.ILLEGAL, right
    elif made.displaced:
        outcome, points = Outcome.DISTURBED, made.displaced
    elif made.kind is Kind.VOID:
        outcome = Outcome.IDLE
    else:
        outcome = Outcome.LEGAL
    if not is_certain(made, right, caution):
        outcome, points = Outcome.UNSURE, _points(beam, made)
    roll_sure = is_worth_telling(exact / right, caution.costs.wrong_record, caution.costs)
    by = _doer(beam, shares, made, look, caution)
    done = share_of(beam, shares, -1, lambda other: _does(other, made))
    inherited = outcome is Outcome.UNSURE and made.kind is Kind.LEGAL and is_certain(made, done, caution)
    return Verdict(
        outcome,
        made,
        exact,
        points=points,
        by=by,
        roll_sure=roll_sure,
        inherited=inherited,
        beam=beam,
        throw=throw,
        look=look,
    )


def _doer(
    beam: Beam, shares: Sequence[float], made: Hypothesis, look: TurnLook, caution: Caution
) -> Side | None:
    """Who displaced checkers, if that is certain; of a single checker only hands that were seen can tell."""
    whole = sum(points_apart(made.after, made.end).values()) >= WHOLE
    if made.by is None or not (whole or _hands_tell(look, made)):
        return None
    share = share_of(beam, shares, -1, lambda other: other.by is made.by)
    return made.by if is_guilt_certain(share, caution) else None


def _hands_tell(look: TurnLook, made: Hypothesis) -> bool:
    """Whether it is known whose hands were over the checkers that somebody displaced."""
    last = made.last
    was, now = (last.after, last.lies) if last.lies is not None else (made.origin, made.before)
    return any(touched_while(look, point, was, now) for point in made.displaced)


def is_certain(made: Hypothesis, probability: float, caution: Caution) -> bool:
    """Whether a turn is told without a question if this is how probable it is."""
    if (
        made.in_hand
        or any(one.kind in (Kind.UNCLEAR, Kind.UNFINISHED) for one in made.chain)
        or (made.kind is Kind.ILLEGAL and not accuses(made))
    ):
        return False
    if accuses(made):
        return is_guilt_certain(probability, caution)
    return is_worth_telling(probability, caution.costs.wrong_record, caution.costs)


def is_guilt_certain(probability: float, caution: Caution) -> bool:
    """Whether somebody is accused if this is how probable it is that they broke a rule."""
    return is_worth_telling(probability, caution.costs.false_accusation, caution.costs)


def is_worth_telling(probability: float, error: float, costs: Costs) -> bool:
    """Whether what is so probable costs no more to tell than to ask about, where an ``error`` costs this."""
    return probability >= 1 - costs.question / error


def accuses(made: Hypothesis) -> bool:
    """Whether a hypothesis says that the player broke a rule: that checkers are lost accuses nobody."""
    return made.kind is Kind.ILLEGAL and not any(reason.code in COUNT_CODES for reason in made.reasons)


def alike(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether two hypotheses come to the same verdict: that this side broke a rule, or on this play.

    The roll may differ, and how many turns went before.
    """
    if accuses(one) or accuses(other):
        return accuses(one) and accuses(other) and one.side is other.side
    return one.kind is other.kind and len(one.chain) == len(other.chain) and _what(one) == _what(other)


def same(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether two hypotheses say the same of a turn, whatever the roll, and leave the same board."""
    return one.last.ply == other.last.ply and _what(one) == _what(other)


def _does(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether two hypotheses are the same legal play, perhaps on boards that differ where it touches nothing."""
    if len(one.chain) > 1 or len(other.chain) > 1 or one.displaced or other.displaced:
        return False
    return _deed(one) == _deed(other)


def _what(made: Hypothesis) -> tuple[object, ...]:
    """What was done, and the board that it left."""
    return *_deed(made), made.end


def _deed(made: Hypothesis) -> tuple[object, ...]:
    """What was done, wherever the other checkers lie."""
    last = made.last
    return last.kind, last.side, last.after.code - last.before.code


def _likeliest(beam: Sequence[Branch], shares: Sequence[float], caution: Caution) -> Hypothesis:
    """What became of the last roll: the likeliest board, and of what led there the most probable, and so its roll.

    That a rule was broken is one thing, whichever board it left: where that is certain nothing else is looked for.
    """
    made = [branch.last for branch in beam]
    wrong = share_of(beam, shares, -1, accuses)
    if is_guilt_certain(wrong, caution):
        return next(each for each in made if accuses(each))
    end = most_probable([each.end for each in made], shares)
    there = [(each, share) for each, share in zip(made, shares, strict=True) if each.end == end]
    top = most_alike(there, alike)
    group = [(each, share) for each, share in there if alike(each, top)]
    roll = most_probable([each.roll for each, _ in group], [share for _, share in group])
    return next(each for each, _ in group if each.roll == roll)


def most_probable(things: Sequence[T], shares: Sequence[float]) -> T:
    """The thing with the largest share together."""
    totals: dict[T, float] = {}
    for thing, share in zip(things, shares, strict=True):
        totals[thing] = totals.get(thing, 0.0) + share
    return max(totals, key=lambda thing: totals[thing])


def most_alike(things: Sequence[tuple[T, float]], are_alike: Callable[[T, T], bool]) -> T:
    """The first of these things, each with its share, to which those that are alike add up to the largest share."""
    totals = [sum(share for other, share in things if are_alike(other, each)) for each, _ in things]
    return things[totals.index(max(totals))][0]


def share_of(
    beam: Sequence[Branch], shares: Sequence[float], number: int, holds: Callable[[Hypothesis], bool]
) -> float:
    """How probable it is that something holds of one of the latest rolls."""
    return sum(share for branch, share in zip(beam, shares, strict=True) if holds(branch.history[number]))


def _points(beam: Beam, made: Hypothesis) -> tuple[int, ...]:
    """The points at which the likeliest other explanation differs.

    If only that differs whose hand it was, they are those at which checkers were displaced.
    """
    for branch in beam:
        other = branch.last
        if not alike(other, made):
            return (
                differing_points(made.end, other.end)
                or differing_points(made.end, other.nearest or other.end)
                or differing_points(made.origin, other.origin)
                or made.displaced
                or other.displaced
            )
    return ()
