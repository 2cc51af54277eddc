"""The real firmware on a simulated ATmega328P, in virtual time: what a test bench with a logic probe would be."""

import ctypes
import subprocess
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Final, Self

ROOT: Final = Path(__file__).resolve().parents[2]
FIRMWARE: Final = ROOT / "firmware"
BUILD: Final = FIRMWARE / "build"
HZ: Final = 16_000_000
EEPROM: Final = 1024


@cache
def built(target: str) -> Path:
    """Build something of the firmware's folder once a run; returns where it lies."""
    made = subprocess.run(
        ["make", "-s", "-C", str(FIRMWARE), f"build/{target}"], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, f"make {target}:\n{made.stdout}{made.stderr}"
    return BUILD / target


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(built("libboardsim.so")))
    handle, u8, u32, u64 = ctypes.c_void_p, ctypes.c_uint8, ctypes.c_uint32, ctypes.c_uint64
    data, cycles = ctypes.c_char_p, ctypes.POINTER(u64)
    for name, result, arguments in (
        ("new", handle, [data, u32]),
        ("free", None, [handle]),
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
        ("dice", u8, [handle]),
        ("tone", u32, [handle]),
        ("silence", None, [handle]),
        ("eeprom_get", None, [handle, data]),
        ("eeprom_set", None, [handle, data]),
    ):
        function = getattr(library, f"chip_{name}")
        function.restype, function.argtypes = result, arguments
    return library


class Chip:
    """A powered chip. Times are seconds of its own time since it was made."""

    def __init__(self, *, noise_seed: int = 1, elf: Path | None = None) -> None:
        """`elf` is another firmware than the project's."""
        self._library = _library()
        self._chip = self._library.chip_new(str(elf or built("pointsman.elf")).encode(), noise_seed)
        assert self._chip, "the firmware cannot be loaded"
        self._bytes = ctypes.create_string_buffer(4096)
        self._cycles = (ctypes.c_uint64 * 4096)()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._library.chip_free(self._chip)

    @property
    def now(self) -> float:
        return self._library.chip_cycle(self._chip) / HZ

    def run(self, seconds: float) -> None:
        """Let time go by. A step ends within a few instructions of its target, without drifting."""
        self.run_until(self.now + seconds)

    def run_until(self, t: float) -> None:
        assert self._library.chip_run(self._chip, round(t * HZ)), "the firmware crashed"

    def send(self, data: bytes) -> None:
        assert self._library.chip_send(self._chip, data, len(data)) == len(data)

    def take(self) -> bytes:
        """What the chip has finished sending."""
        return b"".join(byte for _, byte in self.take_timed())

    def take_timed(self) -> list[tuple[float, bytes]]:
        """The same byte by byte, each with the time of its last bit."""
        taken: list[tuple[float, bytes]] = []
        while count := self._library.chip_take(self._chip, self._bytes, self._cycles, 4096):
            taken += [(self._cycles[i] / HZ, self._bytes.raw[i : i + 1]) for i in range(count)]
        return taken

    def unplug(self) -> None:
        """Pull the cable: what is under way in it is gone. The chip has its own supply and goes on."""
        self._library.chip_unplug(self._chip)

    @property
    def dropped(self) -> int:
        """Bytes that came while the receiver was full."""
        return int(self._library.chip_dropped(self._chip))

    def contact(self, button: int, closed: bool) -> None:
        self._library.chip_contact(self._chip, button, closed)

    def press(self, button: int, seconds: float = 0.03) -> None:
        """Press a button and let go of it."""
        self.contact(button, True)
        self.run(seconds)
        self.contact(button, False)

    def reset(self) -> None:
        self._library.chip_reset(self._chip, 0)

    def power_cut(self) -> None:
        self._library.chip_reset(self._chip, 1)

    @property
    def strip(self) -> bytes:
        """The picture on the strip: green, red, blue for each lamp."""
        count = self._library.chip_strip(self._chip, self._bytes, 4096, self._cycles)
        return self._bytes.raw[:count]

    @property
    def pictures(self) -> int:
        return int(self._library.chip_strip_pictures(self._chip))

    @property
    def faults(self) -> int:
        """Pulses and gaps on the strip's line that are out of their limits."""
        return int(self._library.chip_strip_faults(self._chip))

    @property
    def longest_gap(self) -> float:
        return self._library.chip_strip_longest_gap(self._chip) / HZ

    @property
    def dice(self) -> tuple[int, int]:
        """The LEDs of each die: bit 0 middle, 1 and 2 the diagonals, 3 the pair between."""
        leds = self._library.chip_dice(self._chip)
        return leds & 15, leds >> 4

    @property
    def tone(self) -> int:
        """Hertz, 0 is silence."""
        return int(self._library.chip_tone(self._chip))

    def silence(self) -> None:
        """The analogue input hears nothing any more."""
        self._library.chip_silence(self._chip)

    @property
    def eeprom(self) -> bytes:
        self._library.chip_eeprom_get(self._chip, self._bytes)
        return self._bytes.raw[:EEPROM]

    @eeprom.setter
    def eeprom(self, content: bytes) -> None:
        assert len(content) == EEPROM
        self._library.chip_eeprom_set(self._chip, content)
