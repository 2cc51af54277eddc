"""How tests make a chip, of whichever kind."""

from typing import Protocol

from controller.simulation.electronics.microcontroller import Microcontroller


class Make(Protocol):
    """Makes a chip: the real firmware in its simulator, or the program that stands in for it."""

    def __call__(self, *, noise_seed: int = 1) -> Microcontroller:
        """A chip that was just given its power."""
