"""What holds for every test: no time limits, because neighbours on a shared machine are no defect; a browser.

What is compiled is kept, whatever the surroundings say (images for containers forbid it): if it is not, every run
compiles all tests anew, which takes longer than to collect them, and every program that a test starts compiles the
whole house.

OpenCV and BLAS compute in one thread, in programs that tests start, too: the workers share the processors already,
and threads that wait for each other take a fifth more of them (evenings of the demo: 26 s of processor time, and 21
with one thread).
"""

import asyncio
import gc
import os
import sys
from collections.abc import Coroutine
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
import uvicorn.server
import websockets.sync.client
from hypothesis import HealthCheck, settings

from tests.adapters import share_adapters
from tests.browser import browser, chromium
from tests.durations import Stopwatch, is_quick, longest_first

__all__ = ["browser", "chromium"]

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
for threads in ("OPENCV_FOR_THREADS_NUM", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(threads, "1")


MEMORY = Path("/dev/shm")
ROOM_BYTES = 4 << 30
"""More than the folders of all tests take."""


def keep_folders_in_memory() -> None:
    """Folders of tests lie in memory where there is room: on a disk each event of a journal waits until it is safe.

    Two files on journals took 21 s on a disk, and 8 s in memory. Tests start programs from their folders, too.
    """
    if MEMORY.is_dir():
        told = os.statvfs(MEMORY)
        if told.f_bavail * told.f_frsize >= ROOM_BYTES and not told.f_flag & os.ST_NOEXEC:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


keep_folders_in_memory()


def sleep_a_tenth(seconds: float) -> Coroutine[object, object, None]:
    return asyncio.sleep(seconds / 10)


# Uvicorn looks ten times a second whether it is to end, and whether everybody has gone: a fifth of a second for each
# server of a test that ends. Here it looks a hundred times.
uvicorn.server.asyncio = SimpleNamespace(**{**vars(asyncio), "sleep": sleep_a_tenth})  # type: ignore[attr-defined]

PATIENCE_S = 120.0
"""A server of a test may take so long to answer: a client's own five or ten seconds are little on a busy machine."""

for step in ("connect", "read", "write", "pool"):
    setattr(httpx._config.DEFAULT_TIMEOUT_CONFIG, step, PATIENCE_S)
websockets.sync.client.connect.__kwdefaults__["open_timeout"] = PATIENCE_S

# Each client of httpx reads all authorities of the Internet, which takes longer than what most tests ask: those of a
# worker share what the first has read.
httpx._transports.default.create_ssl_context = cache(httpx._config.create_ssl_context)

settings.register_profile("unhurried", deadline=None)
# For a processor that is emulated (`make test-arm`): `--hypothesis-profile=few`.
settings.register_profile("few", deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick", action="store_true", help="only files that take a moment (tests/durations.py)"
    )


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Stopwatch(config))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if config.getoption("quick") and collection_path.is_file():
        return not is_quick(collection_path.relative_to(config.rootpath).as_posix()) or None
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    longest_first(items)


def pytest_collection() -> None:
    """Modules, tests and tables stay for the whole run: looking through them for rubbish is time lost."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Rubbish is looked for seldom: most of what a test makes goes at once, and what it loads stays."""
    if "fastapi" in sys.modules:
        share_adapters()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()
