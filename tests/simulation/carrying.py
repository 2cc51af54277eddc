"""What one carried checker makes of a position."""

from controller.rules import Position, Side
from controller.simulation.players.carrying import Carry


def after_carry(position: Position, carry: Carry) -> Position:
    sign, points = (1 if carry.colour == "light" else -1), list(position.points)
    for place, change in ((carry.start, -sign), (carry.end, sign)):
        if isinstance(place, int):
            points[place - 1] += change
    return Position.seen(points, position.bar(Side.LIGHT), position.bar(Side.DARK))
