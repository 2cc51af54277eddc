"""Every kind of dice unit with somebody who rolls it, for tests of how many of its rolls arrive."""

import random
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from controller.config.dice import open_dice
from controller.config.sections import DiceAt, DiceSection
from controller.devices.dice.source import DeviceRoll
from controller.devices.dice.unit_rolls import UnitRolls
from controller.devices.pins import PinLibrary
from tests.club.broker import Broker
from tests.devices.dice_unit import DiceUnit
from tests.devices.pi_libraries import pi_with
from tests.devices.radio_dice import (
    Air,
    GoDiceLanguage,
    Language,
    PixelsLanguage,
    RadioDie,
)

Roller = Callable[[int, int], None]
PATIENCE_S = 120.0


class Listener:
    """Asks a unit as the table does, and keeps what comes."""

    def __init__(self, dice: DiceSection) -> None:
        unit = open_dice(dice)
        assert unit is not None
        self.unit: UnitRolls = unit
        self.rolls: list[DeviceRoll] = []

    def until(self, fulfilled: Callable[[], bool]) -> None:
        ends = time.monotonic() + PATIENCE_S
        while not fulfilled():
            assert time.monotonic() < ends, (self.unit.status, len(self.rolls))
            self.rolls += self.unit.poll(time.monotonic())
            time.sleep(0.001)


@contextmanager
def listening(dice: DiceSection) -> Iterator[Listener]:
    listener = Listener(dice)
    try:
        listener.until(lambda: listener.unit.status is not None)
        yield listener
    finally:
        listener.unit.close()


def _serial(baud: int) -> Iterator[tuple[Listener, Roller]]:
    with DiceUnit(baud) as unit, listening(_text(unit.port, baud=baud)) as listener:
        time.sleep(0.1)  # what comes at once may be the rest of a line
        yield listener, lambda first, second: unit.say(f"ROLL {first} {second}")


def _socket() -> Iterator[tuple[Listener, Roller]]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"socket://127.0.0.1:{server.getsockname()[1]}"
        with listening(_text(address)) as listener, server.accept()[0] as line:
            time.sleep(0.1)  # as at a port
            yield (
                listener,
                lambda first, second: line.sendall(f"die A: {first}\ndie B: {second}\n".encode()),
            )


def _mqtt(folder: Path) -> Iterator[tuple[Listener, Roller]]:
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    with Broker(folder) as broker, listening(_text(f"mqtt://127.0.0.1:{broker.port}/table/dice")) as listener:
        client = Client(CallbackAPIVersion.VERSION2)
        client.connect("127.0.0.1", broker.port)
        client.loop_start()

        def roll(first: int, second: int) -> None:
            client.publish("table/dice", f'{{"dice": [{first}, {second}]}}', qos=1)

        ends = time.monotonic() + PATIENCE_S
        while not listener.rolls and time.monotonic() < ends:  # until the subscription is there
            roll(6, 6)
            listener.rolls += listener.unit.poll(time.monotonic())
            time.sleep(0.05)
        roll(1, 1)  # the last to arrive, as a broker keeps the order: no 6-6 is under way any more
        listener.until(lambda: (1, 1) in [told.dice for told in listener.rolls])
        listener.rolls.clear()
        yield listener, roll
        client.disconnect()
        client.loop_stop()


def _pins(library: PinLibrary) -> Iterator[tuple[Listener, Roller]]:
    dice = DiceSection(source=DiceAt.PINS)
    with pi_with(library) as header:
        from controller.devices import pins as usual

        factory = usual.pin_factory(library)
        listener = _listener_at(dice, factory)

        def roll(first: int, second: int) -> None:
            for lines, face in ((dice.first, first), (dice.second, second)):
                for bit, pin in enumerate(lines):
                    header.set(pin, bool(face >> bit & 1))
            before = len(listener.rolls)
            header.set(dice.ready, True)
            listener.until(lambda: len(listener.rolls) > before)
            header.set(dice.ready, False)
            listener.rolls += listener.unit.poll(time.monotonic())

        yield listener, roll
        listener.unit.close()
        factory.close()


def _listener_at(dice: DiceSection, factory: object) -> Listener:
    with mock.patch("controller.config.dice.usual_factory", return_value=factory):
        return Listener(dice)


def _radio(words: Language) -> Iterator[tuple[Listener, Roller]]:
    names = ("Red", "Blue")
    air = Air({name: RadioDie(name, f"00:00:00:00:00:{name[:2]}", words) for name in names})
    with air.on(), listening(DiceSection(source=DiceAt.BLUETOOTH, shared=names)) as listener:
        listener.until(lambda: all(air.is_held(name) for name in names))

        def roll(first: int, second: int) -> None:
            before = len(listener.rolls)
            air.say("Blue", *words.start())
            air.say("Red", *words.roll(first))
            air.say("Blue", *words.rest(second))
            listener.until(lambda: len(listener.rolls) > before)

        yield listener, roll


def _text(port: str, **more: int) -> DiceSection:
    return DiceSection(source=DiceAt.TEXT, port=port, **more)  # type: ignore[arg-type]


UNITS: dict[str, Callable[[Path], Iterator[tuple[Listener, Roller]]]] = {
    "serial at 9600": lambda _: _serial(9600),
    "serial at 115200": lambda _: _serial(115_200),
    "socket": lambda _: _socket(),
    "MQTT": _mqtt,
    "pins by RPi.GPIO": lambda _: _pins(PinLibrary.RPI_GPIO),
    "pins by lgpio": lambda _: _pins(PinLibrary.LGPIO),
    "GoDice": lambda _: _radio(GoDiceLanguage(random.Random(1))),
    "Pixels": lambda _: _radio(PixelsLanguage(random.Random(1))),
}


def throw_many(unit: str, folder: Path, count: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Roll a unit as often; what was rolled, and what arrived."""
    rng = random.Random(count)
    rolled = [(rng.randint(1, 6), rng.randint(1, 6)) for _ in range(count)]
    with contextmanager(UNITS[unit])(folder) as (listener, roll):
        for dice in rolled:
            roll(*dice)
            listener.rolls += listener.unit.poll(time.monotonic())
        listener.until(lambda: len(listener.rolls) >= count)
        time.sleep(0.1)
        listener.rolls += listener.unit.poll(time.monotonic())
        return rolled, [told.dice for told in listener.rolls]
