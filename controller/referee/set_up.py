"""The checkers set up anew: after a game that was won, or in the middle of one that was given up."""

from typing import Final

from controller.referee.state import State
from controller.rules.position import START, Position

FITS: Final = 7.0
"""The board shows the start position when nothing speaks against it by more than this."""
READINGS: Final = 2
GIVEN_UP_AFTER: Final = 6
"""So many points must lie otherwise before a game is taken for given up: early on, a play that is taken back looks
the same."""


def set_up_anew(state: State) -> bool:
    """Whether the board at rest shows the start position, where the game that is known has long left it."""
    if not state.rests or state.rests[-1].readings < READINGS or state.rests[-1].covered:
        return False
    if not state.over and not _far_from_start(state):
        return False
    return float(state.rests[-1].lies.scores([START])[0]) > -FITS


def _far_from_start(state: State) -> bool:
    return all(_places_apart(track.position) >= GIVEN_UP_AFTER for track in state.tracks)


def _places_apart(position: Position) -> int:
    return sum(one != other for one, other in zip(position.points, START.points, strict=True))
