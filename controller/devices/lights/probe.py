"""One lamp at a time, whatever its place is: what finding out the order of a strip needs."""

import threading
from collections.abc import Callable
from dataclasses import replace
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
    Happening,
    SettingsRefused,
)
from controller.devices.link.link import Link
from controller.devices.link.messages import MAX_LAMPS, BoardSettings, LightsOk
from controller.devices.link.status import LinkState, LinkStatus
from controller.devices.pins import board_model
from controller.errors import UserError

ANSWER_S: Final = 8.0
"""How long the board may take to be found and greeted, and to show a picture."""
REFUSED: Final = (
    "The board does not keep the number of its lamps and its status lamp; flash its firmware anew."
)
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
        lamps: int | None = None,
        answer_s: float = ANSWER_S,
    ) -> None:
        """See `Link`; nothing is opened yet.

        `words` says how the link stands, for people. The board is to drive so many `lamps`, None for as many as it
        does.
        """
        self.lamps = self.passed_over = 0
        self._wanted_lamps, self._order = lamps, StripOrder({})
        self._kept: BoardSettings | None = None
        self._refused = False
        self._dimming, self._words, self._answer_s = dimming, words, answer_s
        self._link = Link(
            port,
            host_session=host_session,
            deliver=self._deliver,
            tell=self._tell,
            notice=self._notice,
            adjust=self._adjust,
        )
        self._news = threading.Condition()
        self._shown: int | None = None
        self._lit: int | None = MAX_LAMPS

    def __enter__(self) -> Self:
        """Find the board. Raises ProbeError, with what the link says, if there is none."""
        self._link.start()
        with self._news:
            found = self._news.wait_for(self._is_settled, self._answer_s)
        if found and not self._refused:
            return self
        now = self._link.status
        self._link.close()
        raise ProbeError(f"{REFUSED} {self._words(now)}" if self._refused else self._words(now))

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

    def keep(self, order: StripOrder) -> None:
        """Have the board keep which lamp the status lamp is. Raises ProbeError if it does not."""
        with self._news:
            self._order, self._kept = order, None
            self._link.settle()
            if not self._news.wait_for(self._is_settled, self._answer_s) or self._refused:
                raise ProbeError(f"{REFUSED} {self._words(self._link.status)}")

    def _is_settled(self) -> bool:
        ready = self._link.status.state is LinkState.READY
        return self._refused or (ready and self._kept is not None and self._adjust(self._kept) == self._kept)

    def _adjust(self, kept: BoardSettings) -> BoardSettings:
        """The lamps as they were asked for or are needed; the status lamp where it was found."""
        lamps = max(self._wanted_lamps or kept.lamps, self._order.count)
        return replace(kept, lamps=lamps, status_lamp=self._order.lamps.get("status", kept.status_lamp))

    def _deliver(self, event: BoardEvent) -> None:
        self.passed_over += isinstance(event.what, ButtonChanged | DiceRolled)

    def _tell(self, _: LinkStatus) -> None:
        with self._news:
            self._news.notify_all()

    def _notice(self, happening: Happening) -> None:
        with self._news:
            if isinstance(happening, SettingsRefused):
                self._refused = True
            elif isinstance(happening, Answered) and isinstance(happening.answer, BoardSettings):
                self._kept, self.lamps = happening.answer, happening.answer.lamps
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

    def keep(self, order: StripOrder) -> None:
        """A strip keeps nothing: the board file is enough."""

    def _send(self, order: StripOrder, frame: LightFrame) -> None:
        lights = StripLights(self._device.write, order, self._dimming, lambda: None)
        lights.show(frame)
        lights.tick(0.0)
        if lights.broken is not None:
            raise ProbeError(f"The lamps cannot be lit: {lights.broken}; check the SPI device and restart.")
