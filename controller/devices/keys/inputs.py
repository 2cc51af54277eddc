"""Devices with keys, as Linux lists them under `/dev/input`, through the library evdev."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.devices.keys.learned import LearnedKey, LearnedKeyError

if TYPE_CHECKING:
    from evdev import InputDevice

_LOGGER: Final = logging.getLogger(__name__)
FOLDER: Final = Path("/dev/input")
LOOK_S: Final = 1.0
"""How often the folder is listed: a device that was plugged in is used so soon."""
RELEASED, PRESSED = 0, 1
"""What a key's event tells; 2 is a key that is held and repeats itself, which is no press."""
BLUETOOTH: Final = 5
"""The kernel's number of that bus."""
NO_LIBRARY: Final = (
    "Keys as buttons need the package evdev; run pip install 'pointsman[keys]', or ./install.sh --keys where that "
    "installed Pointsman."
)


@dataclass(frozen=True, slots=True)
class KeyChange:
    """A key went down or up, with the device it belongs to."""

    key: LearnedKey
    code: int
    down: bool


class Inputs:
    """The devices with keys that are there now. For one thread.

    Attributes:
        forbidden: there are devices that this user may not read.
    """

    def __init__(
        self,
        wanted: Callable[[str], bool] = lambda _: True,
        *,
        grab: bool = False,
        folder: Path | None = None,
    ) -> None:
        """Nothing is opened yet.

        Args:
            wanted: whether a device is listened to, by its maker (`LearnedKey.maker`); others are closed at once.
            grab: have them tell nobody else what is pressed.
            folder: where the system lists them, `FOLDER` unless told.

        Raises:
            LearnedKeyError: without the library.
        """
        try:
            import evdev  # noqa: F401 - only keys that are buttons need it
        except ImportError as error:
            raise LearnedKeyError(NO_LIBRARY) from error
        self._wanted, self._grab, self._folder = wanted, grab, folder or FOLDER
        self._open: dict[Path, InputDevice[str]] = {}
        self._passed: dict[Path, tuple[int, int]] = {}
        self._refused: set[Path] | None = None
        self._taken: set[Path] = set()
        self._looked_at = float("-inf")
        self.forbidden = False

    def poll(self, now_s: float) -> list[KeyChange]:
        """What was pressed since the last call, device after device; never blocks."""
        if now_s - self._looked_at >= LOOK_S:
            self._looked_at = now_s
            self._look()
        return [change for path in list(self._open) for change in self._read(path)]

    def has(self, key: LearnedKey, code: int) -> bool:
        """Whether a device with this key is there."""
        return bool(self._holders(key, code))

    def is_taken(self, key: LearnedKey, code: int) -> bool:
        """Whether a device with this key was to be the table's alone, and another program has it."""
        return any(path in self._taken for path in self._holders(key, code))

    def of_make(self, maker: str) -> set[str]:
        """The places of all devices of a make."""
        return {place_of(device) for device in self._open.values() if maker_of(device) == maker}

    def close(self) -> None:
        """Let go of all devices."""
        for path in list(self._open):
            self._drop(path)

    def _holders(self, key: LearnedKey, code: int) -> list[Path]:
        return [
            path
            for path, device in self._open.items()
            if maker_of(device) == key.maker
            and key.place in ("", place_of(device))
            and code in keys_of(device)
        ]

    def _look(self) -> None:
        there = {path: node for path in self._folder.glob("event*") if (node := _node(path)) is not None}
        for path in self._open.keys() - there.keys():
            self._drop(path)
        # A number that is free again is given to the next device: another node is another device.
        self._passed = {path: node for path, node in self._passed.items() if there.get(path) == node}
        refused: set[Path] = set()
        for path in sorted(self._taken):
            self._keep_alone(path)
        for path in sorted(there.keys() - self._open.keys() - self._passed.keys()):
            self._try(path, there[path], refused)
        # A device that was just plugged in is nobody's until the system has set its rights.
        self.forbidden = bool(refused if self._refused is None else refused & self._refused)
        self._refused = refused

    def _try(self, path: Path, node: tuple[int, int], refused: set[Path]) -> None:
        from evdev import InputDevice

        try:
            device = InputDevice(path)
        except PermissionError:
            refused.add(path)
            return
        except OSError:
            _LOGGER.debug("%s cannot be opened.", path, exc_info=True)
            return
        if keys_of(device) and self._wanted(maker_of(device)):
            self._open[path] = device
            self._keep_alone(path)
        else:
            device.close()
            self._passed[path] = node

    def _keep_alone(self, path: Path) -> None:
        """Have a device tell nobody else, if that is asked for and nobody else has it."""
        if not self._grab:
            return
        try:
            self._open[path].grab()
            self._taken.discard(path)
        except OSError:
            self._taken.add(path)

    def _read(self, path: Path) -> Iterator[KeyChange]:
        from evdev.ecodes import EV_KEY

        device = self._open[path]
        try:
            events = list(device.read())
        except BlockingIOError:
            return
        except OSError:  # it was pulled out
            self._drop(path)
            return
        for event in events:
            if event.type == EV_KEY and event.value in (RELEASED, PRESSED):
                key = LearnedKey(name_of(event.code), maker_of(device), place_of(device), device.name)
                yield KeyChange(key, event.code, event.value == PRESSED)

    def _drop(self, path: Path) -> None:
        self._taken.discard(path)
        try:
            self._open.pop(path).close()
        except OSError:
            _LOGGER.debug("%s cannot be closed.", path, exc_info=True)


def _node(path: Path) -> tuple[int, int] | None:
    """What tells a device's node from a later one of the same name; None where it is gone."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_ctime_ns


def maker_of(device: "InputDevice[str]") -> str:
    """Numbers of vendor and product, as in `LearnedKey`."""
    return f"{device.info.vendor:04x}:{device.info.product:04x}"


def place_of(device: "InputDevice[str]") -> str:
    """The port of a device, or its address if it has Bluetooth; the same for all that one plug brings."""
    return device.uniq if device.info.bustype == BLUETOOTH else device.phys.rpartition("/")[0]


def keys_of(device: "InputDevice[str]") -> list[int]:
    """The numbers of the keys that a device has."""
    from evdev.ecodes import EV_KEY

    return device.capabilities(absinfo=False).get(EV_KEY, [])


def name_of(code: int) -> str:
    """What the kernel calls a key; its number where it has no name."""
    from evdev.ecodes import EV_KEY, bytype

    names = bytype[EV_KEY].get(code, str(code))
    return names if isinstance(names, str) else names[0]


def code_of(key: LearnedKey) -> int:
    """The number of a key. Raises LearnedKeyError where there is no key of that name."""
    from evdev.ecodes import ecodes

    code = int(key.key) if key.key.isdecimal() else ecodes.get(key.key)
    if code is None:
        raise LearnedKeyError(f'There is no key "{key.key}"; learn it anew on the set-up page.')
    return int(code)
