"""Dice at the Pi's own pins."""

from typing import TYPE_CHECKING

from controller.devices.dice.news import BothSettled, DiceNews
from controller.devices.pins import opening_pins

if TYPE_CHECKING:
    from gpiozero import Factory


class PinDice:
    """Dice that put each face as a binary number on three lines, and raise a line when both lie still.

    The lines are read when the ready line has been high for `quiet_s` and show the same twice, so a line that is
    still changing is never taken for a face. 0 and 7 come out as they are, for the gate to refuse.
    """

    def __init__(
        self,
        factory: "Factory",
        *,
        first: tuple[int, int, int],
        second: tuple[int, int, int],
        ready: int,
        quiet_s: float = 0.02,
    ) -> None:
        """Pins by their GPIO numbers, the ones of each die from the lowest bit up."""
        from gpiozero import DigitalInputDevice

        with opening_pins("dice") as opened:
            lines = [
                opened.enter_context(DigitalInputDevice(pin, pull_up=False, pin_factory=factory))
                for pin in (*first, *second, ready)
            ]
            self._devices = opened.pop_all()
        self._first, self._second, self._ready = lines[:3], lines[3:6], lines[6]
        self._quiet_s = quiet_s
        self._since: float | None = None
        self._seen: tuple[int, int] | None = None
        self._told = False

    def poll(self, now_s: float) -> list[DiceNews]:
        """See `DiceUnit`; call it every few milliseconds."""
        if not self._ready.value:
            self._since, self._seen, self._told = None, None, False
            return []
        shown = self._faces()
        if self._since is None or shown != self._seen:
            self._since, self._seen = now_s, shown
            return []
        if self._told or now_s - self._since < self._quiet_s:
            return []
        self._told = True
        return [BothSettled(shown, self._since)]

    def close(self) -> None:
        """See `DiceUnit`."""
        self._devices.close()

    def _faces(self) -> tuple[int, int]:
        first, second = (
            sum(1 << bit for bit, line in enumerate(lines) if line.value)
            for lines in (self._first, self._second)
        )
        return first, second
