"""A clock that cannot be right tells no day."""

from datetime import UTC, datetime

from controller.dates import EARLIEST, day_of


def test_a_day_is_known_once_the_clock_can_be_right() -> None:
    assert day_of(datetime(1970, 1, 1, 0, 2, tzinfo=UTC)) is None
    assert day_of(EARLIEST) == EARLIEST.astimezone().date()
    assert (
        day_of(datetime(2026, 11, 21, 12, tzinfo=UTC))
        == datetime(2026, 11, 21, 12, tzinfo=UTC).astimezone().date()
    )
