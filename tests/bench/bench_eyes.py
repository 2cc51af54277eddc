"""How well and how fast single pictures are read, each on its own: on painted boards that nothing was learned from.

`make bench BOARDS=folder` also measures rendered or photographed boards: one folder for each, with `start.jpg`,
`start2.jpg`, `setup.json`, `truth.jsonl` and the pictures its lines name. Several such folders are named with a colon
between them. How far confidences can be believed is told for every kind of thing by itself: how often what is stated
so surely is right, and by how much the two differ on average.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.calibrate import CalibrationError, CalibrationPicture, calibrate
from controller.arrays import Picture
from controller.simulation.boards.chance import random_setting
from controller.simulation.boards.scenes import START, random_scene, start_scene
from controller.simulation.painting.painter import Painter
from controller.simulation.painting.truth import truth_of
from controller.vision.board.board import Board, dump_board
from controller.vision.dice.views import DIE_VIEW
from controller.vision.geometry.glimpse import glimpse, window_of
from controller.vision.reader import read_board
from controller.vision.reading import DieSeen, Reading
from controller.vision.watch import change_between
from tests.bench.reliability import Stated, calibration_error, reliability

SEED = 900_000
"""Of the painted boards kept aside; those that networks learn from have small seeds."""
BOARDS, PICTURES = 6, 8
SIZE = (1280, 720)
SEEN = 0.8
"""Dice and cubes less visible than this are not asked for."""
SAME_MM = 8.0
"""A die that is told no further from a true one is meant to be that one."""


@dataclass
class Tally:
    """What was counted: `right[name]` of `asked[name]`, and the times of single pictures in ms."""

    right: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    spent: list[float] = field(default_factory=list)
    stated: dict[str, list[Stated]] = field(default_factory=lambda: defaultdict(list))
    failed: list[str] = field(default_factory=list)

    def count(self, name: str, right: bool) -> None:
        """One more that was asked for."""
        self.asked[name] += 1
        self.right[name] += right

    def share(self, name: str) -> float:
        """Per cent right; 0 where nothing was asked for."""
        return 100 * self.right[name] / max(self.asked[name], 1)


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    cv2.setNumThreads(1)
    rows = list(_rows("painted", painted()))
    for folder in filter(None, os.environ.get("BOARDS", "").split(os.pathsep)):
        rows += _rows(Path(folder).name, recorded(Path(folder)))
    return [*rows, *_cheapness()]


def painted(
    boards: int = BOARDS, pictures: int = PICTURES, size: tuple[int, int] = SIZE, seed: int = SEED
) -> Iterator[tuple[str, Board | None, list[tuple[Picture, Mapping[str, Any]]]]]:
    """Painted boards with their pictures and truth; no board where it could not be calibrated."""
    for number in range(boards):
        rng = np.random.default_rng(seed + number)
        setting = random_setting(rng, size)
        painter = Painter(setting)
        starts = [painter.paint(start_scene(setting, rng), rng).picture for _ in range(2)]
        shots = []
        for k in range(pictures):
            scene = random_scene(setting, rng)
            shot = painter.paint(scene, rng)
            cup = any(cup.z_mm >= 0 for cup in scene.cups)
            truth: Mapping[str, Any] = {**truth_of(setting, scene, shot, f"{k}.jpg"), "cup_on_board": cup}
            shots.append((shot.picture, truth))
        yield f"painted {number}", _board(starts, None), shots


def recorded(folder: Path) -> Iterator[tuple[str, Board | None, list[tuple[Picture, Mapping[str, Any]]]]]:
    """Boards with their pictures and truth from a folder."""
    for place in sorted(path.parent for path in folder.glob("*/setup.json")):
        home = json.loads((place / "setup.json").read_text())["light_home_in_image"]
        starts = [_picture(place / name) for name in ("start.jpg", "start2.jpg")]
        truths = [json.loads(line) for line in (place / "truth.jsonl").read_text().splitlines()]
        yield place.name, _board(starts, home), [(_picture(place / t["file"]), t) for t in truths]


def _picture(path: Path) -> Picture:
    return np.asarray(cv2.imread(str(path)), np.uint8)


def _board(starts: list[Picture], home: Any) -> Board | None:
    views = [CalibrationPicture(f"start {k}", picture, START.points) for k, picture in enumerate(starts)]
    try:
        return calibrate(views, home).board
    except CalibrationError:
        return None


def _rows(what: str, boards: Iterator[Any]) -> Iterator[dict[str, Any]]:
    tally = Tally()
    for name, board, shots in boards:
        tally.count("boards", board is not None)
        if board is None:
            tally.failed.append(name)
            continue
        for picture, truth in shots:
            began = time.perf_counter()
            seen = read_board(picture, board)
            tally.spent.append((time.perf_counter() - began) * 1000)
            _compare(tally, seen, truth)
            _state(tally, seen, truth, board)
    sure, wrong = tally.asked["sure"], tally.asked["sure"] - tally.right["sure"]
    table = [
        ("boards calibrated without help", tally.share("boards"), "%", 100),
        ("pictures without a hand read exactly", tally.share("exact"), "%", 97),
        ("points right, covered ones left out", tally.share("points"), "%", 99.8),
        ("points wrong and not marked unsure", wrong, f"of {sure}", sure // 5000),
        ("borne-off counts right where seen", tally.share("off"), "%", 95),
        ("both dice right where visible", tally.share("dice"), "%", 97),
        ("cube right where visible", tally.share("cube"), "%", 97),
        ("hands noticed", tally.share("hand"), "%", 98),
        ("hands imagined", 100 - tally.share("no hand"), "%", 1),
        ("one picture after decoding, median", statistics.median(tally.spent or [0.0]), "ms", 60),
    ]
    for name, value, unit, target in table:
        yield _row(f"{what}: {name}", value, unit, target)
    yield from _calibration(what, tally)


def _compare(tally: Tally, seen: Reading, truth: Mapping[str, Any]) -> None:
    """Count what a reading has right of a picture."""
    hidden = {int(point) + 1 for point in truth["occluded_points"]}
    right = [count == true for count, true in zip(seen.points, truth["points"], strict=True)]
    bar = {"light": seen.bar.light, "dark": seen.bar.dark} == truth["bar"]
    for point in set(range(1, 25)) - hidden:
        tally.count("points", right[point - 1])
        if point not in seen.unsure:
            tally.count("sure", right[point - 1])
    # A cup on the board is to be noticed as a hand is.
    if truth["hand"] or truth.get("cup_on_board"):
        tally.count("hand", seen.hand)
    else:
        tally.count("no hand", not seen.hand)
    if not truth["hand"]:
        tally.count("exact", all(right) and bar)
        for side in ("light", "dark") if truth["off"] else ():
            if truth["off"][side] is not None:
                tally.count("off", getattr(seen.off, side) == truth["off"][side])
    if all(die["visible"] >= SEEN for die in truth["dice"]):
        values = sorted(die["value"] for die in truth["dice"])
        tally.count("dice", sorted(die.value for die in seen.dice) == values)
    cube = truth.get("cube")
    if cube and cube.get("visible", 1) >= SEEN:
        told = None if seen.cube is None else (seen.cube.value, seen.cube.owner)
        tally.count("cube", told == (cube["value"], cube["owner"]))


def _state(tally: Tally, seen: Reading, truth: Mapping[str, Any], board: Board) -> None:
    """Note how sure a reading is of each thing, and whether it is right."""
    hidden = {int(point) + 1 for point in truth["occluded_points"]}
    for point in set(range(1, 25)) - hidden:
        right = seen.points[point - 1] == truth["points"][point - 1]
        tally.stated["points"].append(Stated(seen.point_confidence[point - 1], right))
    for die in seen.dice:
        near = [other for other in truth["dice"] if _apart_mm(die, other, board) <= SAME_MM]
        right = any(other["value"] == die.value for other in near)
        tally.stated["dice"].append(Stated(die.confidence, right))
    if seen.cube is not None:
        cube = truth.get("cube") or {}
        right = (seen.cube.value, seen.cube.owner) == (cube.get("value"), cube.get("owner"))
        tally.stated["cube"].append(Stated(seen.cube.confidence, right))
    if truth["hand"]:
        return
    bar = {"light": seen.bar.light, "dark": seen.bar.dark}
    tally.stated["bar"].append(Stated(seen.bar_confidence, bar == truth["bar"]))
    for side, sure in zip(("light", "dark"), seen.off_confidence, strict=True):
        if truth["off"] and truth["off"][side] is not None:
            tally.stated["off"].append(Stated(sure, getattr(seen.off, side) == truth["off"][side]))


def _apart_mm(die: DieSeen, other: Mapping[str, Any], board: Board) -> float:
    places = board.camera.to_board(np.array([[die.x, die.y], [other["x"], other["y"]]]), DIE_VIEW.height_mm)
    return float(np.hypot(*(places[0] - places[1])))


def _calibration(what: str, tally: Tally) -> Iterator[dict[str, Any]]:
    """By how much what is stated of each kind of thing differs from how often it is right, and the curve."""
    for kind, stated in tally.stated.items():
        name = f"{what}: {kind}, expected calibration error of {len(stated)}"
        yield {"name": name, "value": 100 * calibration_error(stated), "unit": "%"}
        for part in reliability(stated):
            name = f"{what}: {kind}, right of {part.count} stated {100 * part.stated:.2f} % on average"
            yield {"name": name, "value": 100 * part.right, "unit": "%"}


def _cheapness() -> Iterator[dict[str, Any]]:
    """What a picture costs in which nothing changed, and the memory of the command that reads pictures."""
    rng = np.random.default_rng(SEED)
    setting = random_setting(rng, SIZE)
    painter = Painter(setting)
    starts = [painter.paint(start_scene(setting, rng), rng).picture for _ in range(2)]
    window = window_of(setting.camera, setting.geometry)
    before, spent = glimpse(starts[0], window), []
    for _ in range(60):
        began = time.perf_counter()
        now = glimpse(starts[0], window)
        change_between(before, now)
        change_between(before, now)
        spent.append((time.perf_counter() - began) * 1000)
    yield _row("a picture in which nothing changed, median", statistics.median(spent), "ms", 3)
    board = _board(starts, None)
    if board is not None:
        yield _row("memory of `pointsman read`, 20 pictures", _memory_mb(board, starts), "MB", 300)


def _memory_mb(board: Board, pictures: list[Picture]) -> float:
    """The most memory the command takes (resident, MB)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "board.toml").write_text(dump_board(board))
        files = [str(folder / f"{k}.jpg") for k in range(20)]
        for k, file in enumerate(files):
            cv2.imwrite(file, pictures[k % len(pictures)])
        command = [sys.executable, "-c", _READ_AND_TELL, "read", "--board", str(folder / "board.toml")]
        told = subprocess.run([*command, "--json", *files], capture_output=True, text=True, check=False)
    return float(told.stderr.strip().splitlines()[-1]) / 1024


# `ru_maxrss` would still hold what the process that started this one had taken.
_READ_AND_TELL = """
import sys
from pathlib import Path
from controller.cli import main
try:
    main()
except SystemExit:
    pass
status = Path("/proc/self/status").read_text().splitlines()
sys.stderr.write(next(line.split()[1] for line in status if line.startswith("VmHWM")) + chr(10))
"""


def _row(name: str, value: float, unit: str, target: float) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "target": target}


if __name__ == "__main__":
    json.dump(run(), sys.stdout, indent=1)
