"""One lamp at a time, whatever its place is: what finding out the order of a strip needs."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, Self

from controller.devices.lights.backends import FirmwareLights, SpiDevice, StripLights
from controller.devices.lights.frame import LightFrame, Signal
from controller.devices.lights.order import StripOrder
from controller.devices.lights.palette import Dimming
from controller.devices.lights.spi_clock import core_clock, require_steady_clock
from controller.devices.link.conversation import ANSWER_S, Conversation
from controller.devices.link.happenings import BoardEvent, ButtonChanged, DiceRolled, SettingsRefused
from controller.devices.link.messages import MAX_LAMPS, BoardSettings, LightsOk
from controller.devices.link.status import LinkStatus
from controller.devices.pins import board_model
from controller.errors import UserError

REFUSED: Final = (
    "The board does not keep the number of its lamps and its status lamp; flash its firmware anew."
)
_LIT: Final = LightFrame(status=Signal.MOVABLE)


class ProbeError(UserError):
    """The lamps cannot be lit."""


class BoardProbe:
    """The lamps of the microcontroller board, one at a time; use it in a `with` block.

    Attributes:
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

        `words` says how the link stands, for people. The board is to drive this many `lamps`, None for as many as it
        does.
        """
        self.passed_over = 0
        self._wanted_lamps, self._order = lamps, StripOrder({})
        self._dimming, self._words, self._answer_s = dimming, words, answer_s
        self._board = Conversation(
            port, host_session=host_session, adjust=self._adjust, deliver=self._pass_over
        )
        self._lit: int | None = MAX_LAMPS

    def __enter__(self) -> Self:
        """Find the board. Raises ProbeError, with what the link says, if there is none."""
        self._board.__enter__()
        try:
            self._require_settings()
        except ProbeError:
            self._board.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the board; its lights go out by themselves."""
        self._board.__exit__()

    @property
    def lamps(self) -> int:
        """How many lamps the board drives; 0 until it was found."""
        kept = self._board.last(BoardSettings)
        return 0 if kept is None else kept.lamps

    def shine(self, lamp: int | None) -> None:
        """Light this lamp alone, or none; returns when the board has shown it. Raises ProbeError if it does not."""
        if lamp == self._lit:
            return
        before = self._shown()
        order = StripOrder({"status": lamp or 0})
        FirmwareLights(self._board.link, order, self._dimming).show(LightFrame() if lamp is None else _LIT)
        if not self._board.wait_for(lambda: self._shown() != before, self._answer_s):
            raise ProbeError(f"The board does not show its lamps. {self._words(self._board.link.status)}")
        self._lit = lamp

    def keep(self, order: StripOrder) -> None:
        """Have the board keep which lamp the status lamp is. Raises ProbeError if it does not."""
        self._order = order
        self._board.settle()
        self._require_settings()

    def _shown(self) -> int | None:
        """The number of the picture that the board shows."""
        answer = self._board.last(LightsOk)
        return None if answer is None else answer.frame_id

    def _require_settings(self) -> None:
        """Wait until the board keeps what it is to keep. Raises ProbeError if it does not."""
        settled = self._board.await_settings(self._answer_s)
        now = self._words(self._board.link.status)
        if self._board.last(SettingsRefused) is not None:
            raise ProbeError(f"{REFUSED} {now}")
        if not settled:
            raise ProbeError(now)

    def _adjust(self, kept: BoardSettings) -> BoardSettings:
        """The lamps as they were asked for or are needed; the status lamp where it was found."""
        lamps = max(self._wanted_lamps or kept.lamps, self._order.count)
        return replace(kept, lamps=lamps, status_lamp=self._order.lamps.get("status", kept.status_lamp))

    def _pass_over(self, event: BoardEvent) -> None:
        self.passed_over += isinstance(event.what, ButtonChanged | DiceRolled)


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
