"""Three hundred kills: every one leaves a journal that opens and holds every acknowledged event."""

import multiprocessing
import random
import sqlite3
import time
from itertools import pairwise
from pathlib import Path

from controller.record.journal.journal import Journal, JournalError
from tests.record.journal.power import Disk, cut
from tests.record.journal.writing import UTC, write_until_killed

KILLED_PROCESSES = 100
POWER_CUTS = 200


def chains_of(path: Path) -> dict[int, str]:
    """Number and chain of each event of a journal that must be whole."""
    with Journal(path) as journal:
        journal.check_file()
        journal.verify()
        return {event.id: event.chain for event in journal.events()}


def test_no_kill_of_the_writing_process_loses_an_acknowledged_event(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["tests.record.journal.writing"])
    rng = random.Random(2)
    acknowledged: dict[int, str] = {}
    for _ in range(KILLED_PROCESSES):
        here, there = processes.Pipe(duplex=False)
        writer = processes.Process(target=write_until_killed, args=(path, there), daemon=True)
        writer.start()
        there.close()
        lives_on, killed = rng.choice([0, 0, 1, 5, 20]), False
        while True:
            try:
                number, chain = here.recv_bytes().decode().split()
            except (EOFError, OSError):
                break
            acknowledged[int(number)] = chain
            if lives_on:
                lives_on -= 1
            elif not killed:
                time.sleep(rng.random() * 0.004)
                writer.kill()
                killed = True
        writer.join()
        here.close()
        kept = chains_of(path)
        assert acknowledged.items() <= kept.items()
        acknowledged = kept
    assert len(acknowledged) > KILLED_PROCESSES


def test_no_power_cut_loses_an_acknowledged_event(tmp_path: Path) -> None:
    path, after_cut = tmp_path / "journal.db", tmp_path / "restarted.db"
    rng = random.Random(3)
    folded = caught = 0
    with Journal(path) as journal:
        # The log is folded into the main file every few events, so that many cuts fall into that moment.
        journal._database.execute("PRAGMA wal_autocheckpoint = 12")
        journal.append("m", "turn", {"ply": 0}, utc=UTC)
        moments = [(Disk.of(path), chains_of_open(journal))]
        for ply in range(1, POWER_CUTS + 1):
            journal.append("m", "turn", {"ply": ply, "pad": "x" * rng.randrange(6000)}, utc=UTC)
            moments.append((Disk.of(path), chains_of_open(journal)))
    for (before, acknowledged), (after, everything) in pairwise(moments):
        folded += before.main != after.main
        cut(before, after, rng).put(after_cut, rng)
        kept = chains_of(after_cut)
        assert acknowledged.items() <= kept.items() <= everything.items()
        caught += kept == acknowledged
    assert folded > POWER_CUTS / 10, "some cuts fall into the folding of the log"
    assert POWER_CUTS / 10 < caught < POWER_CUTS, "some unacknowledged events are lost and some are kept"


def test_the_cuts_would_find_a_journal_that_does_not_wait_for_the_disk(tmp_path: Path) -> None:
    """The same cuts, taken over several events at once as if none had been synced, do lose events."""
    path, after_cut = tmp_path / "journal.db", tmp_path / "restarted.db"
    rng = random.Random(4)
    with Journal(path) as journal:
        journal.append("m", "turn", {"ply": 0}, utc=UTC)
        before = Disk.of(path)
        for ply in range(5):
            journal.append("m", "turn", {"ply": ply, "pad": "x" * 5000}, utc=UTC)
        after, acknowledged = Disk.of(path), chains_of_open(journal)
    lost = 0
    for _ in range(20):
        cut(before, after, rng).put(after_cut, rng)
        try:
            lost += chains_of(after_cut) != acknowledged
        except (sqlite3.Error, JournalError):
            lost += 1
    assert lost > 10


def chains_of_open(journal: Journal) -> dict[int, str]:
    return {event.id: event.chain for event in journal.events()}
