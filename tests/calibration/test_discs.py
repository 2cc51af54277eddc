"""Round things are found, also on a cloth full of edges."""

import cv2
import numpy as np

from calibration.pattern import find_discs, views


def test_checkers_are_found_on_a_chequered_cloth() -> None:
    y, x = np.mgrid[0:540, 0:960]
    turned = (x * 0.94 + y * 0.34) // 17 + (y * 0.94 - x * 0.34) // 17
    picture = np.where((turned % 2)[..., None] == 0, np.uint8(90), np.uint8(190)).repeat(3, axis=2)
    cv2.rectangle(picture, (200, 60), (760, 480), (20, 70, 20), -1)
    spots = [(300 + 33 * k, 150 + 30 * row) for k in range(5) for row in range(3)]
    for spot in spots:
        cv2.circle(picture, spot, 14, (235, 240, 240), -1, cv2.LINE_AA)
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)
    view = next(views(picture))
    found = find_discs(view)
    centres = view.to_original(found[:, :2])
    assert len(found) < 100
    for spot in spots:
        assert np.linalg.norm(centres - spot, axis=1).min() < 4
