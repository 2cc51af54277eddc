"""A table whose people play recorded matches: its journals are real ones on the disk, its hub is a real one."""

import asyncio
import contextlib
import json
import random
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from controller.app.pairing import paired_config
from controller.club.client import TableClient
from controller.club.commands import MESSAGE, START_MATCH, CommandFault
from controller.club.membership import Membership
from controller.club.messages import TableCommand, TableReply
from controller.club.status import ClubStatus
from controller.club.tasks import end_tasks
from controller.config import Config
from controller.demo.crowd.recording import DESK, SCREEN, Entry, RecordedMoment, Recording, State, with_names
from controller.errors import UserError
from controller.messages.device_words import club_words, program_words
from controller.record.journal.journal import Draft, Journal, Json, utc_now
from controller.record.match.history import BEGUN, COMMAND, HUB_TIME, MATCH
from controller.record.table.match_folder import JOURNAL, NAME
from controller.record.table.sequence import begin_next
from controller.rules import Side
from controller.web.snapshot import OF_MATCH
from controller.web.table_service import RoomState

BETWEEN_S: Final = 20.0
"""From the end of a match to the next one."""
FIRST_NAMES: Final = (
    "Ada", "Anu", "Bence", "Dóra", "Eszter", "Gábor", "Ivana", "Jaan", "Júlia", "Kadri", "Katarína", "Kati",
    "László", "Liis", "Mari", "Marek", "Mihkel", "Nóra", "Ondrej", "Peeter", "Réka", "Tamás", "Toomas", "Zuzana",
)  # fmt: skip
EVENT_FACTS: Final = ("event", "round")
"""What a hub says of a match besides who plays and how long."""
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
        *,
        waits: bool = False,
    ) -> None:
        """Nobody has sat down yet.

        Args:
            member: the club and the table's name in it.
            matches: the folder for its matches.
            recordings: what is played.
            rng: draws players and matches.
            speed: how many times as fast as people.
            version: of the program.
            waits: for the hub to say who plays next; else matches follow each other by themselves.
        """
        self._waits, self._playing = waits, False
        self._wanted: asyncio.Queue[TableCommand] = asyncio.Queue(1)
        self._recordings, self._rng, self._speed = recordings, rng, speed
        self._title, self._matches = member.title, matches
        self._journal: Journal | None = None
        self._path: Path | None = None
        self._shown: dict[str, State] = {SCREEN: {}, DESK: {}}
        self._changed = False
        self._names = dict.fromkeys(Side, "")
        self._wanted_match: Mapping[str, Json] = {}
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
        text = json.dumps(self._shown, ensure_ascii=False, separators=(",", ":"))
        return with_names(text, self._names).encode()

    def carry_out(self, command: TableCommand) -> "Future[TableReply]":
        """See `ClubTable`: of all commands its people only follow that they are to play, or are told something."""
        reply = TableReply(command.id, done=True, event=self.written)
        what = command.body.get("what")
        if what == START_MATCH:
            reply = self._be_paired(command, reply)
        elif what != MESSAGE:
            reply = replace(reply, done=False, text="The people at a simulated table follow no such command.")
        future = Future[TableReply]()
        future.set_result(reply)
        return future

    def _be_paired(self, command: TableCommand, reply: TableReply) -> TableReply:
        if self._playing or self._wanted.full():
            return replace(reply, done=False, text=program_words("match_on")("en"))
        try:
            paired_config(Config(), command.body)
        except UserError as error:
            return replace(reply, done=False, text=str(error))
        self._wanted.put_nowait(command)
        return reply

    def refuse(self, command: TableCommand, fault: CommandFault) -> str:
        """See `ClubTable`."""
        return club_words("refused", str(fault), what="", name=command.name, table=command.table)("en")

    def note_time(self, ahead_s: float) -> None:
        """See `ClubTable`."""
        self._append([(HUB_TIME, None, {"ahead_s": round(ahead_s, 3)})])

    def on_status(self, status: ClubStatus) -> None:
        """See `ClubTable`."""

    # --- what its people do ---------------------------------------------------------------------------------

    async def play(self) -> None:
        """Match after match, until this is cancelled; without a hub that pairs, the first one is on already."""
        joined = 0.0 if self._waits else self._rng.uniform(0.0, 0.8)
        try:
            while True:
                if self._waits and not self.begun:
                    self._show_ready()
                command = await self._wanted.get() if self._waits else None
                self._playing = True
                await self._play_match(command, joined)
                joined = 0.0
                await asyncio.sleep(BETWEEN_S / self._speed)
                self._playing = False
        finally:
            self._end_match()

    def _show_ready(self) -> None:
        for state in self._shown.values():
            state |= {
                **dict.fromkeys(OF_MATCH),
                "room": str(RoomState.READY),
                "plays": [],
                "allowed": [],
                "needs": None,
            }
            state["headline"] = "The table is ready."
        self._changed = True

    @property
    def tally(self) -> Tally:
        """What it has come to."""
        outbox, ready = self.client.outbox, self.client.status.ready
        return Tally(1, int(ready), self.begun, self.written, self.client.sent, outbox.confirmed)

    async def _play_match(self, command: TableCommand | None, joined: float) -> None:
        """Play a match, that of the command if there is one, its first part at once."""
        self._wanted_match = wanted = {} if command is None else command.body
        fitting = [each for each in self._recordings if each.length == wanted.get("length")]
        recording = self._rng.choice(fitting or self._recordings)
        began = joined * recording.moments[-1].t
        self._names = self._draw_players() | _players_in(wanted)
        self._begin_match(command)
        at, early = asyncio.get_running_loop().time(), list[Entry]()
        for moment in recording.moments:
            if moment.t < began:
                self._show(moment)
                early += moment.entries
                await asyncio.sleep(0)  # other tables want to begin, too
                continue
            self._append(early)
            early.clear()
            due = at + (moment.t - began) / self._speed
            await asyncio.sleep(max(0.0, due - asyncio.get_running_loop().time()))
            self._show(moment)
            self._append(moment.entries)
        self._end_match()

    def _draw_players(self) -> dict[Side, str]:
        names = dict(zip(Side, self._rng.sample(FIRST_NAMES, 2), strict=True))
        return {side: f"{name} {self._rng.choice(LETTERS)}." for side, name in names.items()}

    def _begin_match(self, command: TableCommand | None) -> None:
        self.begun += 1
        folder = self._matches / f"match-{self.begun:03d}"
        folder.mkdir(parents=True)
        self._journal = Journal(folder / JOURNAL)
        self._path = self._journal.path
        self._append([(BEGUN, None, begin_next(self._matches, folder, None))])
        if command is not None:
            self._append([(COMMAND, None, command.content())])

    def _end_match(self) -> None:
        if self._journal is not None:
            self._journal.close()
            self._journal = None
            self.client.wake()

    def _show(self, moment: RecordedMoment) -> None:
        for part, changed in moment.changed.items():
            self._shown[part] |= changed
            match = self._shown[part].get("match")
            if "match" in changed and isinstance(match, dict):
                told: State = {name: self._wanted_match.get(name) or "" for name in EVENT_FACTS}
                own: State = {"id": f"{self._title}-{self.begun}", "table": self._title}
                self._shown[part]["match"] = match | own | told
        self._changed = self._changed or bool(moment.changed)

    def _named(self, kind: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
        """What an entry says, of the match that is played; only its first entry names players, event and round."""
        if kind != MATCH:
            return payload
        named: dict[str, Any] = json.loads(with_names(json.dumps(payload), self._names))
        named["facts"] |= {
            name: self._wanted_match[name] for name in EVENT_FACTS if self._wanted_match.get(name)
        }
        return named

    def _append(self, entries: Iterable[Entry]) -> None:
        if self._journal is None:
            return
        drafts = [Draft(NAME, kind, self._named(kind, payload), utc_now(), t) for kind, t, payload in entries]
        if drafts:
            self._journal.append_all(drafts)
            self.written += len(drafts)
            self.client.wake()


def _players_in(wanted: Mapping[str, Json]) -> dict[Side, str]:
    """The players whom the hub wants to play, if it does."""
    return {side: str(wanted[str(side)]) for side in Side if str(side) in wanted}


async def play_together(
    tables: Iterable[ReplayedTable], stop: asyncio.Event, tell: Callable[[Tally], None], settle_s: float
) -> None:
    """Have tables play until they are to stop; what they wrote is then waited for, up to a limit.

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
