"""The four networks that find and read dice and the doubling cube."""

from collections.abc import Mapping

from controller.training.dice_cuts import VIEWS
from controller.training.dice_lessons import Lessons, lessons
from controller.training.face_network import learn_faces
from controller.training.recipe import Tell
from controller.training.spot_network import Plan, learn_spots
from controller.vision.views import CUBE_CLASSES, CUBE_VIEW, DIE_VIEW

Made = tuple[bytes, Mapping[str, float]]

STEPS: Mapping[str, int] = {"dice": 14000, "cube": 10000}
PLANS: Mapping[str, Plan] = {
    "dice_map": Plan(steps=3500, crop=84, width=24, spot_cells=1.0, doubtful_cells=6.0),
    "cube_map": Plan(steps=2000, crop=112, width=32, spot_cells=1.2, doubtful_cells=7.0),
}


def learn_dice_map(tell: Tell) -> Made:
    """Where dice lie."""
    known = _known(tell)
    return learn_spots(known.dice_maps, known.map_worth, PLANS["dice_map"], tell)


def learn_cube_map(tell: Tell) -> Made:
    """Where the cube lies."""
    known = _known(tell)
    return learn_spots(known.cube_maps, known.map_worth, PLANS["cube_map"], tell)


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
