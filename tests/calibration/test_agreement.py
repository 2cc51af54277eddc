"""Whether checkers lie where a fit has them."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.agreement import agreement_of, regrow
from calibration.finder import board_at_corners
from calibration.fit import RIM_SEEN, EdgedPicture, Fit, Rim
from controller.arrays import Float32Array
from controller.vision.geometry.board_grid import moved
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import NOMINAL_PITCH_MM, BoardGeometry
from tests.calibration.pictures import START, TRUTH, corners, picture
from tests.rows import each_row

NAMES = sorted(TRUTH)


@cache
def right_fit(name: str) -> tuple[EdgedPicture, Fit]:
    edged = EdgedPicture.from_picture(picture(name))
    return edged, board_at_corners(edged, START, corners(name)).fit


@pytest.mark.parametrize("name", NAMES)
def test_a_right_fit_is_trusted(name: str) -> None:
    agreement = agreement_of(*right_fit(name), START)
    assert agreement.trusted
    # Of the thirty rims at least twenty are seen so clearly that they count, on the board that shows the fewest.
    assert agreement.near >= 20


@each_row("name", NAMES)
@each_row("push", [(0.5, 0.0), (-0.5, 0.0), (0.0, 0.5), (0.4, 0.4)])
def test_half_a_point_beside_the_checkers_is_noticed(name: str, push: tuple[float, float]) -> None:
    edged, fit = right_fit(name)
    x, y = (NOMINAL_PITCH_MM * share for share in push)
    assert not agreement_of(edged, replace(fit, camera=moved(fit.camera, x, y)), START).trusted


@pytest.mark.parametrize("name", NAMES)
def test_a_bar_that_is_too_wide_is_noticed_though_the_corners_are_right(name: str) -> None:
    edged, fit = right_fit(name)
    geometry = fit.geometry
    wide = 6 * (NOMINAL_PITCH_MM - 36.0) * 2
    shrunk = replace(geometry, pitch_mm=36.0, bar_mm=geometry.bar_mm + wide)
    assert np.allclose(shrunk.corners(), geometry.corners())
    assert not agreement_of(edged, Fit(fit.camera, shrunk, fit.residuals), START).trusted


def test_a_fit_that_holds_in_the_middle_is_grown_to_the_ends() -> None:
    edged, fit = right_fit("game")
    bent = replace(fit, camera=moved(fit.camera, 0.0, 0.0, 0.03))
    before, after = (agreement_of(edged, one, START) for one in (bent, regrow(edged, bent, START)))
    assert not before.trusted
    assert after.trusted


@each_row(
    ("beside", "nowhere", "astray", "unseen"),
    [
        (0, 0, (), ()),
        (1, 0, (), ()),
        (2, 0, (8,), ()),
        (3, 0, (8,), (8,)),
        (1, 1, (), ()),
        (2, 1, (8,), (8,)),
        (1, 2, (), (8,)),
    ],
)
def test_a_point_is_astray_where_most_of_the_rims_seen_on_it_are_elsewhere(
    beside: int, nowhere: int, astray: tuple[int, ...], unseen: tuple[int, ...]
) -> None:
    """Three checkers lie on light's 8-point: some are seen a point beside it, and some nowhere."""
    edged, fit = right_fit("game")

    def rim_found(
        _field: Float32Array,
        camera: CameraModel,
        geometry: BoardGeometry,
        slot: tuple[int, int],
        _reach: float,
    ) -> Rim:
        point, place = slot
        aside = NOMINAL_PITCH_MM if point == 8 and place < beside else 0.0
        gone = point == 8 and beside <= place < beside + nowhere
        x, y = camera.project(geometry.slot(point, place) + np.array([aside, 0.0, 0.0]))
        return Rim(float(x), float(y), 1.0, 0.0 if gone else 2 * RIM_SEEN, 1.0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calibration.agreement.find_rim", rim_found)
        found = agreement_of(edged, fit, START)
    assert (found.astray, found.unseen) == (astray, unseen)
    assert (found.count, found.clear, found.near) == (30, 30 - nowhere, 30 - nowhere - beside)
