"""Power cuts: what may be on a disk when the power goes, worked out from what was there before and after."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Self

SECTOR = 512
LOG_HEAD = 32
"""Bytes of the header of a write-ahead log (SQLite file format, section 4.1)."""


@dataclass(frozen=True)
class Disk:
    """The files of a journal at one moment."""

    main: bytes
    log: bytes

    @classmethod
    def of(cls, path: Path) -> Self:
        log = path.with_name(f"{path.name}-wal")
        return cls(path.read_bytes(), log.read_bytes() if log.exists() else b"")

    def put(self, path: Path, rng: random.Random) -> None:
        """Lay the files out as after a restart; the index of the log may hold anything."""
        path.write_bytes(self.main)
        path.with_name(f"{path.name}-wal").write_bytes(self.log)
        index = path.with_name(f"{path.name}-shm")
        index.unlink(missing_ok=True)
        if rng.random() < 0.5:
            index.write_bytes(rng.randbytes(32768))


def cut(before: Disk, after: Disk, rng: random.Random) -> Disk:
    """What a power cut leaves on its way from one moment to the next, both of which were synced.

    A writer appends to the log, syncs it, and only then folds it into the main file, if at all. So either the
    log is caught in the middle and the main file is as before, or the log is as after and the main file is
    caught. A log that was folded in is begun anew from its head, which is synced before anything follows it
    (`sqlite3WalFrames` in SQLite's `wal.c` says why). Of what was not synced, each sector may have reached
    the disk, or not, or hold rubbish, and the file may have grown, or not.
    """
    if before.main == after.main or rng.random() < 0.5:
        begun = after.log[:LOG_HEAD] + before.log[LOG_HEAD:]
        if begun != before.log and rng.random() < 0.2:
            return Disk(before.main, rng.choice((before.log, begun)))
        return Disk(before.main, torn(begun, after.log, rng))
    return Disk(torn(before.main, after.main, rng), after.log)


def torn(before: bytes, after: bytes, rng: random.Random) -> bytes:
    """A file with some of its changed sectors written."""
    share = rng.random()
    content = bytearray(after[: max(len(before), rng.randint(min(len(before), len(after)), len(after)))])
    for start in range(0, len(content), SECTOR):
        place = slice(start, min(start + SECTOR, len(content)))
        old, new = before[place], content[place]
        if old == new or rng.random() < share:
            continue
        rest = len(new) - len(old)
        content[place] = old + (bytes(rest) if rng.random() < 0.5 else rng.randbytes(rest))
    return bytes(content)
