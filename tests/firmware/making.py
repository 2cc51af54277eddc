"""How tests make a chip, of whichever kind, and firmware with something changed in it."""

import shutil
import subprocess
from pathlib import Path
from typing import Protocol

from controller.simulation.electronics.chip import FIRMWARE, PROGRAMS
from controller.simulation.electronics.microcontroller import Microcontroller


class Make(Protocol):
    """Makes a chip: the real firmware in its simulator, or the program that stands in for it."""

    def __call__(self, *, noise_seed: int = 1) -> Microcontroller:
        """A chip that was just given its power."""


def altered(tmp_path: Path, *changes: tuple[str, str, str], chip: str = "atmega328p") -> Path:
    """The firmware of a chip built with some things changed (file, old text, new text), to see what comes of it."""
    copy = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, copy, ignore=shutil.ignore_patterns("build"))
    for file, old, new in changes:
        source = (copy / file).read_text()
        assert source.count(old) == 1, (file, old)
        (copy / file).write_text(source.replace(old, new))
    program = f"build/{PROGRAMS[chip]}"
    subprocess.run(["make", "-s", "-C", str(copy), program], check=True)
    return copy / program
