"""What the games of the family forbid a step besides its landing: first checker, head, primes, hit and run.

Boards are those of `controller.rules.moves.wide`. Sources of the rules: the first checker in fevga, moultezim and
jacquet, the head and the prime of six in narde (with the form a player of fevga gives them), the points of the
starting tables in fevga and moultezim, five in a row in jacquet, and the checker that hits at home in tavla; the
profiles of these games name the texts.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from controller.rules.moves import wide
from controller.rules.moves.movement import FirstChecker, HeadException, MovementRules, PrimeLimit
from controller.rules.packed import BAR, BLOT, EMPTY, OWN_COUNT
from controller.rules.position import Direction, Side, side_point
from controller.rules.reasons import ReasonCode

HOME: Final = 6
"""The highest point of the home board."""
HEAD: Final = 24
"""The point on which all checkers of a side start, where a game begins so."""
START_TABLE: Final = range(19, 25)
PRIME: Final = 6
"""This many points in a row nobody can pass."""
OPPONENT_START: Final = 12
"""Where the opponent starts in a parallel game."""
FIRST_CHECKER_DUE: Final = {FirstChecker.PASSES_START: OPPONENT_START - 1, FirstChecker.REACHES_HOME: HOME}
"""The point that the first checker must have reached, by rule."""
EXCEPTIONS: Final = {
    HeadException.NONE: frozenset[int](),
    HeadException.SIXES_FOURS: frozenset({6, 4}),
    HeadException.SIXES_FOURS_THREES: frozenset({6, 4, 3}),
}
TABLE_LIMITS: Final = {
    PrimeLimit.OPEN_START: (START_TABLE, 5),
    PrimeLimit.FOUR_IN_OPPONENT_START: (range(7, 13), 4),
    PrimeLimit.TWO_IN_START: (START_TABLE, 2),
}
"""Points of a table, and how many of them may be held."""
_HELD: Final = bytes(value > EMPTY for value in range(256))
"""From a byte to 1 where the mover has a checker."""
_PRIME_HELD: Final = bytes([1] * PRIME)


class Start(NamedTuple):
    """What a turn began with: the board, and the number of a double (0 for two different ones)."""

    board: bytes
    double: int


def restrict(rules: MovementRules) -> bool:
    """Whether rules forbid anything of what this module knows."""
    return (
        rules.first_checker is not FirstChecker.FREE
        or rules.head_limit is not None
        or not rules.hit_and_run
        or rules.prime_limit is not PrimeLimit.NONE
    )


def breaches(
    start: Start, board: bytes, source: int, target: int, rules: MovementRules
) -> Iterator[ReasonCode]:
    """The rules of this module that a checker breaks that goes from `source` to `target` (0 off)."""
    if first_checker(board, rules) not in (None, source):
        yield ReasonCode.FIRST_CHECKER_FIRST
    taken = start.board[HEAD] - board[HEAD]
    if rules.head_limit is not None and source == HEAD and taken >= head_limit(start, rules):
        yield ReasonCode.HEAD_LIMIT
    if (
        not rules.hit_and_run
        and source <= HOME
        and start.board[source] == BLOT
        and board[source] == EMPTY + 1
    ):
        yield ReasonCode.HIT_AND_RUN
    if rules.prime_limit is not PrimeLimit.NONE and target:
        yield from _prime_breaches(wide.after_step(board, source, target, rules.contact), target, rules)


def first_checker(board: bytes, rules: MovementRules) -> int | None:
    """The place of the one checker that may move, or None if any may: the foremost, until it has come far enough."""
    if rules.first_checker is FirstChecker.FREE:
        return None
    due = FIRST_CHECKER_DUE[rules.first_checker]
    own = board.translate(OWN_COUNT)[: BAR + 1]
    foremost = next((place for place in range(1, BAR + 1) if own[place]), 0)
    return None if foremost <= due or sum(own[1:]) < rules.checkers else foremost


def head_limit(start: Start, rules: MovementRules) -> int:
    """How many checkers may leave the head in the turn that began so, where there is a limit."""
    limit = rules.head_limit or 0
    if start.board[HEAD] - EMPTY == rules.checkers and start.double in EXCEPTIONS[rules.head_exception]:
        return max(limit, 2)
    return limit


def _prime_breaches(after: bytes, target: int, rules: MovementRules) -> Iterator[ReasonCode]:
    """The limits that the points held after a step to `target` break."""
    kind = rules.prime_limit
    if kind in (PrimeLimit.ONE_AHEAD, PrimeLimit.FIVE_IN_ROW):
        if any(target in prime and not prime_allowed(after, prime, rules) for prime in primes(after, rules)):
            yield ReasonCode.PRIME_LIMIT
        return
    held = held_points(after, rules)
    if target in held and len(held) > table_most(rules):
        yield ReasonCode.TABLE_LIMIT


def held_points(board: bytes, rules: MovementRules) -> list[int]:
    """The points of the limited table that the mover holds: with two checkers where a single one can be hit."""
    table, _ = TABLE_LIMITS[rules.prime_limit]
    least = EMPTY + (1 if rules.landing_blocked_at == 1 else 2)
    return [point for point in table if board[point] >= least]


def table_most(rules: MovementRules) -> int:
    """How many points of the limited table may be held."""
    return TABLE_LIMITS[rules.prime_limit][1]


def primes(board: bytes, rules: MovementRules) -> list[tuple[int, ...]]:
    """Every six points in a row that the mover holds, the highest point first in each.

    Where both sides go the same way round, the 24-point comes after the 1-point.
    """
    held = board[1:BAR].translate(_HELD)
    around = rules.direction is Direction.PARALLEL
    row = held + held[: PRIME - 1] if around else held
    found, lowest = [], row.find(_PRIME_HELD)
    while lowest >= 0:
        found.append(tuple([(lowest + nth) % HEAD + 1 for nth in reversed(range(PRIME))]))
        lowest = row.find(_PRIME_HELD, lowest + 1)
    return sorted(found)


def prime_allowed(board: bytes, prime: tuple[int, ...], rules: MovementRules) -> bool:
    """Whether six points in a row may be held: in jacquet with the last two points, else with one ahead of them."""
    if rules.prime_limit is PrimeLimit.FIVE_IN_ROW:
        return board[1] > EMPTY and board[2] > EMPTY
    if sum(EMPTY - count for count in board[:BAR] if count < EMPTY) < rules.checkers:
        return True
    front = side_point(prime[-1], Side.DARK, rules.direction)
    theirs = [point for point in range(1, BAR) if board[point] < EMPTY]
    return any(side_point(point, Side.DARK, rules.direction) < front for point in theirs)


def keeps_prime(board: bytes, rules: MovementRules) -> bool:
    """Whether six points in a row stand directly in front of all of the opponent's checkers and must be opened."""
    if rules.prime_limit is not PrimeLimit.OPEN_START:
        return False
    behind = [prime[0] % HEAD + 1 for prime in primes(board, rules)]
    return any(EMPTY - board[point] == rules.checkers for point in behind)
