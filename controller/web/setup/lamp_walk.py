"""What the lights show while they are tried: one place after the other."""

from typing import Final

from controller.devices import LightFrame, Signal
from controller.devices.lights.frame import PLACES

LIT_S: Final = 0.4
"""How long each lamp is lit: long enough to be followed with the eyes."""
WALK_S: Final = LIT_S * len(PLACES)
"""How long a walk takes."""


def lamp_walk(since_s: float) -> LightFrame | None:
    """What is lit ``since_s`` seconds into the walk: points 1 to 24, bar, trays, status; None when it is over."""
    number = int(since_s // LIT_S)
    if not 0 <= number < len(PLACES):
        return None
    return LightFrame().lit(Signal.PLAYED, (PLACES[number],))
