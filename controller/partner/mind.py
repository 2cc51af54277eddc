"""What decides for a side: an engine that is installed, or a small player that needs nothing."""

import logging
import random
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from controller.analysis.advice import EngineName, advise, advise_cube
from controller.analysis.engine import EngineError
from controller.analysis.kept import CubeEquities, KeptGnubg
from controller.analysis.why.worth import GameStage, stage_of
from controller.partner.race import race_doubles, race_takes
from controller.rules import MovementRules, Position, Roll, results
from controller.rules.forms.xgid import IdError, MatchState
from controller.rules.moves.movement import STANDARD
from controller.simulation.players.player import doubles, takes, worth

_LOGGER: Final = logging.getLogger(__name__)
NUMBERS: Final = range(1, 7)


class Mind(Protocol):
    """Decides; ``state`` is everything but the checkers, with the side that is asked on roll. It never raises."""

    def play(self, position: Position, state: MatchState, roll: Roll, rules: MovementRules) -> Position:
        """Where its play of a roll ends."""

    def doubles(self, position: Position, state: MatchState) -> bool:
        """Whether it doubles before its roll."""

    def takes(self, position: Position, state: MatchState) -> bool:
        """Whether it takes a double of the side on roll."""

    def close(self) -> None:
        """Let go of what runs."""


class RuleOfThumb:
    """A player of simple rules of thumb, always the same: a partner for a plain install. In a race it counts."""

    def play(self, position: Position, state: MatchState, roll: Roll, rules: MovementRules) -> Position:
        """See `Mind`."""
        ends, _ = results(position, state.on_roll, roll, rules)
        ranked = sorted((Position(code) for code in ends), key=Position.compact)
        return max(ranked, key=lambda end: worth(end, state.on_roll, rules))

    def doubles(self, position: Position, state: MatchState) -> bool:
        """See `Mind`."""
        side = state.on_roll
        if stage_of(position, side) is GameStage.RACE:
            return race_doubles(
                position, side, owns_cube=state.owner is side, gammons=not state.jacoby or state.owner is side
            )
        return doubles(position, side)

    def takes(self, position: Position, state: MatchState) -> bool:
        """See `Mind`."""
        side = state.on_roll.opponent
        return (
            race_takes(position, side)
            if stage_of(position, side) is GameStage.RACE
            else takes(position, side)
        )

    def close(self) -> None:
        """Nothing runs."""


@dataclass(slots=True)
class EngineMind:
    """An engine that is installed; where it cannot be asked a player of rules of thumb decides.

    Attributes:
        engine: which.
        plies: how far it looks ahead.
        noise: chance in its choice of a play and in its decisions about the cube, in points of equity (standard
            deviation).
        rng: where that comes from.
    """

    engine: EngineName = "auto"
    plies: int = 0
    noise: float = 0.0
    rng: random.Random = field(default_factory=random.Random)
    _kept: KeptGnubg | None = None
    _else: Mind = field(default_factory=RuleOfThumb)

    def play(self, position: Position, state: MatchState, roll: Roll, rules: MovementRules) -> Position:
        """See `Mind`."""
        if rules == STANDARD:
            try:
                return self._advised(position, replace(state, roll=roll))
            except (EngineError, IdError) as error:
                _LOGGER.info("No engine plays: %s", error)
        return self._else.play(position, state, roll, rules)

    def doubles(self, position: Position, state: MatchState) -> bool:
        """See `Mind`."""
        found = self._cube(position, state)
        if found is None:
            return self._else.doubles(position, state)
        return min(found.taken, found.passed) + self._chance() > found.no_double

    def takes(self, position: Position, state: MatchState) -> bool:
        """See `Mind`."""
        found = self._cube(position, state)
        if found is None:
            return self._else.takes(position, state)
        return found.taken + self._chance() <= found.passed

    def close(self) -> None:
        """See `Mind`."""
        if self._kept is not None:
            self._kept.close()

    def _advised(self, position: Position, state: MatchState) -> Position:
        plays = advise(position, state, self.engine, self.plies, self._gnubg()).plays
        return max(plays, key=lambda each: each.equity + self._chance()).after

    def _chance(self) -> float:
        return self.rng.gauss(0, self.noise)

    def _cube(self, position: Position, state: MatchState) -> CubeEquities | None:
        """What an engine says of a double; None where none can be asked."""
        try:
            return advise_cube(position, state, self.engine, self.plies, self._gnubg())
        except (EngineError, IdError) as error:
            _LOGGER.info("No engine decides about the cube: %s", error)
            return None

    def _gnubg(self) -> KeptGnubg:
        if self._kept is None:
            self._kept = KeptGnubg()
        return self._kept


def best_double(mind: Mind, position: Position, state: MatchState, rules: MovementRules) -> int:
    """The number of the double that a side names, in games in which it may."""
    side = state.on_roll
    ends = {number: mind.play(position, state, Roll.from_dice(number, number), rules) for number in NUMBERS}
    return max(ends, key=lambda number: worth(ends[number], side, rules))
