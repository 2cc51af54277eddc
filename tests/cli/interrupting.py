"""Interrupts a running table in every way that a terminal, a shell and a tired Pi know."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from controller.record.journal.journal import Journal
from controller.record.match.history import INPUT
from controller.record.table.doubts import list_doubts
from controller.record.table.sequence import match_journals

WAYS = ("KILL", "INT", "TERM", "HUP", "closed output", "STOP and CONT")
PATIENCE_S = 120.0
LATEST_S = 4.0
"""Until so long after its first words a table is interrupted."""
ENV = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}


@dataclass(frozen=True)
class Interruption:
    """What came of one.

    Attributes:
        way: how the table was interrupted.
        status: how it ended; None if it did not.
        events: how many events the last journal holds, inputs left out.
        doubts: what is wrong with it.
    """

    way: str
    status: int | None
    events: int
    doubts: tuple[str, ...]


def interrupt(config: Path, way: str, rng: Random) -> Interruption:
    """Start the table, interrupt it at any moment after its first words, and look at what it leaves."""
    command = [sys.executable, "-m", "controller", "run", "--config", str(config)]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=config.parent, env=ENV
    )
    assert running.stdout is not None
    running.stdout.readline()
    if way == "closed output":
        running.stdout.close()
    time.sleep(rng.uniform(0.0, LATEST_S))
    match way:
        case "closed output":
            running.terminate()
        case "STOP and CONT":
            for _ in range(3):
                running.send_signal(signal.SIGSTOP)
                time.sleep(rng.uniform(0.0, 0.2))
                running.send_signal(signal.SIGCONT)
                time.sleep(rng.uniform(0.0, 0.1))
            running.send_signal(signal.SIGINT)
        case _:
            running.send_signal(getattr(signal, f"SIG{way}"))
    try:
        if running.stdout.closed:
            running.wait(PATIENCE_S)
        else:
            running.communicate(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()
        return Interruption(way, None, 0, ())
    journals = match_journals(config.parent / "matches")
    if not journals:
        return Interruption(way, running.returncode, 0, ())
    with Journal(journals[-1], read_only=True) as journal:
        events = sum(1 for _ in journal.events(without=INPUT))
    return Interruption(way, running.returncode, events, tuple(list_doubts(journals[-1])))


def is_sound(found: Interruption, before: int) -> bool:
    """Whether a table ended as documented and lost nothing of the events that were there before."""
    documented = {-signal.SIGKILL, 0} if found.way == "KILL" else {0}
    return found.status in documented and found.events >= before and not found.doubts
