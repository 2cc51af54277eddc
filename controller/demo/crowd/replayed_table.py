"""A table whose people play recorded matches: its journals are real ones on the disk, its hub is a real one."""

import asyncio
import contextlib
import json
import random
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from controller.club.client import TableClient
from controller.club.commands import CommandFault
from controller.club.membership import Membership
from controller.club.messages import TableCommand, TableReply
from controller.club.status import ClubStatus
from controller.club.tasks import end_tasks
from controller.demo.crowd.recording import DESK, SCREEN, RecordedMoment, Recording, State
from controller.messages.device_words import club_words
from controller.record.journal.journal import Draft, Journal
from controller.record.match.history import BEGUN, HUB_TIME
from controller.record.table.match_folder import JOURNAL, NAME
from controller.record.table.sequence import begin_next
from controller.rules import Side

BETWEEN_S: Final = 20.0
"""From the end of a match to the next one."""
FIRST_NAMES: Final = (
    "Ada", "Anu", "Bence", "Dóra", "Eszter", "Gábor", "Ivana", "Jaan", "Júlia", "Kadri", "Katarína", "Kati",
    "László", "Liis", "Mari", "Marek", "Mihkel", "Nóra", "Ondrej", "Peeter", "Réka", "Tamás", "Toomas", "Zuzana",
)  # fmt: skip
LETTERS: Final = "ABCDEFGHIJKLMNOPRSTUV"


@dataclass(slots=True)
class Tally:
    """What many tables have come to.

    Attributes:
        tables: how many there are.
        connected: how many of them are connected with the hub, which takes what they say.
        matches: begun so far.
        written: entries on the disk.
        sent: entries sent to the hub, those that were sent again too.
        confirmed: entries that the hub has confirmed.
    """

    tables: int = 0
    connected: int = 0
    matches: int = 0
    written: int = 0
    sent: int = 0
    confirmed: int = 0

    def __iadd__(self, other: "Tally") -> "Tally":
        """Add the tally of other tables."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self


class ReplayedTable:
    """One table with its client. For one asyncio loop; see `ClubTable`."""

    def __init__(
        self,
        member: Membership,
        matches: Path,
        recordings: tuple[Recording, ...],
        rng: random.Random,
        speed: float,
        version: str,
    ) -> None:
        """Nobody has sat down yet.

        Args:
            member: the club and the table's name in it.
            matches: the folder for its matches.
            recordings: what is played.
            rng: draws players and matches.
            speed: how many times as fast as people.
            version: of the program.
        """
        self._recordings, self._rng, self._speed = recordings, rng, speed
        self._title, self._matches = member.title, matches
        self._journal: Journal | None = None
        self._path: Path | None = None
        self._shown: dict[str, State] = {SCREEN: {}, DESK: {}}
        self._changed = False
        self._names = dict.fromkeys(Side, "")
        self.begun = self.written = 0
        self.client = TableClient(member, self, matches, version=version, rng=rng)

    # --- what the client asks -------------------------------------------------------------------------------

    def journal(self) -> Path | None:
        """See `ClubTable`."""
        return self._path

    def state(self) -> bytes | None:
        """See `ClubTable`."""
        if not self._changed:
            return None
        self._changed = False
        return json.dumps(self._shown, ensure_ascii=False, separators=(",", ":")).encode()

    def carry_out(self, command: TableCommand) -> "Future[TableReply]":
        """See `ClubTable`: nobody listens at a table that only plays what was recorded."""
        future = Future[TableReply]()
        future.set_result(TableReply(command.id, done=False, text="A recorded match takes no commands."))
        return future

    def refuse(self, command: TableCommand, fault: CommandFault) -> str:
        """See `ClubTable`."""
        return club_words("refused", str(fault), what="", name=command.name, table=command.table)("en")

    def note_time(self, ahead_s: float) -> None:
        """See `ClubTable`."""
        self._append([(HUB_TIME, None, {"ahead_s": round(ahead_s, 3)})])

    def show(self, status: ClubStatus) -> None:
        """See `ClubTable`."""

    # --- what its people do ---------------------------------------------------------------------------------

    async def play(self) -> None:
        """Match after match, until this is cancelled; the first one is on already."""
        joined = self._rng.uniform(0.0, 0.8)
        try:
            while True:
                await self._play_match(joined)
                joined = 0.0
                await asyncio.sleep(BETWEEN_S / self._speed)
        finally:
            self._end_match()

    @property
    def tally(self) -> Tally:
        """What it has come to."""
        outbox, ready = self.client.outbox, self.client.status.ready
        return Tally(1, int(ready), self.begun, self.written, self.client.sent, outbox.confirmed)

    async def _play_match(self, joined: float) -> None:
        """Play a match, its first part at once."""
        names = dict(zip(Side, self._rng.sample(FIRST_NAMES, 2), strict=True))
        self._names = {side: f"{name} {self._rng.choice(LETTERS)}." for side, name in names.items()}
        moments = self._rng.choice(self._recordings).moments(self._names)
        self._begin_match()
        at = asyncio.get_running_loop().time()
        began = joined * moments[-1].t
        for moment in moments:
            due = at + (moment.t - began) / self._speed
            wait = due - asyncio.get_running_loop().time()
            if wait > 0:
                await asyncio.sleep(wait)
            self._happen(moment)
        self._end_match()

    def _begin_match(self) -> None:
        self.begun += 1
        folder = self._matches / f"match-{self.begun:03d}"
        folder.mkdir(parents=True)
        self._journal = Journal(folder / JOURNAL)
        self._path = self._journal.path
        self._append([(BEGUN, None, begin_next(self._matches, folder, None))])

    def _end_match(self) -> None:
        if self._journal is not None:
            self._journal.close()
            self._journal = None
            self.client.wake()

    def _happen(self, moment: RecordedMoment) -> None:
        for part, changed in moment.changed.items():
            self._shown[part] |= changed
            match = self._shown[part].get("match")
            if "match" in changed and isinstance(match, dict):
                match |= {"id": f"{self._title}-{self.begun}", "table": self._title}
        self._changed = self._changed or bool(moment.changed)
        self._append(moment.entries)

    def _append(self, entries: Iterable[tuple[str, float | None, Any]]) -> None:
        if self._journal is None:
            return
        utc = datetime.now(UTC).isoformat(timespec="milliseconds")
        drafts = [Draft(NAME, kind, payload, utc, t) for kind, t, payload in entries]
        if drafts:
            self._journal.append_all(drafts)
            self.written += len(drafts)
            self.client.wake()


async def play_together(
    tables: Iterable[ReplayedTable], stop: asyncio.Event, tell: Callable[[Tally], None], settle_s: float
) -> None:
    """Have tables play until they are to stop; what they wrote is then waited for, so long at most.

    Args:
        tables: the tables.
        stop: is set when they are to stop.
        tell: is given their tally every second, and at the end.
        settle_s: seconds.
    """
    tables = tuple(tables)
    clients = [asyncio.create_task(table.client.run()) for table in tables]
    players = [asyncio.create_task(table.play()) for table in tables]

    def tally() -> Tally:
        whole = Tally()
        for table in tables:
            whole += table.tally
        return whole

    loop = asyncio.get_running_loop()
    while not stop.is_set():
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await stop.wait()
        tell(tally())
    await end_tasks(players)
    until = loop.time() + settle_s
    while (now := tally()).confirmed < now.written and loop.time() < until:
        await asyncio.sleep(0.1)
    tell(tally())
    await end_tasks(clients)
