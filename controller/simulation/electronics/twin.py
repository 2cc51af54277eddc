"""The board's chip as a program: answers to the byte as hardware_docs/protocol.md says, in virtual time.

It takes the firmware's place where there is no compiler for it, and where days have to go by in minutes. The same
tests run against both. Its noise is a generator's, so its dice are fit for simulated tables only.
"""

from random import Random
from typing import Final

from controller.devices.link.messages import ResetCause
from controller.simulation.electronics.microcontroller import Microcontroller
from controller.simulation.electronics.twin_parts import (
    LEDS,
    Buttons,
    EventKind,
    EventQueue,
    EventSender,
    Hardware,
)
from controller.simulation.electronics.twin_program import Program

BOOT_MS: Final = 8
"""From power or reset to the greeting."""


class Twin(Microcontroller):
    """A `Microcontroller` without a chip."""

    def __init__(self, *, noise_seed: int = 1) -> None:
        """The same seed throws the same dice."""
        chance = Random(noise_seed)
        self._hardware = Hardware(chance.getrandbits(32), chance)
        self._starts = self._restarts = 0
        self._queue: EventQueue | None = None
        self._buttons = Buttons()
        self._program: Program | None = None
        self._strip, self._pictures = b"", 0
        self._boot(ResetCause.POWER_ON)

    def close(self) -> None:
        """Nothing is held."""

    @property
    def now(self) -> float:
        return self._hardware.t_s

    def run_until(self, t: float) -> None:
        hardware, last = self._hardware, int(t * 1000 + 1e-6)
        while hardware.ms < last:
            next_ms = self._start_at if self._program is None else self._program.due()
            due = max(hardware.ms + 1, min(next_ms, last))
            if self._program is not None:
                hardware.clock_ms += due - hardware.ms
            hardware.ms, hardware.t_s = due, due / 1000
            self._tick()
        hardware.t_s = max(hardware.t_s, t)

    def send(self, data: bytes) -> None:
        self._hardware.received.send(data, self._hardware.t_s)

    def take_timed(self) -> list[tuple[float, bytes]]:
        return self._hardware.sent.receive(self._hardware.t_s)

    def unplug(self) -> None:
        self._hardware.received.cut(self._hardware.t_s)
        self._hardware.sent.cut(self._hardware.t_s)

    def contact(self, button: int, closed: bool) -> None:
        (self._hardware.closed.add if closed else self._hardware.closed.discard)(button)

    def reset(self) -> None:
        self._boot(ResetCause.RESET_LINE)

    def power_cut(self) -> None:
        self._queue = None
        self._boot(ResetCause.POWER_ON)

    @property
    def strip(self) -> bytes:
        shown = b"" if self._program is None else self._program.lamps.shown
        return shown or self._strip

    @property
    def pictures(self) -> int:
        return self._pictures + (0 if self._program is None else self._program.lamps.pictures)

    @property
    def dice(self) -> tuple[int, int]:
        first, second = (0, 0) if self._program is None else self._program.dice.faces
        return LEDS[first], LEDS[second]

    @property
    def tone(self) -> int:
        return 0 if self._program is None else 20 * self._program.buzzer.tone

    def silence(self) -> None:
        self._hardware.deaf = True
        if self._program is not None:
            self._program.dice.deaf = True

    def _boot(self, cause: ResetCause) -> None:
        """The chip stands still for a moment; the rest is `_start`."""
        self._hardware.memory.break_off()
        self._strip, self._pictures = self.strip, self.pictures
        self._program, self._cause = None, cause
        self._start_at = self._hardware.ms + BOOT_MS
        self.unplug()

    def _start(self) -> None:
        """The program begins to run."""
        hardware = self._hardware
        if self._queue is None:
            self._starts += 1
            self._queue = EventQueue(self._starts)
            hardware.clock_ms, self._restarts = 0, 0
            self._buttons = Buttons(set(hardware.closed))
            events = EventSender(self._queue)
        else:
            self._restarts += 1
            self._buttons = Buttons(self._buttons.down)
            events = EventSender(self._queue)
            told = bytes([self._cause, self._restarts & 255])
            events.push(EventKind.RESTARTED, hardware.clock_ms, told)
        self._program = Program(hardware, events, self._buttons, self._cause)
        self._program.begin()

    def _tick(self) -> None:
        if self._program is None:
            if self._hardware.ms >= self._start_at:
                self._start()
        elif self._program.tick():
            self._boot(ResetCause.ASKED)
