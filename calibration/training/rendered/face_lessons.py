"""How the network that tells the numbers of dice is made: from painted boards, then on from rendered dice that were
invented, and then from dice of real makes.
"""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from calibration.training.boards import known_boards
from calibration.training.dice.dice import learn_dice
from calibration.training.dice.dice_cuts import Patch, cut, settled
from calibration.training.dice.dice_lessons import learned_board
from calibration.training.dice.dice_scenes import DiceScene, Stock, compose, draw_stock, things_of
from calibration.training.recipe import Tell
from calibration.training.rendered.die_cuts import cut_dice
from calibration.training.rendered.relearning import Retraining, relearn
from calibration.training.rendered.stills import INVENTED, TAUGHT, Series, still
from controller.simulation.boards.faces import die_face
from controller.simulation.boards.makes import die_of, taught_makes
from controller.vision.dice.views import DIE_VIEW

SEED, SHOWN_SEED, PAINTED_SEED = 19, 31, 37
# The numbers of the rendered pictures to learn from, in the order in which they are shown to it.
PICTURES = sorted(range(97), key=str)
# How much likelier nothing is taken to be: rendered pictures show fewer kinds of nothing than boards do; with this it
# sees about as many dice where there are none as before, on boards that it never saw.
SECOND = Retraining(3500, 1.2e-3, (0.7, 0.3), share=0.6, nothing=0.6, deeper=True)
# Pictures of dice of real makes, and of invented ones to show again.
MADE_PICTURES, AGAIN = range(78), range(60)
# What is shown comes from these two, from pictures with dice of real makes painted into them, and from those pictures
# as they are.
THIRD = Retraining(10000, 8e-4, (0.4, 0.2, 0.2, 0.2), share=1.0, nothing=0.0, deeper=False)
# Dice of each make, and cubes, that are painted into each of the pictures so many times.
OF_EACH, CUBES, PAINTED = 3, 60, 2


def learn(tell: Tell) -> tuple[bytes, Mapping[str, float]]:
    """Learn to tell numbers; what is not kept is rendered first."""
    tell("rendering dice (some minutes the first time)")
    invented, shown = list(_rendered(INVENTED, PICTURES, tell)), list(_shown())
    made = list(_rendered(TAUGHT, MADE_PICTURES, tell))
    model, _ = learn_dice(tell)
    model, _ = relearn(model, (invented, shown), DIE_VIEW, SECOND, tell)
    again = list(_rendered(INVENTED, AGAIN, tell))
    return relearn(model, (made, again, list(_painted()), shown), DIE_VIEW, THIRD, tell)


def _rendered(series: Series, numbers: Iterable[int], tell: Tell) -> Iterator[Patch]:
    for number in numbers:
        yield from cut_dice(still(number, tell, series), np.random.default_rng([SEED, number]))


def _painted() -> Iterator[Patch]:
    """The patches of those pictures with dice of real makes painted into them."""
    stock = _stock(np.random.default_rng(PAINTED_SEED))
    for number, known in enumerate(known_boards()):
        random, board = np.random.default_rng([PAINTED_SEED, number]), learned_board(known)
        for shot in (*known.starts, *known.shots):
            checkers = tuple((float(c["x"]), float(c["y"])) for c in shot.truth["checkers"])
            plain, now = settled(DiceScene(shot.image, things_of(shot.truth), checkers), board)
            for _ in range(PAINTED):
                yield from cut(compose(plain, now, stock, random), now, random).dice


def _stock(random: np.random.Generator) -> Stock:
    """Dice of the makes that lessons may show."""
    styles = [die_of(make, random) for make in taught_makes() for _ in range(OF_EACH)]
    dice = [(style, [die_face(style, value, 40) for value in range(1, 7)]) for style in styles]
    return Stock(dice, draw_stock(random, 0, CUBES).cubes)


def _shown() -> Iterator[Patch]:
    """The patches of the pictures that ship with the project, with nothing painted into them."""
    for number, known in enumerate(known_boards()):
        random, board = np.random.default_rng([SHOWN_SEED, number]), learned_board(known)
        for shot in (*known.starts, *known.shots):
            checkers = tuple((float(c["x"]), float(c["y"])) for c in shot.truth["checkers"])
            yield from cut(
                *settled(DiceScene(shot.image, things_of(shot.truth), checkers), board), random
            ).dice
