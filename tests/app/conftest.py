"""A journal for the tests of the table."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.record.journal.journal import Journal


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """A new journal on the disk."""
    with Journal(tmp_path / "journal.db") as journal:
        yield journal
