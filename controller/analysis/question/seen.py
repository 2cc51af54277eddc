"""What a reading of the board is as a position to be asked about, and what stands against it; pure.

Nothing is put right here: a board on which a point is not certain, or on which a side has too many checkers, is no
position, and what is told are the points to look at.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.rules import Position, Roll, Side
from controller.rules.position import CHECKERS
from controller.vision import Reading
from controller.vision.reading import DieSeen

SURE: Final = 0.98
"""From here on bar, trays and cube are taken as read; the reader calls a point unsure below the same."""
SURE_DICE: Final = 0.95
"""From here on a die is taken as read: in 60 pictures of the filmed game of the tests two rolls were read wrongly,
with 0.92 and 0.94."""
DICE: Final = 2


class BoardFault(StrEnum):
    """Why what was seen is no position."""

    UNREAD = "unread"
    """Nothing could be read; the reading says why."""
    COVERED = "covered"
    """A hand or a cup hides something."""
    UNSURE = "unsure"
    """What lies on some points is not certain."""
    UNSURE_BAR = "unsure_bar"
    """What lies on the bar is not certain."""
    UNSURE_OFF = "unsure_off"
    """The tray does not show what is missing on the board."""
    TOO_MANY = "too_many"
    """More than fifteen checkers of a side seem to lie there."""
    OVER = "over"
    """A side has no checkers left to play."""


@dataclass(frozen=True, slots=True)
class BoardDoubt:
    """One thing that stands against a position.

    Attributes:
        fault: what it is.
        side: whose checkers; None where that does not matter.
        places: points in light's numbering, each with the signed count that it shows.
        count: checkers of the side on points and bar; 0 where that does not matter.
    """

    fault: BoardFault
    side: Side | None = None
    places: tuple[tuple[int, int], ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class SeenBoard:
    """What lies on the board.

    Attributes:
        position: how the checkers lie; None where something stands against it.
        doubts: what stands against it.
        roll: the dice that lie there; None unless two of them are certain.
        guess: the same with dice that are not certain, to be confirmed by people; None unless two are seen.
        side: whose dice they are, where their colour tells.
        cube: the value of the cube, 1 where none was seen for certain.
        owner: who may turn it; None in the middle.
    """

    position: Position | None
    doubts: tuple[BoardDoubt, ...] = ()
    roll: Roll | None = None
    guess: Roll | None = None
    side: Side | None = None
    cube: int = 1
    owner: Side | None = None


def seen_board(reading: Reading) -> SeenBoard:
    """What a picture of the board shows."""
    if not reading.recognised:
        return SeenBoard(None, (BoardDoubt(BoardFault.UNREAD),))
    doubts = tuple(_doubts(reading))
    bar = reading.bar
    position = None if doubts else Position.seen(reading.points, bar.light or 0, bar.dark or 0)
    guess = _roll(reading.dice)
    sure = all(die.confidence >= SURE_DICE for die in reading.dice)
    value, owner = _cube(reading)
    return SeenBoard(
        position,
        doubts,
        guess if sure else None,
        guess,
        side=_thrower(reading.dice),
        cube=value,
        owner=owner,
    )


def _roll(dice: Sequence[DieSeen]) -> Roll | None:
    if len(dice) != DICE or any(die.cocked for die in dice):
        return None
    return Roll.from_dice(*(die.value for die in dice))


def _thrower(dice: Sequence[DieSeen]) -> Side | None:
    """Whose dice lie there, where all of them are of one kind."""
    owners = {die.owner for die in dice}
    owner = owners.pop() if len(owners) == 1 else None
    return None if owner is None else Side(owner)


def _doubts(reading: Reading) -> Iterator[BoardDoubt]:
    if reading.hand:
        # What else looks doubtful may be what is hidden: it can be told once nothing is.
        yield BoardDoubt(BoardFault.COVERED)
        return
    bar = {Side.LIGHT: reading.bar.light, Side.DARK: reading.bar.dark}
    shown = tuple(_shown(reading, point) for point in range(1, 25))
    of_sides = [doubt for side in Side for doubt in _of_side(reading, shown, side, bar[side] or 0)]
    unsure = sorted(
        reading.unsure | {point for point in range(1, 25) if shown[point - 1] != reading.points[point - 1]}
    )
    # One checker too many makes many points unsure: then it is the checkers that are to be counted.
    if unsure and all(doubt.fault is not BoardFault.TOO_MANY for doubt in of_sides):
        yield BoardDoubt(BoardFault.UNSURE, places=_places(shown, unsure))
    if None in bar.values() or reading.bar_confidence < SURE:
        yield BoardDoubt(BoardFault.UNSURE_BAR)
    yield from of_sides


def _shown(reading: Reading, point: int) -> int:
    """The signed count that a point shows by itself, whatever the fifteen of a side would make of it."""
    found = reading.likelihoods[point - 1]
    return max(found, key=lambda count: found[count]) if found else reading.points[point - 1]


def _of_side(reading: Reading, shown: Sequence[int], side: Side, on_bar: int) -> Iterator[BoardDoubt]:
    """What stands against the checkers of a side as a whole."""
    sign, place = (1, 0) if side is Side.LIGHT else (-1, 1)
    held = [point for point in range(1, 25) if sign * shown[point - 1] > 0]
    count = on_bar + sum(abs(shown[point - 1]) for point in held)
    if count > CHECKERS:
        yield BoardDoubt(BoardFault.TOO_MANY, side, _places(shown, held), count)
    elif count == 0:
        yield BoardDoubt(BoardFault.OVER, side)
    elif not reading.assumed_off and reading.off_confidence[place] < SURE:
        yield BoardDoubt(BoardFault.UNSURE_OFF, side, count=count)


def _places(shown: Sequence[int], points: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple((point, shown[point - 1]) for point in points)


def _cube(reading: Reading) -> tuple[int, Side | None]:
    cube = reading.cube
    if cube is None or cube.confidence < SURE:
        return 1, None
    return cube.value, None if cube.owner == "center" else Side(cube.owner)
