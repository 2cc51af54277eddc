"""How strong the partner's levels are: what each loses for a decision, and the games that the strongest wins.

    python -m tests.bench.bench_levels [--positions N] [--games N]

All levels are asked the same positions, which arise where gnubg plays both sides at 0 plies with a little chance, so
that differences between levels are not differences between games.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from controller.analysis.advice import Advice, advise
from controller.analysis.engine import EngineError
from controller.analysis.kept import KeptGnubg
from controller.partner.level import LEVELS, mind_of
from controller.partner.mind import EngineMind, Mind
from controller.rules import Position, Roll, Side, results
from controller.rules.forms.xgid import MatchState
from controller.rules.moves.movement import STANDARD
from controller.rules.position import START

SEED: Final = 20261126
MILLI: Final = 1000
LONGEST: Final = 400
"""Turns after which a game between weak players counts as nobody's."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision of the measurement: the position, the state with its roll, and what gnubg says of every play."""

    position: Position
    state: MatchState
    roll: Roll
    said: Advice


def decisions(count: int, kept: KeptGnubg, rng: random.Random) -> Iterator[Asked]:
    """Decisions with a choice, from games that gnubg plays against itself."""
    player = EngineMind("gnubg", 0, 0.05, rng, kept)
    found = 0
    while True:
        for position, side, roll in turns(player, player, rng):
            state = MatchState(on_roll=side, roll=roll)
            if len(results(position, side, roll)[0]) < 2:
                continue
            try:
                yield Asked(position, state, roll, advise(position, state, "gnubg", 2, kept))
            except EngineError:
                continue
            found += 1
            if found == count:
                return


def turns(light: Mind, dark: Mind, rng: random.Random) -> Iterator[tuple[Position, Side, Roll]]:
    """A game without a cube: each position with who plays which roll. The last one is over."""
    position, side = START, rng.choice([*Side])
    for _ in range(LONGEST):
        roll = Roll.from_dice(rng.randint(1, 6), rng.randint(1, 6))
        yield position, side, roll
        if not all(position.pips(each) for each in Side):
            return
        mind = light if side is Side.LIGHT else dark
        if results(position, side, roll)[0] != {position.code}:
            position = mind.play(position, MatchState(on_roll=side), roll, STANDARD)
        side = side.opponent


def winner(light: Mind, dark: Mind, rng: random.Random) -> Side | None:
    """Who wins a game."""
    *_, (position, _, _) = turns(light, dark, rng)
    return next((side for side in Side if not position.pips(side)), None)


def loss(asked: Asked, mind: Mind) -> float:
    """What a mind's play loses, in points of equity."""
    after = mind.play(asked.position, replace(asked.state, roll=None), asked.roll, STANDARD)
    found = asked.said.loss(after)
    # gnubg lists every play; the worst of them stands for one that it should have left out.
    return asked.said.best.equity - asked.said.plays[-1].equity if found is None else found


def measure(count: int, seed: int = SEED) -> dict[int, float]:
    """What each level loses for a decision, in thousandths of a point."""
    kept, rng = KeptGnubg(), random.Random(seed)
    asked = [*decisions(count, kept, rng)]
    rates = {}
    for level in LEVELS:
        mind = mind_of(level.number, "gnubg", random.Random(seed))
        rates[level.number] = MILLI * sum(loss(each, mind) for each in asked) / len(asked)
        mind.close()
    kept.close()
    return rates


def share_won(strong: int, weak: int, games: int, seed: int = SEED) -> float:
    """The share of games that a level wins against another, sides taken in turn."""
    rng = random.Random(seed)
    minds = [mind_of(number, "gnubg", random.Random(seed + number)) for number in (strong, weak)]
    won = 0
    for number in range(games):
        mine = Side.LIGHT if number % 2 else Side.DARK
        light, dark = minds if mine is Side.LIGHT else minds[::-1]
        won += winner(light, dark, rng) is mine
    for mind in minds:
        mind.close()
    return won / games


def run(positions: int = 100, games: int = 20) -> list[dict[str, Any]]:
    """The rows for `make bench`; fewer positions than the page has, so that it takes about two minutes."""
    rates = measure(positions)
    unit = "thousandths of a point a decision"
    rows: list[dict[str, Any]] = [
        {"name": f"level {level}", "value": rate, "unit": unit} for level, rate in rates.items()
    ]
    won = share_won(LEVELS[-1].number, 1, games)
    return [*rows, {"name": "level 7 against level 1", "value": won, "unit": "share won", "target": 0.95}]


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--positions", type=int, default=300)
    options.add_argument("--games", type=int, default=40)
    asked = options.parse_args()
    for level, rate in measure(asked.positions).items():
        sys.stdout.write(f"level {level}: {rate:.1f} thousandths of a point a decision\n")
    if asked.games:
        share = share_won(LEVELS[-1].number, 1, asked.games)
        sys.stdout.write(f"level 7 won {share:.0%} of {asked.games} games against level 1\n")


if __name__ == "__main__":
    main()
