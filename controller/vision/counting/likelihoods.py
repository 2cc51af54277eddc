"""Counts the checkers on points and bar: networks judge the strip along each of them.

What they say of their own certainty is taken as it is: on boards they never saw no other scale fitted better. Only
that no more lies on a row counts for less where noise hides the edges of what lies on it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from controller.arrays import FloatArray, Picture
from controller.vision.counting.appearance import Appearance, to_lab
from controller.vision.counting.bar_strip import look_at_bar
from controller.vision.counting.counts import SIDE
from controller.vision.counting.excerpt import Excerpt, cut_excerpt
from controller.vision.counting.gaps import close_gaps
from controller.vision.counting.strips import (
    COLUMNS,
    POINTS,
    ROWS,
    FirstLook,
    bare_strips,
    colours_of,
    lay_strips,
    look_at_strips,
    look_first,
    planes_of,
    ratios_of,
)
from controller.vision.fitted.fitted import fitted
from controller.vision.fitted.network import load_network
from controller.vision.geometry.board_grid import ground_grid
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import FLAT_ROW, BoardGeometry

# The answers of the network for points, index by index: signed counts.
COUNTS: Sequence[int] = range(-SIDE, SIDE + 1)
# More checkers on the bar than this are never told of.
MOST = 5
# The answers of the network for the bar, index by index: (light, dark).
PAIRS = tuple((light, dark) for light in range(MOST + 1) for dark in range(MOST + 1 - light))
# Nothing is more improbable than this: there is always something nobody thought of.
WORST = 9.0
PILED, PILED_FURTHER, HIGH = fitted("likelihoods", "piled", "piled_further", "high")
MORE, MORE_ON_HIGH, OVERLOOKED = fitted("likelihoods", "more", "more_on_high", "overlooked")
(GRAIN,) = fitted("likelihoods", "grain")
# Noise is told on every so many-th row. Of normal noise half of all bends, first pixel less twice the second plus the
# third, are larger than this many standard deviations.
EVERY, MIDDLE_BEND = 32, 0.6745 * 6**0.5

Answer = TypeVar("Answer")


def point_likelihoods(
    lit: Picture,
    camera: CameraModel,
    geometry: BoardGeometry,
    look: Appearance,
    which: Iterable[int] = range(POINTS),
    *,
    closely: bool = False,
) -> dict[int, dict[int, float]]:
    """For each of these points, from 0, the log-likelihood of every signed count, the best 0.

    ``lit`` is in the light of the appearance, ``camera`` as it stands to the board now. Points that plainly show
    the bare board are not asked about, unless they are to be looked at ``closely``.
    """
    chosen = sorted(which)
    if not chosen:
        return {}
    excerpt = cut_excerpt(lit, camera, geometry, chosen)
    first = _look_first(excerpt, geometry, look, chosen)
    scores = np.full((POINTS, len(COUNTS)), -WORST)
    scores[:, SIDE] = 0.0
    asked = np.array(chosen, np.intp) if closely else first.strange()
    if len(asked):
        strips = look_at_strips(excerpt.picture, excerpt.camera_at(asked), geometry, first, asked)
        scores[asked] = load_network("points").run(close_gaps(strips, first.checker[asked], geometry))
    seen = np.maximum(scores - scores.max(axis=1, keepdims=True), -WORST)
    told = may_be_higher(seen, edges_left(lit)).tolist()
    return {point: dict(zip(COUNTS, told[point], strict=True)) for point in chosen}


def edges_left(lit: Picture) -> float:
    """How much of the faint edges of checkers on others noise leaves in a picture, (h, w, 3): 1, or less."""
    return min(1.0, GRAIN / max(noise_of(lit), GRAIN))


def noise_of(picture: Picture) -> float:
    """The standard deviation of a picture's noise (grey levels), from how its rows bend from pixel to pixel."""
    rows = picture[::EVERY, :, 1].astype(np.int16)
    bends = np.abs(rows[:, :-2] + rows[:, 2:] - 2 * rows[:, 1:-1]).ravel()
    return float(np.partition(bends, bends.size // 2)[bends.size // 2]) / MIDDLE_BEND


def may_be_higher(seen: FloatArray, edges: float = 1.0) -> FloatArray:
    """Log-likelihoods of `COUNTS` on points, (n, 31), when more may lie on a pile than is ``seen`` of it.

    What is as improbable as anything is the more so, the more checkers it takes that do not show. With less of their
    ``edges`` left, 0 to 1, it is less improbable that more lie on a row or a pile.
    """
    counts = np.array(COUNTS)
    best = counts[seen.argmax(axis=1), None]
    height, alike = np.abs(best), counts * best > 0
    more = np.abs(counts) - np.where(alike, height, 0)
    least = edges * np.where(height >= HIGH, -MORE_ON_HIGH, -MORE)
    hidden = np.where(seen <= -WORST, -WORST - OVERLOOKED * np.maximum(0, more - 1), seen)
    on_pile = (more > 0) & (height >= FLAT_ROW) & alike
    return np.asarray(np.where(on_pile, np.maximum(seen, least), hidden), float)


def _look_first(
    excerpt: Excerpt, geometry: BoardGeometry, look: Appearance, which: Sequence[int]
) -> FirstLook:
    """`strips.look_first` at these strips only, from 0: the others seem bare."""
    ground, strips = ground_grid(geometry), lay_strips(geometry)
    if len(which) == POINTS:
        return look_first(excerpt.picture, excerpt.camera, geometry, ground, look)
    chosen, camera = np.asarray(which, np.intp), excerpt.camera_at(which)
    nodes = camera.map_plane(strips.x_mm[chosen], strips.y_mm[chosen], geometry.checker_thickness_mm)
    stacked, doubted = bare_strips(excerpt.camera, geometry, ground, look)
    bare, doubt = stacked.reshape(POINTS, ROWS // 2, COLUMNS // 2, 3), planes_of(doubted, 2)
    seen = to_lab(colours_of(excerpt.picture, camera, geometry, nodes))
    below = bare[chosen].reshape(seen.shape), doubt[chosen].reshape(seen.shape[:2])
    checker, lighter = np.full(doubt.shape, -1, np.float32), np.zeros(doubt.shape, np.float32)
    checker[chosen], lighter[chosen] = (planes_of(ratio, 2) for ratio in ratios_of(seen, *below, look))
    return FirstLook(checker, lighter, np.ascontiguousarray(bare[..., 0]))


def bar_likelihoods(
    lit: Picture, camera: CameraModel, geometry: BoardGeometry, look: Appearance
) -> dict[tuple[int, int], float]:
    """Log-likelihoods of (light, dark) checkers on the bar, the best 0; arguments as of `point_likelihoods`."""
    strip = look_at_bar(lit, camera, geometry, ground_grid(geometry), look)
    return may_be_piled(_likelihoods(PAIRS, np.asarray(load_network("bar").run(strip)[0], np.float64)))


def may_be_piled(seen: Mapping[tuple[int, int], float]) -> dict[tuple[int, int], float]:
    """Log-likelihoods of (light, dark) on the bar, when more may lie on those that are ``seen`` there."""
    found = dict(seen)
    for (light, dark), score in seen.items():
        for more in range(1, MOST - light - dark + 1):
            least = score - PILED - PILED_FURTHER * (more - 1)
            for higher in [(light + more, dark)] * (light > 0) + [(light, dark + more)] * (dark > 0):
                found[higher] = max(found[higher], least)
    return found


def _likelihoods(answers: Sequence[Answer], scores: FloatArray) -> dict[Answer, float]:
    return dict(zip(answers, np.maximum(scores - scores.max(), -WORST).tolist(), strict=True))
