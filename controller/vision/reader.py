"""Reads one picture of a calibrated board: on its own, or what looks different since an earlier reading."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from controller.arrays import FloatArray, Picture, triple
from controller.errors import UserError
from controller.vision.baseline import Baseline, Change, change_since, everything, merge_shown
from controller.vision.board.board import Board
from controller.vision.board.displacement import explain_picture, is_plainly_in_place
from controller.vision.board.drift import Settled, burn_out, relight, settle
from controller.vision.board.light_field import Lighting, falls_otherwise, find_light_field, measure_light
from controller.vision.counting.appearance import to_lab
from controller.vision.counting.counts import SIDE, borne_off, join
from controller.vision.counting.likelihoods import bar_likelihoods, point_likelihoods
from controller.vision.counting.trays import Off, Tray, odds_of, off_likelihoods, tray_profile
from controller.vision.dice.cube import cube_spot, find_cube
from controller.vision.dice.dice import find_dice, lacks_die
from controller.vision.dice.dice_size import known_dice
from controller.vision.dice.patches import Sight
from controller.vision.dice.places import BAR, POINTS, places_of
from controller.vision.dice.reflection import find_reflection
from controller.vision.dice.spots import SpotsSeen
from controller.vision.dice.views import CUBE_VIEW
from controller.vision.fitted.fitted import fitted
from controller.vision.fitted.network import OF_ONE_SHAPE, load_network
from controller.vision.geometry.board_grid import BoardGrid, surface_grid
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import COLOURS
from controller.vision.hands.occlusion import NOTHING, find_occlusion
from controller.vision.reading import (
    BAR_UNKNOWN,
    BoardDrift,
    Count,
    CubeSeen,
    DieSeen,
    Fault,
    Misplacement,
    Reading,
    ReflectionSeen,
)
from controller.vision.reduction import Size, move_pixels, reduce_picture, reduce_size

SURE, DOUBTS, MOST_DOUBTS = fitted("reader", "sure", "doubts", "most_doubts")
UNEVEN, SURE_IF_UNEVEN = fitted("reader", "uneven", "sure_if_uneven")
DARK, UNEVEN_IN_THE_DARK = fitted("reader", "dark", "uneven_in_the_dark")
SHARP, ALIKE = fitted("reader", "sharp", "alike")
BRIGHT, TOO_BRIGHT, BURNT = fitted("reader", "bright", "too_bright", "burnt")
EVERYWHERE = frozenset(range(1, 25))


def read_board(
    image: Picture, board: Board, baseline: Baseline | None = None, still: Picture | None = None
) -> Reading:
    """Read a picture, (h, w, 3) BGR uint8, of the size the board was calibrated with.

    With the ``baseline`` of an earlier reading of this board through this camera, only what looks different since is
    looked at again; what all places say together is concluded anew. Without one every picture is read on its own.

    A picture in which the board is not recognised or not in its place, or blurred or burnt out beyond reading, gives
    a reading with a ``fault`` that knows nothing: every point covered and unsure, bar and off unknown. Raises
    ``UserError`` when the picture has another size. Of a picture with more pixels than checkers need a smaller one is
    read, but for the numbers of dice, which are read with all of them; places are told in its own. ``still`` is the
    same picture with more pixels still, where the camera has them.
    """
    check_picture(image, board)
    size = board.camera.width, board.camera.height
    smaller = reduce_size(size)
    if smaller == size:
        return _read_picture(image, board, baseline, still)
    reduced = replace(board, camera=board.camera.resized(*smaller))
    closest = image if still is None else still
    return _move_reading(_read_picture(reduce_picture(image), reduced, baseline, closest), smaller, size)


def _move_reading(reading: Reading, size: Size, other: Size) -> Reading:
    """A reading with its places as they are in a picture of another size."""

    def place_of(thing: DieSeen | CubeSeen | ReflectionSeen) -> tuple[float, float]:
        x, y = move_pixels(np.array([thing.x, thing.y]), size, other)
        return float(x), float(y)

    dice = tuple(replace(die, x=x, y=y) for die in reading.dice for x, y in [place_of(die)])
    cube = reading.cube
    if cube is not None:
        x, y = place_of(cube)
        cube = replace(cube, x=x, y=y)
    elsewhere = None if reading.elsewhere is None else reading.elsewhere.resized(*other)
    reflection = reading.reflection
    if reflection is not None:
        x, y = place_of(reflection)
        reflection = replace(reflection, x=x, y=y)
    return replace(reading, dice=dice, cube=cube, reflection=reflection, elsewhere=elsewhere)


def _read_picture(
    image: Picture, board: Board, baseline: Baseline | None, still: Picture | None = None
) -> Reading:
    """Read a picture; ``still`` is the same one with all its pixels, where they are more."""
    if baseline is not None:
        field = baseline.lighting.field
        even = image if field is None else field.even_out(image)
        change = change_since(baseline, even)
        if change is not None and not _is_lit_otherwise(even, baseline, board):
            light = triple(1 / change.gain)
            lit, drift = relight(even, change.gain), replace(baseline.drift, light=light)
            settled = Settled(lit, baseline.camera, drift)
            reading = _read(settled, board, change, baseline, still, baseline.lighting)
            return _explain_dice(reading, image, baseline.camera, board)
    evened = _even_out(image, board)
    doubtful, another = False, False
    if not is_plainly_in_place(evened.image, board, evened.settled):
        explanation = explain_picture(image, board, evened.taken)
        displacement, doubtful = explanation.displacement, not explanation.sure
        another = displacement is not None and displacement.kind == "other_board"
        if displacement is not None and not another:
            return _not_in_place(displacement, explanation.settled)
        if evened.lighting.field is None or explanation.settled.camera != evened.taken.camera:
            followed = explanation.settled
            lighting = Lighting(None, measure_light(image, followed.camera, *_surface(board)))
            evened = _Evened(image, followed, followed, lighting)
    settled = evened.settled
    burnt_out = max(settled.drift.light) > TOO_BRIGHT and settled.burnt > BURNT
    if settled.drift.sharpness < SHARP:
        if settled.drift.likeness < ALIKE:
            return _nothing_seen("other_board" if another else "no_board", settled.drift)
        return _nothing_seen("too_bright" if burnt_out else "blurred", settled.drift)
    places = places_of(settled.camera, board.geometry)
    change = everything(evened.image, places, 1 / np.array(settled.drift.light))
    reading = _read(settled, board, change, None, still, evened.lighting)
    doubts = len(reading.unsure - reading.covered) > DOUBTS or len(reading.unsure) > MOST_DOUBTS
    if burnt_out and doubts:
        return _nothing_seen("too_bright", settled.drift)
    reading = _explain_dice(reading, image, settled.camera, board)
    return replace(reading, unsure=EVERYWHERE) if doubtful else reading


@dataclass(frozen=True, eq=False)
class _Evened:
    """A picture evened out, if it needs that, and the board followed in it; ``taken`` is it followed before."""

    image: Picture
    settled: Settled
    taken: Settled
    lighting: Lighting


def _even_out(image: Picture, board: Board) -> _Evened:
    """Follow light and board in a picture, evened out where light falls otherwise than at the calibration."""
    grid, bare = _surface(board)
    taken = settle(image, board, grid, bare)
    light = measure_light(image, taken.camera, grid, bare)
    field = find_light_field(light, image, taken.camera, grid)
    if field is None:
        return _Evened(image, taken, taken, Lighting(None, light))
    even = field.even_out(image)
    settled = settle(even, board, grid, bare)
    # A picture that had to be evened out is one in uneven light: points must be surer there.
    settled = replace(settled, drift=replace(settled.drift, uneven=field.uneven))
    light = measure_light(even, settled.camera, grid, bare)
    return _Evened(even, settled, taken, Lighting(field, light))


def _is_lit_otherwise(image: Picture, baseline: Baseline, board: Board) -> bool:
    """Whether a shadow came, went or moved since all was read: more is misread then than looks different."""
    return falls_otherwise(measure_light(image, baseline.camera, *_surface(board)), baseline.lighting.light)


def _surface(board: Board) -> tuple[BoardGrid, Picture]:
    """The grid over a board's surface, and the bare board on it."""
    return surface_grid(board.geometry), board.appearance.bare_surface(board.geometry)


def _explain_dice(reading: Reading, image: Picture, camera: CameraModel, board: Board) -> Reading:
    """A reading that says why a die may be missing, unless a hand may hide it."""
    if not lacks_die(reading.dice) or reading.hand:
        return reading
    return replace(reading, reflection=find_reflection(image, camera, board.geometry, reading.points))


def _read(
    settled: Settled,
    board: Board,
    change: Change,
    baseline: Baseline | None,
    still: Picture | None,
    lighting: Lighting,
) -> Reading:
    """Read what changed since the baseline; all of it where there is none."""
    look = burn_out(board.appearance, change.gain if baseline is None else baseline.full_gain)
    board = replace(board, appearance=look)
    geometry, lit, camera = board.geometry, settled.lit, settled.camera
    known = {} if baseline is None else dict(enumerate(baseline.points))
    closely = max(settled.drift.light) > BRIGHT
    known.update(point_likelihoods(lit, camera, geometry, look, change.points, closely=closely))
    points = tuple(known[point] for point in range(POINTS))
    bar = bar_likelihoods(lit, camera, geometry, look) if baseline is None or change.bar else baseline.bar
    profiles = {} if baseline is None else dict(baseline.profiles)
    profiles.update({tray: tray_profile(lit, camera, geometry, look, tray) for tray in change.trays})
    counted = count_checkers(points, bar, profiles, camera, board, settled.drift)
    cube, cube_spots = _find_cube(lit, camera, board, counted.points, change, baseline)
    hidden = change.ground is None or change.ground.may_hide(geometry)
    lies = None if cube is None else cube_spot(camera, cube)
    occlusion = find_occlusion(lit, camera, board, lies) if hidden else NOTHING
    earlier = None if baseline is None else baseline.dice_spots
    dice, dice_spots = find_dice(
        lit,
        camera,
        geometry,
        look=look,
        points=counted.points,
        cube=cube,
        earlier=earlier,
        change=change.ground,
        closer=None if still is None else _closer(still, camera, change),
        last=known_dice(board),
    )
    shown, ground = merge_shown(baseline, change)
    return Reading(
        points=counted.points,
        bar=counted.bar,
        off=counted.off,
        dice=dice,
        cube=cube,
        hand=occlusion.hand,
        confidence=counted.confidence,
        point_confidence=counted.point_confidence,
        unsure=counted.doubtful | occlusion.points,
        covered=occlusion.points,
        likelihoods=points,
        bar_likelihoods=bar,
        bar_confidence=counted.bar_confidence,
        off_confidence=counted.off_confidence,
        assumed_off=counted.assumed_off,
        off_likelihoods=counted.off_likelihoods,
        drift=settled.drift,
        baseline=Baseline(
            places=places_of(camera, geometry) if baseline is None else baseline.places,
            camera=camera,
            drift=settled.drift,
            lighting=lighting,
            gain=change.gain,
            full_gain=change.gain if baseline is None else baseline.full_gain,
            readings=0 if baseline is None else baseline.readings + 1,
            shown=shown,
            ground=ground,
            points=points,
            bar=bar,
            unsure=frozenset(point - 1 for point in counted.doubtful)
            | ({BAR} if _chance(bar, counted.bar) < SURE else frozenset()),
            profiles=profiles,
            dice_spots=dice_spots,
            cube=cube,
            cube_spots=cube_spots,
            hidden=occlusion.cells,
        ),
    )


def _closer(still: Picture, camera: CameraModel, change: Change) -> Sight:
    """A picture with all its pixels, to be brought to the light of the calibration where it is looked at."""
    return Sight(still, camera.resized(still.shape[1], still.shape[0]), change.gain)


def _find_cube(
    lit: Picture,
    camera: CameraModel,
    board: Board,
    points: Sequence[int],
    change: Change,
    baseline: Baseline | None,
) -> tuple[CubeSeen | None, SpotsSeen | None]:
    """The cube, and what the next search may go on from: nothing where the cube plainly lies as it lay."""
    if baseline is None or change.ground is None:
        return find_cube(lit, camera, board.geometry, points, last=board.cube)
    cube = baseline.cube
    if (
        cube is not None
        and cube.confidence >= SURE
        and not change.ground.near(cube_spot(camera, cube), CUBE_VIEW.size * CUBE_VIEW.step_mm)
    ):
        return cube, None
    seen = baseline.cube_spots
    return find_cube(lit, camera, board.geometry, points, seen, change.ground, last=board.cube)


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
    drift: BoardDrift,
) -> Counted:
    """Conclude from all places together; the arguments are as a `Baseline` has them."""
    geometry, checkers = board.geometry, board.checkers
    sides = tuple(
        off_likelihoods(profiles, camera, geometry, colour, odds_of(points, bar, colour, checkers))
        for colour in COLOURS
    )
    joint = join(points, bar, [side.scores for side in sides], [side.usual for side in sides], checkers)
    sure = joint.point_chances
    least = SURE_IF_UNEVEN if is_uneven(drift) else SURE
    doubtful = frozenset(point for point, chance in enumerate(sure, start=1) if chance < least)
    return Counted(
        points=joint.best,
        bar=Count(*joint.bar),
        off=_off(sides, _on_board(joint.best, joint.bar), board),
        confidence=joint.chance,
        point_confidence=sure,
        bar_confidence=joint.bar_chance,
        off_confidence=joint.side_chances,
        doubtful=EVERYWHERE if _is_dark(drift) else doubtful,
        assumed_off=any(side.assumed for side in sides),
        off_likelihoods=(_opinion(sides[0]), _opinion(sides[1])),
    )


def _is_dark(drift: BoardDrift) -> bool:
    """Whether there is so little light, with so few levels from place to place, that no point is sure."""
    return max(drift.light) < DARK and drift.uneven > UNEVEN_IN_THE_DARK


def is_uneven(drift: BoardDrift) -> bool:
    """Whether light falls so much otherwise from place to place than at the calibration that points must be surer."""
    return drift.uneven > UNEVEN


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


def _nothing_seen(fault: Fault, drift: BoardDrift) -> Reading:
    return Reading(
        points=(0,) * 24,
        bar=Count(None, None),
        off=Count(None, None),
        dice=(),
        cube=None,
        hand=False,
        confidence=0.0,
        point_confidence=(0.0,) * 24,
        unsure=EVERYWHERE,
        covered=EVERYWHERE,
        likelihoods=tuple(dict.fromkeys(range(-SIDE, SIDE + 1), 0.0) for _ in range(24)),
        bar_likelihoods=BAR_UNKNOWN,
        bar_confidence=0.0,
        off_confidence=(0.0, 0.0),
        assumed_off=True,
        drift=drift,
        fault=fault,
    )


def _not_in_place(displacement: Misplacement, settled: Settled) -> Reading:
    nothing = _nothing_seen(displacement.kind, settled.drift)
    return replace(nothing, displacement=displacement, elsewhere=settled.camera)


def _off(sides: Sequence[Off], on_board: Sequence[int], board: Board) -> Count:
    """How many of light and dark are off, given how many are on board and bar.

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
        **({} if reading.reflection is None else {"die_missing": _die_missing(reading.reflection)}),
        "ms": round(ms, 1),
    }
    return json.dumps(line)


def _die_missing(reflection: ReflectionSeen) -> Mapping[str, object]:
    """Why one die of a pair may not be seen."""
    x, y = round(reflection.x, 1), round(reflection.y, 1)
    return {"code": "reflection", "point": reflection.point, "x": x, "y": y}


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
