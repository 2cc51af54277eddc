"""What eyes see of the electronics: the signals on the lamps."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import dist, hypot
from typing import Final

from controller.devices import LightFrame, Signal, StripOrder
from controller.devices.lights.palette import PALETTE
from controller.devices.link.messages import Effect

GLANCE_S: Final = 2.5
"""A lamp that is dark for this time is off; it is not blinking."""
SEEN: Final = 8
"""From this value of a channel on a lamp is seen to be lit."""
STEADY: Final = 0.9
"""A steady lamp is never darker than this share of its brightest."""
SAME_HUE: Final = 0.1

LampColour = tuple[int, int, int]


@dataclass(slots=True)
class Probe:
    """Looks at the strip now and then. A lamp's signal is told by its hue and its rhythm, as people tell it."""

    order: StripOrder
    _seen: dict[int, list[tuple[float, LampColour]]] = field(default_factory=dict)

    def sample(self, strip: bytes, t: float) -> None:
        """What the strip shows at ``t``: green, red, blue for each lamp."""
        for lamp in range(len(strip) // 3):
            green, red, blue = strip[3 * lamp : 3 * lamp + 3]
            if lamp in self._seen or max(red, green, blue) >= SEEN:
                glances = self._seen.setdefault(lamp, [])
                glances.append((t, (red, green, blue)))
                self._seen[lamp] = [glance for glance in glances if t - glance[0] <= GLANCE_S]
                if all(max(colour) < SEEN for _, colour in self._seen[lamp]):
                    del self._seen[lamp]

    def forget(self) -> None:
        """The picture changed: what was lit before means nothing any more."""
        self._seen.clear()

    @property
    def frame(self) -> LightFrame:
        """What was seen lately."""
        frame = LightFrame()
        for place, lamp in self.order.lamps.items():
            if lamp in self._seen:
                frame = frame.lit(_signal([colour for _, colour in self._seen[lamp]]), [place])
        return frame


def _signal(glances: Sequence[LampColour]) -> Signal:
    """The signal whose hue is nearest; of two with the same hue that whose rhythm was seen."""
    brightest = max(glances, key=max)
    shown = _hue(brightest)
    ranked = sorted(PALETTE, key=lambda signal: _apart(signal, shown))
    alike = [signal for signal in ranked if _apart(signal, shown) <= _apart(ranked[0], shown) + SAME_HUE]
    steady = min(max(colour) for colour in glances) >= STEADY * max(brightest)
    fitting = [signal for signal in alike if (PALETTE[signal].effect is Effect.STEADY) == steady]
    return (fitting or ranked)[0]


def _apart(signal: Signal, shown: tuple[float, float, float]) -> float:
    style = PALETTE[signal]
    return dist(_hue((style.red, style.green, style.blue)), shown)


def _hue(colour: LampColour) -> tuple[float, float, float]:
    length = hypot(*colour)
    red, green, blue = (channel / length for channel in colour)
    return red, green, blue
