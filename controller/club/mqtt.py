"""MQTT 5 as the transport, by aiomqtt. No state that matters is kept in the broker: every session begins clean."""

import asyncio
import contextlib
import logging
import math
import socket
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Sequence
from typing import Any, Final, TypeVar

import aiomqtt
from paho.mqtt.client import Client as PahoClient
from paho.mqtt.client import DisconnectFlags
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.club.transport import (
    BrokerAddress,
    ClubMessage,
    RefusedMessageError,
    TakenOverError,
    TransportError,
)

KEEP_ALIVE_S: Final = 10
"""A table that says nothing for one and a half times as long is gone, for the broker."""
WILL_DELAY_S: Final = 10
"""A table whose radio drops for a moment is not reported as gone."""
TIMEOUT_S: Final = 5.0
LONGEST_QUEUE: Final = 10_000
MOST_BYTES: Final = 40_000_000
"""So much room what came in and is not heard yet takes at most; what is over is left out."""
MOST_OF_ADDRESS: Final = 10_000_000
"""So much what came in under one address, so that none takes the room of the others."""
OF_MESSAGE: Final = 4_000
"""A message counts as so many bytes more than it has."""
AT_ONCE: Final = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),)
"""Small packets leave at once. Otherwise each message waits for the other side's delayed answer to the one before:
40 ms, or 25 messages a second, by measurement."""
LOGIN_REFUSED: Final = frozenset({133, 134, 135, 140})
"""Reasons of a broker that does not let a login in (MQTT 5, section 3.2.2.2): name, password, rights, method."""
TAKEN_OVER: Final = 142
"""Why a broker ends a connection when another one comes under its name (MQTT 5, section 3.14.2.1)."""
GONE, SILENT = "it hung up", "it does not answer"
T = TypeVar("T")
_LOGGER: Final = logging.getLogger(__name__)
_LOGGER.addFilter(lambda record: record.exc_info is not None)
"""Keeps lost connections out of the terminal: aiomqtt would write them there, and its user learns of it anyway."""


class UnheardMessages(asyncio.Queue[aiomqtt.Message]):
    """What came in and is not heard yet."""

    def _init(self, maxsize: int) -> None:
        super()._init(maxsize)
        self._bytes = 0
        self._of_address: dict[str, int] = {}

    def put_nowait(self, item: aiomqtt.Message) -> None:
        """Take a message in. Raises asyncio.QueueFull if there is no room for it."""
        address, size = _address_and_size(item)
        of_address = self._of_address.get(address, 0) + size
        if self._bytes + size > MOST_BYTES or of_address > MOST_OF_ADDRESS:
            raise asyncio.QueueFull
        super().put_nowait(item)
        self._bytes += size
        self._of_address[address] = of_address

    def _get(self) -> aiomqtt.Message:
        item = super()._get()
        address, size = _address_and_size(item)
        self._bytes -= size
        left = self._of_address.pop(address) - size
        if left:
            self._of_address[address] = left
        return item


def _address_and_size(message: aiomqtt.Message) -> tuple[str, int]:
    payload = message.payload if isinstance(message.payload, bytes) else b""
    return str(message.topic), len(payload) + OF_MESSAGE


class PromptClient(aiomqtt.Client):
    """A client that waits for nobody who has gone: aiomqtt itself waits its whole time for an answer all the same.

    A broker that ends while a connection to it is being made would else cost a table, or the hub, seconds of silence.

    Attributes:
        taken_over: whether somebody else has come under this name.
    """

    taken_over: bool = False

    def _on_disconnect(
        self,
        client: PahoClient,
        userdata: Any,
        flags: DisconnectFlags,
        reason_code: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        # Called twice at times, the second time without the reason.
        self.taken_over = self.taken_over or reason_code.value == TAKEN_OVER
        super()._on_disconnect(client, userdata, flags, reason_code, properties)
        if not self._connected.done():
            self._connected.set_exception(aiomqtt.MqttError(GONE))
            self._connected.exception()  # nobody need ask for it: whoever waited may have given up
        self.hush()

    def hush(self) -> None:
        """Take note of why the connection ended, for good.

        aiomqtt keeps that as an error which nobody may ever ask for, such as when the connection was taken over while
        it was being made; asyncio would write each of them into the terminal, with a traceback and without a name.
        """
        if self._disconnected.done() and not self._disconnected.cancelled():
            self._disconnected.exception()

    async def _wait_for(self, fut: Awaitable[T], timeout: float | None) -> T:
        asked, longest = asyncio.ensure_future(fut), self.timeout if timeout is None else timeout
        either: set[asyncio.Future[Any]] = {asked, self._disconnected}
        try:
            await asyncio.wait(
                either, timeout=None if longest == math.inf else longest, return_when=asyncio.FIRST_COMPLETED
            )
            if asked.done():
                return asked.result()
            raise aiomqtt.MqttError(GONE if self._disconnected.done() else SILENT)
        finally:
            asked.cancel()


class _Client(PromptClient):
    """A client that knows what the broker answered to a message: aiomqtt itself takes a refusal for a success.

    Attributes:
        refused: why the broker did not accept the last message; empty if it did.
        here: the address from which it is or was connected; empty before that.
    """

    refused: str = ""
    here: str = ""

    def _on_socket_open(self, client: PahoClient, userdata: Any, sock: Any) -> None:
        with contextlib.suppress(OSError):  # lost again already
            host, port, *_ = sock.getsockname()
            self.here = f"{host}:{port}"
        super()._on_socket_open(client, userdata, sock)

    def _on_publish(
        self, client: PahoClient, userdata: Any, mid: int, reason_code: ReasonCode, properties: Properties
    ) -> None:
        if reason_code.is_failure:
            self.refused = str(reason_code)
        super()._on_publish(client, userdata, mid, reason_code, properties)


class MqttTransport:
    """See `ClubTransport`."""

    def __init__(self, client: _Client) -> None:
        """The client is connected."""
        self._client = client
        self._turn = asyncio.Lock()

    @property
    def here(self) -> str:
        """See `ClubTransport`."""
        return self._client.here

    async def publish(
        self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False, expires_s: int | None = None
    ) -> None:
        """See `ClubTransport`."""
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        if expires_s is not None:
            properties.MessageExpiryInterval = expires_s
        try:
            # One at a time, so that a refusal belongs to the message that was sent last.
            async with self._turn:
                self._client.refused = ""
                await self._client.publish(topic, payload, qos=qos, retain=retain, properties=properties)
                refused = self._client.refused
        except aiomqtt.MqttError as error:
            raise self._lost(error) from error
        if refused:
            raise RefusedMessageError(
                f"The broker did not accept what was said under {topic} ({refused}); check what this login may say."
            )

    async def subscribe(self, topics: Sequence[str], *, qos: int = 1) -> None:
        """See `ClubTransport`."""
        try:
            codes = await self._client.subscribe([(topic, qos) for topic in topics])
        except aiomqtt.MqttError as error:
            raise self._lost(error) from error
        for topic, code in zip(topics, codes, strict=True):
            if isinstance(code, ReasonCode) and code.is_failure:
                raise RefusedMessageError(
                    f"The broker does not let this login hear {topic} ({code}); check what it may hear."
                )

    async def messages(self) -> AsyncIterator[ClubMessage]:
        """See `ClubTransport`."""
        try:
            async for message in self._client.messages:
                payload = message.payload if isinstance(message.payload, bytes) else b""
                yield ClubMessage(str(message.topic), payload, message.retain)
        except aiomqtt.MqttError as error:
            raise self._lost(error) from error

    def _lost(self, error: Exception) -> TransportError:
        if self._client.taken_over:
            return TakenOverError(
                "Another one has logged in under this name; give each table a name of its own and pair it again.",
                self._client.here,
            )
        return TransportError(
            f"The connection to the broker was lost ({error}); it is tried again by itself.",
            self._client.here,
        )


@contextlib.asynccontextmanager
async def connect_mqtt(
    address: BrokerAddress, *, client: str, will: ClubMessage | None = None
) -> AsyncGenerator[MqttTransport]:
    """See `Connect`."""
    will_properties = Properties(PacketTypes.WILLMESSAGE)  # type: ignore[no-untyped-call]
    will_properties.WillDelayInterval = WILL_DELAY_S
    testament = (
        None
        if will is None
        else aiomqtt.Will(will.topic, will.payload, qos=1, retain=True, properties=will_properties)
    )
    opened = _Client(
        address.host,
        address.port,
        username=address.user or None,
        password=address.password or None,
        identifier=client,
        protocol=aiomqtt.ProtocolVersion.V5,
        socket_options=AT_ONCE,
        will=testament,
        timeout=TIMEOUT_S,
        keepalive=KEEP_ALIVE_S,
        clean_start=True,
        max_queued_incoming_messages=LONGEST_QUEUE,
        queue_type=UnheardMessages,
        tls_context=_tls(address),
        logger=_LOGGER,
    )
    try:
        await opened.__aenter__()
    except aiomqtt.MqttError as error:
        raise _failure(address, error, opened.here) from error
    try:
        yield MqttTransport(opened)
    finally:
        with contextlib.suppress(aiomqtt.MqttError):  # it was lost already
            await opened.__aexit__(None, None, None)
        opened.hush()


async def reach_broker(address: BrokerAddress) -> None:
    """See whether a broker answers, with the certificate that is expected of it, without logging in.

    Raises:
        TransportError: if it does not.
    """
    trust = _tls(address)
    try:
        async with asyncio.timeout(TIMEOUT_S):
            _, writer = await asyncio.open_connection(address.host, address.port, ssl=trust)
    except ssl.SSLError as error:
        raise _other_broker(address, error) from None
    except (OSError, TimeoutError) as error:
        raise _unusable(address, str(error) or "it does not answer") from None
    writer.transport.abort()  # the broker waits for a greeting, and says no goodbye without one


def _tls(address: BrokerAddress) -> ssl.SSLContext | None:
    if address.authority is None:
        return None
    try:
        return ssl.create_default_context(cafile=address.authority)
    except (OSError, ssl.SSLError) as error:
        raise TransportError(
            f"{address.authority} holds no certificate that can be read ({error}); pair the table with the hub again."
        ) from None


def _failure(address: BrokerAddress, error: aiomqtt.MqttError, here: str) -> TransportError:
    """Why there is no connection: the broker or its certificate says no, or nobody answers."""
    code = getattr(error, "rc", None)
    if isinstance(code, ReasonCode) and code.value in LOGIN_REFUSED:
        return RefusedMessageError(
            f"{_named(address)} does not let this login in ({code}); pair the table with the hub again."
        )
    if isinstance(error.__cause__, ssl.SSLError) or isinstance(error.__context__, ssl.SSLError):
        return _other_broker(address, error)
    return _unusable(address, error, here)


def _named(address: BrokerAddress) -> str:
    return f"The broker at {address.host}, port {address.port},"


def _other_broker(address: BrokerAddress, error: Exception) -> RefusedMessageError:
    return RefusedMessageError(
        f"{_named(address)} is not the one that this table was paired with ({error}); pair the table with the "
        "hub again."
    )


def _unusable(address: BrokerAddress, why: Exception | str, here: str = "") -> TransportError:
    return TransportError(
        f"{_named(address)} cannot be used ({why}); check that the hub runs, and the network.", here
    )
