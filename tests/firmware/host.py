"""A host in virtual time: the project's own session, wired to the simulated chip by a cable that can be bad."""

import random
from collections.abc import Callable

from controller.devices.link.happenings import BoardEvent, EventMark, Happening
from controller.devices.link.session import Session
from controller.simulation.electronics.microcontroller import Microcontroller

STEP_S = 0.001


class Cable:
    """Bytes in both directions; of each, `noise` is changed, lost or doubled."""

    def __init__(self, chip: Microcontroller, *, noise: float = 0.0, seed: int = 0) -> None:
        self.chip = chip
        self.plugged = True
        self.noise = noise
        self._random = random.Random(seed)

    def to_chip(self, data: bytes) -> None:
        if self.plugged:
            self.chip.send(self._spoil(data))

    def from_chip(self) -> bytes:
        data = self.chip.read_output()
        return self._spoil(data) if self.plugged else b""

    def pull(self) -> None:
        self.plugged = False
        self.chip.unplug()

    def plug(self) -> None:
        self.plugged = True

    def _spoil(self, data: bytes) -> bytes:
        if not self.noise:
            return data
        spoilt = bytearray()
        for byte in data:
            if self._random.random() >= self.noise:
                spoilt.append(byte)
                continue
            kind = self._random.random()
            if kind < 0.6:
                spoilt.append(byte ^ self._random.randrange(1, 256))
            elif kind < 0.8:
                spoilt += bytes([byte, self._random.randrange(256)])
        return bytes(spoilt)


class Host:
    """Runs a session against the chip, journals what it delivers, and can be killed and started again."""

    def __init__(self, cable: Cable) -> None:
        self.cable = cable
        self.chip = cable.chip
        self.happenings: list[Happening] = []
        self.journal: list[BoardEvent] = []
        self._starts = 0
        self.session = self._fresh()

    def _fresh(self) -> Session:
        self._starts += 1
        last: EventMark | None = self.journal[-1].mark if self.journal else None
        return Session(host_session=self._starts, last=last)

    def restart(self) -> None:
        """The program dies and starts again: what it knows is in the journal."""
        self.session = self._fresh()

    def step(self, seconds: float = STEP_S) -> None:
        self.cable.to_chip(self.session.outgoing(self.chip.now))
        self.chip.run(seconds)
        for happening in self.session.receive(self.cable.from_chip(), self.chip.now):
            self.happenings.append(happening)
            if isinstance(happening, BoardEvent):
                self.journal.append(happening)
                self.session.acknowledge(happening.mark)

    def run(self, seconds: float, step: float = STEP_S) -> None:
        end = self.chip.now + seconds
        while self.chip.now < end - step / 2:
            self.step(step)

    def until(self, condition: Callable[[], bool], seconds: float = 5.0) -> float:
        """Run until the condition holds; returns how long it took."""
        began = self.chip.now
        while not condition():
            assert self.chip.now - began < seconds, "it did not come to that"
            self.step()
        return self.chip.now - began
