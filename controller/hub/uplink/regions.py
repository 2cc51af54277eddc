"""The federation's side of NATS: what regions' hubs publish is stored, then confirmed, then gone from the stream."""

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from controller.closing import Closeable
from controller.club.messages import ClubMessageError, Confirmation, JournalPart
from controller.club.topics import ClubNameError
from controller.errors import UserError
from controller.hub.uplink.desk import UplinkDesk
from controller.hub.uplink.jetstream import (
    ASKED,
    BEGUN,
    DURABLE,
    EVENTS,
    STREAM,
    NatsAddress,
    NatsConnection,
    connected,
    explained,
    sender_of,
    stream_config,
    subject,
    table_names,
)

if TYPE_CHECKING:
    from nats.aio.msg import Msg
    from nats.js import JetStreamContext

TOGETHER: Final = 500
"""This many messages are taken from the stream at once."""
ENTRIES: Final = 5000
"""This many entries are given to the store at once."""
WAIT_S: Final = 2.0
MISSED: Final = 6
"""After this many questions to servers that are choosing a leader, the connection is made anew."""
STORED_S: Final = 10.0
"""What is not on the disk after this time is given to the store once more."""
AGAIN_S: Final = 0.5
UNREAD_S: Final = 20.0
"""What was taken and is not answered for this time is delivered once more."""
FLOOR_S: Final = 0.5
"""How often at most the servers are asked how far the stream has been read."""
FIRST_WAIT_S: Final = 0.2
LONGEST_WAIT_S: Final = 5.0
PATIENCE_S: Final = 15.0
"""Servers that cannot be used for this time are reported."""


class Regions(Closeable):
    """Takes what regions' hubs send; a thread with a loop of its own.

    Attributes:
        trouble: why nothing can be heard just now; empty while all is well.
        up: is set while regions can be heard.
    """

    def __init__(
        self,
        desk: UplinkDesk,
        address: NatsAddress,
        say: Callable[[str], None],
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Begin.

        Args:
            desk: where entries are stored.
            address: of the servers.
            say: called with a sentence when they are lost, and one when they are there again.
            patience_s: seconds after which servers that cannot be used are reported.
        """
        self._desk, self._address, self._say, self._patience_s = desk, address, say, patience_s
        self.trouble = ""
        self.up = threading.Event()
        self._taken, self._taken_s = 0, 0.0
        self._begun = False
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="pointsman-regions", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Hear nothing more; what was not confirmed comes again."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()
        self._loop.close()

    # The thread of the connection.

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._live())

    async def _live(self) -> None:
        living = asyncio.create_task(self._stay_connected())
        await self._stop.wait()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for each in others:
            each.cancel()
        await asyncio.gather(living, *others, return_exceptions=True)

    async def _stay_connected(self) -> None:
        wait, first, lost = FIRST_WAIT_S, 0, time.monotonic()
        while True:
            began = time.monotonic()
            try:
                async with connected(self._address, "federation", first) as connection:
                    await self._serve(connection)
            except UserError as error:
                if self.up.is_set():
                    lost = time.monotonic()
                if not self.trouble and time.monotonic() - lost >= self._patience_s:
                    self.trouble = str(error)
                    self._say(f"{error} Regions keep what they have, and send it later.")
            finally:
                self.up.clear()
            first += 1
            wait = (
                FIRST_WAIT_S if time.monotonic() - began > LONGEST_WAIT_S else min(2 * wait, LONGEST_WAIT_S)
            )
            await asyncio.sleep(wait)

    async def _serve(self, connection: NatsConnection) -> None:
        """Hear regions until the connection is lost. Raises UplinkError."""
        import nats.errors

        client, lost = connection.client, asyncio.create_task(connection.lost.wait())
        try:
            reader = await self._open(client.jetstream(timeout=WAIT_S))

            async def answer(message: "Msg") -> None:
                await self._answer(reader, message)

            await client.subscribe(ASKED, cb=answer)
            if not self._begun:
                await client.publish(BEGUN, b"")
                self._begun = True
            self.up.set()
            if self.trouble:
                self.trouble = ""
                self._say(f"NATS at {self._address.name} can be used again.")
            reading = asyncio.create_task(self._read(connection, reader))
            try:
                await asyncio.wait((reading, lost), return_when=asyncio.FIRST_COMPLETED)
                if reading.done():
                    reading.result()
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)
        except (nats.errors.Error, OSError, TimeoutError) as error:
            raise explained(self._address.name, error, connection.refused) from None
        finally:
            lost.cancel()
        raise explained(self._address.name, nats.errors.ConnectionClosedError())

    async def _open(self, stream: "JetStreamContext") -> "JetStreamContext.PullSubscription":
        """The federation's place in the stream, which is made where there is none."""
        import nats.js.errors
        from nats.js.api import ConsumerConfig

        try:
            await stream.stream_info(STREAM)
        except nats.js.errors.NotFoundError:
            await stream.add_stream(stream_config(self._address.copies))
        return await stream.pull_subscribe(
            EVENTS,
            durable=DURABLE,
            stream=STREAM,
            config=ConsumerConfig(ack_wait=UNREAD_S, max_ack_pending=4 * TOGETHER),
        )

    async def _read(self, connection: NatsConnection, reader: "JetStreamContext.PullSubscription") -> None:
        """Take from the stream, batch by batch, for as long as the connection holds."""
        import nats.errors
        import nats.js.errors

        missed, storing = 0, asyncio.create_task(asyncio.sleep(0))
        try:
            while True:
                try:
                    batch = await reader.fetch(TOGETHER, timeout=WAIT_S)
                except (nats.errors.TimeoutError, TimeoutError):
                    try:
                        # Is it that nothing comes, or that nobody leads?
                        await reader.consumer_info()
                        missed = 0
                    except (nats.errors.TimeoutError, TimeoutError, nats.js.errors.ServiceUnavailableError):
                        missed += 1
                        if missed == MISSED:
                            raise
                    continue
                # One batch is stored while the next one comes.
                await storing
                storing = asyncio.create_task(self._take_all(connection, batch))
        finally:
            storing.cancel()
            await asyncio.gather(storing, return_exceptions=True)

    async def _take_all(self, connection: NatsConnection, batch: Sequence["Msg"]) -> None:
        while batch:
            batch = batch[await self._store_batch(connection, batch) :]

    async def _store_batch(self, connection: NatsConnection, batch: Sequence["Msg"]) -> int:
        """Store the first messages of a batch and confirm them; how many."""
        parts: list[tuple[Msg, str, str, JournalPart]] = []
        entries = taken = 0
        for message in batch:
            taken += 1
            try:
                club, table = sender_of(message.subject)
                part = JournalPart.decode(message.data)
            except (ClubMessageError, ClubNameError):
                await message.term()
                continue
            parts.append((message, club, table, part))
            entries += len(part.rows)
            if entries >= ENTRIES:
                break
        told: dict[tuple[str, str, str], Confirmation] = {}
        while parts:
            parts = await self._store(parts, told)
            if parts:
                for message, *_ in parts:
                    await message.in_progress()
                await asyncio.sleep(AGAIN_S)
        for (club, table, _), confirmation in told.items():
            await connection.client.publish(subject(club, table, "confirmed"), confirmation.encode())
        return taken

    async def _store(
        self,
        parts: Sequence[tuple["Msg", str, str, JournalPart]],
        told: dict[tuple[str, str, str], Confirmation],
    ) -> list[tuple["Msg", str, str, JournalPart]]:
        """Have parts stored, and acknowledge them; those that were not stored yet.

        A part that does not hold together is taken from the stream: it would come again for ever.
        """
        futures = [
            asyncio.wrap_future(self._desk.store_part(club, table, part)) for _, club, table, part in parts
        ]
        await asyncio.wait(futures, timeout=STORED_S)
        left = []
        for (message, club, table, part), future in zip(parts, futures, strict=True):
            if not future.done():
                future.cancel()
                left.append((message, club, table, part))
                continue
            error = future.exception()
            if error is None:
                told[club, table, part.journal] = future.result()
                await message.ack()
            elif isinstance(error, ClubMessageError):
                await message.term()
            else:
                left.append((message, club, table, part))
        return left

    async def _answer(self, reader: "JetStreamContext.PullSubscription", message: "Msg") -> None:
        """Tell a club how far its journals are here, and how far the stream has been read."""
        parts = message.subject.split(".")
        try:
            asked = table_names(json.loads(message.data))
        except (ValueError, RecursionError):
            return
        import nats.errors

        with contextlib.suppress(nats.errors.Error, TimeoutError):
            # Asked first: what is read meanwhile is in the store, too.
            if time.monotonic() - self._taken_s > FLOOR_S:
                info = await reader.consumer_info()
                self._taken, self._taken_s = (
                    info.ack_floor.stream_seq if info.ack_floor else 0,
                    time.monotonic(),
                )
            tables: dict[str, dict[str, int]] = {}
            for table, journal in asked:
                tables.setdefault(table, {})[journal] = self._desk.head(parts[2], table, journal)
            await message.respond(json.dumps({"tables": tables, "taken": self._taken}).encode())
