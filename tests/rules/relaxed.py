"""A generator of illegal results: the plain rules with one of them waived.

Boards are those of `tests.rules.reference`. What comes out may be legal after all.
"""

from collections.abc import Iterator

from controller.rules.reasons import ReasonCode
from tests.rules.reference import Board

STEP_RULES = (
    ReasonCode.BAR_FIRST,
    ReasonCode.BLOCKED_POINT,
    ReasonCode.BEAR_OFF_EARLY,
    ReasonCode.BEAR_OFF_HIGHER_EXISTS,
    ReasonCode.BACKWARDS,
)
DICE_RULES = (ReasonCode.UNUSED_DIE, ReasonCode.LARGER_DIE)


def results(board: Board, first: int, second: int, waived: ReasonCode) -> set[Board]:
    """All boards that a player reaches who does not know one rule (and never takes a step back again)."""
    orders = [[first] * 4] if first == second else [[first, second], [second, first]]
    ends: set[tuple[int, int, Board]] = set()

    def play(now: Board, dice: list[int], played: int, larger: int, done: list[tuple[int, int]]) -> None:
        steps_on = steps(now, dice[0], waived) if dice else ()
        following = [step for step in steps_on if (step[1], step[0]) not in done]
        for source, target, after in following:
            play(after, dice[1:], played + 1, max(larger, dice[0]), [*done, (source, target)])
        if not following or waived is ReasonCode.UNUSED_DIE:
            ends.add((played, larger, now))

    for order in orders:
        play(board, order, 0, 0, [])
    most, largest = max(ends)[:2]
    if waived is ReasonCode.UNUSED_DIE:
        return {end for played, _, end in ends if played < most}
    if waived is ReasonCode.LARGER_DIE:
        largest = 0
    return {
        cleared(end) for played, larger, end in ends if played == most and (most > 1 or larger >= largest)
    }


def steps(board: Board, die: int, waived: ReasonCode) -> Iterator[tuple[int, int, Board]]:
    """Every step and the board after it; on a closed point the mover's count in hundreds until `cleared`."""
    waiting = board[25] > 0 and waived is not ReasonCode.BAR_FIRST
    rearmost = max((place for place in range(1, 26) if own(board[place])), default=0)
    for source in [25] if waiting else [place for place in range(25, 0, -1) if own(board[place])]:
        for target in (source - die, source + die) if waived is ReasonCode.BACKWARDS else (source - die,):
            if target > 24:
                continue
            if target <= 0:
                if rearmost > 6 and waived is not ReasonCode.BEAR_OFF_EARLY:
                    continue
                higher = any(own(board[place]) for place in range(source + 1, 7))
                if target < 0 and higher and waived is not ReasonCode.BEAR_OFF_HIGHER_EXISTS:
                    continue
            elif board[target] < -1 and waived is not ReasonCode.BLOCKED_POINT:
                continue
            yield source, max(target, 0), moved(board, source, max(target, 0))


def own(count: int) -> int:
    """How many of the mover's checkers a place holds."""
    return count // 100 if count >= 100 else max(count, 0)


def moved(board: Board, source: int, target: int) -> Board:
    """One checker moved; a blot goes to the bar, a closed point keeps its holders below."""
    after = list(board)
    after[source] -= 100 if after[source] >= 100 else 1
    if after[source] >= 2 and board[source] >= 100 and after[source] < 100:
        after[source] = -after[source]
    if target:
        if after[target] == -1:
            after[target] = 1
            after[0] -= 1
        elif after[target] < -1:
            after[target] = 100 - after[target]
        else:
            after[target] += 100 if after[target] >= 100 else 1
    return tuple(after)


def cleared(board: Board) -> Board:
    """The board when whoever was buried has been put on the bar."""
    after = list(board)
    for point in range(1, 25):
        if after[point] >= 100:
            after[0] -= after[point] % 100
            after[point] //= 100
    return tuple(after)
