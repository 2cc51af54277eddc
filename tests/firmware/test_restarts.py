"""How the chip starts anew: asked to, hanging, reset; without a boot loader, with an old one, with Optiboot."""

import re
from pathlib import Path

import pytest

from controller.devices.link.framing import FrameParser, frame
from controller.devices.link.happenings import Button, ButtonChanged, ChipRestarted
from controller.devices.link.link import GREETING_S
from controller.devices.link.messages import (
    BoardSettings,
    Done,
    HelloOk,
    ResetCause,
    Type,
    hello,
    parse,
    ping,
    restart,
    settings,
)
from controller.simulation.electronics.chip import FIRMWARE, BootLoader, Chip
from controller.simulation.electronics.microcontroller import Microcontroller
from tests.firmware.host import Cable, Host
from tests.firmware.making import Make, altered

LOADERS = [None, BootLoader.OLD, BootLoader.OPTIBOOT]
HANG = frame(b"\x7e")
"""An unknown type, which the firmware of these tests hangs at."""


@pytest.fixture(scope="module")
def hanging(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return altered(
        tmp_path_factory.mktemp("hanging"),
        ("core/device.c", "default: return FAULT_TYPE;", "default: for (;;) ;"),
    )


@pytest.fixture(scope="module")
def deaf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hangs with its interrupts off, so that the watchdog's is not answered either."""
    hang = 'default: __asm__ volatile("cli"); for (;;) ;'
    return altered(tmp_path_factory.mktemp("deaf"), ("core/device.c", "default: return FAULT_TYPE;", hang))


def greeted(chip: Microcontroller) -> Host:
    host = Host(Cable(chip))
    host.until(lambda: host.session.ready)
    return host


def restarts(host: Host) -> list[ChipRestarted]:
    return [event.what for event in host.journal if isinstance(event.what, ChipRestarted)]


def until_restarted(host: Host, count: int = 1) -> float:
    return host.until(lambda: len(restarts(host)) == count)


def test_after_its_answer_to_restart_it_says_nothing_until_it_says_who_it_is(make: Make) -> None:
    with make() as chip:
        chip.run(0.1)
        chip.send(frame(hello(5)))
        chip.run(0.02)
        chip.read_output()
        chip.send(frame(restart()) + frame(ping(1)) + frame(ping(2)))
        chip.run(0.1)
        asked, greeting = (parse(payload) for payload in FrameParser().feed(chip.read_output()))
        assert asked == Done(Type.RESTART_OK, b"")
        assert isinstance(greeting, HelloOk)
        assert (greeting.host_session, greeting.reset_cause) == (0, ResetCause.ASKED)


def test_settings_changed_right_before_a_restart_are_kept(make: Make) -> None:
    changed = BoardSettings(20, None, 900, 77, 15)
    with make() as chip:
        chip.run(0.1)
        chip.send(frame(hello(1)) + frame(settings(changed)) + frame(restart()))
        chip.run(0.15)
        chip.read_output()
        chip.send(frame(hello(1)) + frame(settings()))
        chip.run(0.02)
        assert changed in [parse(payload) for payload in FrameParser().feed(chip.read_output())]


@pytest.mark.parametrize("loader", LOADERS)
def test_a_restart_that_was_asked_for_does_not_go_through_the_boot_loader(loader: BootLoader | None) -> None:
    with Chip(loader=loader) as chip:
        host = greeted(chip)
        chip.send(frame(restart()))
        assert until_restarted(host) < 0.1
        assert restarts(host) == [ChipRestarted(ResetCause.ASKED, 1)]


@pytest.mark.parametrize("loader", LOADERS)
def test_a_chip_that_hangs_is_restarted_past_its_boot_loader(
    hanging: Path, loader: BootLoader | None
) -> None:
    with Chip(elf=hanging, loader=loader) as chip:
        host = greeted(chip)
        host.session.buzz([(50, 250)])
        chip.contact(Button.TAKE, True)
        host.run(0.05)
        assert chip.tone
        chip.contact(Button.TAKE, False)
        host.run(0.005)
        chip.send(HANG)
        assert 0.4 < until_restarted(host) < 0.7
        host.run(0.1)
        assert [event.what for event in host.journal] == [
            ButtonChanged(Button.TAKE, True),
            ChipRestarted(ResetCause.WATCHDOG, 1),
            ButtonChanged(Button.TAKE, False),
        ]
        assert chip.bites == chip.tone == chip.faults == 0


def test_a_mega_that_hangs_starts_anew_by_itself_and_its_watchdog_never_resets_it(tmp_path: Path) -> None:
    """There are boot loaders of the Mega that know no watchdog."""
    change = ("core/device.c", "default: return FAULT_TYPE;", "default: for (;;) ;")
    with Chip(elf=altered(tmp_path, change, chip="atmega2560"), chip="atmega2560") as chip:
        host = greeted(chip)
        chip.send(HANG)
        assert 0.4 < until_restarted(host) < 0.7
        assert restarts(host) == [ChipRestarted(ResetCause.WATCHDOG, 1)]
        chip.run(2.0)
        assert chip.bites == chip.faults == 0


@pytest.mark.parametrize("loader", [None, BootLoader.OPTIBOOT])
def test_a_chip_that_hangs_without_interrupts_is_reset_by_its_watchdog(
    deaf: Path, loader: BootLoader | None
) -> None:
    with Chip(elf=deaf, loader=loader) as chip:
        host = greeted(chip)
        chip.send(HANG)
        assert 0.9 < until_restarted(host) < 1.3
        hidden = loader is BootLoader.OPTIBOOT
        assert restarts(host)[0].cause == (ResetCause.UNKNOWN if hidden else ResetCause.WATCHDOG)
        assert chip.bites == 1


def test_with_an_old_boot_loader_it_waits_until_the_host_opens_its_port_again(deaf: Path) -> None:
    with Chip(elf=deaf, loader=BootLoader.OLD) as chip:
        host = greeted(chip)
        chip.send(HANG)
        chip.run(5)
        assert chip.bites == 0
        chip.reset()
        assert until_restarted(host) < GREETING_S
        assert restarts(host) == [ChipRestarted(ResetCause.RESET_LINE, 1)]


def test_a_watchdog_that_resets_the_chip_has_an_old_boot_loader_turn_in_circles(tmp_path: Path) -> None:
    """What the firmware avoids; a simulator that hides it would be no test."""
    source = (FIRMWARE / "avr" / "main.c").read_text()
    (spared,) = re.findall(r"    if \(LOADER_KNOWS_WATCHDOG\(\)\)\n", source)
    hang = 'default: __asm__ volatile("cli"); for (;;) ;'
    elf = altered(
        tmp_path, ("avr/main.c", spared, ""), ("core/device.c", "default: return FAULT_TYPE;", hang)
    )
    with Chip(elf=elf, loader=BootLoader.OLD) as chip:
        greeted(chip)
        chip.send(HANG)
        chip.run(3)
        chip.reset()
        before = chip.bites
        chip.run(2)
        assert chip.bites > before + 100


@pytest.mark.parametrize("loader", LOADERS)
def test_the_chip_is_back_in_time_after_its_port_was_opened(loader: BootLoader | None) -> None:
    with Chip(loader=loader) as chip:
        host = greeted(chip)
        chip.reset()
        assert until_restarted(host) < GREETING_S
        hidden = loader is BootLoader.OPTIBOOT
        assert restarts(host)[0].cause == (ResetCause.UNKNOWN if hidden else ResetCause.RESET_LINE)


@pytest.mark.parametrize("loader", LOADERS)
def test_a_power_cut_is_told_as_one_whatever_the_boot_loader_hides(loader: BootLoader | None) -> None:
    with Chip(loader=loader) as chip:
        greeted(chip)
        chip.power_cut()
        host = greeted(chip)
        assert host.session.chip is not None
        assert host.session.chip.reset_cause == ResetCause.POWER_ON
        assert restarts(host) == []


def test_a_cause_is_told_once(make: Make) -> None:
    with make() as chip:
        host = greeted(chip)
        chip.send(frame(restart()))
        until_restarted(host)
        chip.reset()
        until_restarted(host, 2)
        assert [each.cause for each in restarts(host)] == [ResetCause.ASKED, ResetCause.RESET_LINE]
