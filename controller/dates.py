"""Which dates a clock can rightly show."""

from datetime import UTC, date, datetime
from typing import Final

EARLIEST: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""This program is younger than that, so a clock before it is wrong."""


def day_of(now: datetime) -> date | None:
    """The day, as people here call it; None while the clock is not right, so that no file tells a wrong one."""
    return now.astimezone().date() if now >= EARLIEST else None
