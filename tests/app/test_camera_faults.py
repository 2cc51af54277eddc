"""Pictures that come and are no good, in a match: a real stream, the real camera behind it, a whole table."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from controller.app.around.camera_in_use import live_camera
from controller.arrays import Picture
from controller.config import Config
from controller.config.sections import BoardSection, CameraSection
from controller.devices.camera.status import CameraCode, CameraStatus
from controller.messages.device_words import reason_of
from controller.referee.actions import Phase
from controller.rules.position import START
from controller.vision.reading import Reading
from tests.app.test_live import Running, Scene
from tests.devices.cameras import Sender, at_rest
from tests.referee.staging import Film
from tests.striped import BOARD


def scene(number: int) -> Picture:
    """A picture of the size that the board was calibrated with."""
    return at_rest(number, (BOARD.camera.width, BOARD.camera.height))


class Streaming(Scene):
    """What a stream shows: whatever comes of it is read as a board that is set up."""

    def __init__(self) -> None:
        super().__init__()
        self.open = live_camera  # type: ignore[assignment]
        self._films = Film(Random(2))
        self._reading = threading.Lock()

    def reading(self, _: object, __: object) -> Reading:  # type: ignore[override]
        with self._reading:
            return self._films.read(START)


@contextmanager
def table_at(sender: Sender, folder: Path) -> Iterator[Running]:
    camera = CameraSection(source=sender.address)
    with Running(
        Config(folder=folder, camera=camera, board=BoardSection(port="none")), Streaming()
    ) as running:
        running.until_phase(Phase.OPENING_ROLL)
        yield running


def told(code: CameraCode, sender: Sender) -> str:
    return reason_of(CameraStatus(code, sender.address))


def test_a_stream_that_keeps_sending_the_same_picture_is_told_in_a_match(tmp_path: Path) -> None:
    with Sender(paint=scene) as sender, table_at(sender, tmp_path) as running:
        sender.repeating.set()
        running.until_told(told(CameraCode.FROZEN, sender))
        running.until_told("Camera lost.")
        sender.repeating.clear()
        running.until_told("Camera back.")


def test_pictures_of_which_a_part_is_missing_are_told_in_a_match(tmp_path: Path) -> None:
    with Sender(paint=scene) as sender, table_at(sender, tmp_path) as running:
        sender.cutting.set()
        running.until_told(told(CameraCode.INCOMPLETE, sender))
        running.until_told("Camera lost.")
        sender.cutting.clear()
        running.until_told("Camera back.")


def test_a_stream_that_was_cut_from_its_first_picture_on_is_told(tmp_path: Path) -> None:
    with Sender(paint=scene) as sender:
        sender.cutting.set()
        camera = CameraSection(source=sender.address)
        config = Config(folder=tmp_path, camera=camera, board=BoardSection(port="none"))
        with Running(config, Streaming()) as running:
            running.until_told(told(CameraCode.INCOMPLETE, sender))


def test_a_picture_that_is_cut_now_and_then_is_passed_over_without_a_word(tmp_path: Path) -> None:
    with Sender(paint=scene) as sender, table_at(sender, tmp_path) as running:
        sender.whole_every = 2
        sender.cutting.set()
        before = running.room.glimpse()
        assert before is not None
        running.until(lambda: (now := running.room.glimpse()) is not None and now.number > before.number + 30)
        assert "Camera lost." not in "".join(running.text)
