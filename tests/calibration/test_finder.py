"""Finding boards in pictures."""

from functools import cache
from typing import cast

import numpy as np
import pytest

from calibration.finder import Found, Quadrant, board_at_corners, find_board, find_markers, fit_unslipped
from calibration.fit import EdgedPicture, Sighting
from tests.amounts import amount
from tests.calibration.pictures import START, TRUTH, corners, picture, width_px
from tests.rows import each_row

NAMES = sorted(TRUTH)


@cache
def edged(name: str) -> EdgedPicture:
    """A picture with its edges."""
    return EdgedPicture.from_picture(picture(name))


@cache
def located(name: str) -> Found:
    """The board in a picture, whose light home board is known; each is looked for once."""
    found = find_board(edged(name), START, cast(Quadrant, TRUTH[name]["light_home"]))
    assert found is not None
    return found


def off_by(found: Found, name: str) -> float:
    """The largest error of a corner, as a share of the board's width in the picture."""
    gaps = found.fit.camera.project(found.fit.geometry.corners()) - corners(name)
    return float(np.linalg.norm(gaps, axis=1).max()) / width_px(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_board_is_found_and_measured_wherever_it_lies(name: str) -> None:
    found = located(name)
    assert off_by(found, name) < 0.02
    assert found.sides.alike > 0.9


@each_row("slips", amount([(0, -1), (-2, 0), (1, 1)], [(0, 0), (1, 0), (0, -1), (-2, 0), (0, 2), (1, 1)]))
@each_row("name", amount(NAMES[:1], NAMES[:2]))
def test_rows_matched_some_places_too_far_in_or_out_are_put_right(name: str, slips: tuple[int, int]) -> None:
    right = located(name)
    slots = [slot for slot in right.slots if slot[1] + slips[slot[0] > 12] >= 0]
    geometry, camera = right.fit.geometry, right.fit.camera
    seen = [
        Sighting(point, place + slips[point > 12], *camera.project(geometry.slot(point, place)).tolist())
        for point, place in slots
    ]
    fit = fit_unslipped(edged(name), START, seen, geometry.home)
    assert fit is not None
    assert fit.geometry.surface_height_mm == pytest.approx(geometry.surface_height_mm, rel=0.03)


@pytest.mark.parametrize("name", amount(NAMES[:1], NAMES))
def test_without_a_word_from_the_user_light_is_the_lighter_colour(name: str) -> None:
    found = find_board(edged(name), START)
    assert found is not None
    assert found.sides.lightness > 0
    assert off_by(found, name) < 0.02


def test_the_word_of_the_user_outweighs_the_colours() -> None:
    mirrored: Quadrant = "top-right"
    found = find_board(edged("game"), START, mirrored)
    assert found is not None
    assert found.sides.lightness < 0


def test_markers_tell_where_light_is_at_home() -> None:
    marks = {0: corners("game")[3], 1: corners("game")[2], 2: corners("game")[1], 3: corners("game")[0]}
    found = find_board(edged("game"), START, None, marks)
    assert found is not None
    assert found.sides.lightness < 0, "the markers stand as if dark's seat were light's"


def test_printed_markers_are_seen() -> None:
    import cv2

    page = np.full((400, 600, 3), 255, np.uint8)
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number, (x, y) in enumerate([(480, 280), (40, 280), (40, 40), (480, 40)]):
        tile = cv2.aruco.generateImageMarker(family, number, 80)
        page[y : y + 80, x : x + 80] = tile[..., None]
    marks = find_markers(page)
    assert set(marks) == {0, 1, 2, 3}
    assert np.allclose(marks[0], [520, 320], atol=1.5)


@pytest.mark.parametrize("name", amount(NAMES[3:6], NAMES))
def test_given_corners_are_enough_to_start_from(name: str) -> None:
    found = board_at_corners(edged(name), START, corners(name))
    assert off_by(found, name) < 0.02
    assert found.refined.seen > 15


def test_crossed_corners_are_refused() -> None:
    with pytest.raises(ValueError, match="board"):
        board_at_corners(edged("game"), START, np.zeros((4, 2)))


def test_pictures_without_a_board_hold_none() -> None:
    noise = np.random.default_rng(5).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    assert find_board(EdgedPicture.from_picture(noise), START) is None
    assert find_board(EdgedPicture.from_picture(np.zeros((480, 640, 3), np.uint8)), START) is None
    beside, half = picture("game")[300:, 700:], picture("game")[:, 700:]
    for part in amount([beside], [beside, half]):
        assert find_board(EdgedPicture.from_picture(np.ascontiguousarray(part)), START) is None
