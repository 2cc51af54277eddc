"""Finds round things in a picture that may be seen at a slant.

A checker seen from the side is an ellipse. Rather than look for ellipses, the picture is turned as if the
camera looked straight down on the table, for a few guesses of the slant; there checkers are circles.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from controller.arrays import FloatArray, Picture

WORKING_WIDTH = 960
USUAL_FOCAL_IN_WIDTHS = 0.85
SLANTS_DEG = (30.0, 45.0)
# Most slanted cameras stand in front of the board: the far side is up in the picture.
DIRECTIONS_DEG = (270.0, 225.0, 315.0, 90.0, 180.0, 0.0, 135.0, 45.0)
SMALLEST_RADIUS = 7
LARGEST_RADIUS = 42
# A picture with more circles than that is full of texture: then only well supported ones are taken.
MOST_DISCS = 300
SUPPORTS = (0.55, 0.7, 0.85)
# Share of edge pixels; boards on patterned cloths stay below a tenth, noise is far above.
MOST_EDGES = 0.25


@dataclass(frozen=True)
class TopView:
    """The picture as a camera would see it that looks straight down, if the slant was guessed right.

    ``to_view`` is the 3x3 homography from pixels of the original picture to pixels of ``picture``.
    """

    picture: Picture
    to_view: FloatArray

    def to_original(self, points: FloatArray) -> FloatArray:
        """Pixels of the original picture, shape (n, 2), for pixels of the view."""
        back = cv2.perspectiveTransform(np.asarray(points, float)[None], np.linalg.inv(self.to_view))
        return np.asarray(back[0], float)


def views(picture: Picture) -> Iterator[TopView]:
    """The picture as it is, then turned for each guess of the slant; most likely guesses first."""
    yield _view(picture, 0.0, 0.0)
    for slant in SLANTS_DEG:
        for direction in DIRECTIONS_DEG:
            yield _view(picture, slant, direction)


def find_discs(view: TopView) -> FloatArray:
    """Circles in a view: rows of centre x, centre y, radius in pixels of the view, shape (n, 3)."""
    grey = cv2.cvtColor(view.picture, cv2.COLOR_BGR2GRAY)
    grey = cv2.GaussianBlur(grey, (0, 0), 0.8)
    if np.count_nonzero(cv2.Canny(grey, 60, 120)) > MOST_EDGES * grey.size:
        return np.zeros((0, 3))
    rows = np.zeros((0, 3))
    for support in SUPPORTS:
        rows = _circles(np.asarray(grey, np.uint8), support)
        if len(rows) <= MOST_DISCS:
            break
    return rows[:MOST_DISCS]


def _circles(grey: Picture, support: float) -> FloatArray:
    """Circles of which at least a share ``support`` is seen as an edge: rows of x, y, radius, shape (n, 3)."""
    found = cv2.HoughCircles(
        grey,
        cv2.HOUGH_GRADIENT_ALT,
        dp=1.5,
        minDist=SMALLEST_RADIUS,
        param1=120,
        param2=support,
        minRadius=SMALLEST_RADIUS,
        maxRadius=LARGEST_RADIUS,
    )
    if found is None:
        return np.zeros((0, 3))
    rows = np.asarray(found, float).reshape(-1, np.asarray(found).shape[-1])
    return np.asarray(rows[:, :3], float)


def _view(picture: Picture, slant_deg: float, direction_deg: float) -> TopView:
    height, width = picture.shape[:2]
    focal = USUAL_FOCAL_IN_WIDTHS * width
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    lens = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    direction = np.radians(direction_deg)
    axis = np.array([-np.sin(direction), np.cos(direction), 0]) * np.radians(slant_deg)
    turn = lens @ np.asarray(cv2.Rodrigues(axis)[0], float) @ np.linalg.inv(lens)
    scale = WORKING_WIDTH / max(width, 1.2 * height) / _scale_at(turn, middle)
    grow = np.diag([scale, scale, 1.0]) @ turn
    edge = np.array([[x, y] for x in (0, width / 2, width - 1) for y in (0, height / 2, height - 1)], float)
    spread = np.asarray(cv2.perspectiveTransform(edge[None], grow), float)[0]
    centre = np.asarray(cv2.perspectiveTransform(middle[None, None], grow), float)[0, 0]
    reach = np.array([width, height]) * WORKING_WIDTH / max(width, 1.2 * height)
    low = np.maximum(spread.min(0), centre - reach)
    high = np.minimum(spread.max(0), centre + reach)
    to_view = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ grow
    size = (int(high[0] - low[0]) + 1, int(high[1] - low[1]) + 1)
    shrinking = scale < 0.7
    source = cv2.GaussianBlur(picture, (0, 0), 0.4 / scale) if shrinking else picture
    turned = cv2.warpPerspective(
        source, to_view, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return TopView(np.asarray(turned, np.uint8), to_view)


def _scale_at(homography: FloatArray, point: FloatArray) -> float:
    """How much lengths grow at a point under a homography."""
    spots = point + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    moved = np.asarray(cv2.perspectiveTransform(spots[None], homography), float)[0]
    return float(np.sqrt(abs(np.linalg.det(np.stack([moved[1] - moved[0], moved[2] - moved[0]])))))
