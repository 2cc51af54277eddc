"""A painted table that was calibrated, once for all tests that need one."""

import pytest

from controller.demo.preparing import Prepared, prepare


@pytest.fixture(scope="session")
def prepared() -> Prepared:
    return prepare(1)
