"""Printed ArUco markers on the frame of the board: where they are and what they tell.

Markers 0, 1, 2 and 3 of the dictionary DICT_4X4_50 stand on the corners of the frame by light's 1-, 12-,
13- and 24-point, turned any way.
"""

from collections.abc import Mapping

import cv2
import numpy as np

from controller.arrays import FloatArray, Mask, Picture


def find_markers(picture: Picture) -> dict[int, FloatArray]:
    """Centres in pixels, shape (2,), of the corner markers seen, by their number 0..3."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    if ids is None:
        return {}
    found: dict[int, list[FloatArray]] = {}
    for corner, number in zip(corners, np.asarray(ids).ravel(), strict=True):
        found.setdefault(int(number), []).append(np.asarray(corner, float).reshape(4, 2).mean(0))
    # A number seen twice cannot be trusted: one of the two is a misreading.
    return {number: spots[0] for number, spots in found.items() if number < 4 and len(spots) == 1}


def inside(markers: Mapping[int, FloatArray], spots: FloatArray) -> Mask:
    """Which pixels, shape (n, 2), lie between the markers; all of them unless all four are seen."""
    if len(markers) < 4:
        return np.ones(len(spots), bool)
    hull = np.asarray(cv2.convexHull(np.array([markers[k] for k in range(4)], np.float32)), np.float32)
    return np.array([cv2.pointPolygonTest(hull, (float(x), float(y)), False) >= 0 for x, y in spots], bool)


def agrees(markers: Mapping[int, FloatArray], corners: FloatArray) -> bool:
    """Whether corners of the surface, shape (4, 2) in the markers' order, lie each nearest to its marker."""
    return all(
        int(np.argmin(np.linalg.norm(corners - spot, axis=1))) == number for number, spot in markers.items()
    )
