"""MQTT as the transport of a club, at a real broker."""

import asyncio
import socket
from pathlib import Path

import pytest

from controller.club.mqtt import connect_mqtt
from controller.club.transport import BrokerAddress
from tests.club.broker import Broker


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
