"""Single steps of checkers: what lies between two positions, and how it reads in notation, legal or not."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import permutations
from typing import Final

from controller.rules import Move, MovementRules, Play, Position, Roll, Side, format_play
from controller.rules.moves import law, wide
from controller.rules.moves.movement import STANDARD, Contact
from controller.rules.notation import BAR, OFF
from controller.rules.packed import EMPTY, OWN_COUNT
from controller.rules.position import side_point

FEW: Final = 5
"""This many checkers are paired in every order: a limit of work, no threshold."""
_KEPT: Final = 256
"""Boards that lines of steps lead to are kept for this many beginnings: a limit of work, no threshold."""


def count(position: Position, side: Side, point: int, rules: MovementRules = STANDARD) -> int:
    """Checkers on a point 1..24 of the mover's own numbering; the opponent's are negative.

    On a point where a checker lies under those of the other side only these are counted.
    """
    counted = position.points[side_point(point, side, rules.direction) - 1]
    return counted if side is Side.LIGHT else -counted


def held(position: Position, side: Side, rules: MovementRules = STANDARD) -> tuple[int, ...]:
    """The mover's own checkers on its points 1..24, those under the opponent's too; nothing at index 0."""
    board = wide.view(position.code, side is Side.DARK, rules.direction)
    on_points = board[1:BAR].translate(OWN_COUNT)
    if not any(board[wide.PIN + 1 : wide.HAND]):
        return (0, *on_points)
    pinned = wide.own_pins(board)
    return (0, *(count + (point in pinned) for point, count in enumerate(on_points, start=1)))


def shift_checker(
    position: Position, side: Side, source: int, target: int, rules: MovementRules = STANDARD
) -> Position:
    """The position with one checker of ``side`` taken from ``source`` to ``target``.

    Places are in its own numbering, 25 the bar, 0 off. A single opposing checker on the target goes to the
    bar, or under the one that lands; nothing else is checked.
    """
    dark = side is Side.DARK
    board = wide.view(position.code, dark, rules.direction)
    return Position(
        wide.code_of(wide.after_step(board, source, target, rules.contact), dark, rules.direction)
    )


def steps(position: Position, side: Side, die: int, rules: MovementRules = STANDARD) -> Iterator[Position]:
    """Every position one legal step by ``die`` away; rules that look back at the whole turn are not asked."""
    dark = side is Side.DARK
    board = wide.view(position.code, dark, rules.direction)
    for source in range(BAR, 0, -1):
        if board[source] > EMPTY and not law.breaches(board, source, die, rules):
            after = wide.after_step(board, source, max(source - die, OFF), rules.contact)
            yield Position(wide.code_of(after, dark, rules.direction))


@lru_cache(maxsize=_KEPT)
def _reach(
    position: Position, side: Side, dice: tuple[int, ...], rules: MovementRules
) -> frozenset[Position]:
    found = {position}
    for die in dice:
        found = {after for at in found for after in steps(at, side, die, rules)}
    return frozenset(found)


def _splits(roll: Roll) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The dice played so far and those that may follow."""
    if roll.is_double:
        for played in range(1, 4):
            yield (roll.high,) * played, (roll.high,) * (4 - played)
    else:
        yield (roll.high,), (roll.low,)
        yield (roll.low,), (roll.high,)


def middles(before: Position, side: Side, roll: Roll, rules: MovementRules = STANDARD) -> set[Position]:
    """Every position in the middle of a play: some of the dice are played, not all."""
    return {middle for played, _ in _splits(roll) for middle in _reach(before, side, played, rules)}


def begins(
    before: Position, side: Side, roll: Roll, middle: Position, rules: MovementRules = STANDARD
) -> bool:
    """Whether ``middle`` is a play begun with some of the dice."""
    return any(middle in _reach(before, side, played, rules) for played, _ in _splits(roll))


def leads_to(
    before: Position,
    side: Side,
    roll: Roll,
    middle: Position,
    after: Position,
    rules: MovementRules = STANDARD,
) -> bool:
    """Whether ``middle`` is a play begun that ``after`` completes."""
    return any(
        middle in _reach(before, side, played, rules)
        and any(after in _reach(middle, side, left[:more], rules) for more in range(1, len(left) + 1))
        for played, left in _splits(roll)
    )


def moves_between(
    before: Position, after: Position, side: Side, roll: Roll, rules: MovementRules = STANDARD
) -> Play:
    """The moves of ``side`` that lead from one position to the other, paired so that the dice explain most.

    Checkers that vanished count as borne off, those from the hand as entered from the bar. More than five changed
    checkers are paired in order.
    """
    left: list[int] = []
    come: list[int] = []
    now, then = held(after, side, rules), held(before, side, rules)
    for point in range(24, 0, -1):
        gained = now[point] - then[point]
        (come if gained > 0 else left).extend([point] * abs(gained))
    entered = before.bar(side) + before.hand(side) - after.bar(side) - after.hand(side)
    left[:0] = [BAR] * max(entered, 0)
    come[:0] = [BAR] * max(-entered, 0)
    come += [OFF] * (len(left) - len(come))
    left += [OFF] * (len(come) - len(left))
    allowed = {roll.high * n for n in range(1, 5)} if roll.is_double else {*roll.dice, sum(roll.dice)}
    orders = permutations(come) if len(come) <= FEW else [tuple(come)]
    best = min(orders, key=lambda order: _oddness(left, order, allowed))
    moves = [
        Move(source, target, _hit(before, after, side, target, rules))
        for source, target in zip(left, best, strict=True)
    ]
    return tuple(sorted(moves, key=lambda move: (-move.source, -move.target)))


def change_text(
    before: Position,
    after: Position,
    side: Side,
    roll: Roll,
    buried: int | None = None,
    rules: MovementRules = STANDARD,
) -> str:
    """The change as notation from the mover's side; the opponent's checkers follow after a ``+``.

    A checker that the mover hit made no move of its own. One that vanished may be ``buried`` on a point that the
    opponent holds.
    """
    mine = moves_between(before, after, side, roll, rules)
    if buried is not None:
        mine = tuple(replace(m, target=buried) if m.target == OFF and m.source > buried else m for m in mine)
    opponent = side.opponent
    theirs = [
        move
        for move in moves_between(before, after, opponent, roll, rules)
        if not (
            mine
            and move.target == BAR
            and OFF < move.source < BAR
            and count(before, opponent, move.source, rules) == 1
        )
    ]
    parts = [format_play(mine)] if mine else []
    parts += [f"+ opponent {_name(move.source)}/{_name(move.target)}" for move in theirs]
    return " ".join(parts)


def _name(point: int) -> str:
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def _hit(before: Position, after: Position, side: Side, target: int, rules: MovementRules) -> bool:
    """Whether a blot was hit on a point; where blots are pinned none is."""
    return (
        rules.contact is Contact.HIT
        and 1 <= target <= 24
        and count(before, side, target, rules) == -1
        and count(after, side, target, rules) > 0
    )


def _oddness(left: list[int], order: tuple[int, ...], allowed: set[int]) -> int:
    odd = 0
    for source, target in zip(left, order, strict=True):
        distance = source - target
        if target == OFF:
            odd += distance > max(allowed)
        elif distance not in allowed:
            odd += 1 if distance > 0 else 3
    return odd
