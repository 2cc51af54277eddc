"""The sending side of an uplink.

Nothing is remembered on the way: after a cut or a restart the sender asks how far the other hub is, and goes on
from there.
"""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from controller.closing import Closeable
from controller.club.messages import JournalPart
from controller.errors import UserError
from controller.hub.tables.known_tables import UPLINK
from controller.hub.uplink.other_hub import EntrySource, OtherHub, OutgoingPart, SilentHubError
from controller.hub.uplink.outgoing import BACK_S, OutgoingEntries

MOST: Final = 200
"""Entries in one part."""
TOGETHER: Final = 128
"""Parts that are sent one after the other without looking for what came in."""
MOST_ASKED: Final = 1000
"""Journals in one question how far they are."""
GATHER_S: Final = 0.1
"""What comes in so close together is sent together."""
PAUSE_S: Final = 2.0
AGAIN_S: Final = 10.0
SILENT_S: Final = 15.0
"""A federation's hub that does not answer for this time is reported; until then it may just be starting again."""
ENDING_S: Final = 20.0


class Uplink(Closeable):
    """The sending side: a thread that sends what the other hub has not confirmed.

    Attributes:
        trouble: why nothing can be sent just now; empty while all is well.
        left: how many entries the other hub does not have yet, as far as is known.
    """

    def __init__(
        self,
        source: EntrySource,
        other: OtherHub,
        say: Callable[[str], None],
        again_s: float = AGAIN_S,
        silent_s: float = SILENT_S,
        *,
        back_s: float = BACK_S,
    ) -> None:
        """Begin.

        Args:
            source: this hub.
            other: where its entries go; ends with the uplink.
            say: called with a sentence when the other hub is lost, and one when it is there again.
            again_s: seconds between a failure and the next attempt.
            silent_s: seconds after which another hub that does not answer is reported.
            back_s: seconds without progress after which the other hub is asked how far it has come.
        """
        self._source, self._other, self._say, self._again_s = source, other, say, again_s
        self.trouble, self.left = "", 0
        self._outgoing = OutgoingEntries(back_s)
        self._silent: SilentHubError | None = None
        self._silent_s, self._heard_s = silent_s, time.monotonic()
        self._stop, self._wake = threading.Event(), threading.Event()
        source.subscribe(lambda _: self._wake.set())
        other.begin(source.club, self._wake.set)
        self._thread = threading.Thread(target=self._run, name="pointsman-uplink", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Send nothing more."""
        self._stop.set()
        self._wake.set()
        self._thread.join(ENDING_S)
        self._other.close()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._wake.clear()
            try:
                self._send_all()
            except UserError as error:
                if not self.trouble:
                    self._say(f"{error} The tables play on, and what is missing is sent later.")
                self.trouble = str(error)
                if not isinstance(error, SilentHubError):
                    self._outgoing.forget()
                    self._stop.wait(self._again_s)
                    continue
            else:
                if self.trouble:
                    self.trouble = ""
                    self._say(f"The hub {self._other.name} takes entries again.")
            self._wake.wait(PAUSE_S)
            self._stop.wait(GATHER_S)

    def _send_all(self) -> None:
        """Send what the other hub does not have, journal by journal."""
        own = self._source.newest()
        self._outgoing.update_newest(
            {place: number for place, number in own.items() if UPLINK not in place[0]}
        )
        self._receive()
        self._ask()
        while not self._stop.is_set():
            parts = self._parts()
            if not parts:
                break
            try:
                marks = self._other.send(parts)
                for sent, mark in zip(parts, marks, strict=True):
                    place = (sent.table, sent.part.journal)
                    self._outgoing.note(place, sent.part.rows[-1][0], mark, time.monotonic())
            finally:
                self._receive()
        if self._silent is None:
            self._heard_s = time.monotonic()
        elif time.monotonic() - self._heard_s > self._silent_s:
            raise self._silent

    def _receive(self) -> None:
        """Take in what the other hub has said."""
        if self._other.forgot():
            self._outgoing.forget()
        for table, told in self._other.confirmations():
            self._silent = None
            self._outgoing.confirm(table, told, time.monotonic())
        self.left = self._outgoing.left

    def _ask(self) -> None:
        """Ask how far the other hub is, where that is not known. Raises UplinkError."""
        while not self._stop.is_set():
            self._ask_once()
            # A question may have waited for a new connection: what was said before that was not heard. Asked again
            # only after sending, a federation that has gone meanwhile would leave all that comes later unsent.
            if not self._other.forgot():
                return
            self._outgoing.forget()

    def _ask_once(self) -> None:
        unknown = self._outgoing.unknown(time.monotonic())
        for first in range(0, len(unknown), MOST_ASKED):
            asked = unknown[first : first + MOST_ASKED]
            try:
                self._outgoing.learn(asked, self._other.heads(asked), time.monotonic())
            except SilentHubError as error:
                self._silent = error
                self._outgoing.wait(unknown[first:], time.monotonic())
                return
            self._silent = None

    def _parts(self) -> Sequence[OutgoingPart]:
        return [
            OutgoingPart(table, self._part(table, journal, after), round_)
            for (table, journal), after, round_ in self._outgoing.waiting(TOGETHER)
        ]

    def _part(self, table: str, journal: str, after: int) -> JournalPart:
        rows = list(self._source.rows(table, journal, after=max(0, after - 1), most=MOST + 1))
        before = rows.pop(0)[-1] if after else ""
        part = JournalPart(journal, before, tuple(rows))
        while len(part.encode()) > self._other.largest and len(part.rows) > 1:
            part = JournalPart(journal, before, part.rows[: len(part.rows) // 2])
        return part
