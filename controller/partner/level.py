"""How strong a partner is: seven levels, from one that plays legally to the best that this machine has."""

import random
from dataclasses import dataclass
from typing import Final

import numpy as np

from controller.analysis.advice import EngineName
from controller.partner.mind import EngineMind, Mind, RuleOfThumb
from controller.rules import MovementRules, Position, Roll, results
from controller.rules.forms.xgid import MatchState
from controller.simulation.players.player import choose


@dataclass(frozen=True, slots=True)
class PlayingLevel:
    """A strength.

    Attributes:
        number: 1, the weakest, to 7.
        thumb_noise: chance in a choice by rules of thumb, in pips; None where an engine plays, infinite for any play.
        noise: chance in a choice by an engine, in points of equity (standard deviation).
        plies: how far an engine looks ahead.
    """

    number: int
    thumb_noise: float | None = None
    noise: float = 0.0
    plies: int = 0


LEVELS: Final = (
    PlayingLevel(1, thumb_noise=float("inf")),
    PlayingLevel(2, thumb_noise=6.0),
    PlayingLevel(3, thumb_noise=0.0),
    PlayingLevel(4, noise=0.07),
    PlayingLevel(5, noise=0.03),
    PlayingLevel(6),
    PlayingLevel(7, plies=2),
)
"""The error rates of all are in `hardware_docs/partner.md`, measured by `python -m tests.bench.bench_levels`."""
USUAL: Final = 6


class ThumbPlayer(RuleOfThumb):
    """Rules of thumb with chance in them, so that it errs as beginners do."""

    def __init__(self, noise: float, rng: random.Random) -> None:
        """``noise`` is in pips, infinite for any legal play."""
        self._noise, self._rng = noise, np.random.default_rng(rng.getrandbits(64))

    def play(self, position: Position, state: MatchState, roll: Roll, rules: MovementRules) -> Position:
        """See `Mind`."""
        ends = [Position(code) for code in sorted(results(position, state.on_roll, roll, rules)[0])]
        if self._noise == float("inf"):
            return ends[int(self._rng.integers(len(ends)))]
        return choose(ends, state.on_roll, self._rng, self._noise, rules)


def mind_of(level: int, engine: EngineName | None, rng: random.Random) -> Mind:
    """The mind of a level, 1 to 7; ``engine`` is None where no program is to be asked: then 3 is the strongest."""
    found = LEVELS[level - 1]
    if found.thumb_noise is not None:
        return ThumbPlayer(found.thumb_noise, rng)
    if engine is None:
        return RuleOfThumb()
    return EngineMind(engine, found.plies, found.noise, rng)
