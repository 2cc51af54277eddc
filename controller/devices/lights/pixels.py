"""Which pixels of a string, strip or matrix lie under which place of the board: one or several each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from controller.devices.lights.frame import LightFrame, Place, Signal
from controller.devices.lights.order import KEYS, RUN, StripOrderError, key_of, place_of
from controller.devices.lights.palette import PALETTE
from controller.devices.link.messages import LampPicture

MOST_PIXELS: Final = 2048
"""More are under no board; it keeps a slip of the finger from making a table of millions."""


@dataclass(frozen=True, slots=True)
class PixelMap:
    """For each place its pixels, counted from 0; places that have none are left out."""

    pixels: Mapping[Place, tuple[int, ...]]

    @classmethod
    def along(cls, each: int = 1) -> Self:
        """As the drawing of the strip has it, once around the board, with so many pixels under each place."""
        return cls({place: tuple(range(at * each, (at + 1) * each)) for at, place in enumerate(RUN)})

    @classmethod
    def of_table(cls, table: Mapping[str, int | Sequence[int]], name: str) -> Self:
        """From the `[lights]` table of a board file called `name`: for each place a number, or a list of them.

        Raises:
            StripOrderError: for a key that is no place, a pixel that is none, or one that two places have.
        """
        pixels: dict[Place, tuple[int, ...]] = {}
        owner: dict[int, str] = {}
        for key, told in table.items():
            place = place_of(key)
            if place is None:
                raise _bad(name, key, f"is no place; the keys are {KEYS[0]} to {', '.join(KEYS[23:])}")
            pixels[place] = (told,) if isinstance(told, int) else tuple(told)
            for pixel in pixels[place]:
                if not 0 <= pixel < MOST_PIXELS:
                    raise _bad(name, key, f"names pixel {pixel}; pixels are 0 to {MOST_PIXELS - 1}")
                if owner.setdefault(pixel, key) != key:
                    raise _bad(name, key, f"names pixel {pixel}, which lights.{owner[pixel]} has already")
        return cls(pixels)

    def table(self) -> dict[str, int | list[int]]:
        """What `of_table` reads, in the order of the places."""
        told = {key_of(place): pixels for place, pixels in self.pixels.items()}
        return {
            key: told[key][0] if len(told[key]) == 1 else list(told[key]) for key in KEYS if told.get(key)
        }

    @property
    def count(self) -> int:
        """How many pixels there are at least."""
        return 1 + max((pixel for each in self.pixels.values() for pixel in each), default=-1)

    def picture(self, frame: LightFrame, brightness: int = 255) -> LampPicture:
        """The frame as pixels; brightness 0 to 255. Only the signals in use become styles."""
        used = [signal for signal in PALETTE if signal in frame.signals()]
        lit = [(0, 0)] * self.count
        for place, pixels in self.pixels.items():
            if (signal := frame[place]) != Signal.DARK:
                for pixel in pixels:
                    lit[pixel] = (used.index(signal) + 1, 0)
        return LampPicture(tuple(PALETTE[signal] for signal in used), tuple(lit), brightness)


def _bad(name: str, key: str, why: str) -> StripOrderError:
    return StripOrderError(
        f"{name}: lights.{key} {why}; correct it, or find the pixels again on the set-up page."
    )
