"""Lights that a page asks for while no match is on."""

from collections.abc import Callable
from typing import Final

from controller.devices import LightFrame
from controller.devices.lights.backends import Lights

LIT_S: Final = 10.0
"""How long lights stay on that a page asks for while no match is on; it asks again and again."""


class AskedLights:
    """Lights up what was asked for, until nobody asks any more. For the thread that steps."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """``clock`` tells monotonic seconds."""
        self._clock = clock
        self._until: float | None = None

    def show(self, lights: Lights, frame: LightFrame) -> None:
        """Light up for some seconds."""
        lights.show(frame)
        self._until = self._clock() + LIT_S

    def tick(self, lights: Lights, *, playing: bool) -> None:
        """Go dark once nobody asks any more; while a match is on the lights are the match's."""
        if self._until is not None and self._clock() >= self._until:
            self._until = None
            if not playing:
                lights.show(LightFrame())
