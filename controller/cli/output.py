"""What the commands print and write."""

import sys
from collections.abc import Iterable
from pathlib import Path


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


def write_text(path: Path, text: str, inputs: Iterable[Path] = ()) -> None:
    """Write a file whole or not at all; see `write_out`."""
    write_out(path, text.encode(), inputs)


def write_out(path: Path, data: bytes, inputs: Iterable[Path] = ()) -> None:
    """Write a file whole or not at all, and never over a journal, its evidence, or the files that were read.

    Every command that has an option for a file to write writes through here.

    Raises:
        UserError: if what is there would be lost, or it cannot be written.
    """
    from controller.record.table.destination import write_file  # loads much that most commands do without

    write_file(path, data, inputs)
