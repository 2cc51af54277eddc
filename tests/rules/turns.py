"""Turns to test with: from games played at random, made up at random, and counted beforehand."""

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller.rules.moves import generator
from controller.rules.position import CHECKERS, START, Position, Roll, Side

Turn = tuple[Position, Side, Roll]
COUNTED = Path(__file__).parent.parent / "data" / "rules" / "positions.jsonl.gz"


def played_turns(seed: int) -> Iterator[Turn]:
    """Turns of games played at random, without end."""
    chance = random.Random(seed)
    position, side = START, Side.LIGHT
    while True:
        roll = Roll.from_dice(chance.randint(1, 6), chance.randint(1, 6))
        yield position, side, roll
        results = generator.results(position.code, side is Side.DARK, roll.high, roll.low)[0]
        position, side = Position(chance.choice(sorted(results))), side.opponent
        if CHECKERS in [position.off(each) for each in Side]:
            position = START


def constructed_turn(chance: random.Random) -> Turn:
    """A turn in a position made up at random, with more contact, bars and bear-offs than games have."""
    points = [0] * 24
    owner = [chance.choice((1, -1)) for _ in points]
    home_bound = chance.random() < 0.4
    bars = {1: 0, -1: 0}
    for sign in (1, -1):
        mine = [p for p in range(24) if owner[p] == sign]
        if home_bound and chance.random() < 0.7:
            mine = [p for p in mine if (p < 7 if sign > 0 else p > 16)] or mine
        for _ in range(chance.choice((1, 2, 3, 5, 8, 12, 15))):
            if not mine or chance.random() < 0.04:
                bars[sign] += 1
            else:
                points[chance.choice(mine)] += sign
    roll = Roll.from_dice(chance.randint(1, 6), chance.randint(1, 6))
    return Position.from_counts(points, bars[1], bars[-1]), chance.choice(list(Side)), roll


def counted_cases() -> list[dict[str, Any]]:
    """The cases whose results several programs agree on, as JSON objects."""
    with gzip.open(COUNTED, "rt") as lines:
        return [json.loads(line) for line in lines]


def turn_of(case: dict[str, Any]) -> Turn:
    """The turn of a counted case."""
    position = Position.from_counts(case["points"], case["bar"]["light"], case["bar"]["dark"])
    return position, Side(case["turn"]), Roll.from_dice(*case["dice"])
