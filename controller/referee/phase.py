"""What the table waits for."""

from enum import StrEnum


class Phase(StrEnum):
    """The states of the referee; hardware_docs/referee.md has the table of what each event does in each."""

    SET_UP = "set_up"
    """The checkers are to be laid out: at the start of a game, or to rebuild a position."""
    OPENING_ROLL = "opening_roll"
    """One die each is to be rolled."""
    TO_ROLL = "to_roll"
    """The side on turn may double, or roll. The turn before can still be corrected until it does."""
    MOVING = "moving"
    """A roll is being played; checkers may be tried and taken back until the turn ends."""
    TURN_ENDED = "turn_ended"
    """The turn is over, but the board was not yet seen well enough to judge it."""
    PUT_RIGHT = "put_right"
    """An illegal play stands on the board and is to be corrected, or the opponent is to choose."""
    CUBE_OFFERED = "cube_offered"
    """A double, beaver or raccoon is to be answered."""
    RESIGNATION_OFFERED = "resignation_offered"
    """A resignation is to be answered."""
    DISPUTE = "dispute"
    """The players called for a ruling; nothing is judged until there is one."""
    PAUSED = "paused"
    """The clock stands and nothing is judged."""
    GAME_OVER = "game_over"
    """A game is won; the checkers are to be set up for the next one."""
    MATCH_OVER = "match_over"
    """The match, or the session, is over."""
