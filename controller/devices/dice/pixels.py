"""What Pixels dice say by Bluetooth.

Sources: the protocol that their maker publishes (GameWithPixels/.github, CommunicationsProtocol) and the roll states
of its library pixels-js. No Pixels were at hand: everything here was tried with simulated ones.
"""

from collections.abc import Iterable
from typing import Final

from controller.devices.dice.news import Colour, DiceNews, DieBattery, DieColour, DieNews, DieState

KIND: Final = "Pixels"
NOTIFY: Final = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
"""The characteristic that Pixels tell by; it has the number of the service."""
WHO_ARE_YOU: Final = b"\x01"
ASK_BATTERY: Final = b"\x21"
I_AM_A_DIE, ROLL_STATE, BATTERY = 2, 3, 34
I_AM_A_DIE_LENGTH: Final = 22
ROLLED, HANDLING, ROLLING, CROOKED, ON_FACE = 1, 2, 3, 4, 5
"""The roll states. In older firmware state 1 was any rest on a face, so here it is a roll only after rolling."""
COLOURS: Final = {
    1: Colour.ONYX_BLACK,
    2: Colour.HEMATITE_GREY,
    3: Colour.MIDNIGHT_GALAXY,
    4: Colour.AURORA_SKY,
    5: Colour.CLEAR,
    6: Colour.WHITE_AURORA,
}
"""What a die looks like, by its number in the message that says who it is."""
FACES: Final = 6
"""A face is counted from 0 in the messages, and a die with more than 6 is not one for backgammon."""


class PixelsDie:
    """Reads the messages of one die. Pure: the times come in."""

    kind: Final = KIND

    def __init__(self, die: str) -> None:
        """`die` is what it is called in the news."""
        self._die = die
        self._state = 0
        self._face: int | None = None
        self._rolled = False

    def hear(self, data: bytes, at_s: float) -> list[DiceNews]:
        """What a message tells; nothing if it is none, or the last one once more."""
        return list(self._read(data, at_s))

    def _read(self, data: bytes, at_s: float) -> Iterable[DiceNews]:
        if len(data) == 3 and data[0] == ROLL_STATE and data[2] < FACES:
            yield from self._follow(data[1], data[2] + 1, at_s)
        elif len(data) == 3 and data[0] == BATTERY and data[1] <= 100:
            yield DieBattery(self._die, data[1])
        elif len(data) == I_AM_A_DIE_LENGTH and data[0] == I_AM_A_DIE:
            # How it lies now: how it came there before it could be heard, nobody knows.
            self._state, self._face, self._rolled = data[18], data[19] + 1, False
            yield DieBattery(self._die, data[20])
            if data[2] in COLOURS:
                yield DieColour(self._die, COLOURS[data[2]])

    def _follow(self, state: int, face: int, at_s: float) -> Iterable[DiceNews]:
        """A message of the state; in motion the face changes all the time and means nothing."""
        moves = state in (HANDLING, ROLLING)
        if moves and state != self._state:
            self._face = None
            self._rolled = state == ROLLING
            yield DieNews(self._die, DieState.ROLLING if self._rolled else DieState.HANDLED, at_s)
        elif state in (ROLLED, CROOKED, ON_FACE) and face != self._face:
            self._face = face
            yield DieNews(self._die, self._rest(state), at_s, face)
            self._rolled = False
        self._state = state

    def _rest(self, state: int) -> DieState:
        if not self._rolled or state == ON_FACE:
            return DieState.TURNED
        return DieState.SETTLED if state == ROLLED else DieState.LEANING
