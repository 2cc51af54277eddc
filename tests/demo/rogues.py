"""Players who do what is no part of their own play."""

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final

from controller.simulation.players.cheating import BEAR_OFFS
from controller.simulation.players.temperament import Temperament


class Misdeed(StrEnum):
    """Whose hand it is matters: each says who does it, and when."""

    MOVES_BEFORE_ROLL = "moves_before_roll"
    """Moves a checker of their own while the opponent is about to roll, with the hand over the board until then."""
    MOVES_IN_TURN = "moves_in_turn"
    """Moves a checker of their own while the opponent plays a roll."""
    MOVES_IN_PAUSE = "moves_in_pause"
    """Stops the match before the opponent rolls, moves a checker of their own, and has it go on."""
    PUSHES = "pushes"
    """Pushes a checker of their own on to the point beside it, seen in one picture before the opponent rolls."""
    HIDES = "hides"
    """Plays illegally and keeps a hand over the points concerned until the turn is ended and the opponent rolls."""
    ROLLS_AGAIN = "rolls_again"
    """Throws once more, because they dislike the roll: dice on the board, or electronic ones that no lock holds."""
    TURNS_CUBE = "turns_cube"
    """Lays the cube on their own side, turned to twice its value, as after a take, although nobody doubled."""
    DOUBLES_LATE = "doubles_late"
    """Sees their own roll, and then lays the cube with the opponent, turned to twice its value."""
    TURNS_DIE = "turns_die"
    """Turns a die that they threw onto the board over to another number, and plays that."""
    PRESSES_CLOCK = "presses_clock"
    """Presses the opponent's clock button before the opponent moved anything."""
    LETS_OWN_STAND = "lets_own_stand"
    """Presses the button with which the opponent lets an illegal play stand, after one of their own."""
    DOES_NOT_ROLL = "does_not_roll"
    """Closed out, has the opponent roll without having rolled or passed: rules for clocks allow it."""


OUT_OF_TURN = frozenset(
    {Misdeed.MOVES_BEFORE_ROLL, Misdeed.MOVES_IN_TURN, Misdeed.MOVES_IN_PAUSE, Misdeed.PUSHES}
)
"""With these a checker is moved by a side that is not on turn."""


@dataclass(frozen=True, slots=True)
class Rogue(Temperament):
    """A temperament, and what else it does; how often is agreed for the table."""

    misdeeds: tuple[Misdeed, ...] = ()


def rogue(who: Temperament, *misdeeds: Misdeed) -> Rogue:
    """A player who does these things beside their plays, and is otherwise like ``who``."""
    return Rogue(**{each.name: getattr(who, each.name) for each in fields(Temperament)}, misdeeds=misdeeds)


def misdeeds_of(who: Temperament) -> tuple[Misdeed, ...]:
    """What a player does beside their own plays."""
    return who.misdeeds if isinstance(who, Rogue) else ()


RESTLESS: Final = Rogue(
    "restless",
    speed=900.0,
    misdeeds=(Misdeed.MOVES_BEFORE_ROLL, Misdeed.MOVES_IN_TURN, Misdeed.MOVES_IN_PAUSE),
)
SLY: Final = Rogue("sly", speed=600.0, misdeeds=(Misdeed.PUSHES, Misdeed.HIDES))
GREEDY: Final = Rogue(
    "greedy",
    doubles=0.0,
    resigns=0.0,
    wrongs=BEAR_OFFS,
    misdeeds=(Misdeed.ROLLS_AGAIN, Misdeed.TURNS_DIE),
)
MEDDLING: Final = Rogue(
    "meddling",
    misdeeds=(
        Misdeed.TURNS_CUBE,
        Misdeed.DOUBLES_LATE,
        Misdeed.PRESSES_CLOCK,
        Misdeed.LETS_OWN_STAND,
    ),
)
IDLE: Final = Rogue("idle", think_s=2.0, misdeeds=(Misdeed.DOES_NOT_ROLL,))
ROGUES: Final = (RESTLESS, SLY, GREEDY, MEDDLING, IDLE)
"""Those who do what is no part of their own play."""
