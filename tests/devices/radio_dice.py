"""Simulated dice with Bluetooth, at the seam of the library `bleak`: they say what their makers' protocols say.

They stand in for `bleak.BleakScanner` and `bleak.BleakClient`. There is no radio and no D-Bus.
"""

import asyncio
import contextlib
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final, Protocol
from unittest import mock

from controller.devices.dice import godice, pixels

VECTORS: Final[Mapping[int, tuple[int, int, int]]] = {
    1: (-64, 0, 0),
    2: (0, 0, 64),
    3: (0, 64, 0),
    4: (0, -64, 0),
    5: (0, 0, -64),
    6: (64, 0, 0),
}
"""Where the axes of a GoDice point with each face up, by the program of its maker."""
RED_PIPS, CLEAR = 1, 5
"""Colours that simulated GoDice and Pixels say they have, by the numbers of their makers."""
SWAY: Final = 4
"""How much the figures of a vector differ from one rest to the next, at most."""


class Language(Protocol):
    """What a kind of dice says when something happens to it; each answer is a row of messages."""

    notify: str

    def roll(self, face: int) -> tuple[bytes, ...]:
        """It is thrown and comes to rest."""

    def start(self) -> tuple[bytes, ...]:
        """It is thrown."""

    def rest(self, face: int) -> tuple[bytes, ...]:
        """It comes to rest after that."""

    def lean(self, face: int) -> tuple[bytes, ...]:
        """It comes to rest against something."""

    def turn(self, face: int) -> tuple[bytes, ...]:
        """Somebody puts it down with this face up."""

    def battery(self, percent: int) -> tuple[bytes, ...]:
        """How full it is."""

    def answer(self, request: bytes, percent: int) -> tuple[bytes, ...]:
        """What it says to a request."""


class GoDiceLanguage:
    """What a GoDice says."""

    notify: Final = godice.NOTIFY

    def __init__(self, rng: random.Random) -> None:
        """``rng`` makes the vectors of two rests differ a little."""
        self._rng = rng

    def roll(self, face: int) -> tuple[bytes, ...]:
        """See `Language`."""
        return self.start() + self.rest(face)

    def start(self) -> tuple[bytes, ...]:
        """See `Language`."""
        return (b"R",)

    def rest(self, face: int) -> tuple[bytes, ...]:
        """See `Language`."""
        return (b"S" + self._vector(face),)

    def lean(self, face: int) -> tuple[bytes, ...]:
        """See `Language`."""
        return (b"TS" + self._vector(face),)

    def turn(self, face: int) -> tuple[bytes, ...]:
        """See `Language`."""
        return (b"FS" + self._vector(face),)

    def battery(self, percent: int) -> tuple[bytes, ...]:
        """See `Language`."""
        return (b"Bat" + bytes([percent]),)

    def answer(self, request: bytes, percent: int) -> tuple[bytes, ...]:
        """See `Language`."""
        if request == godice.ASK_COLOUR:
            return (b"Col" + bytes([RED_PIPS]),)
        return self.battery(percent) if request == godice.ASK_BATTERY else ()

    def _vector(self, face: int) -> bytes:
        sway = (self._rng.randint(-SWAY, SWAY) for _ in range(3))
        return bytes((axis + off) & 255 for axis, off in zip(VECTORS[face], sway, strict=True))


class PixelsLanguage:
    """What a Pixels die says, and then that it lies on a face."""

    notify: Final = pixels.NOTIFY

    def __init__(self, rng: random.Random) -> None:
        """``rng`` tells what faces it shows while it rolls."""
        self._rng = rng

    def roll(self, face: int) -> tuple[bytes, ...]:
        """See `Language`."""
        return self.start() + self.rest(face)

    def start(self) -> tuple[bytes, ...]:
        """See `Language`."""
        states = (pixels.HANDLING, pixels.ROLLING, pixels.ROLLING)
        return tuple(self._state(state, self._rng.randint(1, 6)) for state in states)

    def rest(self, face: int) -> tuple[bytes, ...]:
        """See `Language`."""
        return self._state(pixels.ROLLED, face), self._state(pixels.ON_FACE, face)

    def lean(self, face: int) -> tuple[bytes, ...]:
        """See `Language`."""
        return (self._state(pixels.CROOKED, face),)

    def turn(self, face: int) -> tuple[bytes, ...]:
        """See `Language`."""
        return self._state(pixels.HANDLING, 1), self._state(pixels.ON_FACE, face)

    def battery(self, percent: int) -> tuple[bytes, ...]:
        """See `Language`."""
        return (bytes([pixels.BATTERY, percent, 0]),)

    def answer(self, request: bytes, percent: int) -> tuple[bytes, ...]:
        """See `Language`."""
        if request == pixels.WHO_ARE_YOU:
            told = bytes([pixels.I_AM_A_DIE, 20, CLEAR]) + bytes(pixels.I_AM_A_DIE_LENGTH - 7)
            return (told + bytes([pixels.ON_FACE, 0, percent, 0]),)
        return self.battery(percent) if request == pixels.ASK_BATTERY else ()

    def _state(self, state: int, face: int) -> bytes:
        return bytes([pixels.ROLL_STATE, state, face - 1])


@dataclass(eq=False)
class RadioDie:
    """A simulated die.

    Attributes:
        name: what it calls itself.
        address: its number on the radio.
        language: what it says.
        percent: how full its battery is.
        in_reach: whether the radio hears it.
    """

    name: str
    address: str
    language: Language
    percent: int = 80
    in_reach: bool = True


class Air:
    """The radio: which dice are in reach, and what comes through."""

    def __init__(self, dice: Mapping[str, RadioDie]) -> None:
        """The dice by the names that a test calls them."""
        self._dice = dict(dice)
        self._clients: dict[str, _DieClient] = {}

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        """While this lasts, `bleak` finds these dice and no others."""
        scanner = SimpleNamespace(discover=self._discover)
        with (
            mock.patch("bleak.BleakScanner", scanner),
            mock.patch("bleak.BleakClient", lambda device, **more: _DieClient(self, device, **more)),
        ):
            yield

    def is_held(self, name: str) -> bool:
        """Whether somebody listens to a die."""
        return self._dice[name].address in self._clients

    def say(self, name: str, *messages: bytes) -> None:
        """A die tells something; where nobody listens, it is lost."""
        client = self._clients.get(self._dice[name].address)
        if client is not None:
            for message in messages:
                client.hear(message)

    def cut(self, name: str, *, in_reach: bool = False) -> None:
        """The connection of a die ends; it is found again as soon as it is in reach."""
        die = self._dice[name]
        die.in_reach = in_reach
        client = self._clients.pop(die.address, None)
        if client is not None:
            client.end()

    def bring(self, name: str) -> None:
        """A die is in reach again."""
        self._dice[name].in_reach = True

    def hold(self, client: "_DieClient") -> None:
        """Somebody listens to a die from now on. Raises OSError where it is out of reach."""
        if not client.die.in_reach:
            raise OSError("out of reach")
        self._clients[client.die.address] = client

    def let_go(self, client: "_DieClient") -> None:
        """Nobody listens any more."""
        self._clients.pop(client.die.address, None)

    async def _discover(self, **_: object) -> dict[str, tuple[Any, Any]]:
        await asyncio.sleep(0.01)
        return {
            die.address: (
                SimpleNamespace(address=die.address, name=die.name, die=die),
                SimpleNamespace(local_name=die.name, service_uuids=[pixels.NOTIFY]),
            )
            for die in self._dice.values()
            if die.in_reach and die.address not in self._clients
        }


class _DieClient:
    """A connection to a die, with the methods of `bleak.BleakClient` that are used."""

    def __init__(
        self, air: Air, device: Any, *, disconnected_callback: Callable[["_DieClient"], None], timeout: float
    ) -> None:
        assert timeout > 0
        self.die: RadioDie = device.die
        self.services = self
        self._air, self._ended = air, disconnected_callback
        self._tell: Callable[[Any, bytearray], None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def get_characteristic(self, number: str) -> str | None:
        """The characteristic of this number, if the die has it."""
        return number if number == self.die.language.notify else None

    async def connect(self) -> None:
        """Begin."""
        self._loop = asyncio.get_running_loop()
        self._air.hold(self)

    async def disconnect(self) -> None:
        """End it."""
        self._air.let_go(self)
        self._ended(self)

    async def start_notify(self, number: str, tell: Callable[[Any, bytearray], None]) -> None:
        """Hear what the die tells."""
        assert number == self.die.language.notify
        self._tell = tell

    async def write_gatt_char(self, _: str, request: bytes, *, response: bool) -> None:
        """Ask the die something."""
        assert response is False
        for message in self.die.language.answer(bytes(request), self.die.percent):
            self.hear(message)

    def hear(self, message: bytes) -> None:
        """A message has come; from any thread."""
        if self._loop is not None and self._tell is not None:
            self._loop.call_soon_threadsafe(self._tell, None, bytearray(message))

    def end(self) -> None:
        """The die is gone; from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._ended, self)
