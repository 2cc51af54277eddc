"""A federation's hub behind NATS: entries go into a stream, its confirmations come back past it."""

import asyncio
import json
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import TimeoutError as WaitTimeoutError
from typing import TYPE_CHECKING, Any, Final, TypeVar

from controller.club.messages import ClubMessageError, Confirmation
from controller.club.topics import ClubNameError
from controller.hub.uplink.jetstream import (
    BEGUN,
    ENOUGH,
    ONE_MOST_BYTES,
    STREAM,
    NatsAddress,
    NatsConnection,
    connected,
    explained,
    sender_of,
    subject,
)
from controller.hub.uplink.other_hub import Heads, OutgoingPart, Place, SilentHubError, UplinkError

if TYPE_CHECKING:
    from nats.aio.msg import Msg

LARGEST: Final = ONE_MOST_BYTES // 2
FIRST_WAIT_S: Final = 0.2
LONGEST_WAIT_S: Final = 5.0
TAKEN_S: Final = 2.0
"""How long the servers may take to have a message; then it is sent again under its name."""
AGAIN_S: Final = 0.3
ANSWER_S: Final = 3.0
PATIENCE_S: Final = 12.0
"""How long a connection that was lost is waited for, and servers that choose who leads."""

Result = TypeVar("Result")


class NatsHub:
    """See `OtherHub`. A thread with a loop of its own keeps the connection."""

    def __init__(self, address: NatsAddress, patience_s: float = PATIENCE_S) -> None:
        """Know the servers; nothing is sent yet. Sending waits ``patience_s`` for a lost connection."""
        self._address, self.name = address, address.name
        self.largest = LARGEST
        self._club, self._patience_s = "", patience_s
        self._wake: Callable[[], None] = lambda: None
        self._connection: NatsConnection | None = None
        self._why = UplinkError(f"NATS at {self.name} cannot be reached (no answer).")
        self._confirmed: deque[tuple[str, Confirmation]] = deque()
        self._forgot = False
        self._loop = asyncio.new_event_loop()
        self._up, self._stop = asyncio.Event(), asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="pointsman-nats", daemon=True)

    def begin(self, club: str, wake: Callable[[], None]) -> None:
        """See `OtherHub`."""
        self._club, self._wake = club, wake
        self._thread.start()

    def heads(self, places: Sequence[Place]) -> Heads:
        """See `OtherHub`."""
        return self._do(self._ask(places))

    def send(self, parts: Sequence[OutgoingPart]) -> Sequence[int]:
        """See `OtherHub`."""
        return self._do(self._publish(parts))

    def confirmations(self) -> Sequence[tuple[str, Confirmation]]:
        """See `OtherHub`."""
        told = []
        while self._confirmed:
            told.append(self._confirmed.popleft())
        return told

    def forgot(self) -> bool:
        """See `OtherHub`."""
        forgot, self._forgot = self._forgot, False
        return forgot

    def close(self) -> None:
        """See `OtherHub`."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, Result]) -> Result:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(2 * (self._patience_s + TAKEN_S) + ANSWER_S)
        except WaitTimeoutError:
            future.cancel()
            raise UplinkError(f"NATS at {self.name} does not answer.") from None

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
        wait, first = FIRST_WAIT_S, 0
        while True:
            began = time.monotonic()
            try:
                async with connected(self._address, f"hub-{self._club}", first) as connection:
                    await connection.client.subscribe(
                        subject(self._club, "*", "confirmed"), cb=self._hear_confirmation
                    )
                    await connection.client.subscribe(BEGUN, cb=self._hear_begun)
                    # What was said meanwhile was not heard.
                    self._connection, self._forgot = connection, True
                    self._up.set()
                    await connection.lost.wait()
                    self._why = UplinkError(f"NATS at {self.name} cannot be reached (the connection broke).")
            except UplinkError as error:
                self._why = error
            finally:
                self._connection = None
                self._up.clear()
            first += 1
            wait = (
                FIRST_WAIT_S if time.monotonic() - began > LONGEST_WAIT_S else min(2 * wait, LONGEST_WAIT_S)
            )
            await asyncio.sleep(wait)

    async def _connected(self) -> NatsConnection:
        if self._connection is None:
            try:
                await asyncio.wait_for(self._up.wait(), self._patience_s)
            except TimeoutError:
                raise self._why from None
        if self._connection is None:
            raise self._why
        return self._connection

    async def _hear_confirmation(self, message: "Msg") -> None:
        try:
            _, table = sender_of(message.subject)
            told = Confirmation.decode(message.data)
        except (ClubMessageError, ClubNameError):
            return
        self._confirmed.append((table, told))
        self._wake()

    async def _hear_begun(self, message: "Msg") -> None:  # noqa: ARG002
        self._forgot = True
        self._wake()

    async def _ask(self, places: Sequence[Place]) -> Heads:
        import nats.errors

        connection = await self._connected()
        wanted: dict[str, list[str]] = {}
        for table, journal in places:
            wanted.setdefault(table, []).append(journal)
        silent = SilentHubError(
            f"The federation's hub does not answer at NATS {self.name}; NATS keeps what it is sent."
        )
        try:
            answer = await connection.client.request(
                subject(self._club, "asked"), json.dumps(wanted).encode(), timeout=ANSWER_S
            )
            told = json.loads(answer.data)
            numbers = {
                (str(table), str(journal)): int(number)
                for table, journals in told["tables"].items()
                for journal, number in journals.items()
            }
            return Heads(numbers, int(told["taken"]))
        except (nats.errors.NoRespondersError, nats.errors.TimeoutError):
            if connection.refused:
                raise explained(self.name, silent, connection.refused) from None
            raise silent from None
        except nats.errors.Error as error:
            raise UplinkError(f"NATS at {self.name} cannot be reached ({error}).") from None
        except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError):
            raise UplinkError(f"What answers behind NATS {self.name} is no hub; check --uplink.") from None

    async def _publish(self, parts: Sequence[OutgoingPart]) -> Sequence[int]:
        import nats.errors
        import nats.js.errors

        marks: dict[int, int] = {}
        until = time.monotonic() + self._patience_s
        while True:
            connection = await self._connected()
            stream = connection.client.jetstream(timeout=TAKEN_S)
            self.largest = min(LARGEST, connection.client.max_payload - ENOUGH)
            connection.refused = ""
            left = [number for number in range(len(parts)) if number not in marks]
            # What was taken although nobody said so is known by its name when it comes again.
            told = await asyncio.gather(
                *(
                    stream.publish(
                        subject(self._club, parts[number].table, "events"),
                        parts[number].part.encode(),
                        stream=STREAM,
                        headers={"Nats-Msg-Id": message_name(self._club, parts[number])},
                    )
                    for number in left
                ),
                return_exceptions=True,
            )
            failure: BaseException | None = None
            for number, each in zip(left, told, strict=True):
                if isinstance(each, BaseException):
                    failure = each
                else:
                    marks[number] = each.seq
            if failure is None:
                return [marks[number] for number in range(len(parts))]
            if not isinstance(failure, nats.errors.Error | OSError | TimeoutError):
                raise failure
            # While servers choose who leads, the stream is not there or does not answer.
            passing = (
                nats.js.errors.NoStreamResponseError
                | nats.errors.ConnectionClosedError
                | OSError
                | TimeoutError
            )
            if not isinstance(failure, passing) or connection.refused or time.monotonic() > until:
                raise explained(self.name, failure, connection.refused)
            await asyncio.sleep(AGAIN_S)


def message_name(club: str, outgoing: OutgoingPart) -> str:
    """By what NATS knows a message that came already: whose entries it holds, which, and for the how manieth time."""
    rows = outgoing.part.rows
    return f"{club}.{outgoing.table}.{outgoing.part.journal}.{rows[0][0]}-{rows[-1][0]}.{outgoing.round}"
