"""Light that falls otherwise than at the calibration: what stands in a shadow is read as what stands beside it."""

from functools import cache

import cv2
import numpy as np
import pytest

from controller.arrays import Picture
from controller.vision.board.drift import settle
from controller.vision.board.light_field import LightField, find_light_field, measure_light
from controller.vision.geometry.board_grid import surface_grid
from controller.vision.reader import SURE, is_uneven, read_board
from controller.vision.reading import Reading
from tests.rows import each_row
from tests.vision.boards import seen_from, tilted
from tests.vision.test_film import RESTING, TRUTH, board, reading, shot

SHADED = RESTING[3::23]
ARMS = [number for number, truth in enumerate(TRUTH) if truth["hand"]][::25]


def in_shadow(image: Picture, to: float = 0.45, left: float = 0.5) -> Picture:
    """A picture with somebody's shadow over it from the left up ``to`` that share of its width, soft at its edge."""
    along = np.arange(image.shape[1]) / image.shape[1]
    light = 1 - (1 - left) / (1 + np.exp((along - to) * 40))
    return np.asarray(image * light[None, :, None], np.uint8)


def field_of(image: Picture) -> LightField | None:
    geometry = board().geometry
    grid = surface_grid(geometry)
    bare = board().appearance.bare_surface(geometry)
    camera = settle(image, board(), grid, bare).camera
    return find_light_field(measure_light(image, camera, grid, bare), image, camera, grid)


@cache
def shaded(number: int) -> Reading:
    return read_board(in_shadow(shot(number)), board())


@each_row("number", SHADED)
def test_a_board_half_in_a_shadow_is_read_as_in_its_own_light(number: int) -> None:
    seen, plain = shaded(number), reading(number)
    assert [point for point in range(24) if seen.points[point] != plain.points[point]] == []
    sure = set(range(1, 25)) - plain.unsure
    assert [point for point in sure if seen.point_confidence[point - 1] < SURE] == []
    assert not seen.hand
    assert seen.drift is not None
    assert is_uneven(seen.drift), "so that points have to be surer"


@each_row("number", SHADED)
def test_what_is_evened_out_looks_as_it_did_without_the_shadow(number: int) -> None:
    image = shot(number)
    field = field_of(in_shadow(image))
    assert field is not None
    grid, camera = surface_grid(board().geometry), board().camera
    even, as_it_was = (
        grid.flatten(one, camera, 0.0).astype(float) for one in (field.even_out(in_shadow(image)), image)
    )
    gaps = np.log((even + 8) / (as_it_was + 8))
    # One factor for all the picture is followed besides.
    assert np.quantile(np.abs(gaps - np.median(gaps)), 0.9) < 0.1


@each_row("number", [*SHADED, *ARMS])
def test_checkers_and_arms_are_no_shadow(number: int) -> None:
    assert field_of(shot(number)) is None


def test_less_light_everywhere_is_even_light() -> None:
    assert field_of(shot(SHADED[0]) // 2) is None


def test_a_picture_of_any_number_of_pixels_is_evened_out() -> None:
    field = LightField(np.full((3, 4), 2.0, np.float32), 0.0)
    assert (field.even_out(np.full((21, 27, 3), 60, np.uint8)) == 120).all()
    assert (field.even_out(np.full((24, 32, 3), 200, np.uint8)) == 255).all()


@pytest.mark.parametrize("to", [0.45, 0.6])
def test_from_a_picture_in_a_shadow_readings_go_on_where_it_stays_or_moves(to: float) -> None:
    first, second = SHADED[:2]
    after = read_board(in_shadow(shot(second), to), board(), shaded(first).baseline)
    assert after.points == reading(second).points
    assert after.baseline is not None
    alone = read_board(shot(second), board(), after.baseline)
    assert alone.points == reading(second).points


def test_a_shadow_that_creeps_over_most_of_the_board_changes_nothing_of_what_is_read() -> None:
    number = SHADED[1]
    image, plain = shot(number), reading(number)
    seen = read_board(in_shadow(image, 0.1), board())
    for to in np.arange(0.13, 0.68, 0.03):
        seen = read_board(in_shadow(image, float(to)), board(), seen.baseline)
        assert seen.points == plain.points, to
        assert not seen.hand, to
        sure = set(range(1, 25)) - plain.unsure
        assert [point for point in sure if seen.point_confidence[point - 1] < 0.95] == [], to


def test_a_board_that_stands_elsewhere_is_not_evened_out_into_its_place() -> None:
    camera = board().camera
    elsewhere = seen_from(shot(SHADED[0]), camera, tilted(camera, 5.0, 0.0))
    seen = read_board(in_shadow(elsewhere), board())
    assert not seen.recognised


def test_under_a_lamp_that_mirrors_nothing_is_made_darker() -> None:
    image = in_shadow(shot(SHADED[0]))
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    spot = np.exp(-(((columns - 620) / 50) ** 2) - ((rows - 260) / 50) ** 2)[..., None]
    field = field_of(np.clip(image + 120 * spot, 0, 255).astype(np.uint8))
    assert field is not None
    about = field.gains[20:46, 68:86]
    assert about.min() > 0.95 * np.median(about)


def test_a_lamp_beside_the_board_is_a_light_field_too() -> None:
    image = shot(SHADED[0])
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    near = np.exp(-(((columns - 300) / 150) ** 2) - ((rows - 250) / 120) ** 2)
    lit = np.asarray(cv2.multiply(image, cv2.merge([0.6 + 0.5 * near] * 3), dtype=cv2.CV_8U), np.uint8)
    seen = read_board(lit, board())
    assert seen.points == reading(SHADED[0]).points
    assert not seen.hand
