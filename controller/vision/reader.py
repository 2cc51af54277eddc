"""Reads one picture of a calibrated board: on its own, or what looks different since an earlier reading."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from controller.arrays import FloatArray, Picture, triple
from controller.errors import UserError
from controller.vision.appearance import to_lab
from controller.vision.basis import Basis, Change, change_since, everything, merge_shown
from controller.vision.board import Board
from controller.vision.camera import CameraModel
from controller.vision.counts import SIDE, borne_off, join
from controller.vision.cover import NOTHING, find_cover
from controller.vision.cube import find_cube
from controller.vision.dice import find_dice
from controller.vision.geometry import COLOURS, BoardGeometry
from controller.vision.likelihoods import bar_likelihoods, point_likelihoods
from controller.vision.network import OF_ONE_SHAPE, load_network
from controller.vision.places import BAR, POINTS, places_of
from controller.vision.reading import Count, CubeSeen, DieSeen, Fault, Reading, Stance
from controller.vision.reduction import Size, move_pixels, reduce_picture, reduce_size
from controller.vision.sheet import ground_sheet, surface_sheet
from controller.vision.spots import SpotsSeen
from controller.vision.stance import Settled, burn_out, relight, settle
from controller.vision.trays import Off, Tray, odds_of, off_likelihoods, tray_profile
from controller.vision.views import CUBE_VIEW

# A point is unsure when its count is less probable than this.
SURE = 0.98
# Less of the bare board's fine details than this, and checkers cannot be told from each other any more. Boards in
# their own pictures, grainy ones too, showed 0.5 and more, other scenes 0.05 at most.
SHARP = 0.2
# In a picture so many times as bright as the calibration's a pale checker on a pale point may be burnt out.
BRIGHT = 1.2
# In one even brighter, with so much of the surface burnt out and more points unsure than this, too little is left of
# pale checkers: of 143 pictures of rendered boards made brighter by 60 %, the 26 beyond had 11 of 12 misread points.
TOO_BRIGHT, BURNT, DOUBTS = 1.4, 0.25, 2
# More unsure points than this are no hand over such a picture but glare: in 29 of 30 with a hand, 8 or fewer were.
MOST_DOUBTS = 12
# Of a picture without fine details: more alike than this is the board itself, less may be another board.
ALIKE = 0.5


def read_board(image: Picture, board: Board, basis: Basis | None = None) -> Reading:
    """Read a picture, (h, w, 3) BGR uint8, of the size the board was calibrated with.

    With the ``basis`` of an earlier reading of this board through this camera, only what looks different since is
    looked at again; what all places say together is concluded anew. Without one every picture is read on its own.

    A picture in which the board is not recognised, or blurred or burnt out beyond reading, gives a reading with a
    ``fault`` that knows nothing: every point covered and unsure, bar and off unknown. Raises ``UserError`` when the
    picture has another size. Of a picture with more pixels than are needed a smaller one is read; places are told in
    its own.
    """
    check_picture(image, board)
    size = board.camera.width, board.camera.height
    smaller = reduce_size(size)
    if smaller == size:
        return _read_picture(image, board, basis)
    reduced = replace(board, camera=board.camera.resized(*smaller))
    return _move_reading(_read_picture(reduce_picture(image), reduced, basis), smaller, size)


def _move_reading(reading: Reading, size: Size, other: Size) -> Reading:
    """A reading with its places as they are in a picture of another size."""

    def place_of(thing: DieSeen | CubeSeen) -> tuple[float, float]:
        x, y = move_pixels(np.array([thing.x, thing.y]), size, other)
        return float(x), float(y)

    dice = tuple(replace(die, x=x, y=y) for die in reading.dice for x, y in [place_of(die)])
    cube = reading.cube
    if cube is not None:
        x, y = place_of(cube)
        cube = replace(cube, x=x, y=y)
    return replace(reading, dice=dice, cube=cube)


def _read_picture(image: Picture, board: Board, basis: Basis | None) -> Reading:
    change = None if basis is None else change_since(basis, image)
    if basis is not None and change is not None:
        light = triple(1 / change.gain)
        lit, stance = relight(image, change.gain), replace(basis.stance, light=light)
        return _read(Settled(lit, basis.camera, stance), board, change, basis)
    geometry = board.geometry
    sheet = surface_sheet(geometry)
    settled = settle(image, board, sheet, sheet.crop(board.appearance.bare, ground_sheet(geometry)))
    burnt_out = max(settled.stance.light) > TOO_BRIGHT and settled.burnt > BURNT
    if settled.stance.sharpness < SHARP:
        if settled.stance.likeness < ALIKE:
            return _nothing_seen("no_board", settled.stance)
        return _nothing_seen("too_bright" if burnt_out else "blurred", settled.stance)
    places = places_of(settled.camera, geometry)
    reading = _read(settled, board, everything(image, places, 1 / np.array(settled.stance.light)), None)
    doubts = len(reading.unsure - reading.covered) > DOUBTS or len(reading.unsure) > MOST_DOUBTS
    if burnt_out and doubts:
        return _nothing_seen("too_bright", settled.stance)
    return reading


def _read(settled: Settled, board: Board, change: Change, basis: Basis | None) -> Reading:
    """Read what changed since the basis; all of it where there is none."""
    look = burn_out(board.appearance, change.gain if basis is None else basis.full_gain)
    board = replace(board, appearance=look)
    geometry, lit, camera = board.geometry, settled.lit, settled.camera
    known = {} if basis is None else dict(enumerate(basis.points))
    closely = max(settled.stance.light) > BRIGHT
    known.update(point_likelihoods(lit, camera, geometry, look, change.points, closely=closely))
    points = tuple(known[point] for point in range(POINTS))
    bar = bar_likelihoods(lit, camera, geometry, look) if basis is None or change.bar else basis.bar
    profiles = {} if basis is None else dict(basis.profiles)
    profiles.update({tray: tray_profile(lit, camera, geometry, look, tray) for tray in change.trays})
    counted = count_checkers(points, bar, profiles, camera, board)
    hidden = change.ground is None or change.ground.may_hide(geometry)
    cover = find_cover(lit, camera, board) if hidden else NOTHING
    cube, cube_spots = _find_cube(lit, camera, geometry, counted.points, change, basis)
    earlier = None if basis is None else basis.dice_spots
    dice, dice_spots = find_dice(lit, camera, geometry, look, counted.points, cube, earlier, change.ground)
    return Reading(
        points=counted.points,
        bar=counted.bar,
        off=counted.off,
        dice=dice,
        cube=cube,
        hand=cover.hand,
        confidence=counted.confidence,
        point_confidence=counted.point_confidence,
        unsure=counted.doubtful | cover.points,
        covered=cover.points,
        likelihoods=points,
        bar_likelihoods=bar,
        bar_confidence=counted.bar_confidence,
        off_confidence=counted.off_confidence,
        assumed_off=counted.assumed_off,
        off_likelihoods=counted.off_likelihoods,
        stance=settled.stance,
        basis=Basis(
            places_of(camera, geometry) if basis is None else basis.places,
            camera,
            settled.stance,
            change.gain,
            change.gain if basis is None else basis.full_gain,
            0 if basis is None else basis.readings + 1,
            *merge_shown(basis, change),
            points,
            bar,
            frozenset(point - 1 for point in counted.doubtful)
            | ({BAR} if _chance(bar, counted.bar) < SURE else frozenset()),
            profiles,
            dice_spots,
            cube,
            cube_spots,
        ),
    )


def _find_cube(
    lit: Picture,
    camera: CameraModel,
    geometry: BoardGeometry,
    points: Sequence[int],
    change: Change,
    basis: Basis | None,
) -> tuple[CubeSeen | None, SpotsSeen | None]:
    """The cube, and what the next search may go on from: nothing where the cube plainly lies as it lay."""
    if basis is None or change.ground is None:
        return find_cube(lit, camera, geometry, points)
    cube = basis.cube
    if cube is not None and cube.confidence >= SURE:
        x, y = camera.to_board(np.array([cube.x, cube.y]), CUBE_VIEW.height_mm)
        if not change.ground.near((float(x), float(y)), CUBE_VIEW.size * CUBE_VIEW.step_mm):
            return cube, None
    return find_cube(lit, camera, geometry, points, basis.cube_spots, change.ground)


@dataclass(frozen=True, slots=True)
class Counted:
    """What log-likelihoods of points, bar and trays come to, as in a `Reading`; ``doubtful`` are points, 1..24."""

    points: tuple[int, ...]
    bar: Count
    off: Count
    confidence: float
    point_confidence: tuple[float, ...]
    bar_confidence: float
    off_confidence: tuple[float, float]
    doubtful: frozenset[int]
    assumed_off: bool
    off_likelihoods: tuple[Mapping[int, float] | None, Mapping[int, float] | None]


def count_checkers(
    points: Sequence[Mapping[int, float]],
    bar: Mapping[tuple[int, int], float],
    profiles: Mapping[Tray, FloatArray],
    camera: CameraModel,
    board: Board,
) -> Counted:
    """Conclude from all places together; the arguments are as a `Basis` has them."""
    geometry, checkers = board.geometry, board.checkers
    sides = tuple(
        off_likelihoods(profiles, camera, geometry, colour, odds_of(points, bar, colour, checkers))
        for colour in COLOURS
    )
    joint = join(points, bar, [side.scores for side in sides], [side.usual for side in sides], checkers)
    sure = joint.point_chances
    return Counted(
        points=joint.best,
        bar=Count(*joint.bar),
        off=_off(sides, _on_board(joint.best, joint.bar), board),
        confidence=joint.chance,
        point_confidence=sure,
        bar_confidence=joint.bar_chance,
        off_confidence=joint.side_chances,
        doubtful=frozenset(point for point, chance in enumerate(sure, start=1) if chance < SURE),
        assumed_off=any(side.assumed for side in sides),
        off_likelihoods=(_opinion(sides[0]), _opinion(sides[1])),
    )


def _chance(likelihoods: Mapping[tuple[int, int], float], bar: Count) -> float:
    """How probable a bar is by these log-likelihoods alone."""
    total = sum(np.exp(score) for score in likelihoods.values())
    return float(sum(np.exp(score) for pair, score in likelihoods.items() if Count(*pair) == bar) / total)


def prepare_reading() -> None:
    """Load what the first reading would load: the networks that serve every board, and OpenCV's tables of colours.

    For any thread. Raises ``NetworkError`` if a network is missing.
    """
    to_lab(np.zeros((1, 1, 3), np.uint8))
    for name in OF_ONE_SHAPE:
        load_network(name)


def check_picture(image: Picture, board: Board) -> None:
    """Raise ``UserError`` unless a picture is one of the size the board was calibrated with."""
    camera = board.camera
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise UserError("the picture is not a colour picture of 8 bits a channel: save it as JPEG or PNG.")
    if image.shape[:2] != (camera.height, camera.width):
        raise UserError(
            f"the picture has {image.shape[1]}x{image.shape[0]} pixels but the board was calibrated with "
            f"{camera.width}x{camera.height}: calibrate with pictures of the same size."
        )


def _nothing_seen(fault: Fault, stance: Stance) -> Reading:
    everywhere = frozenset(range(1, 25))
    return Reading(
        points=(0,) * 24,
        bar=Count(None, None),
        off=Count(None, None),
        dice=(),
        cube=None,
        hand=False,
        confidence=0.0,
        point_confidence=(0.0,) * 24,
        unsure=everywhere,
        covered=everywhere,
        likelihoods=tuple(dict.fromkeys(range(-SIDE, SIDE + 1), 0.0) for _ in range(24)),
        bar_likelihoods={(light, dark): 0.0 for light in range(4) for dark in range(4)},
        bar_confidence=0.0,
        off_confidence=(0.0, 0.0),
        assumed_off=True,
        stance=stance,
        fault=fault,
    )


def _off(sides: Sequence[Off], on_board: Sequence[int], board: Board) -> Count:
    """How many of light and dark are off, when so many are on board and bar.

    ``None`` where no tray is seen and they may as well lie where no camera sees them.
    """
    light, dark = (
        None if side.assumed and board.checkers.concealed else borne_off(side.scores, seen, board.checkers)
        for side, seen in zip(sides, on_board, strict=True)
    )
    return Count(light, dark)


def _opinion(off: Off) -> Mapping[int, float] | None:
    """What a tray showed, the best count at 0; ``None`` if nothing was seen of it."""
    if off.assumed:
        return None
    return {count: float(score - off.scores.max()) for count, score in enumerate(off.scores)}


def reading_line(file: str, reading: Reading, ms: float) -> str:
    """One line of JSON for a picture; ``ms`` is the time it took after decoding."""
    light_off, dark_off = reading.off_confidence
    line: Mapping[str, object] = {
        "file": file,
        "points": list(reading.points),
        "bar": {"light": reading.bar.light, "dark": reading.bar.dark},
        "off": {"light": reading.off.light, "dark": reading.off.dark},
        "dice": [_die(die) for die in reading.dice],
        "cube": None if reading.cube is None else _cube(reading.cube),
        "hand": reading.hand,
        "confidence": round(reading.confidence, 4),
        "point_confidence": [round(c, 4) for c in reading.point_confidence],
        "bar_confidence": round(reading.bar_confidence, 4),
        "off_confidence": {"light": round(light_off, 4), "dark": round(dark_off, 4)},
        "unsure": sorted(reading.unsure),
        "ms": round(ms, 1),
    }
    return json.dumps(line)


def _cube(cube: CubeSeen) -> Mapping[str, object]:
    return {"value": cube.value, "owner": cube.owner, "confidence": round(cube.confidence, 3)}


def _die(die: DieSeen) -> Mapping[str, object]:
    x, y, confidence = round(die.x, 1), round(die.y, 1), round(die.confidence, 3)
    told: dict[str, object] = {"value": die.value, "x": x, "y": y, "confidence": confidence}
    if die.cocked:
        told["cocked"] = True
    if die.owner is not None:
        told["owner"] = die.owner
    return told


def _on_board(points: tuple[int, ...], bar: tuple[int, int]) -> tuple[int, int]:
    light = sum(count for count in points if count > 0) + bar[0]
    dark = -sum(count for count in points if count < 0) + bar[1]
    return light, dark
