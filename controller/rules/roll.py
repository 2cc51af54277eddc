"""A roll of two dice."""

from dataclasses import dataclass
from typing import Self

from controller.errors import UserError


class RollError(UserError):
    """A number that no die shows."""


@dataclass(frozen=True, slots=True)
class Roll:
    """Two dice, the larger first whatever the order they are given in.

    Raises:
        RollError: if a die is not a whole number from 1 to 6.
    """

    high: int
    low: int

    def __post_init__(self) -> None:
        """Check the numbers and put the larger first."""
        for die in (self.high, self.low):
            if type(die) is not int or not 1 <= die <= 6:
                raise RollError(f"A die shows {die!r}, but must show a number from 1 to 6.")
        if self.low > self.high:
            larger = self.low
            object.__setattr__(self, "low", self.high)
            object.__setattr__(self, "high", larger)

    @classmethod
    def of(cls, first: int, second: int) -> Self:
        """The roll of two dice in any order."""
        return cls(first, second)

    @property
    def dice(self) -> tuple[int, int]:
        """The two numbers, the larger first."""
        return (self.high, self.low)

    @property
    def is_double(self) -> bool:
        """Whether both dice show the same number (which is then played four times)."""
        return self.high == self.low

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers to play: two, or four for a double."""
        return (self.high,) * 4 if self.high == self.low else (self.high, self.low)

    def __str__(self) -> str:
        """Such as `6-1`, the larger number first."""
        return f"{self.high}-{self.low}"
