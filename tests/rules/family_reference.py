"""The games of the family once more, written apart from the product from their rules: stacks of letters, depth first.

A board is 24 stacks from light's 1-point on, each a text of `L` and `D` from the bottom to the top, and for each side
how many checkers are on the bar and in hand. Every side walks along a list of points of its own. No trick, no speed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from controller.rules.position import Position, Side

OTHER = {"L": "D", "D": "L"}
LETTER = {Side.LIGHT: "L", Side.DARK: "D"}
AGAINST_EACH_OTHER = {"L": list(range(24, 0, -1)), "D": list(range(1, 25))}
SAME_WAY = {"L": list(range(24, 0, -1)), "D": [*range(12, 0, -1), *range(24, 12, -1)]}


@dataclass(frozen=True)
class Stacks:
    points: tuple[str, ...]
    bar: tuple[tuple[str, int], ...] = (("L", 0), ("D", 0))
    hand: tuple[tuple[str, int], ...] = (("L", 0), ("D", 0))

    def at(self, point: int) -> str:
        return self.points[point - 1]

    def put(self, point: int, stack: str) -> "Stacks":
        return Stacks((*self.points[: point - 1], stack, *self.points[point:]), self.bar, self.hand)

    def waiting(self, me: str) -> int:
        return dict(self.bar)[me]

    def in_hand(self, me: str) -> int:
        return dict(self.hand)[me]

    def add_bar(self, me: str, number: int) -> "Stacks":
        return replace(self, bar=tuple((who, n + number * (who == me)) for who, n in self.bar))

    def add_hand(self, me: str, number: int) -> "Stacks":
        return replace(self, hand=tuple((who, n + number * (who == me)) for who, n in self.hand))


@dataclass(frozen=True)
class Game:
    """What a game is, in plain words of this module."""

    same_way: bool = False
    landing: str = "hit"
    """`hit`, `pin` or `never` on a point where the opponent is."""
    first: str = ""
    """`past start` or `home`: what the first checker must have done."""
    one_from_head: bool = False
    two_with: tuple[int, ...] = ()
    primes: str = ""
    stay_after_hit: bool = False
    exact_off: bool = False
    checkers: int = 15

    def way(self, me: str) -> list[int]:
        return (SAME_WAY if self.same_way else AGAINST_EACH_OTHER)[me]


GAMES = {
    "portes": Game(),
    "nackgammon": Game(),
    "longgammon": Game(),
    "hypergammon": Game(checkers=3),
    "tavla": Game(stay_after_hit=True),
    "plakoto": Game(landing="pin"),
    "fevga": Game(same_way=True, landing="never", first="past start", primes="fevga"),
    "moultezim": Game(same_way=True, landing="never", first="past start", primes="moultezim"),
    "narde": Game(same_way=True, landing="never", one_from_head=True, two_with=(3, 4, 6), primes="narde"),
    "gul-bara": Game(same_way=True, landing="never"),
    "jacquet": Game(same_way=True, landing="never", first="home", primes="jacquet"),
    "jacquet-hit": Game(same_way=True, primes="two", exact_off=True),
    "acey-deucey": Game(),
}


def results(game: Game, table: Stacks, me: str, high: int, low: int) -> set[Stacks]:
    """Every board after a complete play: most numbers first, the larger one if only one of two can be played."""
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    ends: set[tuple[int, int, Stacks]] = set()
    seen: set[tuple[Stacks, tuple[int, ...], tuple[int, ...]]] = set()

    def go(now: Stacks, dice: tuple[int, ...], played: tuple[int, ...]) -> None:
        if (now, dice, played) in seen:
            return
        seen.add((now, dice, played))
        further = set(steps(game, table, now, me, dice[0], high if high == low else 0)) if dice else set()
        for after in further:
            go(after, dice[1:], (*played, dice[0]))
        if not further:
            ends.add((len(played), max(played, default=0), now))

    for order in orders:
        go(table, order, ())
    most = max(number for number, _, _ in ends)
    largest = max(die for number, die, _ in ends if number == most)
    final = {end for number, die, end in ends if number == most and (most > 1 or die == largest)}
    if game.primes == "fevga":
        free = {end for end in final if not shut_in(game, end, me)}
        return free or final
    return final


def steps(game: Game, start: Stacks, now: Stacks, me: str, die: int, double: int) -> Iterator[Stacks]:
    """Every board one step further."""
    way = game.way(me)
    if now.waiting(me):
        yield from land(game, now.add_bar(me, -1), me, way[die - 1])
        return
    if now.in_hand(me):
        yield from land(game, now.add_hand(me, -1), me, way[die - 1])
    for index, point in enumerate(way):
        stack = now.at(point)
        if not stack.endswith(me) or not may_leave(game, start, now, me, index, double):
            continue
        lifted = now.put(point, stack[:-1])
        if index + die < 24:
            yield from land(game, lifted, me, way[index + die])
        elif all_home(game, now, me):
            behind = any(me in now.at(way[further]) for further in range(18, index))
            if index + die == 24 or (not behind and not game.exact_off):
                yield lifted


def land(game: Game, table: Stacks, me: str, point: int) -> Iterator[Stacks]:
    stack, foe = table.at(point), OTHER[me]
    if stack.endswith(foe):
        if game.landing == "never" or len(stack) > 1:
            return
        if game.landing == "hit":
            table, stack = table.add_bar(foe, 1), ""
    after = table.put(point, stack + me)
    if primes_allowed(game, after, me, point):
        yield after


def all_home(game: Game, table: Stacks, me: str) -> bool:
    outside = any(me in table.at(point) for point in game.way(me)[:18])
    return not outside and not table.waiting(me) and not table.in_hand(me)


def mine(game: Game, table: Stacks, me: str) -> list[int]:
    """How far along its way each checker has come that can be seen on top, the last one first."""
    return [
        index
        for index, point in enumerate(game.way(me))
        for _ in range(table.at(point).count(me) if table.at(point).endswith(me) else 0)
    ]


def may_leave(game: Game, start: Stacks, now: Stacks, me: str, index: int, double: int) -> bool:
    way = game.way(me)
    if game.first:
        own = mine(game, now, me)
        needed = 13 if game.first == "past start" else 18
        if len(own) == 15 and own[-1] < needed and index != own[-1]:
            return False
    if game.one_from_head and index == 0:
        allowed = 2 if start.at(way[0]) == me * 15 and double in game.two_with else 1
        if len(start.at(way[0])) - len(now.at(way[0])) >= allowed:
            return False
    if game.stay_after_hit and index >= 18:
        return not (start.at(way[index]) == OTHER[me] and now.at(way[index]) == me)
    return True


def sixes(game: Game, table: Stacks, me: str) -> Iterator[list[int]]:
    """Six points one after the other round the board, in the order in which they are walked."""
    way = game.way(me)
    held = {point for point in way if table.at(point).endswith(me)}
    for first in range(24 if len(held) >= 6 else 0):
        points = [way[(first + further) % 24] for further in range(6)]
        if held.issuperset(points):
            yield points


def primes_allowed(game: Game, table: Stacks, me: str, landed: int) -> bool:
    if not game.primes:
        return True
    way, foe = game.way(me), OTHER[me]
    held = [point for point in way if table.at(point).endswith(me)]
    if game.primes == "fevga":
        return landed not in way[:6] or not set(way[:6]) <= set(held)
    if game.primes == "moultezim":
        theirs = game.way(foe)[:6]
        return landed not in theirs or len(set(theirs) & set(held)) <= 4
    if game.primes == "two":
        strong = [point for point in way[:6] if len(table.at(point)) > 1 and point in held]
        return landed not in strong or len(strong) <= 2
    for points in sixes(game, table, me):
        if landed not in points:
            continue
        if game.primes == "jacquet" and not (way[22] in held and way[23] in held):
            return False
        if game.primes == "narde":
            theirs = game.way(foe)
            ahead = [point for point in theirs[theirs.index(points[-1]) + 1 :] if foe in table.at(point)]
            on_board = sum(stack.count(foe) for stack in table.points)
            if not ahead and on_board == 15:
                return False
    return True


def shut_in(game: Game, table: Stacks, me: str) -> bool:
    """Whether six points in a row stand directly in front of the whole army of the opponent."""
    way = game.way(me)
    return any(table.at(way[way.index(points[0]) - 1]) == OTHER[me] * 15 for points in sixes(game, table, me))


def stacks(position: Position) -> Stacks:
    points = []
    for point in range(1, 25):
        count = position.points[point - 1]
        own, other = ("L", "D") if count > 0 else ("D", "L")
        points.append((other if point in position.pinned else "") + own * abs(count))
    return Stacks(
        tuple(points),
        (("L", position.bar(Side.LIGHT)), ("D", position.bar(Side.DARK))),
        (("L", position.hand(Side.LIGHT)), ("D", position.hand(Side.DARK))),
    )


def position(table: Stacks) -> Position:
    counts, pinned = [], []
    for point, stack in enumerate(table.points, start=1):
        top = stack[-1:]
        sign = 1 if top == "L" else -1
        counts.append(sign * stack.count(top) if top else 0)
        if len(set(stack)) > 1:
            pinned.append(point)
    open_board = Position.from_counts(counts, table.waiting("L"), table.waiting("D"))
    return open_board.with_hidden(pinned, table.in_hand("L"), table.in_hand("D"))
