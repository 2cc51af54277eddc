"""The arrays that pictures and measures come in."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""A picture (h, w, 3), blue, green, red from 0 to 255; where it is said LAB, or grey levels (h, w)."""
GreyPicture = NDArray[np.uint8]
"""One level from 0 to 255 for each pixel, (h, w): how bright it is, or how much of something is there."""
Mask = NDArray[np.bool_]
"""True where something holds, in the shape of what it is about."""
FloatArray = NDArray[np.float64]
"""Places, lengths and chances, in the shape and unit that is said beside it."""
Float32Array = NDArray[np.float32]
"""Values for each pixel, and what networks take and give: (n, channels, h, w)."""
AnyFloatArray = NDArray[np.floating[Any]]
"""Values of either precision."""
IntArray = NDArray[np.int64]
"""Whole numbers."""
IndexArray = NDArray[np.intp]
"""Places in another array."""
ByteArray = NDArray[np.uint8]
"""Small numbers, packed one beside the other."""


def triple(values: Iterable[Any]) -> tuple[float, float, float]:
    """Three numbers, such as a place or a colour, as plain ones."""
    first, second, third = (float(value) for value in values)
    return first, second, third


def another_chance(rng: np.random.Generator) -> np.random.Generator:
    """Another source of chance, which follows from a first one and draws nothing from it.

    It is the one of ``Generator.spawn``, which the NumPy of Debian 12 (1.24) does not have.
    """
    (seed,) = getattr(rng.bit_generator, "_seed_seq").spawn(1)  # noqa: B009
    return np.random.default_rng(seed)
