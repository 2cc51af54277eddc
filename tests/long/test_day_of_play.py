"""A day and a night of play at one table: nothing may grow, and nothing be left behind."""

import gc
import os
import threading
from pathlib import Path

from controller.demo.ledger import Ledger
from controller.demo.show import Evening, Plan, Show
from controller.rules.profile.profile import STANDARD
from tests.demo.truthful import truthful

HOURS = 24.0
WARM_HOURS = 3.0
GROWTH = 1.05


def resident() -> int:
    """Bytes of memory that this process holds."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_day_of_play_leaves_memory_threads_and_files_as_they_were(tmp_path: Path) -> None:
    played_s, number = 0.0, 0
    warm = (0, 0, 0)
    while played_s < HOURS * 3600:
        plan = Plan(10_000, 15, STANDARD, number, 2.0, firmware=False)
        evening = Evening(plan, truthful(plan), Ledger())
        with evening.folder(tmp_path / str(number)) as folder:
            show: Show = evening.match(0, folder, lambda _: None, lambda _: None)
        assert evening.ledger.list_accused() == []
        played_s, number = played_s + show.t, number + 1
        if warm == (0, 0, 0) and played_s > WARM_HOURS * 3600:
            warm = (resident(), threading.active_count(), open_files())
    assert resident() < GROWTH * warm[0]
    assert threading.active_count() <= warm[1]
    assert open_files() <= warm[2]
