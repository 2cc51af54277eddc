"""How players behave at the table, and what they do that is no part of their own play."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.simulation.players.cheating import BEAR_OFFS, WRONGS, Wrong


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
class Temperament:
    """Shares (0 to 1) of the turns in which a player does this or that.

    Attributes:
        name: for people.
        speed: of the hand, mm per second.
        think_s: from the roll to the hand, on average.
        tries: tries a play, takes it back and makes another.
        hesitates: takes the hand away in the middle of a play.
        rests: lets a hand lie over the board before playing.
        fumbles: drops a checker on the way and picks it up again.
        brushes: touches checkers that have no part in the play.
        early: is so quick that the clock is pressed while the hand is still leaving.
        careless: leaves checkers between two places.
        doubles: offers a double where the rule of thumb would.
        resigns: gives a lost game up.
        wrongs: what it does wrong in a play, when it cheats.
        misdeeds: what else it does; how often is agreed for the table.
    """

    name: str
    speed: float = 700.0
    think_s: float = 1.2
    tries: float = 0.0
    hesitates: float = 0.0
    rests: float = 0.0
    fumbles: float = 0.0
    brushes: float = 0.0
    early: float = 0.0
    careless: float = 0.0
    doubles: float = 0.8
    resigns: float = 0.5
    wrongs: tuple[Wrong, ...] = WRONGS
    misdeeds: tuple[Misdeed, ...] = ()


FAST: Final = Temperament("fast", speed=1100.0, think_s=0.4, early=0.3)
CAREFUL: Final = Temperament("careful", speed=500.0, think_s=2.0, rests=0.1)
FUMBLING: Final = Temperament("fumbling", speed=600.0, fumbles=0.2, brushes=0.3, careless=0.2)
WAVERING: Final = Temperament("wavering", think_s=1.6, tries=0.3, hesitates=0.25, rests=0.2)
TEMPERAMENTS: Final = (FAST, CAREFUL, FUMBLING, WAVERING)
"""Those who keep to the table's order, though not always to the rules of a play."""


RESTLESS: Final = Temperament(
    "restless",
    speed=900.0,
    misdeeds=(Misdeed.MOVES_BEFORE_ROLL, Misdeed.MOVES_IN_TURN, Misdeed.MOVES_IN_PAUSE),
)
SLY: Final = Temperament("sly", speed=600.0, misdeeds=(Misdeed.PUSHES, Misdeed.HIDES))
GREEDY: Final = Temperament(
    "greedy",
    doubles=0.0,
    resigns=0.0,
    wrongs=BEAR_OFFS,
    misdeeds=(Misdeed.ROLLS_AGAIN, Misdeed.TURNS_DIE),
)
MEDDLING: Final = Temperament(
    "meddling",
    misdeeds=(
        Misdeed.TURNS_CUBE,
        Misdeed.DOUBLES_LATE,
        Misdeed.PRESSES_CLOCK,
        Misdeed.LETS_OWN_STAND,
    ),
)
IDLE: Final = Temperament("idle", think_s=2.0, misdeeds=(Misdeed.DOES_NOT_ROLL,))
ROGUES: Final = (RESTLESS, SLY, GREEDY, MEDDLING, IDLE)
"""Those who do what is no part of their own play."""
