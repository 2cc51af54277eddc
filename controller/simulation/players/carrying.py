"""Checkers carried one by one: how a play, or any change of the board, is made by hands."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from controller.rules import Play, Position, Side
from controller.rules.notation import BAR, OFF
from controller.rules.position import Direction, side_point
from controller.simulation.boards.arranging import colour_of
from controller.simulation.boards.scene import CheckerPlace
from controller.vision import Colour


@dataclass(frozen=True, slots=True)
class Carry:
    """One checker, from where to where."""

    colour: Colour
    start: CheckerPlace
    end: CheckerPlace


def place_of(number: int, side: Side, direction: Direction = Direction.OPPOSED) -> CheckerPlace:
    """A place of notation, from the mover's own side, as a place on the table."""
    if number == BAR:
        return "bar"
    if number == OFF:
        return "off"
    return side_point(number, side, direction)


def carries_of(play: Play, before: Position, side: Side, direction: Direction) -> list[Carry]:
    """A play as players make it: a hit checker goes to the bar before the one that hits lands.

    Those on the bar enter first, then those that lie beside the board.
    """
    found: list[Carry] = []
    on_bar = before.bar(side)
    for move in play:
        start, end = (place_of(number, side, direction) for number in (move.source, move.target))
        if start == "bar":
            start, on_bar = ("bar" if on_bar > 0 else "beside"), on_bar - 1
        if move.hit:
            found.append(Carry(colour_of(side.opponent), end, "bar"))
        found.append(Carry(colour_of(side), start, end))
    return found


def carries_between(before: Position, after: Position) -> list[Carry]:
    """Some way from one position to another, in an order in which nothing lands on the other side's checkers.

    Where one is to lie under those of the other side these are laid on the bar meanwhile, and nothing is drawn from
    under others unless that is the only way.
    """
    waiting: list[Carry] = []
    for side in Side:
        old, new = _checkers(before, side), _checkers(after, side)
        ways = zip((old - new).elements(), (new - old).elements(), strict=True)
        waiting += [Carry(colour_of(side), start, end) for start, end in ways]
    lifted = [
        Carry(colour_of(side), point, "bar")
        for side in Side
        for point in after.pins(side.opponent)
        if point not in before.pins(side.opponent)
        for _ in range(min(before.checkers(side, point), after.checkers(side, point)))
    ]
    piles = _piles(before)
    for carry in lifted:
        _carry_over(piles, carry)
    ordered: list[Carry] = []
    while waiting:
        carry = next((one for one in waiting if _goes_well(one, piles, after)), waiting[0])
        waiting.remove(carry)
        ordered.append(carry)
        _carry_over(piles, carry)
    return [*lifted, *ordered, *undo_carries(lifted)]


def _piles(position: Position) -> dict[CheckerPlace, list[Colour]]:
    """The colours on each point, from below."""
    piles: dict[CheckerPlace, list[Colour]] = {}
    for point in range(1, 25):
        for side in Side:
            pile = [colour_of(side)] * position.checkers(side, point)
            if pile:
                under = [colour_of(side.opponent)] if point in position.pinned else []
                piles[point] = [*under, *pile]
    return piles


def _carry_over(piles: dict[CheckerPlace, list[Colour]], carry: Carry) -> None:
    for place, change in ((carry.start, list.remove), (carry.end, list.append)):
        if isinstance(place, int):
            change(piles.setdefault(place, []), carry.colour)


def _goes_well(carry: Carry, piles: Mapping[CheckerPlace, list[Colour]], after: Position) -> bool:
    """Whether a checker lies on top where it is taken, and lands on none of the other side that it does not pin."""
    start, end = piles.get(carry.start, []), piles.get(carry.end, [])
    if start and start[-1] != carry.colour:
        return False
    return not end or end[-1] == carry.colour or (len(end) == 1 and carry.end in after.pinned)


def can_land(colour: Colour, count: int) -> bool:
    """Whether a checker can be put on a point of this signed count without landing on the other side's."""
    return count >= 0 if colour == "light" else count <= 0


def _checkers(position: Position, side: Side) -> Counter[CheckerPlace]:
    held: Counter[CheckerPlace] = Counter({"bar": position.bar(side)})
    held.update({point: position.checkers(side, point) for point in range(1, 25)})
    held.update(dict.fromkeys(position.pins(side), 1))
    held["beside"], held["off"] = position.hand(side), position.off(side)
    return held


def undo_carries(carries: Iterable[Carry]) -> list[Carry]:
    """The same checkers the way they came, the last one first."""
    return [Carry(one.colour, one.end, one.start) for one in reversed(list(carries))]
