"""What the strip shows, bit by bit, read from the pin of the running firmware."""

import random
from pathlib import Path

import pytest

from controller.devices.lights.render import render, render_white
from controller.devices.link.framing import FrameParser, crc16, frame
from controller.devices.link.happenings import Answered, LeaseOver
from controller.devices.link.messages import (
    BoardSettings,
    Effect,
    LampPicture,
    LightsOk,
    Style,
    hello,
    lights,
)
from controller.simulation.electronics.chip import Chip
from controller.simulation.electronics.microcontroller import Microcontroller
from tests.firmware.host import Cable, Host
from tests.firmware.making import Make, altered

LAMPS = 29
DARK = bytes(3 * LAMPS)


def grb(picture: LampPicture, now_ms: int, *, limit_ma: int = 500) -> bytes:
    return b"".join(bytes((g, r, b)) for r, g, b in render(picture, now_ms, limit_ma=limit_ma, lamps=LAMPS))


def greeted(chip: Microcontroller) -> Host:
    host = Host(Cable(chip))
    host.until(lambda: host.session.ready)
    return host


def shown(host: Host) -> LightsOk:
    """The answer to the picture that was asked for last."""
    before = len(host.happenings)

    def answers() -> list[LightsOk]:
        news = host.happenings[before:]
        return [n.answer for n in news if isinstance(n, Answered) and isinstance(n.answer, LightsOk)]

    host.until(lambda: bool(answers()))
    return answers()[-1]


def test_steady_pictures_reach_the_strip_to_the_bit(make: Make) -> None:
    chance = random.Random(5)
    with make() as chip:
        host = greeted(chip)
        for _ in range(60):
            styles = tuple(
                Style(*(chance.randrange(256) for _ in range(3))) for _ in range(chance.randrange(1, 13))
            )
            lamps = tuple((chance.randrange(len(styles) + 1), chance.randrange(16)) for _ in range(LAMPS))
            picture = LampPicture(styles, lamps, chance.randrange(256))
            host.session.show(picture)
            answer = shown(host)
            host.run(0.002)
            assert chip.strip == grb(picture, 0)
            assert answer.shown == crc16(chip.strip)
        assert chip.faults == 0
        assert chip.dropped == 0


@pytest.mark.parametrize("effect", list(Effect))
@pytest.mark.parametrize("period", [1, 37, 255])
def test_effects_run_by_the_chips_clock_as_the_page_says(effect: Effect, period: int, make: Make) -> None:
    picture = LampPicture(
        (Style(200, 150, 255, effect, period),), tuple((1, n % 16) for n in range(LAMPS)), 255
    )
    with make() as chip:
        host = greeted(chip)
        host.session.show(picture)
        shown(host)
        seen: set[bytes] = set()
        for _ in range(15):
            host.run(0.037)
            seen.add(chip.strip)
            now_ms = round(1000 * chip.now)
            assert chip.strip in {grb(picture, t) for t in range(now_ms - 40, now_ms)}
        assert chip.faults == 0
        if effect is not Effect.STEADY and period > 1:
            assert len(seen) > 3


def test_the_same_picture_again_only_renews_the_lease(make: Make) -> None:
    picture = LampPicture((Style(9, 9, 9),), ((1, 0),))
    with make() as chip:
        host = greeted(chip)
        host.session.show(picture)
        host.run(0.3)
        before = chip.pictures
        host.run(0.6)
        assert chip.pictures == before
        host.run(2.5)
        assert chip.strip[:3] == b"\x09\x09\x09"


def test_a_strip_that_was_plugged_in_late_comes_right_within_a_second(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        host.session.show(LampPicture((Style(9, 9, 9),), ((1, 0),)))
        host.run(0.5)
        before = chip.pictures
        host.run(1.1)
        assert chip.pictures > before


def test_a_verdict_does_not_stay_lit_when_the_host_falls_silent(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        host.session.show(LampPicture((Style(255, 0, 0),), ((1, 0),) * LAMPS))
        shown(host)
        chip.run(1.9)
        assert chip.strip != DARK
        chip.run(0.2)
        assert chip.strip[: 3 * 28] == DARK[: 3 * 28]
        amber = {chip.strip[3 * 28 :]}
        for _ in range(10):
            chip.run(0.2)
            amber.add(chip.strip[3 * 28 :])
        assert len(amber) == 2
        assert bytes(3) in amber
        host.run(0.5)
        assert chip.strip[0:3] == b"\x00" + chip.strip[1:2] + b"\x00"
        assert chip.strip[1] > 0
        assert any(isinstance(event.what, LeaseOver) for event in host.journal)


def test_the_chip_grants_no_longer_lease_than_two_seconds(make: Make) -> None:
    with make() as chip:
        chip.run(0.1)
        chip.send(frame(hello(1)))
        chip.run(0.02)
        chip.read_output()
        picture = LampPicture((Style(1, 1, 1),), ((1, 0),))
        for asked, granted in ((60000, 2000), (0, 2000), (300, 300)):
            chip.send(frame(lights(asked % 255 + 1, picture, asked)))
            chip.run(0.05)
            (answer,) = FrameParser().feed(chip.read_output())
            assert int.from_bytes(answer[3:5], "big") == granted


def test_before_anybody_greets_only_the_status_lamp_blinks(make: Make) -> None:
    with make() as chip:
        seen = set()
        for _ in range(12):
            chip.run(0.25)
            seen.add(chip.strip)
        assert {strip[: 3 * 28] for strip in seen} == {DARK[: 3 * 28]}
        assert len(seen) == 2


def test_the_strip_never_draws_more_than_its_limit(make: Make) -> None:
    white = LampPicture((Style(255, 255, 255),), ((1, 0),) * LAMPS)
    with make() as chip:
        host = greeted(chip)
        host.session.ask_settings(BoardSettings(limit_ma=300))
        host.session.show(white)
        answer = shown(host)
        host.run(0.002)
        assert answer.flags == 1
        assert chip.strip == grb(white, 0, limit_ma=300)
        assert sum(chip.strip) * 20 / 255 <= 300


def grbw(picture: LampPicture, *, limit_ma: int = 500) -> bytes:
    return b"".join(
        bytes((g, r, b, w)) for r, g, b, w in render_white(picture, 0, limit_ma=limit_ma, lamps=LAMPS)
    )


def test_lamps_with_a_white_led_show_there_what_their_colours_have_in_common(make: Make) -> None:
    chance = random.Random(6)
    with make() as chip:
        host = greeted(chip)
        host.session.ask_settings(BoardSettings(white=True))
        for _ in range(20):
            styles = tuple(Style(*(chance.randrange(256) for _ in range(3))) for _ in range(12))
            lamps = tuple((chance.randrange(13), 0) for _ in range(LAMPS))
            picture = LampPicture(styles, lamps, chance.randrange(256))
            host.session.show(picture)
            answer = shown(host)
            host.run(0.003)
            assert chip.strip == grbw(picture)
            assert answer.shown == crc16(chip.strip)
        assert (chip.faults, chip.dropped) == (0, 0)
        host.session.show(LampPicture((Style(90, 50, 20),), ((1, 0),), 255))
        shown(host)
        host.run(0.003)
        assert chip.strip[:4] == bytes((30, 70, 0, 20))


def test_the_white_led_is_counted_in_the_limit_of_the_current(make: Make) -> None:
    white = LampPicture((Style(255, 255, 255),), ((1, 0),) * LAMPS)
    pink = LampPicture((Style(255, 120, 120),), ((1, 0),) * LAMPS)
    with make() as chip:
        host = greeted(chip)
        host.session.ask_settings(BoardSettings(limit_ma=300, white=True))
        for picture in (white, pink):
            host.session.show(picture)
            assert shown(host).flags == 1
            host.run(0.003)
            assert chip.strip == grbw(picture, limit_ma=300)
            drawn = sum(chip.strip) * 20 / 255
            assert 290 <= drawn <= 300


def test_brightness_is_held_at_the_boards_own_maximum(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        host.session.ask_settings(BoardSettings(max_brightness=100))
        picture = LampPicture((Style(255, 128, 7),), ((1, 0),), 255)
        host.session.show(picture)
        assert shown(host).flags == 2
        host.run(0.002)
        assert chip.strip == grb(LampPicture(picture.styles, picture.lamps, 100), 0)


def test_lamps_that_are_no_longer_driven_go_dark(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        host.session.show(LampPicture((Style(9, 9, 9),), ((1, 0),) * LAMPS))
        shown(host)
        before = chip.pictures
        host.session.ask_settings(BoardSettings(lamps=10, status_lamp=None))
        host.until(lambda: chip.pictures > before)
        assert chip.strip == b"\x09" * 30 + DARK[30:]
        host.run(1.5)
        assert chip.strip == b"\x09" * 30


def test_the_probe_notices_pulses_that_are_too_long(tmp_path: Path) -> None:
    wider = '"   nop\\n   nop\\n   nop\\n   nop\\n"\n"   sbrs'
    elf = altered(tmp_path, ("avr/strip.c", '"   sbrs', wider))
    with Chip(elf=elf) as chip:
        chip.run(0.3)
        assert chip.faults > 0


def flood(chip: Chip) -> int:
    """Forty pictures without waiting for an answer; returns how many were answered."""
    chip.run(0.1)
    chip.send(frame(hello(1)))
    chip.run(0.02)
    chip.read_output()
    for number in range(1, 41):
        chip.send(frame(lights(number, LampPicture((Style(number, 0, 0),), ((1, 0),) * LAMPS))))
    chip.run(0.3)
    return sum(answer[0] == 0x83 for answer in FrameParser().feed(chip.read_output()))


def test_no_byte_is_missed_while_the_strip_is_written() -> None:
    with Chip() as chip:
        assert flood(chip) > 0
        assert chip.dropped == 0
        assert chip.faults == 0


def test_the_receiver_is_as_shallow_as_the_real_one(tmp_path: Path) -> None:
    """Who looks away for the whole strip loses bytes on the real chip; a simulator that hides it would be no test."""
    elf = altered(tmp_path, ("avr/strip.c", "            serial_poll();\n", ""))
    with Chip(elf=elf) as chip:
        flood(chip)
        assert chip.dropped > 0
