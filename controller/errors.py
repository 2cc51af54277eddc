"""Errors that a user can act on."""


class UserError(Exception):
    """Bad input: the message is one sentence that names the input and the remedy.

    The command line prints the message on standard error and exits with 2; anything else that
    escapes is a defect of the program.
    """
