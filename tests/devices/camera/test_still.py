"""Single pictures from a camera as a table runs it."""

import time
from pathlib import Path

import cv2
import pytest

from controller.devices.camera.camera import Wish
from controller.devices.camera.live import LiveCamera
from controller.devices.camera.ribbon import SETTLE_S
from controller.devices.camera.status import CameraCode
from controller.devices.camera.still import SETTLED_S, SPACING_S, take_stills
from tests.devices.cameras import SIZE, Bench, noise

HURRY = 40.0


class Opened:
    """Makes live cameras at a bench, with a clock that runs fast."""

    def __init__(self) -> None:
        self.bench = Bench()
        self.wishes: list[Wish] = []
        self.began: list[float] = []

    def clock(self) -> float:
        return time.monotonic() * HURRY

    def __call__(self, wish: Wish) -> LiveCamera:
        self.wishes.append(wish)
        self.began.append(self.clock())
        return LiveCamera(wish, open_it=self.bench.open, clock=self.clock, first_s=400.0, stall_s=400.0)


def test_pictures_come_when_exposure_and_focus_have_settled_and_the_camera_is_let_go() -> None:
    opened = Opened()
    stills = take_stills(Wish("/dev/video0"), 2, open_live=opened)
    first, second = stills.frames
    assert first.t_s - opened.began[0] >= SETTLED_S > SETTLE_S
    assert second.t_s - first.t_s >= SPACING_S
    assert first.picture.shape == (SIZE[1], SIZE[0], 3)
    assert opened.bench.open_now == 0


def test_a_camera_that_is_not_there_tells_so_at_once() -> None:
    stills = take_stills(Wish("/dev/video97"))
    assert stills.frames == ()
    assert stills.status.code is CameraCode.ABSENT


def test_black_pictures_are_no_pictures() -> None:
    opened = Opened()
    opened.bench.level = 8
    stills = take_stills(Wish("/dev/video0"), open_live=opened)
    assert stills.frames == ()
    assert stills.status.code is CameraCode.DARK


@pytest.mark.parametrize("any_size", [False, True])
def test_another_size_is_taken_only_where_none_is_demanded(any_size: bool) -> None:
    opened = Opened()
    wish = Wish("/dev/video0", size=(SIZE[0] * 2, SIZE[1] * 2))
    stills = take_stills(wish, any_size=any_size, open_live=opened)
    if any_size:
        assert stills.frames[0].picture.shape == (SIZE[1], SIZE[0], 3)
        assert opened.wishes[-1].size == SIZE
    else:
        assert stills.status.code is CameraCode.WRONG_SIZE


def test_a_film_gives_its_first_pictures_without_waiting(tmp_path: Path) -> None:
    for number in range(4):
        assert cv2.imwrite(str(tmp_path / f"{number:05}.png"), noise(number))
    stills = take_stills(Wish(str(tmp_path)), 2)
    assert [frame.number for frame in stills.frames] == [1, 2]
