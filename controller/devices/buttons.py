"""Buttons at the Pi's own pins: roll, done, double, take, drop, pause and the clock's plungers."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from controller.devices.link.happenings import Button
from controller.devices.pins import opening_pins
from controller.errors import UserError

if TYPE_CHECKING:
    from gpiozero import Factory

QUIET_S: Final = 0.008


class ButtonsError(UserError):
    """Buttons wired in a way that cannot be."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed (or let go of), at `at_s` on the host's monotonic clock."""

    button: Button
    down: bool
    at_s: float


@dataclass(frozen=True, slots=True)
class ContactChange:
    """The contact closed or opened; `at_s` is when it came to rest."""

    down: bool
    at_s: float


class Debounce:
    """One contact. Pure: edges come in with their times, in order, however late they are handed over."""

    def __init__(self, *, down: bool = False, quiet_s: float = QUIET_S) -> None:
        """`down` is how the contact is now; that is no press."""
        self._stable = self._raw = down
        self._at_s = float("-inf")
        self._quiet_s = quiet_s

    def edge(self, down: bool, at_s: float) -> list[ContactChange]:
        """The contact changed; returns what had come to rest before that."""
        settled = self.settle(at_s)
        if down != self._raw:
            self._raw, self._at_s = down, at_s
        return settled

    def settle(self, now_s: float) -> list[ContactChange]:
        """The change that has come to rest by now, if there is one."""
        if self._raw == self._stable or now_s - self._at_s < self._quiet_s:
            return []
        self._stable = self._raw
        return [ContactChange(self._stable, self._at_s)]


class PinButtons:
    """Buttons between pins of the Pi and ground.

    The library under gpiozero may or may not debounce, and its mock does not, so that is done here.

    Raises:
        ButtonsError: if a pin has two buttons.
        PinsError: if a pin cannot be used; then none is kept.
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
        with opening_pins("buttons") as opened:
            for button, pin in pins.items():
                device = opened.enter_context(DigitalInputDevice(pin, pull_up=True, pin_factory=factory))
                self._contacts[button] = Debounce(down=bool(device.value), quiet_s=quiet_s)
                device.when_activated = partial(self._edge, button, True, clock)
                device.when_deactivated = partial(self._edge, button, False, clock)
            self._devices = opened.pop_all()

    def _edge(self, button: Button, down: bool, clock: Callable[[], float]) -> None:
        self._edges.append((button, down, clock()))

    def poll(self, now_s: float) -> list[Press]:
        """What happened since the last call, in the order it happened; never blocks."""
        presses: list[Press] = []
        for _ in range(len(self._edges)):
            button, down, at_s = self._edges.popleft()
            presses += [Press(button, c.down, c.at_s) for c in self._contacts[button].edge(down, at_s)]
        for button, contact in self._contacts.items():
            presses += [Press(button, c.down, c.at_s) for c in contact.settle(now_s)]
        return sorted(presses, key=lambda press: press.at_s)

    def close(self) -> None:
        """Let go of the pins."""
        self._devices.close()
