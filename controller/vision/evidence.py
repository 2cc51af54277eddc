"""How much each place on the board looks like a checker rather than like the bare board."""

import cv2
import numpy as np

from controller.arrays import Float32Array, Picture
from controller.vision.appearance import BINS, NOTHING_KNOWN, Shades

# What the bare board may differ by from its learned picture, in 8-bit LAB: noise, slightly wrong places.
BARE_SPREAD = (9.0, 5.0, 5.0)
# Share of the bare board that looks strange (a shadow, a reflection, a die).
BARE_STRANGE = 0.012
STRANGE = float(np.log(BARE_STRANGE) + NOTHING_KNOWN)
# What the squared differences of the three channels count for.
SQUARED = np.array([[1 / spread**2 for spread in BARE_SPREAD]], np.float32)
# By doubt (grey levels): how much wider the bell is, and with it the log density at its peak and how steeply
# that falls with the square of the difference, in spreads.
WIDER = np.sqrt(1 + (np.arange(256) / BARE_SPREAD[0]) ** 2)
PEAKS = (-np.log(np.prod(BARE_SPREAD)) - 1.5 * np.log(2 * np.pi) - 3 * np.log(WIDER)).astype(np.float32)
SLOPES = (-0.5 / WIDER**2).astype(np.float32)
# A colour's place in a table of shades, from the steps of its channels.
STEP = 256 // BINS
PLACE = np.array([[BINS**2, BINS, 1]], np.float32)


def densities(lab: Picture, shades: Shades) -> Float32Array:
    """Log density of each pixel of an 8-bit LAB picture if that kind of checker were seen there."""
    index = cv2.transform((lab // STEP).astype(np.float32), PLACE).astype(np.int32)
    return np.take(shades.table, index)


def bare_densities(lab: Picture, bare: Picture, doubt: Picture) -> Float32Array:
    """Log density of each pixel if the bare board were seen there.

    ``doubt``, shape (rows, columns), is how many grey levels the bare picture may be wrong by.
    """
    gap = cv2.absdiff(lab, bare).astype(np.float32)
    square = cv2.transform(gap * gap, SQUARED)
    normal = cv2.LUT(doubt, PEAKS) + cv2.LUT(doubt, SLOPES) * square
    return np.asarray(cv2.log(cv2.exp(normal - STRANGE) + 1) + STRANGE, np.float32)
