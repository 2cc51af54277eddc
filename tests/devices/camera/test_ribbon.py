"""The camera at the ribbon: its sensor modes, its focus, and that aiming, calibrating and playing see the same."""

import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.devices.camera.camera import Wish
from controller.devices.camera.ribbon import (
    FOCUS_S,
    RibbonSource,
    SensorMode,
    choose_mode,
    open_ribbon,
    start_ribbon,
    still_mode,
    still_size,
    yuv_to_bgr,
)
from controller.devices.camera.status import SourceError
from controller.devices.camera.stills import StillWish
from controller.messages.device_words import reason_of
from tests.devices.camera.pi.picamera2 import EXPOSURE_US, IN_FOCUS, MODES, WHOLE, Picamera2, planes_of
from tests.devices.camera.pi_table import configurations, put_pi
from tests.rows import each_row


def modes(sensor: str) -> list[SensorMode]:
    return [
        SensorMode(mode["size"], mode["bit_depth"], mode["fps"], mode["crop_limits"])
        for mode in MODES[sensor]
    ]


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A Raspberry Pi with a Camera Module 3 above a board, in a folder of its own."""
    put_pi(tmp_path, monkeypatch)
    return monkeypatch


# --- the mode -----------------------------------------------------------------------------------------------


@each_row(
    ("sensor", "wished", "fps", "size", "bits"),
    [
        ("imx708", (1280, 720), 15.0, (2304, 1296), 10),
        ("imx708", (1920, 1080), 15.0, (2304, 1296), 10),
        ("imx708", (3840, 2160), 5.0, (4608, 2592), 10),
        ("imx219", (1280, 720), 15.0, (1640, 1232), 10),
        ("imx219", (1920, 1080), 15.0, (3280, 2464), 10),
        ("imx477", (1280, 720), 15.0, (2028, 1520), 12),
        ("imx477", (1920, 1080), 30.0, (2028, 1520), 12),
        ("imx477", (2560, 1440), 15.0, (4056, 3040), 12),
    ],
)
def test_the_smallest_mode_that_sees_the_whole_sensor_is_taken(
    sensor: str, wished: tuple[int, int], fps: float, size: tuple[int, int], bits: int
) -> None:
    mode = choose_mode(modes(sensor), wished, fps)
    assert mode is not None
    assert (mode.size, mode.bit_depth) == (size, bits)
    assert mode.crop == (0, 0, *WHOLE[sensor])


def test_a_rim_of_pixels_does_not_make_another_field_of_view() -> None:
    """As of the OV5647, whose modes differ by eight rows and columns."""
    binned = SensorMode((1296, 972), 10, 46.0, (0, 0, 2592, 1944))
    rimmed = SensorMode((640, 480), 10, 58.0, (16, 12, 2560, 1920))
    assert choose_mode([binned, rimmed], (640, 480), 15.0) == rimmed


def test_of_whole_modes_that_are_too_slow_the_smallest_that_is_large_enough_is_taken() -> None:
    slow = [SensorMode((side, side), 10, 1.0, (0, 0, 4000, 4000)) for side in (4000, 2000, 1000)]
    assert choose_mode(slow, (1500, 1500), 15.0) == slow[1]
    assert choose_mode(slow, (5000, 5000), 15.0) == slow[0]
    assert choose_mode([], (1280, 720), 15.0) is None


# --- the focus ----------------------------------------------------------------------------------------------


class Clock:
    """Seconds that pass when somebody says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def opened(wish: Wish, clock: Clock) -> tuple[Picamera2, RibbonSource]:
    camera = Picamera2()
    return camera, start_ribbon(lambda _: camera, 0, "picamera2", wish, clock)


@pytest.mark.usefixtures("pi")
def test_it_focuses_once_and_then_holds_the_lens() -> None:
    camera, source = opened(Wish(fps=1000), Clock())
    assert camera.controls["AfMode"] == 1
    while source.lens_position is None:
        source.grab()
    assert source.lens_position == camera.lens == IN_FOCUS
    source.grab()
    assert camera.controls["AfMode"] == 0
    assert camera.controls["LensPosition"] == IN_FOCUS
    source.close()


@pytest.mark.usefixtures("pi")
def test_a_lens_position_that_is_known_is_taken_from_the_first_picture_on() -> None:
    camera, source = opened(Wish(fps=1000, lens_position=0.9), Clock())
    source.grab()
    assert camera.lens == source.lens_position == 0.9


@pytest.mark.usefixtures("pi")
def test_an_autofocus_that_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.devices.camera.pi.picamera2.SCAN", 10_000)
    clock = Clock()
    camera, source = opened(Wish(fps=1000), clock)
    source.grab()
    assert source.lens_position is None
    clock.now = FOCUS_S
    source.grab()
    assert source.lens_position is not None
    assert camera.controls["AfMode"] == 0


@pytest.mark.usefixtures("pi")
def test_while_nothing_is_locked_the_focus_follows() -> None:
    camera, source = opened(Wish(fps=1000, lock=False), Clock())
    source.grab()
    assert camera.controls["AfMode"] == 2
    assert source.lens_position == IN_FOCUS


@pytest.mark.parametrize("sensor", ["imx219", "imx477"])
def test_a_module_without_a_moving_lens_is_asked_nothing_about_it(
    sensor: str, pi: pytest.MonkeyPatch
) -> None:
    pi.setenv("SENSOR", sensor)
    clock = Clock()
    camera, source = opened(Wish(fps=1000, lens_position=0.9), clock)
    for clock.now in (1.0, 10.0):
        source.grab()
    assert not [name for name in camera.controls if name.startswith(("Af", "Lens"))]
    assert source.lens_position is None


@pytest.mark.usefixtures("pi")
def test_exposure_and_white_balance_are_locked_once_they_have_settled() -> None:
    clock = Clock()
    camera, source = opened(Wish(fps=1000), clock)
    source.grab()
    assert "AeEnable" not in camera.controls
    clock.now = 10.0
    for _ in range(5):
        source.grab()
    fixed = {"AeEnable": False, "AwbEnable": False, "ExposureTime": 9000, "ColourGains": (1.5, 1.9)}
    assert fixed.items() <= camera.controls.items()


# --- stills -----------------------------------------------------------------------------------------


@each_row(
    ("sensor", "wished", "size", "fps"),
    [
        ("imx708", (1280, 720), (4608, 2592), 14.35),
        ("imx219", (1280, 720), (3264, 1836), 21.19),
        ("imx477", (1280, 720), (4032, 2268), 10.0),
        ("imx477", (640, 480), (4032, 3024), 10.0),
    ],
)
def test_stills_have_the_shape_of_the_usual_ones_and_nearly_all_pixels_of_the_sensor(
    sensor: str, wished: tuple[int, int], size: tuple[int, int], fps: float
) -> None:
    mode = still_mode(modes(sensor), Wish(size=wished, still=True))
    assert mode is not None
    assert mode.fps == fps
    assert still_size(mode, wished) == size
    assert size[0] * wished[1] == size[1] * wished[0]


def test_a_mode_that_is_too_slow_or_has_no_more_pixels_gives_no_stills() -> None:
    large = SensorMode((9152, 6944), 10, 2.7, (0, 0, 9152, 6944))
    fast = SensorMode((2312, 1736), 10, 30.0, (0, 0, 9152, 6944))
    assert still_mode([large], Wish(still=True)) is None
    assert still_mode([large, fast], Wish(still=True)) == fast
    assert still_mode([large, fast], Wish(fps=2, still=True)) == large
    assert still_mode(modes("imx219"), Wish(size=(2880, 1620), still=True)) is None
    assert still_mode([], Wish(still=True)) is None


def test_both_streams_show_the_same_and_in_the_same_colours_as_a_camera_without_stills(
    pi: pytest.MonkeyPatch,
) -> None:
    pi.setenv("SENSOR", "imx219")
    plain, with_still = opened(Wish(fps=1000), Clock())[1], opened(Wish(fps=14, still=True), Clock())[1]
    assert with_still.still_size == (3264, 1836)
    with_still.ask_still(StillWish(1))
    before, usual = plain.grab(), with_still.grab()
    taken = with_still.collect_still()
    assert taken is not None
    assert taken.picture is not None
    assert taken.picture.shape == (1836, 3264, 3)
    assert with_still.collect_still() is None
    for shown in (usual, cv2.resize(taken.picture, (1280, 720), interpolation=cv2.INTER_AREA)):
        gap = np.abs(shown.astype(int) - before)
        assert shown.shape == before.shape
        assert gap.mean() < 3
        assert np.percentile(gap, 99) < 25, "half the colours of YUV420 are between its pixels"
    assert plain.still_size is None


@pytest.mark.usefixtures("pi")
def test_where_the_memory_is_too_small_the_camera_goes_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_MB", "20")
    camera, source = opened(Wish(fps=1000, still=True), Clock())
    assert source.still_size is None
    source.ask_still(StillWish(1))
    assert source.grab().shape == (720, 1280, 3)
    taken = source.collect_still()
    assert taken is not None
    assert taken.picture is None
    assert camera.running


def test_another_exposure_is_waited_for_and_put_back_before_the_next_usual_picture(
    pi: pytest.MonkeyPatch,
) -> None:
    pi.setenv("SENSOR", "imx219")
    clock = Clock()
    camera, source = opened(Wish(fps=14, still=True), clock)
    usual = source.grab()
    source.ask_still(StillWish(1, -2))
    source.grab()
    refused = source.collect_still()
    assert refused is not None
    assert refused.picture is None, "nothing is held yet that could be put back"
    clock.now = 10.0
    source.grab()
    source.ask_still(StillWish(2, -2))
    after = source.grab()
    taken = source.collect_still()
    assert taken is not None
    assert taken.picture is not None
    assert taken.picture.mean() < 0.6 * usual.mean()
    assert abs(float(after.mean()) - float(usual.mean())) < 2
    assert camera.controls["ExposureTime"] == EXPOSURE_US
    assert camera.lent == 0


def test_pictures_in_three_planes_come_out_in_their_colours_though_rows_are_padded() -> None:
    for colour in ((0, 0, 0), (255, 255, 255), (20, 60, 200), (180, 90, 30)):
        picture = np.full((54, 100, 3), colour, np.uint8)
        assert np.abs(yuv_to_bgr(planes_of(picture), (100, 54)).astype(int) - picture).max() <= 2


# --- what can go wrong ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("pi")
def test_without_a_named_mode_a_camera_module_3_would_see_a_part_of_the_board_only() -> None:
    """That is why one is named; the stand-in behaves as the real one."""
    camera = Picamera2()
    camera.configure(
        camera.create_video_configuration({"size": (1280, 720), "format": "RGB888"}, {}, 3, False)
    )
    assert configurations()[0]["crop"] == [768, 432, 3072, 1728]


def test_without_picamera2_the_remedy_is_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    for source, code in (("picamera2", "no_library"), ("picamera2:x", "absent")):
        with pytest.raises(SourceError) as told:
            open_ribbon(source, Wish())
        assert told.value.status.code == code
        assert reason_of(told.value.status).endswith(".")


@pytest.mark.usefixtures("pi")
def test_a_ribbon_that_comes_loose_is_lost() -> None:
    camera, source = opened(Wish(fps=1000), Clock())
    picture = source.grab()
    assert picture.shape == (720, 1280, 3)
    assert picture.flags.c_contiguous
    assert camera.lent == 0

    def loose() -> None:
        raise RuntimeError("Camera frontend has timed out!")

    camera.capture_request = loose  # type: ignore[assignment, method-assign]
    with pytest.raises(SourceError) as told:
        source.grab()
    assert told.value.status.code == "lost"
    camera.stop = loose  # type: ignore[method-assign]
    source.close()


@pytest.mark.usefixtures("pi")
def test_a_camera_that_does_not_start_is_let_go_of() -> None:
    class Loose(Picamera2):
        closed = False

        def start(self) -> None:
            raise RuntimeError("Failed to start camera\nand more")

        def close(self) -> None:
            self.closed = True

    camera = Loose()
    with pytest.raises(SourceError) as told:
        start_ribbon(lambda _: camera, 0, "picamera2", Wish())
    assert reason_of(told.value.status) == "No camera answers on the ribbon (Failed to start camera)."
    assert camera.closed


@pytest.mark.usefixtures("pi")
def test_a_ribbon_that_has_no_such_camera_is_told() -> None:
    with pytest.raises(SourceError, match="there is no camera 3"):
        start_ribbon(Picamera2, 3, "picamera2:3", Wish())
