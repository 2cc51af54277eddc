"""A demo whose disk is full while it plays: the match that is on is kept, as at any table."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.logs.log import LOG_FILE
from controller.record.journal.journal import Journal
from controller.record.table.match_folder import JOURNAL, MAT, NAME
from tests.app.damages import confirmed_in
from tests.app.test_failing_disk import ROOT, shim

__all__ = ["shim"]
TURN = re.compile(r" +\d+  (Anna|Bruno) ")
TURNS = 2


def turns_of(journal: Path) -> int:
    with Journal(journal, read_only=True) as opened:
        opened.verify()
        return confirmed_in(opened.events(NAME)).total()


class Demo:
    """A demo in a process of its own, on a disk that a switch fills."""

    def __init__(self, place: Path, shim: Path) -> None:
        self.out, self._switch = place / "out", place / "switch"
        self.elsewhere = place / "elsewhere"
        self.elsewhere.mkdir()
        self.fill("-")
        env = os.environ | {
            "LD_PRELOAD": str(shim),
            "FAILING_DISK_FILES": str(self.out),
            "FAILING_DISK_SWITCH": str(self._switch),
            "PYTHONPATH": str(ROOT),
            "TMPDIR": str(self.elsewhere),
        }
        quick = ("--profile", "hypergammon", "--seed", "1")  # a few checkers are soon played
        words = ["demo", "--headless", "--twin", *quick, "--out", str(self.out)]
        self._complaints = place / "complaints"
        with self._complaints.open("w") as complaints:
            self._running = subprocess.Popen(
                [sys.executable, "-m", "controller", *words],
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
                env=env,
                cwd=ROOT,
            )
        assert self._running.stdout is not None
        self._lines: Iterator[str] = iter(self._running.stdout.readline, "")

    def fill(self, letter: str) -> None:
        self._switch.write_text(letter)

    def play(self, turns: int) -> None:
        """Wait until so many further turns were told."""
        for _ in range(turns):
            assert any(TURN.match(line) for line in self._lines), self.complaints

    @property
    def complaints(self) -> str:
        return self._complaints.read_text()

    def stop(self) -> None:
        if self._running.returncode is not None:
            return
        self._running.send_signal(signal.SIGINT)
        self._running.communicate()
        assert self._running.returncode == 130
        assert "Traceback" not in self.complaints

    @property
    def journal(self) -> Path:
        (journal,) = self.out.glob(f"*/{JOURNAL}")
        return journal


@pytest.fixture
def demo(tmp_path: Path, shim: Path) -> Iterator[Demo]:
    demo = Demo(tmp_path, shim)
    yield demo
    demo.stop()


def test_a_match_goes_on_in_memory_and_is_written_when_there_is_room_again(
    demo: Demo,
) -> None:
    demo.play(TURNS)
    demo.fill("F")
    demo.play(TURNS)
    assert "in memory only" in demo.complaints
    demo.fill("-")
    demo.stop()  # what was played so far is written, as where a table is ended
    assert "can be written again" in demo.complaints
    assert turns_of(demo.journal) >= 2 * TURNS - 1
    assert demo.journal.with_name(MAT).exists()
    assert {path.name for path in demo.out.iterdir()} == {"match-01", LOG_FILE}


def test_a_match_on_a_disk_that_stays_full_is_kept_elsewhere_and_what_was_written_stays(demo: Demo) -> None:
    demo.play(TURNS)
    demo.fill("F")
    demo.play(TURNS)
    demo.stop()
    assert "The whole match is in" in demo.complaints
    assert turns_of(demo.journal) >= TURNS - 1
    (saved,) = demo.elsewhere.glob(f"*/{JOURNAL}")
    assert str(saved) in demo.complaints
    assert turns_of(saved) >= 2 * TURNS - 1
