"""What a hand does, step by step. Times are seconds, lengths millimetres in the board's frame."""

from dataclasses import dataclass

from controller.rules import Position
from controller.simulation.boards.scene import CheckerPlace
from controller.vision import Colour, Owner


@dataclass(frozen=True, slots=True)
class Pick:
    """Take a checker of this colour from its place; nothing is taken where there is none."""

    place: CheckerPlace
    colour: Colour


@dataclass(frozen=True, slots=True)
class Put:
    """Put down what is held; ``carelessly`` lets it land on the edge between two points' rows."""

    place: CheckerPlace
    carelessly: bool = False


@dataclass(frozen=True, slots=True)
class Fumble:
    """Drop what is held on the way, and pick it up again."""


@dataclass(frozen=True, slots=True)
class Brush:
    """Touch the nearest checker of a place and push it a little, without taking it."""

    place: CheckerPlace
    by_mm: float


@dataclass(frozen=True, slots=True)
class Hover:
    """Hold still over a place (or where the hand is)."""

    seconds: float
    over: CheckerPlace | None = None


@dataclass(frozen=True, slots=True)
class MoveAway:
    """Out of the picture, and stay there for a while."""

    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ThrowDice:
    """Throw this side's dice onto the board."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LiftDice:
    """Take all dice off the board."""


@dataclass(frozen=True, slots=True)
class TurnDie:
    """Turn the first die on the board over to another number."""

    value: int


@dataclass(frozen=True, slots=True)
class TurnCube:
    """Turn the cube to a value and lay it with its owner (or in the middle, as a double is offered)."""

    value: int
    owner: Owner


@dataclass(frozen=True, slots=True)
class LayOut:
    """Set all checkers up for ``position``, with the cube in the middle; takes a few seconds."""

    position: Position


Gesture = Pick | Put | Fumble | Brush | Hover | MoveAway | ThrowDice | LiftDice | TurnDie | TurnCube | LayOut
