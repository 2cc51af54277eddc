"""The one seam that all lights are behind, and the two backends that need no more than a few lines."""

from typing import Protocol

from controller.devices.lights.frame import LightFrame
from controller.devices.lights.order import StripOrder
from controller.devices.lights.palette import Dimming
from controller.devices.link.link import Link


class Lights(Protocol):
    """Lights under the points. Nothing here blocks for long or raises because a device is away."""

    def show(self, frame: LightFrame) -> None:
        """Show this frame until the next one."""

    def night(self, on: bool) -> None:
        """Dim for a dark room, or not."""

    def tick(self, now_s: float) -> None:
        """Move effects on; the host's monotonic seconds. Call it 20 times a second or so."""

    def close(self) -> None:
        """Go dark and let go of the device."""


class NoLights:
    """A board without lights."""

    def show(self, frame: LightFrame) -> None:
        """Nothing to show it on."""

    def night(self, on: bool) -> None:
        """Nothing to dim."""

    def tick(self, now_s: float) -> None:
        """Nothing moves."""

    def close(self) -> None:
        """Nothing to let go of."""


class FirmwareLights:
    """Lights on the microcontroller board, which runs the effects by itself."""

    def __init__(self, link: Link, order: StripOrder, dimming: Dimming) -> None:
        """`link` stays the caller's to close."""
        self._link, self._order, self._dimming = link, order, dimming
        self._frame = LightFrame()
        self._at_night = False

    def show(self, frame: LightFrame) -> None:
        """See `Lights`; a board that is away gets the frame when it is back."""
        self._frame = frame
        self._send()

    def night(self, on: bool) -> None:
        """See `Lights`."""
        self._at_night = on
        self._send()

    def tick(self, now_s: float) -> None:
        """The chip moves the effects."""

    def close(self) -> None:
        """See `Lights`."""
        self.show(LightFrame())

    def _send(self) -> None:
        self._link.show(self._order.picture(self._frame, self._dimming.level(at_night=self._at_night)))
