"""The write-ahead log of a journal, looked at before SQLite does: which of it SQLite would leave out in silence.

The format is in section 4 of SQLite's file format: a header of 32 bytes, then frames of 24 bytes and a page, each
with the two salts of the header and a checksum over all that came before. SQLite reads up to the first frame that
does not fit and forgets the rest without a word.
"""

import struct
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

HEADER: Final = struct.Struct(">8I")
"""Magic number, version, page size, checkpoint, two salts, two sums."""
FRAME: Final = struct.Struct(">6I")
"""Page, pages after a commit or 0, two salts, two sums."""
MAGIC: Final = 0x377F0682
"""The lowest bit says whether sums are over big-endian numbers."""
_Sums = tuple[int, int]


def log_name(journal: Path) -> Path:
    """Where the write-ahead log of a journal lies."""
    return journal.with_name(f"{journal.name}-wal")


def count_unreadable(journal: Path) -> int:
    """How many transactions lie in the log of a journal that SQLite will not read, because of a damaged frame.

    One may be the one that was being written when the power went, and that nobody had been told of; more than one is
    damage. 0 if there is no log, or all of it can be read.

    Raises:
        OSError: if the log cannot be read.
    """
    try:
        data = log_name(journal).read_bytes()
    except FileNotFoundError:
        return 0
    if len(data) <= HEADER.size:
        return 0
    magic, _, size, _, *salts, first, second = HEADER.unpack_from(data)
    whole = magic | 1 == MAGIC | 1 and _sum(data[: HEADER.size - 8], (0, 0), magic) == (first, second)
    if not whole or size not in _PAGE_SIZES:
        return _count_without_header(data)
    sums: _Sums = (first, second)
    good, lost = True, 0
    for place in range(HEADER.size, len(data) - FRAME.size + 1, FRAME.size + size):
        frame = data[place : place + FRAME.size + size]
        _, pages, one, two, *told = FRAME.unpack_from(frame)
        if one != salts[0] and two != salts[1]:
            continue  # what an earlier round of the log left behind
        if good and len(frame) == FRAME.size + size:
            sums = _sum(frame[:8] + frame[FRAME.size :], sums, magic)
            good = [one, two] == salts and list(sums) == told
        else:
            good = False
        lost += not good and (pages > 0 or len(frame) < FRAME.size + size)
    return lost if good else max(lost, 1)


_PAGE_SIZES: Final = frozenset(1 << bits for bits in range(9, 17))


def _frames(data: bytes, place: int, size: int) -> Iterator[tuple[int, int, int]]:
    """Of each frame from a place on: its salts, and the pages after a commit or 0."""
    while place + FRAME.size <= len(data):
        _, pages, one, two, *_ = FRAME.unpack_from(data, place)
        yield one, two, pages
        place += FRAME.size + size


def _count_without_header(data: bytes) -> int:
    """The transactions of a log whose header is damaged: as many as commit, with the page size that fits best."""
    best = 1
    for size in _PAGE_SIZES:
        runs = groupby(_frames(data, HEADER.size, size), key=lambda frame: frame[:2])
        alike = [[pages for _, _, pages in run] for _, run in runs]
        longest = max(alike, key=len, default=[])
        if len(longest) > 1:
            best = max(best, sum(pages > 0 for pages in longest))
    return best


def _sum(data: bytes, before: _Sums, magic: int) -> _Sums:
    """SQLite's checksum over a whole number of pairs of 32-bit numbers, going on from earlier sums."""
    one, two = before
    words = struct.unpack(f"{'>' if magic & 1 else '<'}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        one = (one + even + two) & 0xFFFFFFFF
        two = (two + odd + one) & 0xFFFFFFFF
    return one, two
