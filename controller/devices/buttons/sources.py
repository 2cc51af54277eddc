"""Where presses come from: the microcontroller board, or the Pi's own pins."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from controller.devices.buttons.debounce import QUIET_S, Debounce
from controller.devices.link.happenings import BoardEvent, Button, ButtonChanged
from controller.devices.pins import wired
from controller.errors import UserError

if TYPE_CHECKING:
    from gpiozero import Factory


class ButtonsError(UserError):
    """Buttons wired in a way that cannot be."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed (or let go of), at `at_s` on the host's monotonic clock."""

    button: Button
    down: bool
    at_s: float


class ButtonSource(Protocol):
    """Buttons of any kind. Nothing here blocks, or raises because a device is away."""

    def poll(self, now_s: float) -> list[Press]:
        """What happened since the last call, in the order it happened."""

    def close(self) -> None:
        """Let go of the device."""


class FirmwareButtons:
    """The buttons of the microcontroller board, which debounces and dates them itself."""

    def __init__(self) -> None:
        self._presses: deque[Press] = deque()

    def take(self, event: BoardEvent) -> None:
        """An event of the board, of whatever kind; after it is in the journal."""
        what = event.what
        if isinstance(what, ButtonChanged) and isinstance(what.button, Button):
            self._presses.append(Press(what.button, what.down, event.at_s))

    def poll(self, now_s: float) -> list[Press]:  # noqa: ARG002  (the board dates its presses itself)
        """See `ButtonSource`."""
        return [self._presses.popleft() for _ in range(len(self._presses))]

    def close(self) -> None:
        """Nothing to let go of."""


class PinButtons:
    """Buttons between pins of the Pi and ground.

    The library under gpiozero may or may not debounce, and its mock does not, so that is done here.

    Raises:
        ButtonsError: if a pin has two buttons.
    """

    def __init__(
        self,
        factory: "Factory",
        pins: Mapping[Button, int],
        clock: Callable[[], float],
        *,
        quiet_s: float = QUIET_S,
    ) -> None:
        """Pins by their GPIO numbers; `clock` gives monotonic seconds; `factory` as `pins.pin_factory` returns it."""
        from gpiozero import DigitalInputDevice

        owner: dict[int, Button] = {}
        for button, pin in pins.items():
            if pin in owner:
                raise ButtonsError(
                    f"The buttons {owner[pin].name.lower()} and {button.name.lower()} are both on pin {pin}; "
                    "give each button a pin of its own."
                )
            owner[pin] = button
        self._edges: deque[tuple[Button, bool, float]] = deque()
        self._contacts: dict[Button, Debounce] = {}
        self._devices: list[DigitalInputDevice] = []
        for button, pin in pins.items():
            with wired(f"button {button.name.lower()}"):
                device = DigitalInputDevice(pin, pull_up=True, bounce_time=None, pin_factory=factory)
            self._contacts[button] = Debounce(down=bool(device.value), quiet_s=quiet_s)
            device.when_activated = partial(self._edge, button, True, clock)
            device.when_deactivated = partial(self._edge, button, False, clock)
            self._devices.append(device)

    def _edge(self, button: Button, down: bool, clock: Callable[[], float]) -> None:
        self._edges.append((button, down, clock()))

    def poll(self, now_s: float) -> list[Press]:
        """See `ButtonSource`."""
        presses: list[Press] = []
        for _ in range(len(self._edges)):
            button, down, at_s = self._edges.popleft()
            presses += [Press(button, c.down, c.at_s) for c in self._contacts[button].edge(down, at_s)]
        for button, contact in self._contacts.items():
            presses += [Press(button, c.down, c.at_s) for c in contact.settle(now_s)]
        return sorted(presses, key=lambda press: press.at_s)

    def close(self) -> None:
        """See `ButtonSource`."""
        for device in self._devices:
            device.close()
