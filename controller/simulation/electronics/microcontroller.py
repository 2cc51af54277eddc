"""What a test bench with a logic probe sees of a board's chip, whatever runs in it."""

from abc import ABC, abstractmethod

from controller.closing import Closeable

PRESS_S = 0.03
"""How long a button is held unless something else is said: well above twice the debounce time."""


class Microcontroller(Closeable, ABC):
    """A powered chip with everything that is wired to it. Times are seconds of its own time since it was made."""

    @abstractmethod
    def close(self) -> None:
        """Take its power away for good."""

    @property
    @abstractmethod
    def now(self) -> float:
        """Seconds since it was made."""

    @abstractmethod
    def run_until(self, t: float) -> None:
        """Let time go by until ``t``."""

    def run(self, seconds: float) -> None:
        """Let time go by. A step ends within a few instructions of its target, without drifting."""
        self.run_until(self.now + seconds)

    @abstractmethod
    def send(self, data: bytes) -> None:
        """Put bytes on the line to the chip."""

    @abstractmethod
    def take_timed(self) -> list[tuple[float, bytes]]:
        """What the chip has finished sending, byte by byte, each with the time of its last bit."""

    def read_output(self) -> bytes:
        """What the chip has finished sending."""
        return b"".join(byte for _, byte in self.take_timed())

    @abstractmethod
    def unplug(self) -> None:
        """Pull the cable: what is under way in it is gone. The chip has its own supply and goes on."""

    @abstractmethod
    def contact(self, button: int, closed: bool) -> None:
        """Close or open the contact of a button."""

    def press(self, button: int, seconds: float = PRESS_S) -> None:
        """Press a button and let go of it."""
        self.contact(button, True)
        self.run(seconds)
        self.contact(button, False)

    @abstractmethod
    def reset(self) -> None:
        """Pull the reset line."""

    @abstractmethod
    def power_cut(self) -> None:
        """Take the power away for a moment: the memory is gone, the EEPROM stays."""

    @property
    @abstractmethod
    def strip(self) -> bytes:
        """The picture on the strip: green, red, blue for each lamp."""

    @property
    @abstractmethod
    def pictures(self) -> int:
        """How often the strip was written."""

    @property
    @abstractmethod
    def dice(self) -> tuple[int, int]:
        """The LEDs of each die: bit 0 middle, 1 and 2 the diagonals, 3 the pair between."""

    @property
    @abstractmethod
    def tone(self) -> int:
        """Hertz, 0 is silence."""

    @property
    def faults(self) -> int:
        """Pulses and gaps on the strip's line that are out of their limits; none where there are no pulses."""
        return 0

    @property
    def dropped(self) -> int:
        """Bytes that came while the receiver was full; none where bytes are taken as fast as they come."""
        return 0

    @abstractmethod
    def silence(self) -> None:
        """The analogue input hears nothing any more."""
