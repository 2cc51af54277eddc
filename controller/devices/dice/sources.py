"""Dice of the microcontroller board, dice at the Pi's pins, and dice that somebody else hands in."""

from collections import deque
from typing import TYPE_CHECKING

from controller.devices.dice.source import DeviceRoll, roll_of
from controller.devices.link.happenings import BoardEvent, DiceRolled
from controller.devices.link.link import Link
from controller.devices.link.messages import DiceMode
from controller.devices.pins import wired

if TYPE_CHECKING:
    from gpiozero import Factory


class FirmwareDice:
    """The electronic dice of the microcontroller board; every allowed roll is thrown once, by its roll button."""

    def __init__(self, link: Link) -> None:
        """`link` stays the caller's; its events have to be handed to `take`."""
        self._link = link
        self._rolls: deque[DeviceRoll] = deque()
        link.arm_dice(DiceMode.OFF)

    def take(self, event: BoardEvent) -> None:
        """An event of the board, of whatever kind; after it is in the journal."""
        if isinstance(event.what, DiceRolled):
            self._rolls.append(roll_of(event.what, event.at_s, event.mark))

    def allow(self) -> None:
        """See `DiceSource`."""
        self._link.arm_dice(DiceMode.ONCE)

    def poll(self, now_s: float) -> list[DeviceRoll]:  # noqa: ARG002  (the board dates its rolls itself)
        """See `DiceSource`."""
        return [self._rolls.popleft() for _ in range(len(self._rolls))]

    def close(self) -> None:
        """See `DiceSource`: the roll button is a button only."""
        self._link.arm_dice(DiceMode.OFF)


class HandedDice:
    """Rolls that come from elsewhere in the program: read by the camera, or typed in by the director."""

    def __init__(self, source: str) -> None:
        """`source` is `camera` or `typed`."""
        self._source = source
        self._rolls: deque[DeviceRoll] = deque()

    def give(self, dice: tuple[int, int], at_s: float, *, doubtful: bool = False) -> None:
        """Hand a roll in."""
        self._rolls.append(DeviceRoll(dice, at_s, self._source, doubtful=doubtful))

    def allow(self) -> None:
        """Nobody has to be told."""

    def poll(self, now_s: float) -> list[DeviceRoll]:  # noqa: ARG002  (rolls come dated)
        """See `DiceSource`."""
        return [self._rolls.popleft() for _ in range(len(self._rolls))]

    def close(self) -> None:
        """Nothing to let go of."""


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

        def lines(pins: tuple[int, ...]) -> tuple[DigitalInputDevice, ...]:
            with wired("dice"):
                return tuple(DigitalInputDevice(pin, pull_up=False, pin_factory=factory) for pin in pins)

        self._first, self._second = lines(first), lines(second)
        (self._ready,) = lines((ready,))
        self._quiet_s = quiet_s
        self._since: float | None = None
        self._seen: tuple[int, int] | None = None
        self._told = False

    def allow(self) -> None:
        """The dice cannot be held back; the gate sorts out what was not asked for."""

    def poll(self, now_s: float) -> list[DeviceRoll]:
        """See `DiceSource`; call it every few milliseconds."""
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
        return [DeviceRoll(shown, self._since, "pins")]

    def close(self) -> None:
        """See `DiceSource`."""
        for line in (*self._first, *self._second, self._ready):
            line.close()

    def _faces(self) -> tuple[int, int]:
        first, second = (
            sum(1 << bit for bit, line in enumerate(lines) if line.value)
            for lines in (self._first, self._second)
        )
        return first, second
