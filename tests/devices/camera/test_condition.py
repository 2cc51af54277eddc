"""What is the matter with pictures: black, or the same over and over."""

import numpy as np
import pytest

from controller.arrays import Picture
from controller.devices.camera.camera import PictureOrigin
from controller.devices.camera.condition import DARK_S, FROZEN_PICTURES, FROZEN_S, INCOMPLETE_S, Condition
from controller.devices.camera.status import CameraCode
from tests.devices.cameras import at_rest, noise
from tests.rows import each_row


def flaws(
    pictures: list[Picture], fps: float, origin: PictureOrigin = PictureOrigin.DEVICE
) -> list[CameraCode | None]:
    condition = Condition(origin)
    return [condition.assess(picture, number / fps).flaw for number, picture in enumerate(pictures)]


@pytest.mark.parametrize("origin", [PictureOrigin.DEVICE, PictureOrigin.STILLS, PictureOrigin.STREAM])
def test_a_picture_that_repeats_itself_is_frozen_after_a_while(origin: PictureOrigin) -> None:
    first = round(FROZEN_S[origin] * 10)
    found = flaws([noise(1)] * (first + 50), 10.0, origin)
    assert found.index(CameraCode.FROZEN) == first
    assert all(flaw is CameraCode.FROZEN for flaw in found[first:])
    slow = flaws([noise(1)] * 30, 0.1, origin)
    assert slow.index(CameraCode.FROZEN) == FROZEN_PICTURES


def test_a_stream_repeats_a_scene_at_rest_between_two_of_its_whole_pictures() -> None:
    ten_seconds = [picture for n in range(10) for picture in [noise(n)] * 100]
    assert set(flaws(ten_seconds, 10.0, PictureOrigin.STREAM)) == {None}


def test_films_may_repeat_themselves_and_be_flat() -> None:
    assert set(flaws([noise(1)] * 300, 10.0, PictureOrigin.FILM)) == {None}
    assert set(flaws([np.full((240, 320, 3), 128, np.uint8)] * 300, 10.0, PictureOrigin.FILM)) == {None}


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


GREY, GREEN = (128, 128, 128), (0, 135, 0)
"""What libjpeg and FFmpeg put where the end of a picture is missing."""


def cut(picture: Picture, share: float, rest: Picture | tuple[int, int, int]) -> Picture:
    """A picture whose end was lost on its way, with what a decoder puts in its place; cut within a row of blocks."""
    whole = picture.copy()
    row = round(len(picture) * (1 - share))
    filled = np.broadcast_to(np.asarray(rest, np.uint8), whole.shape)
    whole[row:] = filled[row:]
    whole[row - 8 : row, 100:] = filled[row - 8 : row, 100:]
    return whole


@each_row("origin", [PictureOrigin.DEVICE, PictureOrigin.STILLS, PictureOrigin.STREAM])
@each_row("rest", [GREY, GREEN])
@each_row("share", [0.15, 0.5, 0.9])
def test_pictures_whose_end_is_missing_are_never_used_and_told_after_a_while(
    origin: PictureOrigin, rest: tuple[int, int, int], share: float
) -> None:
    condition = Condition(origin)
    states = [condition.assess(cut(at_rest(n), share, rest), n / 10) for n in range(30)]
    assert not any(state.usable for state in states)
    told = [state.flaw for state in states]
    assert told.index(CameraCode.INCOMPLETE) == round(INCOMPLETE_S * 10)
    whole = condition.assess(at_rest(99), 3.0)
    assert (whole.usable, whole.flaw) == (True, None)


@pytest.mark.parametrize("origin", [PictureOrigin.DEVICE, PictureOrigin.STILLS])
def test_pictures_whose_lower_part_stays_that_of_the_one_before_are_incomplete(origin: PictureOrigin) -> None:
    condition, last = Condition(origin), at_rest(0)
    assert condition.assess(last, 0.0).usable
    for n in range(1, 30):
        last = cut(at_rest(n), 0.3 + 0.1 * (n % 5), last)
        state = condition.assess(last, n / 10)
        assert not state.usable
    assert state.flaw is CameraCode.INCOMPLETE


def test_one_incomplete_picture_among_others_is_passed_over_without_a_word() -> None:
    condition = Condition(PictureOrigin.DEVICE)
    states = [
        condition.assess(at_rest(n) if n % 10 == 0 else cut(at_rest(n), 0.5, GREY), n / 10)
        for n in range(100)
    ]
    assert {state.flaw for state in states} == {None}
    assert [n for n, state in enumerate(states) if state.usable] == list(range(0, 100, 10))


@pytest.mark.parametrize("level", [0, 16, 255])
def test_a_margin_that_is_black_or_white_is_no_missing_part(level: int) -> None:
    pictures = [cut(at_rest(n), 0.3, (level, level, level)) for n in range(60)]
    assert set(flaws(pictures, 10.0)) == {None}
