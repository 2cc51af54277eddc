"""A camera that comes, goes, hangs, freezes and goes dark, and what is told of it."""

import threading
import time

import pytest

from controller.devices.camera.camera import Wish
from controller.devices.camera.feed_holder import MOST_HUNG
from controller.devices.camera.live import LiveCamera
from controller.devices.camera.status import CameraState, CameraStatus
from controller.messages.device_words import reason_of, remedy_of
from tests.devices.cameras import SIZE, Bench, noise, until


class Watched:
    """A live camera on a bench and what it told."""

    def __init__(
        self, size: tuple[int, int] | None = None, hurry: float = 1.0, patience_s: float = 60.0
    ) -> None:
        self.bench = Bench()
        self.told: list[CameraStatus] = []
        self.hurry = hurry
        self.camera = LiveCamera(
            Wish("bench", size=size),
            tell=self.told.append,
            open_it=self.bench.open,
            clock=self.clock,
            first_s=patience_s,
            stall_s=patience_s,
        )

    def clock(self) -> float:
        return time.monotonic() * self.hurry

    def codes(self) -> list[str]:
        return [told.code for told in self.told]

    def came_to(self, *codes: str) -> bool:
        return self.codes()[-len(codes) :] == list(codes)


def test_pictures_arrive_newest_first_and_each_once() -> None:
    watched = Watched()
    with watched.camera as camera:
        numbers, times = [], []
        for _ in range(20):
            shot = camera.read(60.0)
            assert shot is not None
            assert shot.picture.shape == (SIZE[1], SIZE[0], 3)
            numbers.append(shot.number)
            times.append(shot.t_s)
        assert sorted(set(numbers)) == numbers
        assert sorted(times) == times
        assert camera.status.state is CameraState.OK
    assert watched.codes() == ["ok", "closed"]
    assert watched.bench.open_now == 0


def test_a_slow_reader_gets_the_newest_picture_not_the_oldest() -> None:
    watched = Watched()
    with watched.camera as camera:
        first = camera.read(60.0)
        assert first is not None
        until(lambda: camera._number > first.number + 50)
        later = camera.read(60.0)
        assert later is not None
        assert later.number > first.number + 40


def test_a_camera_that_is_not_there_yet_is_found_when_it_comes() -> None:
    watched = Watched()
    watched.bench.plugged = False
    with watched.camera as camera:
        until(lambda: watched.codes() == ["absent"])
        assert camera.read(0.0) is None
        assert remedy_of(camera.status)
        watched.bench.plugged = True
        assert camera.read(60.0) is not None
    assert watched.codes() == ["absent", "ok", "closed"]


def test_pulled_and_put_back_it_goes_on_and_the_numbers_too() -> None:
    watched = Watched()
    with watched.camera as camera:
        before = camera.read(60.0)
        watched.bench.plugged = False
        until(lambda: "lost" in watched.codes())
        assert camera.read(0.0) is None
        watched.bench.plugged = True
        after = camera.read(60.0)
    assert before is not None
    assert after is not None
    assert after.number > before.number
    assert after.t_s > before.t_s
    assert watched.codes()[0] == "ok"
    assert watched.codes()[-2:] == ["ok", "closed"]
    assert watched.codes()[1:-2] in (["lost"], ["lost", "absent"])
    assert watched.bench.open_now == 0


def test_a_driver_that_hangs_is_left_behind_and_lets_go_when_it_comes_back() -> None:
    watched = Watched(patience_s=0.05)
    with watched.camera as camera:
        assert camera.read(60.0) is not None
        watched.bench.hanging.set()
        until(lambda: "stuck" in watched.codes())
        assert camera.status.state is CameraState.FAILING
        assert watched.bench.open_now == MOST_HUNG
        watched.bench.hanging.clear()
        until(lambda: watched.bench.open_now == 0)
        assert camera.read(60.0) is not None
    until(lambda: watched.bench.open_now == 0)
    until(lambda: not [each for each in threading.enumerate() if each.name.startswith("pointsman-camera")])


def test_a_camera_that_gives_no_picture_at_all_is_told_as_silent() -> None:
    watched = Watched(patience_s=0.05)
    watched.bench.hanging.set()
    with watched.camera:
        until(lambda: "silent" in watched.codes())
        watched.bench.hanging.clear()
        until(lambda: "ok" in watched.codes())


def test_the_same_picture_over_and_over_is_no_camera_and_stays_so_over_opening_it_anew() -> None:
    watched = Watched(hurry=200.0, patience_s=60.0 * 200)
    with watched.camera as camera:
        until(lambda: watched.came_to("ok"))
        watched.bench.repeated = noise(1)
        until(lambda: watched.came_to("ok", "frozen"))
        opened = watched.bench.opened
        until(lambda: watched.bench.opened > opened + 1)
        assert camera.status.code == "frozen"
        assert camera.read(0.0) is None
        watched.bench.repeated = None
        until(lambda: watched.came_to("ok", "frozen", "ok"))


def test_black_pictures_are_told_and_light_brings_it_back() -> None:
    watched = Watched(hurry=50.0, patience_s=60.0 * 50)
    with watched.camera as camera:
        until(lambda: watched.came_to("ok"))
        watched.bench.level = 8
        until(lambda: watched.came_to("ok", "dark"))
        assert camera.read(0.0) is None
        watched.bench.level = 255
        until(lambda: watched.came_to("ok", "dark", "ok"))


def test_pictures_of_another_size_than_the_board_are_refused_with_both_sizes() -> None:
    watched = Watched(size=SIZE)
    watched.bench.size = (160, 120)
    with watched.camera as camera:
        until(lambda: watched.came_to("wrong_size"))
        assert "160x120" in reason_of(camera.status)
        assert "320x240" in reason_of(camera.status)
        assert camera.read(0.0) is None
        watched.bench.size = SIZE
        until(lambda: watched.came_to("wrong_size", "ok"))


@pytest.mark.parametrize("failure", [RuntimeError("kaput"), ValueError(), MemoryError("full")])
def test_whatever_a_driver_raises_the_camera_is_opened_anew(failure: Exception) -> None:
    watched = Watched()
    watched.bench.failure = failure
    with watched.camera as camera:
        until(lambda: watched.came_to("driver"))
        assert type(failure).__name__ in reason_of(camera.status)
        watched.bench.failure = None
        until(lambda: watched.came_to("driver", "ok"))


def test_closing_twice_and_closing_what_was_never_started_do_nothing() -> None:
    watched = Watched()
    watched.camera.close()
    assert watched.camera.read(60.0) is None
    other = Watched()
    with other.camera as camera:
        assert camera.read(60.0) is not None
    camera.close()
    assert other.codes() == ["ok", "closed"]
