"""Whether a face in front of a die is its side or another die."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from controller.vision.dice.dice import CLOSE_LOOK
from controller.vision.dice.patches import Sight
from controller.vision.dice.spots import look_closely
from controller.vision.dice.touching import TOUCHES, look_beside, side_odds
from controller.vision.dice.views import DIE_VIEW, Spot
from controller.vision.geometry.camera import CameraModel
from tests.rows import each_row
from tests.vision.boards import learned, picture
from tests.vision.dice.test_dice import IVORY, throw

ABOVE = CameraModel(1280, 720, 1000.0, 0.0, 0.0, (np.pi, 0.0, 0.0), (0.0, 0.0, 900.0))
SLANTED = CameraModel(1280, 720, 1000.0, 0.0, 0.0, (np.pi - 0.6, 0.0, 0.0), (0.0, 0.0, 900.0))


DIE = (160.0, -90.0)


def before(distance_mm: float) -> float:
    """The odds of a face so far before a die, on the side of the camera."""
    away = SLANTED.centre_mm[:2] - DIE
    x, y = (DIE + away / np.hypot(*away) * distance_mm).tolist()
    return side_odds((x, y), DIE, SLANTED)


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
    slant = float(np.hypot(*(SLANTED.centre_mm[:2] - DIE)) / SLANTED.centre_mm[2])
    assert before(15.5 * (1 + slant) / 2) <= TOUCHES


def found_beside(way: float, side_mm: float, *, alone: bool) -> tuple[list[int], float]:
    """The numbers that looks round a die find where a 5 touches it, and how far from that its middle is told (mm)."""
    board, image = learned("board1"), picture("board1_start").copy()
    one = (100.0, 5.0)
    other = (one[0] + 1.05 * side_mm * np.cos(way), one[1] + 1.05 * side_mm * np.sin(way))
    throw(image, board, IVORY, 2, *one, way, side_mm=side_mm)
    if not alone:
        throw(image, board, IVORY, 5, *other, way, side_mm=side_mm)

    def face(x: float, y: float) -> Spot:
        seen = board.camera.project(np.array([x, y, side_mm]))
        first, second = board.camera.to_board(seen, DIE_VIEW.height_mm).tolist()
        return first, second

    sight, spot = Sight(image, board.camera), face(*one)
    told = look_closely(CLOSE_LOOK, sight, [spot])
    assert told[spot].chances.argmax() == 2
    beside = look_beside(CLOSE_LOOK, sight, [spot], [*told.values()]).values()
    found = [each for each in beside if each.chances[0] < 0.5]
    away = [float(np.hypot(*np.subtract(each.middle, face(*other)))) for each in found]
    return [int(each.chances.argmax()) for each in found], max(away, default=0.0)


@each_row("side_mm", [11.0, 12.0])  # of larger ones that touch the map shows two
@each_row("way", [0.3, 1.2, 2.7, 4.0, 5.6])
def test_looks_round_a_die_find_the_one_that_touches_it_once_and_nothing_else(
    way: float, side_mm: float
) -> None:
    numbers, away_mm = found_beside(way, side_mm, alone=False)
    assert numbers == [5]
    assert away_mm < 2.5
    assert found_beside(way, side_mm, alone=True) == ([], 0.0)
