"""How much each place on the board looks like a checker rather than like the bare board."""

import numpy as np
from numpy.typing import NDArray

from controller.vision.appearance import BINS, NOTHING_KNOWN, Shades
from controller.vision.sheet import Picture

Map = NDArray[np.float32]

# What the bare board may differ by from its learned picture, in 8-bit LAB: noise, slightly wrong places.
BARE_SPREAD = (9.0, 5.0, 5.0)
# Share of the bare board that looks strange (a shadow, a reflection, a die).
BARE_STRANGE = 0.012


def densities(lab: Picture, shades: Shades) -> Map:
    """Log density of each pixel of an 8-bit LAB picture if that kind of checker were seen there."""
    step = 256 // BINS
    index = (lab // step).astype(np.int32)
    return np.asarray(shades.table[(index[..., 0] * BINS + index[..., 1]) * BINS + index[..., 2]])


def bare_densities(lab: Picture, bare: Picture, doubt: Picture) -> Map:
    """Log density of each pixel if the bare board were seen there.

    ``doubt``, shape (rows, columns), is how many grey levels the bare picture may be wrong by.
    """
    wider = _wider(doubt)
    gap = (lab.astype(np.float32) - bare) / np.array(BARE_SPREAD, np.float32)
    peak = -float(np.log(np.prod(BARE_SPREAD)) + 1.5 * np.log(2 * np.pi))
    normal = peak - 3 * np.log(wider) - 0.5 * np.einsum("ijk,ijk->ij", gap, gap) / wider**2
    strange = float(np.log(BARE_STRANGE) + NOTHING_KNOWN)
    return np.asarray(np.logaddexp(normal, np.float32(strange)), np.float32)


def _wider(doubt: Picture) -> Map:
    return np.asarray(np.sqrt(1 + (doubt.astype(np.float32) / BARE_SPREAD[0]) ** 2), np.float32)
