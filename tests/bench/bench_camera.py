"""The camera: what its own process costs, and how soon a fault is noticed and pictures are back.

ROUNDS in the environment says how many times each fault comes about; 10 if it is not set.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from controller.arrays import Picture
from controller.devices.camera.camera import PictureOrigin
from controller.devices.camera.live import LiveCamera
from controller.devices.camera.message import PictureNews, decode_news, encode_news
from controller.devices.camera.status import CameraState
from tests.devices.camera.rig import WELL, CameraRig, children, handles
from tests.devices.cameras import noise

ROUNDS = int(os.environ.get("ROUNDS", "10"))
NOTICED_S, BACK_S = 2.0, 3.0
FAULTS = ("hangs", "deaf", "crashes", "frozen", "black", "small")
LASTS_S = 0.7
"""How long a fault goes on after it was noticed: nothing may depend on when it ends."""
PATIENCE_S = 60.0
PICTURES = 300
HD = (1280, 720)

Act = Callable[[], object]


def run() -> list[dict[str, Any]]:
    """Rows of the benchmark table."""
    return [_cost(), *_faults()]


def _cost() -> dict[str, Any]:
    """CPU time that goes into handing one picture from the camera's process to the program, both sides together."""
    memory, picture = os.memfd_create("bench"), noise(1, HD)
    began = time.process_time()
    for _ in range(PICTURES):
        os.pwrite(memory, picture.data, 0)
        news = decode_news(encode_news(PictureNews(*HD, "bench", PictureOrigin.DEVICE, None)))
        taken = np.empty((news.height, news.width, 3), np.uint8)
        os.preadv(memory, [taken.data.cast("B")], 0)
    spent_ms = (time.process_time() - began) / PICTURES * 1000
    os.close(memory)
    return {"name": "a picture of 1280x720 from process to process", "value": spent_ms, "unit": "ms CPU"}


def _faults() -> Iterator[dict[str, Any]]:
    before = children(), handles()
    with tempfile.TemporaryDirectory() as folder:
        rig = CameraRig(Path(folder))
        rig.plug()
        for does in FAULTS:

            def breaks(does: str = does) -> None:
                rig.turn(does)

            yield from _rows(does, rig, "auto", breaks, lambda: rig.turn(WELL))
        for source in ("auto", str(rig.link), "0"):
            numbers = count(1)

            def comes_back(numbers: Iterator[int] = numbers) -> None:
                rig.plug(next(numbers) % 9)

            name = "its name" if source == str(rig.link) else source
            yield from _rows(f"pulled, back under another number; {name}", rig, source, rig.pull, comes_back)
            rig.pull()
            rig.plug()
    yield {"name": "processes left", "value": len(children() - before[0]), "target": 0}
    yield {"name": "handles left", "value": handles() - before[1], "target": 0}


def _rows(name: str, rig: CameraRig, source: str, breaks: Act, mends: Act) -> Iterator[dict[str, Any]]:
    """The worst of all rounds with one camera, and the median."""
    noticed, back = [], []
    with rig.camera(source) as camera:
        _wait(lambda: camera.read(0.05) is not None)
        for _ in range(ROUNDS):
            noticed.append(_seconds(breaks, lambda: camera.status.state is not CameraState.OK))
            time.sleep(LASTS_S)
            camera.read(0.0)
            back.append(_seconds(mends, lambda: camera.read(0.01) is not None))
            _keep_well(camera)
    for what, spent, target in (("noticed", noticed, NOTICED_S), ("back", back, BACK_S)):
        yield {
            "name": f"{name}: {what}, worst of {ROUNDS}",
            "value": max(spent),
            "unit": "s",
            "target": target,
        }
        yield {"name": f"{name}: {what}, median", "value": statistics.median(spent), "unit": "s"}


def _keep_well(camera: LiveCamera, pictures: int = 5) -> None:
    """A few more pictures, so that no fault lies within the one before."""
    got: list[Picture] = []

    def has_enough() -> bool:
        frame = camera.read(0.05)
        got.extend([] if frame is None else [frame.picture])
        return len(got) >= pictures

    _wait(has_enough)


def _seconds(act: Act, happened: Callable[[], bool]) -> float:
    act()
    began = time.monotonic()
    _wait(happened)
    return time.monotonic() - began


def _wait(happened: Callable[[], bool]) -> None:
    began = time.monotonic()
    while not happened():
        if time.monotonic() - began > PATIENCE_S:
            raise TimeoutError("the camera neither broke nor came back")
        time.sleep(0.002)
