"""Several looks at one scene at rest, each with its own noise: what they tell together."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import hypot
from typing import TypeVar

import cv2
import numpy as np

from controller.arrays import Float32Array, FloatArray
from controller.vision.board.board import Board
from controller.vision.counting.likelihoods import WORST
from controller.vision.counting.trays import ALL_TRAYS
from controller.vision.dice.cube import judge_cube
from controller.vision.dice.dice import judge_dice, lacks_die
from controller.vision.dice.spots import SpotTold
from controller.vision.dice.views import Spot
from controller.vision.reader import SURE, count_checkers
from controller.vision.reading import DieSeen, Reading

# What two looks, three and more weigh together, one of them being 1: they share most of their errors.
WEIGHTS = (1.0, 1.3, 1.5)
# No close look speaks more clearly than this against a number.
LEAST_SHARE = 1e-3
# Two close looks that saw what differs by less than this (`detail_apart`) are one look with other noise: in a film
# nine of ten pictures of a die at rest differ by less. Beyond it they share fewer errors, half of them so much
# further on. Measured on the dice of boards, as they are and in other light, noise and sharpness:
# tests/bench/bench_looks.py.
ONLY_NOISE, HALF_ALIKE = 0.15, 0.2
# What close looks find no further from each other than this (mm) is one thing; dice are further apart.
SAME_MM = 5.0
SAME_PIXELS = 5.0
# Details are shifted by so many pixels of a patch (1.4 mm of a die) to find where they suit each other best.
SHIFT = 2

Answer = TypeVar("Answer")
DiceTold = Mapping[Spot, SpotTold]
"""What close looks told of the things that may be dice, by where on the board (mm) they were looked for."""


def join_looks(looks: Sequence[Reading], board: Board) -> Reading:
    """The last of several readings of one scene, with what all of them tell of points, bar, trays, dice and cube.

    Each has a baseline. The likelihoods and the baseline stay those of the last picture: the caller weighs
    pictures of one position.
    """
    last, bases = looks[-1], [look.baseline for look in looks if look.baseline is not None]
    camera = bases[-1].camera
    points = [pool_tables(tables) for tables in zip(*(baseline.points for baseline in bases), strict=True)]
    bar = pool_tables([baseline.bar for baseline in bases])
    profiles = {
        tray: np.asarray(np.mean([baseline.profiles[tray] for baseline in bases], axis=0), float)
        for tray in ALL_TRAYS
    }
    counted = count_checkers(points, bar, profiles, camera, board, bases[-1].drift)
    cube = last.cube
    if bases[-1].cube_spots is not None:
        seen = [baseline.cube_spots.told for baseline in bases if baseline.cube_spots is not None]
        cube = judge_cube(pool_spots(seen), camera, board.geometry)
    spots = pool_spots([baseline.dice_spots.told for baseline in bases])
    dice = judge_dice(spots, camera, board.geometry, counted.points, cube)
    reflections = (
        [look.reflection for look in looks if look.reflection is not None] if lacks_die(dice) else []
    )
    return replace(
        last,
        points=counted.points,
        bar=counted.bar,
        off=counted.off,
        dice=tuple(_with_owner(die, looks) for die in dice),
        cube=cube,
        reflection=reflections[-1] if reflections else None,
        confidence=counted.confidence,
        point_confidence=counted.point_confidence,
        unsure=counted.doubtful | last.covered,
        bar_confidence=counted.bar_confidence,
        off_confidence=counted.off_confidence,
        assumed_off=counted.assumed_off,
    )


def pool_tables(tables: Sequence[Mapping[Answer, float]]) -> dict[Answer, float]:
    """Log-likelihoods of several looks as those of one, the best 0. What was not looked at again counts once."""
    different = list({id(table): table for table in tables}.values())
    weight = WEIGHTS[min(len(different), len(WEIGHTS)) - 1] / len(different)
    answers = dict.fromkeys(answer for table in different for answer in table)
    sums = {answer: weight * sum(table.get(answer, -WORST) for table in different) for answer in answers}
    best = max(sums.values())
    return {answer: score - best for answer, score in sums.items()}


def pool_spots(looks: Sequence[Mapping[Spot, SpotTold]]) -> list[SpotTold]:
    """What close looks told of each thing that most of the looks found, on average; the last look breaks ties.

    They are not simply added up: a face that is misread in one picture is misread in the same way in the next, unless
    it looks different there.
    """
    things: list[dict[int, SpotTold]] = []
    for number, look in enumerate(looks, start=1):
        for told in look.values():
            near = [thing for thing in things if number not in thing and _apart_mm(thing, told) <= SAME_MM]
            if near:
                min(near, key=lambda thing: _apart_mm(thing, told))[number] = told
            else:
                things.append({number: told})
    return [
        _average(list(thing.values()))
        for thing in things
        if 2 * len(thing) + (len(looks) in thing) > len(looks)
    ]


def dice_told(looks: Sequence[Reading], closer: Reading, *, beside: bool) -> DiceTold:
    """What another reading of a scene, which saw the dice closer, tells of them, given the looks before.

    Where both are sure of a number and it is not the same, neither is believed alone: they count alike. With
    ``beside`` they do so everywhere.
    """
    before = pool_spots([_told_by(look) for look in looks])
    return {spot: _beside(one, before, always=beside) for spot, one in _told_by(closer).items()}


def with_dice_told(look: Reading, told: DiceTold) -> Reading:
    """The same reading, but for what its baseline knows of dice."""
    if look.baseline is None:
        return look
    seen = replace(look.baseline.dice_spots, told=told)
    return replace(look, baseline=replace(look.baseline, dice_spots=seen))


def _told_by(look: Reading) -> DiceTold:
    return {} if look.baseline is None else look.baseline.dice_spots.told


def _beside(closer: SpotTold, before: Sequence[SpotTold], *, always: bool) -> SpotTold:
    """What a closer look and the looks before tell together of one thing."""
    other = min(before, key=lambda one: _mm_between(one, closer), default=None)
    if other is None or _mm_between(other, closer) > SAME_MM:
        return closer
    apart = int(other.chances.argmax()) != int(closer.chances.argmax())
    contradicts = apart and min(other.chances.max(), closer.chances.max()) >= SURE
    return _average([other, closer]) if always or contradicts else closer


def _apart_mm(thing: Mapping[int, SpotTold], told: SpotTold) -> float:
    """From where a thing was found last."""
    return _mm_between(thing[max(thing)], told)


def _mm_between(one: SpotTold, other: SpotTold) -> float:
    return hypot(one.middle[0] - other.middle[0], one.middle[1] - other.middle[1])


def _average(thing: Sequence[SpotTold]) -> SpotTold:
    """One look that tells what these tell together, at the mean of the places where they saw it."""
    logs = np.log(np.maximum([told.chances for told in thing], LEAST_SHARE))
    weights = weigh_looks([told.detail for told in thing])
    if len({int(told.chances.argmax()) for told in thing}) > 1:
        # Where looks contradict each other one of them errs, and being different makes neither surer.
        weights /= weights.sum()
    levels = weights @ logs
    chances = np.exp(levels - levels.max())
    x, y = np.mean([told.middle for told in thing], axis=0).tolist()
    cocked = float(np.mean([told.cocked for told in thing]))
    peaks = [told.peak for told in thing if told.peak is not None]
    peak = float(np.mean(peaks)) if peaks else None
    misread = float(np.mean([told.misread for told in thing]))
    return SpotTold(
        np.asarray(chances / chances.sum(), float), cocked, (x, y), peak, thing[-1].detail, misread
    )


def weigh_looks(details: Sequence[Float32Array | None]) -> FloatArray:
    """How much each of several close looks at one thing counts, (looks,), by the details that they saw.

    Looks that saw the same count as one together, looks that saw something else each as one of their own. Those of
    which nothing is known are the same.
    """
    apart = np.array([[_apart(one, other) for other in details] for one in details])
    alike = 1 / (1 + (np.maximum(apart - ONLY_NOISE, 0) / HALF_ALIKE) ** 2)
    return np.asarray(1 / alike.sum(axis=1), float)


def _apart(one: Float32Array | None, other: Float32Array | None) -> float:
    return 0.0 if one is None or other is None else detail_apart(one, other)


def detail_apart(one: Float32Array, other: Float32Array) -> float:
    """By how much two details differ (root of the mean square; 1.4 where they share nothing), wherever they lie.

    The same face is found a little beside where it was found before: the shift that suits best counts.
    """
    inner = one[SHIFT:-SHIFT, SHIFT:-SHIFT]
    gaps = cv2.matchTemplate(other, inner, cv2.TM_SQDIFF)
    return float(np.sqrt(max(float(gaps.min()), 0.0) / inner.size))


def _with_owner(die: DieSeen, looks: Sequence[Reading]) -> DieSeen:
    """The die with the owner that it had in the last look that told of one there."""
    for look in reversed(looks):
        for seen in look.dice:
            if seen.owner is not None and hypot(seen.x - die.x, seen.y - die.y) <= SAME_PIXELS:
                return replace(die, owner=seen.owner)
    return die
