"""What goes wrong at a table although nobody does wrong, and is nobody's fault in the rules."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import numpy as np

from controller.rules import Position, Side
from controller.rules.moves.movement import STANDARD, MovementRules
from controller.rules.position import Direction
from controller.simulation.boards.arranging import colour_of
from controller.simulation.boards.scene import CheckerPlace
from controller.simulation.players.carrying import Carry
from controller.simulation.tabletop.gestures import Gesture, MoveAway, Pick, Put
from controller.vision import Colour


class Accident(StrEnum):
    """Each may befall an honest player's turn."""

    BUMPED = "board_bumped"
    """Before the roll somebody knocks against the board: a checker of each side slips to the point beside its own."""
    DROPPED = "checker_dropped"
    """A checker falls on another point and lies there, with the hand away, before it is put where it belongs."""
    TRIED = "play_tried"
    """A checker is moved to where no number leads, looked at with the hand away, and put back before the play."""
    HURRIED = "opponent_rolls_early"
    """The opponent throws the dice while the player has the last checker of the play in hand."""


TwoGoes = tuple[list[Gesture], list[Gesture]]
"""What a hand does before a checker lies where it does not belong with no hand over the board, and afterwards."""
WITH_ANY_DICE: Final = (Accident.BUMPED, Accident.DROPPED, Accident.TRIED)
"""Electronic dice are locked until the play is finished, so nobody rolls them early."""
LIES_S: Final = (1.0, 3.0)
"""How long a checker lies where it does not belong with no hand over the board."""
FARTHEST: Final = 6


def slips_of(position: Position, rng: np.random.Generator) -> list[Carry]:
    """One checker of each side slips to the point beside its own, where none of the other side's lies."""
    slips: list[Carry] = []
    for side in Side:
        ways = [
            (point, beside)
            for point in range(1, 25)
            if position.checkers(side, point)
            for beside in (point - 1, point + 1)
            if 1 <= beside <= 24 and not position.checkers(side.opponent, beside)
            # What slipped already neither lands on that point nor leaves it.
            if not any({point, beside} & {slip.start, slip.end} for slip in slips)
        ]
        if ways:
            slips.append(Carry(colour_of(side), *ways[int(rng.integers(len(ways)))]))
    return slips


def drop(carry: Carry, before: Position, after: Position, rng: np.random.Generator) -> TwoGoes | None:
    """A checker on its way falls on a point near where it goes, and is put there; None where nothing is free."""
    if not isinstance(carry.end, int):
        return None
    side = Side.LIGHT if carry.colour == "light" else Side.DARK
    near = [
        point
        for point in range(carry.end - 3, carry.end + 4)
        if point not in (carry.start, carry.end) and _is_free(point, side, (before, after))
    ]
    if not near:
        return None
    astray = near[int(rng.integers(len(near)))]
    return _go(carry.colour, carry.start, astray), _go(carry.colour, astray, carry.end)


def try_in_vain(
    before: Position,
    side: Side,
    numbers: Sequence[int],
    rng: np.random.Generator,
    rules: MovementRules = STANDARD,
) -> TwoGoes | None:
    """One checker is moved by a distance that no numbers of the roll make up, and put back after a look at it."""
    sums = {sum(numbers[:count]) for count in range(1, len(numbers) + 1)} | set(numbers)
    forward = -1 if side is Side.LIGHT or rules.direction is Direction.PARALLEL else 1
    ways = [
        Carry(colour_of(side), point, point + forward * distance)
        for point in range(1, 25)
        if before.checkers(side, point)
        for distance in range(1, FARTHEST + 1)
        if distance not in sums and _is_free(point + forward * distance, side, (before,))
    ]
    if not ways or before.bar(side):
        return None
    carry = ways[int(rng.integers(len(ways)))]
    return _go(carry.colour, carry.start, carry.end), _go(carry.colour, carry.end, carry.start)


def _go(colour: Colour, start: CheckerPlace, end: CheckerPlace) -> list[Gesture]:
    return [Pick(start, colour), Put(end), MoveAway()]


def _is_free(point: int, side: Side, positions: Sequence[Position]) -> bool:
    """Whether a point is one on which nothing of the other side lies."""
    return 1 <= point <= 24 and not any(each.checkers(side.opponent, point) for each in positions)
