"""A table that runs, and a camera with more pixels than its board file is for: who asks for stills."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from controller.app.room import Room
from controller.arrays import Picture
from controller.config import Config
from controller.config.sections import BoardSection, DiceAt, DiceSection
from controller.devices.camera.camera import Camera, PictureOrigin, Wish
from controller.devices.camera.live import LiveCamera
from controller.devices.camera.status import CameraStatus
from controller.devices.camera.stills import PendingStill, StillTaken, StillWish
from controller.vision.reading import DieSeen
from tests.app.closer.test_closer import ROLL, SMALLER, Scene, laid
from tests.hub.hubs import until

FPS = 10.0


class Source:
    """A camera above a roll that lies at rest, as a driver gives it."""

    def __init__(self, wish: Wish) -> None:
        self.name, self.origin, self.lens_position = "table", PictureOrigin.DEVICE, None
        self.wish, self.wishes = wish, list[StillWish]()
        self._shown, self._asked, self._rng = laid(), PendingStill(), np.random.default_rng(1)

    @property
    def still_size(self) -> tuple[int, int] | None:
        return (self._shown.shape[1], self._shown.shape[0]) if self.wish.still else None

    def grab(self) -> Picture:
        time.sleep(1 / FPS)
        wish = self._asked.next()
        if wish is not None:
            self._asked.answer(wish, self._shown)
        small = cv2.resize(self._shown, None, fx=1 / SMALLER, fy=1 / SMALLER, interpolation=cv2.INTER_AREA)
        return np.asarray(np.clip(small + self._rng.normal(0, 1, small.shape), 0, 255), np.uint8)

    def ask_still(self, wish: StillWish) -> None:
        self.wishes.append(wish)
        self._asked.ask(wish)

    def collect_still(self) -> StillTaken | None:
        return self._asked.collect()

    def close(self) -> None:
        pass


class Table:
    """A room that runs, with the sources that its camera was opened as."""

    def __init__(self, folder: Path, dice: DiceAt) -> None:
        self.sources = list[Source]()
        config = Config(folder=folder, board=BoardSection(port="none"), dice=DiceSection(source=dice))
        board = Scene().board()
        self.room = Room(config, board, lambda _: None, open_camera=self._open)

    def _open(self, wish: Wish, tell: Callable[[CameraStatus], None]) -> Camera:
        def source(given: Wish) -> Source:
            self.sources.append(Source(given))
            return self.sources[-1]

        camera = LiveCamera(replace(wish, source="table"), tell=tell, open_it=source)
        camera.start()
        return camera

    def dice(self) -> tuple[DieSeen, ...]:
        """What is read now."""
        last = self.room.camera.last
        return () if last is None or last.reading is None else last.reading.dice

    @contextmanager
    def running(self) -> Iterator[None]:
        stop = threading.Event()
        thread = threading.Thread(target=lambda: self.room.run(stop, stays=True))
        thread.start()
        try:
            yield
        finally:
            stop.set()
            self.room.inbox.wake()
            thread.join()


def test_at_a_table_whose_camera_reads_the_dice_a_roll_of_few_pixels_is_read_in_a_still(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path, DiceAt.CAMERA)
    with table.running():
        until(lambda: {die.value for die in table.dice() if die.confidence > 0.9} == ROLL)
        assert [wish.stops for wish in table.sources[-1].wishes] == [0]


def test_with_electronic_dice_no_still_is_asked_for(tmp_path: Path) -> None:
    table = Table(tmp_path, DiceAt.BOARD)
    with table.running():
        until(lambda: len(table.dice()) > 0)
        time.sleep(3 / FPS)
        assert not table.sources[-1].wish.still
        assert not table.sources[-1].wishes


def test_a_table_that_is_told_to_read_the_dice_after_all_opens_its_camera_for_that(tmp_path: Path) -> None:
    table = Table(tmp_path, DiceAt.BOARD)
    table.room.open()
    until(lambda: len(table.sources) == 1)
    table.room.use(DiceSection(source=DiceAt.CAMERA))
    with table.running():
        until(lambda: len(table.sources) == 2 and bool(table.sources[-1].wishes))
