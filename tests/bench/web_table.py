"""A table that plays with and without its pages, in a process of its own: its rows as JSON."""

import json
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.calibrate import CalibrationPicture, calibrate
from controller.app.eyes import Eyes
from controller.app.room import Room
from controller.config import Config
from controller.config.sections import BoardSection, ClockKind, ClockSection, MatchSection
from controller.devices.film import FilmFrame
from controller.referee import Phase, TurnJudged
from controller.rules import START, Side, legal_plays
from controller.web.server.application import serve
from controller.web.settings import WebSettings
from controller.web.table_service import News
from tests.app.test_live import Scene
from tests.striped import BOARD

GAME = Path(__file__).parent.parent / "data" / "game"
VIEWERS, STALLED = 200, 20
PAIRS, TURNS = 4, 12
REST_S = 0.45
"""Until the checkers have been seen where they lie."""
SAID_EVERY_S = 0.2
SETTLED_S = 30.0


@dataclass
class Verdicts:
    """When each turn was judged and told."""

    heard: threading.Event = field(default_factory=threading.Event)
    at: float = 0.0

    def hear(self, news: News) -> None:
        """Something happened at the table."""
        if any(isinstance(action, TurnJudged) for action in news.actions):
            self.at = time.monotonic()
            self.heard.set()


@contextmanager
def playing(folder: Path) -> Iterator[tuple[Room, Scene]]:
    """A table in a thread, on pictures that the bench lays out."""
    scene, stop = Scene(), threading.Event()
    config = Config(
        folder=folder,
        match=MatchSection(light="Anna", dark="Béla", length=7),
        board=BoardSection(port="none"),
        clock=ClockSection(kind=ClockKind.SIMPLE),
    )
    room = Room(config, BOARD, lambda _: None, open_camera=scene.open, read=scene.reading)
    opened = threading.Event()

    def work() -> None:
        # The journal belongs to the thread that opens it.
        room.open_match()
        opened.set()
        room.run(stop)

    thread = threading.Thread(target=work)
    thread.start()
    assert opened.wait(SETTLED_S)
    try:
        yield room, scene
    finally:
        stop.set()
        thread.join()


def turns_of(room: Room, scene: Scene, rng: random.Random) -> list[float]:
    """Play some turns; from each press to its verdict, ms."""
    verdicts, took = Verdicts(), list[float]()
    room.subscribe(verdicts.hear)
    table = room.match.table
    assert table is not None
    _until(lambda: table.state.phase is Phase.OPENING_ROLL)
    room.ask({"what": "opening_roll", "light": 3, "dark": 1}, "light").result(SETTLED_S)
    for _ in range(TURNS):
        if table.state.phase is Phase.TO_ROLL:
            side = table.state.on_turn or Side.LIGHT
            dice = [rng.randint(1, 6), rng.randint(1, 6)]
            room.ask({"what": "roll", "side": str(side), "dice": dice}, str(side)).result(SETTLED_S)
        thrown = table.state.thrown
        if thrown is None or thrown.side is None:
            continue
        plays = legal_plays(table.state.position, thrown.side, thrown.roll)
        if not plays:
            continue
        scene.lay(rng.choice(plays).after)
        time.sleep(REST_S)
        verdicts.heard.clear()
        pressed = time.monotonic()
        room.ask({"what": "pressed", "button": "done"}, str(thrown.side))
        if verdicts.heard.wait(SETTLED_S):
            took.append((verdicts.at - pressed) * 1000)
        _until(lambda: table.state.phase is Phase.TO_ROLL)
    return took


@dataclass
class Hall:
    """A server with everybody who looks."""

    port: int
    room: Room
    late_ms: list[float] = field(default_factory=list)
    come: int = 0
    cores: float = 0.0
    seconds: float = 0.0

    def __enter__(self) -> "Hall":
        command = [
            sys.executable,
            "-m",
            "tests.bench.web_viewers",
            str(self.port),
            str(VIEWERS),
            str(STALLED),
        ]
        self._others = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._others.stdout is not None
        assert self._others.stdout.readline() == "up\n"
        self._stop = threading.Event()
        self._saying = threading.Thread(target=self._say)
        self._saying.start()
        return self

    def _say(self) -> None:
        while not self._stop.wait(SAID_EVERY_S):
            now = time.monotonic()
            self.room.tell(lambda _, now=now: f"said {now} " + "x" * 300)  # type: ignore[misc]

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._saying.join()
        told, _ = self._others.communicate("\n", timeout=60)
        seen = json.loads(told)
        self.late_ms, self.come = seen["late_ms"], seen["come"]


def run() -> list[dict[str, Any]]:
    """Pairs of blocks, with pages and without, and what the pages cost."""
    cv2.setNumThreads(1)
    without, with_pages, late = list[float](), list[float](), list[float]()
    cores: list[float] = []
    quiet: list[float] = []
    come = 0
    for pair in range(PAIRS):
        for pages in (pair % 2 == 0, pair % 2 != 0):
            with tempfile.TemporaryDirectory(prefix="pointsman-bench-") as folder, ExitStack() as stack:
                room, scene = stack.enter_context(playing(Path(folder)))
                hall = None
                if pages:
                    server = stack.enter_context(serve(room, WebSettings()))
                    hall = stack.enter_context(Hall(server.port, room))
                began, spent = time.monotonic(), time.process_time()
                took = turns_of(room, scene, random.Random(pair))
                used = (time.process_time() - spent) / (time.monotonic() - began)
                (with_pages if pages else without).extend(took)
                (cores if pages else quiet).append(used)
                memory = _memory(None) if not pages else _memory(room)
            if hall is not None:
                late += hall.late_ms
                come += hall.come
                resident = memory
    return [
        _row("sentence to screen, p50", np.percentile(late, 50), "ms"),
        _row("sentence to screen, p95", np.percentile(late, 95), "ms", 50),
        _row("sentence to screen, p99", np.percentile(late, 99), "ms"),
        _row("processor of the pages, 5 sentences/s", np.mean(cores) - np.mean(quiet), "cores", 0.1),
        _row("pages that came and went meanwhile", come, ""),
        _row("press to verdict without pages, p50", np.percentile(without, 50), "ms"),
        _row("press to verdict with pages, p50", np.percentile(with_pages, 50), "ms"),
        _row("press to verdict without pages, p95", np.percentile(without, 95), "ms"),
        _row("press to verdict with pages, p95", np.percentile(with_pages, 95), "ms"),
        _row("turns judged, with and without", len(with_pages) + len(without), ""),
        _row("resident memory of a table with pages and networks", resident, "MB", 250),
    ]


def _memory(room: Room | None) -> float:
    """Resident memory now, MB, once the real reader has looked at pictures of a real size."""
    if room is not None:
        _look_for_real()
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return float(line.split()[1]) / 1000
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def _look_for_real() -> None:
    pictures = [
        np.asarray(cv2.resize(cv2.imread(str(GAME / "frames" / f"{n:05d}.jpg")), (1280, 720)), np.uint8)
        for n in (0, 1)
    ]
    shown = [CalibrationPicture(str(n), picture, START.points) for n, picture in enumerate(pictures)]
    eyes = Eyes(calibrate(shown).board)
    for number in range(20):
        list(eyes.read_frame(FilmFrame(number, "", number / 15, pictures[number % 2])))


def _row(name: str, value: float, unit: str, target: float | None = None) -> dict[str, Any]:
    row: dict[str, Any] = {"name": name, "value": float(value), "unit": unit}
    return row if target is None else {**row, "target": target}


def _until(come_true: Any) -> None:
    end = time.monotonic() + SETTLED_S
    while not come_true():
        assert time.monotonic() < end
        time.sleep(0.005)


if __name__ == "__main__":
    print(json.dumps(run()))
