"""The real firmware on a simulated ATmega328P or ATmega2560 (simavr), in virtual time."""

import ctypes
import shutil
import subprocess
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Final

from controller.errors import UserError
from controller.simulation.electronics.microcontroller import Microcontroller

FIRMWARE: Final = Path(__file__).resolve().parents[3] / "firmware"
BUILD: Final = FIRMWARE / "build"
LIBRARY: Final = "libboardsim.so"
PROGRAMS: Final = {"atmega328p": "pointsman.elf", "atmega2560": "pointsman-atmega2560.elf"}
"""The firmware of each chip, in the firmware's folder."""
HZ: Final = 16_000_000
EEPROM: Final = 1024
BUFFER: Final = 4096
TOOLS: Final = ("make", "gcc", "avr-gcc")


class BootLoader(Enum):
    """What boot loaders do to the program: those of old Nanos, which know no watchdog, and Optiboot.

    The value is what of the firmware's folder stands for it, and where it lies in the chip.
    """

    OLD = ("loader_old.bin", 0x7800)
    OPTIBOOT = ("loader_optiboot.bin", 0x7E00)


class FirmwareError(UserError):
    """The firmware or its simulator cannot be built or run."""


@cache
def build(target: str) -> Path:
    """Build something of the firmware's folder once a run; returns where it lies. Raises FirmwareError."""
    if not FIRMWARE.is_dir() or any(shutil.which(tool) is None for tool in TOOLS):
        if (BUILD / target).is_file():
            return BUILD / target
        raise FirmwareError(
            f"The firmware's {target} cannot be built: the compilers are missing; run make firmware first."
        )
    made = subprocess.run(
        ["make", "-s", "-C", str(FIRMWARE), f"build/{target}"], capture_output=True, text=True, check=False
    )
    if made.returncode != 0:
        why = (made.stderr or made.stdout).strip().splitlines()
        raise FirmwareError(
            f"The firmware's {target} cannot be built ({why[-1] if why else 'make failed'}); "
            "run make firmware, which installs what it needs."
        )
    return BUILD / target


@cache
def _library() -> ctypes.CDLL:
    path = build(LIBRARY)
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise FirmwareError(
            f"The simulator of the firmware cannot be loaded ({error}); make firmware installs what it needs."
        ) from error
    handle, u8, u32, u64 = ctypes.c_void_p, ctypes.c_uint8, ctypes.c_uint32, ctypes.c_uint64
    data, cycles = ctypes.c_char_p, ctypes.POINTER(u64)
    for name, result, arguments in (
        ("new", handle, [data, data, u32]),
        ("free", None, [handle]),
        ("loader", ctypes.c_bool, [handle, data, u32]),
        ("run", ctypes.c_bool, [handle, u64]),
        ("cycle", u64, [handle]),
        ("send", u32, [handle, data, u32]),
        ("take", u32, [handle, data, cycles, u32]),
        ("unplug", None, [handle]),
        ("dropped", u32, [handle]),
        ("contact", None, [handle, u8, ctypes.c_bool]),
        ("reset", None, [handle, ctypes.c_int]),
        ("strip", u32, [handle, data, u32, cycles]),
        ("strip_pictures", u32, [handle]),
        ("strip_faults", u32, [handle]),
        ("strip_longest_gap", u64, [handle]),
        ("untouched", u32, [handle]),
        ("bites", u32, [handle]),
        ("dice", u8, [handle]),
        ("tone", u32, [handle]),
        ("silence", None, [handle]),
        ("eeprom_get", None, [handle, data]),
        ("eeprom_set", None, [handle, data]),
    ):
        function = getattr(library, f"chip_{name}")
        function.restype, function.argtypes = result, arguments
    return library


class Chip(Microcontroller):
    """A `Microcontroller` with the firmware at work."""

    def __init__(
        self,
        *,
        noise_seed: int = 1,
        elf: Path | None = None,
        loader: BootLoader | None = None,
        chip: str = "atmega328p",
    ) -> None:
        """``noise_seed`` (32 bits) makes the noise the dice are drawn from; ``elf`` is another firmware than ours.

        With a ``loader`` the chip begins in it after each reset, as most Nanos do. ``chip`` names its kind, as in
        `PROGRAMS`.

        Raises ``FirmwareError`` where the firmware or its simulator is not there and cannot be built.
        """
        self._library = _library()
        self._chip: int | None = self._library.chip_new(
            str(elf or build(PROGRAMS[chip])).encode(), chip.encode(), noise_seed
        )
        if not self._chip:
            raise FirmwareError("The firmware cannot be loaded into its simulator; run make firmware again.")
        if loader is not None:
            image, at = loader.value
            if not self._library.chip_loader(self._chip, str(build(image)).encode(), at):
                raise FirmwareError(
                    "The boot loader cannot be put into the simulator; run make firmware again."
                )
        self._bytes = ctypes.create_string_buffer(BUFFER)
        self._cycles = (ctypes.c_uint64 * BUFFER)()

    def close(self) -> None:
        """Take its power away for good; calling it again does nothing."""
        if self._chip is not None:
            self._library.chip_free(self._chip)
            self._chip = None

    @property
    def now(self) -> float:
        return float(self._library.chip_cycle(self._chip) / HZ)

    def run_until(self, t: float) -> None:
        """Let time go by until ``t``. Raises FirmwareError if the firmware crashed."""
        if not self._library.chip_run(self._chip, round(t * HZ)):
            raise FirmwareError("The firmware crashed in its simulator; please report how it came to that.")

    def send(self, data: bytes) -> None:
        if self._library.chip_send(self._chip, data, len(data)) != len(data):
            raise FirmwareError("The line to the simulated chip is full; let it run before sending more.")

    def take_timed(self) -> list[tuple[float, bytes]]:
        taken: list[tuple[float, bytes]] = []
        while count := self._library.chip_take(self._chip, self._bytes, self._cycles, BUFFER):
            taken += [(self._cycles[i] / HZ, self._bytes.raw[i : i + 1]) for i in range(count)]
        return taken

    def unplug(self) -> None:
        self._library.chip_unplug(self._chip)

    @property
    def dropped(self) -> int:
        return int(self._library.chip_dropped(self._chip))

    def contact(self, button: int, closed: bool) -> None:
        self._library.chip_contact(self._chip, button, closed)

    def reset(self) -> None:
        self._library.chip_reset(self._chip, 0)

    def power_cut(self) -> None:
        self._library.chip_reset(self._chip, 1)

    @property
    def strip(self) -> bytes:
        count = self._library.chip_strip(self._chip, self._bytes, BUFFER, self._cycles)
        return self._bytes.raw[:count]

    @property
    def pictures(self) -> int:
        return int(self._library.chip_strip_pictures(self._chip))

    @property
    def faults(self) -> int:
        return int(self._library.chip_strip_faults(self._chip))

    @property
    def longest_gap(self) -> float:
        """The longest time between two bits of one picture on the strip's line, in seconds."""
        return float(self._library.chip_strip_longest_gap(self._chip) / HZ)

    @property
    def untouched(self) -> int:
        """Bytes of memory that neither variables nor stack have used since the last power cut."""
        return int(self._library.chip_untouched(self._chip))

    @property
    def bites(self) -> int:
        """How often the watchdog reset the chip."""
        return int(self._library.chip_bites(self._chip))

    @property
    def dice(self) -> tuple[int, int]:
        leds = self._library.chip_dice(self._chip)
        return leds & 15, leds >> 4

    @property
    def tone(self) -> int:
        return int(self._library.chip_tone(self._chip))

    def silence(self) -> None:
        self._library.chip_silence(self._chip)

    @property
    def eeprom(self) -> bytes:
        """The 1,024 bytes that outlive a power cut."""
        self._library.chip_eeprom_get(self._chip, self._bytes)
        return self._bytes.raw[:EEPROM]

    @eeprom.setter
    def eeprom(self, content: bytes) -> None:
        if len(content) != EEPROM:
            raise ValueError(f"an EEPROM of {len(content)} bytes")
        self._library.chip_eeprom_set(self._chip, content)
