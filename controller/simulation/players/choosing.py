"""Which play a player chooses, when it doubles, takes and resigns: simple rules of thumb of our own, no engine."""

from collections.abc import Iterable

import numpy as np

from controller.rules.position import Position, Side

NOISE = 4.0
"""How much chance goes into a choice, in pips."""
HOME, BAR_PIPS = 6, 25
DOUBLE_FROM, TAKE_TO = 0.10, 0.16
"""A lead in the race, as a share of the leader's pips, from which to double, and up to which to take."""
CONTACT = 0.35
"""What a lead in the race is worth while there is contact."""
BLOCKED_BONUS, BLOT_RISK, POINT_WORTH = 0.5, 0.35, 3.0


def worth(position: Position, side: Side) -> float:
    """How good a position is for ``side`` after its turn, in something like pips."""
    facing = position if side is Side.LIGHT else position.mirrored()
    points = facing.points
    theirs = [at for at, count in enumerate(points, start=1) if count < 0]
    behind = theirs[0] if theirs else BAR_PIPS
    if facing.bar(Side.DARK):
        behind = 0
    score = float(facing.pips(Side.DARK) - facing.pips(Side.LIGHT))
    for at, count in enumerate(points, start=1):
        if count == 1 and at > behind:
            shots = sum(0 < at - other <= HOME for other in theirs) + facing.bar(Side.DARK) * (at <= HOME)
            score -= BLOT_RISK * shots * (BAR_PIPS - at) * 0.5
        elif count >= 2 and at > behind:
            score += POINT_WORTH * (1.0 + BLOCKED_BONUS * (3 <= at <= 8)) - 0.6 * max(0, count - 3)
    return score + 6.0 * facing.bar(Side.DARK)


def choose(ends: Iterable[Position], side: Side, rng: np.random.Generator, noise: float = NOISE) -> Position:
    """One of the positions that legal plays lead to: a good one, not always the same."""
    ranked = sorted(ends, key=Position.compact)
    scores = [worth(end, side) + float(rng.normal(0, noise)) for end in ranked]
    return ranked[int(np.argmax(scores))]


def lead(position: Position, side: Side) -> float:
    """By which share of its own pips ``side`` is ahead; negative when behind. In contact a race means less."""
    own, other = position.pips(side), position.pips(side.opponent)
    return (CONTACT if in_contact(position) else 1.0) * (other - own) / max(own, 1)


def in_contact(position: Position) -> bool:
    """Whether checkers of the two sides still have to pass each other."""
    if position.bar(Side.LIGHT) or position.bar(Side.DARK):
        return True
    light = [point for point in range(1, 25) if position.points[point - 1] > 0]
    dark = [point for point in range(1, 25) if position.points[point - 1] < 0]
    return bool(light and dark) and max(light) > min(dark)


def doubles(position: Position, side: Side) -> bool:
    """Whether ``side``, about to roll, would double."""
    waiting = position.bar(side.opponent) * 0.06
    return lead(position, side) + waiting - position.bar(side) * 0.1 >= DOUBLE_FROM


def takes(position: Position, side: Side) -> bool:
    """Whether ``side`` would take a double of its opponent."""
    return lead(position, side.opponent) + position.bar(side) * 0.06 <= TAKE_TO


def hopeless(position: Position, side: Side) -> int:
    """At which level ``side`` might as well resign: 0 not at all, 1 single, 2 gammon."""
    behind = lead(position, side.opponent)
    if position.off(side.opponent) < 8 or behind < 1.0:
        return 0
    return 1 if position.off(side) else 2
