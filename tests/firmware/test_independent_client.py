"""The page is enough to talk to the chip: a client written from it alone does everything the page promises."""

import random
from pathlib import Path

import pytest

from controller.devices.link.happenings import ChipRestarted, DiceRolled
from controller.devices.link.messages import BoardSettings, DiceMode, LampPicture, ResetCause, Style
from controller.simulation.electronics.chip import Chip
from tests.firmware.client import Client, crc_by_the_bit, wrap
from tests.firmware.host import Cable, Host
from tests.firmware.making import Make, altered


def level(effect: int, period: int, phase: int, now_ms: int) -> int:
    """The page's table of effects, written anew."""
    whole = 10 * period
    p = ((now_ms % whole) * 256 // whole + 16 * phase) % 256
    t = 2 * p if p < 128 else 2 * (255 - p)
    return (255, 255 if p < 128 else 0, 40 + t * 216 // 256, 255 if p < 64 else 64 if p < 128 else 0)[effect]


def strip_of(styles: list[bytes], lamps: bytes, brightness: int) -> bytes:
    """Green, red, blue of steady lamps by the page's arithmetic, with the limit of 500 mA."""
    channels: list[int] = []
    for lamp in lamps:
        red, green, blue = styles[(lamp >> 4) - 1][:3] if lamp >> 4 else (0, 0, 0)
        shown = level(0, 1, lamp & 15, 0)
        channels += [(c * (shown + 1) // 256) * (brightness + 1) // 256 for c in (green, red, blue)]
    total, limit = sum(channels), 500 * 51 // 4
    return bytes(c * (255 * limit // total) // 255 for c in channels) if total > limit else bytes(channels)


def talking(make: Make) -> Client:
    client = Client(make(), 77)
    client.listen(0.1)
    client.greet()
    return client


def test_it_is_greeted_and_shows_what_the_arithmetic_of_the_page_says(make: Make) -> None:
    chance = random.Random(3)
    client = talking(make)
    for number in range(40):
        styles = [bytes([*chance.randbytes(3), 0, 1]) for _ in range(chance.randrange(1, 13))]
        lamps = bytes(chance.randrange(len(styles) + 1) << 4 for _ in range(29))
        brightness = chance.randrange(256)
        head = bytes([3, 0, number, 7, 0xD0, brightness, len(styles)])
        answer = client.ask(head + b"".join(styles) + bytes([29]) + lamps)
        shown = int.from_bytes(answer[5:7], "big")
        assert shown == crc_by_the_bit(strip_of(styles, lamps, brightness))


def test_presses_and_rolls_come_once_and_the_dice_follow_from_their_bits(make: Make) -> None:
    client = talking(make)
    for _ in range(4):
        for closed in (True, False):
            client.chip.contact(0, closed)
            client.listen(0.03)
        client.listen(0.7)
    assert [number for number, _, _ in client.events] == list(range(1, 13))
    rolls = [data for _, kind, data in client.events if kind == 1]
    assert len(rolls) == 4
    for data in rolls:
        raw = int.from_bytes(data[2:6], "big")
        faces = [group + 1 for n in range(10) if (group := raw >> 29 - 3 * n & 7) < 6]
        assert (data[0] >> 4, data[0] & 15) == tuple(faces[:2])


def test_a_restart_is_told_and_settings_stay(make: Make) -> None:
    client = talking(make)
    changed = bytes([6, 20, 255, 3, 132, 77, 15])
    assert client.ask(changed) == b"\x86" + changed[1:]
    assert client.ask(b"\x08BOOT") == b"\x88"
    client.listen(0.1)
    assert client.ask(b"\x02\x00\x05") == b"\xff\x02\x04"
    assert client.greet()[23] == 5
    assert client.ask(b"\x06") == b"\x86" + changed[1:]
    client.listen(0.1)
    assert [(kind, data[0]) for _, kind, data in client.events] == [(3, 5)]


def test_answers_that_come_late_are_not_taken_for_those_of_the_next_request(make: Make) -> None:
    client = talking(make)
    for changed in (bytes([6, 20, 255, 3, 132, 77, 15]), bytes([6, 29, 28, 1, 244, 255, 8])):
        client.chip.send(wrap(b"\x06") + wrap(changed))
        assert client.ask(changed) == b"\x86" + changed[1:]
    assert client.ask(b"\x06") == bytes([0x86, 29, 28, 1, 244, 255, 8])


def test_a_new_host_counts_from_anew_and_the_same_host_does_not(make: Make) -> None:
    client = talking(make)
    buzz = bytes([4, 1, 1, 50, 20])
    for session, heard in ((77, True), (77, False), (78, True)):
        client.session = session
        client.greet()
        client.ask(buzz)
        assert (client.chip.tone > 0) == heard
        client.listen(0.3)


@pytest.mark.parametrize("minor", [0, 1, 2, 3])
def test_hosts_of_the_minor_versions_around_are_greeted(make: Make, minor: int) -> None:
    client = Client(make(), 5)
    client.listen(0.1)
    answer = client.ask(bytes([1, 1, minor, 0, 0, 0, 5]) + bytes(minor))
    assert answer[1:3] == b"\x01\x02"


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chip that says it speaks 1.0, and restarts as 1.0 did: by its watchdog, half a second later."""
    return altered(
        tmp_path_factory.mktemp("older"),
        ("core/limits.h", "#define PROTOCOL_MINOR 2", "#define PROTOCOL_MINOR 0"),
        ("avr/main.c", "begin_again(RESET_ASKED);", "return;"),
    )


@pytest.mark.parametrize("minor", [0, 2])
def test_the_program_gets_on_with_the_chip_of_this_minor_version_and_the_first_one(
    minor: int, older: Path
) -> None:
    with Chip(elf=None if minor else older) as chip:
        host = Host(Cable(chip))
        host.until(lambda: host.session.ready)
        assert host.session.chip is not None
        assert host.session.chip.minor == minor
        host.session.show(LampPicture((Style(9, 9, 9),), ((1, 0),)))
        host.session.arm_dice(DiceMode.ONCE)
        host.session.ask_settings(BoardSettings(debounce_ms=9))
        chip.press(0)
        host.run(0.8)
        assert chip.strip[:3] == b"\x09\x09\x09"
        assert any(isinstance(event.what, DiceRolled) for event in host.journal)
        client = Client(chip, 1)
        client.greet()
        assert client.ask(b"\x08BOOT") == b"\x88"
        client.listen(0.7)
        host.run(1.5)
        cause = ResetCause.ASKED if minor else ResetCause.WATCHDOG
        assert host.session.ready
        assert any(event.what == ChipRestarted(cause, 1) for event in host.journal)
        assert chip.strip[:3] == b"\x09\x09\x09"
