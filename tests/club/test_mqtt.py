"""MQTT as the transport of a club, at a real broker."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from controller.club.mqtt import MqttTransport, connect_mqtt
from controller.club.transport import BrokerAddress, TransportError
from tests.club.broker import Broker
from tests.rows import each_row


def test_small_packets_do_not_wait_for_the_answer_to_the_ones_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[socket.socket] = []
    connect = socket.create_connection

    def remember(*args: object, **kwargs: object) -> socket.socket:
        opened.append(connect(*args, **kwargs))  # type: ignore[arg-type]
        return opened[-1]

    async def look(port: int) -> list[int]:
        async with connect_mqtt(BrokerAddress("127.0.0.1", port), client="anna"):
            return [one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in opened]

    with Broker(tmp_path) as broker:
        monkeypatch.setattr(socket, "create_connection", remember)
        assert asyncio.run(look(broker.port)) == [1]


GREETING = bytes([0x20, 3, 0, 0, 0])
"""CONNACK of MQTT 5: welcome."""


async def hang_up_after(answers: Sequence[bytes], asked: Callable[[MqttTransport], Awaitable[None]]) -> str:
    """Ask something of a broker that answers so much and then hangs up; why the connection could not be used."""
    left = list(answers)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(1000) and left:
            writer.write(left.pop(0))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    address = BrokerAddress("127.0.0.1", server.sockets[0].getsockname()[1])
    async with server:
        with pytest.raises(TransportError) as found:
            async with connect_mqtt(address, client="anna") as transport:
                await asked(transport)
    return str(found.value)


async def subscribe(transport: MqttTransport) -> None:
    await transport.subscribe(["pointsman/1/club/anna/confirmed"])


async def publish(transport: MqttTransport) -> None:
    await transport.publish("pointsman/1/club/anna/presence", b"{}")


@each_row("answers", [[], [GREETING]])
@each_row("asked", [subscribe, publish])
def test_nobody_waits_for_the_answer_of_a_broker_that_has_hung_up(
    answers: list[bytes], asked: Callable[[MqttTransport], Awaitable[None]]
) -> None:
    """It ends before it has greeted anybody, or before it answers what was asked."""
    assert "(it hung up)" in asyncio.run(hang_up_after(answers, asked))


def test_a_broker_that_greets_nobody_is_given_up_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.club.mqtt.TIMEOUT_S", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = BrokerAddress("127.0.0.1", silent.getsockname()[1])

        async def ask() -> None:
            async with connect_mqtt(address, client="anna"):
                pytest.fail("nobody has greeted")

        with pytest.raises(TransportError, match="it does not answer"):
            asyncio.run(ask())
