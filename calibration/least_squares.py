"""Least squares for a function that is not linear and sightings some of which are wrong."""

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np

from controller.arrays import FloatArray

Misfit: TypeAlias = Callable[[FloatArray], FloatArray]
STEP: Final = float(np.sqrt(np.finfo(float).eps))
"""Of a forward difference, relative to values above 1: half of the digits for the step, half for the difference."""
SETTLED: Final = 1e-8
"""Relative change of cost or values below which nothing more is to be gained."""
TRIALS: Final = 200
"""Most values that are tried; boards that can be found took 10 to 60."""
FIRST_DAMPING: Final = 1e-3


def least_squares(misfit: Misfit, start: FloatArray) -> FloatArray:
    """The values near `start` whose misfits are least, in the sense of a soft absolute value.

    `misfit` gives as many numbers for any values, in units of their usual error, and for rows of values, the first
    axis, as many rows: all slopes are asked for at once. Each misfit costs 2 (sqrt(1 + square) - 1), so that one far
    off weighs by its size and not by its square (Triggs 1999). Steps are those of Levenberg and Marquardt, damped in
    proportion to what each value moves (Nielsen 1999).
    """
    values = np.array(start, float)
    misfits = misfit(values)
    cost = _cost(misfits)
    damping, growth = FIRST_DAMPING, 2.0
    reach = np.zeros(len(values))
    slopes: FloatArray | None = None
    for _ in range(TRIALS):
        if slopes is None:
            # The parabola that touches the cost: of misfits far off it is flatter than that of their squares.
            bend = 1 + misfits**2
            slopes = _slopes(misfit, values, misfits) * (bend**-0.75)[:, None]
            pulls = misfits * bend**0.25
            reach = np.maximum(reach, np.linalg.norm(slopes, axis=0))
            reach[reach == 0] = 1.0
        damped = np.concatenate([slopes, np.diag(np.sqrt(damping) * reach)])
        step = np.linalg.lstsq(damped, np.concatenate([-pulls, np.zeros(len(values))]), rcond=None)[0]
        promised = 0.5 * float(pulls @ pulls - ((pulls + slopes @ step) ** 2).sum())
        tried = misfit(values + step)
        gained = cost - _cost(tried)
        small = bool(np.linalg.norm(step) < SETTLED * (SETTLED + np.linalg.norm(values)))
        if gained > 0 and promised > 0:
            settled = gained < SETTLED * cost and gained > promised / 4
            values, misfits, cost, slopes = values + step, tried, cost - gained, None
            damping *= max(1 / 3, 1 - (2 * gained / promised - 1) ** 3)
            growth = 2.0
            if settled:
                break
        else:
            damping, growth = damping * growth, growth * 2
        if small:
            break
    return values


def _cost(misfits: FloatArray) -> float:
    return float((np.sqrt(1 + misfits**2) - 1).sum())


def _slopes(misfit: Misfit, values: FloatArray, misfits: FloatArray) -> FloatArray:
    """How much each misfit changes with each value, by forward differences, shape (misfits, values)."""
    moved = values + np.diag(STEP * np.maximum(1.0, np.abs(values)) * np.where(values >= 0, 1, -1))
    return np.asarray((misfit(moved) - misfits).T / (np.diagonal(moved) - values), float)
