"""Whatever a host sends: the chip lives, keeps its time, tells its events and answers within 20 ms."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest

from controller.devices.link.framing import FrameParser, frame
from controller.devices.link.messages import (
    BoardSettings,
    DiceMode,
    Effect,
    Events,
    LampPicture,
    LightsOk,
    Pong,
    Style,
    buzz,
    dice,
    event_ack,
    hello,
    lights,
    parse,
    ping,
    restart,
    settings,
)
from controller.simulation.electronics.chip import BootLoader, Chip
from tests.amounts import amount
from tests.firmware.making import altered
from tests.rows import each_row

ANSWER_S = 0.02
BYTE_S = 10 / 250_000
PROBE = 20
"""Every so many requests of a flood one is a PING, whose answer can be told from others."""
MARGIN_S = 7.2e-6
"""Of the 9 microseconds that old lamps bear between two bits, a fifth stays free."""
STACK = 500
"""So many bytes of memory stay free below the stack."""
MOST = BoardSettings(lamps=40, status_lamp=39, limit_ma=2500)
MOST_WHITE = BoardSettings(lamps=30, status_lamp=29, limit_ma=2500, white=True)

BUSY = LampPicture(
    tuple(Style(255, 255, 255, Effect.PULSE, 7 + n) for n in range(12)),
    tuple((1 + n % 12, n % 16) for n in range(40)),
)
DARK = LampPicture((), ())

Kind = Callable[[int], bytes]
"""The nth request of a flood."""

FLOODS: dict[str, Kind] = {
    "hello": lambda _: hello(1),
    "hello of another host each time": lambda n: hello(1 + n % 65535),
    "hello of another major version": lambda _: bytes([1, 9, 0]),
    "ping": lambda n: ping(n % 65536),
    "lights, the longest": lambda n: lights(n % 65535 + 1, BUSY),
    "lights, the shortest": lambda n: lights(n % 65535 + 1, DARK),
    "lights, the same again": lambda _: lights(7, BUSY),
    "buzz": lambda n: buzz(n % 255 + 1, [(50, 1)] * 16),
    "buzz, silence": lambda n: buzz(n % 255 + 1, []),
    "dice": lambda n: dice(n % 256, DiceMode.FREE),
    "settings": lambda _: settings(),
    "settings changed": lambda _: settings(MOST),
    "fewer lamps, more lamps": lambda n: settings(BoardSettings(lamps=40 * (n % 2))),
    "events acknowledged": lambda _: event_ack(1, 0),
    "unknown type": lambda _: b"\x7e",
    "wrong length": lambda _: b"\x02",
}


def mixture(chance: random.Random) -> Kind:
    return lambda n: chance.choice(list(FLOODS.values()))(n)


@dataclass
class Flooded:
    """What came of a flood. Times in seconds."""

    answered: dict[int, float] = field(default_factory=dict)
    """From the last byte of a PING to the last of its PONG, by token."""
    lags: list[float] = field(default_factory=list)
    events: list[float] = field(default_factory=list)


def _requests(kind: Kind) -> Iterator[bytes]:
    for n in range(1, 10**6):
        yield ping(n % 65536) if n % PROBE == 0 else kind(n)


def flood(chip: Chip, kind: Kind, seconds: float = 0.25, seed: int = 1) -> Flooded:
    """Requests without a pause, at the speed of the line, while all eight contacts bounce and nobody acknowledges."""
    chance, requests, parser, outcome = random.Random(seed), _requests(kind), FrameParser(), Flooded()
    sent: dict[int, float] = {}
    began = arrived = chip.now
    while chip.now < began + seconds:
        while arrived < chip.now + 0.003:
            request = next(requests)
            wire = frame(request)
            chip.send(wire)
            arrived = max(arrived, chip.now) + len(wire) * BYTE_S
            if request[0] == 2 and len(request) == 3:
                sent[int.from_bytes(request[1:], "big")] = arrived
        chip.contact(chance.randrange(8), chance.random() < 0.5)
        chip.run(chance.choice((0.0001, 0.0003, 0.001)))
        for t, byte in chip.take_timed():
            for payload in parser.feed(byte):
                match parse(payload):
                    case Pong(token, now_ms):
                        outcome.lags.append(t - now_ms / 1000)
                        if token in sent:
                            outcome.answered[token] = t - sent[token]
                    case Events():
                        outcome.events.append(t)
                    case _:
                        pass
    return outcome


def busy(most: BoardSettings = MOST, **options: object) -> Chip:
    """A chip with the longest strip and the most work that lights can make, greeted, with a full queue of events."""
    chip = Chip(**options)  # type: ignore[arg-type]
    chip.run(2.0 if options.get("loader") else 0.1)
    for request in (hello(1), settings(most), lights(1, BUSY)):
        chip.send(frame(request))
        chip.run(0.04)
    for n in range(10):
        chip.press(n % 8)
        chip.run(0.03)
    chip.read_output()
    return chip


def check(chip: Chip, outcome: Flooded) -> None:
    assert outcome.answered, "no PING was answered"
    assert max(outcome.answered.values()) <= ANSWER_S
    assert max(outcome.lags) - min(outcome.lags) < 0.012
    assert all(later - earlier < 0.12 for earlier, later in pairwise(outcome.events))
    assert len(outcome.events) >= 2
    assert chip.bites == chip.dropped == chip.faults == 0
    assert chip.longest_gap <= MARGIN_S
    assert chip.untouched >= STACK


@each_row("kind", FLOODS)
def test_a_flood_of_one_kind_of_request(kind: str) -> None:
    with busy() as chip:
        check(chip, flood(chip, FLOODS[kind]))


@pytest.mark.parametrize("seed", range(amount(2, 4)))
def test_a_flood_of_all_kinds_of_requests(seed: int) -> None:
    with busy(noise_seed=seed + 1) as chip:
        check(chip, flood(chip, mixture(random.Random(seed)), 0.5, seed))


@pytest.mark.parametrize("seed", range(amount(1, 2)))
def test_a_flood_with_the_longest_strip_of_lamps_with_a_white_led(seed: int) -> None:
    with busy(MOST_WHITE, noise_seed=seed + 1) as chip:
        check(chip, flood(chip, mixture(random.Random(seed)), 0.5, seed))


@pytest.mark.parametrize("seed", range(amount(1, 2)))
def test_a_flood_at_a_mega(seed: int) -> None:
    with busy(noise_seed=seed + 1, chip="atmega2560") as chip:
        check(chip, flood(chip, mixture(random.Random(seed)), 0.5, seed))


@pytest.mark.parametrize("kind", amount(["settings"], ["ping", "settings", "unknown type"]))
def test_a_flood_with_an_old_boot_loader(kind: str) -> None:
    with busy(loader=BootLoader.OLD) as chip:
        check(chip, flood(chip, FLOODS[kind], 0.7))


def test_the_next_request_after_a_flood_is_answered() -> None:
    with busy() as chip:
        flood(chip, FLOODS["hello"])
        chip.run(0.06)
        chip.read_output()
        chip.send(frame(ping(99)))
        chip.run(3 * BYTE_S + ANSWER_S)
        answers = [parse(payload) for payload in FrameParser().feed(chip.read_output())]
        assert any(isinstance(answer, Pong) and answer.token == 99 for answer in answers)


def test_a_restart_is_carried_out_in_the_middle_of_a_flood() -> None:
    with busy() as chip:
        flood(chip, FLOODS["ping"], 0.1)
        chip.unplug()
        chip.run(0.03)
        chip.send(frame(restart()) + b"".join(frame(ping(n)) for n in range(500)))
        chip.run(0.1)
        types = [payload[0] for payload in FrameParser().feed(chip.read_output())]
        assert types[types.index(0x88) + 1] == 0x81


@pytest.mark.parametrize("most", [MOST, MOST_WHITE], ids=["colours", "white"])
def test_a_host_with_one_request_open_loses_nothing_however_busy_the_chip_is(most: BoardSettings) -> None:
    """The longest request comes in at every phase of painting and writing the longest strip."""
    parser = FrameParser()
    with busy(most) as chip:
        for n in range(150):
            chip.send(frame(lights(n % 3 + 2, BUSY)))
            chip.send(frame(event_ack(1, 0)))
            chip.run(0.0251 + n % 7 * 0.00013)
            answers = [parse(payload) for payload in parser.feed(chip.read_output())]
            assert [a.frame_id for a in answers if isinstance(a, LightsOk)] == [n % 3 + 2]
        chip.send(frame(ping(5)))
        chip.run(0.02)
        (pong,) = [a for p in parser.feed(chip.read_output()) if isinstance(a := parse(p), Pong)]
        assert (pong.overruns, pong.rx_bad) == (0, 0)


def test_without_a_bound_a_flood_has_the_watchdog_bite(tmp_path: Path) -> None:
    """What the firmware avoids; a simulator that hides it would be no test."""
    bound = "while (!clock_waiting() && may_take() && serial_take(&byte))"
    elf = altered(tmp_path, ("avr/main.c", bound, "while (serial_take(&byte))"))
    with busy(elf=elf) as chip:
        assert not flood(chip, FLOODS["settings"], 1.2).lags[100:]
