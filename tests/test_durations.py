"""What `make quick` runs reaches into every room, and the page lists what takes longest."""

from pathlib import Path

import pytest

from tests.durations import PAGE, ROOT, durations, is_quick, longest_first, table

SLOW_ONLY = {"recipes", "install"}
"""Rooms of which nothing is quick: these tests install, or copy the whole project."""
NOT_RUN = {"arm", "data", "long"}


def test_a_quick_run_reaches_into_every_room() -> None:
    rooms = {
        path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and any(path.rglob("test_*.py"))
    }
    files = [path.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py")]
    reached = {path.parts[1] for path in files if is_quick(path.as_posix())}
    assert rooms - NOT_RUN - SLOW_ONLY <= reached


def test_the_slowest_files_are_on_the_page() -> None:
    assert table(durations()) in PAGE.read_text(), "run `python -m tests.durations`"


def test_what_takes_longest_begins_first_and_files_stay_together(request: pytest.FixtureRequest) -> None:
    items = list(request.session.items)
    longest_first(items)
    files = [Path(item.nodeid.partition("::")[0]) for item in items]
    seconds = [durations().get(path.as_posix(), 0.0) for path in files]
    assert seconds == sorted(seconds, reverse=True)
    assert [*dict.fromkeys(files)] == [path for n, path in enumerate(files) if n == 0 or files[n - 1] != path]
