"""Sentences why over a thousand decisions: what they name points the engine's way, and none takes long."""

import statistics

from controller.analysis.why.worth import FactKind
from tests.bench.bench_why import measure

DECISIONS = 1000
MOST_MS = 50


def test_nine_of_ten_named_differences_point_the_engines_way() -> None:
    named, right, spent = measure(DECISIONS)
    facts = sum(named[kind] for kind in FactKind)
    assert facts > DECISIONS / 2
    assert right.total() / facts >= 0.9
    assert statistics.quantiles(spent, n=20)[-1] < MOST_MS
