"""Many disks that fail at some moment of a match."""

from pathlib import Path

import pytest

from tests.app.test_failing_disk import play_on_failing_disk, shim

__all__ = ["shim"]


@pytest.mark.parametrize("recovers", [True, False])
def test_a_hundred_failing_disks_keep_what_they_say(tmp_path: Path, shim: Path, recovers: bool) -> None:
    play_on_failing_disk(tmp_path, shim, recovers, 100)
