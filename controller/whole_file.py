"""Files that take the place of others whole or not at all, also when the power goes at that moment."""

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from controller.locks import FOLDERS


def write_through(path: Path) -> None:
    """Have a file's or a folder's content on the disk before going on."""
    if not FOLDERS and path.is_dir():
        return
    # Windows writes nothing through that was opened to be read.
    descriptor = os.open(path, os.O_RDONLY if FOLDERS else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def part_of(path: Path) -> Iterator[Path]:
    """A new file beside another, for its owner alone, that takes the other's place when the block is left in order.

    It has that place for good, whatever happens to the power afterwards.

    Raises:
        OSError: if it cannot be made or moved; then all is as it was.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        write_through(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    with suppress(OSError):  # some file systems write no folder through; the file has its place all the same
        write_through(path.parent)


def replace_file(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Put a file in the place of another at one moment, with the rights of the other or else these.

    Raises:
        OSError: if it cannot be written; then all is as it was.
    """
    if path.exists():
        mode = stat.S_IMODE(path.stat().st_mode)
    with part_of(path) as part:
        part.write_bytes(data)
        part.chmod(mode)
