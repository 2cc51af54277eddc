"""The port at which the pages are offered: it is taken before anything of the web server is loaded."""

import socket
from typing import Final

from controller.errors import UserError

BACKLOG: Final = 256
_ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address of nobody (RFC 5737): to ask which of the machine's own addresses would be used; nothing is sent."""


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
    # Named, since asyncio sends without delay only through sockets that say they speak TCP: otherwise the body of an
    # answer waits 40 ms for the word that its head has come.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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


def own_address() -> str | None:
    """The address by which others in the network reach this machine, None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(_ELSEWHERE)
            host = str(asking.getsockname()[0])
        except OSError:
            return None
    return None if host.startswith("127.") else host
