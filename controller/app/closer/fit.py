"""Whether a still shows the scene of a usual one, and where: phones cut photographs otherwise than films."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from controller.arrays import FloatArray, GreyPicture, Picture

VIEW: Final = 640
"""Both pictures are compared at this width."""
ALIKE: Final = 0.9
"""How alike they are then, at least, if they show the same (correlation of grey levels)."""
SAME_SHAPE: Final = 0.01
"""Shapes that differ by less than this share are the same."""
CORNERS: Final = 1500
"""So many corners at most are looked for in each picture."""
LEAST_CORNERS: Final = 30
"""So many have to agree on how one picture lies in the other; on 24 rendered boards 247 and more did."""
APART: Final = 2.0
"""And they agree if they are no further apart than this, in pixels of the pictures that are compared."""
BACK: Final = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
CELLS: Final = (80, 45)
DIFFERENT: Final = 40.0
MOST_CELLS: Final = 20
"""In so many cells, of those into which both pictures are cut, the grey levels may differ by so much. A hand covers a
hundred; in pictures of twelve boards with other tones than the film, and two stops off, none did."""
FEW: Final = 4
"""Each so many-th pixel along each side tells the light well enough."""
CLIPPED: Final = (12, 243)
"""What is darker or brighter says nothing of the light."""
BIN: Final = 11
LEAST_PIXELS: Final = 40
"""So many levels are taken together, where so many pixels have them."""
SAME_TONES: Final = 8
"""Tones that differ by no more are the same; at the edges of things they do, as pictures do not lie on each other."""


@dataclass(frozen=True, eq=False)
class Framing:
    """Where a usual picture lies in stills.

    Attributes:
        size: width and height of the still.
        way: (2, 3), takes places in the usual picture to places in the still, in pixels; None for all of it.
    """

    size: tuple[int, int]
    way: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class Fitted:
    """A still that shows just what the usual one shows, in its light; ``framing`` is where that one lay."""

    picture: Picture
    framing: Framing


def fit_still(still: Picture, usual: Picture, last: Framing | None = None) -> Fitted | None:
    """The still as the usual one shows the scene; None where it does not show it.

    Args:
        still: (h, w, 3) BGR uint8, of any size and shape, turned in any way, in any light.
        usual: likewise.
        last: where the usual picture lay in the still before, which is tried first.
    """
    small, plain = _shrunk(still), _shrunk(usual)
    for framing in _possible(still, small, usual, plain, last):
        seen = _as_usual(small, plain, still, usual, framing)
        if not _is_alike(seen, plain):
            continue
        levels = tones(seen, plain)
        if differing_cells(seen, plain, levels) > MOST_CELLS:
            return None
        return Fitted(_in_tones(_part(still, usual, framing), levels), framing)
    return None


def _possible(
    still: Picture, small: Picture, usual: Picture, plain: Picture, last: Framing | None
) -> Iterator[Framing]:
    """How the usual picture may lie in the still, what takes no search first."""
    if last is not None and last.size == still.shape[1::-1]:
        yield last
    (height, width), (rows, columns) = still.shape[:2], usual.shape[:2]
    if abs(width * rows - height * columns) <= SAME_SHAPE * width * rows:
        yield Framing((width, height))
    if (way := _found(still, small, usual, plain)) is not None:
        seen = _as_usual(small, plain, still, usual, Framing((width, height), way))
        yield Framing((width, height), _straightened(way, seen, plain, usual))


def _found(still: Picture, small: Picture, usual: Picture, plain: Picture) -> FloatArray | None:
    """The way to where corners of the usual picture are found in the still, by both as they are compared."""
    finder, matcher = cv2.ORB.create(CORNERS), cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True)
    (there, looks), (here, others) = (finder.detectAndCompute(_grey(one), None) for one in (plain, small))
    pairs = [] if looks is None or others is None else matcher.match(looks, others)
    if len(pairs) < LEAST_CORNERS:
        return None
    ours = np.array([there[pair.queryIdx].pt for pair in pairs], np.float32)
    theirs = np.array([here[pair.trainIdx].pt for pair in pairs], np.float32)
    way, agree = cv2.estimateAffinePartial2D(ours, theirs, ransacReprojThreshold=APART)
    if way is None or int(agree.sum()) < LEAST_CORNERS:
        return None
    return _scaled(np.asarray(way, float), usual.shape[1] / plain.shape[1], still.shape[1] / small.shape[1])


def _straightened(way: FloatArray, seen: Picture, plain: Picture, usual: Picture) -> FloatArray:
    """The same without the pixel or two that corners in a turned picture lie beside."""
    ours, theirs = (_grey(one).astype(np.float32) for one in (plain, seen))
    (x, y), _ = cv2.phaseCorrelate(ours, theirs, cv2.createHanningWindow(ours.shape[::-1], cv2.CV_32F))
    left = np.array([x, y]) * usual.shape[1] / plain.shape[1]
    return np.asarray(np.column_stack([way[:, :2], way[:, 2] + way[:, :2] @ left]), float)


def _scaled(way: FloatArray, ours: float, theirs: float) -> FloatArray:
    """The way between pictures that are so many times larger than those in which it was found."""
    share = theirs / ours
    turn = share * way[:, :2]
    # The centre of the first pixel is (0, 0): making a picture larger moves its places by half a pixel.
    moved = theirs * way[:, 2] + (theirs - 1) / 2 - turn.sum(axis=1) * (ours - 1) / 2
    return np.asarray(np.column_stack([turn, moved]), float)


def _shrunk(picture: Picture) -> Picture:
    height, width = picture.shape[:2]
    size = VIEW, max(1, round(VIEW * height / width))
    # Of large pictures not all pixels are looked at: of 12 megapixels that takes 8 ms in place of 23.
    step = max(1, width // (2 * VIEW))
    return np.asarray(
        cv2.resize(picture[step // 2 :: step, step // 2 :: step], size, interpolation=cv2.INTER_AREA),
        np.uint8,
    )


def _grey(picture: Picture) -> GreyPicture:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def _as_usual(small: Picture, plain: Picture, still: Picture, usual: Picture, framing: Framing) -> Picture:
    """The part of the still that the usual one shows; both are given as they are compared, too."""
    size = plain.shape[1::-1]
    if framing.way is None:
        return small if small.shape == plain.shape else np.asarray(cv2.resize(small, size), np.uint8)
    way = _scaled(framing.way, plain.shape[1] / usual.shape[1], small.shape[1] / still.shape[1])
    return np.asarray(cv2.warpAffine(small, way, size, flags=BACK), np.uint8)


def _is_alike(one: Picture, other: Picture) -> bool:
    ours, theirs = (_grey(np.ascontiguousarray(each[::2, ::2])) for each in (one, other))
    return float(cv2.matchTemplate(ours, theirs, cv2.TM_CCOEFF_NORMED)[0, 0]) >= ALIKE


def _part(still: Picture, usual: Picture, framing: Framing) -> Picture:
    """What the usual picture shows, with all pixels that the still has of it."""
    if framing.way is None:
        return still
    finer = float(np.hypot(framing.way[0, 0], framing.way[1, 0]))
    size = round(finer * usual.shape[1]), round(finer * usual.shape[0])
    way = _scaled(framing.way, size[0] / usual.shape[1], 1.0)
    return np.asarray(cv2.warpAffine(still, way, size, flags=BACK, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def tones(seen: Picture, plain: Picture) -> Picture:
    """Which level the second picture has where the first one has a level, (256, 3): photographs have other tones.

    Both show the same and have one size. What lies at few places, or is clipped, follows its neighbours.
    """
    low, high = CLIPPED
    ours, theirs = (one[::FEW, ::FEW].reshape(-1, 3) for one in (plain, seen))
    levels = np.zeros((256, 3), np.uint8)
    for channel in range(3):
        there, here = theirs[:, channel], ours[:, channel]
        middles, found = [0.0], [0.0]
        for first in range(low, high, BIN):
            chosen = here[(there >= first) & (there < first + BIN)]
            if len(chosen) >= LEAST_PIXELS:
                middles.append(first + (BIN - 1) / 2)
                found.append(max(found[-1], float(np.median(chosen))))
        middles.append(255 * max(1.0, middles[-1] / max(found[-1], 1.0)))
        found.append(255.0)
        levels[:, channel] = np.interp(np.arange(256), middles, found).round()
    return levels


def differing_cells(seen: Picture, plain: Picture, levels: Picture) -> int:
    """In how many cells two pictures of one size differ, the first in the tones of the second; not where clipped."""
    low, high = CLIPPED
    seen, plain = seen[::2, ::2], plain[::2, ::2]
    told = ((seen > low) & (seen < high)).all(axis=2)
    gap = cv2.absdiff(_in_tones(seen, levels), plain).max(axis=2) * told
    return int((cv2.resize(gap, CELLS, interpolation=cv2.INTER_AREA) > DIFFERENT).sum())


def _in_tones(still: Picture, levels: Picture) -> Picture:
    """The picture with its levels changed; itself where they are as good as the same."""
    if np.abs(levels[CLIPPED[0] : CLIPPED[1]].astype(int) - np.arange(*CLIPPED)[:, None]).max() <= SAME_TONES:
        return still
    return np.asarray(cv2.LUT(still, levels[None]), np.uint8)
