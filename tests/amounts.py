"""How much is tried: what finds a fault in minutes, and in `make test-long` what may take hours."""

import os
from typing import TypeVar

T = TypeVar("T")

LONG = "POINTSMAN_LONG_TESTS"
"""`make test-long` sets it."""


def amount(usual: T, long: T) -> T:
    """The one or the other: seeds, turns, damages."""
    return long if os.environ.get(LONG) else usual
