"""What GoDice say by Bluetooth.

Sources: the maker's own programs (ParticulaCode/GoDicePythonAPI, GoDiceJavaScriptAPI): services, messages, and where
a die's axes point while each face is up. No GoDice was at hand: everything here was tried with simulated ones.
"""

import math
import struct
from collections.abc import Iterable
from typing import Final

from controller.devices.dice.news import Colour, DiceNews, DieBattery, DieColour, DieNews, DieState

KIND: Final = "GoDice"
NOTIFY: Final = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
"""The characteristic that a GoDice tells by; Pixels have none of this number."""
ASK_BATTERY: Final = b"\x03"
ASK_COLOUR: Final = b"\x17"
COLOURS: Final = (Colour.BLACK, Colour.RED, Colour.GREEN, Colour.BLUE, Colour.YELLOW, Colour.ORANGE)
"""The colours of the pips by their numbers."""
FACES: Final = {(0, -1): 1, (2, 1): 2, (1, 1): 3, (1, -1): 4, (2, -1): 5, (0, 1): 6}
"""The face that is up, by the axis that points up or down: its number, and its sign."""
UPRIGHT: Final = math.cos(math.radians(35))
"""An axis that is further from upright than this is nearly half way to the next face, which is at 90 degrees."""
LEAST: Final = 20.0
"""Length of the vector at rest is about 64; what is much shorter was no die at rest."""
AGAIN_S: Final = 0.5
"""The same message within that time is the same one twice: no die is thrown and at rest again so soon."""
STABLE: Final = {
    b"S": DieState.SETTLED,
    b"TS": DieState.LEANING,
    b"FS": DieState.TURNED,
    b"MS": DieState.TURNED,
}
"""How a die came to rest: after a roll; leaning; put down or turned; moved a little."""


class GoDie:
    """Reads the messages of one die. Pure: the times come in."""

    kind: Final = KIND

    def __init__(self, die: str) -> None:
        """`die` is what it is called in the news."""
        self._die = die
        self._last: tuple[bytes, float] = b"", float("-inf")

    def hear(self, data: bytes, at_s: float) -> list[DiceNews]:
        """What a message tells; nothing if it is none, or the last one once more."""
        last, last_at = self._last
        if data == last and at_s - last_at < AGAIN_S:
            return []
        self._last = data, at_s
        return list(self._read(data, at_s))

    def _read(self, data: bytes, at_s: float) -> Iterable[DiceNews]:
        if data == b"R":
            yield DieNews(self._die, DieState.ROLLING, at_s)
        elif len(data) == 4 and data[:3] == b"Bat":
            yield DieBattery(self._die, data[3])
        elif len(data) == 4 and data[:3] == b"Col" and data[3] < len(COLOURS):
            yield DieColour(self._die, COLOURS[data[3]])
        elif len(data) >= 4 and data[:-3] in STABLE:
            state, face = STABLE[data[:-3]], face_of(data[-3:])
            if face is not None:
                number, upright = face
                leans = state is DieState.SETTLED and not upright
                yield DieNews(self._die, DieState.LEANING if leans else state, at_s, number)


def face_of(vector: bytes) -> tuple[int, bool] | None:
    """The face that is up by the three signed bytes of a die's acceleration at rest, and whether it lies flat."""
    axes = struct.unpack("3b", vector)
    length = math.hypot(*axes)
    if length < LEAST:
        return None
    axis = max(range(3), key=lambda number: abs(axes[number]))
    return FACES[axis, 1 if axes[axis] > 0 else -1], abs(axes[axis]) / length >= UPRIGHT
