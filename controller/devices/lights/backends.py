"""The one seam that all lights are behind, and the lights of the microcontroller board."""

from controller.devices.lights.frame import LightFrame
from controller.devices.lights.order import StripOrder
from controller.devices.lights.palette import Dimming
from controller.devices.link.link import Link


class Lights:
    """Lights under the points; these show nothing, and every other kind is made from them.

    Nothing here blocks for long or raises because a device is away.
    """

    def show(self, frame: LightFrame) -> None:
        """Show this frame until the next one."""

    def night(self, on: bool) -> None:
        """Dim for a dark room, or not."""

    def tick(self, now_s: float) -> None:
        """Move effects on; the host's monotonic seconds. Call it 20 times a second or so."""

    def close(self) -> None:
        """Go dark and let go of the device."""


class FirmwareLights(Lights):
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

    def close(self) -> None:
        """See `Lights`."""
        self.show(LightFrame())

    def _send(self) -> None:
        self._link.show(self._order.picture(self._frame, self._dimming.level(at_night=self._at_night)))
