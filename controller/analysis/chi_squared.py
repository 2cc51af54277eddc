"""The chi-squared distributions, in closed form for a whole number of degrees of freedom."""

from collections.abc import Callable
from math import erfc, exp, lgamma, log, sqrt
from typing import Final

STEPS: Final = 200
"""Halvings of an interval until nothing is left of it: a double has 53 bits, and the first ones find the exponent."""

TAIL: Final = 12
"""Standard deviations of the Poisson weights that are added up; what lies beyond is smaller than rounding."""


def tail_chance(statistic: float, freedom: int, noncentrality: float = 0.0) -> float:
    """The chance of a statistic as large as this one or larger.

    With a `noncentrality` above 0 that of the noncentral distribution: the central ones of 0, 1, 2 ... pairs of
    degrees of freedom more, weighed by a Poisson distribution of half the noncentrality.
    """
    if statistic <= 0:
        return 1.0
    if not noncentrality:
        return _central(statistic, freedom)
    mean = noncentrality / 2
    reach = TAIL * sqrt(mean) + TAIL
    pairs = range(max(0, int(mean - reach)), int(mean + reach) + 1)
    return sum(
        exp(each * log(mean) - mean - lgamma(each + 1)) * _central(statistic, freedom + 2 * each)
        for each in pairs
    )


def critical_value(chance: float, freedom: int) -> float:
    """The statistic that is reached with this chance, which lies between 0 and 1."""
    high = float(freedom)
    while tail_chance(high, freedom) > chance:
        high *= 2
    return _crossing(lambda statistic: tail_chance(statistic, freedom) - chance, 0.0, high)


def needed_noncentrality(power: float, critical: float, freedom: int) -> float:
    """The noncentrality with which a test finds a fault with this power, its statistic having to reach `critical`."""
    high = critical
    while tail_chance(critical, freedom, high) < power:
        high *= 2
    return _crossing(lambda noncentrality: power - tail_chance(critical, freedom, noncentrality), 0.0, high)


def _central(statistic: float, freedom: int) -> float:
    """The upper tail, by the recurrence of the incomplete gamma function (Abramowitz and Stegun 26.4.4, 26.4.5)."""
    half = statistic / 2
    odd = freedom % 2
    found = erfc(sqrt(half)) if odd else 0.0
    return found + sum(
        exp((each + odd / 2) * log(half) - half - lgamma(each + odd / 2 + 1)) for each in range(freedom // 2)
    )


def _crossing(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that falls from `low` to `high` is 0."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2
