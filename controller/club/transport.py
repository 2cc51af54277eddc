"""How messages get from a table to its hub and back; whoever speaks MQTT fills it in."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, Self

from controller.errors import UserError

PORT: Final = 1883
TLS_PORT: Final = 8883
_ADDRESS: Final = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<host>[\w.-]+))(?::(?P<port>\d{1,5}))?")
"""A name or number and a port; a number of version 6 stands in brackets."""


class ClubAddressError(UserError):
    """What is to be the address of a broker is none."""


class TransportError(UserError):
    """The broker cannot be reached, or refuses who comes; trying again later is the remedy where nothing is said.

    Attributes:
        here: the address from which this machine was connected, ``host:port``; empty if it was not.
    """

    def __init__(self, sentence: str, here: str = "") -> None:
        super().__init__(sentence)
        self.here = here


class RefusedMessageError(TransportError):
    """The broker did not accept a message: this login may not say that."""


class TakenOverError(TransportError):
    """Somebody else has logged in under the same name, so that the broker ended this connection."""


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Where the broker is, and how to log in.

    Attributes:
        host, port: of the broker.
        user, password: of the login; empty for none.
        authority: the file with the certificate of the club's authority; None without TLS.
    """

    host: str
    port: int = PORT
    user: str = ""
    password: str = ""
    authority: Path | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """The broker that ``host`` or ``host:port`` names. Raises ClubAddressError."""
        found = _ADDRESS.fullmatch(text.strip())
        if found is None or not 0 < int(found["port"] or PORT) < 65_536:
            raise ClubAddressError(
                f"{text!r} is no address of a broker; give host or host:port, such as 192.168.1.20:1883."
            )
        return cls(found["six"] or found["host"], int(found["port"] or PORT))


@dataclass(frozen=True, slots=True)
class ClubMessage:
    """One message that came in, or is to be left behind as a will.

    Attributes:
        topic: its address.
        payload: what it says.
        retained: whether it was kept by the broker for whoever comes later.
    """

    topic: str
    payload: bytes
    retained: bool = False


class ClubTransport(Protocol):
    """A connection to a broker, open."""

    @property
    def here(self) -> str:
        """The address from which this machine is connected, ``host:port``; empty if it is not known."""

    async def publish(
        self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False, expires_s: int | None = None
    ) -> None:
        """Say something; returns when the broker has taken it (QoS 1) or it was written (QoS 0).

        Raises:
            RefusedMessageError: if the broker says that this login may not say that.
            TransportError: if the connection is gone.
        """

    async def subscribe(self, topics: Sequence[str], *, qos: int = 1) -> None:
        """Hear what is said under these addresses. Raises as `publish`."""

    def messages(self) -> AsyncIterator[ClubMessage]:
        """Each message that comes in. Raises TransportError when the connection is lost."""


class Connect(Protocol):
    """Opens connections."""

    def __call__(
        self, address: BrokerAddress, *, client: str, will: ClubMessage | None = None
    ) -> AbstractAsyncContextManager[ClubTransport]:
        """A connection, for as long as the block is not left; raises TransportError on entering.

        Args:
            address: the broker.
            client: the name of the connection; another one with the same name ends it.
            will: what the broker says (retained, QoS 1) ten seconds after the connection was lost.
        """
