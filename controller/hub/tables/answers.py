"""What the hub answers to tables by itself: what time it is, and what of their entries is on the disk."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable

from controller.club.messages import Confirmation, TimeAnswer, TimeQuestion
from controller.club.topics import TableAddress, Topic
from controller.club.transport import ClubTransport
from controller.hub.tables.known_tables import MOST_TABLES


class TableAnswers:
    """Answers that wait to be sent; all of it in the thread of the hub's loop."""

    def __init__(self, club: str, now_ms: Callable[[], int]) -> None:
        """Nothing waits yet. ``now_ms`` tells milliseconds since 1970."""
        self._club, self._now_ms = club, now_ms
        self._times: deque[tuple[str, TimeQuestion, int]] = deque(maxlen=MOST_TABLES)
        self._confirmations: OrderedDict[tuple[str, str], Confirmation] = OrderedDict()
        self._waiting = asyncio.Event()

    def tell_time(self, table: str, question: TimeQuestion, received_ms: int) -> None:
        """Answer a table that has asked for the time."""
        self._times.append((table, question, received_ms))
        self._waiting.set()

    def confirm(self, table: str, confirmation: Confirmation) -> None:
        """Confirm what is on the disk; the newest word on a journal counts."""
        self._confirmations[table, confirmation.journal] = confirmation
        self._waiting.set()

    async def send(self, transport: ClubTransport) -> None:
        """Send all that waits, and what comes. Raises TransportError when the connection is lost."""
        while True:
            # Something may be left from a connection that was lost.
            if not (self._times or self._confirmations):
                self._waiting.clear()
                await self._waiting.wait()
            elif self._times:
                table, question, received = self._times.popleft()
                answer = TimeAnswer(question.asked, received, self._now_ms()).encode()
                await transport.publish(self._topic(table, Topic.TIME), answer, qos=0)
            else:
                (table, _), confirmation = self._confirmations.popitem(last=False)
                await transport.publish(self._topic(table, Topic.CONFIRMED), confirmation.encode())

    def _topic(self, table: str, what: Topic) -> str:
        return TableAddress(self._club, table).topic(what)
