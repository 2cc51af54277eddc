"""What the commands print and write."""

import datetime
import sys
from pathlib import Path

from controller.errors import UserError


def printable(text: str) -> str:
    r"""A text that cannot play tricks with the terminal: control and invisible signs come as `\x1b`, `\u202e`.

    Names of files and matches may hold anything.
    """
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text
    )


def put(text: str) -> None:
    """Print lines on standard output, at once and printable."""
    sys.stdout.write("".join(f"{printable(line)}\n" for line in text.split("\n")))
    sys.stdout.flush()


def note(text: str) -> None:
    """Print a line on standard error, where people read what is not the answer itself."""
    sys.stdout.flush()
    sys.stderr.write(f"{printable(text)}\n")


def complain(text: str) -> None:
    """Say on standard error in one line what went wrong."""
    note(f"pointsman: {text}")


def counted(number: int, noun: str, nouns: str = "") -> str:
    """A number with its noun: `1 match`, `2 matches`."""
    return f"{number} {noun if number == 1 else nouns or noun + 's'}"


def write_text(path: Path, text: str) -> None:
    """Write a file as UTF-8, as `write_bytes`."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all.

    Raises:
        UserError: if it cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UserError(f"{path} cannot be written ({error.strerror}); choose another place.") from None


def utc_now() -> str:
    """The time of day for the record, ISO 8601 in UTC."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
