"""Dice with Bluetooth: GoDice and Pixels, found by their names or addresses, and again whenever they were away."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, Protocol

from controller.devices.dice import godice, pixels
from controller.devices.dice.news import DiceNews, DieBack, DieGone
from controller.errors import UserError

if TYPE_CHECKING:
    from bleak import BleakClient

_LOGGER: Final = logging.getLogger(__name__)
SCAN_S: Final = 1.5
"""Dice that are awake call ten times a second; what is not heard in this time is out of reach, or asleep."""
RETRY_S: Final = 0.5
"""Between two searches, so that dice that are there are heard without a break."""
CONNECT_S: Final = 5.0
CLOSE_S: Final = 3.0
MOST: Final = 8
"""So many dice are held at once where nobody named them: the radio of a Pi is said to hold seven to ten."""
BATTERY_S: Final = 300.0
"""How often a die is asked how full its battery is."""
WRITE: Final = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
NO_LIBRARY: Final = (
    "Dice with Bluetooth need the package bleak; run pip install 'pointsman[bluetooth]', or ./install.sh --bluetooth "
    "where that installed Pointsman."
)


GODICE_NAME: Final = "GoDice"
"""So GoDice call themselves, with a number behind it; Pixels are called as their owner likes, but name a service."""


class BluetoothError(UserError):
    """Bluetooth cannot be used at all; the sentence says what to do."""


def find_dice(seconds: float) -> list[tuple[str, str]]:
    """Addresses and names of GoDice and Pixels that call within this time.

    Raises:
        BluetoothError: without the library, or where the radio cannot be used.
    """
    try:
        from bleak import BleakScanner
    except ImportError as error:
        raise BluetoothError(NO_LIBRARY) from error
    try:
        found = asyncio.run(BleakScanner.discover(timeout=seconds, return_adv=True))
    except Exception as error:
        _LOGGER.debug("Bluetooth cannot search.", exc_info=True)
        raise BluetoothError(
            f"Bluetooth cannot be used ({error}); switch it on with: bluetoothctl power on"
        ) from error
    return sorted(
        (device.address, _name(device, heard)) for device, heard in found.values() if _is_die(device, heard)
    )


class DieReader(Protocol):
    """Reads what one kind of dice says."""

    @property
    def kind(self) -> str:
        """What the dice are called, such as `GoDice`."""

    def hear(self, data: bytes, at_s: float) -> list[DiceNews]:
        """What a message tells."""


class BluetoothDice:
    """Dice in reach of the machine's Bluetooth; see `DiceUnit`. They are looked for from the first `poll` on.

    A thread of its own talks to them, so that nobody waits. What it hears comes with the time at which it heard it.
    """

    def __init__(self, dice: Sequence[str], clock: Callable[[], float], *, everyone: bool = False) -> None:
        """`dice` are names as the dice call themselves, or addresses; ``clock`` tells monotonic seconds.

        With ``everyone`` all GoDice and Pixels that call are heard as well, up to `MOST` in all; they are called by
        their names, or by their addresses where several have the same name or one has none.

        Raises:
            BluetoothError: without the library.
        """
        try:
            import bleak  # noqa: F401 - only dice with Bluetooth need it
        except ImportError as error:
            raise BluetoothError(NO_LIBRARY) from error
        self._dice, self._clock, self._everyone = tuple(dice), clock, everyone
        self._news: SimpleQueue[DiceNews] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._closed = threading.Event()

    def poll(self, _: float) -> list[DiceNews]:
        """See `DiceUnit`."""
        if self._thread is None and not self._closed.is_set():
            self._thread = threading.Thread(target=self._work, name="pointsman-bluetooth", daemon=True)
            self._thread.start()
        news: list[DiceNews] = []
        try:
            while True:
                news.append(self._news.get_nowait())
        except Empty:
            return news

    def close(self) -> None:
        """See `DiceUnit`."""
        self._closed.set()
        if self._loop is not None and self._stop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stop.set)
        if self._thread is not None:
            self._thread.join(CLOSE_S)

    def _work(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:  # a fault in the library or below must not end the match
            _LOGGER.exception("Bluetooth ended.")
            self._news.put(DieGone(why=repr(error)))

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        keeper = _Keeper(self._dice, self._clock, self._news.put, everyone=self._everyone)
        work = asyncio.create_task(keeper.work())
        if not self._closed.is_set():
            await self._stop.wait()
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        await keeper.let_go()


class _Keeper:
    """Holds the connections; for one event loop."""

    def __init__(
        self,
        dice: Sequence[str],
        clock: Callable[[], float],
        tell: Callable[[DiceNews], None],
        *,
        everyone: bool,
    ) -> None:
        self._dice, self._clock, self._tell, self._everyone = tuple(dice), clock, tell, everyone
        self._held: dict[str, BleakClient] = {}
        self._gone: set[str] = set()
        self._away = False
        self._asked_at = float("-inf")

    async def work(self) -> None:
        """Look for what is missing, for ever; dice are asked for their batteries meanwhile."""
        while True:
            missing = [die for die in self._dice if die not in self._held]
            if missing or (self._everyone and len(self._dice) < MOST):
                await self._search(missing)
            elif self._clock() - self._asked_at >= BATTERY_S:
                await self._ask_batteries()
            await asyncio.sleep(RETRY_S)

    async def let_go(self) -> None:
        """End every connection."""
        held, self._held = self._held, {}
        for client in held.values():
            try:
                await client.disconnect()
            except Exception:
                _LOGGER.debug("A die could not be let go of.", exc_info=True)

    async def _search(self, missing: Sequence[str]) -> None:
        from bleak import BleakScanner

        try:
            found = await BleakScanner.discover(timeout=SCAN_S, return_adv=True)
        except Exception as error:
            _LOGGER.debug("Bluetooth cannot search.", exc_info=True)
            self._set_away(str(error) or repr(error))
            return
        self._set_away(None)
        for die in (*missing, *self._join(list(found.values()))):
            device = next((one for one, heard in found.values() if _is_named(die, one, heard)), None)
            if device is None or not await self._hold(die, device):
                self._lose(die)

    def _join(self, found: Sequence[tuple[Any, Any]]) -> list[str]:
        """Take on dice that nobody named, where everyone is wanted; what they are called from now on."""
        if not self._everyone:
            return []
        dice = [(device, _name(device, heard)) for device, heard in found if _is_die(device, heard)]
        names = [name for _, name in dice]
        new = [
            name if name and names.count(name) == 1 and name not in self._dice else device.address
            for device, name in dice
            if not any(_is_named(die, device, None) or die == name for die in self._dice)
        ]
        new = new[: MOST - len(self._dice)]
        self._dice = (*self._dice, *new)
        return new

    async def _hold(self, die: str, device: Any) -> bool:
        """Connect a die and listen to it; whether that worked."""
        from bleak import BleakClient

        client = BleakClient(device, disconnected_callback=partial(self._left, die), timeout=CONNECT_S)
        try:
            await client.connect()
            is_godice = client.services.get_characteristic(godice.NOTIFY) is not None
            reader: DieReader = godice.GoDie(die) if is_godice else pixels.PixelsDie(die)
            self._held[die] = client
            self._gone.discard(die)
            self._tell(DieBack(die, reader.kind))
            await client.start_notify(
                godice.NOTIFY if is_godice else pixels.NOTIFY, lambda _, data: self._hear(reader, bytes(data))
            )
            for request in _greeting(reader):
                await client.write_gatt_char(WRITE, request, response=False)
        except Exception:
            _LOGGER.debug("The die %s cannot be connected.", die, exc_info=True)
            self._held.pop(die, None)
            return False
        return die in self._held

    async def _ask_batteries(self) -> None:
        self._asked_at = self._clock()
        for client in list(self._held.values()):
            is_godice = client.services.get_characteristic(godice.NOTIFY) is not None
            request = godice.ASK_BATTERY if is_godice else pixels.ASK_BATTERY
            try:
                await client.write_gatt_char(WRITE, request, response=False)
            except Exception:
                _LOGGER.debug("A die could not be asked for its battery.", exc_info=True)

    def _hear(self, reader: DieReader, data: bytes) -> None:
        for news in reader.hear(data, self._clock()):
            self._tell(news)

    def _left(self, die: str, client: "BleakClient") -> None:
        """A connection has ended; of one that another has taken the place of, that is no news."""
        if self._held.get(die) is client:
            del self._held[die]
            self._lose(die)

    def _lose(self, die: str) -> None:
        if die not in self._gone:
            self._gone.add(die)
            self._tell(DieGone(die))

    def _set_away(self, why: str | None) -> None:
        """The radio itself cannot be used, or can again."""
        if why is not None:
            self._tell(DieGone(why=why))
        elif self._away:
            self._tell(DieBack())
        self._away = why is not None


def _greeting(reader: DieReader) -> tuple[bytes, ...]:
    if isinstance(reader, godice.GoDie):
        return godice.ASK_BATTERY, godice.ASK_COLOUR
    return pixels.WHO_ARE_YOU, pixels.ASK_BATTERY


def _name(device: Any, heard: Any) -> str:
    """What a die calls itself; empty where it does not say."""
    return str(heard.local_name or device.name or "")


def _is_die(device: Any, heard: Any) -> bool:
    """Whether who calls is a GoDice or a Pixels."""
    return _name(device, heard).startswith(GODICE_NAME) or pixels.NOTIFY in heard.service_uuids


def _is_named(die: str, device: Any, heard: Any) -> bool:
    """Whether somebody who calls is the die of that name or address."""
    names = (device.address, device.name, getattr(heard, "local_name", None))
    return any(name is not None and name.casefold() == die.casefold() for name in names)
