"""The machine: disk, memory, clock, heat and power."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from controller.config.config import Config
from controller.dates import EARLIEST
from controller.doctor.finding import Finding, absent, fail, ok, warn

MEGA: Final = 1_000_000
LEAST_FREE_MB: Final = 200
"""What a long match takes without its pictures, with room to spare."""
SLOW_SYNC_S: Final = 0.25
"""A verdict waits for the journal to be on the disk."""
LEAST_MEMORY_MB, SCARCE_MEMORY_MB = 150, 400
HOT_C: Final = 75.0
PROGRAM_S: Final = 5.0
"""How long a program that only tells something may take."""
MEMORY_FILE: Final = Path("/proc/meminfo")
HEAT_FILE: Final = Path("/sys/class/thermal/thermal_zone0/temp")
SYNCHRONIZED_FILE: Final = Path("/run/systemd/timesync/synchronized")

RunCommand = Callable[[Sequence[str]], str | None]
"""Runs a program and gives what it said, None if there is no such program or it fails."""


def ask(words: Sequence[str]) -> str | None:
    """Run a program that only tells something."""
    try:
        ran = subprocess.run(words, capture_output=True, text=True, timeout=PROGRAM_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return ran.stdout.strip() if ran.returncode == 0 else None


def disk(config: Config) -> Finding:
    """Whether matches can be written down, and how much room there is."""
    name, folder = "disk", config.record_folder()
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not there.is_dir():
        return fail(name, f"{there} is no folder", "Name another record.folder in the configuration.")
    try:
        free_mb = shutil.disk_usage(there).free // MEGA
        spent = _sync_time(there)
    except OSError as error:
        return fail(
            name,
            f"{there} cannot be written to ({error.strerror})",
            "Give the folder to this user, or name another record.folder; a card that turned read-only is worn out.",
        )
    told = f"{free_mb} MB free in {there}, {spent * 1000:.0f} ms until a line is safe"
    if free_mb < LEAST_FREE_MB:
        return fail(name, told, "Free some space, or name a record.folder on another disk.")
    if free_mb < LEAST_FREE_MB + config.record.evidence_mb:
        return warn(
            name, told, "Free some space or lower record.evidence_mb: the pictures may not find room."
        )
    if spent > SLOW_SYNC_S:
        return warn(
            name, told, "The card is slow or worn: take a better one, or name a record.folder on a stick."
        )
    return ok(name, told)


def _sync_time(folder: Path) -> float:
    """Seconds until a few bytes are on the disk. Raises OSError."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(4096))
        file.flush()
        began = time.perf_counter()
        os.fsync(file.fileno())
        return time.perf_counter() - began


def memory(file: Path = MEMORY_FILE) -> Finding:
    """How much memory is left."""
    name = "memory"
    try:
        lines = dict(line.split(":", 1) for line in file.read_text(encoding="ascii").splitlines())
        free_mb = int(lines["MemAvailable"].split()[0]) * 1024 // MEGA
    except (OSError, ValueError, KeyError):
        return absent(name, "this system does not tell")
    told = f"{free_mb} MB available"
    if free_mb < LEAST_MEMORY_MB:
        return fail(name, told, "Close other programs; a machine with 2 GB or more is recommended.")
    if free_mb < SCARCE_MEMORY_MB:
        return warn(name, told, "Close other programs; a machine with 2 GB or more is recommended.")
    return ok(name, told)


def clock(now: datetime, ask_it: RunCommand = ask, synchronized: Path = SYNCHRONIZED_FILE) -> Finding:
    """Whether the date can be right, and whether it is kept right; `now` is in UTC."""
    name, told = "clock", f"{now:%Y-%m-%d %H:%M} UTC"
    if now < EARLIEST:
        return warn(
            name,
            f"{told} cannot be right",
            "Connect the network once, or set it: sudo date -s '2026-05-01 18:00'.",
        )
    answer = ask_it(["timedatectl", "show", "--property=NTPSynchronized", "--value"])
    if answer == "yes" or synchronized.exists():
        return ok(name, f"{told}, kept by the network")
    return warn(
        name,
        f"{told}, not kept by the network",
        "See that the date is right; a Pi without network forgets it when it is switched off.",
    )


def heat(file: Path = HEAT_FILE) -> Finding:
    """How hot the processor is."""
    name = "heat"
    try:
        degrees = int(file.read_text(encoding="ascii")) / 1000
    except (OSError, ValueError):
        return absent(name, "no sensor")
    told = f"{degrees:.0f} degrees"
    if degrees >= HOT_C:
        return warn(name, told, "Give the machine air or a fan: from 80 degrees on it slows down.")
    return ok(name, told)


FLAGS: Final = (
    (0, "the supply is too weak now"),
    (2, "slowed down now"),
    (3, "slowed down by heat now"),
    (16, "the supply was too weak since the start"),
    (18, "was slowed down since the start"),
    (19, "was slowed down by heat since the start"),
)
"""Bits of what `vcgencmd get_throttled` tells, by Raspberry Pi's documentation."""


def power(ask_it: RunCommand = ask) -> Finding:
    """Whether a Raspberry Pi has or had too little power, or was slowed down."""
    name = "power"
    answer = ask_it(["vcgencmd", "get_throttled"])
    try:
        bits = int((answer or "").partition("=")[2], 16)
    except ValueError:
        return absent(name, "this machine does not tell")
    found = [words for bit, words in FLAGS if bits >> bit & 1]
    if not found:
        return ok(name, "enough, and never slowed down")
    return warn(
        name, ", ".join(found), "Use the supply made for this Pi, a short cable, and a fan or a heat sink."
    )
