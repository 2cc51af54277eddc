"""Peaks of maps and patches of pictures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.vision.dice.spots import Search, cover_blocks, find_peaks
from controller.vision.dice.views import PatchView, cut_patch, facing, leeway, normal
from controller.vision.geometry.camera import CameraModel

ABOVE = CameraModel(400, 300, 400.0, 0.0, 0.0, (np.pi, 0.0, 0.0), (0.0, 0.0, 400.0))
SLANTED = CameraModel(400, 300, 400.0, -0.05, 0.0, (np.pi - 0.6, 0.1, 0.0), (10.0, 0.0, 400.0))
VIEW = PatchView(12.0, 0.5, 41)
SEARCH = Search("dice_map", least=0.2, radius=2, most=3)


def hill(row: float, column: float, height: float) -> np.ndarray:
    down, across = np.mgrid[0:30, 0:40]
    return height * np.exp(-0.5 * ((down - row) ** 2 + (across - column) ** 2)).astype(np.float32)


def test_peaks_are_found_highest_first_between_cells() -> None:
    heat = np.maximum(hill(10.3, 20.0, 0.6), hill(20.0, 5.6, 0.9))
    peaks = find_peaks(heat, SEARCH)
    assert len(peaks) == 2
    assert peaks[0] == pytest.approx((20.0, 5.6), abs=0.25)
    assert peaks[1] == pytest.approx((10.3, 20.0), abs=0.25)


def test_low_peaks_and_lesser_ones_close_by_are_left_out() -> None:
    heat = np.maximum(hill(10.0, 20.0, 0.6), hill(12.0, 20.0, 0.5))
    assert len(find_peaks(np.maximum(heat, hill(25.0, 30.0, 0.1)), SEARCH)) == 1


def test_no_more_peaks_are_told_than_asked_for() -> None:
    heat = np.max([hill(5.0, 8.0 * k, 0.5 + 0.05 * k) for k in range(5)], axis=0)
    assert len(find_peaks(heat, SEARCH)) == 3


@pytest.mark.parametrize("camera", [ABOVE, SLANTED])
@pytest.mark.parametrize("turn", [0.0, 0.7])
def test_a_patch_shows_what_lies_at_its_spot(camera: CameraModel, turn: float) -> None:
    down, across = np.mgrid[0:300, 0:400]
    picture = np.stack([across / 2, down / 2, np.zeros_like(down)], axis=-1).astype(np.uint8)
    patch = cut_patch(picture, camera, (20.0, -15.0), VIEW, turn)
    # Right in the patch is +x on the board, up is +y, both turned.
    x, y = 20.0 + 8 * np.cos(turn), -15.0 + 8 * np.sin(turn)
    for (row, column), spot in (((20, 20), (20.0, -15.0)), ((20, 36), (x, y))):
        expected = camera.project(np.array([*spot, VIEW.height_mm])) / 2
        assert patch[row, column, :2] == pytest.approx(expected, abs=1.5)


def test_a_patch_that_faces_the_camera_shows_what_is_nearest_to_it_below() -> None:
    for spot in ((60.0, 40.0), (-80.0, 10.0), (0.0, -70.0)):
        turn, slant = facing(SLANTED, spot, VIEW)
        below = np.array(spot) + 10 * np.array([np.sin(turn), -np.cos(turn)])
        away = SLANTED.centre_mm[:2] - spot
        assert np.hypot(*away) - np.hypot(*(SLANTED.centre_mm[:2] - below)) == pytest.approx(10, abs=1e-6)
        assert slant == pytest.approx(np.hypot(*away) / (SLANTED.centre_mm[2] - VIEW.height_mm))


def test_a_patch_may_be_turned_any_way_below_the_camera_and_little_where_it_looks_aslant() -> None:
    overhead, slanted, steep = leeway(np.array([0.0, 0.3, 1.0]))
    assert overhead > 3.0
    assert overhead > slanted > steep
    assert steep < 0.5


def test_light_and_contrast_of_a_patch_do_not_matter() -> None:
    patch = np.random.default_rng(0).integers(0, 120, (41, 41, 3)).astype(np.uint8)
    brighter = (2 * patch + 10).astype(np.uint8)
    assert np.abs(normal([patch]) - normal([brighter])).max() < 0.3
    assert np.abs(normal([patch]).mean()) < 1e-4


@given(
    shape=st.tuples(st.integers(3, 60), st.integers(3, 60)),
    spots=st.lists(st.tuples(st.integers(0, 59), st.integers(0, 59)), max_size=12),
)
def test_windows_hold_all_that_is_asked_for_and_show_what_is_around_it(
    shape: tuple[int, int], spots: list[tuple[int, int]]
) -> None:
    asked = np.zeros(shape, bool)
    for row, column in spots:
        asked[row : row + 4, column : column + 4] = True
    held = np.zeros(shape, bool)
    for window in cover_blocks(asked, SEARCH):
        held[window.down.first : window.down.last, window.across.first : window.across.last] = True
        for reach, blocks in ((window.down, shape[0]), (window.across, shape[1])):
            assert max(0, reach.first - SEARCH.field) >= reach.start
            assert min(blocks, reach.last + SEARCH.field) <= reach.end <= blocks
    assert held[asked].all()
