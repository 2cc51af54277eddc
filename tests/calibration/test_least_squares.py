"""Least squares with a soft loss: as good a minimum as SciPy's."""

import numpy as np
import pytest

import calibration.fit
from calibration.fit import Sighting, fit_board
from calibration.least_squares import Misfit, least_squares
from calibration.pattern import slots_of
from controller.arrays import FloatArray
from controller.vision.geometry.geometry import BoardGeometry
from tests.calibration.pictures import START
from tests.calibration.test_fit import SIZE, camera_above


@pytest.mark.parametrize(("noise_px", "wrong"), [(0.0, 0), (1.0, 3), (3.0, 6)])
def test_boards_are_fitted_as_well_as_by_scipy(
    noise_px: float, wrong: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With exact sightings, with noise, and with some that are 40 pixels off."""
    from scipy import optimize  # takes half a second to load, which whoever only collects tests does without

    chance = np.random.default_rng(7)

    def both(misfit: Misfit, start: FloatArray) -> FloatArray:
        found = least_squares(misfit, start)
        best = optimize.least_squares(misfit, start, loss="soft_l1", x_scale="jac", max_nfev=200)
        cost = float((np.sqrt(1 + misfit(found) ** 2) - 1).sum())
        assert cost <= best.cost * (1 + 1e-6) + 1e-9
        return found

    monkeypatch.setattr(calibration.fit, "least_squares", both)
    for slant, turn in ((5.0, 20.0), (25.0, 200.0), (45.0, 110.0)):
        camera = camera_above(slant, turn, turn / 2, 1200.0)
        board = BoardGeometry("right", 44.0, 47.0, 470.0, 41.5, 40.0, 12.0)
        sightings = []
        for number, (point, place) in enumerate(slots_of(START)):
            x, y = camera.project(board.slot(point, place)) + chance.normal(0, noise_px, 2)
            sightings.append(Sighting(point, place, float(x) + 40.0 * (number < wrong), float(y)))
        fit_board(sightings, "right", SIZE, None, max(noise_px, 0.3))


def test_a_value_that_changes_nothing_stays_as_it_was() -> None:
    found = least_squares(lambda values: values[..., :1] * [1.0, 2.0] - [3.0, 6.0], np.array([0.0, 5.0]))
    assert found == pytest.approx([3.0, 5.0], abs=1e-6)
