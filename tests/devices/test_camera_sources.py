"""What cameras are behind: devices, streams, films, the ribbon, and which of them is meant."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.arrays import Picture
from controller.devices.camera import sources
from controller.devices.camera.camera import Wish
from controller.devices.camera.live import DARK_S, FROZEN_PICTURES, FROZEN_S, Condition, LiveCamera
from controller.devices.camera.sources import (
    ReelSource,
    RibbonSource,
    cameras,
    is_film,
    open_source,
    start_ribbon,
)
from controller.devices.camera.status import CameraCode, CameraState, SourceError
from controller.devices.pictures import encode_jpeg
from controller.messages.device_words import reason_of, remedy_of
from tests.devices.cameras import SIZE, Sender, noise, until


def film(folder: Path, pictures: int, times: list[float] | None = None) -> Path:
    folder.mkdir()
    for number in range(pictures):
        (folder / f"{number:05}.jpg").write_bytes(encode_jpeg(noise(number), SIZE[0], 90))
    if times is not None:
        lines = [f'{{"file": "{number:05}.jpg", "t": {t}}}' for number, t in enumerate(times)]
        (folder / "times.jsonl").write_text("\n".join(lines))
    return folder


def why(source: str) -> str:
    """The code of what hinders a source."""
    with pytest.raises(SourceError) as told:
        open_source(Wish(source), find=lambda: ())
    assert told.value.status.state in (CameraState.ABSENT, CameraState.FAILING)
    assert reason_of(told.value.status).endswith(".")
    return told.value.status.code


# --- films --------------------------------------------------------------------------------------------------


def test_pictures_of_a_film_that_cannot_be_decoded_are_left_out(tmp_path: Path) -> None:
    folder = film(tmp_path / "film", 3)
    (folder / "00001.jpg").write_bytes(b"\xff\xd8 nothing")
    source = ReelSource(folder, lambda: 0.0, lambda _: None)
    assert [source.grab().shape for _ in range(2)] == [(SIZE[1], SIZE[0], 3)] * 2
    with pytest.raises(SourceError) as told:
        source.grab()
    assert told.value.status.state is CameraState.ENDED


def test_a_film_at_its_own_pace_gives_each_picture_when_it_is_due(tmp_path: Path) -> None:
    now = [100.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    source = ReelSource(film(tmp_path / "film", 3, [5.0, 5.5, 7.0]), lambda: now[0], sleep)
    given = []
    for _ in range(3):
        assert source.grab().shape == (SIZE[1], SIZE[0], 3)
        given.append(now[0])
    assert given == [100.0, 100.5, 102.0]
    now[0] = 110.0
    with pytest.raises(SourceError) as told:
        source.grab()
    assert told.value.status.state is CameraState.ENDED


def test_a_film_as_a_camera_ends_and_says_so(tmp_path: Path) -> None:
    told: list[str] = []
    path = film(tmp_path / "film", 2, [0.0, 0.01])
    with LiveCamera(Wish(str(path)), tell=lambda status: told.append(status.code)) as camera:
        assert camera.read(60.0) is not None
        until(lambda: camera.status.state is CameraState.ENDED)
    assert told == ["ok", "ended", "closed"]


def test_a_film_plays_once_and_its_gaps_are_no_lost_camera(tmp_path: Path) -> None:
    told: list[str] = []
    path = film(tmp_path / "film", 3, [0.0, 0.01, 1.0])
    wish = Wish(str(path))
    with LiveCamera(wish, tell=lambda status: told.append(status.code), stall_s=0.2) as camera:
        until(lambda: camera.status.state is CameraState.ENDED)
        assert camera._number == 3
    assert told == ["ok", "ended", "closed"]


def test_a_film_that_is_none_is_told_with_its_own_sentence(tmp_path: Path) -> None:
    assert why(str(tmp_path / "nowhere")) == "bad_film"


# --- devices ------------------------------------------------------------------------------------------------


def test_a_device_that_is_not_there_is_absent() -> None:
    assert why("/dev/video97") == "absent"
    assert why("97") == "absent"
    assert why("/dev/v4l/by-id/usb-Nobody-video-index0") == "absent"


def test_a_device_that_is_no_camera_is_absent(tmp_path: Path) -> None:
    link = tmp_path / "usb-Something-video-index0"
    link.symlink_to("/dev/null")
    with pytest.raises(SourceError) as told:
        sources.open_device(link, Wish())
    assert told.value.status.code == "absent"


def test_a_device_that_may_not_be_opened_names_the_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(sources.os, "open", refuse)
    with pytest.raises(SourceError) as told:
        sources.open_device(tmp_path / "video0", Wish())
    assert told.value.status.code == "denied"
    assert "-G video" in remedy_of(told.value.status)


def test_without_any_camera_auto_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "find_spec", lambda _: None)
    assert why("auto") == "no_camera"


def test_auto_looks_at_the_ribbon_where_there_is_nothing_at_usb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "find_spec", lambda name: name)
    monkeypatch.setitem(sys.modules, "picamera2", None)
    assert why("auto") == "no_library"


def test_auto_takes_cameras_by_names_that_stay(tmp_path: Path) -> None:
    for name in ("usb-B-video-index0", "usb-B-video-index1", "usb-A-video-index0"):
        (tmp_path / name).touch()
    assert cameras(tmp_path) == (str(tmp_path / "usb-A-video-index0"), str(tmp_path / "usb-B-video-index0"))
    assert cameras(tmp_path / "nothing") == ()


@pytest.mark.parametrize(
    ("source", "film"),
    [
        ("auto", False),
        ("0", False),
        ("/dev/video0", False),
        ("picamera2", False),
        ("picamera2:1", False),
        ("rtsp://table/1", False),
        ("http://table:8080/?action=stream", False),
        ("game", True),
        ("film.mp4", True),
        ("/home/club/film.mkv", True),
    ],
)
def test_what_a_name_means(source: str, film: bool) -> None:
    assert is_film(source) is film


class Capture:
    """A device as OpenCV would give it, on a clock of its own, that gets darker when its exposure is fixed."""

    def __init__(self, fps: float, fixed_level: int = 100) -> None:
        self.now, self.decoded = 0.0, 0
        self._pause, self._fixed_level = 1 / fps, fixed_level
        self.settings: dict[int, float] = {sources.cv2.CAP_PROP_EXPOSURE: 157.0}

    def grab(self) -> bool:
        self.now += self._pause
        return True

    def retrieve(self) -> tuple[bool, Picture]:
        self.decoded += 1
        fixed = self.settings.get(sources.cv2.CAP_PROP_AUTO_EXPOSURE) == 1
        return True, np.full((24, 32, 3), self._fixed_level if fixed else 100, np.uint8)

    def set(self, key: int, value: float) -> bool:
        self.settings[key] = value
        return True

    def get(self, key: int) -> float:
        return self.settings.get(key, 0.0)

    def release(self) -> None:
        pass


def source_of(capture: Any, wish: Wish) -> sources.VideoSource:
    return sources.VideoSource(capture, "device", wish, lock=wish.lock, clock=lambda: capture.now)


def test_pictures_that_come_too_often_are_not_decoded() -> None:
    capture = Capture(fps=60)
    source = source_of(capture, Wish(fps=15))
    for _ in range(50):
        source.grab()
    assert 45 <= capture.decoded <= 55
    assert 50 / 25 <= capture.now <= 50 / 14


def test_a_camera_of_the_wanted_rate_loses_no_picture_to_jitter() -> None:
    capture = Capture(fps=15)
    source = source_of(capture, Wish(fps=15))
    for _ in range(30):
        source.grab()
    assert capture.now == pytest.approx(2.0)


def test_exposure_is_fixed_where_it_settled() -> None:
    capture = Capture(fps=15)
    source = source_of(capture, Wish(fps=15))
    while capture.now < 10:
        source.grab()
    assert capture.settings[sources.cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert capture.settings[sources.cv2.CAP_PROP_EXPOSURE] == 157.0
    assert capture.settings[sources.cv2.CAP_PROP_AUTO_WB] == 0


def test_fixing_the_exposure_is_taken_back_where_it_spoils_the_picture() -> None:
    capture = Capture(fps=15, fixed_level=20)
    source = source_of(capture, Wish(fps=15))
    while capture.now < 10:
        source.grab()
    assert capture.settings[sources.cv2.CAP_PROP_AUTO_EXPOSURE] == 3
    assert capture.settings[sources.cv2.CAP_PROP_AUTO_WB] == 1


def test_nothing_is_fixed_where_that_is_not_wished() -> None:
    capture = Capture(fps=15)
    source = source_of(capture, Wish(fps=15, lock=False))
    while capture.now < 10:
        source.grab()
    assert sources.cv2.CAP_PROP_AUTO_EXPOSURE not in capture.settings


# --- streams ------------------------------------------------------------------------------------------------


def test_a_stream_gives_pictures_and_is_taken_up_again_when_it_falls_silent() -> None:
    told: list[str] = []
    with Sender() as sender:
        wish = Wish(sender.address, size=SIZE)
        with LiveCamera(wish, tell=lambda status: told.append(status.code), stall_s=1.0) as camera:
            shot = camera.read(60.0)
            assert shot is not None
            assert shot.picture.shape == (SIZE[1], SIZE[0], 3)
            sender.sending.clear()
            until(lambda: camera.status.state is not CameraState.OK)
            assert told[:2] == ["ok", "lost"]
            sender.sending.set()
            until(lambda: camera.status.state is CameraState.OK)


def test_an_address_that_nobody_sends_from_is_told() -> None:
    with Sender() as sender:
        address = sender.address
    assert why(address) == "unreachable"


# --- the ribbon ---------------------------------------------------------------------------------------------


def test_without_picamera2_the_remedy_is_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    assert why("picamera2") == "no_library"
    assert why("picamera2:x") == "absent"


class Request:
    """A picture of picamera2 with padded rows and four channels."""

    def __init__(self) -> None:
        self.released = False

    def make_array(self, name: str) -> Picture:
        assert name == "main"
        return np.arange(4 * 6 * 4, dtype=np.uint8).reshape(4, 6, 4)[:, :5]

    def get_metadata(self) -> dict[str, object]:
        return {"ExposureTime": 9000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.9), "Lux": 400.0}

    def release(self) -> None:
        self.released = True


class Ribbon:
    """A camera of picamera2."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.controls: list[dict[str, object]] = []
        self.loose = self.closed = False

    def capture_request(self) -> Request:
        if self.loose:
            raise RuntimeError("Camera frontend has timed out!")
        self.requests.append(Request())
        return self.requests[-1]

    def set_controls(self, controls: dict[str, object]) -> None:
        self.controls.append(controls)

    def stop(self) -> None:
        raise RuntimeError("it is gone")

    def create_video_configuration(self, **wanted: object) -> dict[str, object]:
        return wanted

    def configure(self, configuration: dict[str, object]) -> None:
        self.configuration = configuration

    def start(self) -> None:
        if self.loose:
            raise RuntimeError("Failed to start camera\nand more")

    def close(self) -> None:
        self.closed = True


def test_the_ribbon_gives_pictures_of_its_own_and_lets_go_of_its_buffers() -> None:
    now = [0.0]
    ribbon = Ribbon()
    source = RibbonSource(ribbon, "picamera2", Wish(), lambda: now[0])
    picture = source.grab()
    assert picture.shape == (4, 5, 3)
    assert picture.flags.c_contiguous
    assert picture[0, 1].tolist() == [4, 5, 6]
    now[0] = 10.0
    source.grab()
    source.grab()
    assert ribbon.controls == [
        {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": 9000,
            "AnalogueGain": 2.0,
            "ColourGains": (1.5, 1.9),
        }
    ]
    assert all(request.released for request in ribbon.requests)
    ribbon.loose = True
    with pytest.raises(SourceError) as told:
        source.grab()
    assert told.value.status.code == "lost"
    source.close()


def test_a_ribbon_is_asked_for_pictures_as_wished_and_released_when_it_does_not_start() -> None:
    ribbon = Ribbon()
    source = start_ribbon(lambda _: ribbon, 0, "picamera2", Wish(size=(1920, 1080), fps=20))
    assert source.grab().shape == (4, 5, 3)
    assert ribbon.configuration["main"] == {"size": (1920, 1080), "format": "RGB888"}
    assert ribbon.configuration["controls"] == {"FrameRate": 20}
    loose = Ribbon()
    loose.loose = True
    with pytest.raises(SourceError) as told:
        start_ribbon(lambda _: loose, 0, "picamera2", Wish())
    assert reason_of(told.value.status) == "No camera answers on the ribbon (Failed to start camera)."
    assert loose.closed


def test_a_ribbon_that_has_no_such_camera_is_told() -> None:
    def none(number: int) -> Ribbon:
        raise IndexError(number)

    with pytest.raises(SourceError, match="there is no camera 3"):
        start_ribbon(none, 3, "picamera2:3", Wish())


# --- the condition of pictures --------------------------------------------------------------------------------


def flaws(pictures: list[Picture], fps: float, *, live: bool = True) -> list[CameraCode | None]:
    condition = Condition(live=live)
    return [condition.flaw(picture, number / fps) for number, picture in enumerate(pictures)]


def test_a_picture_that_repeats_itself_is_frozen_after_a_while() -> None:
    same = [noise(1)] * 100
    found = flaws(same, 10.0)
    assert found.index(CameraCode.FROZEN) == round(FROZEN_S * 10)
    assert all(flaw is CameraCode.FROZEN for flaw in found[round(FROZEN_S * 10) :])
    assert set(flaws(same, 10.0, live=False)) == {None}
    slow = flaws([noise(1)] * 30, 0.5)
    assert slow.index(CameraCode.FROZEN) == FROZEN_PICTURES


def test_one_pixel_that_differs_is_enough_to_be_alive() -> None:
    blink = noise(1)
    blink[8, 8] ^= 1
    assert set(flaws([noise(1), blink] * 60, 10.0)) == {None}


def test_black_is_told_after_a_while_and_gone_at_once() -> None:
    pictures = [noise(n, level=10) for n in range(40)] + [noise(99)] + [noise(n, level=10) for n in range(40)]
    found = flaws(pictures, 10.0)
    first = found.index(CameraCode.DARK)
    assert first == round(DARK_S * 10)
    assert found[40] is None
    assert found[41] is None
    assert found[-1] is CameraCode.DARK


def test_a_dark_room_with_a_bright_lamp_in_it_is_not_black() -> None:
    lamp = np.zeros((240, 320, 3), np.uint8)
    lamp[:40, :40] = 200
    pictures = [np.maximum(lamp, noise(n, level=6)) for n in range(60)]
    assert set(flaws(pictures, 10.0)) == {None}
