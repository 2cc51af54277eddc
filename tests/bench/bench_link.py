"""The link to the board's electronics: on the real firmware, in the simulator."""

import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from controller.devices.link.happenings import Answered
from controller.devices.link.link import Link
from controller.devices.link.messages import LampPicture, LightsOk, Style
from controller.devices.link.status import LinkState
from controller.simulation.electronics.chip import FIRMWARE, Chip, build
from tests.firmware.board import Board
from tests.firmware.host import Cable, Host
from tests.firmware.storm import storm

EVENTS = 10_000
FUZZ_BYTES = 10_000_000
FRAMES = 300


def run() -> list[dict[str, Any]]:
    """Rows of the benchmark table."""
    return [*_size(), *_storm(), *_strip(), *_fuzz(), *_real_time()]


def _row(name: str, value: float, unit: str, target: float | str) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "target": target}


def _size() -> list[dict[str, Any]]:
    build("pointsman.elf")
    told = subprocess.run(
        ["make", "-s", "-C", str(FIRMWARE), "size"], capture_output=True, text=True, check=True
    )
    flash, ram = (int(number) for number in re.findall(r"(\d+) of", told.stdout))
    return [
        _row("flash on the ATmega328P", flash, "bytes", 16384),
        _row("RAM on the ATmega328P", ram, "bytes", 1228),
    ]


def _storm() -> list[dict[str, Any]]:
    outcome = storm(Chip, EVENTS, noise=0.005, unplugs=50, resets=20, host_restarts=20)
    rest = iter(outcome.done)
    disordered = sum(event not in rest for event in outcome.told)
    unaccounted = len(outcome.done) - len(outcome.told) - outcome.lost
    return [
        _row("storm: events caused", len(outcome.done), "", f">= {EVENTS}"),
        _row("storm: told once and in order", len(outcome.told), "", ""),
        _row("storm: dropped by the full queue and reported", outcome.lost, "", ""),
        _row("storm: neither told nor reported", unaccounted, "", 0),
        _row("storm: doubled or out of order", outcome.duplicates + disordered, "", 0),
    ]


def _strip() -> list[dict[str, Any]]:
    wrong = shown = 0
    with Chip() as chip:
        host = Host(Cable(chip))
        host.until(lambda: host.session.ready)
        for number in range(FRAMES):
            lamps = tuple((1 + (lamp + number) % 3, 0) for lamp in range(29))
            styles = (
                Style(number % 256, 255 - number % 256, 85),
                Style(0, number % 256, 170),
                Style(255, 1, number % 128),
            )
            picture = LampPicture(styles, lamps, 40)
            before = chip.pictures
            host.session.show(picture)
            host.until(lambda before=before: chip.pictures > before)  # type: ignore[misc]
            wanted = b"".join(
                bytes(c * 41 >> 8 for c in (s.green, s.red, s.blue))
                for s in (styles[i - 1] for i, _ in lamps)
            )
            wrong += sum((a ^ b).bit_count() for a, b in zip(wanted, chip.strip, strict=True))
            shown += 8 * len(wanted)
        faults = chip.faults
    return [
        _row(f"wrong LED bits of {shown}", wrong, "", 0),
        _row("waveform timing errors", faults, "", 0),
    ]


def _fuzz() -> list[dict[str, Any]]:
    ran = subprocess.run(
        [str(build("fuzz_core")), str(FUZZ_BYTES), "11"], capture_output=True, text=True, check=False
    )
    return [
        _row(f"core under sanitizers, {FUZZ_BYTES} random bytes: faults", int(ran.returncode != 0), "", 0)
    ]


def _real_time() -> list[dict[str, Any]]:
    shown: list[float] = []

    def notice(happening: object) -> None:
        if isinstance(happening, Answered) and isinstance(happening.answer, LightsOk):
            shown.append(time.monotonic())

    with tempfile.TemporaryDirectory() as folder, Board(Path(folder)) as board:
        link = Link(board.port, host_session=1, deliver=lambda _: None, notice=notice)
        with link:
            _until(lambda: link.status.state == LinkState.READY)
            lags = sorted(_lag(link, shown, number) for number in range(FRAMES))
            lost, back = _unplugged(board, link)
            idle = _busy(3.0, lambda _: time.sleep(0.1))
            busy = _busy(3.0, lambda n: (link.show(_picture(n)), time.sleep(1 / 30)))
    return [
        _row("light frame, call to acknowledged: median", 1000 * statistics.median(lags), "ms", 10),
        _row("light frame, call to acknowledged: 99 %", 1000 * lags[FRAMES * 99 // 100], "ms", 25),
        _row("a pulled cable is noticed after, worst of 10", max(lost), "s", 1.5),
        _row("back after replugging, worst of 10", max(back), "s", 2),
        _row("host CPU for the link, idle", 100 * idle, "% of a core", 1),
        _row("host CPU at 30 light frames a second", 100 * busy, "% of a core", 5),
    ]


def _picture(number: int) -> LampPicture:
    return LampPicture((Style(number % 256, number // 256, 7),), ((1, 0),) * 29)


def _lag(link: Link, shown: list[float], number: int) -> float:
    before, began = len(shown), time.monotonic()
    link.show(_picture(number))
    _until(lambda: len(shown) > before)
    time.sleep(0.003)
    return shown[before] - began


def _unplugged(board: Board, link: Link) -> tuple[list[float], list[float]]:
    lost: list[float] = []
    back: list[float] = []
    for _ in range(10):
        board.do("unplug")
        lost.append(_until(lambda: link.status.state == LinkState.SEARCHING))
        time.sleep(0.3)
        board.do("replug")
        back.append(_until(lambda: link.status.state == LinkState.READY))
    return lost, back


def _busy(seconds: float, work: Any) -> float:
    """The part of a core that this process takes while it does `work` over and over."""
    began, spent = time.monotonic(), time.process_time()
    number = 0
    while time.monotonic() - began < seconds:
        work(number)
        number += 1
    return (time.process_time() - spent) / (time.monotonic() - began)


def _until(condition: Any) -> float:
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < 60
        time.sleep(0.0005)
    return time.monotonic() - began
