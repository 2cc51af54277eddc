"""NATS JetStream between hubs: its servers, the stream of entries, and why it cannot be used.

Hubs publish entries under ``pointsman.1.<club>.<table>.events``. The stream keeps a message until the federation's
hub has it on its disk. Confirmations come under ``pointsman.1.<club>.<table>.confirmed``, past the stream.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import urlsplit

from controller.club.topics import ClubNameError, TableAddress
from controller.hub.uplink.other_hub import UplinkError

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.js.api import StreamConfig

ROOT: Final = "pointsman.1"
STREAM: Final = "POINTSMAN"
DURABLE: Final = "hub"
"""The federation's place in the stream."""
EVENTS: Final = f"{ROOT}.*.*.events"
ASKED: Final = f"{ROOT}.*.asked"
"""A club asks how far its journals are at the federation."""
BEGUN: Final = f"{ROOT}.begun"
"""The federation's hub has begun anew: what it said before is to be asked again."""
DUPLICATE_S: Final = 120.0
"""A message with the name of one that came so shortly before is dropped; the store decides where one comes later."""
MOST_BYTES: Final = 1 << 30
"""Of the stream; when it is full, hubs wait and keep what they have."""
ONE_MOST_BYTES: Final = 1 << 20
COPIES: Final = 3
PORT: Final = 4222
CONNECT_S: Final = 5.0
CLOSE_S: Final = 1.0
PING_S: Final = 5
ENOUGH: Final = 1000
"""Bytes of a message beside what it carries."""
FULL: Final = frozenset({10023, 10026, 10047, 10076, 10077})
"""Error codes of JetStream: a stream, an account or a disk is full (server/errors.json of nats-server)."""


@dataclass(frozen=True, slots=True)
class NatsAddress:
    """Servers of NATS, any of which will do.

    Attributes:
        urls: of the servers, ``nats://host:port`` or ``tls://host:port``, all of one kind.
        user, password: of the login; a token stands alone as the password; empty for none.
    """

    urls: tuple[str, ...]
    user: str = ""
    password: str = ""

    @classmethod
    def parse(cls, text: str, key: str = "") -> Self:
        """The servers that ``nats://host:port,host:port`` names; ``key`` is ``user:password`` or a token.

        Raises:
            UplinkError: if it is no such address.
        """
        scheme, _, hosts = text.strip().partition("://")
        urls = tuple(f"{scheme}://{host.strip().rpartition('://')[2]}" for host in hosts.split(","))
        wrong = UplinkError(
            f"{text!r} is no address of NATS; give one such as nats://host:4222, tls://host:4222 or "
            "nats://first:4222,second:4222."
        )
        if scheme not in ("nats", "tls"):
            raise wrong
        for url in urls:
            parts = urlsplit(url)
            try:
                port = parts.port
            except ValueError:
                raise wrong from None
            if not parts.hostname or port == 0 or parts.path or parts.username:
                raise wrong
        user, colon, password = key.strip().partition(":")
        return cls(urls, user if colon else "", password if colon else user)

    @property
    def name(self) -> str:
        """The first server, in sentences."""
        return urlsplit(self.urls[0]).netloc

    @property
    def encrypted(self) -> bool:
        """Whether what is said is encrypted."""
        return self.urls[0].startswith("tls")

    @property
    def copies(self) -> int:
        """How many servers keep each message: three where there are as many."""
        return COPIES if len(self.urls) >= COPIES else 1


class NatsConnection:
    """An open connection.

    Attributes:
        client: of the library.
        lost: is set when it is lost.
        refused: what the server has refused this login last; empty for nothing.
    """

    def __init__(self, client: "Client") -> None:
        """Open."""
        self.client = client
        self.lost = asyncio.Event()
        self.refused = ""
        self.problem: Exception | None = None

    async def hear_error(self, error: Exception) -> None:
        """For the library: something is wrong with the connection."""
        self.problem = error
        if "permissions violation" in str(error).casefold():
            self.refused = str(error).removeprefix("nats: ")

    async def hear_end(self) -> None:
        """For the library: the connection is gone."""
        self.lost.set()


@contextlib.asynccontextmanager
async def connected(address: NatsAddress, name: str, first: int = 0) -> AsyncIterator[NatsConnection]:
    """A connection to one of the servers, for as long as the block is not left.

    Args:
        address: the servers.
        name: what the connection is called at the server.
        first: the number of the server to try first; the others follow.

    Raises:
        UplinkError: if none of them can be used.
    """
    failure = UplinkError("")
    for number in range(len(address.urls)):
        try:
            connection = await _connect(address, address.urls[(first + number) % len(address.urls)], name)
        except UplinkError as error:
            failure = error
            continue
        try:
            yield connection
        finally:
            await _close(connection.client)
        return
    raise failure


async def _connect(address: NatsAddress, url: str, name: str) -> NatsConnection:
    try:
        import nats.errors
        from nats.aio.client import Client
    except ModuleNotFoundError:
        raise UplinkError(
            "An uplink over NATS needs the package nats-py; install it with: pip install 'pointsman[nats]'"
        ) from None
    client = Client()
    connection = NatsConnection(client)
    host = urlsplit(url).netloc
    options: dict[str, Any] = {}
    if address.encrypted:
        options["tls"] = ssl.create_default_context()
    if address.user:
        options |= {"user": address.user, "password": lambda: _password(client, address, host)}
    elif address.password:
        options["token"] = lambda: _password(client, address, host)
    try:
        await asyncio.wait_for(
            client.connect(
                [url],
                name=name,
                error_cb=connection.hear_error,
                closed_cb=connection.hear_end,
                allow_reconnect=False,
                max_reconnect_attempts=1,
                reconnect_time_wait=0,
                connect_timeout=int(CONNECT_S),
                ping_interval=PING_S,
                max_outstanding_pings=2,
                **options,
            ),
            CONNECT_S,
        )
    except (OSError, nats.errors.Error, TimeoutError, ssl.SSLError) as error:
        await _close(client)
        if isinstance(error, nats.errors.NoServersError):
            raise _failure(host, connection.problem or error) from None
        raise _failure(host, error) from None
    except UplinkError:
        await _close(client)
        raise
    return connection


async def _close(client: "Client") -> None:
    """Let go of a connection; one whose encryption failed never says that it is closed."""
    closing = asyncio.create_task(client.close())
    await asyncio.wait({closing}, timeout=CLOSE_S)
    closing.cancel()


def _password(client: "Client", address: NatsAddress, host: str) -> str:
    """The password, unless it would cross the network unencrypted against what was asked for."""
    if address.encrypted and not client._server_info.get("tls_required"):
        raise UplinkError(
            f"NATS at {host} does not encrypt; let it use TLS, or name it with nats:// if the network is safe."
        )
    return address.password


def _failure(host: str, error: Exception) -> UplinkError:
    text = str(error).casefold()
    if "authorization" in text or "authentication" in text:
        return UplinkError(
            f"NATS at {host} refuses this login; name the file with the right one, user:password or a token."
        )
    if isinstance(error, ssl.SSLError):
        return UplinkError(
            f"NATS at {host} has no certificate that is trusted here ({error}); the environment variable "
            "SSL_CERT_FILE names the file of its authority."
        )
    if "info message" in text or (isinstance(error, ValueError) and not isinstance(error, OSError)):
        return UplinkError(f"What answers at {host} is no NATS; check the address.")
    return UplinkError(f"NATS at {host} cannot be reached ({str(error) or 'no answer'}).")


def explained(host: str, error: Exception, refused: str = "") -> UplinkError:
    """Why JetStream did not do what was asked for, in a sentence."""
    import nats.errors
    import nats.js.errors

    if refused:
        return UplinkError(
            f"NATS at {host} does not let this login do that ({refused}); check its permissions there."
        )
    if isinstance(error, nats.js.errors.NoStreamResponseError):
        return UplinkError(
            f"NATS at {host} has no stream for entries; start the federation's hub with --regions first, and see "
            "that the servers run with JetStream."
        )
    if isinstance(error, nats.js.errors.APIError):
        if error.err_code in FULL or "maximum" in str(error.description):
            return UplinkError(
                f"The stream at NATS {host} is full ({error.description}); it empties as the federation's hub reads."
            )
        if error.err_code in (10076, 10039) or error.err_code is None:
            return UplinkError(
                f"NATS at {host} runs without JetStream; start it with --jetstream, or enable it for this account."
            )
        return UplinkError(f"JetStream at {host} does not do it ({error.description}).")
    if isinstance(error, nats.errors.MaxPayloadError):
        return UplinkError(f"NATS at {host} takes no entry as large as one here; raise its max_payload.")
    if isinstance(error, nats.errors.NoRespondersError):
        return UplinkError(
            f"NATS at {host} runs without JetStream; start it with --jetstream, or enable it for this account."
        )
    return UplinkError(
        f"JetStream at {host} does not answer just now ({error}); more than half of its servers must run."
    )


def stream_config(copies: int, most_bytes: int = MOST_BYTES) -> "StreamConfig":
    """The stream: whatever has been read is gone from it, and it takes nothing more when it is full."""
    from nats.js.api import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig

    return StreamConfig(
        name=STREAM,
        subjects=[EVENTS],
        retention=RetentionPolicy.WORK_QUEUE,
        discard=DiscardPolicy.NEW,
        max_bytes=most_bytes,
        storage=StorageType.FILE,
        num_replicas=copies,
        duplicate_window=DUPLICATE_S,
    )


def subject(club: str, *names: str) -> str:
    """The address of something that a club, or a table of it, says or hears."""
    return ".".join((ROOT, club, *names))


def sender_of(address: str) -> tuple[str, str]:
    """Club and table of an address of entries. Raises ClubNameError."""
    parts = address.split(".")
    if len(parts) != 5 or ".".join(parts[:2]) != ROOT:
        raise ClubNameError(f"{address!r} is no address of a table.")
    TableAddress(parts[2], parts[3])
    return parts[2], parts[3]


def read_key(file: Path | None, option: str) -> str:
    """What the file with a login holds; empty for no file.

    Raises:
        UplinkError: if it cannot be read; the sentence names the option.
    """
    if file is None:
        return ""
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UplinkError(f"{option} {file} cannot be read ({error}); name the file with the key.") from None


def table_names(told: object) -> Sequence[tuple[str, str]]:
    """The journals that a question asks for, by table; what is no such question asks for none."""
    if not isinstance(told, dict):
        return ()
    return [
        (table, journal)
        for table, journals in told.items()
        if isinstance(journals, list)
        for journal in journals
        if isinstance(journal, str)
    ]
