"""The blocks of a page of set-up as a reader types them, on a machine that is a folder.

Paths of the system lie in that folder. `sudo` is no more than the command behind it, `ssh USER@table` is this
machine, and `systemctl` and `mount` write down what they were told.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.docs.claims import pieces
from tests.test_imports import ROOT

INSTALLATION: Final = ROOT / "hardware_docs" / "installation.md"
CAMERA: Final = ROOT / "hardware_docs" / "camera.md"
PLACES: Final = re.compile(r"(?<![\w.])/(?=(?:etc|var/lib|tmp)/)")
PATIENCE_S: Final = 300


def section(page: Path, heading: str) -> list[str]:
    """The words of all pieces below a heading, in their order."""
    return [piece.words for piece in pieces(page) if piece.section == heading]


def block(page: Path, *beginnings: str) -> str:
    """The one block of code that begins with one of these words."""
    (found,) = (piece.words for piece in pieces(page) if piece.is_code and piece.words.startswith(beginnings))
    return found


def sentence(page: Path, words: str) -> str:
    """The one sentence or row that has these words."""
    (found,) = (piece.words for piece in pieces(page) if not piece.is_code and words in piece.words)
    return found


@dataclass
class PageMachine:
    """A folder that stands for a machine.

    Attributes:
        root: what is `/` on it.
        home: where whoever reads the page types.
    """

    root: Path
    home: Path

    @property
    def told(self) -> list[str]:
        """What systemctl, mount and chown were told, a line each."""
        log = self.root / "told"
        return log.read_text().splitlines() if log.exists() else []

    def type(self, text: str, **instead: str) -> str:
        """Type a block as it stands, with words of the page replaced by a reader's own; what it printed."""
        typed = PLACES.sub(f"{self.root}/", text)
        for name, words in instead.items():
            assert name in typed, name
            typed = typed.replace(name, words)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", typed],
            cwd=self.home,
            env={**os.environ, "PATH": f"{self.root}/bin:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        assert done.returncode == 0, f"{typed}\n{done.stdout}{done.stderr}"
        return done.stdout


def page_machine(folder: Path) -> PageMachine:
    """A new machine in a folder, with nothing on it but its programs."""
    root, home = folder / "machine", folder / "home"
    for place in ("bin", "etc", "tmp", "var/lib/pointsman", "var/lib/pointsman-hub"):
        (root / place).mkdir(parents=True)
    home.mkdir()
    for name, does in _programs(root):
        (root / "bin" / name).write_text(f"#!/bin/sh\n{does}\n")
        (root / "bin" / name).chmod(0o755)
    return PageMachine(root, home)


def _programs(root: Path) -> Iterator[tuple[str, str]]:
    pointsman = f"{shlex.quote(sys.executable)} -m controller"
    yield "sudo", 'exec "$@"'
    yield "ssh", '[ "$1" != -t ] || shift; shift; [ $# = 0 ] || exec sh -c "$*"'
    yield "scp", 'from=${1#*:}; [ "$from" -ef "./$(basename "$from")" ] || cp "$from" .'
    yield "pointsman", f'exec {pointsman} "$@"'
    for name, place in (("pointsman-table", "pointsman"), ("pointsman-hub", "pointsman-hub")):
        yield name, f'cd {root}/var/lib/{place} && exec {pointsman} "$@"'
    for name in ("systemctl", "mount", "chown", "apt"):
        yield name, f'echo "{name} $*" >>{root}/told'
