"""The fit of camera and board to checkers at known slots."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.fit import Sighting, _mean_of_weakest, fit_board
from calibration.pattern import slots_of
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry, Home
from tests.amounts import amount
from tests.calibration.pictures import START

SIZE = (1280, 720)


def camera_above(slant_deg: float, turn_deg: float, roll_deg: float, distance_mm: float) -> CameraModel:
    """A camera that looks at the middle of the board from a slant, turned around the board and around itself."""
    slant, turn, roll = np.radians([slant_deg, turn_deg, roll_deg])
    back = np.array([np.sin(slant) * np.cos(turn), np.sin(slant) * np.sin(turn), np.cos(slant)])
    right = np.cross([0.0, 1.0, 0.0] if abs(back[1]) < 0.9 else [1.0, 0.0, 0.0], back)
    right /= np.linalg.norm(right)
    down = -np.cross(back, right)
    axes = np.stack([right, down, -back])
    spin = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    import cv2

    rotation = np.asarray(cv2.Rodrigues(spin @ axes)[0]).ravel()
    return CameraModel(*SIZE, 1000.0, -0.05, 0.0, tuple(rotation.tolist()), (5.0, -8.0, distance_mm))


@settings(max_examples=amount(25, 100))
@given(
    slant=st.floats(0, 50),
    turn=st.floats(0, 360),
    roll=st.floats(0, 360),
    distance=st.floats(900, 1500),
    home=st.sampled_from(["right", "left"]),
    bar=st.floats(35, 60),
    height=st.floats(440, 500),
)
def test_a_board_is_found_again_from_where_its_checkers_are_seen(
    slant: float, turn: float, roll: float, distance: float, home: Home, bar: float, height: float
) -> None:
    camera = camera_above(slant, turn, roll, distance)
    board = BoardGeometry(home, 44.0, bar, height, 41.5, 40.0, 12.0)
    sightings = []
    for point, place in slots_of(START):
        x, y = camera.project(board.slot(point, place))
        sightings.append(Sighting(point, place, float(x), float(y)))
    fit = fit_board(sightings, home, SIZE, None, 0.3)
    assert fit.residuals.max() < 1.0
    gaps = fit.camera.project(fit.geometry.corners()) - camera.project(board.corners())
    assert np.linalg.norm(gaps, axis=1).max() < 6.0


def test_a_few_checkers_do_not_make_a_board() -> None:
    with pytest.raises(ValueError, match="too few"):
        fit_board([Sighting(6, place, 100.0 + place, 100.0) for place in range(5)], "right", SIZE)


@given(st.lists(st.lists(st.floats(0, 255, width=32), min_size=4, max_size=4), min_size=1, max_size=5))
def test_the_two_weakest_quarters_of_a_rim_count_wherever_they_are(quarters: list[list[float]]) -> None:
    strengths = np.array(quarters, np.float32)
    weakest = np.sort(strengths, axis=-1)[..., :2].mean(axis=-1)
    assert _mean_of_weakest(strengths.T) == pytest.approx(weakest, rel=1e-5)
