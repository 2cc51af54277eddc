"""What one carried checker makes of a position."""

from controller.rules import Position, Side
from controller.simulation.players.player import Carry, points_after


def after_carry(position: Position, carry: Carry) -> Position:
    points = points_after(list(position.points), carry)
    return Position.seen(points, position.bar(Side.LIGHT), position.bar(Side.DARK))
