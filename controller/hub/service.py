"""The hub at work: hears every table, has what they send stored and confirmed, and tells them what people want."""

import asyncio
import contextlib
import logging
import threading
import uuid
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Final

from controller.closing import Closeable
from controller.club.messages import (
    ClubMessageError,
    Confirmation,
    JournalPart,
    TableReply,
    TimeQuestion,
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
from controller.hub.name_conflict import NameConflict
from controller.hub.store import HubStore, StoreError
from controller.hub.stored_journals import PartKept
from controller.hub.tables.answers import TableAnswers
from controller.hub.tables.commands import AskedCommand, TableAskError, TableCommands, TableSilence
from controller.hub.tables.known_tables import UPLINK, KnownTables
from controller.logs.defect import doing
from controller.record.journal.journal import Json, Row
from controller.record.journal.seal import SigningKey

_LOGGER: Final = logging.getLogger(__name__)

LOOK_S: Final = 1.0
"""How often it is looked whether a table has fallen silent."""
FIRST_WAIT_S: Final = 0.2
LONGEST_WAIT_S: Final = 5.0
START_S: Final = 15.0
"""A broker that cannot be reached for this time is reported."""


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
        follow: Callable[[], int] = lambda: 0,
    ) -> None:
        """Open the store and begin.

        Args:
            club: its name in addresses.
            address: of the broker.
            store: opens the store, given who is to be told what is on its disk.
            key: what commands are signed with.
            connect: opens a connection to the broker.
            now_ms: milliseconds since 1970, on a clock that jumps only in ``follow``.
            say: called with a sentence when the broker is lost, when it is back, and once for what failed here.
            came: tells from which addresses somebody has connected to the broker under the hub's name, the latest
                last; nothing where the broker does not tell.
            follow: takes the machine's time if its clock was set; by how many milliseconds ``now_ms`` has moved.

        Raises:
            UserError: if the club's name is none, or the store cannot be opened.
        """
        self._topics = [every_table(club, what) for what in OF_TABLES]
        self.club, self._address, self._connect = club, address, connect
        self._now_ms, self._say, self._follow = now_ms, say, follow
        self.trouble: HubTrouble | None = None
        self.turns = 0
        self._client = hub_client(club)
        self._conflict = NameConflict(address.user or self._client, came, now_ms, say)
        self._said: set[str] = set()
        self._linked: dict[tuple[str, str], list[Future[Confirmation]]] = {}
        self._transport: ClubTransport | None = None
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._answers = TableAnswers(club, now_ms)
        try:
            self.store = store(self._hear_store)
        except UserError:
            self._loop.close()
            raise
        try:
            self._tables = KnownTables(self.store, now_ms, self._say_failure)
        except UserError:
            self.store.close()
            self._loop.close()
            raise
        self._commands = TableCommands(
            club,
            key,
            self.store,
            now_ms=now_ms,
            shown=lambda name: self._tables.shown().get(name),
            transport=lambda: self._transport,
        )
        self._thread = threading.Thread(target=self._run, name="pointsman-hub", daemon=True)
        self._thread.start()

    @property
    def connected(self) -> bool:
        """Whether the broker is there, and tables can be heard."""
        return self._transport is not None

    # What the hall sees, from any thread.

    def tables(self) -> tuple[TableShown, ...]:
        """See `Hall`."""
        shown = self._tables.shown()
        return tuple(shown[name] for name in sorted(shown, key=table_order))

    def troubles(self) -> tuple[HubTrouble, ...]:
        """See `Hall`."""
        found = (self.trouble, self._conflict.trouble, self.store.trouble)
        return tuple(each for each in found if each is not None)

    def subscribe(self, hear: Callable[[TableShown], None]) -> None:
        """See `Hall`."""
        self._tables.subscribe(hear)

    def events(
        self, table: str, *, after: int = 0, journal: str = "", most: int = 1000
    ) -> Sequence[StoredEvent]:
        """See `Hall`."""
        return self.store.events(table, after=after, journal=journal, most=most)

    def newest_number(self, table: str) -> int:
        """See `Hall`."""
        return self.store.newest_number(table)

    def journals(self, table: str, *, most: int) -> Sequence[str]:
        """See `Hall`."""
        return self.store.journals(table, most=most)

    def newest(self) -> Mapping[tuple[str, str], int]:
        """The number of the newest stored entry of each journal, by table and journal."""
        return self._tables.newest.copy()

    def head(self, table: str, journal: str) -> int:
        """The number of the newest stored entry of one journal; 0 for none."""
        return self._tables.newest.get((table, journal), 0)

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
        wanted = AskedCommand(table, dict(body), by, name, seen, command or uuid.uuid4().hex)
        try:
            self._loop.call_soon_threadsafe(self._commands.ask, asked, wanted)
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
        self._commands.end()

    async def _stay_connected(self) -> None:
        wait, began, contests = FIRST_WAIT_S, self._loop.time(), 0
        while True:
            taken = False
            try:
                async with self._connect(self._address, client=self._client) as transport:
                    self._conflict.know_own(transport.here)
                    await transport.subscribe(self._topics)
                    if self.trouble is not None:
                        self.trouble = None
                        self._say("The broker is there again; tables send what is missing.")
                    self._transport, wait = transport, FIRST_WAIT_S
                    await _until_one_fails(self._listen(transport), self._answers.send(transport))
            except TransportError as error:
                taken = isinstance(error, TakenOverError)
                self._conflict.know_own(error.here)
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
            taken = self._conflict.look_who_came() or taken
            if taken:
                self._conflict.tell(self._loop.time())
            contests = contests + 1 if taken else 0
            wait = min(2 * wait, LONGEST_WAIT_S)

    def _tell_trouble(self, why: str) -> None:
        """Say once that no table can be heard."""
        if self.trouble is None:
            self.trouble = HubTrouble(HubFault.BROKER, self._now_ms(), why)
            self._say(why)

    def _say_failure(self, error: Exception) -> None:
        """Say once what may fail again with every message."""
        text = f"The hub failed at a table ({type(error).__name__}: {error})."
        if text not in self._said:
            self._said.add(text)
            self._say(text)

    async def _look_around(self) -> None:
        """See whether a table has fallen silent."""
        while True:
            await asyncio.sleep(LOOK_S)
            self.turns += 1
            moved_ms = self._follow()
            if moved_ms:
                self._tables.move_times(moved_ms)
            if self.connected:
                self._conflict.look_whether_alone(self._loop.time())
            for known in self._tables:
                self._tables.publish(known)

    async def _listen(self, transport: ClubTransport) -> None:
        async for message in transport.messages():
            place = TableAddress.parse(message.topic)
            if place is not None and place[0].club == self.club:
                with doing("hub", _task(message), place[0].table):
                    self._on_message(place[0].table, place[1], message)

    def _on_message(self, name: str, what: Topic, message: ClubMessage) -> None:
        """One message of a table."""
        known = self._tables.know(name, new=bool(message.payload))
        if known is None:
            return
        now = self._now_ms()
        if not message.retained:
            known.watch.on_message(now)
        try:
            if not self._tables.may_say(known, what, len(message.payload), now):
                return  # what is wrong is shown at the next look around
            match what:
                case Topic.PRESENCE:
                    self._tables.hear_presence(known, message, now)
                case Topic.STATE:
                    self._tables.hear_state(known, message.payload, now)
                case Topic.EVENTS:
                    self._tables.hear_part(known, JournalPart.decode(message.payload), now)
                case Topic.ANSWERS:
                    self._commands.hear(TableReply.decode(message.payload))
                case _:
                    question = TimeQuestion.decode(message.payload)
                    known.watch.hear_clock(question.asked, now)
                    self._answers.tell_time(name, question, now)
        except ClubMessageError as error:
            known.watch.hear_unreadable(str(error), now)
        except Exception as error:
            # A defect; whatever one table says, the hub hears the others, also if the broker keeps that message.
            _LOGGER.exception("A defect at a message of a table.")
            known.watch.hear_unreadable(f"{type(error).__name__}: {error}", now)
        self._tables.publish(known)

    def _store_and_confirm(self, told: "Future[Confirmation]", table: str, part: JournalPart) -> None:
        now = self._now_ms()
        known = self._tables.know_sender(table)
        known.watch.on_message(now)
        waiting = self._linked.setdefault((table, part.journal), [])
        waiting.append(told)
        try:
            taken = self._tables.hear_part(known, part, now)
        except ClubMessageError as error:
            waiting.remove(told)
            told.set_exception(error)
            known.watch.hear_unreadable(str(error), now)
        else:
            if not taken:
                waiting.remove(told)
                told.set_exception(StoreError("Too much waits to be stored; send it again in a moment."))
        self._tables.publish(known)

    def _hear_store(self, kept: Sequence[PartKept]) -> None:
        """What is on the disk; in the thread of the store."""
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._hear_kept, kept)

    def _hear_kept(self, kept: Sequence[PartKept]) -> None:
        touched = {}
        for each in kept:
            told = each.confirmation
            touched[each.table] = self._tables.hear_stored(each)
            for waiting in self._linked.pop((each.table, told.journal), ()):
                waiting.set_result(told)
            if UPLINK not in each.table:
                self._answers.confirm(each.table, told)
        for known in touched.values():
            self._tables.publish(known)


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
