"""Why a picture shows the board otherwise than it was calibrated: moved, turned round, tilted, or another board.

Every explanation is a row with a probability, and the rows sum to one. All are weighed by the same evidence: how much
of the bare board's details is found again where the explanation has them, and what lies beside the surface there.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from controller.arrays import Float32Array, FloatArray, IndexArray, Picture, triple
from controller.vision.board.board import Board
from controller.vision.board.drift import (
    FURTHEST_MM,
    Settled,
    coloured_details_of,
    details_of,
    find_push,
    landmarks_of,
    relight,
    settle,
)
from controller.vision.counting.appearance import Appearance, to_lab
from controller.vision.fitted.fitted import fitted
from controller.vision.geometry.board_grid import (
    BESIDE_STEPS,
    STEP_MM,
    BoardGrid,
    ground_grid,
    moved,
    push_between,
    surface_grid,
)
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry
from controller.vision.geometry.seen import Misplaced, Misplacement

# The coarse look at a board has cells of so many steps of its grid: 6 mm, a seventh of a point.
CELL = 4
CELL_MM = CELL * STEP_MM
SIDES_AGREE, SURFACE_BARE, SHARE_OF_USUAL, SAME_COLOUR = fitted(
    "displacement", "sides_agree", "surface_bare", "share_of_usual", "same_colour"
)
DETAILS, BESIDE, ANOTHERS_SHARE, LEAST_DETAILS = fitted(
    "displacement", "details", "beside", "anothers_share", "least_details"
)
STILL_IN_PLACE, SURELY_IN_PLACE, WORTH_TILTING, WORTH_FOLLOWING, FOUND_SHARP = fitted(
    "displacement", "still_in_place", "surely_in_place", "worth_tilting", "worth_following", "found_sharp"
)
# A board that was pushed further, though it is followed, is looked at more closely.
CLEARLY_PUSHED_MM = 30.0
# How far off (mm) a board is searched, how far turned (radians), how much nearer or further.
REACH_MM = 168.0
TURNS = tuple(0.03 * step for step in range(-4, 5))
SCALES = (0.95, 1.0, 1.05)
# So much of the board must be in the picture to be found again.
LEAST_VISIBLE = 0.35
# What varies over more cells than this is light.
SLOW_CELLS = 6.0
# Steps in which the tilt is found, and when it stands still.
TILT_STEPS, TILT_STILL = 30, 1e-4
# The pictures are softened by so many cells for it.
TILT_BLUR = 5
# Further tilted (degrees) or nearer (share of the height) than this no board is found: what seems so is an error.
MOST_TILTED_DEG, MOST_NEARER = 12.0, 0.2
# Before anything is seen: few pictures show a board that was moved, fewer one that was turned round.
PRIORS: Mapping[Misplaced | None, float] = {
    None: 0.96,
    "moved": 0.015,
    "tilted": 0.01,
    "turned": 0.005,
    "other_board": 0.005,
}
# A board that is turned or nearer by no more than this is told as moved (degrees, share of the distance).
TILTED_DEG, NEARER = 1.2, 0.025
# A board that stands no further off than this (mm, worst corner) is where it was, however it was found.
NUDGED_MM = FURTHEST_MM


@dataclass(frozen=True, eq=False)
class Stand:
    """One way in which the board may stand: how well it explains the picture, and the picture followed there.

    ``details`` and ``sides`` are correlations, -1 to 1.
    """

    settled: Settled
    details: float
    sides: float

    @property
    def support(self) -> float:
        """The log-likelihood of the picture, up to what all share."""
        return DETAILS * _information(self.details) + BESIDE * _information(self.sides)


@dataclass(frozen=True, eq=False)
class Explanation:
    """What a picture shows: the probability of every row, and how the board stands by the best.

    ``displacement`` is ``None`` where the board is in place; ``settled`` is the picture followed to where the board
    stands, also where that is far off.
    """

    chances: Mapping[Misplaced | None, float]
    displacement: Misplacement | None
    settled: Settled

    @property
    def sure(self) -> bool:
        """Whether what is read of the board in its place may be sure."""
        return self.displacement is None and self.chances.get(None, 0.0) >= SURELY_IN_PLACE


def _information(correlation: float) -> float:
    """What a correlation tells for each independent detail (nats); it speaks against if it is negative."""
    return -0.5 * float(np.sign(correlation)) * float(np.log1p(-(min(abs(correlation), 0.99) ** 2)))


def is_plainly_in_place(image: Picture, board: Board, settled: Settled) -> bool:
    """Whether a picture shows the board where it was followed to, beyond any doubt, at one coarse look.

    ``image`` is (h, w, 3) BGR uint8 as it was taken.
    """
    drift = settled.drift
    if drift.likeness < SHARE_OF_USUAL * usual_likeness(board.appearance, board.geometry):
        return False
    if np.hypot(drift.x_mm, drift.y_mm) > CLEARLY_PUSHED_MM:
        return False
    ground = _ground(board)
    now = _look(image, settled.camera, ground.grid, 1 / np.array(drift.light))
    here, there = ground.agreement(now), ground.agreement(np.ascontiguousarray(now[::-1, ::-1]))
    return here >= SIDES_AGREE and here > there and ground.bare_share(now) >= SURFACE_BARE


def explain_picture(image: Picture, board: Board, settled: Settled) -> Explanation:
    """How the board most probably stands in a picture, (h, w, 3) BGR uint8; ``settled`` is it followed in place."""
    followed = _stand(image, board, settled)
    best = _best_of_each(board, followed, _stands_elsewhere(image, board))
    scores = {kind: float(np.log(PRIORS[kind])) + stand.support for kind, stand in best.items()}
    anothers = ANOTHERS_SHARE * usual_likeness(board.appearance, board.geometry)
    scores["other_board"] = float(np.log(PRIORS["other_board"])) + DETAILS * _information(anothers)
    chances = _normalised(scores)
    kind = max(chances, key=lambda row: chances[row])
    if kind == "other_board":
        another = Misplacement(kind, chance=chances[kind]) if _shows_details(image, board) else None
        return Explanation(chances, another, settled)
    if kind is None or chances.get(None, 0.0) > STILL_IN_PLACE:
        return Explanation(chances, None, _in_board_frame(best.get(None, followed).settled, board))
    there = best[kind].settled
    displacement = replace(_compare(board, there.camera), kind=kind, chance=chances[kind])
    return Explanation(chances, displacement, _in_board_frame(there, board))


def _shows_details(image: Picture, board: Board) -> bool:
    """Whether there is anything like a board's details where the board should be."""
    template = _template(board.appearance, board.geometry)
    now = details_of(_look(image, board.camera, _cells(surface_grid(board.geometry)), None), SLOW_CELLS)
    return float(np.linalg.norm(now)) > LEAST_DETAILS * float(np.linalg.norm(template))


def _best_of_each(board: Board, followed: Stand, elsewhere: Iterable[Stand]) -> dict[Misplaced | None, Stand]:
    """The stand that explains most, of every kind; elsewhere only where the finest details are found, too."""
    best = {kind_of(_compare(board, followed.settled.camera)): followed}
    for stand in elsewhere:
        if stand.settled.drift.sharpness < FOUND_SHARP:
            continue
        kind = kind_of(_compare(board, stand.settled.camera))
        worth = WORTH_FOLLOWING if best.get(kind) is followed else 0.0
        if kind not in best or stand.support > best[kind].support + worth:
            best[kind] = stand
    return best


def _normalised(scores: Mapping[Misplaced | None, float]) -> dict[Misplaced | None, float]:
    most = max(scores.values())
    weights = {kind: float(np.exp(score - most)) for kind, score in scores.items()}
    return {kind: weight / sum(weights.values()) for kind, weight in weights.items()}


def kind_of(apart: Misplacement) -> Misplaced | None:
    """How a board is told to stand that stands so far off; ``None`` where it was only nudged."""
    if abs(apart.turn_deg) > 90:
        return "turned"
    if apart.tilt_deg > TILTED_DEG or abs(apart.nearer) > NEARER:
        return "tilted"
    return "moved" if apart.shift_mm > NUDGED_MM else None


def _compare(board: Board, camera: CameraModel) -> Misplacement:
    """By how much the board stands otherwise to this camera than at its calibration."""
    before = board.camera
    x_mm, y_mm, turn_deg = push_between(before, camera)
    upright = float(camera.rotation_matrix[:, 2] @ before.rotation_matrix[:, 2])
    return Misplacement(
        "moved",
        x_mm=x_mm,
        y_mm=y_mm,
        turn_deg=turn_deg,
        tilt_deg=float(np.degrees(np.arccos(min(upright, 1.0)))),
        nearer=1 - float(camera.centre_mm[2] / before.centre_mm[2]),
    )


def _in_board_frame(settled: Settled, board: Board) -> Settled:
    """The same with its drift told against the calibration."""
    apart = _compare(board, settled.camera)
    drift = replace(settled.drift, x_mm=apart.x_mm, y_mm=apart.y_mm, turn_deg=apart.turn_deg)
    return replace(settled, drift=drift)


def _stand(image: Picture, board: Board, settled: Settled) -> Stand:
    ground = _ground(board)
    now = _look(image, settled.camera, ground.grid, 1 / np.array(settled.drift.light))
    return Stand(settled, settled.drift.likeness, ground.agreement(now))


def _stands_elsewhere(image: Picture, board: Board) -> list[Stand]:
    """The board followed from where a coarse look finds it, and the best of these turned round."""
    poses = [near for pose in _best_poses(image, board) for near in _like_it(image, board, pose)]
    found = [stand for pose in poses for stand in _stands_near(image, board, pose)]
    # Of a board that looks nearly alike from both seats one of the two poses may be missed; most are turned in place.
    best = max(found, key=lambda stand: stand.support)
    turned = (moved(camera, 0.0, 0.0, np.pi) for camera in (best.settled.camera, board.camera))
    return [*found, *(_stand(image, board, _settle_at(image, board, camera)) for camera in turned)]


def _like_it(image: Picture, board: Board, pose: "Pose") -> Iterator["Pose"]:
    """A pose, and those two points off where what lies beside the board agrees: its points look alike by pairs."""
    yield pose
    ground, pair_mm = _ground(board), 2 * board.geometry.pitch_mm
    for across in (-pair_mm, pair_mm):
        x_mm, y_mm = pose.x_mm + across * np.cos(pose.turn), pose.y_mm + across * np.sin(pose.turn)
        other = replace(pose, x_mm=float(x_mm), y_mm=float(y_mm))
        now = _look(image, other.camera(board), ground.grid, None)
        if ground.agreement(now) >= SIDES_AGREE:
            yield other


def _stands_near(image: Picture, board: Board, pose: "Pose") -> Iterator[Stand]:
    """The board followed from a pose that was found at a coarse look, without tilt and, where that lacks, with it."""
    flat = _stand(image, board, _settle_at(image, board, pose.camera(board)))
    yield flat
    if pose.scale == 1 and flat.details > pose.correlation - WORTH_TILTING:
        return
    camera = _tilt(image, board, pose.camera(board))
    if camera is not None:
        tilted = _stand(image, board, _settle_at(image, board, camera))
        if tilted.details > flat.details + WORTH_TILTING:
            yield tilted


def _settle_at(image: Picture, board: Board, camera: CameraModel) -> Settled:
    grid = surface_grid(board.geometry)
    bare = board.appearance.bare_surface(board.geometry)
    return settle(image, replace(board, camera=camera), grid, bare)


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the board was found at a coarse look.

    It was pushed by ``x_mm``, ``y_mm`` (board frame), turned by ``turn`` radians and looks ``scale`` times as large;
    ``correlation`` is that of its details, ``worth`` the same weighed by how much of the board is visible.
    """

    x_mm: float
    y_mm: float
    turn: float
    scale: float
    correlation: float
    worth: float

    def camera(self, board: Board) -> CameraModel:
        """The camera to which the board stands so."""
        ring = _ring(board.geometry)
        cos, sin = self.scale * np.cos(self.turn), self.scale * np.sin(self.turn)
        there = ring @ np.array([[cos, sin], [-sin, cos]]) + (self.x_mm, self.y_mm)
        guess = moved(board.camera, self.x_mm, self.y_mm, self.turn)
        return guess if self.scale == 1 else _camera_of(board.camera, guess, ring, there)


def _ring(geometry: BoardGeometry) -> FloatArray:
    """Places all over the surface, shape (n, 2), mm."""
    x = np.linspace(-0.5, 0.5, 5) * geometry.surface_width_mm
    y = np.linspace(-0.5, 0.5, 4) * geometry.surface_height_mm
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def _camera_of(before: CameraModel, guess: CameraModel, ring: FloatArray, there: FloatArray) -> CameraModel:
    """The camera that sees places of the board, shape (n, 2), where the one before saw other places of its frame."""
    pixels = before.project(np.column_stack([there, np.zeros(len(there))]))
    _, rotation, translation = cv2.solvePnP(
        np.column_stack([ring, np.zeros(len(ring))]),
        pixels,
        before.matrix,
        np.array([before.k1, before.k2, 0.0, 0.0]),
        np.array(guess.rotation).reshape(3, 1),
        np.array(guess.translation).reshape(3, 1),
        True,
        cv2.SOLVEPNP_ITERATIVE,
    )
    return replace(before, rotation=triple(rotation.ravel()), translation=triple(translation.ravel()))


def _best_poses(image: Picture, board: Board) -> list[Pose]:
    """The best pose as it was calibrated, and the best one turned round: by details in colour, then in grey."""
    wide = _wide(board.geometry, board.camera)
    look = _look(image, board.camera, wide.grid, None)
    coloured, grey = coloured_details_of(look, SLOW_CELLS), details_of(look, SLOW_CELLS)[..., None]
    sought = _sought(board.appearance, board.geometry, board.camera)
    found: list[Pose] = []
    for details, one in zip((coloured, grey), sought, strict=True):
        for half in (0.0, np.pi):
            poses = [
                _find_pose(details * wide.mask[..., None], one, turn + half, scale)
                for turn in TURNS
                for scale in SCALES
            ]
            found.append(max(poses, key=lambda pose: pose.worth))
    return found


def _find_pose(details: Float32Array, sought: "_Sought", turn: float, scale: float) -> Pose:
    """The best shift with this turn and scale, of details, (rows, columns, channels).

    In grey dark checkers outweigh points that are hardly lighter or darker than the ground; in colour they do not.
    """
    rows, columns = details.shape[:2]
    cos, sin = scale * np.cos(turn), scale * np.sin(turn)
    now, energy = _turned(details, turn, scale).reshape(details.shape), sought.energy
    found = cv2.matchTemplate(now, sought.template, cv2.TM_CCORR)
    wanted = sought.wanted[turn, scale]
    shown = _window_sums(_energy(now), energy.shape)
    visible = wanted / max(float(energy.sum()), 1.0)
    correlation = np.where(
        visible > LEAST_VISIBLE, found / np.sqrt(np.maximum(wanted, 1.0) * np.maximum(shown, 1.0)), 0.0
    )
    worth = -visible * np.log1p(-(np.clip(correlation, 0.0, 0.99) ** 2))
    row, column = np.unravel_index(int(worth.argmax()), worth.shape)
    across = (int(column) - (columns - energy.shape[1]) / 2) * CELL_MM
    down = (int(row) - (rows - energy.shape[0]) / 2) * CELL_MM
    return Pose(
        x_mm=float(cos * across - sin * down),
        y_mm=float(sin * across + cos * down),
        turn=turn,
        scale=scale,
        correlation=float(correlation[row, column]),
        worth=float(worth[row, column]),
    )


def _turned(values: Float32Array, turn: float, scale: float) -> Float32Array:
    """Values in cells, (rows, columns) or with channels, as they lie where the board was turned and is larger."""
    rows, columns = values.shape[:2]
    cos, sin = scale * np.cos(turn), scale * np.sin(turn)
    x, y = (columns - 1) / 2, (rows - 1) / 2
    there = np.array([[cos, -sin, x - cos * x + sin * y], [sin, cos, y - sin * x - cos * y]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(values, there, (columns, rows), flags=flags), np.float32)


def _energy(details: Float32Array) -> Float32Array:
    """The squares of details in colour, summed over the channels."""
    # One channel after the other: sums over a short last axis are slow.
    first, *others = cv2.split(details * details)
    return np.asarray(sum(others, start=first), np.float32)


def _window_sums(values: Float32Array, shape: tuple[int, ...]) -> FloatArray:
    """The sums over all windows of a shape."""
    rows, columns = shape
    total = cv2.integral(np.asarray(values, np.float64))
    sums = total[rows:, columns:] - total[:-rows, columns:] - total[rows:, :-columns]
    return np.asarray(sums + total[:-rows, :-columns], float)


def _tilt(image: Picture, board: Board, camera: CameraModel) -> CameraModel | None:
    """The camera with the tilt that brings most details to their places; ``None`` if none is found."""
    grid = _cells(surface_grid(board.geometry))
    now = details_of(_look(image, camera, grid, None), SLOW_CELLS)
    template = _template(board.appearance, board.geometry)
    criteria = cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, TILT_STEPS, TILT_STILL
    everywhere = np.ones(template.shape, np.uint8)
    try:
        _, bend = cv2.findTransformECC(
            template, now, np.eye(3, dtype=np.float32), cv2.MOTION_HOMOGRAPHY, criteria, everywhere, TILT_BLUR
        )
    except cv2.error:  # it says so where it does not find any
        return None
    ring = _ring(board.geometry)
    corner = np.array([grid.left_mm, grid.near_mm])
    cells = (ring - corner) / grid.step_mm
    bent = np.asarray(cv2.perspectiveTransform(cells[None], np.asarray(bend, float))[0], float)
    found = _camera_of(camera, camera, ring, corner + grid.step_mm * bent)
    return found if _is_plausible(_compare(board, found)) else None


def _is_plausible(apart: Misplacement) -> bool:
    within = abs(apart.nearer) < MOST_NEARER and apart.tilt_deg < MOST_TILTED_DEG
    return within and apart.shift_mm < 2 * REACH_MM


@dataclass(frozen=True, eq=False)
class _CoarseGround:
    """The bare board and what lies beside it, at a coarse look: BGR on ``grid``, and its LAB."""

    grid: BoardGrid
    bare: Picture
    lab: Float32Array
    beside: IndexArray
    """The cells beside the surface, into the flat picture."""
    surface: IndexArray

    def agreement(self, now: Picture) -> float:
        """The correlation, -1 to 1, of what lies beside the surface with what lay there."""
        seen = now.reshape(-1, 3)[self.beside].astype(np.float32)
        then = self.bare.reshape(-1, 3)[self.beside].astype(np.float32)
        seen, then = seen - seen.mean(axis=0), then - then.mean(axis=0)
        return float((seen * then).sum() / (np.linalg.norm(seen) * np.linalg.norm(then) + 1e-6))

    def bare_share(self, now: Picture) -> float:
        """The share of the surface that has the bare board's colour."""
        gap = (to_lab(now).astype(np.float32) - self.lab).reshape(-1, 3)[self.surface]
        return float((np.linalg.norm(gap * (0.5, 1.0, 1.0), axis=1) < SAME_COLOUR).mean())


def _ground(board: Board) -> _CoarseGround:
    return _ground_of(board.appearance, board.geometry)


@lru_cache(maxsize=4)
def _ground_of(look: Appearance, geometry: BoardGeometry) -> _CoarseGround:
    grid = _cells(ground_grid(geometry))
    bare = _in_cells(look.bare, grid)
    beside = np.zeros((grid.rows, grid.columns), bool)
    beside[:, : BESIDE_STEPS // CELL] = beside[:, -BESIDE_STEPS // CELL :] = True
    flat = beside.ravel()
    return _CoarseGround(
        grid, bare, to_lab(bare).astype(np.float32), np.flatnonzero(flat), np.flatnonzero(~flat)
    )


def _cells(grid: BoardGrid) -> BoardGrid:
    """The same grid in cells."""
    middle = (CELL - 1) / 2 * grid.step_mm
    return BoardGrid(
        grid.left_mm + middle, grid.near_mm + middle, grid.rows // CELL, grid.columns // CELL, CELL_MM
    )


def _in_cells(flat: Picture, grid: BoardGrid) -> Picture:
    """The means of the cells of a flat picture."""
    whole = flat[: grid.rows * CELL, : grid.columns * CELL]
    return np.asarray(cv2.resize(whole, (grid.columns, grid.rows), interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True, eq=False)
class _Wide:
    """The cells of the surface and far round it, and which of them, 1 or 0, the camera sees."""

    grid: BoardGrid
    mask: Float32Array


@lru_cache(maxsize=4)
def _wide(geometry: BoardGeometry, camera: CameraModel) -> _Wide:
    inner, beyond = _cells(surface_grid(geometry)), round(REACH_MM / CELL_MM)
    grid = BoardGrid(
        inner.left_mm - beyond * CELL_MM,
        inner.near_mm - beyond * CELL_MM,
        inner.rows + 2 * beyond,
        inner.columns + 2 * beyond,
        CELL_MM,
    )
    x, y = np.meshgrid(grid.x_mm, grid.y_mm)
    spots = camera.project(np.stack([x, y, np.zeros_like(x)], axis=-1))
    # What is repeated beyond the picture's edge has details at the edge.
    within = cv2.erode(np.asarray(camera.shows(spots), np.uint8), np.ones((7, 7), np.uint8))
    return _Wide(grid, np.asarray(within, np.float32))


@dataclass(frozen=True, eq=False)
class _Sought:
    """Details of the bare surface, (rows, columns, channels), that are looked for far round it.

    ``energy`` are their squares, summed over the channels; ``wanted``, by turn and scale, how much of it the camera
    sees, for each shift.
    """

    template: Float32Array
    energy: Float32Array
    wanted: Mapping[tuple[float, float], Float32Array]


@lru_cache(maxsize=4)
def _sought(look: Appearance, geometry: BoardGeometry, camera: CameraModel) -> tuple[_Sought, _Sought]:
    """The details in colour, and in grey. None of it changes from picture to picture."""
    mask = _wide(geometry, camera).mask
    ways = [(turn + half, scale) for half in (0.0, np.pi) for turn in TURNS for scale in SCALES]
    seen = {way: _turned(mask, *way) for way in ways}

    def sought(template: Float32Array) -> _Sought:
        energy = _energy(template)
        wanted = {
            way: np.asarray(cv2.matchTemplate(one, energy, cv2.TM_CCORR), np.float32)
            for way, one in seen.items()
        }
        return _Sought(template, energy, wanted)

    return sought(_coloured_template(look, geometry)), sought(_template(look, geometry)[..., None])


@lru_cache(maxsize=4)
def _template(look: Appearance, geometry: BoardGeometry) -> Float32Array:
    """The details of the bare surface, in cells."""
    return details_of(_bare_cells(look, geometry), SLOW_CELLS)


@lru_cache(maxsize=4)
def _coloured_template(look: Appearance, geometry: BoardGeometry) -> Float32Array:
    """The same in colour, (rows, columns, 3)."""
    return coloured_details_of(_bare_cells(look, geometry), SLOW_CELLS)


def _bare_cells(look: Appearance, geometry: BoardGeometry) -> Picture:
    return _in_cells(look.bare_surface(geometry), _cells(surface_grid(geometry)))


def _look(image: Picture, camera: CameraModel, grid: BoardGrid, gain: FloatArray | None) -> Picture:
    """A picture laid flat in cells; with a gain, (3,), brought to the light of the calibration."""
    flat = grid.flatten_coarsely(image, camera, 0.0)
    return flat if gain is None else relight(flat, gain)


@lru_cache(maxsize=4)
def usual_likeness(look: Appearance, geometry: BoardGeometry) -> float:
    """How much a board with about thirty checkers on it is like the bare one, in place.

    Five checkers stand on every fourth point, of either side's colour in turn: where exactly they stand changes it by
    a few hundredths.
    """
    grid = surface_grid(geometry)
    bare = look.bare_surface(geometry)
    laid = bare.copy()
    radius = round(geometry.checker_diameter_mm / 2 / grid.step_mm)
    for number, point in enumerate(range(2, 25, 4)):
        shades = (look.light, look.dark)[number % 2]
        mean = np.average(np.array(shades.means), axis=0, weights=np.array(shades.weights))
        lab = np.rint(mean).clip(0, 255).astype(np.uint8)[None, None]
        colour = [float(level) for level in cv2.cvtColor(lab, cv2.COLOR_LAB2BGR)[0, 0]]
        for place in range(5):
            x, y = geometry.slot(point, place)[:2]
            cv2.circle(laid, (round(grid.column(x)), round(grid.row(y))), radius, colour, -1, cv2.LINE_AA)
    return find_push(laid, landmarks_of(bare, grid)).likeness
