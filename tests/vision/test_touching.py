"""Whether a face in front of a die is its side or another die."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from controller.vision.camera import CameraModel
from controller.vision.touching import TOUCHES, side_odds

ABOVE = CameraModel(1280, 720, 1000.0, 0.0, 0.0, (np.pi, 0.0, 0.0), (0.0, 0.0, 900.0))
SLANTED = CameraModel(1280, 720, 1000.0, 0.0, 0.0, (np.pi - 0.6, 0.0, 0.0), (0.0, 0.0, 900.0))


def before(distance_mm: float, camera: CameraModel = SLANTED) -> float:
    """The odds of a face so far before a die in the middle of the board, on the side of the camera."""
    way = camera.centre_mm[:2] / max(float(np.hypot(*camera.centre_mm[:2])), 1e-9)
    x, y = (way * distance_mm).tolist()
    return side_odds((x, y), (0.0, 0.0), camera)


@given(st.floats(8, 40))
def test_from_above_nothing_is_a_side(distance_mm: float) -> None:
    assert side_odds((distance_mm, 0.0), (0.0, 0.0), ABOVE) == 1


@given(st.floats(20, 60))
def test_behind_a_die_and_far_before_it_no_side_is_seen(distance_mm: float) -> None:
    assert before(-distance_mm) == before(distance_mm + 5) == 1


@given(st.floats(8, 19), st.floats(0, 1))
def test_a_side_is_the_more_unlikely_the_wider_its_die_would_have_to_be(
    near_mm: float, more_mm: float
) -> None:
    assert before(near_mm) <= before(near_mm + more_mm) <= 1


def test_where_the_side_of_a_usual_die_is_seen_a_second_die_is_most_unlikely() -> None:
    slant = float(np.hypot(*SLANTED.centre_mm[:2]) / SLANTED.centre_mm[2])
    assert before(15.5 * (1 + slant) / 2) <= TOUCHES
