"""What people tell a table through the hub: written down, signed, sent, and the table's answer brought back."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Final

from controller.club.messages import TableCommand, TableReply
from controller.club.topics import TableAddress, Topic
from controller.club.transport import ClubTransport
from controller.errors import UserError
from controller.hub.hall import TableShown
from controller.hub.store import HubStore
from controller.messages.catalogue import catalogue
from controller.record.journal.journal import Json
from controller.record.journal.seal import SigningKey

EXPIRES_S: Final = 30
"""A command that a table gets later counts no more."""
ANSWER_S: Final = 10.0
"""How long a table may take to answer."""
REMEMBERED: Final = 1024
"""This many commands are remembered, to answer one that comes again as it was answered before."""


class TableSilence(StrEnum):
    """Why a table answers nothing."""

    UNKNOWN = "unknown"
    AWAY = "away"
    SLOW = "slow"
    ENDING_BEFORE = "ending_before"
    """The hub is ending, and nothing was sent."""
    ENDING = "ending"
    """The hub is ending, and what was sent has no answer."""


class TableAskError(UserError):
    """A command does not reach a table, or the table does not answer.

    Attributes:
        silence: why.
        table: what people call it; empty where the hub is the reason.
    """

    def __init__(self, silence: TableSilence, table: str = "") -> None:
        super().__init__(silence, table)
        self.silence, self.table = silence, table

    def __str__(self) -> str:
        """The sentence in English."""
        return self.in_language("en")

    def in_language(self, language: str) -> str:
        """The sentence in `language`, one of `LANGUAGES`."""
        return catalogue(language).text("hall", "ask", self.silence, table=self.table)


@dataclass(frozen=True, slots=True)
class AskedCommand:
    """A command as somebody gives it.

    Attributes:
        table: in addresses.
        body: what is to be done.
        by: the giver's role.
        name: theirs.
        seen: the state of the table that they saw; None if they saw none.
        command: its own name; one of the same name is sent once.
    """

    table: str
    body: dict[str, Json]
    by: str
    name: str
    seen: int | None
    command: str


class TableCommands:
    """The commands of a hub to its tables; all of it in the thread of the hub's loop."""

    def __init__(
        self,
        club: str,
        key: SigningKey,
        store: HubStore,
        *,
        now_ms: Callable[[], int],
        shown: Callable[[str], TableShown | None],
        transport: Callable[[], ClubTransport | None],
    ) -> None:
        """Nothing is asked yet.

        Args:
            club: its name in addresses.
            key: what commands are signed with.
            store: where they and their answers are written down.
            now_ms: milliseconds since 1970.
            shown: tells how a table is now; None if nobody knows it.
            transport: tells the connection to the broker; None while there is none.
        """
        self._club, self._key, self._store, self._now_ms = club, key, store, now_ms
        self._shown, self._transport = shown, transport
        self._asked: OrderedDict[str, Future[TableReply]] = OrderedDict()
        self._awaited: dict[str, asyncio.Future[TableReply]] = {}

    def ask(self, asked: "Future[TableReply]", wanted: AskedCommand) -> None:
        """Send a command; the answer, or a `TableAskError`, comes by ``asked``."""
        before = self._asked.get(wanted.command)
        if before is not None:
            before.add_done_callback(partial(_copy_result, asked))
            return
        self._asked[wanted.command] = asked
        while len(self._asked) > REMEMBERED:
            self._asked.popitem(last=False)
        asyncio.ensure_future(self._send(wanted)).add_done_callback(partial(_set_result, asked))

    async def _send(self, wanted: AskedCommand) -> TableReply:
        """Record, sign and send a command; what the table answers."""
        before = self._shown(wanted.table)
        if before is None:
            raise TableAskError(TableSilence.UNKNOWN, wanted.table)
        signed = self._signed(wanted, before)
        await asyncio.wrap_future(self._store.keep_command(signed, wanted.table))
        transport, shown = self._transport(), self._shown(wanted.table) or before
        if transport is None or not shown.up:
            problem = TableAskError(TableSilence.AWAY, shown.title)
            self._store.keep_reply(TableReply(wanted.command, done=False, text=str(problem)))
            raise problem
        answer: asyncio.Future[TableReply] = asyncio.get_running_loop().create_future()
        self._awaited[wanted.command] = answer
        try:
            topic = TableAddress(self._club, wanted.table).topic(Topic.COMMANDS)
            await transport.publish(topic, signed.encode(), expires_s=EXPIRES_S)
            return await asyncio.wait_for(answer, ANSWER_S)
        except TimeoutError:
            raise TableAskError(TableSilence.SLOW, shown.title) from None
        finally:
            self._awaited.pop(wanted.command, None)

    def _signed(self, wanted: AskedCommand, shown: TableShown) -> TableCommand:
        now = self._now_ms()
        unsigned = TableCommand(
            wanted.command,
            f"{self._club}/{wanted.table}",
            shown.journal,
            seen=wanted.seen,
            by=wanted.by,
            name=wanted.name,
            body=wanted.body,
            issued=now,
            expires=now + EXPIRES_S * 1000,
            key=self._key.public,
        )
        return replace(unsigned, signature=self._key.sign_text(unsigned.text()))

    def hear(self, reply: TableReply) -> None:
        """Take in what a table answers."""
        awaited = self._awaited.pop(reply.id, None)
        if awaited is not None and not awaited.done():
            awaited.set_result(reply)
        if reply.id in self._asked:
            self._store.keep_reply(reply)

    def end(self) -> None:
        """Tell everybody who waits that no answer comes any more."""
        for asked in self._asked.values():
            if not asked.done():
                asked.set_exception(TableAskError(TableSilence.ENDING))


def _set_result(asked: "Future[TableReply]", task: "asyncio.Future[TableReply]") -> None:
    if asked.done():
        return
    if task.cancelled():
        asked.set_exception(TableAskError(TableSilence.ENDING))
    elif (error := task.exception()) is not None:
        asked.set_exception(error)
    else:
        asked.set_result(task.result())


def _copy_result(asked: "Future[TableReply]", before: "Future[TableReply]") -> None:
    error = before.exception()
    if error is not None:
        asked.set_exception(error)
    else:
        asked.set_result(before.result())
