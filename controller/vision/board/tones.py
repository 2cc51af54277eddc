"""What differs between two pictures, in brightness and in colour apart: colour trembles more, and otherwise.

Packed pictures keep colour at half the resolution and round it more coarsely than brightness. As JPEG of a low
quality blocks of 16 by 16 pixels jump by a step of colour from picture to picture, here and there, though nothing
moves; their brightness stays. So either is held against what it does of itself.
"""

from typing import Final, NamedTuple

import cv2
import numpy as np
from cv2.typing import MatLike

from controller.arrays import Float32Array, Mask
from controller.vision.fitted.fitted import fitted

JUMPS, JUMP_FACTOR = fitted("tones", "jumps", "jump_factor")
WEIGHTS: Final = (0.114, 0.587, 0.299)
"""Of blue, green and red in brightness, as JPEG and video have it."""
TO_TONES: Final = tuple(
    np.array([row], np.float32)
    for row in (WEIGHTS, np.subtract((1, 0, 0), WEIGHTS), np.subtract((0, 0, 1), WEIGHTS))
)
"""What makes brightness, and blue and red beyond it, of blue, green and red."""


class Tones(NamedTuple):
    """By how many grey levels pictures differ at each place, (rows, columns).

    In brightness, and in blue or red beyond brightness, whichever differs more.
    """

    brightness: Float32Array
    colour: Float32Array

    def beyond(self, noise: "Noise", edges: Float32Array | float = 0.0) -> Mask:
        """Where they differ by more than noise, and so much more at ``edges``."""
        brighter = self.brightness > noise.brightness + edges
        return np.asarray(brighter | (self.colour > noise.colour + edges))


class Noise(NamedTuple):
    """By how many grey levels pictures of what is at rest may differ."""

    brightness: float
    colour: float


def tones_of(gap: MatLike) -> Tones:
    """The tones of what one picture has more than the other, (rows, columns, 3) BGR float32."""
    brightness, blue, red = (np.asarray(np.abs(cv2.transform(gap, row)), np.float32) for row in TO_TONES)
    return Tones(brightness, np.maximum(blue, red))


def noise_of(tones: Tones, least: float, factor: float) -> Noise:
    """The noise between two pictures: ``least``, or what most of them shows.

    In brightness that is ``factor`` times the median. Colour stays at most places and jumps at some: what counts is
    how far it jumps where it does, among the places whose brightness tells of nothing new.
    """
    brightness = max(least, factor * rank_of(tones.brightness, 0.5))
    still = tones.colour[tones.brightness <= brightness]
    return Noise(brightness, max(least, JUMP_FACTOR * rank_of(still, 1 - JUMPS)))


def rank_of(levels: Float32Array, share: float) -> float:
    """The level below which this share of them lies: NumPy takes ten times as long for a median."""
    place = int(share * (levels.size - 1))
    return float(np.partition(levels, place, axis=None)[place])
