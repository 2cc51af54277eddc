"""The port at which the pages are offered: it is taken before anything of the web server is loaded."""

import socket
from typing import Final

from controller.errors import UserError

BACKLOG: Final = 256


class ServerError(UserError):
    """The pages cannot be offered as was asked for."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; whoever comes waits until a server answers.

    Args:
        host: the address to listen at.
        port: 0 for any that is free.

    Raises:
        ServerError: if it cannot be listened there.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise ServerError(
            f"The pages cannot be offered at {host}, port {port} ({error.strerror}); name another port, or end the "
            "program that uses it."
        ) from None
    return listening
