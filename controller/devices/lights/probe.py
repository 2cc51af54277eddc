"""One lamp at a time, whatever its place is: what finding out the order of a strip needs."""

import threading
from collections.abc import Callable
from typing import Final, Self

from controller.devices.lights.backends import FirmwareLights, SpiDevice, StripLights
from controller.devices.lights.frame import LightFrame, Signal
from controller.devices.lights.order import StripOrder
from controller.devices.lights.palette import Dimming
from controller.devices.lights.spi_clock import core_clock, require_steady_clock
from controller.devices.link.happenings import (
    Answered,
    BoardEvent,
    ButtonChanged,
    DiceRolled,
    Greeted,
    Happening,
)
from controller.devices.link.link import Link
from controller.devices.link.messages import MAX_LAMPS, LightsOk
from controller.devices.link.status import LinkState, LinkStatus
from controller.devices.pins import board_model
from controller.errors import UserError

ANSWER_S: Final = 8.0
"""How long the board may take to be found and greeted, and to show a picture."""
_LIT: Final = LightFrame(status=Signal.MOVABLE)


class ProbeError(UserError):
    """The lamps cannot be lit."""


class BoardProbe:
    """The lamps of the microcontroller board, one at a time; use it in a `with` block.

    Attributes:
        lamps: how many the board drives; 0 until it was found.
        passed_over: presses and rolls that the board reported meanwhile; they are in no journal.
    """

    def __init__(
        self,
        port: str,
        *,
        host_session: int,
        dimming: Dimming,
        words: Callable[[LinkStatus], str],
        answer_s: float = ANSWER_S,
    ) -> None:
        """See `Link`; nothing is opened yet. `words` says how the link stands, for people."""
        self.lamps = self.passed_over = 0
        self._dimming, self._words, self._answer_s = dimming, words, answer_s
        self._link = Link(
            port, host_session=host_session, deliver=self._deliver, tell=self._tell, notice=self._notice
        )
        self._news = threading.Condition()
        self._shown: int | None = None
        self._lit: int | None = MAX_LAMPS

    def __enter__(self) -> Self:
        """Find the board. Raises ProbeError, with what the link says, if there is none."""
        self._link.start()
        with self._news:
            if self._news.wait_for(lambda: self._link.status.state is LinkState.READY, self._answer_s):
                return self
        now = self._link.status
        self._link.close()
        raise ProbeError(self._words(now))

    def __exit__(self, *_: object) -> None:
        """Let go of the board; its lights go out by themselves."""
        self._link.close()

    def shine(self, lamp: int | None) -> None:
        """Light this lamp alone, or none; returns when the board has shown it. Raises ProbeError if it does not."""
        if lamp == self._lit:
            return
        with self._news:
            before = self._shown
            order = StripOrder({"status": lamp or 0})
            FirmwareLights(self._link, order, self._dimming).show(LightFrame() if lamp is None else _LIT)
            if not self._news.wait_for(lambda: self._shown != before, self._answer_s):
                now = self._words(self._link.status)
                raise ProbeError(f"The board does not show its lamps. {now}")
        self._lit = lamp

    def _deliver(self, event: BoardEvent) -> None:
        self.passed_over += isinstance(event.what, ButtonChanged | DiceRolled)

    def _tell(self, _: LinkStatus) -> None:
        with self._news:
            self._news.notify_all()

    def _notice(self, happening: Happening) -> None:
        with self._news:
            if isinstance(happening, Greeted):
                self.lamps = happening.chip.lamps
            elif isinstance(happening, Answered) and isinstance(happening.answer, LightsOk):
                self._shown = happening.answer.frame_id
            self._news.notify_all()


class StripProbe:
    """The lamps of a strip at the Pi's own SPI line, one at a time; use it in a `with` block."""

    lamps: Final = MAX_LAMPS
    passed_over: Final = 0

    def __init__(self, path: str, *, dimming: Dimming) -> None:
        """Opens an SPI device such as `/dev/spidev0.0`. Raises StripError, SpiClockError."""
        require_steady_clock(core_clock(board_model()))
        self._device = SpiDevice(path)
        self._dimming = dimming

    def __enter__(self) -> Self:
        """Begin dark."""
        self.shine(None)
        return self

    def __exit__(self, *_: object) -> None:
        """Go dark and let go of the device."""
        self.shine(None)
        self._device.close()

    def shine(self, lamp: int | None) -> None:
        """Light this lamp alone, or none. Raises ProbeError if the strip takes no bytes."""
        self._send(StripOrder({"status": MAX_LAMPS - 1}), LightFrame())
        if lamp is not None:
            self._send(StripOrder({"status": lamp}), _LIT)

    def _send(self, order: StripOrder, frame: LightFrame) -> None:
        lights = StripLights(self._device.write, order, self._dimming, lambda: None)
        lights.show(frame)
        lights.tick(0.0)
        if lights.broken is not None:
            raise ProbeError(f"The lamps cannot be lit: {lights.broken}; check the SPI device and restart.")
