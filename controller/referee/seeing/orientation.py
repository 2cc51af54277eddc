"""The other ways round in which the checkers of a new game may be set up, or the board laid."""

from collections.abc import Iterator

from controller.referee.actions import Message
from controller.rules import Position

HALF = 12
"""So many points further on a point lies that was turned by half a turn with its board."""


def other_ways_round(position: Position) -> Iterator[tuple[Message, Position]]:
    """Each way in which a position lies differently on the board though everything is as it should be but for that.

    Nothing for ways that change nothing.
    """
    points = position.points
    ways = {
        Message.BOARD_TURNED: (*points[HALF:], *points[:HALF]),
        Message.HOMES_MIRRORED: (*reversed(points[:HALF]), *reversed(points[HALF:])),
        Message.COLOURS_EXCHANGED: tuple(-count for count in points),
    }
    for message, counts in ways.items():
        if counts != points:
            yield message, Position.from_counts(counts)
