"""What the referee is told. Times are seconds on one clock that never runs backwards."""

from dataclasses import dataclass

from controller.rules.roll import Roll
from controller.vision.reading import Reading


@dataclass(frozen=True)
class FrameSeen:
    """A picture was taken at ``t`` and read; ``frame`` is its number in the film."""

    t: float
    frame: int
    reading: Reading


@dataclass(frozen=True)
class FrameMoving:
    """A picture was taken at ``t`` in which something moves: it was not read."""

    t: float
    frame: int


@dataclass(frozen=True)
class FrameLost:
    """A picture could not be had or not be decoded; ``why`` is for people."""

    t: float
    frame: int
    name: str
    why: str


@dataclass(frozen=True)
class Rolled:
    """An electronic dice set reported a roll, in its order: at the opening light's die comes first.

    ``cocked`` tells that a die leans: the roll is void.
    """

    t: float
    dice: tuple[int, int]
    cocked: bool = False

    @property
    def roll(self) -> Roll:
        """The roll without its order."""
        return Roll.of(*self.dice)


@dataclass(frozen=True)
class Ended:
    """The film or the session is over; ``t`` is the time of the last picture."""

    t: float


Event = FrameSeen | FrameMoving | FrameLost | Rolled | Ended
