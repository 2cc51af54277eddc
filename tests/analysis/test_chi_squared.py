"""The chi-squared distributions beside SciPy's."""

from typing import Any

import pytest

from controller.analysis.chi_squared import critical_value, needed_noncentrality, tail_chance


@pytest.fixture(scope="module")
def stats() -> Any:
    from scipy import stats  # takes most of a second to load, and every worker collects this file

    return stats


@pytest.mark.parametrize("freedom", [1, 2, 5, 20, 63])
def test_tails_are_those_of_scipy(stats: Any, freedom: int) -> None:
    for statistic in (0.0, 1e-6, 0.3, 4.0, 13.4, 40.0, 300.0, 2000.0):
        assert tail_chance(statistic, freedom) == pytest.approx(stats.chi2.sf(statistic, freedom), rel=1e-9)


@pytest.mark.parametrize("noncentrality", [0.01, 1.0, 12.5, 80.0, 600.0])
def test_tails_around_a_fault_are_those_of_scipy(stats: Any, noncentrality: float) -> None:
    for statistic in (0.5, 11.0, 30.0, 90.0, 700.0):
        expected = stats.ncx2.sf(statistic, 5, noncentrality)
        assert tail_chance(statistic, 5, noncentrality) == pytest.approx(expected, rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("chance", [0.5, 0.01, 1e-6])
def test_critical_values_are_those_of_scipy(stats: Any, chance: float) -> None:
    for freedom in (1, 5, 20):
        assert critical_value(chance, freedom) == pytest.approx(stats.chi2.isf(chance, freedom), rel=1e-9)


def test_the_noncentrality_that_a_test_needs_gives_it_its_power(stats: Any) -> None:
    critical = stats.chi2.isf(0.01, 5)
    assert stats.ncx2.sf(critical, 5, needed_noncentrality(0.8, critical, 5)) == pytest.approx(0.8, abs=1e-9)
