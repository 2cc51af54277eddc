"""How a game ended."""

from dataclasses import dataclass
from enum import StrEnum

from controller.rules.position import Side
from controller.rules.scoring import GameValue, Loss


class Ending(StrEnum):
    """What ended a game."""

    PLAYED = "played"
    DROPPED = "dropped"
    RESIGNED = "resigned"
    AWARDED = "awarded"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game: ``winner`` gets ``points``.

    ``value`` is there for a game played out and for a resignation by level, ``loss`` only for a game
    played out, ``cube`` (the value before the refused offer) only for a drop.
    """

    winner: Side
    points: int
    ending: Ending
    value: GameValue | None = None
    loss: Loss | None = None
    cube: int | None = None

    @property
    def working(self) -> str:
        """How the points come about, as players say it."""
        if self.value is not None:
            return self.value.working
        if self.cube is None:
            return f"{self.ending.value} {self.points}"
        if self.cube == self.points:
            return f"drop, cube {self.cube} = {self.points}"
        return f"drop, single 1 + cube {self.points - 1} = {self.points}"
