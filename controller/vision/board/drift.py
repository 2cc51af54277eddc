"""How the board stands to the camera in a picture, and in what light, against its calibration.

By how much it was pushed is found from what is still seen of its surface.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from controller.arrays import Float32Array, FloatArray, IndexArray, Picture, triple
from controller.vision.board.board import Board
from controller.vision.counting.appearance import Appearance, Shades, encode, light_gain, strongest, to_lab
from controller.vision.geometry.board_grid import BoardGrid, moved, surface_grid
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry
from controller.vision.geometry.seen import BoardDrift

# A push beyond this is measured again on a picture laid flat with it.
AGAIN_MM, AGAIN_TURN = 2.0, 0.008
# Pushes are followed in steps (mm, radians) finer than any reader needs, coarser than the noise of measuring them.
STEP_MM, STEP_TURN = 0.2, 0.0004
# Sharpness is told by the steepest details (this share) on every third row of the grid.
STEEPEST, EVERY = 0.1, 3
# Details are between these widths, in grid pixels; they may be off by this many pixels.
FINE, BROAD = 0.8, 2.5
ASTRAY = 3
# Further than this is not a nudge: the board has to be calibrated anew.
FURTHEST_MM = 38.0
# Grey levels beyond which a difference is taken for a checker, a hand, a die.
OUTLIER = 12.0
LIKENESS_LIMIT = 40.0
# A push from afar is believed only if it explains the picture so much better than a small one.
WORTHWHILE = 0.99
# A board that is so much like its picture where it was calibrated, give or take so much, was not pushed.
UNMOVED_LIKENESS, UNMOVED_MM, UNMOVED_TURN = 0.7, 1.0, 0.004
COARSE_STEPS, FINE_STEPS = 10, 6
# Poses (pixels, pixels, radians) that differ by less than this are the same.
SAME = (0.4, 0.4, 0.0015)
# Steps that move nothing by more than this many pixels end the search.
STILL = 0.04
# Of the places where the surface has edges only the clearest tell where it lies: this share of all.
TELLING = 0.35
# What varies over more than this many pixels is light, not the board.
COARSE_SLOW, FINE_SLOW = 6.0, 12.0
# Turns (radians) that are tried.
TURNS = (-0.06, -0.03, 0.0, 0.03, 0.06)
# Of a picture brighter than the calibration's by this factor or more, levels from here on may be burnt out; the
# brightest are taken for this share of the way from what is certain to as bright as can be.
BRIGHTER, BURNING, LIFTED = 0.87, 230.0, 0.9
# The light that an appearance is burnt out in is told in such steps, of its logarithm.
BURNT_STEP = 0.03
# Levels from here on were cut off.
AS_BRIGHT_AS_CAN_BE = 250
# Whether light is uneven is told in this part of the surface's rows on both sides of its middle, in cells of so many
# pixels, with so many levels added: in the dark a level is no factor.
MIDDLE, LIGHT_CELL, LIGHT_FLOOR = 0.1, 4, np.float32(8)
BORDER = 4
INNER = slice(BORDER, -BORDER)


@dataclass(frozen=True, eq=False)
class Settled:
    """A picture in the light of the calibration, the camera as it stands to the board now, and the drift.

    ``burnt`` is the share of the surface where the picture was as bright as can be.
    """

    lit: Picture
    camera: CameraModel
    drift: BoardDrift
    burnt: float = 0.0


@dataclass(frozen=True, slots=True)
class Push:
    """How far the board lies from its calibrated place: mm in the board frame, radians, and how well it fits.

    ``misfit`` is the mean robust difference in grey levels after following the push, ``likeness`` the
    correlation (-1 to 1) of what is seen with the bare board: another scene stays below 0.3.
    """

    x_mm: float
    y_mm: float
    turn: float
    misfit: float
    likeness: float

    def then(self, rest: "Push") -> "Push":
        """This push with the rest of it, measured on a picture laid flat with this one."""
        cos, sin = float(np.cos(self.turn)), float(np.sin(self.turn))
        x_mm, y_mm = cos * rest.x_mm - sin * rest.y_mm, sin * rest.x_mm + cos * rest.y_mm
        return replace(rest, x_mm=self.x_mm + x_mm, y_mm=self.y_mm + y_mm, turn=self.turn + rest.turn)


@dataclass(frozen=True, eq=False)
class ScaleLevel:
    """The bare board in one scale, without what varies over more than ``slow`` pixels.

    ``slopes`` are its derivatives by shift across, shift down and turn, shape (3, n), at the ``telling`` places,
    ``told`` is what it shows there; ``limited`` are its inner pixels within `LIKENESS_LIMIT`, ``energy`` their norm.
    """

    detail: Float32Array
    slow: float
    telling: IndexArray
    sentence: Float32Array
    slopes: Float32Array
    limited: Float32Array
    energy: float


@dataclass(frozen=True, eq=False)
class Landmarks:
    """What the bare board is found again by, in half and in a quarter of its grid's scale.

    ``step_mm`` is how far apart the pixels of the finer one are.
    """

    fine: ScaleLevel
    coarse: ScaleLevel
    step_mm: float


def landmarks_of(bare: Picture, grid: BoardGrid) -> Landmarks:
    """The landmarks of a bare board, (rows, columns, 3) BGR, laid flat on a grid."""
    half = _half(_grey(bare))
    return Landmarks(_level(half, FINE_SLOW), _level(_half(half), COARSE_SLOW), 2 * grid.step_mm)


def find_push(flat: Picture, landmarks: Landmarks) -> Push:
    """Compare a flat picture, (rows, columns, 3) BGR in the light of the bare board and on its grid, with it.

    What only one of them shows (checkers, hands) is left out by robust weights.
    """
    half, fine = _half(_grey(flat)), landmarks.fine
    now = _detail(half, fine.slow)
    nearby = _refine(now, fine, np.zeros(3), FINE_STEPS)
    near = _push(now, landmarks, nearby)
    hardly_moved = np.hypot(near.x_mm, near.y_mm) < UNMOVED_MM and abs(near.turn) < UNMOVED_TURN
    if near.likeness >= UNMOVED_LIKENESS and hardly_moved:
        return near
    coarsely = _detail(_half(half), landmarks.coarse.slow)
    found = _search(coarsely, landmarks.coarse.detail, 2 * landmarks.step_mm)
    afar = _refine(coarsely, landmarks.coarse, found, COARSE_STEPS) * (2, 2, 1)
    if (np.abs(afar - nearby) < SAME).all():
        return near
    far = _push(now, landmarks, _refine(now, fine, afar, FINE_STEPS))
    return far if far.misfit < near.misfit * WORTHWHILE else near


def fine_push(flat: Picture, landmarks: Landmarks) -> Push:
    """The same for a picture that is known to be off by very little."""
    now = _detail(_half(_grey(flat)), landmarks.fine.slow)
    return _push(now, landmarks, _refine(now, landmarks.fine, np.zeros(3), FINE_STEPS))


def _push(now: Float32Array, landmarks: Landmarks, pose: FloatArray) -> Push:
    pulled, fine = _pull_back(now, pose), landmarks.fine
    misfit = float(np.minimum(cv2.absdiff(pulled, fine.detail), np.float32(OUTLIER))[INNER, INNER].mean())
    x_mm, y_mm = (float(shift * landmarks.step_mm) for shift in pose[:2])
    return Push(x_mm, y_mm, float(pose[2]), misfit, _likeness(pulled, fine))


def _search(now: Float32Array, then: Float32Array, step_mm: float) -> FloatArray:
    """The best of all shifts and turns within reach, on a coarse grid."""
    reach = int(FURTHEST_MM / step_mm)
    inner = _limit(then[reach:-reach, reach:-reach])
    best, pose = -np.inf, np.zeros(3)
    for turn in TURNS:
        turned = _limit(_pull_back(now, np.array([0.0, 0.0, turn])))
        match = cv2.matchTemplate(turned, inner, cv2.TM_CCORR_NORMED)
        _, score, _, at = cv2.minMaxLoc(match)
        if score > best:
            # The shift was found in the picture turned back: bring it forward.
            x, y = at[0] - reach, at[1] - reach
            cos, sin = np.cos(turn), np.sin(turn)
            best, pose = score, np.array([cos * x - sin * y, sin * x + cos * y, turn])
    return pose


def details_of(flat: Picture, slow: float) -> Float32Array:
    """A picture in grey without changes over more than ``slow`` pixels; few steep ones shall not tell all."""
    return _limit(_detail(_grey(flat).astype(np.float32), slow))


def coloured_details_of(flat: Picture, slow: float) -> Float32Array:
    """The same of each channel by itself, (rows, columns, 3)."""
    return _limit(_detail(flat.astype(np.float32), slow))


def _grey(flat: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)


def _half(grey: Picture | Float32Array) -> Float32Array:
    """The means of four neighbours each."""
    columns, rows = grey.shape[1] // 2, grey.shape[0] // 2
    even = grey[: 2 * rows, : 2 * columns].astype(np.float32)
    return np.asarray(cv2.resize(even, (columns, rows), interpolation=cv2.INTER_LINEAR), np.float32)


def _level(bare: Float32Array, slow: float) -> ScaleLevel:
    detail = _detail(bare, slow)
    rows, columns = detail.shape
    down = cv2.Sobel(detail, cv2.CV_32F, 0, 1, scale=0.125)
    across = cv2.Sobel(detail, cv2.CV_32F, 1, 0, scale=0.125)
    steep = np.hypot(across, down)
    steep[:BORDER] = steep[-BORDER:] = 0
    steep[:, :BORDER] = steep[:, -BORDER:] = 0
    flat = steep.ravel()
    telling = np.flatnonzero(flat > np.quantile(flat[:: max(1, flat.size // 4000)], 1 - TELLING))
    y, x = np.divmod(telling, columns)
    a, d = across.ravel()[telling], down.ravel()[telling]
    slopes = np.stack([a, d, (x - (columns - 1) / 2) * d - (y - (rows - 1) / 2) * a]).astype(np.float32)
    limited = _limit(detail[INNER, INNER]).ravel()
    energy = float(np.linalg.norm(limited))
    return ScaleLevel(
        detail, slow, telling, sentence=detail.ravel()[telling], slopes=slopes, limited=limited, energy=energy
    )


def _detail(grey: Float32Array, slow: float) -> Float32Array:
    """A picture without its slow changes of brightness."""
    size = int(2 * slow) | 1
    smooth = cv2.blur(cv2.blur(grey, (size, size)), (size, size))
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8) - smooth, np.float32)


def _likeness(now: Float32Array, level: ScaleLevel) -> float:
    seen = _limit(now[INNER, INNER]).ravel()
    return float(seen @ level.limited) / (float(np.linalg.norm(seen)) * level.energy + 1e-9)


def _limit(detail: Float32Array) -> Float32Array:
    return np.clip(detail, np.float32(-LIKENESS_LIMIT), np.float32(LIKENESS_LIMIT))


def _refine(now: Float32Array, level: ScaleLevel, start: FloatArray, steps: int) -> FloatArray:
    """Robust Gauss-Newton over shift and turn about the middle; returns the best pose on the way."""
    pose = start.astype(float)
    best, least = pose, np.inf
    for _ in range(steps):
        gap = np.take(_pull_back(now, pose), level.telling) - level.sentence
        misfit = float(np.minimum(np.abs(gap), np.float32(OUTLIER)).mean())
        if misfit < least:
            best, least = pose, misfit
        weighted = level.slopes / (1 + (gap / np.float32(0.5 * OUTLIER)) ** 2) ** 2
        step = np.linalg.solve(weighted @ level.slopes.T + np.eye(3), weighted @ gap)
        pose = pose - step
        if np.hypot(step[0], step[1]) + now.shape[1] * abs(step[2]) < STILL:
            break
    return best


def _pull_back(now: Float32Array, pose: FloatArray) -> Float32Array:
    """The picture with a push undone."""
    rows, columns = now.shape
    x, y, turn = pose
    cos, sin = np.cos(turn), np.sin(turn)
    cx, cy = (columns - 1) / 2, (rows - 1) / 2
    there = np.array([[cos, -sin, x + cx - cos * cx + sin * cy], [sin, cos, y + cy - sin * cx - cos * cy]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(now, there, (columns, rows), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


@dataclass(frozen=True, eq=False)
class _Surface:
    """What a bare surface is found again by, and its steepest details: where they are and what they are there."""

    landmarks: Landmarks
    places: IndexArray
    steep: Float32Array


def settle(image: Picture, board: Board, grid: BoardGrid, bare: Picture) -> Settled:
    """Follow light and board in a picture, (h, w, 3) BGR; ``bare`` is the bare board on ``grid``."""
    surface = _surface(board.appearance, board.geometry)
    flat = grid.flatten(image, board.camera, 0.0)
    few = flat[::2, ::2]
    gain = light_gain(few, bare[::2, ::2], np.ones(few.shape[:2], bool))
    lit = relight(flat, gain)
    push = find_push(lit, surface.landmarks)
    if np.hypot(push.x_mm, push.y_mm) > AGAIN_MM or abs(push.turn) > AGAIN_TURN:
        there = moved(board.camera, push.x_mm, push.y_mm, push.turn)
        lit = relight(grid.flatten(image, there, 0.0), gain)
        push = push.then(fine_push(lit, surface.landmarks))
    camera = _follow(board.camera, push)
    turn, sharpness = float(np.degrees(push.turn)), _sharpness(lit, surface)
    drift = BoardDrift(
        push.x_mm,
        push.y_mm,
        turn,
        triple(1 / gain),
        likeness=push.likeness,
        sharpness=sharpness,
        uneven=_unevenness(lit, bare),
    )
    burnt = float((strongest(few) >= AS_BRIGHT_AS_CAN_BE).mean())
    return Settled(relight(image, gain), camera, drift, burnt)


def _unevenness(lit: Picture, bare: Picture) -> float:
    """By what factor, its logarithm, most of the middle of a flat picture is lighter or darker than the bare board.

    Checkers hardly ever reach there, and a cell is large enough for noise to even out.
    """
    rows, columns = lit.shape[:2]
    middle = slice(rows // 2 - round(MIDDLE * rows), rows // 2 + round(MIDDLE * rows))
    size = columns // LIGHT_CELL, round(2 * MIDDLE * rows) // LIGHT_CELL
    now, then = (cv2.resize(one[middle], size, interpolation=cv2.INTER_AREA) for one in (lit, bare))
    ratios = np.abs(np.log((now + LIGHT_FLOOR) / (then + LIGHT_FLOOR)))
    return float(np.median(ratios.max(axis=2)))


@lru_cache(maxsize=4)
def _surface(look: Appearance, geometry: BoardGeometry) -> _Surface:
    grid = surface_grid(geometry)
    bare = look.bare_surface(geometry)
    details = _finest(bare)
    steep = np.abs(details)
    places = np.flatnonzero(steep >= np.quantile(steep[::7], 1 - STEEPEST))
    places = places[(places >= ASTRAY) & (places < steep.size - ASTRAY)]
    return _Surface(landmarks_of(bare, grid), places, details[places])


def _follow(camera: CameraModel, push: Push) -> CameraModel:
    """The camera after a push, told in steps: a board that nobody touches has the same one in every picture."""
    x, y, turn = round(push.x_mm / STEP_MM), round(push.y_mm / STEP_MM), round(push.turn / STEP_TURN)
    return moved(camera, x * STEP_MM, y * STEP_MM, turn * STEP_TURN) if x or y or turn else camera


def _sharpness(flat: Picture, surface: _Surface) -> float:
    """How much of the bare board's finest details across is left in a flat picture in its light."""
    now, then = _finest(flat), surface.steep
    energy = float(then @ then) + 1e-6
    found = [float(now[surface.places + off] @ then) for off in range(-ASTRAY, ASTRAY + 1)]
    return max(found) / energy


def _finest(flat: Picture) -> Float32Array:
    """The finest details across of a flat picture, one row after the other; none where they may be astray."""
    grey = cv2.cvtColor(flat[::EVERY], cv2.COLOR_BGR2GRAY).astype(np.float32)
    narrow = cv2.GaussianBlur(grey, (7, 1), FINE, sigmaY=FINE)
    details = np.asarray(narrow - cv2.GaussianBlur(grey, (15, 1), BROAD, sigmaY=BROAD), np.float32)
    details[:, :ASTRAY] = details[:, -ASTRAY:] = 0
    return details.ravel()


def relight(picture: Picture, gain: FloatArray) -> Picture:
    """A picture with each channel multiplied by its gain, shape (3,).

    Where a brighter picture than the calibration's is burnt out, its lights were at least as bright as the multiple
    of the brightest level: they are lifted above it, or a pale checker would look like a darker one.
    """
    if (gain > BRIGHTER).all():
        return np.asarray(cv2.transform(picture, np.diag(gain)), np.uint8)
    level = np.arange(256.0)
    burnt = np.clip((level - BURNING) / (255 - BURNING), 0, 1)
    lifted = [level * one + burnt * LIFTED * max(255 - 255 * one, 0.0) for one in gain.tolist()]
    table = np.stack(lifted, axis=-1)[None].clip(0, 255)
    return np.asarray(cv2.LUT(picture, np.rint(table).astype(np.uint8)), np.uint8)


def burn_out(look: Appearance, gain: FloatArray) -> Appearance:
    """What a board of this appearance looks like in a picture that `relight` brings to its light with ``gain``, (3,).

    Checkers and surface that are brighter than the picture can show are all as white there as `relight` makes them.
    """
    if (gain > BRIGHTER).all():
        return look
    return _burn_look(look, triple(np.exp(BURNT_STEP * np.round(np.log(gain) / BURNT_STEP))))


@lru_cache(maxsize=4)
def _burn_look(look: Appearance, gain: tuple[float, float, float]) -> Appearance:
    gains = np.array(gain)
    light, dark = (_burn_shades(shades, gains) for shades in (look.light, look.dark))
    return replace(look, bare_jpeg=encode(_burn_picture(look.bare, gains)), light=light, dark=dark)


def _burn_shades(shades: Shades, gain: FloatArray) -> Shades:
    # What is cut off varies less than before; but noise that is lifted varies more.
    lab = np.rint(np.array([shades.means])).clip(0, 255).astype(np.uint8)
    seen = to_lab(_burn_picture(np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), np.uint8), gain))[0]
    return replace(shades, means=tuple(triple(mean) for mean in seen.astype(float)))


def _burn_picture(flat: Picture, gain: FloatArray) -> Picture:
    """A picture, (h, w, 3) BGR, as it is after a camera took it in brighter light and `relight` brought it back."""
    return relight(np.asarray(cv2.transform(flat, np.diag(1 / gain)), np.uint8), gain)
