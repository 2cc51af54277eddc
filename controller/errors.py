"""Errors that a user can act on."""

from typing import ClassVar


class UserError(Exception):
    """Bad input: the message is one sentence that names the input and the remedy.

    The command line prints the message on standard error and exits with `status`; anything else that
    escapes is a defect of the program.

    Attributes:
        status: the exit status of a command that ends with it.
    """

    status: ClassVar[int] = 2
