"""Files and folders of results that appear whole or not at all, and are their owner's."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from controller.errors import UserError
from controller.locks import hold
from controller.whole_file import write_through

SQLITE_HELPERS: Final = ("-wal", "-shm")
"""Left by a crash beside a database; SQLite would apply them to the new one that takes its place."""


class DeliveryError(UserError):
    """The results cannot be put where they were asked for."""


class Delivery:
    """Files are made in `folder`, a hidden place next to the target, and moved into the target at the end.

    Leaving the `with` block in order writes every file through to the disk and moves it, replacing one of the
    same name; leaving it by an exception takes everything away again, also a target folder that was made for
    it. What else lies in the target is not touched.

    Raises:
        DeliveryError: on entering, if the target is a file or cannot be written to.
    """

    def __init__(self, target: Path) -> None:
        """Results will go into the folder `target`, which need not exist yet."""
        self.target = target
        self.folder = target
        self._made: list[Path] = []

    def __enter__(self) -> Self:
        """Make the hidden folder."""
        if self.target.exists() and not self.target.is_dir():
            raise DeliveryError(f"{self.target} is a file; name a folder for the results.")
        try:
            way = (*reversed(self.target.parents), self.target)
            self._made = [folder for folder in way if not folder.exists()]
            make_folder(self.target)
            self.folder = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=self.target))
        except OSError as error:
            self._take_away()
            raise DeliveryError(
                f"Cannot write to {self.target} ({error.strerror}); name another folder for the results."
            ) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Move the files into the target, or take them away."""
        if kind is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self._take_away()
            return
        for made in sorted(self.folder.iterdir()):
            write_through(made)
            for helper in SQLITE_HELPERS:
                (self.target / f"{made.name}{helper}").unlink(missing_ok=True)
            made.replace(self.target / made.name)
        self.folder.rmdir()
        write_through(self.target)

    def _take_away(self) -> None:
        for folder in reversed(self._made):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()


@contextmanager
def alone_with(path: Path) -> Iterator[None]:
    """Whoever else of these programs would read a file and replace it waits until the block is left.

    What is held is a file of its own beside it, for a file that is replaced is another one afterwards.

    Raises:
        OSError: if nothing can be written there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _wait_for(descriptor)
        yield
    finally:
        os.close(descriptor)


def _wait_for(descriptor: int) -> None:
    try:
        hold(descriptor, wait=True)
    except BlockingIOError:
        raise
    except OSError:  # some network folders know no locks
        return


def make_folder(path: Path) -> None:
    """Make a folder of the record, and those it lies in, which only their owner may look into.

    Raises:
        OSError: if that is not possible.
    """
    for folder in (*reversed(path.parents), path):
        if not folder.is_dir():
            folder.mkdir(mode=0o700)
