"""How the network that tells the numbers of dice is made: from painted boards, and then on from rendered ones."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from calibration.training.boards import known_boards
from calibration.training.dice.dice import learn_dice
from calibration.training.dice.dice_cuts import Patch, cut, settled

# It is part of what the networks for dice and cube were trained with, and stays where it is.
from calibration.training.dice.dice_lessons import _board
from calibration.training.dice.dice_scenes import DiceScene, things_of
from calibration.training.recipe import Tell
from calibration.training.rendered.die_cuts import cut_dice
from calibration.training.rendered.relearning import relearn
from calibration.training.rendered.stills import still
from controller.vision.views import DIE_VIEW

SEED, SHOWN_SEED = 19, 31
# The numbers of the rendered pictures to learn from, in the order in which they are shown to it.
PICTURES = sorted(range(97), key=str)
STEPS = 3500


def learn(tell: Tell) -> tuple[bytes, Mapping[str, float]]:
    """Learn to tell numbers; what is not kept is rendered first."""
    tell("rendering dice (some minutes the first time)")
    rendered = list(_rendered(PICTURES, tell))
    model, _ = learn_dice(tell)
    return relearn(model, (rendered, list(_shown())), DIE_VIEW, STEPS, tell)


def _rendered(numbers: Iterable[int], tell: Tell) -> Iterator[Patch]:
    for number in numbers:
        yield from cut_dice(still(number, tell), np.random.default_rng([SEED, number]))


def _shown() -> Iterator[Patch]:
    """The patches of the pictures that ship with the project, with nothing painted into them."""
    for number, known in enumerate(known_boards()):
        random, board = np.random.default_rng([SHOWN_SEED, number]), _board(known)
        for shot in (*known.starts, *known.shots):
            checkers = tuple((float(c["x"]), float(c["y"])) for c in shot.truth["checkers"])
            yield from cut(
                *settled(DiceScene(shot.image, things_of(shot.truth), checkers), board), random
            ).dice
