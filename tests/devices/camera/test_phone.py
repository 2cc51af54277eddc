"""The camera at the other end of a phone's line: its size, its losses, its end."""

import threading
import time

import cv2
import numpy as np
import pytest

from controller.devices.camera.camera import Wish
from controller.devices.camera.choice import PHONE, CameraChoice, is_film
from controller.devices.camera.live import LiveCamera
from controller.devices.camera.phone import PhoneLine
from controller.devices.camera.sources import open_source
from controller.devices.camera.status import CameraCode, SourceError
from controller.devices.camera.stills import StillWish
from tests.hub.hubs import until


def jpeg(width: int, height: int, seed: int = 0) -> bytes:
    grain = np.random.default_rng(seed).integers(90, 120, (height, width, 3), np.uint8)
    return cv2.imencode(".jpg", grain)[1].tobytes()


def test_a_phone_is_no_film_and_is_looked_for_by_its_own_name() -> None:
    assert not is_film(PHONE)
    assert CameraChoice(PHONE).candidates() == (PHONE,)


def test_a_program_without_pages_says_that_no_phone_sends() -> None:
    with pytest.raises(SourceError) as refused:
        open_source(Wish(PHONE))
    assert refused.value.status.code is CameraCode.PHONE_AWAY


@pytest.mark.parametrize(
    ("sent", "wished", "got"),
    [
        ((1280, 720), (1920, 1080), (1920, 1080)),
        ((1920, 1080), (1280, 720), (1280, 720)),
        ((1920, 1080), None, (1920, 1080)),
        ((640, 480), (1280, 720), (640, 480)),
    ],
)
def test_pictures_come_in_the_size_of_the_board_file_and_in_their_own_shape(
    sent: tuple[int, int], wished: tuple[int, int] | None, got: tuple[int, int]
) -> None:
    line = PhoneLine()
    line.put(jpeg(*sent))
    source = line.open(Wish(PHONE, wished))
    height, width = source.grab().shape[:2]
    assert (width, height) == got
    assert line.wanted == wished


def test_what_is_no_picture_is_passed_over() -> None:
    line = PhoneLine()
    line.put(b"\xff\xd8\xff nothing")
    source = line.open(Wish(PHONE))
    threading.Timer(0.1, line.put, [jpeg(320, 240)]).start()
    assert source.grab().shape == (240, 320, 3)


@pytest.mark.parametrize("side", [16_000, 32_700, 65_500])
def test_a_picture_that_unpacks_to_more_than_any_phone_takes_is_passed_over(side: int) -> None:
    """A few hundred bytes may claim gigabytes, and a Pi has two of them."""
    small = jpeg(320, 240)
    at = small.index(b"\xff\xc0") + 5
    line = PhoneLine()
    line.put(small[:at] + 2 * side.to_bytes(2, "big") + small[at + 4 :])
    source = line.open(Wish(PHONE))
    threading.Timer(0.1, line.put, [small]).start()
    assert source.grab().shape == (240, 320, 3)


def test_whoever_waits_for_a_picture_is_let_go_at_once_when_the_camera_is_closed() -> None:
    line = PhoneLine()
    line.put(jpeg(320, 240))
    source = line.open(Wish(PHONE))
    source.grab()
    threading.Timer(0.1, source.close).start()
    with pytest.raises(SourceError):
        source.grab()


def test_a_camera_waits_for_its_phone_loses_it_and_has_it_again() -> None:
    line, sending, number = PhoneLine(), threading.Event(), iter(range(10**6))

    def send() -> None:
        while not stopped.wait(0.05):
            if sending.is_set():
                line.put(jpeg(320, 240, next(number)))

    stopped, told = threading.Event(), list[CameraCode]()
    sender = threading.Thread(target=send)
    sender.start()
    try:
        with LiveCamera(
            Wish(PHONE), open_it=line.open, tell=lambda status: told.append(status.code)
        ) as camera:
            until(lambda: camera.status.code is CameraCode.PHONE_AWAY)
            sending.set()
            until(lambda: camera.read(0.1) is not None)
            sending.clear()
            until(lambda: camera.status.code is CameraCode.PHONE_LOST)
            sending.set()
            until(lambda: camera.read(0.1) is not None)
            assert told == [
                CameraCode.PHONE_AWAY,
                CameraCode.OK,
                CameraCode.PHONE_LOST,
                CameraCode.OK,
            ], "each is said once"
    finally:
        stopped.set()
        sender.join()


def code_of(line: PhoneLine) -> CameraCode | None:
    """Why the pictures cannot be used now; None where they can."""
    try:
        line.open(Wish(PHONE))
    except SourceError as error:
        return error.status.code
    return None


def test_a_phone_whose_pictures_take_too_long_is_slow_and_not_lost() -> None:
    now = [0.0]
    line = PhoneLine(lambda: now[0])

    def send(seconds: float) -> None:
        for _ in range(10):
            line.note()
            now[0] += seconds / 10
        line.put(jpeg(320, 240))

    assert code_of(line) is CameraCode.PHONE_AWAY
    for _ in range(10):
        line.note()
        now[0] += 0.2
    assert code_of(line) is CameraCode.PHONE_SLOW, "nothing has come whole, but something comes"
    send(0.1)
    assert code_of(line) is CameraCode.PHONE_SLOW, "that one was late"
    send(0.1)
    assert code_of(line) is None
    send(3.0)
    assert code_of(line) is CameraCode.PHONE_SLOW
    send(0.1)
    assert code_of(line) is None
    line.note()
    now[0] += 1.6
    assert code_of(line) is CameraCode.PHONE_LOST, "nothing comes any more"


def test_a_camera_whose_picture_is_still_coming_tells_that_it_comes_slowly() -> None:
    line = PhoneLine()
    line.put(jpeg(320, 240))
    source = line.open(Wish(PHONE))
    source.grab()
    stopped = threading.Event()

    def dribble() -> None:
        while not stopped.wait(0.05):
            line.note()

    sender = threading.Thread(target=dribble)
    sender.start()
    try:
        with pytest.raises(SourceError) as late:
            source.grab()
    finally:
        stopped.set()
        sender.join()
    assert late.value.status.code is CameraCode.PHONE_SLOW


def test_nobody_waits_longer_than_they_want() -> None:
    began = time.monotonic()
    assert PhoneLine().take(0.05, lambda: False) is None
    assert time.monotonic() - began >= 0.05


def test_stills_of_a_phone_come_when_they_come_and_usual_ones_go_on_meanwhile() -> None:
    line = PhoneLine()
    line.put(jpeg(640, 360))
    source = line.open(Wish(PHONE, (640, 360)))
    source.grab()
    assert source.still_size is None, "the phone has not said how large"
    line.still_size = (700, 500)
    assert source.still_size is None, "no more pixels than it sends"
    line.still_size = (1600, 1200)
    assert source.still_size == (1600, 1200)
    source.ask_still(StillWish(1))
    line.put(jpeg(640, 360, 1))
    source.grab()
    assert source.collect_still() is None
    source.ask_still(StillWish(2))
    line.put_still(1, jpeg(1600, 1200))
    assert source.collect_still() is None, "another one is wanted by now"
    line.put_still(2, jpeg(1600, 1200))
    taken = source.collect_still()
    assert taken is not None
    assert taken.picture is not None
    assert taken.picture.shape == (1200, 1600, 3)
    source.ask_still(StillWish(3, 2))
    line.put_still(3, b"")
    refused = source.collect_still()
    assert refused is not None
    assert refused.picture is None
