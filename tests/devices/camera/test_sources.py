"""What cameras are behind: devices, streams, films, the ribbon, and which of them is meant."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.arrays import Picture
from controller.devices.camera import sources
from controller.devices.camera.camera import PictureOrigin, Wish
from controller.devices.camera.choice import is_film
from controller.devices.camera.live import STREAM_STALL_S, LiveCamera
from controller.devices.camera.sources import UNDECODED_S, ReelSource, open_source
from controller.devices.camera.status import CameraCode, CameraState, SourceError
from controller.devices.pictures import encode_jpeg
from controller.messages.device_words import reason_of, remedy_of, status_words
from tests.devices.cameras import SIZE, Sender, noise, until
from tests.rows import each_row
from tests.threads import no_thread_left


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
        open_source(Wish(source))
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


def test_a_film_is_let_go_of_in_the_middle_of_a_gap(tmp_path: Path) -> None:
    path = film(tmp_path / "film", 2, [0.0, 3600.0])
    with no_thread_left("pointsman-camera"), LiveCamera(Wish(str(path))) as camera:
        assert camera.read(60.0) is not None


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


@each_row(
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
        ("/dev/shm/film.mkv", True),
    ],
)
def test_what_a_name_means(source: str, film: bool) -> None:
    assert is_film(source) is film


class Capture:
    """A device as OpenCV would give it, on a clock of its own, that gets darker when its exposure is fixed."""

    def __init__(self, fps: float, fixed_level: int = 100) -> None:
        self.now, self.decoded, self.whole = 0.0, 0, True
        self._pause, self._fixed_level = 1 / fps, fixed_level
        self.settings: dict[int, float] = {sources.cv2.CAP_PROP_EXPOSURE: 157.0}

    def grab(self) -> bool:
        self.now += self._pause
        return True

    def retrieve(self) -> tuple[bool, Picture | None]:
        if not self.whole:
            return False, None
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
    return sources.VideoSource(capture, "device", wish, PictureOrigin.DEVICE, clock=lambda: capture.now)


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


def test_pictures_that_cannot_be_decoded_are_passed_over_for_a_while_and_then_told() -> None:
    capture = Capture(fps=15)
    source = source_of(capture, Wish(fps=15))
    source.grab()
    capture.whole = False
    with pytest.raises(SourceError) as told:
        source.grab()
    assert told.value.status.code is CameraCode.INCOMPLETE
    assert UNDECODED_S < capture.now < UNDECODED_S + 0.5


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
            assert told[:2] == ["ok", "stalled"]
            assert "cable" not in status_words(camera.status)("en")
            sender.sending.set()
            until(lambda: camera.status.state is CameraState.OK)


def test_a_stream_that_stays_away_for_four_seconds_and_comes_again_is_not_called_lost() -> None:
    told: list[str] = []
    now = 0.0
    with Sender() as sender:
        wish = Wish(sender.address, size=SIZE)
        with LiveCamera(wish, tell=lambda status: told.append(status.code), clock=lambda: now) as camera:
            for away_s in (4.0, 6.0):
                assert camera.read(60.0) is not None
                assert told == ["ok"]
                sender.sending.clear()
                while camera.read(1.0) is not None:
                    pass
                now += away_s
                if away_s < STREAM_STALL_S:
                    sender.sending.set()
            # It is opened again at once, and the sender begins each time with a picture.
            until(lambda: len(told) > 1)
            assert told[:2] == ["ok", "stalled"]


def test_an_address_that_nobody_sends_from_is_told() -> None:
    with Sender() as sender:
        address = sender.address
    assert why(address) == "unreachable"
