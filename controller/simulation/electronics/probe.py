"""What eyes see of the electronics: the signals on the lamps, the faces of the dice."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import Final

from controller.devices.lights.frame import LightFrame, Signal
from controller.devices.lights.order import StripOrder
from controller.devices.lights.palette import PALETTE
from controller.simulation.electronics.tumbling import LEDS

GLANCE_S: Final = 2.5
"""A lamp that is dark for so long is dark, and does not blink."""
SEEN: Final = 8
"""From this value of a channel on a lamp is seen to be lit."""


@dataclass(slots=True)
class Probe:
    """Looks at the strip now and then. A lamp's signal is told by its hue, as people tell it."""

    order: StripOrder
    _lit: dict[int, tuple[float, Signal]] = field(default_factory=dict)

    def look(self, strip: bytes, t: float) -> None:
        """What the strip shows at ``t``: green, red, blue for each lamp."""
        for lamp in range(len(strip) // 3):
            green, red, blue = strip[3 * lamp : 3 * lamp + 3]
            if max(red, green, blue) >= SEEN:
                self._lit[lamp] = (t, _signal((red, green, blue)))
            elif lamp in self._lit and t - self._lit[lamp][0] > GLANCE_S:
                del self._lit[lamp]

    def forget(self) -> None:
        """The picture changed: what was lit before means nothing any more."""
        self._lit.clear()

    @property
    def frame(self) -> LightFrame:
        """What was seen lately."""
        frame = LightFrame()
        for place, lamp in self.order.lamps.items():
            if lamp in self._lit:
                frame = frame.lit(self._lit[lamp][1], [place])
        return frame


def faces(leds: Sequence[int]) -> tuple[int, ...]:
    """The faces that groups of LEDs show, 0 for a dark die."""
    return tuple(LEDS.index(group) for group in leds)


def _signal(colour: tuple[int, int, int]) -> Signal:
    """The signal whose hue is nearest."""
    shown = _hue(colour)

    def far(signal: Signal) -> float:
        style = PALETTE[signal]
        red, green, blue = _hue((style.red, style.green, style.blue))
        return hypot(red - shown[0], green - shown[1], blue - shown[2])

    return min(PALETTE, key=far)


def _hue(colour: tuple[int, int, int]) -> tuple[float, float, float]:
    length = hypot(*colour)
    red, green, blue = (channel / length for channel in colour)
    return red, green, blue
