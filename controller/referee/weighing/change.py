"""What a player did to the board, in words of notation, whether a rule allows it or not."""

from dataclasses import replace
from itertools import permutations

from controller.referee.weighing.steps import count
from controller.rules import Move, Play, Position, Roll, Side, format_play
from controller.rules.notation import BAR, OFF

FEW = 5
"""So many checkers are paired in every order: a limit of work, no threshold."""


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
