"""Colours, rhythms and letters of the signals, and how bright they may be.

The colours are those of Okabe and Ito, "Color Universal Design" (2008), which people with any of the common kinds of
colour blindness tell apart; every signal also has a rhythm that no other signal of a similar colour has.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from controller.devices.lights.frame import Signal
from controller.devices.link.messages import Effect, Style
from controller.errors import UserError

BLUISH_GREEN: Final = (0, 158, 115)
SKY_BLUE: Final = (86, 180, 233)
BLUE: Final = (0, 114, 178)
VERMILLION: Final = (213, 94, 0)
ORANGE: Final = (230, 159, 0)
YELLOW: Final = (240, 228, 66)
PURPLE: Final = (204, 121, 167)

_FAST: Final = 40
_SLOW: Final = 160

PALETTE: Final[Mapping[Signal, Style]] = MappingProxyType(
    {
        Signal.MOVABLE: Style(*SKY_BLUE, Effect.STEADY),
        Signal.LANDING: Style(*BLUISH_GREEN, Effect.PULSE, 120),
        Signal.PLAYED: Style(*BLUISH_GREEN, Effect.STEADY),
        Signal.WRONG: Style(*VERMILLION, Effect.BLINK, _FAST),
        Signal.TAKE: Style(*ORANGE, Effect.BLINK, _SLOW),
        Signal.PUT: Style(*BLUE, Effect.PULSE, 80),
        Signal.UNSURE: Style(*YELLOW, Effect.PULSE, 200),
        Signal.WAITING: Style(*PURPLE, Effect.PULSE, 240),
    }
)
"""Every signal but `DARK`."""

LETTERS: Final = {
    Signal.DARK: ".",
    Signal.MOVABLE: "m",
    Signal.LANDING: "l",
    Signal.PLAYED: "p",
    Signal.WRONG: "X",
    Signal.TAKE: "-",
    Signal.PUT: "+",
    Signal.UNSURE: "?",
    Signal.WAITING: "w",
}
"""A letter for each signal, for screens without colours and people who do not see them."""


class BrightnessError(UserError):
    """A brightness or a current that makes no sense."""


@dataclass(frozen=True, slots=True)
class Dimming:
    """How bright the lights are.

    Attributes:
        brightness: 0 to 1 by day.
        night: 0 to 1 in night mode, for a dark room.
        limit_ma: what the strip may draw in all; the supply and its fuse decide that.
    """

    brightness: float = 0.5
    night: float = 0.08
    limit_ma: int = 500

    def __post_init__(self) -> None:
        """Raises BrightnessError for numbers out of their range."""
        for name, value in (("brightness", self.brightness), ("night brightness", self.night)):
            if not 0 <= value <= 1:
                raise BrightnessError(f"The lights' {name} is {value}; give a number from 0 to 1.")
        if not 100 <= self.limit_ma <= 2500:
            raise BrightnessError(f"The lights' current limit is {self.limit_ma} mA; give 100 to 2500.")

    def level(self, *, at_night: bool) -> int:
        """0 to 255, as the chip takes it; anything above 0 stays visible."""
        wanted = self.night if at_night else self.brightness
        return round(wanted * 255) or int(wanted > 0)
