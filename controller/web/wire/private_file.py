"""Files that their owner alone may read, written whole."""

from pathlib import Path

from controller.errors import UserError
from controller.whole_file import part_of


class PrivateFileError(UserError):
    """A file that cannot be written."""


def write_private(path: Path, data: bytes) -> None:
    """Write a file whole, for its owner alone. Raises PrivateFileError."""
    try:
        with part_of(path) as part:
            part.write_bytes(data)
    except OSError as error:
        raise PrivateFileError(
            f"{path} cannot be written ({error.strerror}); make its folder writable."
        ) from None
