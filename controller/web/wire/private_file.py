"""Files that their owner alone may read, written whole."""

import os
from pathlib import Path

from controller.errors import UserError


class PrivateFileError(UserError):
    """A file that cannot be written."""


def write_private(path: Path, data: bytes) -> None:
    """Write a file whole, for its owner alone. Raises PrivateFileError."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise PrivateFileError(
            f"{path} cannot be written ({error.strerror}); make its folder writable."
        ) from None
