"""Learns the faces of a table's own dice and cube: the last layers of their networks are fitted to what is shown."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from controller.arrays import FloatArray, IntArray, Picture
from controller.errors import UserError
from controller.vision import Board, Reading, read_board
from controller.vision.cube import CLOSE_LOOK as CUBE_LOOK
from controller.vision.dice import CLOSE_LOOK as DICE_LOOK
from controller.vision.last_layer import LastLayer
from controller.vision.network import load_network
from controller.vision.patches import CloseLook, Sight, angles_at, cut_patches
from controller.vision.views import CUBE_CLASSES, CUBE_VIEW, DIE_VIEW, PatchView, Spot, normal

NUMBERS: Final = range(1, 7)
CUBE_FACES: Final[Mapping[int, int]] = dict(zip(NUMBERS, (2, 4, 8, 16, 32, 64), strict=True))
"""The face of the cube that is shown with each number."""
TURNS: Final = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""Each face is learned from in so many turns, as shares of a patch's leeway."""
SHIFTS_MM: Final = ((0.0, 0.0), (1.5, 0.0), (-1.5, 0.0), (0.0, 1.5), (0.0, -1.5))
"""And from so far beside its middle; a face is found about 1 mm off."""
SCALES: Final = (0.93, 1.0, 1.07)
"""And so much larger or smaller."""
NOTHINGS: Final = 10
"""Places in a picture, drawn by chance, from which it is learned what is no die."""
APART_MM: Final = 22.0
"""They lie so far from any die."""
PULL: Final = 0.01
"""How strongly weights are held where they were. On six boards and in a film four dice of each number were shown,
the others read by one look: of 398 dice 356 were right, and 9 wrong with 90 % or more; 356 and 21 before."""
STEPS: Final = 600


class FaceError(UserError):
    """Faces cannot be learned from what was shown; the sentence says why and what to do."""


@dataclass(frozen=True, eq=False)
class FacesShown:
    """A picture, (h, w, 3) BGR uint8, in which all dice show one number.

    ``cube`` is the face of the cube, if it lies there, and ``name`` what messages call the picture.
    """

    name: str
    picture: Picture
    number: int
    cube: int | None = None


@dataclass(frozen=True)
class FacesLearned:
    """A board that knows its dice: how many were shown in each picture, and of all their faces how many were read
    right without what was learned, and with it. ``cube_shown`` tells of how many faces of the cube it learned.
    """

    board: Board
    dice: int
    shown: int
    right_before: int
    right_after: int
    cube_shown: int


@dataclass(frozen=True, eq=False)
class _Seen:
    """What a picture showed: the sight, where the dice lie, and where something lies that is none (mm)."""

    shown: FacesShown
    sight: Sight
    dice: tuple[Spot, ...]
    others: tuple[Spot, ...]
    cube: Spot | None


def learn_faces(shown: Sequence[FacesShown], board: Board) -> FacesLearned:
    """Learn from pictures in which all dice show the same number, each number at least once.

    The cube's faces are learned if two or more of them are shown. Raises ``FaceError`` where a number is missing, the
    board is not seen, or not as many dice are seen in one picture as in the others.
    """
    plain = replace(board, dice=None, cube=None)
    missing = sorted(set(NUMBERS) - {one.number for one in shown})
    if missing:
        raise FaceError(
            f"no picture shows the dice with the {missing[0]}; give one for each number from 1 to 6."
        )
    seen = [_look(one, plain) for one in shown]
    dice = count_dice(seen)
    known = replace(board, dice=_learn(DICE_LOOK, list(_die_lessons(seen))))
    cubes = {one.shown.cube for one in seen if one.cube is not None}
    if len(cubes) > 1:
        known = replace(known, cube=_learn(CUBE_LOOK, list(_cube_lessons(seen))))
    before, after = (sum(_right(one, with_it) for one in shown) for with_it in (plain, known))
    return FacesLearned(known, dice, dice * len(shown), before, after, len(cubes) if len(cubes) > 1 else 0)


def count_seen(shown: FacesShown, board: Board) -> int:
    """How many dice are seen in a picture. Raises ``FaceError`` if the board is not seen, or no die."""
    return len(_look(shown, replace(board, dice=None, cube=None)).dice)


def count_dice(seen: Sequence[_Seen]) -> int:
    """The number of dice that are seen in every picture. Raises ``FaceError`` where it is not the same."""
    numbers = [len(one.dice) for one in seen]
    usual = max(set(numbers), key=numbers.count)
    for one in seen:
        if len(one.dice) != usual:
            raise FaceError(
                f"{one.shown.name} shows {len(one.dice)} dice, the other pictures {usual}; take it again with all of "
                "them well apart."
            )
    return usual


def _look(shown: FacesShown, board: Board) -> _Seen:
    reading = read_board(shown.picture, board)
    base = reading.baseline
    if base is None or reading.hand:
        raise FaceError(f"{shown.name} does not show the whole board; take hands away and the picture again.")
    if not reading.dice:
        raise FaceError(
            f"{shown.name} shows no die; lay the dice on the board, well apart, and take it again."
        )
    height, width = shown.picture.shape[:2]
    sight = Sight(shown.picture, base.camera.resized(width, height), base.gain)
    dice = tuple(_place(die.x, die.y, sight, DIE_VIEW) for die in reading.dice)
    cube = None
    if reading.cube is not None and shown.cube is not None:
        cube = _place(reading.cube.x, reading.cube.y, sight, CUBE_VIEW)
    others = [one.middle for one in base.dice_spots.told.values()] + _by_chance(shown, board)
    far = tuple(spot for spot in others if min(_apart(spot, die) for die in dice) > APART_MM)
    return _Seen(shown, sight, dice, far, cube)


def _place(x: float, y: float, sight: Sight, view: PatchView) -> Spot:
    across, along = sight.camera.to_board(np.array([x, y]), view.height_mm).tolist()
    return across, along


def _by_chance(shown: FacesShown, board: Board) -> list[Spot]:
    """Places on the surface, the same for the same number."""
    random, geometry = np.random.default_rng(shown.number), board.geometry
    reach = np.array([geometry.surface_width_mm, geometry.surface_height_mm]) / 2
    return [(x, y) for x, y in random.uniform(-reach, reach, (NOTHINGS, 2)).tolist()]


def _apart(one: Spot, other: Spot) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))


@dataclass(frozen=True, eq=False)
class _Lesson:
    """Spots (mm) of a picture, all of one class, 0 for nothing."""

    sight: Sight
    spots: tuple[Spot, ...]
    kind: int


def _die_lessons(seen: Sequence[_Seen]) -> Iterator[_Lesson]:
    for one in seen:
        yield _Lesson(one.sight, one.dice, one.shown.number)
        yield _Lesson(one.sight, one.others, 0)


def _cube_lessons(seen: Sequence[_Seen]) -> Iterator[_Lesson]:
    for one in seen:
        if one.cube is not None and one.shown.cube is not None:
            yield _Lesson(one.sight, (one.cube,), CUBE_CLASSES.index(one.shown.cube) + 1)
        yield _Lesson(one.sight, (*one.dice, *one.others), 0)


def _learn(how: CloseLook, lessons: Sequence[_Lesson]) -> LastLayer:
    """The last layer of a network, fitted to lessons."""
    network = load_network(how.network)
    features, answers, kinds = [], [], []
    for lesson in lessons:
        patches = list(_patches(how, lesson)) if lesson.spots else []
        if patches:
            told, seen = network.run_with_features(normal(patches))
            features.append(seen.astype(float))
            answers.append(told[:, :-3].astype(float))
            kinds += [lesson.kind] * len(patches)
    shown = np.concatenate(features)
    padded = np.concatenate([shown, np.ones((len(shown), 1))], axis=1)
    # The layer that is in the network follows from what it answers: it is linear.
    start = np.linalg.lstsq(padded, np.concatenate(answers), rcond=None)[0].T
    return LastLayer.from_weights(
        network.digest, fit_layer(padded, np.array(kinds), np.asarray(start, float))
    )


def _patches(how: CloseLook, lesson: _Lesson) -> Iterator[Picture]:
    """What a lesson shows, in many ways; nothing in fewer."""
    nothing = lesson.kind == 0
    for scale in (1.0,) if nothing else SCALES:
        view = replace(how.view, step_mm=how.view.step_mm * scale)
        for across, along in SHIFTS_MM[:1] if nothing else SHIFTS_MM:
            spots = [(x + across, y + along) for x, y in lesson.spots]
            turns = TURNS[2:3] if nothing else TURNS
            for patch in cut_patches(
                lesson.sight, spots, angles_at(spots, turns, lesson.sight.camera, view), view
            ):
                yield patch
                if how.mirrored:
                    yield np.ascontiguousarray(patch[:, ::-1])


def fit_layer(features: FloatArray, kinds: IntArray, start: FloatArray) -> FloatArray:
    """Weights, (classes, features), that tell the kinds of examples, (n, features), and stay near those at the start.

    Classes that are shown count alike, however often each is. The most likely weights under a bell-shaped prior about
    the start are found by accelerated descent.
    """
    wanted = np.eye(len(start))[kinds]
    often = np.bincount(kinds, minlength=len(start))
    worth = 1 / often[kinds]
    worth /= worth.sum()
    steepest = np.linalg.eigvalsh((features * worth[:, None]).T @ features)[-1] / 2 + PULL
    weights = ahead = start
    momentum = 1.0
    for _ in range(STEPS):
        gap = (_shares(features @ ahead.T) - wanted) * worth[:, None]
        onward = ahead - (gap.T @ features + PULL * (ahead - start)) / steepest
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = onward + (momentum - 1) / following * (onward - weights)
        weights, momentum = onward, following
    return np.asarray(weights, float)


def _shares(scores: FloatArray) -> FloatArray:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), float)


def _right(shown: FacesShown, board: Board) -> int:
    """How many dice of a picture are read right."""
    reading: Reading = read_board(shown.picture, board)
    return sum(die.value == shown.number for die in reading.dice)
