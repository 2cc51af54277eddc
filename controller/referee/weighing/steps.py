"""Single steps of checkers: what lies between two positions, and how it reads in notation, legal or not."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from controller.rules import Move, Play, Position, Roll, Side, format_play
from controller.rules.notation import BAR, OFF

FEW = 5
"""So many checkers are paired in every order: a limit of work, no threshold."""


def count(position: Position, side: Side, point: int) -> int:
    """Checkers on a point 1..24 of the mover's own numbering; the opponent's are negative."""
    light = side is Side.LIGHT
    return position.points[point - 1] if light else -position.points[24 - point]


def shift_checker(position: Position, side: Side, source: int, target: int) -> Position:
    """The position with one checker of ``side`` taken from ``source`` to ``target``.

    Places are in its own numbering, 25 the bar, 0 off. A single opposing checker on the target goes to the
    bar; nothing else is checked.
    """
    sign = 1 if side is Side.LIGHT else -1
    points = list(position.points)
    bars = {Side.LIGHT: position.bar(Side.LIGHT), Side.DARK: position.bar(Side.DARK)}
    if source == BAR:
        bars[side] -= 1
    else:
        points[_index(side, source)] -= sign
    if target != OFF:
        at = _index(side, target)
        if points[at] == -sign:
            points[at] = 0
            bars[side.opponent] += 1
        points[at] += sign
    return Position.of(points, bars[Side.LIGHT], bars[Side.DARK])


def steps(position: Position, side: Side, die: int) -> Iterator[Position]:
    """Every position one legal step by ``die`` away."""
    if position.bar(side):
        if count(position, side, BAR - die) > -2:
            yield shift_checker(position, side, BAR, BAR - die)
        return
    own = [point for point in range(24, 0, -1) if count(position, side, point) > 0]
    for point in own:
        target = point - die
        if target > 0:
            if count(position, side, target) > -2:
                yield shift_checker(position, side, point, target)
        elif own[0] <= 6 and (target == 0 or point == own[0]):
            yield shift_checker(position, side, point, OFF)


def _reach(position: Position, side: Side, dice: tuple[int, ...]) -> set[Position]:
    found = {position}
    for die in dice:
        found = {after for at in found for after in steps(at, side, die)}
    return found


def _splits(roll: Roll) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The dice played so far and those that may follow."""
    if roll.is_double:
        for played in range(1, 4):
            yield (roll.high,) * played, (roll.high,) * (4 - played)
    else:
        yield (roll.high,), (roll.low,)
        yield (roll.low,), (roll.high,)


def middles(before: Position, side: Side, roll: Roll) -> set[Position]:
    """Every position in the middle of a play: some of the dice are played, not all."""
    return {middle for played, _ in _splits(roll) for middle in _reach(before, side, played)}


def begins(before: Position, side: Side, roll: Roll, middle: Position) -> bool:
    """Whether ``middle`` is a play begun with some of the dice."""
    return any(middle in _reach(before, side, played) for played, _ in _splits(roll))


def leads_to(before: Position, side: Side, roll: Roll, middle: Position, after: Position) -> bool:
    """Whether ``middle`` is a play begun that ``after`` completes."""
    return any(
        middle in _reach(before, side, played)
        and any(after in _reach(middle, side, left[:more]) for more in range(1, len(left) + 1))
        for played, left in _splits(roll)
    )


def _index(side: Side, point: int) -> int:
    return point - 1 if side is Side.LIGHT else 24 - point


def moves_between(before: Position, after: Position, side: Side, roll: Roll) -> Play:
    """The moves of ``side`` that lead from one position to the other, paired so that the dice explain most.

    Checkers that vanished count as borne off. More than five changed checkers are paired in order.
    """
    left: list[int] = []
    come: list[int] = []
    for point in range(24, 0, -1):
        gained = max(count(after, side, point), 0) - max(count(before, side, point), 0)
        (come if gained > 0 else left).extend([point] * abs(gained))
    entered = before.bar(side) - after.bar(side)
    left[:0] = [BAR] * max(entered, 0)
    come[:0] = [BAR] * max(-entered, 0)
    come += [OFF] * (len(left) - len(come))
    left += [OFF] * (len(come) - len(left))
    allowed = {roll.high * n for n in range(1, 5)} if roll.is_double else {*roll.dice, sum(roll.dice)}
    orders = permutations(come) if len(come) <= FEW else [tuple(come)]
    best = min(orders, key=lambda order: _oddness(left, order, allowed))
    moves = [
        Move(source, target, _hit(before, after, side, target))
        for source, target in zip(left, best, strict=True)
    ]
    return tuple(sorted(moves, key=lambda move: (-move.source, -move.target)))


def change_text(before: Position, after: Position, side: Side, roll: Roll, buried: int | None = None) -> str:
    """The change as notation from the mover's side; the opponent's checkers follow after a ``+``.

    Hits are no moves of the opponent. A checker that vanished may be ``buried`` on a point that the opponent holds.
    """
    mine = moves_between(before, after, side, roll)
    if buried is not None:
        mine = tuple(replace(m, target=buried) if m.target == OFF and m.source > buried else m for m in mine)
    opponent = side.opponent
    theirs = [
        move
        for move in moves_between(before, after, opponent, roll)
        if move.target != BAR or count(before, opponent, move.source) != 1
    ]
    parts = [format_play(mine)] if mine else []
    parts += [f"+ opponent {_name(move.source)}/{_name(move.target)}" for move in theirs]
    return " ".join(parts)


def _name(point: int) -> str:
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def _hit(before: Position, after: Position, side: Side, target: int) -> bool:
    return 1 <= target <= 24 and count(before, side, target) == -1 and count(after, side, target) > 0


def _oddness(left: list[int], order: tuple[int, ...], allowed: set[int]) -> int:
    odd = 0
    for source, target in zip(left, order, strict=True):
        distance = source - target
        if target == OFF:
            odd += distance > max(allowed)
        elif distance not in allowed:
            odd += 1 if distance > 0 else 3
    return odd
