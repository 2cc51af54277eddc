"""Whether the rate of a Raspberry Pi's SPI line stays what it was set to.

Up to the Pi 4 that rate is the core clock divided by a number, and the core clock falls when the machine has little
to do, without the kernel's driver knowing (raspberrypi/linux, issues 2094 and 3381). The lines of a Pi 5 belong to
its RP1, whose clock is 200 MHz at all times (rp1.dtsi in raspberrypi/linux).
"""

import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.errors import UserError

CONFIG_FILES: Final = (Path("/boot/firmware/config.txt"), Path("/boot/config.txt"))
LEAST_SHARE: Final = 0.6
"""Below this share of its rate a strip's zeros are read as ones (see `encoding`)."""
_ASK_S: Final = 5.0
_KEYS: Final = ("core_freq", "core_freq_min", "force_turbo")

AskFirmware = Callable[[str], int | None]
"""Gives the value of a key of config.txt as the firmware took it; None if it does not tell."""


class SpiClockError(UserError):
    """A strip's line may become so slow that the lamps would show white."""


@dataclass(frozen=True, slots=True)
class CoreClock:
    """Between which rates the core clock moves.

    Attributes:
        most_mhz, least_mhz: at full load and when idle.
        fix: the line of config.txt that keeps it where it is.
    """

    most_mhz: int
    least_mhz: int
    fix: str

    @property
    def share(self) -> float:
        """The least rate as a share of the full one."""
        return self.least_mhz / self.most_mhz


@dataclass(frozen=True, slots=True)
class _Model:
    """What Raspberry Pi's documentation ("Overclocking options") says of a model, and its sections in config.txt."""

    names: tuple[str, ...]
    sections: frozenset[str]
    clock: CoreClock


_MODELS: Final = (
    _Model(
        ("Raspberry Pi 4", "Raspberry Pi Compute Module 4"),
        frozenset({"pi4", "cm4"}),
        CoreClock(500, 200, "core_freq_min=500"),
    ),
    _Model(
        ("Raspberry Pi 3", "Raspberry Pi Compute Module 3", "Raspberry Pi Zero 2"),
        frozenset({"pi3", "pi3+", "pi02"}),
        CoreClock(400, 250, "core_freq=250"),
    ),
)


def ask_vcgencmd(key: str) -> int | None:
    """What `vcgencmd get_config` says of a key; None where there is no such program or it does not know."""
    try:
        ran = subprocess.run(
            ["vcgencmd", "get_config", key], capture_output=True, text=True, timeout=_ASK_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return _number(ran.stdout.partition("=")[2])


def core_clock(
    model: str | None, ask: AskFirmware = ask_vcgencmd, files: Iterable[Path] = CONFIG_FILES
) -> CoreClock | None:
    """Between which rates the clock moves that the SPI line hangs on.

    Args:
        model: as `pins.board_model` gives it.
        ask: asks the firmware, whose word counts.
        files: where config.txt may lie; asked where the firmware does not tell.

    Returns:
        None where the line has a clock of its own (Pi 5), or nothing is known of this machine.
    """
    known = next((each for each in _MODELS if model and model.startswith(each.names)), None)
    if known is None:
        return None
    told = _settings(files, known.sections)
    told.update({key: value for key in _KEYS if (value := ask(key))})
    most = told.get("core_freq", known.clock.most_mhz)
    least = most if told.get("force_turbo") else told.get("core_freq_min", known.clock.least_mhz)
    return CoreClock(most, min(most, least), known.clock.fix)


def require_steady_clock(clock: CoreClock | None) -> None:
    """Refuse to light a strip whose zeros may be read as ones; SpiClockError, with the remedy."""
    if clock is not None and clock.share < LEAST_SHARE:
        raise SpiClockError(
            f"The strip stays dark: this Pi's SPI clock falls to {clock.share * 100:.0f} % when idle, and the lamps "
            f"would flash white; add the line {clock.fix} to /boot/firmware/config.txt and restart."
        )


def _settings(files: Iterable[Path], sections: frozenset[str]) -> dict[str, int]:
    """What the first config.txt that is there says for a model."""
    for file in files:
        try:
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
        found, applies = {}, True
        for line in (each.partition("#")[0].strip() for each in lines):
            if line.startswith("["):
                applies = line.strip("[]").lower() in {"all", *sections}
            key, _, value = line.partition("=")
            if applies and key.strip() in _KEYS and (number := _number(value)) is not None:
                found[key.strip()] = number
        return found
    return {}


def _number(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() else None
