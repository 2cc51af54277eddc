"""The chip as such: size, start, settings, watchdog, noise on the line, and that the simulation repeats itself."""

import hashlib
import re
import subprocess
from pathlib import Path

from controller.devices.link.framing import FrameParser, frame
from controller.devices.link.happenings import Answered, ChipRestarted
from controller.devices.link.messages import (
    MAJOR,
    MINOR,
    BoardSettings,
    HelloOk,
    Pong,
    Refused,
    RequestFault,
    ResetCause,
    hello,
    parse,
    ping,
    settings,
)
from controller.simulation.electronics.chip import FIRMWARE, Chip, build
from controller.simulation.electronics.microcontroller import Microcontroller
from tests.firmware.host import Cable, Host
from tests.firmware.making import Make


def ask(chip: Microcontroller, payload: bytes, seconds: float = 0.05) -> object:
    chip.read_output()
    chip.send(frame(payload))
    chip.run(seconds)
    answers = [parse(answer) for answer in FrameParser().feed(chip.read_output())]
    assert len(answers) == 1
    return answers[0]


def started(make: Make) -> Microcontroller:
    chip = make()
    chip.run(0.1)
    chip.read_output()
    return chip


def test_the_firmware_is_small_enough() -> None:
    build("pointsman.elf")
    size = subprocess.run(
        ["make", "-s", "-C", str(FIRMWARE), "size"], capture_output=True, text=True, check=True
    )
    flash, ram = (int(number) for number in re.findall(r"(\d+) of", size.stdout))
    assert flash <= 16 * 1024
    assert ram <= 1200


def test_everything_compiles_without_a_warning(tmp_path: Path) -> None:
    made = subprocess.run(
        ["make", "-s", "-C", str(FIRMWARE), f"BUILD={tmp_path}"], capture_output=True, text=True, check=True
    )
    assert made.stderr == ""


def test_ten_million_random_bytes_break_nothing_and_the_next_good_frame_is_always_answered() -> None:
    run = subprocess.run(
        [str(build("fuzz_core")), "10000000", "7"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    fed, answered = (int(number) for number in re.findall(r"(\d+) (?:bytes|good)", run.stdout))
    assert fed >= 10_000_000
    assert answered > 10_000


def test_it_tells_who_it_is_when_it_starts(make: Make) -> None:
    with make() as chip:
        chip.run(0.1)
        (banner,) = FrameParser().feed(chip.read_output())
        greeting = parse(banner)
        assert isinstance(greeting, HelloOk)
        assert greeting.host_session == 0
        assert greeting.reset_cause == ResetCause.POWER_ON


def test_it_wants_to_be_greeted_before_anything_else(make: Make) -> None:
    with started(make) as chip:
        assert ask(chip, ping(1)) == Refused(2, RequestFault.NO_HELLO)
        ask(chip, hello(5))
        assert isinstance(ask(chip, ping(1)), Pong)


def test_it_answers_a_greeting_of_another_major_version_so_that_both_can_be_named(make: Make) -> None:
    with started(make) as chip:
        for greeting in (b"\x01\x09\x00", hello(5).replace(bytes([1, MAJOR, MINOR]), b"\x01\x09\x00")):
            chip.send(frame(greeting))
            chip.run(0.02)
            assert FrameParser().feed(chip.read_output()) == [bytes([0x81, MAJOR, MINOR])]
        assert ask(chip, ping(1)) == Refused(2, RequestFault.NO_HELLO)


def test_a_newer_minor_version_is_as_good_as_its_own(make: Make) -> None:
    with started(make) as chip:
        answer = ask(chip, bytes([1, 1, 7, 0, 0, 0, 5, 1, 2, 3]))
        assert isinstance(answer, HelloOk)
        assert answer.host_session == 5


def test_requests_it_cannot_use_are_refused_with_the_reason(make: Make) -> None:
    with started(make) as chip:
        ask(chip, hello(5))
        for payload, fault in (
            (b"\x7e", RequestFault.TYPE),
            (b"\x01\x01", RequestFault.LENGTH),
            (hello(0), RequestFault.VALUE),
            (b"\x02\x00", RequestFault.LENGTH),
            (b"\x03" + bytes(5), RequestFault.LENGTH),
            (b"\x03" + bytes(4) + b"\xff\x0d\x00", RequestFault.VALUE),
            (b"\x03" + bytes(4) + b"\xff\x00\x01\x10", RequestFault.VALUE),
            (b"\x03" + bytes(4) + b"\xff\x01\x09\x09\x09\x04\x01\x00", RequestFault.VALUE),
            (b"\x03" + bytes(4) + b"\xff\x01\x09\x09\x09\x01\x00\x00", RequestFault.VALUE),
            (b"\x03" + bytes(4) + b"\xff\x00\x29" + bytes(41), RequestFault.VALUE),
            (b"\x04\x01\x01", RequestFault.LENGTH),
            (b"\x04\x01\x11" + bytes(34), RequestFault.VALUE),
            (b"\x05\x01\x03", RequestFault.VALUE),
            (b"\x06\x01", RequestFault.LENGTH),
            (settings(BoardSettings(lamps=41)), RequestFault.VALUE),
            (settings(BoardSettings(lamps=31, white=True)), RequestFault.VALUE),
            (settings(BoardSettings(limit_ma=50)), RequestFault.VALUE),
            (settings(BoardSettings(debounce_ms=0)), RequestFault.VALUE),
            (b"\x08NOPE", RequestFault.VALUE),
            (b"\x10\x00", RequestFault.LENGTH),
        ):
            assert ask(chip, payload) == Refused(payload[0], fault), payload.hex(" ")


def test_settings_outlive_a_power_cut(make: Make) -> None:
    changed = BoardSettings(20, None, 900, 77, 15, white=True)
    with started(make) as chip:
        ask(chip, hello(1))
        assert ask(chip, settings()) == BoardSettings()
        assert ask(chip, settings(changed)) == changed
        chip.run(0.1)
        chip.power_cut()
        chip.run(0.1)
        ask(chip, hello(2))
        assert ask(chip, settings()) == changed


def test_settings_torn_by_a_power_cut_are_those_as_delivered(make: Make) -> None:
    with started(make) as chip:
        ask(chip, hello(1))
        chip.send(frame(settings(BoardSettings(20, None, 900, 77, 15))))
        chip.run(0.004)
        chip.power_cut()
        chip.run(0.1)
        ask(chip, hello(2))
        assert ask(chip, settings()) == BoardSettings()


def test_the_buzzer_plays_a_pattern_once(make: Make) -> None:
    with make() as chip:
        host = Host(Cable(chip))
        host.until(lambda: host.session.ready)
        host.session.buzz([(50, 5), (0, 5), (100, 5)])
        host.until(lambda: chip.tone > 0)
        heard = []
        for _ in range(18):
            heard.append(chip.tone)
            host.run(0.01)
        assert heard[:4] == [heard[0]] * 4
        assert abs(heard[0] - 1000) < 20
        assert heard[7] == 0
        assert abs(heard[12] - 2000) < 70
        assert heard[-1] == 0


def test_half_a_frame_and_then_silence_costs_nothing_but_itself(make: Make) -> None:
    with started(make) as chip:
        ask(chip, hello(1))
        chip.send(frame(ping(3))[:5])
        chip.run(1.0)
        pong = ask(chip, ping(4))
        assert isinstance(pong, Pong)
        assert (pong.token, pong.rx_bad) == (4, 1)


def test_a_lost_delimiter_does_not_cost_the_next_frame(make: Make) -> None:
    with started(make) as chip:
        ask(chip, hello(1))
        chip.send(frame(ping(3))[:-1] + frame(ping(4)))
        chip.run(0.05)
        answers = [parse(answer) for answer in FrameParser().feed(chip.read_output())]
        assert [answer.token for answer in answers if isinstance(answer, Pong)] == [3, 4]


def test_the_host_learns_of_restarts_even_if_the_banner_is_lost(make: Make) -> None:
    with make() as chip:
        host = Host(Cable(chip))
        host.until(lambda: host.session.ready)
        chip.reset()
        chip.run(0.05)
        chip.read_output()
        host.run(1.5)
        assert host.journal[-1].what == ChipRestarted(ResetCause.RESET_LINE, 1)


def test_free_memory_is_enough_for_the_stack() -> None:
    with Chip() as chip:
        host = Host(Cable(chip))
        host.until(lambda: host.session.ready)
        host.run(1.2)
        pongs = [h.answer for h in host.happenings if isinstance(h, Answered) and isinstance(h.answer, Pong)]
        assert pongs[-1].free_ram > 500


def _evening(make: Make) -> str:
    digest = hashlib.sha1(usedforsecurity=False)
    with make(noise_seed=3) as chip:
        chip.send(frame(hello(1)))
        for button in (0, 3, 0, 7):
            chip.press(button)
            chip.run(0.7)
        for t, byte in chip.take_timed():
            digest.update(f"{t:.9f}".encode() + byte)
        digest.update(chip.strip)
    return digest.hexdigest()


def test_the_same_evening_again_is_the_same_to_the_bit(make: Make) -> None:
    assert _evening(make) == _evening(make)
