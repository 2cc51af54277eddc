"""Borne-off checkers in the trays: standing on edge in a row, or lying in stacks."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import lru_cache

import numpy as np

from controller.arrays import FloatArray, Picture
from controller.vision.counting.appearance import Appearance, bare_densities, densities, to_lab
from controller.vision.counting.counts import COUNTS, SIDE, CheckerSet, tabulate
from controller.vision.geometry.board_grid import STEP_MM, BoardGrid, ground_grid
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import COLOURS, HOMES, BoardGeometry, Colour, Home

# Only the middle of a tray is looked at.
HALF_WIDTH_MM = 13.0
FIRST_MM = 3.0
LAYERS = 5
PIXEL_LIMIT = 2.0
# A tray with less evidence (nats times steps along it) is empty.
TRACE = 6.0
# How far (mm) the end of a row or of the stacks may be misjudged; the price of a wild misjudgement.
ROW_SPREAD_MM = 6.0
STACK_SPREAD_MM = 9.0
WILD = -5.0
# Nothing that is expected of trays weighs more than this: a point that is plainly seen can overrule it.
HEAVIEST = 7.9


@dataclass(frozen=True, slots=True)
class Odds:
    """Log odds of how games go and how often trays mislead: hands, reflections and cubes look like checkers.

    Against any one number of borne-off checkers where none are seen: ``unseen`` without a tray, ``empty`` with an
    empty one. ``traced``: against none at all where something is seen. ``further``: against each after the first that
    is not seen.
    """

    unseen: float
    empty: float
    traced: float
    further: float = 0.0


# While a side has checkers outside of its home it has hardly ever borne any off, and hardly ever many.
BEARING_OFF, UNDER_WAY = Odds(1.5, 4.0, 5.0), Odds(6.0, 7.0, 1.0, 0.4)


@dataclass(frozen=True)
class Off:
    """Log-likelihoods of 0..15 borne-off checkers of one side, shape (16,).

    ``usual`` is what they would be if nothing were seen in the trays. ``assumed``: none were seen, nor a tray they
    would lie in, so the number follows from how many a side has.
    """

    scores: FloatArray
    usual: FloatArray
    assumed: bool


def odds_of(
    points: Sequence[Mapping[int, float]],
    bar: Mapping[tuple[int, int], float],
    colour: Colour,
    checkers: CheckerSet,
) -> Odds:
    """What to expect of a side's trays, from the log-likelihoods of the 24 points' counts and of the bar's.

    As doubtful as it is whether a side has checkers outside of its home, between `BEARING_OFF` and `UNDER_WAY`.
    """
    sign, number = (1, 0) if colour == "light" else (-1, 1)
    home = checkers.home(colour)
    table = tabulate([scores for point, scores in enumerate(points, start=1) if point not in home])
    weights = np.exp(table)
    none = weights[:, sign * np.array(COUNTS) <= 0].sum(axis=1) / weights.sum(axis=1)
    on_bar = np.exp(np.array(list(bar.values())))
    clear = float(none.prod() * on_bar[[pair[number] == 0 for pair in bar]].sum() / on_bar.sum())
    pairs = zip(astuple(BEARING_OFF), astuple(UNDER_WAY), strict=True)
    return Odds(
        *(float(-np.log(clear * np.exp(-one) + (1 - clear) * np.exp(-other))) for one, other in pairs)
    )


Tray = tuple[Home, Colour]
"""One side's end of what lies left or right of the board as seen from light's seat."""
ALL_TRAYS: tuple[Tray, ...] = tuple((home, colour) for home in HOMES for colour in COLOURS)


def off_likelihoods(
    profiles: Mapping[Tray, FloatArray],
    camera: CameraModel,
    geometry: BoardGeometry,
    colour: Colour,
    odds: Odds,
) -> Off:
    """Judge one side's borne-off checkers by the profiles of its own ends, left and right of the board.

    Without a tray they may as well lie where nobody sees.
    """
    found = {home: _from_profile(profiles[home, colour], camera, geometry, colour, odds) for home in HOMES}
    full = [home for home in HOMES if found[home].any()]
    if full:
        return Off(
            found[geometry.home if geometry.home in full else full[0]], _unseen(odds.unseen, odds), False
        )
    nothing = _unseen(odds.empty if geometry.trays else odds.unseen, odds)
    return Off(nothing, nothing, not geometry.trays)


def _unseen(first: float, odds: Odds) -> FloatArray:
    """Log-likelihoods of 0..15 borne-off checkers that nobody sees; ``first`` speaks against any."""
    off = np.arange(SIDE + 1)
    return np.where(off > 0, -np.minimum(first + odds.further * (off - 1), HEAVIEST), 0.0)


def tray_profile(
    image: Picture, camera: CameraModel, geometry: BoardGeometry, look: Appearance, tray: Tray
) -> FloatArray:
    """How much each step along a tray looks like the side's checkers, from the edge of the board inwards.

    ``image`` is in the light of the appearance.
    """
    home, colour = tray
    height = geometry.checker_diameter_mm / 2
    light = colour == "light"
    reach = geometry.surface_height_mm / 2 - 25.0
    near = -geometry.surface_height_mm / 2 if light else geometry.surface_height_mm / 2 - reach
    strip = BoardGrid(
        geometry.tray_x(home) - HALF_WIDTH_MM,
        near,
        round(reach / STEP_MM),
        round(2 * HALF_WIDTH_MM / STEP_MM) + 1,
    )
    lab = to_lab(strip.flatten(image, camera, height))
    bare, doubt = _bare(strip, look, camera, geometry)
    shades = look.light if light else look.dark
    ratio = np.clip(densities(lab, shades) - bare_densities(lab, bare, doubt), -PIXEL_LIMIT, PIXEL_LIMIT)
    profile = np.asarray(np.median(ratio, axis=1), float)
    return profile if light else profile[::-1]


@lru_cache(maxsize=2 * len(ALL_TRAYS))
def _bare(
    strip: BoardGrid, look: Appearance, camera: CameraModel, geometry: BoardGeometry
) -> tuple[Picture, Picture]:
    """What the bare board in LAB and its doubts show where a tray is: the same while nothing is pushed."""
    ground, height = ground_grid(geometry), geometry.checker_diameter_mm / 2
    return to_lab(strip.lift(look.bare, ground, camera, height)), strip.lift(
        look.doubt, ground, camera, height
    )


def _from_profile(
    profile: FloatArray, camera: CameraModel, geometry: BoardGeometry, colour: Colour, odds: Odds
) -> FloatArray:
    """Log-likelihoods of 0..15 checkers in one tray; all 0 where nothing is seen in it."""
    edge = -1 if colour == "light" else 1
    sums = np.concatenate([[0.0], np.cumsum(profile - 0.1)])
    end = int(sums.argmax())
    scores = np.full(SIDE + 1, WILD)
    if sums[end] < TRACE:
        return np.zeros(SIDE + 1)
    length = end * STEP_MM
    for count in range(1, SIDE + 1):
        row = _reach(FIRST_MM + count * geometry.checker_thickness_mm, camera, geometry, edge)
        stacks = -(-count // LAYERS)
        stack = FIRST_MM + stacks * geometry.row_pitch_mm
        on_edge = -0.5 * ((length - row) / ROW_SPREAD_MM) ** 2
        lying = -0.5 * ((length - stack) / STACK_SPREAD_MM) ** 2 - np.log(LAYERS)
        scores[count] = np.logaddexp(np.logaddexp(on_edge, lying), WILD)
    # What no number of checkers would look like speaks for something else that lies there.
    scores[0] = -odds.traced
    return np.asarray(scores - scores.max(), float)


def _reach(length_mm: float, camera: CameraModel, geometry: BoardGeometry, edge: int) -> float:
    """How far from the edge a row on edge of that length seems to reach at half a checker's height."""
    middle = geometry.checker_diameter_mm / 2
    inner = edge * (geometry.surface_height_mm / 2 - length_mm)
    foot, height = float(camera.centre_mm[1]), float(camera.centre_mm[2])
    ends = [
        foot + (inner - foot) * (height - middle) / (height - z) for z in (0.0, geometry.checker_diameter_mm)
    ]
    return max(geometry.surface_height_mm / 2 - edge * end for end in ends)
