"""What players do that is no part of their own play."""

from enum import StrEnum


class Misdeed(StrEnum):
    """Whose hand it is matters: each says who does it, and when."""

    MOVES_BEFORE_ROLL = "moves_before_roll"
    """Moves a checker of his own while the opponent is about to roll, with the hand over the board until then."""
    MOVES_IN_TURN = "moves_in_turn"
    """Moves a checker of his own while the opponent plays a roll."""
    MOVES_IN_PAUSE = "moves_in_pause"
    """Stops the match before the opponent rolls, moves a checker of his own, and has it go on."""
    PUSHES = "pushes"
    """Pushes a checker of his own on to the point beside it, seen in one picture before the opponent rolls."""
    HIDES = "hides"
    """Plays illegally and keeps his hand over the points concerned while he ends his turn and the opponent rolls."""
    ROLLS_AGAIN = "rolls_again"
    """Throws electronic dice that no lock holds once more, because the roll displeases him."""
    TURNS_CUBE = "turns_cube"
    """Lays the cube on his own side, turned to twice its value, although nobody doubled and he took."""
    PRESSES_CLOCK = "presses_clock"
    """Presses the opponent's clock button before the opponent moved anything."""
    LETS_OWN_STAND = "lets_own_stand"
    """Presses the button with which the opponent lets an illegal play stand, after one of his own."""
    DOES_NOT_ROLL = "does_not_roll"
    """Closed out, has the opponent roll without having rolled or passed himself: rules for clocks allow it."""


OUT_OF_TURN = frozenset(
    {Misdeed.MOVES_BEFORE_ROLL, Misdeed.MOVES_IN_TURN, Misdeed.MOVES_IN_PAUSE, Misdeed.PUSHES}
)
"""With these a checker is moved by a side that is not on turn."""
