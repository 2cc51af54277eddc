"""Turns of the games of the family: from games played at random, and by players who build primes."""

import random
from collections.abc import Iterator

from controller.rules.game.game import start_position
from controller.rules.moves.plays import results
from controller.rules.position import CHECKERS, Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import Profile
from tests.rules.turns import Turn

SELDOM = 0.15


def family_turns(profile: Profile, chance: random.Random) -> Iterator[Turn]:
    """Turns of games in which every other player holds as many points in a row as he can, without end."""
    rules = profile.movement
    start = start_position(profile.opening.layout, rules.direction)
    while True:
        position, side = start, chance.choice(list(Side))
        builders = {each: chance.random() < 0.5 for each in Side}
        while CHECKERS not in [position.off(each) for each in Side]:
            roll = Roll.from_dice(chance.randint(1, 6), chance.randint(1, 6))
            yield position, side, roll
            after = sorted(results(position, side, roll, rules)[0])
            if builders[side] and chance.random() > SELDOM:
                code = max(after, key=lambda code: (longest_row(Position(code), side), chance.random()))
            else:
                code = chance.choice(after)
            position, side = Position(code), side.opponent


def crowded_turns(chance: random.Random) -> Iterator[Turn]:
    """Turns in which one side holds nearly six points in a row and the other few points, without end.

    Games played at random hardly ever come to such positions; nobody is pinned, on the bar or off.
    """
    while True:
        side = chance.choice(list(Side))
        sign = 1 if side is Side.LIGHT else -1
        points = [0] * 24
        first = chance.randrange(24)
        row = [(first + nth) % 24 for nth in range(6)]
        for index in chance.sample(row, chance.choice((4, 5, 5, 6))):
            points[index] = sign
        free = [index for index in range(24) if not points[index]]
        theirs = chance.sample(free, chance.choice((1, 1, 2, 3)))
        if chance.random() < 0.4:
            theirs = [index for index in theirs if index not in row] or theirs
        for _ in range(CHECKERS):
            points[chance.choice(theirs)] -= sign
        mine = [index for index in range(24) if points[index] * sign >= 0]
        while sum(points) * sign < 0:
            points[chance.choice(mine)] += sign
        yield Position.from_counts(points), side, Roll.from_dice(chance.randint(1, 6), chance.randint(1, 6))


def turns_of(name: str, chance: random.Random) -> Iterator[Turn]:
    """Turns of a game that comes with the product."""
    return family_turns(load_profile(name), chance)


def longest_row(position: Position, side: Side) -> int:
    """How many points in a row a side holds, round the board."""
    held = [position.checkers(side, point) > 0 for point in range(1, 25)] * 2
    longest = row = 0
    for point in held:
        row = row + 1 if point else 0
        longest = max(longest, row)
    return longest
