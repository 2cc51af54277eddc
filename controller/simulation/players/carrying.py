"""From one position to another, checker by checker: what a hand has to carry where."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from controller.rules import Play, Position, Side
from controller.rules.notation import BAR, OFF
from controller.simulation.boards.arranging import colour_of
from controller.simulation.boards.scene import CheckerPlace
from controller.vision import Colour


@dataclass(frozen=True, slots=True)
class Carry:
    """One checker, from where to where."""

    colour: Colour
    start: CheckerPlace
    end: CheckerPlace


def place_of(number: int, side: Side) -> CheckerPlace:
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
        old, new = _checkers(before, side), _checkers(after, side)
        ways = zip((old - new).elements(), (new - old).elements(), strict=True)
        waiting += [Carry(colour_of(side), start, end) for start, end in ways]
    points = list(before.points)
    ordered: list[Carry] = []
    while waiting:
        carry = next((one for one in waiting if _lands_well(one, points)), waiting[0])
        waiting.remove(carry)
        ordered.append(carry)
        points = points_after(points, carry)
    return ordered


def _lands_well(carry: Carry, points: list[int]) -> bool:
    return not isinstance(carry.end, int) or can_land(carry.colour, points[carry.end - 1])


def can_land(colour: Colour, count: int) -> bool:
    """Whether a checker can be put on a point of this signed count without landing on the other side's."""
    return count >= 0 if colour == "light" else count <= 0


def _checkers(position: Position, side: Side) -> Counter[CheckerPlace]:
    held: Counter[CheckerPlace] = Counter({"bar": position.bar(side)})
    held.update({point: position.checkers(side, point) for point in range(1, 25)})
    held["off"] = position.off(side)
    return held


def points_after(points: list[int], carry: Carry) -> list[int]:
    """The signed counts of the points after one checker was carried."""
    sign, changed = (1 if carry.colour == "light" else -1), points.copy()
    for place, change in ((carry.start, -sign), (carry.end, sign)):
        if isinstance(place, int):
            changed[place - 1] += change
    return changed


def undo_carries(carries: Iterable[Carry]) -> list[Carry]:
    """The same checkers the way they came, the last one first."""
    return [Carry(one.colour, one.end, one.start) for one in reversed(list(carries))]
