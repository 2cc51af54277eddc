"""How long each file of tests takes: the order of `make test`, what `make quick` leaves out, the page on tests.

A whole run keeps it in pytest's cache; `python -m tests.durations` then writes `durations.json`, which all of them
read, and the slowest into the page. Where a file is new or was renamed nothing breaks: it counts as quick, and the
next whole run knows it.
"""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent
KEPT: Final = Path(__file__).parent / "durations.json"
PAGE: Final = ROOT / "hardware_docs" / "tests.md"
CACHED: Final = "pointsman/durations"
QUICK_S: Final = 1.3
"""What takes longer in a whole run of 15 minutes is no part of `make quick`."""
ALWAYS: Final = frozenset({"tests/test_imports.py", "tests/docs/test_claims.py"})
"""A part of it all the same: what a change breaks without being meant to."""
WHOLE: Final = 200
"""A run of so many files is taken for a whole one."""
SHOWN: Final = 30
ROW: Final = re.compile(r"(?<=\| file \| seconds \|\n\|---\|---:\|\n)(?:\|.*\n)*")


@cache
def durations() -> dict[str, float]:
    """Seconds of each file that took a moment, on two quiet cores."""
    return {path: float(seconds) for path, seconds in json.loads(KEPT.read_text()).items()}


def is_quick(path: str) -> bool:
    """Whether a file, by its path from the root, is a part of `make quick`."""
    return path in ALWAYS or durations().get(path, 0.0) <= QUICK_S


def longest_first(items: list[pytest.Item]) -> None:
    """Put the files that take longest first, so that no worker begins with one when the others are done."""
    items.sort(key=lambda item: -durations().get(item.nodeid.partition("::")[0], 0.0))


class Stopwatch:
    """Adds up what the tests of each file take."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._took: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._took[report.nodeid.partition("::")[0]] += report.duration  # type: ignore[assignment]

    def pytest_sessionfinish(self) -> None:
        if len(self._took) >= WHOLE and self._config.cache is not None:
            self._config.cache.set(CACHED, {path: round(took, 1) for path, took in self._took.items()})


def table(seconds: dict[str, float]) -> str:
    """The slowest files as rows of the page."""
    slowest = sorted(seconds.items(), key=lambda one: -one[1])[:SHOWN]
    return "".join(f"| `{path}` | {took:.0f} |\n" for path, took in slowest)


def main() -> None:
    """Write down what the newest whole run took."""
    seconds = json.loads((ROOT / ".pytest_cache" / "v" / CACHED).read_text())
    long = {path: took for path, took in sorted(seconds.items()) if took >= 0.5}
    KEPT.write_text(json.dumps(long, indent=1) + "\n")
    PAGE.write_text(ROW.sub(lambda _: table(long), PAGE.read_text(), count=1))


if __name__ == "__main__":
    main()
