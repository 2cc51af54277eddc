"""A painted table that was calibrated, once for all tests that need one."""

from functools import cache

import pytest

from controller.demo.preparing import Prepared, prepare


@cache
def first_table() -> Prepared:
    """Made once a worker: the fixture stands in other folders too, and is made anew for each of them."""
    return prepare(1)


@pytest.fixture(scope="session")
def prepared() -> Prepared:
    return first_table()
