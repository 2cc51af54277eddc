"""The hub at work: hears every table, has what they send stored and confirmed, and tells them what people want."""

import asyncio
import contextlib
import logging
import math
import threading
import uuid
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import Any, Final

from controller.club.messages import (
    JOURNAL_LETTERS,
    ClubMessageError,
    Confirmation,
    JournalPart,
    ShownState,
    TableCommand,
    TablePresence,
    TableReply,
    TimeAnswer,
    TimeQuestion,
    journal_name,
)
from controller.club.tasks import end_tasks
from controller.club.topics import OF_TABLES, TableAddress, Topic, every_table
from controller.club.transport import (
    BrokerAddress,
    ClubMessage,
    ClubTransport,
    Connect,
    TakenOverError,
    TransportError,
)
from controller.errors import UserError
from controller.hub.hall import HubFault, HubTrouble, StoredEvent, TableShown, table_order
from controller.hub.logins import hub_client
from controller.hub.store import HubStore, KnownTable, PartKept, StoreError
from controller.hub.watch import CONTRADICTED_MS, TableWatch
from controller.logs.defect import DefectScene, doing
from controller.messages.catalogue import catalogue
from controller.record.journal.journal import Closeable, Json, Row
from controller.record.journal.seal import SigningKey
from controller.web.table_service import RoomState

_LOGGER: Final = logging.getLogger(__name__)

EXPIRES_S: Final = 30
"""A command that a table gets later counts no more."""
ANSWER_S: Final = 10.0
"""How long a table may take to answer."""
REMEMBERED: Final = 1024
"""This many commands are remembered, to answer one that comes again as it was answered before."""
LOOK_S: Final = 1.0
"""How often it is looked whether a table has fallen silent."""
FIRST_WAIT_S: Final = 0.2
LONGEST_WAIT_S: Final = 5.0
START_S: Final = 15.0
"""A broker that cannot be reached for this time is reported."""
ALONE_S: Final = 10.0
"""When the hub has kept its connection for this time, whoever used its name at the broker has left."""
KEPT_MS: Final = 60_000
"""How often it is written down that a table was heard by another way than the broker."""
UPLINK: Final = "."
"""Stands between a club and a table of it, in the name of a table whose entries came by an uplink."""
MOST_TABLES: Final = 1024
"""This many tables are known at most; what more say is left alone."""


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


class _Known:
    """One table in memory.

    Attributes:
        shown: as the hall sees it.
        watch: what is wrong with it.
        kept_ms: when it was written down last that entries of it come by another way than the broker.
    """

    def __init__(self, name: str) -> None:
        self.shown = TableShown(name, name, up=False, heard_ms=0)
        self.watch = TableWatch()
        self.kept_ms = 0


class HubService(Closeable):
    """All tables of a club, see `Hall`; a thread with a loop of its own.

    Attributes:
        trouble: why no table can be heard just now; None while all is well.
        turns: how often its loop has looked around, to see that it goes on.
    """

    def __init__(
        self,
        club: str,
        address: BrokerAddress,
        *,
        store: Callable[[Callable[[Sequence[PartKept]], None]], HubStore],
        key: SigningKey,
        connect: Connect,
        now_ms: Callable[[], int],
        say: Callable[[str], None],
        came: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """Open the store and begin.

        Args:
            club: its name in addresses.
            address: of the broker.
            store: opens the store, given who is to be told what is on its disk.
            key: what commands are signed with.
            connect: opens a connection to the broker.
            now_ms: milliseconds since 1970, on a clock that never runs backwards.
            say: called with a sentence when the broker is lost, when it is back, and once for what failed here.
            came: tells from which addresses somebody has connected to the broker under the hub's name, the latest
                last; nothing where the broker does not tell.

        Raises:
            UserError: if the club's name is none, or the store cannot be opened.
        """
        self._topics = [every_table(club, what) for what in OF_TABLES]
        self.club, self._address, self._connect = club, address, connect
        self._key, self._now_ms, self._say, self._came = key, now_ms, say, came
        self.trouble: HubTrouble | None = None
        self._client = hub_client(club)
        self._taken_over: HubTrouble | None = None
        self._taken_at = -math.inf
        self._came_from, self._other = deque[str](maxlen=REMEMBERED), ""
        self.turns = 0
        self._known: dict[str, _Known] = {}
        self._shown: dict[str, TableShown] = {}
        self._hearers: tuple[Callable[[TableShown], None], ...] = ()
        self._said: set[str] = set()
        self._confirmations: OrderedDict[tuple[str, str], Confirmation] = OrderedDict()
        self._linked: dict[tuple[str, str], list[Future[Confirmation]]] = {}
        self._newest: dict[tuple[str, str], int] = {}
        self._times: deque[tuple[str, TimeQuestion, int]] = deque(maxlen=MOST_TABLES)
        self._asked: OrderedDict[str, Future[TableReply]] = OrderedDict()
        self._awaited: dict[str, asyncio.Future[TableReply]] = {}
        self._transport: ClubTransport | None = None
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._to_send = asyncio.Event()
        try:
            self.store = store(self._hear_store)
        except UserError:
            self._loop.close()
            raise
        try:
            self._recall()
        except UserError:
            self.store.close()
            self._loop.close()
            raise
        self._thread = threading.Thread(target=self._run, name="pointsman-hub", daemon=True)
        self._thread.start()

    def _recall(self) -> None:
        """Know the tables of before."""
        for table in self.store.tables():
            known = self._known[table.name] = _Known(table.name)
            known.watch.heard_ms = table.heard_ms
            known.shown = replace(
                known.shown,
                title=table.title or table.name,
                pages=table.pages,
                version=table.version,
                heard_ms=table.heard_ms,
            )
            self._shown[table.name] = known.shown
        self._newest.update(self.store.newest())
        for (name, journal), number in self._newest.items():
            if name in self._known:
                self._known[name].watch.stored[journal] = number
        for name, journal, number, stored_ms in self.store.first_contradictions(
            self._now_ms() - CONTRADICTED_MS
        ):
            if name in self._known:
                self._known[name].watch.hear_contradiction(journal, number, stored_ms)

    @property
    def connected(self) -> bool:
        """Whether the broker is there, and tables can be heard."""
        return self._transport is not None

    # What the hall sees, from any thread.

    def tables(self) -> tuple[TableShown, ...]:
        """See `Hall`."""
        shown = self._shown.copy()
        return tuple(shown[name] for name in sorted(shown, key=table_order))

    def troubles(self) -> tuple[HubTrouble, ...]:
        """See `Hall`."""
        found = (self.trouble, self._taken_over, self.store.trouble)
        return tuple(each for each in found if each is not None)

    def subscribe(self, hear: Callable[[TableShown], None]) -> None:
        """See `Hall`."""
        self._hearers = (*self._hearers, hear)

    def events(
        self, table: str, *, after: int = 0, journal: str = "", most: int = 1000
    ) -> Sequence[StoredEvent]:
        """See `Hall`."""
        return self.store.events(table, after=after, journal=journal, most=most)

    def journals(self, table: str, *, most: int) -> Sequence[str]:
        """See `Hall`."""
        return self.store.journals(table, most=most)

    def newest(self) -> Mapping[tuple[str, str], int]:
        """The number of the newest stored entry of each journal, by table and journal."""
        return self._newest.copy()

    def head(self, table: str, journal: str) -> int:
        """The number of the newest stored entry of one journal; 0 for none."""
        return self._newest.get((table, journal), 0)

    def rows(self, table: str, journal: str, *, after: int, most: int) -> Sequence[Row]:
        """See `HubStore.rows`."""
        return self.store.rows(table, journal, after=after, most=most)

    def ask(
        self,
        table: str,
        body: Mapping[str, Json],
        *,
        by: str,
        name: str,
        seen: int | None = None,
        command: str = "",
    ) -> "Future[TableReply]":
        """See `Hall`."""
        asked: Future[TableReply] = Future()
        asked.set_running_or_notify_cancel()
        command = command or uuid.uuid4().hex
        work = partial(self._ask, asked, table, dict(body), by=by, name=name, seen=seen, command=command)
        try:
            self._loop.call_soon_threadsafe(work)
        except RuntimeError:
            asked.set_exception(TableAskError(TableSilence.ENDING_BEFORE))
        return asked

    def store_part(self, table: str, part: JournalPart) -> "Future[Confirmation]":
        """Store entries that come by another way than the broker; the confirmation for their sender.

        Raises:
            UserError: through the future, if they do not hold together, or too much waits to be written.
        """
        told: Future[Confirmation] = Future()
        told.set_running_or_notify_cancel()
        try:
            self._loop.call_soon_threadsafe(self._store_and_confirm, told, table, part)
        except RuntimeError:
            told.set_exception(StoreError("The hub is ending; nothing was stored."))
        return told

    def close(self) -> None:
        """End the connection, store what came in, and close the store."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()
        self.store.close()
        self._loop.close()

    # The thread of the service.

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._live())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())

    async def _live(self) -> None:
        """Be connected for as long as possible, until the end."""
        works = [asyncio.create_task(self._stay_connected()), asyncio.create_task(self._look_around())]
        await self._stop.wait()
        with contextlib.suppress(Exception):  # what fails while it ends is nobody's any more
            await end_tasks({*works, *asyncio.all_tasks()} - {asyncio.current_task()})
        for asked in self._asked.values():
            if not asked.done():
                asked.set_exception(TableAskError(TableSilence.ENDING))

    async def _stay_connected(self) -> None:
        wait, began, contests = FIRST_WAIT_S, self._loop.time(), 0
        while True:
            taken = False
            try:
                async with self._connect(self._address, client=self._client) as transport:
                    self._came_from.append(transport.here)
                    await transport.subscribe(self._topics)
                    if self.trouble is not None:
                        self.trouble = None
                        self._say("The broker is there again; tables send what is missing.")
                    self._transport, wait = transport, FIRST_WAIT_S
                    await _until_one_fails(self._listen(transport), self._send(transport))
            except TransportError as error:
                taken = isinstance(error, TakenOverError)
                self._came_from.append(error.here)
                if self._transport is not None or taken:
                    began = self._loop.time()
                if self._loop.time() - began >= START_S:
                    self._tell_trouble(str(error))
            except Exception as error:  # a defect; the hub goes on, and comes back to its tables
                _LOGGER.exception("A defect at a message of a table.")
                self._tell_trouble(f"The hub failed at a message ({type(error).__name__}: {error}).")
            finally:
                self._transport = None
            # Two hubs of one club would else throw each other out many times a second.
            await asyncio.sleep(min(max(wait, FIRST_WAIT_S * contests), LONGEST_WAIT_S))
            # Not before: the broker's own words on it come another way, and the hub is not connected just now.
            taken = self._look_who_came() or taken
            if taken:
                self._tell_taken_over()
            contests = contests + 1 if taken else 0
            wait = min(2 * wait, LONGEST_WAIT_S)

    def _look_who_came(self) -> bool:
        """Whether the broker says of somebody else, for the first time, that they came under the hub's name."""
        found = [each for each in self._came() if each not in self._came_from]
        self._came_from += found
        self._other = found[-1] if found else self._other
        return bool(found)

    def _tell_taken_over(self) -> None:
        """Say once that somebody else uses the hub's name at the broker, and from where, if the broker tells."""
        self._taken_at = self._loop.time()
        before = self._taken_over
        name = self._address.user or self._client
        reason = f"{name}, {self._other}" if self._other else name
        if before is None or before.reason == name:
            since = self._now_ms() if before is None else before.since_ms
            self._taken_over = HubTrouble(HubFault.TAKEN_OVER, since, reason)
        if before is None:
            self._say(
                f"Another program logs in to the broker under this hub's name ({reason}); end it. It may be a second "
                "hub of this club, or a table that takes the name."
            )

    def _look_whether_alone(self) -> None:
        """Whoever took the hub's name has left it when the hub stays connected."""
        alone = self.connected and self._loop.time() - self._taken_at > ALONE_S
        if self._taken_over is not None and alone:
            self._taken_over = None
            self._say("Nobody else uses this hub's name at the broker any more.")

    def _tell_trouble(self, why: str) -> None:
        """Say once that no table can be heard."""
        if self.trouble is None:
            self.trouble = HubTrouble(HubFault.BROKER, self._now_ms(), why)
            self._say(why)

    def _say_once(self, text: str) -> None:
        """Say what may come again with every message."""
        if text not in self._said:
            self._said.add(text)
            self._say(text)

    async def _look_around(self) -> None:
        """See whether a table has fallen silent."""
        while True:
            await asyncio.sleep(LOOK_S)
            self.turns += 1
            self._look_whether_alone()
            for known in self._known.values():
                self._publish(known)

    async def _listen(self, transport: ClubTransport) -> None:
        async for message in transport.messages():
            place = TableAddress.parse(message.topic)
            if place is not None and place[0].club == self.club:
                with doing("hub", _task(message), place[0].table):
                    self._on_message(place[0].table, place[1], message)

    def _on_message(self, name: str, what: Topic, message: ClubMessage) -> None:
        """One message of a table."""
        known = self._known.get(name)
        if known is None:
            if len(self._known) >= MOST_TABLES or not message.payload:
                return
            known = self._known[name] = _Known(name)
        now = self._now_ms()
        if not message.retained:
            known.watch.on_message(now)
        try:
            match what:
                case Topic.PRESENCE:
                    self._hear_presence(known, message, now)
                case Topic.STATE:
                    self._hear_state(known, message.payload, now)
                case Topic.EVENTS:
                    self._hear_part(known, JournalPart.decode(message.payload), now)
                case Topic.ANSWERS:
                    self._hear_reply(TableReply.decode(message.payload))
                case _:
                    self._hear_question(known, TimeQuestion.decode(message.payload), now)
        except ClubMessageError as error:
            known.watch.hear_unreadable(str(error), now)
        self._publish(known)

    def _hear_presence(self, known: _Known, message: ClubMessage, now: int) -> None:
        if not message.payload:
            return  # somebody cleared what the broker kept
        presence = TablePresence.decode(message.payload)
        for journal in presence.journals or {}:
            _check_journal(journal)
        if not known.watch.hear_presence(presence, now, kept=message.retained):
            return
        before = known.shown
        known.shown = replace(
            before,
            title=presence.name or before.title,
            up=presence.up,
            journal=presence.journal,
            version=presence.version or before.version,
            pages=presence.pages or before.pages,
            authority=presence.authority or before.authority,
        )
        name = before.name
        for journal in presence.journals or {}:
            self.store.look_up(name, journal)
        kept = KnownTable(
            name,
            known.shown.title,
            known.shown.pages,
            known.shown.version,
            presence.run,
            known.watch.heard_ms,
        )
        self.store.keep_table(kept)

    def _hear_state(self, known: _Known, payload: bytes, now: int) -> None:
        told = ShownState.decode(payload)
        known.shown = replace(known.shown, screen=told.screen, desk=told.desk, since_ms=now)

    def _store_and_confirm(self, told: "Future[Confirmation]", table: str, part: JournalPart) -> None:
        now = self._now_ms()
        known = self._known.setdefault(table, _Known(table))
        known.watch.on_message(now)
        waiting = self._linked.setdefault((table, part.journal), [])
        waiting.append(told)
        try:
            taken = self._hear_part(known, part, now)
        except ClubMessageError as error:
            waiting.remove(told)
            told.set_exception(error)
            known.watch.hear_unreadable(str(error), now)
        else:
            if not taken:
                waiting.remove(told)
                told.set_exception(StoreError("Too much waits to be stored; send it again in a moment."))
        self._publish(known)

    def _hear_part(self, known: _Known, part: JournalPart, now: int) -> bool:
        _check_journal(part.journal)
        first = part.first
        if (part.rows or part.refused) and (first < 1 or (first == 1) != (part.before == "")):
            raise ClubMessageError("A message of kind events does not say what it follows on.")
        if part.rows and first == 1 and journal_name(part.rows[0][-1]) != part.journal:
            raise ClubMessageError("A message of kind events has the name of another journal.")
        if not part.is_whole():
            raise ClubMessageError(f"Entries from number {first} on do not hold together: one was changed.")
        known.watch.hear_part(now)
        return self.store.keep(known.shown.name, part)

    def _hear_reply(self, reply: TableReply) -> None:
        awaited = self._awaited.pop(reply.id, None)
        if awaited is not None and not awaited.done():
            awaited.set_result(reply)
        if reply.id in self._asked:
            self.store.keep_reply(reply)

    def _hear_question(self, known: _Known, question: TimeQuestion, now: int) -> None:
        known.watch.hear_clock(question.asked, now)
        self._times.append((known.shown.name, question, now))
        self._to_send.set()

    def _hear_store(self, kept: Sequence[PartKept]) -> None:
        """What is on the disk; in the thread of the store."""
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._hear_kept, kept)

    def _hear_kept(self, kept: Sequence[PartKept]) -> None:
        now = self._now_ms()
        touched = {}
        for each in kept:
            known = self._known[each.table]
            told = each.confirmation
            known.watch.hear_stored(told.journal, each.told, told.upto, now)
            if told.upto:
                self._newest[each.table, told.journal] = told.upto
            if told.refused is not None:
                known.watch.hear_refused(told.journal, told.refused, now)
            if each.contradicting:
                known.watch.hear_contradiction(told.journal, each.contradicting, now)
            for waiting in self._linked.pop((each.table, told.journal), ()):
                waiting.set_result(told)
            if UPLINK not in each.table:
                self._confirmations[each.table, told.journal] = told
            elif now - known.kept_ms >= KEPT_MS:
                known.kept_ms = now
                self.store.keep_table(KnownTable(each.table, each.table, heard_ms=now))
            touched[each.table] = known
        self._to_send.set()
        for known in touched.values():
            self._publish(known)

    def _publish(self, known: _Known) -> None:
        """Tell everybody of a table, if anything about it has changed."""
        watch, before = known.watch, known.shown
        journal = before.journal
        known.shown = shown = replace(
            before,
            heard_ms=watch.heard_ms,
            events=watch.stored.get(journal, 0),
            told=watch.told.get(journal, 0),
            faults=watch.faults(self._now_ms(), playing=_is_playing(before)),
        )
        last = self._shown.get(shown.name)
        self._shown[shown.name] = shown
        if last is None or replace(last, heard_ms=0) != replace(shown, heard_ms=0):
            for hear in self._hearers:
                try:
                    hear(shown)
                except Exception as error:  # a defect there must not keep the tables from being heard
                    _LOGGER.exception(
                        "A defect while a table was shown.", extra=DefectScene("hub", table=shown.name).extra
                    )
                    self._say_once(f"The hub failed at a table ({type(error).__name__}: {error}).")

    async def _send(self, transport: ClubTransport) -> None:
        """Answer questions for the time, and confirm what is on the disk; the newest word on a journal counts."""
        while True:
            await self._to_send.wait()
            self._to_send.clear()
            while self._times or self._confirmations:
                if self._times:
                    table, question, received = self._times.popleft()
                    answer = TimeAnswer(question.asked, received, self._now_ms()).encode()
                    await transport.publish(self._topic(table, Topic.TIME), answer, qos=0)
                    continue
                (table, _), confirmation = self._confirmations.popitem(last=False)
                await transport.publish(self._topic(table, Topic.CONFIRMED), confirmation.encode())

    def _topic(self, table: str, what: Topic) -> str:
        return TableAddress(self.club, table).topic(what)

    # Commands.

    def _ask(
        self,
        asked: "Future[TableReply]",
        table: str,
        body: dict[str, Json],
        *,
        by: str,
        name: str,
        seen: int | None,
        command: str,
    ) -> None:
        before = self._asked.get(command)
        if before is not None:
            before.add_done_callback(partial(_copy_result, asked))
            return
        self._asked[command] = asked
        while len(self._asked) > REMEMBERED:
            self._asked.popitem(last=False)
        task = asyncio.ensure_future(self._command(table, body, by, name, seen, command))
        task.add_done_callback(partial(_set_result, asked))

    async def _command(
        self, table: str, body: dict[str, Json], by: str, name: str, seen: int | None, command: str
    ) -> TableReply:
        """Record, sign and send a command; what the table answers."""
        known = self._known.get(table)
        if known is None:
            raise TableAskError(TableSilence.UNKNOWN, table)
        now = self._now_ms()
        unsigned = TableCommand(
            command,
            f"{self.club}/{table}",
            known.shown.journal,
            seen=seen,
            by=by,
            name=name,
            body=body,
            issued=now,
            expires=now + EXPIRES_S * 1000,
            key=self._key.public,
        )
        signed = replace(unsigned, signature=self._key.sign_text(unsigned.text()))
        await asyncio.wrap_future(self.store.keep_command(signed, table))
        transport = self._transport
        if transport is None or not known.shown.up:
            problem = TableAskError(TableSilence.AWAY, known.shown.title)
            self.store.keep_reply(TableReply(command, done=False, text=str(problem)))
            raise problem
        answer: asyncio.Future[TableReply] = self._loop.create_future()
        self._awaited[command] = answer
        try:
            await transport.publish(self._topic(table, Topic.COMMANDS), signed.encode(), expires_s=EXPIRES_S)
            return await asyncio.wait_for(answer, ANSWER_S)
        except TimeoutError:
            raise TableAskError(TableSilence.SLOW, known.shown.title) from None
        finally:
            self._awaited.pop(command, None)


def _is_playing(table: TableShown) -> bool:
    """Whether a match was on when a table was seen last; one that never showed anything may be playing."""
    return table.screen is None or table.screen.get("room") == RoomState.PLAYING


def _check_journal(journal: str) -> None:
    """Raises ClubMessageError for what is no name of a journal."""
    if len(journal) != JOURNAL_LETTERS or set(journal) - set("0123456789abcdef"):
        raise ClubMessageError("A message names a journal as none is called; the sender is to be updated.")


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


async def _until_one_fails(*works: Coroutine[Any, Any, None]) -> None:
    """Do several things at once until the first of them ends; raises what it raised."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        with contextlib.suppress(TransportError):  # the same connection was lost for all of them
            await end_tasks(tasks)


def _task(message: ClubMessage) -> dict[str, Any]:
    """A message as plain values, to be heard again."""
    payload = message.payload.decode("utf-8", "replace")
    return {"topic": message.topic, "payload": payload, "retained": message.retained}
