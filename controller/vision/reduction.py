"""Pictures with more pixels than are needed, made smaller."""

import cv2
import numpy as np

from controller.arrays import FloatArray, Picture

# A board that fills a picture of this many pixels has checkers 80 pixels wide, and pips of 6.
NEEDED_PIXELS = 3_200_000

Size = tuple[int, int]
"""Width and height in pixels."""


def reduce_size(size: Size, most: int = NEEDED_PIXELS) -> Size:
    """The size of a picture that has at most this many pixels; the same where it has no more."""
    width, height = size
    share = (most / (width * height)) ** 0.5
    if share >= 1:
        return size
    # The nearest whole sizes keep the proportions best: rounded down, a side is a pixel short half of the time.
    across = round(width * share)
    return across, min(round(height * share), most // across)


def reduce_picture(picture: Picture, most: int = NEEDED_PIXELS) -> Picture:
    """A picture, (h, w, 3), of the size that `reduce_size` tells: itself where it has no more pixels."""
    size = picture.shape[1], picture.shape[0]
    smaller = reduce_size(size, most)
    if smaller == size:
        return picture
    return np.asarray(cv2.resize(picture, smaller, interpolation=cv2.INTER_AREA), np.uint8)


def move_pixels(pixels: FloatArray, size: Size, other: Size) -> FloatArray:
    """Where pixels, shape (..., 2), of a picture lie when it is made larger or smaller."""
    return np.asarray((pixels + 0.5) * np.divide(other, size) - 0.5, float)
