"""What is the matter with pictures: black, or the same over and over."""

import numpy as np
import pytest

from controller.arrays import Picture
from controller.devices.camera.camera import PictureOrigin
from controller.devices.camera.condition import DARK_S, FROZEN_PICTURES, FROZEN_S, Condition
from controller.devices.camera.status import CameraCode
from tests.devices.cameras import noise


def flaws(
    pictures: list[Picture], fps: float, origin: PictureOrigin = PictureOrigin.DEVICE
) -> list[CameraCode | None]:
    condition = Condition(origin)
    return [condition.flaw(picture, number / fps) for number, picture in enumerate(pictures)]


def test_a_picture_that_repeats_itself_is_frozen_after_a_while() -> None:
    found = flaws([noise(1)] * 100, 10.0)
    assert found.index(CameraCode.FROZEN) == round(FROZEN_S * 10)
    assert all(flaw is CameraCode.FROZEN for flaw in found[round(FROZEN_S * 10) :])
    slow = flaws([noise(1)] * 30, 0.5)
    assert slow.index(CameraCode.FROZEN) == FROZEN_PICTURES


@pytest.mark.parametrize("origin", [PictureOrigin.STREAM, PictureOrigin.FILM])
def test_streams_and_films_may_repeat_themselves(origin: PictureOrigin) -> None:
    assert set(flaws([noise(1)] * 100, 10.0, origin)) == {None}


@pytest.mark.parametrize("place", [(8, 8), (9, 11)])
def test_one_pixel_that_differs_is_enough_to_be_alive(place: tuple[int, int]) -> None:
    blink = noise(1)
    blink[place] ^= 1
    assert set(flaws([noise(1), blink] * 60, 10.0)) == {None}


def test_black_is_told_after_a_while_and_gone_at_once() -> None:
    pictures = [noise(n, level=10) for n in range(40)] + [noise(99)] + [noise(n, level=10) for n in range(40)]
    found = flaws(pictures, 10.0)
    first = found.index(CameraCode.DARK)
    assert first == round(DARK_S * 10)
    assert found[40] is None
    assert found[41] is None
    assert found[-1] is CameraCode.DARK


def test_black_pictures_that_repeat_themselves_are_told_as_black() -> None:
    found = flaws([np.zeros((240, 320, 3), np.uint8)] * 60, 10.0)
    assert set(found) == {None, CameraCode.DARK}


def test_a_dark_room_with_a_bright_lamp_in_it_is_not_black() -> None:
    lamp = np.zeros((240, 320, 3), np.uint8)
    lamp[:40, :40] = 200
    pictures = [np.maximum(lamp, noise(n, level=6)) for n in range(60)]
    assert set(flaws(pictures, 10.0)) == {None}
