"""A hundred kills in the middle of play."""

from pathlib import Path

from tests.app.test_kills import kill_in_mid_match


def test_a_hundred_kills_lose_nothing(tmp_path: Path) -> None:
    kill_in_mid_match(tmp_path, 100)
