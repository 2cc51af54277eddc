"""What this user may open, and which program has a device open already."""

import grp
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.config.config import Config
from controller.config.sections import DiceAt, LightsAt
from controller.doctor.finding import Finding, absent, ok, warn

PROCESSES: Final = Path("/proc")


@dataclass(frozen=True, slots=True)
class Holder:
    """A program that has a file open."""

    process: int
    name: str

    def __str__(self) -> str:
        """For people."""
        return f"{self.name} (process {self.process})"


def holders(device: Path, processes: Path = PROCESSES) -> list[Holder]:
    """Other programs that have a device open, as far as this user may see. The device itself is not touched."""
    real = os.path.realpath(device)
    return [found for found in _all_open(real, processes) if found.process != os.getpid()]


def _all_open(real: str, processes: Path) -> Iterator[Holder]:
    for folder in sorted(path for path in processes.iterdir() if path.name.isdigit()):
        # What is not ours to look at, or has just ended, is passed over.
        with suppress(OSError):
            if any(_target(link) == real for link in (folder / "fd").iterdir()):
                yield Holder(int(folder.name), (folder / "comm").read_text(errors="replace").strip())


def _target(link: Path) -> str | None:
    try:
        return str(link.readlink())
    except OSError:
        return None


def in_use(name: str, device: str, holder: Holder) -> Finding:
    """Another program has it, so it was not touched."""
    return warn(
        name,
        f"{device} is in use by {holder}",
        "If a match is running there, all is well; otherwise close that program.",
    )


def my_groups() -> frozenset[str]:
    """The names of the groups that this process is in."""
    names = set()
    for number in {*os.getgroups(), os.getegid()}:
        try:
            names.add(grp.getgrgid(number).gr_name)
        except KeyError:
            continue
    return frozenset(names)


def needed_groups(config: Config) -> dict[str, str]:
    """The groups that the configuration needs, each with what for."""
    needed = {"video": "the camera"}
    if config.port() is not None or config.dice.source is DiceAt.TEXT:
        needed["dialout"] = "the serial port"
    if config.pins():
        needed["gpio"] = "the pins"
    if config.lights_at() is LightsAt.STRIP:
        needed["spi"] = "the strip at the SPI line"
    return needed


def groups(config: Config, mine: frozenset[str], *, root: bool) -> Iterator[Finding]:
    """One line for each group that is needed."""
    for group, what in needed_groups(config).items():
        name = f"group {group}"
        if root:
            yield ok(name, "this is root, who may open everything")
        elif group in mine:
            yield ok(name, f"this user may open {what}")
        elif not _exists(group):
            yield absent(name, "this system has no such group")
        else:
            yield warn(
                name,
                f"this user may not open {what}",
                f"Run: sudo usermod -a -G {group} $USER, then log out and in again.",
            )


def _exists(group: str) -> bool:
    try:
        grp.getgrnam(group)
    except KeyError:
        return False
    return True
