"""Which lamp of the strip lies under which place of the board."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Self

from controller.devices.lights.frame import PLACES, LightFrame, Place, Signal
from controller.devices.lights.palette import PALETTE
from controller.devices.link.messages import MAX_LAMPS, LampPicture, Style
from controller.errors import UserError


class StripOrderError(UserError):
    """An order of the lamps that cannot be right."""


RUN: Final[tuple[Place, ...]] = (
    "tray-light",
    *range(1, 7),
    "bar-light",
    *range(7, 19),
    "bar-dark",
    *range(19, 25),
    "tray-dark",
    "status",
)
"""The places along a strip that was laid as hardware_docs/wiring.md draws it."""


class ColourOrder(StrEnum):
    """In which order lamps take their colours; our strips send them in that of WS2812B, green first."""

    GRB = "grb"
    RGB = "rgb"
    GRBW = "grbw"
    RGBW = "rgbw"

    @property
    def has_white(self) -> bool:
        """Whether a lamp has a white LED as well, which comes last."""
        return self in (ColourOrder.GRBW, ColourOrder.RGBW)

    def arranged(self, style: Style) -> Style:
        """A style that comes out right at such lamps, though it is sent green first."""
        is_green_first = self in (ColourOrder.GRB, ColourOrder.GRBW)
        return style if is_green_first else replace(style, red=style.green, green=style.red)


@dataclass(frozen=True, slots=True)
class StripOrder:
    """For each place the number of its lamp along the strip, from 0; places without a lamp are left out.

    `colours` is in which order the lamps take them.

    Raises:
        StripOrderError: if a place does not exist, or a lamp is named twice or lies beyond what the chip drives.
    """

    lamps: Mapping[Place, int]
    colours: ColourOrder = ColourOrder.GRB

    def __post_init__(self) -> None:
        """Check it all."""
        owner: dict[int, Place] = {}
        for place, lamp in self.lamps.items():
            if place not in PLACES:
                raise StripOrderError(
                    f'The order of the lights names "{place}"; the places are 1 to 24, bar-light, bar-dark, '
                    "tray-light, tray-dark and status."
                )
            if isinstance(lamp, bool) or not isinstance(lamp, int) or not 0 <= lamp < MAX_LAMPS:
                raise StripOrderError(
                    f"The order of the lights gives {_name(place)} the lamp {lamp!r}; "
                    f"lamps are counted along the strip from 0 to {MAX_LAMPS - 1}."
                )
            if lamp in owner:
                raise StripOrderError(
                    f"The order of the lights gives lamp {lamp} to both {_name(owner[lamp])} and {_name(place)}; "
                    "every lamp lies under one place, so correct one of them or calibrate the lights again."
                )
            owner[lamp] = place

    @classmethod
    def as_delivered(cls) -> Self:
        """As the drawing of the strip has it: once around the board, the status lamp last."""
        return cls({place: lamp for lamp, place in enumerate(RUN)})

    @classmethod
    def of_table(cls, table: Mapping[str, int | list[int]], name: str) -> Self:
        """From the `[lights]` table of a board file called `name`: every place's key with its lamp.

        Raises:
            StripOrderError: if a key is missing, unknown, or has a lamp that is out of range or another one's too;
                the sentence names file, key and remedy.
        """
        lamps: dict[Place, int] = {}
        owner: dict[int, str] = {}
        for key, lamp in table.items():
            if key not in _PLACE_OF:
                raise _bad_table(name, key, f"is no place; the keys are {KEYS[0]} to {', '.join(KEYS[23:])}")
            if isinstance(lamp, list):
                raise _bad_table(name, key, "has several lamps, which only a WLED can light")
            if isinstance(lamp, bool) or not 0 <= lamp < MAX_LAMPS:
                raise _bad_table(name, key, f"= {lamp} is out of range; lamps are 0 to {MAX_LAMPS - 1}")
            if lamp in owner:
                raise _bad_table(name, key, f"= {lamp} is the lamp of lights.{owner[lamp]} already")
            owner[lamp] = key
            lamps[_PLACE_OF[key]] = lamp
        missing = [key for key in KEYS if key not in table]
        if missing:
            more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
            raise _bad_table(name, missing[0], f"is missing{more}")
        return cls(lamps)

    def table(self) -> dict[str, int]:
        """What `of_table` reads, in the order of `PLACES`."""
        return {key: self.lamps[place] for key, place in _PLACE_OF.items() if place in self.lamps}

    @property
    def count(self) -> int:
        """How many lamps the strip has at least."""
        return max(self.lamps.values(), default=-1) + 1

    def picture(self, frame: LightFrame, brightness: int = 255) -> LampPicture:
        """The frame as lamps of the strip; brightness 0 to 255. Only the signals in use become styles."""
        used = [signal for signal in PALETTE if signal in frame.signals()]
        lamps = [(0, 0)] * self.count
        for place, lamp in self.lamps.items():
            signal = frame[place]
            if signal != Signal.DARK:
                lamps[lamp] = (used.index(signal) + 1, 0)
        styles = tuple(self.colours.arranged(PALETTE[signal]) for signal in used)
        return LampPicture(styles, tuple(lamps), brightness)


def place_of(text: str) -> Place | None:
    """The place that a person means by `7`, `point-7` or `bar-light`; None if there is none of that name."""
    key = text.strip().lower()
    return _PLACE_OF.get(f"point-{int(key)}" if key.isascii() and key.isdigit() else key)


def key_of(place: Place) -> str:
    """A place's name in files: `point-7`, `bar-light`."""
    return f"point-{place}" if isinstance(place, int) else place


_PLACE_OF: Final[Mapping[str, Place]] = {key_of(place): place for place in PLACES}
KEYS: Final = tuple(_PLACE_OF)
"""The keys of a board file's `[lights]` table."""


def _bad_table(name: str, key: str, why: str) -> StripOrderError:
    return StripOrderError(
        f"{name}: lights.{key} {why}; correct it, or find the order again with pointsman calibrate lights."
    )


def _name(place: Place) -> str:
    return f"point {place}" if isinstance(place, int) else place
