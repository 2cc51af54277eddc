"""Another program that has a file open, as a match has its devices."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAM = "import sys; file = open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


@contextmanager
def other_program(path: Path) -> Iterator[int]:
    """The number of a process that has this file open for as long as the block lasts."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        yield other.pid
        other.communicate()
