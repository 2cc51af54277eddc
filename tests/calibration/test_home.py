"""Where light's home is said to lie is compared with what the picture shows."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.calibrate import CalibrationError, CalibrationFault, CalibrationPicture, calibrate
from calibration.finder import QUADRANTS, Found, find_board
from calibration.fit import EdgedPicture
from calibration.home import misplaced_home
from tests.amounts import amount
from tests.calibration.pictures import START, TRUTH, picture
from tests.rows import each_row

NAMES = sorted(TRUTH)[: amount(1, 2)]


@cache
def located(name: str) -> Found:
    """The board in a picture, numbered so that the paler checkers are light's."""
    found = find_board(EdgedPicture.from_picture(picture(name)), START)
    assert found is not None
    return found


@each_row("name", NAMES)
def test_only_the_corner_in_which_it_lies_is_believed(name: str) -> None:
    true = TRUTH[name]["light_home"]
    said = {corner: misplaced_home(located(name), START, corner) for corner in QUADRANTS}
    assert said == {corner: None if corner == true else true for corner in QUADRANTS}


def test_without_a_word_about_it_the_colours_are_believed() -> None:
    assert misplaced_home(located(NAMES[0]), START, None) is None


def test_checkers_that_are_nearly_as_pale_as_each_other_do_not_contradict() -> None:
    found = located(NAMES[0])
    alike = replace(found, sides=replace(found.sides, lightness=-2.0))
    assert misplaced_home(alike, START, TRUTH[NAMES[0]]["light_home"]) is None


def test_a_board_numbered_from_the_darker_side_is_misplaced() -> None:
    found = located(NAMES[0])
    dark = replace(found, sides=replace(found.sides, lightness=-30.0))
    assert misplaced_home(dark, START, None) not in (None, TRUTH[NAMES[0]]["light_home"])


def test_a_corner_that_the_picture_contradicts_is_refused_with_the_right_one() -> None:
    name = NAMES[0]
    down, across = TRUTH[name]["light_home"].split("-")
    wrong = f"{'top' if down == 'bottom' else 'bottom'}-{across}"
    with pytest.raises(
        CalibrationError, match=f"give --light-home {down}-{across}, or leave it out"
    ) as caught:
        calibrate([CalibrationPicture(name, np.asarray(picture(name), np.uint8), START)], wrong)
    assert caught.value.fault is CalibrationFault.HOME_ELSEWHERE
    assert caught.value.found is not None
