"""Players of measurements: they throw dice by hand, hide what they do, and have accidents."""

from dataclasses import dataclass
from typing import Final

from controller.rules.moves.plays import results
from controller.rules.position import Position, PositionError, Roll, Side
from controller.simulation.players.carrying import Carry
from controller.simulation.players.player import Deed, Intent, Player, Wait, choose
from controller.simulation.tabletop.gestures import Hover, LiftDice, MoveAway, Pick, Put, ThrowDice
from tests.demo.accidents import LIES_S, Accident, TwoGoes, drop, try_in_vain

HELD_S: Final = 1.2
"""How long the last checker stays in the hand while the opponent rolls."""
HIDES_S: Final = 4.0
"""How long a hand lies over what it did."""


@dataclass(frozen=True, slots=True)
class MeasuredIntent(Intent):
    """A turn as its player means it, with whether a hand is to hide it, and what befalls an honest one."""

    hidden: bool = False
    accident: Accident | None = None


def befallen(intent: Intent, accident: Accident) -> MeasuredIntent:
    """The same turn, with what befalls it."""
    return MeasuredIntent(intent.before, intent.after, intent.roll, intent.cheat, accident=accident)


def hidden(intent: Intent) -> MeasuredIntent:
    """The same turn, under a hand."""
    return MeasuredIntent(intent.before, intent.after, intent.roll, intent.cheat, hidden=True)


@dataclass
class MeasuredPlayer(Player):
    """One side's player.

    Attributes:
        throws: whether it throws dice onto the board; else a button throws electronic ones.
    """

    throws: bool = False

    def roll(self) -> list[Deed]:
        """Throw the dice; of those on the board the values are drawn here."""
        return [Wait(self._seconds(0.5)), *self.throw()] if self.throws else super().roll()

    def throw(self) -> list[Deed]:
        """Throw dice onto the board; their numbers are drawn here."""
        values = tuple(int(value) for value in self.rng.integers(1, 7, 2))
        return [ThrowDice(values), MoveAway()]

    def intend_in_either(self, known: Position, lies: Position, roll: Roll) -> Intent | None:
        """A play that is legal from how the board lies, and would be from how it is known to have lain.

        None where there is none: then what was moved between the two is in the way of every play.
        """
        ends, _ = results(known, self.side, roll, self.rules)
        really, _ = results(lies, self.side, roll, self.rules)
        fitting = [
            Position(code)
            for code in really
            if (end := _shift(Position(code), lies, known)) is not None and end.code in ends
        ]
        if not fitting:
            return None
        return Intent(lies, choose(fitting, self.side, self.rng, rules=self.rules), roll)

    def play(self, intent: Intent) -> list[Deed]:
        """Everything from the roll to the end of the turn, with what befalls it."""
        if not isinstance(intent, MeasuredIntent):
            return super().play(intent)
        if intent.hidden:
            return self.play_hidden(intent, HIDES_S)
        carries = self._carries(intent)
        deeds = self._think(intent, carries)
        if intent.accident is Accident.TRIED:
            deeds += self._with_a_look(
                try_in_vain(intent.before, self.side, intent.roll.numbers, self.rng, self.rules)
            )
        for number, carry in enumerate(carries):
            if number and self._does(self.temperament.hesitates):
                deeds += [MoveAway(1.5)]
            deeds += self._carry_in(intent, carry, first=not number, last=number == len(carries) - 1)
        if carries and self._does(self.temperament.brushes):
            deeds += self._brush(intent.after)
        if intent.accident is Accident.HURRIED and carries:
            # The dice on the board are the opponent's by now.
            return [*deeds, MoveAway()]
        return deeds + self._over(bool(carries))

    def play_hidden(self, intent: Intent, seconds: float) -> list[Deed]:
        """An illegal play, with a hand left over it for a while as the turn is ended."""
        points = () if intent.cheat is None else intent.cheat.points
        deeds = [Wait(self._seconds(self.temperament.think_s)), *self._carry_all(self._carries(intent))]
        over = Hover(0.3, points[0] if points else None)
        return [*deeds, over, *self._press_done(), Hover(seconds), MoveAway()]

    def _carry_in(self, intent: MeasuredIntent, carry: Carry, *, first: bool, last: bool) -> list[Deed]:
        """One checker of a play, with what befalls it."""
        if intent.accident is Accident.DROPPED and first:
            dropped = drop(carry, intent.before, intent.after, self.rng)
            if dropped is not None:
                return self._with_a_look(dropped)
        if intent.accident is Accident.HURRIED and last:
            return [Pick(carry.start, carry.colour), Hover(HELD_S), Put(carry.end)]
        return [*self._carry(carry)]

    def _with_a_look(self, goes: TwoGoes | None) -> list[Deed]:
        """Two goes of the hand, with a time between them in which it is away."""
        if goes is None:
            return []
        first, second = goes
        return [*first, Wait(float(self.rng.uniform(*LIES_S))), *second]

    def _over(self, hand_is_there: bool) -> list[Deed]:
        if self.throws:
            return [*([MoveAway(1.0)] if hand_is_there else []), LiftDice(), MoveAway()]
        return super()._over(hand_is_there)


def measured(player: Player) -> MeasuredPlayer:
    """A player who is one of these."""
    assert isinstance(player, MeasuredPlayer)
    return player


def _shift(position: Position, start: Position, end: Position) -> Position | None:
    """The position, changed as ``start`` differs from ``end``; None where that cannot be, or something is hidden."""
    if any(one.open_board() != one for one in (position, start, end)):
        return None
    points = [
        at + there - here for at, here, there in zip(position.points, start.points, end.points, strict=True)
    ]
    bars = [position.bar(side) + end.bar(side) - start.bar(side) for side in Side]
    try:
        return Position.from_counts(points, *bars)
    except PositionError:
        return None
