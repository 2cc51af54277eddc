"""What hides a part of the board and is no hand: a cup, a glass or a telephone that somebody put down on it.

In a single picture it is taken for a hand. But where things were moved elsewhere meanwhile, and what hides the board
looks as it looked before, no hand is there: nobody keeps one as still as that.
"""

from dataclasses import dataclass

import numpy as np

from controller.arrays import FloatArray, IndexArray, Mask, Picture
from controller.vision.fitted.fitted import fitted
from controller.vision.geometry.geometry import BoardGeometry
from controller.vision.hands.hands import CHANGED, Clear, changed_cells
from controller.vision.hands.occlusion import CELL, LIKELY, Occlusion, bar_share, hidden_points, is_hand

LIES_S, COVERED_SHARE = fitted("obstacle", "lies_s", "covered_share")


@dataclass(frozen=True, eq=False)
class Obstacles:
    """What hides the board at rest, in cells, (rows, columns).

    ``last`` is the latest look in which something did, and ``hidden`` are the cells in which it did; each of them
    has done so, and looked like that, since the time ``since`` (seconds) and the ``scene`` of that number.
    ``lying`` are the cells known to be hidden by things, which look as in ``lay``.
    """

    last: Picture
    hidden: Mask
    since: FloatArray
    scene: IndexArray
    lying: Mask
    lay: Picture


def find_obstacles(known: Obstacles | None, look: Clear, t: float, scene: int) -> Obstacles | None:
    """What is known after one more look at the board at rest, at ``t`` (seconds).

    ``scene`` counts the times that something moved between looks. ``None`` where nothing hides the board any more.
    """
    if look.hidden is None:
        return known if known is not None and _lie_still(known, look).any() else None
    now, hidden = look.picture, np.asarray(look.hidden > LIKELY)
    since, since_scene = np.full(hidden.shape, t), np.full(hidden.shape, scene)
    if known is None:
        return Obstacles(now, hidden, since, since_scene, np.zeros_like(hidden), now)
    alike = known.hidden & hidden & (changed_cells(now, known.last) <= CHANGED)
    since, since_scene = np.where(alike, known.since, since), np.where(alike, known.scene, since_scene)
    found = alike & (t - since >= LIES_S) & (since_scene < scene)
    lay = np.where(found.repeat(CELL, axis=0).repeat(CELL, axis=1)[..., None], now, known.lay)
    return Obstacles(now, hidden, since, since_scene, (known.lying & hidden) | found, lay)


def judge_obstacles(known: Obstacles, look: Clear, geometry: BoardGeometry) -> Occlusion | None:
    """What is hidden in such a look by things that lie there, a little of a point or of the bar being enough.

    ``None`` where none lies there any more, or where a hand is over the board besides.
    """
    lying = _lie_still(known, look)
    hidden = np.zeros(lying.shape, np.float32) if look.hidden is None else look.hidden
    if not lying.any() or is_hand(np.where(lying, np.float32(0), hidden), geometry):
        return None
    hidden = np.maximum(hidden, lying.astype(np.float32))
    over_bar = float((hidden * bar_share(geometry)).sum()) > COVERED_SHARE
    return Occlusion(False, hidden_points(hidden, geometry, COVERED_SHARE), hidden, bar=over_bar)


def _lie_still(known: Obstacles, look: Clear) -> Mask:
    """The cells in which things lie as they were known to lie."""
    if not known.lying.any():
        return known.lying
    return np.asarray(known.lying & (changed_cells(look.picture, known.lay) <= CHANGED))
