"""Stills: through the real process of a camera, and from devices that have larger sizes."""

import time
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.arrays import Picture
from controller.devices.camera.camera import PictureOrigin, Wish
from controller.devices.camera.feed import ThreadFeed
from controller.devices.camera.live import LiveCamera
from controller.devices.camera.sources import VideoSource, still_size_at
from controller.devices.camera.status import CameraCode
from controller.devices.camera.stills import StillTaken, StillWish
from controller.messages.device_words import status_words
from tests.devices.camera.rig import WHOLE, CameraRig
from tests.devices.cameras import Bench, BenchSource, noise, until


def waited_for(camera: LiveCamera) -> StillTaken:
    """The answer to what was asked for; usual pictures go on meanwhile."""
    answers: list[StillTaken] = []

    def came() -> bool:
        assert camera.read(60.0) is not None
        taken = camera.collect_still()
        if taken is not None:
            answers.append(taken)
        return bool(answers)

    until(came)
    return answers[0]


def test_a_still_comes_from_the_cameras_own_process_beside_the_usual_ones(tmp_path: Path) -> None:
    rig = CameraRig(tmp_path)
    rig.plug()
    with rig.camera() as camera:
        assert camera.still_size is None
        assert camera.read(60.0) is not None
        assert camera.still_size == WHOLE
        assert "800x600" in status_words(camera.status)("en")
        for stops in (0, 2, 0):
            number = camera.ask_still(stops)
            taken = waited_for(camera)
            assert taken.wish == StillWish(number, stops)
            assert (taken.picture is None) == (stops != 0)
            if taken.picture is not None:
                assert np.array_equal(taken.picture, noise(number, WHOLE))
            assert camera.collect_still() is None


def test_a_camera_that_is_lost_takes_what_was_asked_for_with_it(tmp_path: Path) -> None:
    rig = CameraRig(tmp_path)
    rig.plug()
    with rig.camera() as camera:
        assert camera.read(60.0) is not None
        rig.turn("hangs")
        camera.ask_still()
        until(lambda: camera.still_size is None)
        rig.turn("well")
        until(lambda: camera.read(0.1) is not None)
        assert camera.collect_still() is None
        number = camera.ask_still()
        assert waited_for(camera).wish.number == number


def test_a_camera_without_stills_never_answers() -> None:
    with LiveCamera(Wish("bench"), open_it=Bench().open) as camera:
        assert camera.read(60.0) is not None
        camera.ask_still()
        for _ in range(5):
            assert camera.read(60.0) is not None
        assert camera.collect_still() is None
        assert camera.still_size is None


@cache
def seen(size: tuple[int, int], cropped: bool, light: float) -> Picture:
    """A scene as a device sees it, or the middle of it."""
    scene = cv2.resize(noise(1, (40, 24)), (1920, 1080), interpolation=cv2.INTER_CUBIC) // 2
    shown = scene[270:810, 480:1440] if cropped else scene
    small = cv2.resize(shown, size, interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(small * light**0.45, 0, 255), np.uint8)


class Hasty(BenchSource):
    """Gives stills at once, and usual ones faster than anybody takes them."""

    still_size = WHOLE

    def ask_still(self, wish: StillWish) -> None:
        self.taken: StillTaken | None = StillTaken(wish, noise(wish.number, WHOLE))

    def collect_still(self) -> StillTaken | None:
        taken, self.taken = getattr(self, "taken", None), None
        return taken


def test_a_still_is_not_lost_when_usual_ones_come_faster_than_they_are_taken() -> None:
    feed = ThreadFeed(lambda _: Hasty(Bench()))
    feed.open([Wish("bench")])
    try:
        until(lambda: feed.get(1.0) is not None)
        feed.ask_still(StillWish(5))
        time.sleep(0.2)
        found = []

        def came() -> bool:
            got = feed.get(1.0)
            found.extend([] if got is None or got.still is None else [got])
            return bool(found)

        until(came)
        assert found[0].still is not None
        assert found[0].still.wish == StillWish(5)
        assert found[0].still_size == WHOLE
    finally:
        assert feed.end()


def test_a_still_that_comes_with_a_picture_too_dark_to_use_counts_all_the_same() -> None:
    bench = Bench()
    with LiveCamera(Wish("bench"), open_it=lambda _: Hasty(bench)) as camera:
        assert camera.read(60.0) is not None
        bench.level = 5
        until(lambda: camera.status.code is CameraCode.DARK)
        number, came = camera.ask_still(), list[StillTaken]()

        def answered() -> bool:
            came.extend([] if (taken := camera.collect_still()) is None else [taken])
            return bool(came)

        until(answered)
        assert [taken.wish.number for taken in came] == [number]


class Device:
    """A device at USB as OpenCV gives it: sizes with their rates, what of a scene each shows, a held exposure."""

    LATE = 3

    def __init__(
        self,
        sizes: dict[tuple[int, int], float],
        *,
        cropped: tuple[int, int] | None = None,
        obeys: bool = True,
    ) -> None:
        """``cropped``: the size at which only the middle is seen; ``obeys``: whether it exposes as told."""
        self.now = 0.0
        self.settings: dict[int, float] = {cv2.CAP_PROP_EXPOSURE: 156.0}
        self._sizes, self._cropped, self._obeys = sizes, cropped, obeys
        self._exposures = [156.0] * self.LATE

    @property
    def size(self) -> tuple[int, int]:
        asked = tuple(
            int(self.settings.get(key, 0)) for key in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        )
        return min(self._sizes, key=lambda size: abs(size[0] - asked[0]) + abs(size[1] - asked[1]))

    def grab(self) -> bool:
        self.now += 1 / self._sizes[self.size]
        self._exposures = [*self._exposures[1:], self.settings[cv2.CAP_PROP_EXPOSURE]]
        return True

    def retrieve(self) -> tuple[bool, Picture]:
        return True, seen(self.size, self.size == self._cropped, self._exposures[0] / 156)

    def read(self) -> tuple[bool, Picture]:
        self.grab()
        return self.retrieve()

    def set(self, key: int, value: float) -> bool:
        if key == cv2.CAP_PROP_EXPOSURE and not self._obeys:
            return True
        self.settings[key] = value
        return True

    def get(self, key: int) -> float:
        return self._sizes[self.size] if key == cv2.CAP_PROP_FPS else self.settings.get(key, 0.0)

    def release(self) -> None:
        pass

    def source(self, wish: Wish) -> VideoSource:
        larger = still_size_at(self, wish)  # type: ignore[arg-type]
        return VideoSource(
            self,  # type: ignore[arg-type]
            "device",
            wish,
            PictureOrigin.DEVICE,
            clock=lambda: self.now,
            still_size=larger,
        )


HD, FULL = (1280, 720), (1920, 1080)
WISH = Wish(size=HD, still=True)


def test_a_device_that_has_larger_pictures_fast_enough_gives_usual_ones_made_of_them() -> None:
    source = Device({HD: 30.0, FULL: 30.0}).source(WISH)
    assert source.still_size == FULL
    source.ask_still(StillWish(7))
    usual = source.grab()
    taken = source.collect_still()
    assert taken is not None
    assert taken.picture is not None
    assert taken.picture.shape == (1080, 1920, 3)
    assert usual.shape == (720, 1280, 3)
    assert np.abs(cv2.resize(taken.picture, HD, interpolation=cv2.INTER_AREA).astype(int) - usual).mean() < 1
    assert source.grab().shape == (720, 1280, 3)
    assert source.collect_still() is None


@pytest.mark.parametrize(
    ("device", "wish"),
    [
        (Device({HD: 30.0, FULL: 5.0}), WISH),
        (Device({HD: 30.0}), WISH),
        (Device({HD: 30.0, FULL: 30.0}, cropped=HD), WISH),
        (Device({HD: 30.0, FULL: 30.0}, cropped=FULL), WISH),
        (Device({HD: 30.0, FULL: 30.0}), Wish(size=HD)),
        (Device({(1366, 768): 30.0, FULL: 30.0}), Wish(size=(1366, 768), still=True)),
    ],
    ids=["too slow", "no larger one", "usual cropped", "larger cropped", "not wished for", "another shape"],
)
def test_otherwise_a_device_is_run_as_before(device: Device, wish: Wish) -> None:
    source = device.source(wish)
    assert source.still_size is None
    assert source.grab().shape[1::-1] == wish.size
    source.ask_still(StillWish(1))
    source.grab()
    taken = source.collect_still()
    assert taken is not None
    assert taken.picture is None


def settled(device: Device) -> VideoSource:
    """A source that has fixed its exposure."""
    source = device.source(WISH)
    end = device.now + 3.5
    while device.now < end:
        source.grab()
    return source


@pytest.mark.parametrize(("stops", "darker"), [(-2, True), (2, False)])
def test_another_exposure_is_seen_in_the_still_and_in_no_usual_one(stops: int, darker: bool) -> None:
    device = Device({HD: 30.0, FULL: 30.0})
    source = settled(device)
    usual = float(source.grab().mean())
    source.ask_still(StillWish(1, stops))
    began = device.now
    after = [float(source.grab().mean()) for _ in range(5)]
    assert max(abs(level - usual) for level in after) < 1
    assert device.now - began < 1.4, "else the camera would be taken for lost"
    taken = source.collect_still()
    assert taken is not None
    assert taken.picture is not None
    assert (taken.picture.mean() < usual / 1.5) if darker else (taken.picture.mean() > usual * 1.3)
    assert device.settings[cv2.CAP_PROP_EXPOSURE] == 156


def test_a_device_that_exposes_as_it_likes_takes_no_other_exposure() -> None:
    for source in (
        settled(Device({HD: 30.0, FULL: 30.0}, obeys=False)),
        Device({HD: 30.0, FULL: 30.0}).source(WISH),
    ):
        source.ask_still(StillWish(1, -2))
        source.grab()
        taken = source.collect_still()
        assert taken is not None
        assert taken.picture is None
