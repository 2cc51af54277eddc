"""A room's place in its club: what the hub is shown of the table, and what its commands do there."""

import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from controller import __version__
from controller.app.live import LiveTable
from controller.app.pairing import paired_config
from controller.app.room import Room
from controller.closing import Closeable
from controller.club.commands import MESSAGE, START_MATCH, CommandFault
from controller.club.membership import LoginHold, Membership
from controller.club.messages import TableCommand, TableReply
from controller.club.status import ClubStatus
from controller.club.thread import ClientThread
from controller.errors import UserError
from controller.even_clock import EvenClock
from controller.logs.defect import doing
from controller.messages.catalogue import catalogue
from controller.messages.device_words import LocalText, club_words, program_words
from controller.record.filter.keys import Keys
from controller.record.match.history import ACT, COMMAND, CORRECTION, GAME, HUB_TIME, INPUT, RESULT, TURN
from controller.web.audience import Audience
from controller.web.channel import encode
from controller.web.outlet import Outlet
from controller.web.table_service import Reply, Role

if TYPE_CHECKING:
    from controller.club.client import TableClient

REMEMBERED: Final = 256
"""This many commands are remembered, so that one that comes again has no effect."""
MATTERS: Final = frozenset({GAME, TURN, ACT, RESULT, CORRECTION})
"""What must not have happened since what the asker of a command had seen."""
LONGEST_MESSAGE: Final = 200
SHOWN: Final = 60
"""This many signs of a stranger's name are shown."""


class RoomClub(Closeable):
    """Joins a room to its club; see `ClubTable`. The room plays on whatever becomes of it."""

    def __init__(
        self,
        room: Room,
        member: Membership,
        *,
        wall_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        """Nothing is connected yet; ``wall_ns`` is the machine's time of day in nanoseconds since 1970."""
        self._room, self._member, self._wall_ns = room, member, wall_ns
        self._clock = EvenClock(wall_ns)
        self._language = room.config.table.languages[0]
        self._screen, self._desk = (
            Audience(language=self._language),
            Audience(Role.DIRECTOR, None, self._language),
        )
        self._outlet = Outlet(room, self._clock, room.config.web.delay_s)
        self._told: tuple[int, int] | None = None
        self._ids: OrderedDict[str, None] = OrderedDict()
        self._read: Path | None = None
        self._thread = ClientThread(self._make)
        self._hold: LoginHold | None = None

    @classmethod
    def from_room(cls, room: Room, pages: str = "", authority: str = "") -> Self:
        """The club that the room's configuration names.

        Args:
            room: the room.
            pages: where others can open the room's own pages; empty if they cannot.
            authority: the certificate of the authority that vouches for them, PEM.

        Raises:
            UserError: if the configuration names none, or what the table logs in with cannot be read.
        """
        member = room.config.membership()
        if member is None:
            raise UserError("The configuration names no club; run pointsman pair.")
        return cls(room, replace(member, pages=pages, authority=authority))

    def start(self) -> None:
        """Begin to connect, beside the play."""
        self._hold = LoginHold(self._room.config.credentials_file())
        self._room.subscribe(lambda _: self._thread.wake())
        self._thread.start()

    def close(self) -> None:
        """Say goodbye to the hub; calling it again does nothing."""
        self._thread.close()
        if self._hold is not None:
            self._hold.close()

    def _make(self) -> "TableClient":
        # Loaded in the client's thread: a table is ready sooner without it.
        from controller.club.client import TableClient

        self._outlet.open()
        return TableClient(
            self._member,
            self,
            self._room.config.record_folder(),
            version=__version__,
            now_ms=lambda: self._wall_ns() // 1_000_000,
        )

    # --- what the client asks, in its thread ----------------------------------------------------------------

    def journal(self) -> Path | None:
        """See `ClubTable`."""
        table = self._room.match.table
        return None if table is None else table.parts.folder.journal.path

    def state(self) -> bytes | None:
        """See `ClubTable`."""
        outlet = self._outlet
        if moved_ms := self._clock.follow():
            outlet.move_times(moved_ms)
        numbers = (outlet.channel(self._screen).seq, outlet.channel(self._desk).seq)
        if numbers == self._told:
            return None
        self._told = numbers
        screen, desk = (outlet.snapshot(each)["state"] for each in (self._screen, self._desk))
        return encode({"screen": screen, "desk": desk}).encode()

    def carry_out(self, command: TableCommand) -> "Future[TableReply]":
        """See `ClubTable`."""
        try:
            saying = self._saying(command)
        except UserError as error:
            refused = Future[TableReply]()
            refused.set_result(TableReply(command.id, done=False, text=str(error)))
            return refused
        with doing("club", {"command": command.content()}, self._member.address.table):
            return self._room.inbox.ask(lambda: self._do(command, saying))

    def refuse(self, command: TableCommand, fault: CommandFault) -> str:
        """See `ClubTable`."""
        words = fault_words(command, fault)
        self._room.inbox.ask(lambda: self._room.news.notify(words))
        return words(self._language)

    def note_time(self, ahead_s: float) -> None:
        """See `ClubTable`."""
        self._room.inbox.ask(lambda: self._write(HUB_TIME, {"ahead_s": round(ahead_s, 3)}))

    def on_status(self, status: ClubStatus) -> None:
        """See `ClubTable`."""
        self._room.club_status = status
        self._room.news.show_anew()

    def _saying(self, command: TableCommand) -> dict[str, Any]:
        """A command as the room takes it, each key looked at. Raises UserError."""
        keys = Keys(command.body)
        what = keys.text("what")
        if what == MESSAGE:
            keys.only(("what", "text"))
            if (
                not 0 < len(keys.text("text").strip()) <= LONGEST_MESSAGE
                or not keys.text("text").isprintable()
            ):
                raise UserError(f"A message is one line of 1 to {LONGEST_MESSAGE} signs; write another one.")
            return dict(command.body)
        if what == START_MATCH:
            paired_config(self._room.config, command.body)
            return dict(command.body)
        # They bring the logins of the pages along, which nothing else here needs.
        from controller.web.server.commands import saying_of
        from controller.web.server.rights import COMMANDS

        role = Role.DIRECTOR if command.by == "director" else Role.PLAYER
        view = self._room.view()
        if what not in COMMANDS:
            raise UserError(
                f"There is no command {what[:SHOWN]!r}; update hub and table to the same version."
            )
        if not COMMANDS[what].allows(role, at_table=False, room=view.state):
            raise UserError(f"Only the director may say {what!r}; ask them.")
        return saying_of(command.body, command.by, view)

    # --- what is done, in the thread that steps -------------------------------------------------------------

    def _do(self, command: TableCommand, saying: dict[str, Any]) -> TableReply:
        """Do a command that may be done, once, and write down who gave it."""
        if self._has_come(command.id):
            words = fault_words(command, CommandFault.REPLAYED)
            self._room.news.notify(words)
            return TableReply(command.id, done=False, text=words(self._language))
        self._remember(command.id)
        try:
            reply = self._act(command, saying)
        except UserError as error:
            reply = Reply.refusing(error)
        text = "" if reply.words is None else reply.words(self._language)
        return TableReply(command.id, reply.done, text, reply.event)

    def _act(self, command: TableCommand, saying: dict[str, Any]) -> Reply:
        room, what = self._room, saying["what"]
        if what == START_MATCH:
            reply = room.begin_match(paired_config(room.config, saying))
            if reply.done:
                self._write(COMMAND, command.content())
            return reply
        if what == MESSAGE:
            self._write(COMMAND, command.content())
            room.tell(club_words("message", text=saying["text"].strip()))
            return Reply(True)
        table = room.match.live
        if table is None:
            return Reply(False, program_words("no_match"))
        if command.seen is not None and _has_moved(table, command.seen):
            return Reply(False, lambda language: catalogue(language).text("live", "answer", "stale"))
        self._write(COMMAND, command.content())
        return table.say(saying, command.by, command.id)

    def _write(self, kind: str, content: dict[str, Any]) -> None:
        table = self._room.match.live
        if table is not None:
            log = table.desk.book.log
            log.append(log.draft(kind, content, table.parts.watch.now()))

    def _has_come(self, command: str) -> bool:
        """Whether a command came before, also before the last start: the journal knows."""
        table = self._room.match.live
        if table is not None and table.path != self._read:
            self._read = table.path
            log = table.desk.book.log
            for event in log.journal.events(log.match, without=INPUT):
                if event.kind == COMMAND:
                    self._remember(str(event.payload.get("id")))
        return command in self._ids

    def _remember(self, command: str) -> None:
        self._ids[command] = None
        while len(self._ids) > REMEMBERED:
            self._ids.popitem(last=False)


def fault_words(command: TableCommand, fault: CommandFault) -> LocalText:
    """That a command from the club's network was refused, and why."""
    what = str(command.body.get("what", ""))[:SHOWN]
    name = command.name[:SHOWN] or command.by[:SHOWN]
    return club_words("refused", str(fault), what=what, name=name, table=command.table[:SHOWN])


def _has_moved(table: LiveTable, seen: int) -> bool:
    log = table.desk.book.log
    return any(event.kind in MATTERS for event in log.journal.events(log.match, after=seen, without=INPUT))
