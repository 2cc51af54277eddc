"""Which dates a clock can rightly show."""

from datetime import UTC, datetime
from typing import Final

EARLIEST: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""This program is younger than that, so a clock before it is wrong."""
