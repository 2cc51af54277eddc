"""Learns the faces of a table's own dice and cube: the last layers of their networks are fitted to what is shown."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from math import cos, pi, sin
from typing import Final

import numpy as np

from calibration.face_layer import (
    PLAIN,
    PULL,
    STEPS_TO_CHECK,
    ThingSeen,
    chances_of,
    fit_examples,
    layer_of,
    shares_of,
)
from controller.arrays import Float32Array, FloatArray, Picture
from controller.errors import UserError
from controller.vision import Board, Reading, read_board
from controller.vision.dice.cube import CLOSE_LOOK as CUBE_LOOK
from controller.vision.dice.cube import SEARCH as CUBE_SEARCH
from controller.vision.dice.dice import CLOSE_LOOK as DICE_LOOK
from controller.vision.dice.dice_size import die_pixels
from controller.vision.dice.patches import CloseLook, Sight, angles_at, classify_patches, cut_patches
from controller.vision.dice.spots import spots_of
from controller.vision.dice.views import (
    CUBE_CLASSES,
    CUBE_VIEW,
    DIE_VIEW,
    LOGO,
    PatchView,
    Spot,
    cube_sheet,
    normal,
)
from controller.vision.fitted.last_layer import LastLayer
from controller.vision.fitted.network import load_network
from controller.vision.looks import detail_apart
from controller.vision.watch import Read

NUMBERS: Final = range(1, 7)
EIGHTHS: Final = tuple(pi / 4 * part for part in range(8))
"""Eight ways from a place, in radians."""
CUBE_FACES: Final[Mapping[int, int]] = dict(zip(NUMBERS, (2, 4, 8, 16, 32, 64), strict=True))
"""The face of the cube that is shown with each number."""
TURNS: Final = (0.0, -1.0, -0.5, 0.5, 1.0)
"""Each face is learned from in so many turns, as shares of a patch's leeway."""
SHIFTS_MM: Final = ((0.0, 0.0), (1.5, 0.0), (-1.5, 0.0), (0.0, 1.5), (0.0, -1.5))
"""And from so far beside its middle; a face is found about 1 mm off."""
SCALES: Final = (1.0, 0.93, 1.07)
"""And so much larger or smaller."""
WAYS: Final = tuple(product(SCALES, SHIFTS_MM, TURNS))
LOOKED_IN: Final = (*WAYS[: len(TURNS)], *WAYS[len(TURNS) :: 3])
"""The ways in which a face is looked at: those in its middle, and of the others one in three."""
NOTHINGS: Final = 10
"""Places in a picture, drawn by chance, from which it is learned what is no die."""
APART_MM: Final = 22.0
"""They lie so far from any die."""
AROUND_MM: Final = (
    (0.0, 0.0),
    *((reach * cos(turn), reach * sin(turn)) for reach in (3.0, 6.0) for turn in EIGHTHS),
)
"""So far from where a die was found the middle of its face is looked for."""
BESIDE_MM: Final = tuple(
    (reach * cos(turn), reach * sin(turn)) for reach in (5.0, 7.0, 9.0) for turn in EIGHTHS
)
"""There a die is looked at beside its middle: one pip of a large clear 2 looks like a 1. Taught as nothing, four such
dice that were told as 1 with 94 to 97 % on a painted table were told so with 75 % at most."""
CUBE_APART_MM: Final = 60.0
"""So far from the cube the map's other peaks are neither it nor a side of it: markers, corners of the frame, hinges.
Before these were shown as nothing, a marker beside a painted board was told as a 16 with 95 % after learning."""
FEW: Final = 2
"""Looks at what is no die."""
LIKELY: Final = 0.5
"""Something is a die, or shows a number, where this is likelier than not."""
SURE: Final = 0.9
"""Who is told as another number with this chance, by the network as it ships and by what was learned from all other
pictures, is taken to show that number."""
WORSE: Final = 0.75
"""Where less than this share of the faces that were read before is read by what the others teach, nothing is kept.
What is compared had half of the faces to learn from: on two painted tables with dice of 9 pixels it read 10 faces
instead of 12, and 8 instead of 10; what all faces taught read 32 of 32 dice instead of 31, and 23 instead of 21."""
CHANCE: Final = 1 / 3
"""Or where no more than this share of all faces is: twice what chance tells, as of muddled numbers."""
SAME_MM: Final = 2.5
SAME_LOOK: Final = 0.3
"""A die nearer than this to one of the picture before, whose face looks that much like it, was not touched."""


LEAST_PX: Final = 6.0
"""Dice narrower than this teach nothing: of 14 painted tables with such dice all of them
were seen on five, and two of these would have read their faces worse. What they teach was not measured."""


class FaceFault(StrEnum):
    """Why a picture cannot be used, or nothing be learned."""

    NUMBER_MISSING = "number_missing"
    """No picture shows ``number``."""
    NO_BOARD = "no_board"
    MOVED = "moved"
    """The board does not stand where it was calibrated."""
    HAND = "hand"
    NO_DICE = "no_dice"
    COUNT = "other_count"
    """There are ``seen`` dice, and ``usual`` elsewhere."""
    LEANING = "leaning"
    OTHER_NUMBER = "other_number"
    """What is to show ``number`` shows ``told``."""
    OTHER_FACE = "other_face"
    """The cube that is to show ``face`` shows ``told``."""
    NO_CUBE = "no_cube"
    TINY = "tiny"
    """The dice are only ``pixels`` wide."""
    WORSE = "worse"
    """Of ``shown`` faces of dice ``before`` are read without what would be learned, ``after`` with it."""


class FaceError(UserError):
    """Faces cannot be learned from what was shown; the sentence says why and what to do.

    ``fault`` and ``arguments`` say the same for those who put it into words of their own.
    """

    def __init__(self, sentence: str, fault: FaceFault, **arguments: int) -> None:
        super().__init__(sentence)
        self.fault = fault
        self.arguments: Mapping[str, int] = arguments


@dataclass(frozen=True, eq=False)
class FacesShown:
    """A picture, (h, w, 3) BGR uint8, in which all dice show one number.

    ``cube`` is the face of the cube, if it lies there, and ``name`` what messages call the picture. ``sure`` is
    whether somebody has said again that this is the number.
    """

    name: str
    picture: Picture
    number: int
    cube: int | None = None
    sure: bool = False


@dataclass(frozen=True, eq=False)
class FacesSeen:
    """What was seen in a picture that was shown: of each die where it lies (mm), how its face looks and how it is
    looked at in many ways. ``nothing`` is what is no die, ``beside`` what misleads beside the middle of one; ``cube``
    and ``no_cube`` are likewise of the cube.

    ``name``, ``number`` and ``sure`` are those of `FacesShown`.
    """

    name: str
    number: int
    sure: bool
    spots: tuple[Spot, ...]
    details: tuple[Float32Array, ...]
    dice: tuple[ThingSeen, ...]
    nothing: tuple[ThingSeen, ...]
    beside: tuple[ThingSeen, ...] = ()
    cube: ThingSeen | None = None
    no_cube: tuple[ThingSeen, ...] = ()

    @property
    def told(self) -> tuple[tuple[int, float], ...]:
        """Of each die the number that the network tells as it ships, and its chance."""
        return tuple(tell_number(shares_of(one.answers).mean(axis=0)) for one in self.dice)

    @property
    def other_face(self) -> tuple[int, int] | None:
        """The face of the cube that was said, and the one that the network surely tells instead; None if none is."""
        if self.cube is None or self.sure:
            return None
        kind, chance = tell_number(shares_of(self.cube.answers).mean(axis=0))
        said, told = (_face_of(each) for each in (self.cube.kind, kind))
        return (said, told) if told != said and chance >= SURE else None


@dataclass(frozen=True, slots=True)
class FacesRead:
    """Of so many faces that were ``shown``, how many were read right ``before``, without what would be learned, and
    ``after``, by what was learned from other faces.
    """

    shown: int
    before: int
    after: int

    @property
    def worse(self) -> bool:
        """Whether so few would be read that nothing is kept."""
        return self.after < max(WORSE * self.before, CHANCE * self.shown)


@dataclass(frozen=True)
class FacesLearned:
    """A board that knows its dice: how many were shown in each picture, and how all their faces were read.

    ``cube`` tells likewise of the cube, if two or more of its faces were shown; where it is ``worse``, nothing was
    learned of it. ``left_out`` are faces that seem to show another number than was said, each with the number said
    and the one seen: nothing was learned from them.
    """

    board: Board
    dice: int
    read: FacesRead
    cube: FacesRead | None = None
    left_out: tuple[tuple[str, int, int], ...] = ()


def tell_number(chances: FloatArray) -> tuple[int, float]:
    """The likeliest number, and its chance, by the chances of nothing and of the numbers, 1 and up."""
    number = int(chances[1:].argmax()) + 1
    return number, float(chances[number])


def _face_of(kind: int) -> int:
    """The number of a class of the cube; a maker's mark stands where others have the 64."""
    face = CUBE_CLASSES[kind - 1]
    return 64 if face == LOGO else face


def check_size(board: Board) -> None:
    """Raise ``FaceError`` if dice are so small in the pictures of a board that nothing can be learned from them."""
    pixels = die_pixels(board)
    if pixels < LEAST_PX:
        raise FaceError(
            f"the dice are only {pixels:.1f} pixels wide in the pictures, too few to learn from; move the camera "
            "closer, or take larger pictures, and calibrate the board again.",
            FaceFault.TINY,
            pixels=int(pixels),
        )


def look_at_faces(shown: FacesShown, board: Board, read: Read = read_board) -> FacesSeen:
    """Look at a picture in which all dice show one number, as the network sees it that ships.

    Raises ``FaceError`` if it cannot be learned from: dice are tiny there, the board is not seen, or no die, or one
    leans, or a cube that was to lie there is not seen.
    """
    check_size(board)
    board = replace(board, dice=None, cube=None)
    reading = read(shown.picture, board)
    _check_reading(shown, reading)
    base = reading.baseline
    assert base is not None
    height, width = shown.picture.shape[:2]
    sight = Sight(shown.picture, base.camera.resized(width, height), base.gain)
    found = [_place(die.x, die.y, sight, DIE_VIEW) for die in reading.dice]
    spots = sorted(_centred(spot, sight, shown.number) for spot in found)
    others = [one.middle for one in base.dice_spots.told.values()] + _by_chance(shown, board)
    far = [spot for spot in others if min(_apart(spot, die) for die in spots) > APART_MM]
    seen = FacesSeen(
        shown.name,
        shown.number,
        shown.sure,
        spots=tuple(spots),
        details=classify_patches(DICE_LOOK, sight, spots, (0.0,)).details,
        dice=tuple(_looks(DICE_LOOK, sight, spots, shown.number)),
        nothing=tuple(_looks(DICE_LOOK, sight, far, 0, FEW)),
        beside=tuple(_misleading(sight, spots, shown.number)),
    )
    if shown.cube is None or reading.cube is None:
        return seen
    place = _place(reading.cube.x, reading.cube.y, sight, CUBE_VIEW)
    cube = next(_looks(CUBE_LOOK, sight, [place], CUBE_CLASSES.index(shown.cube) + 1))
    assert base.cube_spots is not None
    peaks = spots_of(base.cube_spots.heat, cube_sheet(board.geometry), CUBE_SEARCH)
    like = [spot for spot, _ in peaks if _apart(spot, place) > CUBE_APART_MM]
    no_cube = tuple(_looks(CUBE_LOOK, sight, [*spots, *far, *like], 0, FEW))
    return replace(seen, cube=cube, no_cube=no_cube)


def _check_reading(shown: FacesShown, reading: Reading) -> None:
    """Raise ``FaceError`` for what cannot be learned from."""
    if reading.displacement is not None:
        raise FaceError(
            f"{shown.name} does not show the board where it was calibrated; put it back, or calibrate it anew.",
            FaceFault.MOVED,
        )
    if reading.fault is not None:
        raise FaceError(
            f"{shown.name} does not show the whole board; take hands away and the picture again.",
            FaceFault.NO_BOARD,
        )
    if reading.hand:
        raise FaceError(
            f"{shown.name} shows a hand over the board; take it away, and the picture again.", FaceFault.HAND
        )
    if not reading.dice:
        raise FaceError(
            f"{shown.name} shows no die; lay the dice on the board, well apart, and take it again.",
            FaceFault.NO_DICE,
        )
    if any(die.cocked for die in reading.dice):
        raise FaceError(
            f"{shown.name} shows a die that leans; lay it flat and take the picture again.", FaceFault.LEANING
        )
    if shown.cube is not None and reading.cube is None:
        raise FaceError(
            f"{shown.name} shows no cube; lay it on the bar, or leave out --cube, and take it again.",
            FaceFault.NO_CUBE,
        )


def _place(x: float, y: float, sight: Sight, view: PatchView) -> Spot:
    across, along = sight.camera.to_board(np.array([x, y]), view.height_mm).tolist()
    return across, along


def _centred(spot: Spot, sight: Sight, number: int) -> Spot:
    """The middle of a face that shows a number, near where a die was found.

    Of a clear or blurred 2 one pip may be found, which looks like a 1: where the network tells another number, it
    looks around, and the place counts where it tells the one that was said most surely, if it is likelier than not.
    """
    around = [(spot[0] + across, spot[1] + along) for across, along in AROUND_MM]
    looked = classify_patches(DICE_LOOK, sight, around, (0.0,))
    if int(looked.chances[0, 1:].argmax()) + 1 == number or looked.chances[:, number].max() < LIKELY:
        return spot
    return looked.spots[int(looked.chances[:, number].argmax())]


def _by_chance(shown: FacesShown, board: Board) -> list[Spot]:
    """Places on the surface, the same for the same number."""
    random, geometry = np.random.default_rng(shown.number), board.geometry
    reach = np.array([geometry.surface_width_mm, geometry.surface_height_mm]) / 2
    return [(x, y) for x, y in random.uniform(-reach, reach, (NOTHINGS, 2)).tolist()]


def _apart(one: Spot, other: Spot) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))


def _misleading(sight: Sight, spots: Sequence[Spot], number: int) -> Iterator[ThingSeen]:
    """What is seen beside the middles of faces where it looks like another number, as nothing."""
    for thing, spot in enumerate(spots):
        beside = [(spot[0] + across, spot[1] + along) for across, along in BESIDE_MM]
        chances = classify_patches(DICE_LOOK, sight, beside, (0.0,)).chances
        other = (chances[:, 0] < LIKELY) & (chances[:, 1:].argmax(axis=1) + 1 != number)
        there = [place for place, mislead in zip(beside, other, strict=True) if mislead]
        yield from (replace(one, thing=thing) for one in _looks(DICE_LOOK, sight, there, 0, PLAIN))


def _looks(
    how: CloseLook, sight: Sight, spots: Sequence[Spot], kind: int, most: int | None = None
) -> Iterator[ThingSeen]:
    """What a network makes of things of one kind, each looked at in many ways, plainly first, or in the ``most``.

    They are numbered as the spots are.
    """
    network = load_network(how.network)
    for thing, spot in enumerate(spots):
        answers, features = network.run_with_features(normal(_patches(how, sight, spot)[:most]))
        padded = np.concatenate([features, np.ones((len(features), 1))], axis=1)
        yield ThingSeen(padded.astype(float), answers[:, :-3].astype(float), kind, thing=thing)


def _patches(how: CloseLook, sight: Sight, spot: Spot) -> list[Picture]:
    """A thing looked at in many ways, plainly first."""
    patches = []
    for scale, (across, along), turn in LOOKED_IN:
        view = replace(how.view, step_mm=how.view.step_mm * scale)
        there = [(spot[0] + across, spot[1] + along)]
        patches += cut_patches(sight, there, angles_at(there, [turn], sight.camera, view), view)
    if how.mirrored:
        both = zip(patches, (np.ascontiguousarray(patch[:, ::-1]) for patch in patches), strict=True)
        return [patch for pair in both for patch in pair]
    return patches


def has_changed(seen: FacesSeen, before: FacesSeen | None) -> bool:
    """Whether every die was turned or moved since the picture before."""
    if before is None:
        return True
    return not any(
        _apart(spot, other) < SAME_MM and detail_apart(detail, look) < SAME_LOOK
        for spot, detail in zip(seen.spots, seen.details, strict=True)
        for other, look in zip(before.spots, before.details, strict=True)
    )


def learn_faces(seen: Sequence[FacesSeen], board: Board) -> FacesLearned:
    """Learn from pictures in which all dice show the same number, each number at least once.

    A die that plainly shows another number than was said is left out, if others were shown with that number, and so
    is another face of the cube. The cube's faces are learned if two or more of them were shown, and would not be read
    worse than before.

    Raises ``FaceError`` where a number is missing or seems to be another one throughout, where not as many dice are
    seen in one picture as in the others, and where faces would be read worse than before.
    """
    dice = _check_pictures(seen)
    things, nothings = _numbered(one.dice for one in seen), _numbered(one.nothing for one in seen)
    start = layer_of([*things, *nothings])
    wrong = _said_wrongly(seen, things, nothings, start)
    kept = [one for one in things if (one.picture, one.thing) not in wrong]
    _check_kept(kept, wrong, seen)
    read = _compare(kept, nothings, start)
    if read.worse:
        raise FaceError(
            f"Of {read.shown} faces {read.before} are read without what would be learned and {read.after} with it, "
            "so nothing was learned; show the dice again in even light.",
            FaceFault.WORSE,
            shown=read.shown,
            before=read.before,
            after=read.after,
        )
    misleading = _numbered(one.beside for one in seen)
    beside = [one for one in misleading if (one.picture, one.thing) not in wrong]
    layer = fit_examples([*kept, *nothings, *beside], start)
    known = replace(board, dice=LastLayer.from_weights(load_network(DICE_LOOK.network).digest, layer, PULL))
    layer_of_cube, cube = _learn_cube(seen)
    if layer_of_cube is not None:
        known = replace(known, cube=layer_of_cube)
    left = tuple(
        (seen[picture].name, seen[picture].number, told) for (picture, _), told in sorted(wrong.items())
    )
    return FacesLearned(known, dice, read, cube, left)


def _learn_cube(seen: Sequence[FacesSeen]) -> tuple[LastLayer | None, FacesRead | None]:
    """What is learned of the cube, and how its faces are read; None where nothing is, or nothing can be."""
    shown = [() if one.cube is None or one.other_face is not None else (one.cube,) for one in seen]
    cubes, nothings = _numbered(shown), _numbered(one.no_cube for one in seen)
    if len({one.kind for one in cubes}) < 2:  # of one face alone it would learn that every cube shows it
        return None, None
    examples = [*cubes, *nothings]
    start = layer_of(examples)
    read = _compare(cubes, nothings, start)
    if read.worse:
        return None, read
    layer = fit_examples(examples, start)
    return LastLayer.from_weights(load_network(CUBE_LOOK.network).digest, layer, PULL), read


def _check_pictures(seen: Sequence[FacesSeen]) -> int:
    """How many dice each picture shows. Raises ``FaceError`` unless each number is there, with as many dice."""
    missing = sorted(set(NUMBERS) - {one.number for one in seen})
    if missing:
        raise FaceError(
            f"no picture shows the dice with the {missing[0]}; give one for each number from 1 to 6.",
            FaceFault.NUMBER_MISSING,
            number=missing[0],
        )
    usual = Counter(len(one.dice) for one in seen).most_common(1)[0][0]
    for one in seen:
        if len(one.dice) != usual:
            raise FaceError(
                f"{one.name} shows {len(one.dice)} dice, the other pictures {usual}; take it again with all of "
                "them well apart.",
                FaceFault.COUNT,
                seen=len(one.dice),
                usual=usual,
            )
    return usual


def _numbered(pictures: Iterable[Sequence[ThingSeen]]) -> list[ThingSeen]:
    """The things of all pictures, each with the number of its picture."""
    return [replace(one, picture=picture) for picture, things in enumerate(pictures) for one in things]


def _said_wrongly(
    seen: Sequence[FacesSeen], things: Sequence[ThingSeen], nothings: Sequence[ThingSeen], start: FloatArray
) -> dict[tuple[int, int], int]:
    """The dice that show another number than was said, by picture and place in it, with the number that they show.

    What was learned from all other pictures must plainly tell that number, and so must the network as it ships.
    """
    wrong = {}
    for picture, one in enumerate(seen):
        doubted = [die for die in things if die.picture == picture and _doubted(die, one, start)]
        if not doubted or one.sure:
            continue
        others = [one.plain for one in [*things, *nothings] if one.picture != picture]
        layer = fit_examples(others, start, STEPS_TO_CHECK)
        for die in doubted:
            told, chance = tell_number(chances_of(die.plain, layer))
            if told != one.number and chance >= SURE:
                wrong[picture, die.thing] = told
    return wrong


def _doubted(die: ThingSeen, seen: FacesSeen, start: FloatArray) -> bool:
    told, chance = tell_number(chances_of(die.plain, start))
    return told != seen.number and chance >= SURE


def _check_kept(
    kept: Sequence[ThingSeen], wrong: Mapping[tuple[int, int], int], seen: Sequence[FacesSeen]
) -> None:
    """Raise ``FaceError`` if a number is left with no die."""
    gone = sorted(set(NUMBERS) - {one.kind for one in kept})
    if gone:
        picture, told = next(
            (picture, told) for (picture, _), told in wrong.items() if seen[picture].number == gone[0]
        )
        raise FaceError(
            f"{seen[picture].name} seems to show the {told}, not the {gone[0]}; take it again.",
            FaceFault.OTHER_NUMBER,
            number=gone[0],
            told=told,
        )


def _compare(kept: Sequence[ThingSeen], nothings: Sequence[ThingSeen], start: FloatArray) -> FacesRead:
    """How many faces are read right by the network as it ships, and by what is learned from the others.

    The others are those of other pictures, or where a number is in one picture only, those with another place in
    theirs. Where there are none, faces are read by what is learned from all of them.
    """
    pictures = Counter(kind for kind, _ in {(one.kind, one.picture) for one in kept})
    by_picture = min(pictures.values()) > 1
    folds = sorted({_fold(one, by_picture=by_picture) for one in kept})
    before = after = 0
    for fold in folds:
        asked = [one for one in kept if _fold(one, by_picture=by_picture) == fold]
        others = [one for one in kept if one not in asked] or asked
        layer = fit_examples([one.plain for one in [*others, *nothings]], start, STEPS_TO_CHECK)
        before += sum(_is_right(one, start) for one in asked)
        after += sum(_is_right(one, layer) for one in asked)
    return FacesRead(len(kept), before, after)


def _fold(one: ThingSeen, *, by_picture: bool) -> int:
    return one.picture if by_picture else one.thing


def _is_right(one: ThingSeen, layer: FloatArray) -> bool:
    return int(chances_of(one.plain, layer).argmax()) == one.kind
