"""Lines of dice units through a broker of MQTT: a real Mosquitto, that can be killed."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from controller.config.dice import name_dice, open_dice
from controller.config.sections import DiceAt, DiceSection
from controller.devices.dice.lines import (
    MOST_HEARD,
    DiceAddressError,
    DiceTopic,
    TopicLine,
    without_login,
)
from controller.devices.dice.source import DeviceRoll
from controller.devices.dice.status import DiceCode
from controller.devices.dice.unit_rolls import UnitRolls
from tests.club.broker import Broker
from tests.rows import each_row

PATIENCE_S = 120.0


def until(unit: UnitRolls, fulfilled: Callable[[], bool], rolls: list[DeviceRoll]) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not fulfilled():
        assert time.monotonic() < ends, unit.status
        rolls += unit.poll(time.monotonic())
        time.sleep(0.01)


def publish(broker: Broker, *texts: str, retain: bool = False) -> None:
    client = Client(CallbackAPIVersion.VERSION2)
    client.connect("127.0.0.1", broker.port)
    client.loop_start()
    for sent in [client.publish("table/dice", text, qos=1, retain=retain) for text in texts]:
        sent.wait_for_publish(PATIENCE_S)
    client.disconnect()
    client.loop_stop()


def test_a_broker_that_dies_is_told_and_rolls_come_again_when_it_is_back(tmp_path: Path) -> None:
    rolls: list[DeviceRoll] = []
    with Broker(tmp_path) as broker:
        port = f"mqtt://127.0.0.1:{broker.port}/table/dice"
        unit = open_dice(DiceSection(source=DiceAt.TEXT, port=port))
        assert unit is not None
        publish(broker, "ROLL 6 6", retain=True)
        until(unit, lambda: unit.status is not None and unit.status.code is DiceCode.READY, rolls)

        def roll_until_heard(text: str) -> None:
            before = len(rolls)
            ends = time.monotonic() + PATIENCE_S
            while len(rolls) == before and time.monotonic() < ends:  # until the subscription is there
                publish(broker, text)
                rolls.extend(unit.poll(time.monotonic()))

        roll_until_heard("ROLL 3 1")
        broker.kill()
        until(unit, lambda: unit.status is not None and unit.status.code is DiceCode.AWAY, rolls)
        broker.start()
        until(unit, lambda: unit.status is not None and unit.status.code is DiceCode.READY, rolls)
        roll_until_heard("ROLL 5 2")
        unit.close()
    assert {told.dice for told in rolls} == {(3, 1), (5, 2)}, "what the broker kept from earlier is no roll"


def test_a_flood_of_messages_ends_the_line_with_a_reason_and_nothing_of_it_is_a_roll(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker:
        line = TopicLine(DiceTopic(f"mqtt://127.0.0.1:{broker.port}/table/dice"))
        try:
            wait_for_line(broker, line)
            publish(broker, *["ROLL 6 6"] * (2 * MOST_HEARD))
            ends = time.monotonic() + PATIENCE_S
            while not line._flooded:
                assert time.monotonic() < ends
                time.sleep(0.01)
            with pytest.raises(OSError, match="more comes under its topic than dice send"):
                line.read(PATIENCE_S)
            assert line.read(0.0) == b""
        finally:
            line.close()


def test_a_message_that_is_longer_than_any_line_of_dice_is_left_out(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker:
        line = TopicLine(DiceTopic(f"mqtt://127.0.0.1:{broker.port}/table/dice"))
        try:
            wait_for_line(broker, line)
            publish(broker, "R" * 1_000_000, "ROLL 3 1")
            assert line.read(PATIENCE_S) == b"ROLL 3 1\n"
        finally:
            line.close()


def wait_for_line(broker: Broker, line: TopicLine) -> None:
    """Until the subscription is there."""
    ends = time.monotonic() + PATIENCE_S
    publish(broker, "hello")
    while not line.read(0.2):
        assert time.monotonic() < ends
        publish(broker, "hello")
    while line.read(0.2):
        pass


@each_row(
    ("address", "parts"),
    [
        ("mqtt://broker/a/b", ("broker", 1883, "", "", "a/b")),
        ("mqtt://10.0.0.1:1884/+/dice", ("10.0.0.1", 1884, "", "", "+/dice")),
        ("mqtt://me:p%40ss@broker/a", ("broker", 1883, "me", "p@ss", "a")),
    ],
)
def test_addresses_of_topics(address: str, parts: tuple[str, int, str, str, str]) -> None:
    topic = DiceTopic(address)
    assert (topic.host, topic.port, topic.user, topic.password, topic.topic) == parts


@pytest.mark.parametrize(
    "address",
    [
        "mqtt://",
        "mqtt://broker",
        "mqtt:///dice",
        "mqtt://broker:x/dice",
        "mqtt://broker:²/dice",
        "mqtt://broker:99999/dice",
        "mqtt://broker:0/dice",
        "mqtt://broker:" + "9" * 5000 + "/dice",
    ],
)
def test_what_is_no_address_of_a_topic_says_how_one_is_written(address: str) -> None:
    with pytest.raises(DiceAddressError, match="write it as"):
        DiceTopic(address)


def test_a_password_is_shown_to_nobody() -> None:
    dice = DiceSection(source=DiceAt.TEXT, port="mqtt://me:secret@broker:1884/table/dice")
    assert name_dice(dice) == "mqtt://broker:1884/table/dice"
    assert without_login("/dev/ttyUSB0@x") == "/dev/ttyUSB0@x"
