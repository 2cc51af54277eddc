"""The twin's dice: a pool of noise, rolls made from its bits, and the tumbling before (hardware_docs/protocol.md)."""

import struct
from dataclasses import dataclass
from random import Random
from typing import Final

from controller.devices.link.messages import DiceMode

TUMBLE_MS: Final = 600
FACE_MS: Final = 60
ENOUGH_SAMPLES: Final = 64
MOST_SAMPLES: Final = 255 * 16
"""One of noise is taken every millisecond."""
LEDS: Final = (0, 1, 2, 3, 6, 7, 14)
"""The LED groups of the faces, from 1 on; 0 is dark."""


@dataclass(slots=True)
class TwinDice:
    """Two dice. ``chance`` is the noise they are drawn from; ``deaf``: the input of the noise hears nothing."""

    chance: Random
    deaf: bool = False
    mode: DiceMode = DiceMode.FREE
    arm_id: int | None = None
    used: bool = False
    until_ms: int | None = None
    next_face_ms: int = 0
    drawn_ms: int = 0
    faces: tuple[int, int] = (0, 0)

    def arm(self, arm_id: int, mode: DiceMode) -> None:
        """What the roll button does from now on; an ``arm_id`` that is known already changes nothing."""
        if (arm_id, mode) != (self.arm_id, self.mode):
            self.arm_id, self.mode, self.used = arm_id, mode, False

    def press(self, now_ms: int) -> None:
        """The roll button was pressed."""
        locked = self.mode is DiceMode.OFF or (self.mode is DiceMode.ONCE and self.used)
        if self.until_ms is None and not locked:
            self.used = True
            self.until_ms = now_ms + TUMBLE_MS
            self.next_face_ms = now_ms

    def tick(self, now_ms: int) -> bytes | None:
        """Move the dice on; the data of a roll when they have come to rest."""
        if self.until_ms is None:
            return None
        if now_ms < self.until_ms:
            if now_ms >= self.next_face_ms:
                self.next_face_ms = now_ms + FACE_MS
                self.faces = (self.faces[0] % 6 + 1, (self.faces[1] + 3) % 6 + 1)
            return None
        raw, self.faces = self._draw()
        samples = 0 if self.deaf else min(now_ms - self.drawn_ms, MOST_SAMPLES)
        self.until_ms, self.drawn_ms = None, now_ms
        first, second = self.faces
        return struct.pack(">BBIB", first << 4 | second, int(samples < ENOUGH_SAMPLES), raw, samples // 16)

    @property
    def due_ms(self) -> int | None:
        """When `tick` will have something to do."""
        return None if self.until_ms is None else min(self.until_ms, self.next_face_ms)

    def _draw(self) -> tuple[int, tuple[int, int]]:
        while True:
            raw = self.chance.getrandbits(32)
            faces = [group + 1 for shift in range(29, 0, -3) if (group := raw >> shift & 7) < 6]
            if len(faces) >= 2:
                return raw, (faces[0], faces[1])
