"""Errors that a user can act on."""

from typing import ClassVar, Final

LONGEST_REPR: Final = 80
"""Signs of what was given that a sentence repeats."""


class UserError(Exception):
    """Bad input: the message is one sentence that names the input and the remedy.

    The command line prints the message on standard error and exits with `status`; anything else that
    escapes is a defect of the program.

    Attributes:
        status: the exit status of a command that ends with it.
    """

    status: ClassVar[int] = 2


def short_repr(given: object) -> str:
    """What was given as a program writes it, in one line and not longer than a sentence bears."""
    try:
        words = " ".join(repr(given).split())
    except Exception:  # noqa: BLE001 - a number of thousands of digits, or an object that cannot write itself
        return f"a {type(given).__name__} that cannot be shown"
    return words if len(words) <= LONGEST_REPR else f"{words[:LONGEST_REPR]}..."
