"""Positions as they come up in games: not by strict rules, but by moves in the right direction with real dice."""

import numpy as np

from controller.rules.position import Position

LONGEST_GAME = 110
# How strongly checkers are drawn to points that already hold some: makes points and piles.
COMPANY = 0.7


def random_position(rng: np.random.Generator, piles: float = 0.3) -> Position:
    """A position out of a game of random length; in a share ``piles`` of them players love to stack."""
    board = [[0] * 26, [0] * 26]
    # Each side's own view: 24 down to 1, 25 is its bar, 0 is off.
    for side in board:
        for point, count in ((24, 2), (13, 5), (8, 3), (6, 5)):
            side[point] = count
    company = 2.5 if rng.random() < piles else COMPANY
    mover = int(rng.integers(2))
    for _ in range(int(rng.integers(0, LONGEST_GAME)) if rng.random() < 0.85 else int(rng.integers(0, 12))):
        roll = rng.integers(1, 7, 2)
        dice = [int(roll[0])] * 4 if roll[0] == roll[1] else [int(one) for one in roll]
        for die in dice:
            _move(rng, board[mover], board[1 - mover], die, company)
        if board[mover][0] >= 14:
            break
        mover = 1 - mover
    points = tuple(board[0][k] - board[1][25 - k] for k in range(1, 25))
    return Position.of(points, board[0][25], board[1][25])


def _move(rng: np.random.Generator, own: list[int], other: list[int], die: int, company: float) -> None:
    """Move one checker by one die if any can, in place."""
    sources = [25] if own[25] else [point for point in range(24, 0, -1) if own[point]]
    home = not any(own[7:26])
    options: list[tuple[int, int, float]] = []
    for source in sources:
        target = source - die
        if target <= 0:
            if not home or (target < 0 and any(own[source + 1 : 7])):
                continue
            options.append((source, 0, 4.0))
            continue
        if other[25 - target] >= 2:
            continue
        weight = 0.3 + company * min(own[target], 6) + (1.0 if other[25 - target] == 1 else 0.0)
        weight += 0.6 if source > 18 else 0.0
        options.append((source, target, weight))
    if not options:
        return
    weights = np.array([weight for _, _, weight in options])
    source, target, _ = options[int(rng.choice(len(options), p=weights / weights.sum()))]
    own[source] -= 1
    own[target] += 1
    if target > 0 and other[25 - target] == 1:
        other[25 - target] -= 1
        other[25] += 1
