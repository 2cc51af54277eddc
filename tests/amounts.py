"""How much is tried: what finds a fault in minutes, and in `make test-long` what may take hours."""

import os
from collections.abc import Sequence
from itertools import product
from typing import TypeVar

T = TypeVar("T")
Other = TypeVar("Other")

LONG = "POINTSMAN_LONG_TESTS"
"""`make test-long` sets it."""


def amount(usual: T, long: T) -> T:
    """The one or the other: seeds, turns, damages."""
    return long if os.environ.get(LONG) else usual


def pairs(ones: Sequence[T], others: Sequence[Other]) -> list[tuple[T, Other]]:
    """Each of all with one of the others, in turn; in `make test-long` each with each."""
    count = max(len(ones), len(others))
    return amount(
        [(ones[k % len(ones)], others[k % len(others)]) for k in range(count)], list(product(ones, others))
    )
