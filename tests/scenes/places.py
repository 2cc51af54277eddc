"""Positions of all sorts, in which a scene begins."""

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Final

from controller.rules.notation import BAR
from controller.rules.position import CHECKERS, START, Position, Roll, Side
from tests.scenes.board import HOME, POINTS, Facing, lawful

Beginning = tuple[Position, Side]
"""How the checkers lie, and who is to roll."""
GAMES: Final = 40
"""Different games from which positions of the opening and the middle are taken."""
LONGEST: Final = 70


def chosen(before: Position, side: Side, roll: Roll, rng: Random) -> Position:
    """A result that a player might choose: few blots, hits and points, and some chance."""
    return min(lawful(before, side, roll), key=lambda after: _badness(before, after, side) + 3 * rng.random())


def _badness(before: Position, after: Position, side: Side) -> float:
    board = Facing.of(after, side)
    blots = sum(board.own[at] == 1 for at in POINTS)
    points = sum(board.own[at] >= 2 for at in range(1, 10))
    hits = after.bar(side.opponent) - before.bar(side.opponent)
    piled = sum(max(0, board.own[at] - 4) for at in POINTS)
    return 1.5 * blots - points - 1.5 * hits + piled - 2.0 * board.own[0]


@lru_cache(maxsize=GAMES)
def _game(number: int) -> tuple[Beginning, ...]:
    """The positions of one game, each with the side to roll."""
    rng = Random(f"game {number}")
    position, side, found = START, rng.choice(list(Side)), list[Beginning]()
    while len(found) < LONGEST and max(position.off(each) for each in Side) < 10:
        found.append((position, side))
        roll = Roll.from_dice(rng.randint(1, 6), rng.randint(1, 6))
        position, side = chosen(position, side, roll, rng), side.opponent
    return tuple(found)


def opening(rng: Random) -> Beginning:
    """The first plies of a game."""
    return _game(rng.randrange(GAMES))[rng.randint(0, 6)]


def middle(rng: Random) -> Beginning:
    """The middle of a game; both sides still meet."""
    game = _game(rng.randrange(GAMES))
    met = [one for one in game[8:] if _meets(one[0])]
    return rng.choice(met or game[:8])


def on_bar(rng: Random) -> Beginning:
    """The side to roll, or the one after it, has a checker on the bar."""
    game = _game(rng.randrange(GAMES))
    waiting = [one for one in game if one[0].bar(Side.LIGHT) or one[0].bar(Side.DARK)]
    return rng.choice(waiting or game[:8])


def bearing_in(rng: Random) -> Beginning:
    """A race in which both bring their last checkers home."""
    return _laid_out(rng, farthest=11, off=0, chance_of_anchor=0.2)


def bearing_off(rng: Random) -> Beginning:
    """Both bear off, mostly without contact."""
    return _laid_out(rng, farthest=HOME, off=rng.randint(0, 5), chance_of_anchor=0.15)


def bearing_off_past(rng: Random) -> Beginning:
    """One side bears off while the other still holds a point in its home board, or waits on the bar."""
    return _laid_out(rng, farthest=HOME, off=rng.randint(0, 4), chance_of_anchor=1.0)


def closed_out(rng: Random) -> Beginning:
    """The side to roll has closed its home board, and the other waits on the bar."""
    side = rng.choice(list(Side))
    board = Facing(side, [0] * (BAR + 1), [0] * (BAR + 1))
    for at in range(1, HOME + 1):
        board.own[at] = 2
    for _ in range(3):
        board.own[rng.choice([7, 8, 9, 10, 11, 13, 14, 15, 16])] += 1
    waiting = rng.randint(1, 2)
    board.other[0] = waiting
    _spread(board.other, rng, CHECKERS - waiting, [at for at in range(17, BAR) if not board.own[at]])
    return _made(board), side


def nearly_won(rng: Random) -> Beginning:
    """Both sides have three or four checkers left, all at home."""
    side = rng.choice(list(Side))
    left, other_left = rng.randint(3, 4), rng.randint(3, 6)
    board = Facing(side, [CHECKERS - left, *[0] * BAR], [*[0] * BAR, CHECKERS - other_left])
    _spread(board.own, rng, left, list(range(1, HOME + 1)))
    _spread(board.other, rng, other_left, list(range(BAR - HOME, BAR)))
    return _made(board), side


def one_number(rng: Random) -> Beginning:
    """The side after the one to roll has a single checker that can still move, before a block."""
    side = rng.choice(list(Side))
    board = Facing(side, [0] * (BAR + 1), [0] * (BAR + 1))
    last = rng.randint(15, 22)
    board.own[last] = 1
    _spread(board.own, rng, CHECKERS - 1, [1, 2])
    high, low = sorted(rng.sample(range(3, 7), 2), reverse=True)
    board.other[last - high - low] = 2
    free = [at for at in range(7, BAR) if at not in (last, last - high, last - low, last - high - low)]
    for at in rng.sample(free, 3):
        board.other[at] = 2
    _spread(board.other, rng, 7, [at for at in free if at > last] or free)
    return _made(board), side.opponent


def _laid_out(rng: Random, farthest: int, off: int, chance_of_anchor: float) -> Beginning:
    """Both sides in and before their home boards; the other side may hold a point behind."""
    side = rng.choice(list(Side))
    board = Facing(side, [off, *[0] * BAR], [0] * (BAR + 1))
    _spread(board.own, rng, CHECKERS - off, list(range(1, farthest + 1)))
    behind = 0
    if rng.random() < chance_of_anchor:
        free = [at for at in range(1, HOME + 1) if not board.own[at]]
        place = rng.choice([0, *free, *free])
        behind = rng.randint(1, 2) if place == 0 else rng.choice([2, 2, 3])
        board.other[place] += behind
    other_off = 0 if behind else max(0, off + rng.randint(-2, 2))
    board.other[BAR] = other_off
    reach = BAR - (farthest if not behind else rng.choice([HOME, 9]))
    spread = [at for at in range(max(reach, 13), BAR) if not board.own[at]]
    _spread(board.other, rng, CHECKERS - behind - other_off, spread)
    return _made(board), side


def _spread(counts: list[int], rng: Random, checkers: int, places: list[int]) -> None:
    """Lay checkers on these places, rarely more than five on one."""
    for _ in range(checkers):
        at = rng.choice(places)
        if counts[at] >= 4:
            at = rng.choice(places)
        counts[at] += 1


def _made(board: Facing) -> Position:
    position = board.position()
    assert position is not None
    return position


def _meets(position: Position) -> bool:
    """Whether some checkers of one side still have to pass some of the other."""
    light = Facing.of(position, Side.LIGHT)
    rearmost = max((at for at in range(1, BAR + 1) if light.own[at]), default=0)
    foremost = min((at for at in range(BAR) if light.other[at]), default=BAR)
    return rearmost > foremost


Sort = Callable[[Random], Beginning]
ANY: Final[tuple[Sort, ...]] = (
    opening,
    opening,
    middle,
    middle,
    on_bar,
    bearing_in,
    bearing_off,
    bearing_off_past,
)
BEFORE_BEARING_OFF: Final[tuple[Sort, ...]] = (opening, middle, middle, on_bar, bearing_in)
CONTACT: Final[tuple[Sort, ...]] = (opening, middle, middle, on_bar)
BEARING_OFF: Final[tuple[Sort, ...]] = (bearing_off, bearing_off, bearing_off_past)
