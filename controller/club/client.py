"""The table's side of the club: a connection that comes and goes, while the table plays as if there were none."""

import asyncio
import contextlib
import logging
import math
import random
import secrets
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Final, Protocol

from controller.club.commands import CommandFault, CommandGate
from controller.club.hub_time import NOTED_S, HubTime
from controller.club.membership import Membership
from controller.club.messages import (
    ClubMessageError,
    Confirmation,
    EntryRefusal,
    TableCommand,
    TablePresence,
    TableReply,
    TimeAnswer,
    TimeQuestion,
)
from controller.club.mqtt import connect_mqtt
from controller.club.outbox import SILENT_S, Outbox
from controller.club.status import ClubState, ClubStatus
from controller.club.tasks import end_tasks
from controller.club.topics import HEARD_BY_TABLES, TableAddress, Topic
from controller.club.transport import (
    ClubMessage,
    ClubTransport,
    Connect,
    RefusedMessageError,
    TakenOverError,
    TransportError,
)
from controller.errors import UserError
from controller.logs.defect import DefectScene, doing

_LOGGER: Final = logging.getLogger(__name__)

LOOK_S: Final = 0.5
"""How often the disk and the state are looked at when nobody says that there is news."""
STATE_S: Final = 0.5
"""Between two states of the table, at least."""
STATE_EXPIRES_S: Final = 86_400
"""How long the broker keeps a state that is not said again."""
STATE_AGAIN_S: Final = STATE_EXPIRES_S / 2
"""An unchanged state is sent again after this time, before the broker forgets it."""
REFUSED_S: Final = 5.0
"""After this time, what the broker refused is tried again."""
WAITING_S: Final = 3.0
"""Entries that the hub has not confirmed after this time are reported as waiting."""
FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 15.0
"""Between two attempts to connect; twice as long after each, up to this."""
MEET_S: Final = 0.5
"""How long the broker may take to tell what it keeps of this table's presence."""
TAKEN_OVER_S: Final = 30.0
"""How long another table with this name is left in peace."""
ASK_FAST_S: Final = 0.25
ASK_SLOWLY_S: Final = 5.0
"""How often the time is asked: until enough answers have come, and after that, so that the hub hears of the table."""
ANSWER_S: Final = 10.0
"""How long a table may take to carry out a command."""


class ClubTable(Protocol):
    """What the client needs of its table. It is asked in the client's thread, and answers at once."""

    def journal(self) -> Path | None:
        """The journal of the match that is on, or was last; None before the first one."""

    def state(self) -> bytes | None:
        """The snapshot of the table for the hub, JSON; None if it is as it was when this was asked last.

        The client keeps the last one and says it again where the hub may have lost it.
        """

    def carry_out(self, command: TableCommand) -> "Future[TableReply]":
        """Have a command done that was looked at and counts; once only by its id."""

    def refuse(self, command: TableCommand, fault: CommandFault) -> str:
        """Show that a command was refused, and why; the sentence for whoever gave it."""

    def note_time(self, ahead_s: float) -> None:
        """Write into the journal by how much the hub's clock is ahead."""

    def on_status(self, status: ClubStatus) -> None:
        """Show how it stands with the hub."""


class TableClient:
    """Speaks for one table. For one asyncio loop; only `wake` may be called from elsewhere, through that loop.

    Attributes:
        outbox: the journals on their way.
        time: the hub's.
        sent: how many entries were sent, those that were sent again too.
    """

    def __init__(
        self,
        member: Membership,
        table: ClubTable,
        matches: Path,
        *,
        version: str = "",
        connect: Connect = connect_mqtt,
        clock: Callable[[], float] = time.monotonic,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        rng: random.Random | None = None,
    ) -> None:
        """Nothing is connected yet.

        Args:
            member: the club, the table's name in it, and the broker.
            table: the table.
            matches: the folder of matches.
            version: of this program.
            connect: opens connections.
            clock: monotonic seconds.
            now_ms: the time of day, milliseconds since 1970.
            rng: spreads the attempts of many tables to connect.
        """
        self._member, self._table, self._version = member, table, version
        self._connect, self._clock, self._now_ms = connect, clock, now_ms
        self._rng = rng or random.Random()
        self.outbox = Outbox(matches, f"{member.address.club} {member.hub_key}")
        self.time = HubTime()
        self._gate = CommandGate(member.address, member.hub_key)
        self._run = secrets.token_hex(4)
        self._news = asyncio.Event()
        self._commands: set[asyncio.Task[None]] = set()
        self._status = ClubStatus(ClubState.CONNECTING, hub=self._hub)
        self._noted: dict[str, float] = {}
        self._refused, self._refused_until = "", 0.0
        self._met, self._announced = asyncio.Event(), False
        self._state: bytes | None = None
        self.sent = 0

    @property
    def status(self) -> ClubStatus:
        """How it stands with the hub."""
        return self._status

    def wake(self) -> None:
        """The table has news: entries on the disk, or another state."""
        self._news.set()

    async def run(self) -> None:
        """Connect, and connect again, until this is cancelled; then say goodbye."""
        pause = FIRST_PAUSE_S
        while True:
            connected_at = self._clock()
            try:
                async with self._connect(
                    self._member.broker, client=self._member.address.table, will=self._will
                ) as transport:
                    await self._serve(transport)
            except TakenOverError as error:
                self._report_status(ClubState.TAKEN_OVER, str(error))
                await asyncio.sleep(TAKEN_OVER_S * self._rng.uniform(1.0, 1.5))
            except RefusedMessageError as error:
                self._report_status(ClubState.NOT_ACCEPTED, str(error))
                await asyncio.sleep(REFUSED_S)
            except TransportError as error:
                self._report_status(ClubState.NO_BROKER, str(error))
                if self._clock() - connected_at > LONGEST_PAUSE_S:
                    pause = FIRST_PAUSE_S
                await asyncio.sleep(pause * self._rng.uniform(0.5, 1.0))
                pause = min(LONGEST_PAUSE_S, 2 * pause)
            except Exception as error:  # a defect; the table goes on, and so does its way to the hub
                _LOGGER.exception("A defect on the way to the hub.", extra=self._scene.extra)
                self._report_status(ClubState.FAILED, f"{type(error).__name__}: {error}")
                await asyncio.sleep(LONGEST_PAUSE_S)

    @property
    def _scene(self) -> DefectScene:
        return DefectScene("club", table=self._member.address.table)

    async def _serve(self, transport: ClubTransport) -> None:
        """Everything that goes on while the connection holds. Raises TransportError when it does not any more."""
        address = self._member.address
        await transport.subscribe([address.topic(what) for what in HEARD_BY_TABLES])
        self._met.clear()
        hearing = asyncio.create_task(self._receive_messages(transport))
        meeting = asyncio.create_task(self._wait_for(self._met, MEET_S))
        tasks = [hearing, meeting]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if not hearing.done():
                self._begin()
                await self._tell_presence(transport)
                works = (self._send(transport), self._tell_state(transport), self._ask_time(transport))
                tasks += [asyncio.create_task(work) for work in works]
                await asyncio.wait({*tasks} - {meeting}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            with contextlib.suppress(TransportError):
                await self._publish(transport, Topic.PRESENCE, self._presence(up=False).encode(), retain=True)
            raise
        finally:
            await end_tasks((*tasks, *self._commands))
        raise TransportError("The connection to the broker has ended; it is tried again by itself.")

    def _begin(self) -> None:
        """The connection is new, and no other table has this name."""
        path = self._table.journal()
        if path is not None:
            self.outbox.write_to(path)
        self.outbox.connect(self._clock())
        self._refused, self._announced = "", True

    async def _publish(
        self, transport: ClubTransport, what: Topic, payload: bytes, *, retain: bool = False
    ) -> None:
        await transport.publish(self._member.address.topic(what), payload, retain=retain)

    async def _tell_presence(self, transport: ClubTransport) -> None:
        """Say that the table is there, and which journals it offers."""
        presence = self._presence(up=True).encode()
        await self._accepted(self._publish(transport, Topic.PRESENCE, presence, retain=True))

    def _presence(self, *, up: bool) -> TablePresence:
        current = self.outbox.current
        return TablePresence(
            up,
            self._version,
            "" if current is None else current.name,
            journals={journal.name: journal.newest for journal in self.outbox.journals},
            name=self._member.title,
            pages=self._member.pages,
            run=self._run,
            authority=self._member.authority,
        )

    async def _accepted(self, said: Awaitable[None]) -> bool:
        """Whether the broker took what was said; a refusal is shown, and does not end the connection."""
        try:
            await said
        except RefusedMessageError as error:
            self._refused, self._refused_until = str(error), self._clock() + REFUSED_S
            self._report_status(ClubState.NOT_ACCEPTED, str(error))
            return False
        if self._clock() >= self._refused_until:
            self._refused = ""
        return True

    async def _send(self, transport: ClubTransport) -> None:
        """Send what the hub does not have, and say how that goes."""
        offered = {journal.name for journal in self.outbox.journals}
        while True:
            path = self._table.journal()
            if path is not None:
                self.outbox.write_to(path)
            names = {journal.name for journal in self.outbox.journals}
            if names != offered:
                await self._tell_presence(transport)
            offered = names
            if self._clock() >= self._refused_until:
                while (part := self.outbox.due(self._clock())) is not None:
                    if not await self._accepted(self._publish(transport, Topic.EVENTS, part.encode())):
                        break
                    self.sent += len(part.rows)
            self._note_time()
            self._show_progress()
            await self._wait_for(self._news, LOOK_S)
            self._news.clear()

    async def _wait_for(self, what: asyncio.Event, most_s: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(most_s):
                await what.wait()

    async def _receive_messages(self, transport: ClubTransport) -> None:
        """Take what the hub says; what cannot be read is passed over."""
        async for message in transport.messages():
            found = TableAddress.parse(message.topic)
            if found is None or found[0] != self._member.address:
                continue
            with contextlib.suppress(ClubMessageError):
                self._on_message(found[1], message, transport)

    def _on_message(self, what: Topic, message: ClubMessage, transport: ClubTransport) -> None:
        if what is Topic.CONFIRMED:
            if self.outbox.confirm(Confirmation.decode(message.payload), self._clock()):
                self._news.set()
        elif what is Topic.PRESENCE:
            self._meet(TablePresence.decode(message.payload))
        elif what is Topic.TIME:
            self.time.update(TimeAnswer.decode(message.payload), self._now_ms())
        elif what is Topic.COMMANDS:
            command = TableCommand.decode(message.payload)
            task = asyncio.create_task(self._answer(command, transport))
            self._commands.add(task)
            task.add_done_callback(self._commands.discard)

    def _meet(self, presence: TablePresence) -> None:
        """What the broker keeps of this table's presence. Raises TakenOverError if another one wrote it meanwhile.

        Before this program has written its own, it may be that of its last run.
        """
        if self._announced and presence.up and presence.run not in ("", self._run):
            raise TakenOverError(
                "Another table has logged in under this name; give each table a name of its own and pair it again."
            )
        self._met.set()

    async def _answer(self, command: TableCommand, transport: ClubTransport) -> None:
        """Have a command done or refused, and say which."""
        current = self.outbox.current
        fault = self._gate.fault_of(
            command, "" if current is None else current.name, self.time.at(self._now_ms())
        )
        if fault is not None:
            reply = TableReply(command.id, done=False, text=self._table.refuse(command, fault))
        else:
            future = asyncio.wrap_future(self._table.carry_out(command))
            try:
                async with asyncio.timeout(ANSWER_S):
                    reply = await asyncio.shield(future)
            except TimeoutError:
                return  # whoever asked sees no answer, and the journal whether it was done
            except UserError as error:
                reply = TableReply(command.id, done=False, text=str(error))
            except Exception as error:  # the table is closing, or has a defect; the way to the hub stays
                with doing("club", {"command": command.content()}, self._member.address.table):
                    _LOGGER.exception("A command of the hub failed.")
                text = f"The table failed at this ({error}); look there whether it was done."
                reply = TableReply(command.id, done=False, text=text)
        self._news.set()
        with contextlib.suppress(TransportError):
            await self._publish(transport, Topic.ANSWERS, reply.encode())

    async def _tell_state(self, transport: ClubTransport) -> None:
        """Show the hub the table: the newest state, at most two a second.

        The last one is said again at every new connection, because the broker may have lost what it kept: it was
        restarted, perhaps together with the hub.
        """
        topic, said_at = self._member.address.topic(Topic.STATE), -math.inf
        while True:
            state = self._table.state()
            self._state = self._state if state is None else state
            due = state is not None or self._clock() - said_at >= STATE_AGAIN_S
            if due and self._state is not None:
                await transport.publish(topic, self._state, qos=0, retain=True, expires_s=STATE_EXPIRES_S)
                said_at = self._clock()
            await asyncio.sleep(STATE_S)

    async def _ask_time(self, transport: ClubTransport) -> None:
        """Ask the hub what the time is: a few times at once, then now and then."""
        topic = self._member.address.topic(Topic.ASKED_TIME)
        while True:
            await transport.publish(topic, TimeQuestion(self._now_ms()).encode(), qos=0)
            await asyncio.sleep(ASK_SLOWLY_S if self.time.known else ASK_FAST_S)

    def _note_time(self) -> None:
        """Write into the journal that the table's clock is wrong, each time that it changes."""
        current = self.outbox.current
        if current is None or not self.time.known:
            return
        ahead = self.time.ahead_s
        if abs(ahead - self._noted.get(current.name, 0.0)) > NOTED_S:
            self._noted[current.name] = ahead
            self._table.note_time(ahead)

    def _show_progress(self) -> None:
        if self._refused:
            return
        silent = self.outbox.silent_s(self._clock())
        stuck = next(iter(self.outbox.stuck), None)
        if stuck is not None:
            assert stuck.fault is not None
            self._report_status(ClubState(stuck.fault), journal=stuck.name, refused=stuck.refused)
        elif silent >= SILENT_S:
            self._report_status(ClubState.NOT_ACCEPTED)
        elif silent >= WAITING_S:
            self._report_status(ClubState.WAITING)
        else:
            self._report_status(ClubState.CONNECTED)

    def _report_status(
        self, state: ClubState, why: str = "", journal: str = "", refused: EntryRefusal | None = None
    ) -> None:
        waiting = 0 if state is ClubState.CONNECTED else self.outbox.waiting
        status = ClubStatus(state, waiting, self._hub, why, journal, refused)
        if status != self._status:
            self._status = status
            self._table.on_status(status)

    @property
    def _hub(self) -> str:
        return f"{self._member.broker.host}:{self._member.broker.port}"

    @property
    def _will(self) -> ClubMessage:
        return ClubMessage(self._member.address.topic(Topic.PRESENCE), self._presence(up=False).encode())
