"""From one position to another, checker by checker: what a hand has to carry where."""

from collections.abc import Iterable
from dataclasses import dataclass

from controller.rules.notation import BAR, OFF, Play
from controller.rules.position import Position, Side
from controller.simulation.boards.arranging import colour_of
from controller.simulation.boards.scene import Place
from controller.vision.geometry import Colour


@dataclass(frozen=True, slots=True)
class Carry:
    """One checker, from where to where."""

    colour: Colour
    start: Place
    end: Place


def place_of(number: int, side: Side) -> Place:
    """A place of notation, from the mover's own side, as a place on the table."""
    if number == BAR:
        return "bar"
    if number == OFF:
        return "off"
    return number if side is Side.LIGHT else 25 - number


def carries_of(play: Play, side: Side) -> list[Carry]:
    """A play as players make it: a hit checker goes to the bar before the one that hits lands."""
    found: list[Carry] = []
    for move in play:
        start, end = place_of(move.source, side), place_of(move.target, side)
        if move.hit:
            found.append(Carry(colour_of(side.opponent), end, "bar"))
        found.append(Carry(colour_of(side), start, end))
    return found


def carries_between(before: Position, after: Position) -> list[Carry]:
    """Some way from one position to another, in an order in which nothing lands on the other side's checkers."""
    waiting: list[Carry] = []
    for side in Side:
        fewer, more = _changes(before, after, side)
        waiting += [Carry(colour_of(side), start, end) for start, end in zip(fewer, more, strict=True)]
    held = {point: before.points[point - 1] for point in range(1, 25)}
    ordered: list[Carry] = []
    while waiting:
        carry = next((one for one in waiting if _lands_well(one, held)), waiting[0])
        waiting.remove(carry)
        ordered.append(carry)
        sign = 1 if carry.colour == "light" else -1
        for place, change in ((carry.start, -sign), (carry.end, sign)):
            if isinstance(place, int):
                held[place] += change
    return ordered


def _lands_well(carry: Carry, held: dict[int, int]) -> bool:
    if not isinstance(carry.end, int):
        return True
    return held[carry.end] >= 0 if carry.colour == "light" else held[carry.end] <= 0


def _changes(before: Position, after: Position, side: Side) -> tuple[list[Place], list[Place]]:
    """Where a side has fewer checkers afterwards, and where more, each place as often as checkers differ."""
    fewer: list[Place] = []
    more: list[Place] = []
    places: list[tuple[Place, int, int]] = [
        ("bar", before.bar(side), after.bar(side)),
        *((point, before.checkers(side, point), after.checkers(side, point)) for point in range(1, 25)),
        ("off", before.off(side), after.off(side)),
    ]
    for place, old, new in places:
        fewer += [place] * max(0, old - new)
        more += [place] * max(0, new - old)
    return fewer, more


def undo_carries(carries: Iterable[Carry]) -> list[Carry]:
    """The same checkers the way they came, the last one first."""
    return [Carry(one.colour, one.end, one.start) for one in reversed(list(carries))]


def after_carry(position: Position, carry: Carry) -> Position:
    """The position after one checker went from one point to another."""
    points = list(position.points)
    sign = 1 if carry.colour == "light" else -1
    for place, change in ((carry.start, -sign), (carry.end, sign)):
        if isinstance(place, int):
            points[place - 1] += change
    return Position.seen(points, position.bar(Side.LIGHT), position.bar(Side.DARK))
