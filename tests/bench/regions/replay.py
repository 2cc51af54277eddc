"""A region for the bench: ``python -m tests.bench.regions.replay NATS CLUB JOURNALS RATE SECONDS SEED OUT``.

Its tables replay the matches that ship with the project, an entry at random moments; a real uplink sends them. What
was written, and when, is in OUT at the end. It begins when a line comes in.
"""

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

from controller.demo.crowd.recording import recordings
from controller.hub.hub import other_hub
from controller.hub.uplink.other_hub import Place
from controller.hub.uplink.uplink import Uplink
from controller.record.journal.journal import Row, link

PATIENCE_S = 600.0


class ReplayedJournals:
    """The tables of a region, in memory; see `EntrySource`.

    Attributes:
        written_ms: of each journal, when each entry was written.
    """

    def __init__(self, club: str, count: int, entries: Sequence[tuple[str, str]], rng: Random) -> None:
        self.club = club
        self.written_ms: dict[Place, list[int]] = {}
        self._rows: dict[Place, list[Row]] = {}
        self._coming: list[Iterator[tuple[str, str]]] = []
        self._places: list[Place] = []
        self._hearers: list[Callable[[Any], None]] = []
        self._turn = threading.Lock()
        for number in range(1, count + 1):
            self._coming.append(islice(cycle(entries), rng.randrange(len(entries)), None))
            first = self._following(number - 1, f"table-{number}", [])
            place = (f"table-{number}", first[-1][:16])
            self._places.append(place)
            self._rows[place], self.written_ms[place] = [first], [_now_ms()]

    def __len__(self) -> int:
        return len(self._places)

    def write(self, number: int) -> None:
        """The table of this number, from 0, writes its next entry."""
        place = self._places[number]
        with self._turn:
            row = self._following(number, place[0], self._rows[place])
            self._rows[place].append(row)
            self.written_ms[place].append(_now_ms())

    def tell(self) -> None:
        """Whoever sends is told that there is something."""
        for hear in self._hearers:
            hear(None)

    def heads(self) -> dict[Place, str]:
        """The chain of the newest entry of each journal."""
        return {place: rows[-1][-1] for place, rows in self._rows.items()}

    def newest(self) -> Mapping[Place, int]:
        """See `EntrySource`."""
        with self._turn:
            return {place: len(rows) for place, rows in self._rows.items()}

    def rows(self, table: str, journal: str, *, after: int, most: int) -> Sequence[Row]:
        """See `EntrySource`."""
        return self._rows[table, journal][after : after + most]

    def subscribe(self, hear: Callable[[Any], None]) -> None:
        """See `EntrySource`."""
        self._hearers.append(hear)

    def _following(self, number: int, table: str, rows: list[Row]) -> Row:
        kind, payload = next(self._coming[number])
        before, next_ = (rows[-1][-1] if rows else ""), len(rows) + 1
        utc = f"{self.club} {table}"  # so that no two journals begin alike
        values = (next_, "1", utc, next_ / 8, kind, payload)
        return (*values, link(before, *values))


def replayed(journals: ReplayedJournals, rate: float, seconds: float, rng: Random) -> None:
    """Have every table write at random moments, so many entries a second each."""
    began = time.monotonic()
    due = [(began + rng.expovariate(rate), number) for number in range(len(journals))]
    heapify(due)
    while (now := time.monotonic()) < began + seconds:
        wrote = False
        while due[0][0] <= now:
            at, number = heappop(due)
            journals.write(number)
            heappush(due, (at + rng.expovariate(rate), number))
            wrote = True
        if wrote:
            journals.tell()
        time.sleep(0.05)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def main(nats: str, club: str, count: int, rate: float, seconds: float, seed: int, out: Path) -> None:
    """Replay, send, and write down what was sent."""
    entries = [
        (kind, json.dumps(payload, ensure_ascii=False, separators=(",", ":")))
        for recording in recordings()[seed % 3 :: 3]
        for moment in recording.moments
        for kind, _, payload in moment.entries
    ]
    rng = Random(seed)
    print("ready", flush=True)
    sys.stdin.readline()
    journals = ReplayedJournals(club, count, entries, rng)
    with Uplink(
        journals, other_hub(nats, ""), lambda said: print(said, file=sys.stderr, flush=True)
    ) as uplink:
        replayed(journals, rate, seconds, rng)
        end = time.monotonic() + PATIENCE_S
        ended = time.monotonic()
        while (uplink.left or uplink.trouble) and time.monotonic() < end:
            time.sleep(0.2)
        took = time.monotonic() - ended
    heads = journals.heads()
    told = [
        [table, journal, heads[table, journal], written]
        for (table, journal), written in journals.written_ms.items()
    ]
    out.write_text(json.dumps({"club": club, "journals": told, "after_s": took, "left": uplink.left}))


if __name__ == "__main__":
    _, nats, club, count, rate, seconds, seed, out = sys.argv
    main(nats, club, int(count), float(rate), float(seconds), int(seed), Path(out))
