"""The four networks that find and read dice and the doubling cube."""

from collections.abc import Mapping

from calibration.training.dice.dice_cuts import VIEWS
from calibration.training.dice.dice_lessons import Lessons, lessons
from calibration.training.dice.face_network import learn_faces
from calibration.training.dice.spot_network import learn_spots
from calibration.training.recipe import Tell
from controller.vision.dice.views import CUBE_CLASSES, CUBE_VIEW, DIE_VIEW

Made = tuple[bytes, Mapping[str, float]]

STEPS: Mapping[str, int] = {"dice": 14000, "cube": 10000, "dice_map": 3500, "cube_map": 2000}


def learn_dice_map(tell: Tell) -> Made:
    """Where dice lie."""
    known = _known(tell)
    return learn_spots(known.dice_maps, known.map_worth, STEPS["dice_map"], tell)


def learn_cube_map(tell: Tell) -> Made:
    """Where the cube lies."""
    known = _known(tell)
    return learn_spots(known.cube_maps, known.map_worth, STEPS["cube_map"], tell)


def learn_dice(tell: Tell) -> Made:
    """Which number a die shows."""
    known = _known(tell)
    return learn_faces(known.dice, range(7), DIE_VIEW, VIEWS["die"], STEPS["dice"], tell)


def learn_cube(tell: Tell) -> Made:
    """Which number the cube shows."""
    known = _known(tell)
    return learn_faces(known.cubes, (0, *CUBE_CLASSES), CUBE_VIEW, VIEWS["cube"], STEPS["cube"], tell)


def _known(tell: Tell) -> Lessons:
    tell("painting dice and cubes onto the pictures (minutes the first time)")
    return lessons()
