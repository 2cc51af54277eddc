"""What a live table costs: the processor while people play, the journal, and the time to go on after a power cut."""

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from calibration.calibrate import CalibrationPicture, calibrate
from controller.app.desk import Desk
from controller.app.eyes import Eyes
from controller.arrays import Picture
from controller.devices.film import FilmFrame, open_film
from controller.record.evidence.store import EvidenceStore, evidence_name
from controller.record.journal.journal import Journal
from controller.record.table.match_folder import NAME
from controller.record.table.resume import LiveMatch
from controller.referee.actions import Phase
from controller.referee.events import FrameSeen
from controller.rules.position import START
from controller.vision.board.board import Board
from tests.app.opened import FIVE, book_in, play
from tests.app.playing import Players

GAME = Path(__file__).parent.parent / "data" / "game"
FPS, SIZE, NOISE = 15, (1280, 720), 1.0
FILMED_S = 60.0
GRAINS = 8
"""Different sensor noises; to draw one for each picture would take longer than to look at it."""


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory(prefix="pointsman-bench-") as folder:
        return [*_watching(Path(folder)), *_resuming(Path(folder))]


def _watching(folder: Path) -> Iterator[dict[str, Any]]:
    """A minute of the filmed game, of which each picture is shown for half a second."""
    first, second = (_wide(cv2.imread(str(GAME / "frames" / f"{n:05d}.jpg"))) for n in (0, 1))
    board = calibrate(
        [CalibrationPicture("0", first, START.points), CalibrationPicture("1", second, START.points)]
    ).board
    path = folder / "watched.db"
    with Journal(path) as journal, EvidenceStore(evidence_name(path)) as store:
        desk, eyes = Desk.open(FIVE, book_in(journal, store)), Eyes(board)
        spent = filmed = 0.0
        reads = 0
        for frame in _frames():
            began = time.process_time()
            for news, evidence in eyes.read_frame(frame):
                desk.put(news, shot=evidence)
                reads += isinstance(news, FrameSeen)
            spent += time.process_time() - began
            filmed = frame.t
        quiet = _quiet(board, first)
    cores = {"value": spent / filmed, "unit": "cores", "target": 0.5}
    yield {"name": "processor while watching, 15 pictures/s of 1280x720"} | cores
    yield {"name": "pictures read", "value": reads / filmed, "unit": "1/s"}
    yield {"name": "a picture in which nothing changed", "value": quiet, "unit": "ms"}


def _frames() -> Iterator[FilmFrame]:
    """The film at 15 pictures a second: noise in each, and where a hand is in it, movement."""
    rng = np.random.default_rng(1)
    grains = [rng.normal(0, NOISE, (SIZE[1], SIZE[0], 3)).astype(np.float32) for _ in range(GRAINS)]
    hands = {
        Path(line["file"]).name: line["hand"]
        for line in map(json.loads, (GAME / "truth.jsonl").read_text().splitlines())
    }
    number = 0
    for shown in open_film(GAME / "frames"):
        if shown.picture is None:
            continue
        wide = _wide(shown.picture).astype(np.float32)
        while number / FPS < min(shown.t + 0.5, FILMED_S):
            moved = np.roll(wide, 3 * (number % 5), axis=1) if hands.get(shown.name) else wide
            picture = np.clip(moved + grains[number % GRAINS], 0, 255).astype(np.uint8)
            yield FilmFrame(number, shown.name, number / FPS, picture)
            number += 1
        if shown.t > FILMED_S:
            return


def _quiet(board: Board, start: Picture) -> float:
    eyes = Eyes(board)
    frames = [FilmFrame(n, "", n / FPS, start) for n in range(60)]
    for frame in frames[:30]:
        eyes.read_frame(frame)
    began = time.process_time()
    for frame in frames[30:]:
        eyes.read_frame(frame)
    return (time.process_time() - began) / 30 * 1000


def _wide(picture: Any) -> Picture:
    return np.asarray(cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA), np.uint8)


def _resuming(folder: Path) -> Iterator[dict[str, Any]]:
    """A match of random players, interrupted every now and then."""
    path = folder / "journal.db"
    with Journal(path) as journal:
        desk, players = Desk.open(FIVE, book_in(journal)), Players(Random(3), doubles=0.005)
        worst, inputs = 0.0, 0
        while desk.table.phase is not Phase.MATCH_OVER:
            play(desk, players, most=200)
            inputs += 200
            began = time.process_time()
            LiveMatch.read(journal, NAME).table()
            worst = max(worst, time.process_time() - began)
        size = path.stat().st_size
    yield {
        "name": "to go on after a power cut, longest of a match",
        "value": worst,
        "unit": "s",
        "target": 3.0,
    }
    yield {
        "name": "journal for each input, readings and verdicts",
        "value": size / inputs / 1000,
        "unit": "kB",
    }
