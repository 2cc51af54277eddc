"""A disk that is full or does not answer: play goes on, and what is kept and what is lost is told truly."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.record.journal.journal import Journal
from controller.record.table.doubts import list_doubts
from controller.record.table.match_folder import JOURNAL, NAME
from tests.app.damages import confirmed_in

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "tests" / "record" / "journal" / "failing_disk.c"
TIMES = 2


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("shim") / "failing_disk.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", made, SOURCE, "-ldl"], check=True)
    return made


@pytest.mark.parametrize("recovers", [True, False])
def test_what_a_failing_disk_keeps_and_loses_is_told(tmp_path: Path, shim: Path, recovers: bool) -> None:
    play_on_failing_disk(tmp_path, shim, recovers, TIMES)


def play_on_failing_disk(place: Path, shim: Path, recovers: bool, times: int) -> None:
    """Play matches, each on a disk that fails from some moment on, and see that what was told of each is true."""
    for match, told in enumerate(_play(place, shim, recovers, times)):
        _see_that_it_is_true(place, f"match-{match}", told, recovers)


def _play(place: Path, shim: Path, recovers: bool, times: int) -> list[dict[str, Any]]:
    """Play the matches; what people were told of each."""
    (place / "elsewhere").mkdir()
    env = os.environ | {
        "LD_PRELOAD": str(shim),
        "FAILING_DISK_FILES": str(place / "match-"),
        "FAILING_DISK_SWITCH": str(place / "switch"),
        "PYTHONPATH": str(ROOT),
        "TMPDIR": str(place / "elsewhere"),
    }
    words = [sys.executable, "-m", "tests.app.failing", str(place), str(times)]
    words.append("recovers" if recovers else "fails for good")
    ran = subprocess.run(words, env=env, capture_output=True, text=True, cwd=ROOT)
    assert ran.returncode == 0, ran.stderr
    played: list[dict[str, Any]] = json.loads(ran.stdout)
    assert len(played) == times
    return played


def _see_that_it_is_true(place: Path, match: str, told: dict[str, Any], recovers: bool) -> None:
    """Compare what was said with what is there."""
    said = "\n".join(told["said"])
    assert "in memory only" in said, "the disk has failed"
    journal = place / match / JOURNAL
    if recovers:
        assert "can be written again" in said or "memory" not in said, said
    else:
        saved = [each for each in (place / "elsewhere").glob("*/*.db") if str(each) in said]
        (journal,) = saved if "instead" in said else (journal,)
        assert "The journal has everything" not in said or "memory only" not in said, said
    with Journal(journal, read_only=True) as opened:
        kept = confirmed_in(opened.events(NAME)).total()
    assert kept == told["confirmed"], said
    assert list_doubts(journal) == []
