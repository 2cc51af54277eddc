"""Which programs have a device open already."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

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
            if any(_is(link, real) for link in (folder / "fd").iterdir()):
                yield Holder(int(folder.name), (folder / "comm").read_text(errors="replace").strip())


def _is(link: Path, real: str) -> bool:
    """Whether an open file is this device. In a container another one may bear its name."""
    try:
        return str(link.readlink()) == real and os.path.samestat(link.stat(), Path(real).stat())
    except OSError:
        return False
