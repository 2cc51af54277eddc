"""The facts between two tables, each way: numbered, kept until they are heard, and told again after a cut."""

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final

from controller.errors import UserError
from controller.json_object import parse_object
from controller.partner.remote.told import Fact

LONGEST: Final = 64_000
"""Characters of a message; the longest fact has some hundred."""
MOST_WAITING: Final = 256
"""This many facts wait until a board is ready for them, at most; whoever tells more tells them again later."""


class LineError(UserError):
    """A message that no table sends."""


def _quiet() -> None:
    """Nobody waits."""


class PartnerLine:
    """What goes to and comes from the other table in one match. For any thread."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """Nothing was told. ``now`` tells monotonic seconds."""
        self._now, self._lock = now, threading.Lock()
        self._sent: list[Fact] = []
        self._got: deque[tuple[int, Fact]] = deque()
        self._received, self._acknowledged = 0, 0
        self._talks, self._lost_at, self._heard_at = 0, now(), now()
        self._wake: Callable[[], None] = _quiet

    def restore(self, sent: Iterable[Fact], received: int) -> None:
        """Go on with what the journal of a match that was interrupted has of it."""
        with self._lock:
            self._sent, self._received = list(sent), received

    @property
    def up(self) -> bool:
        """Whether the other table is there."""
        return self._talks > 0

    @property
    def lost_at(self) -> float:
        """When it was last there, as far as is known."""
        return self._lost_at

    @property
    def received(self) -> int:
        """The number of the last fact that came."""
        return self._received

    @property
    def told(self) -> int:
        """How many facts were told so far."""
        return len(self._sent)

    @property
    def unheard(self) -> int:
        """How many of them the other table has not confirmed."""
        return len(self._sent) - self._acknowledged

    def tell(self, facts: Iterable[Fact]) -> None:
        """These come next; they are in the journal."""
        with self._lock:
            self._sent += facts
        self._wake()

    def first(self) -> tuple[int, Fact] | None:
        """The oldest fact that nothing has come of yet, with its number."""
        with self._lock:
            return self._got[0] if self._got else None

    def waiting(self) -> list[Fact]:
        """Everything that nothing has come of yet, the oldest first."""
        with self._lock:
            return [fact for _, fact in self._got]

    def told_after(self, number: int) -> list[Fact]:
        """What was told after the fact of this number."""
        with self._lock:
            return self._sent[number:]

    def drop_first(self) -> None:
        """It has had its effect, or has none."""
        with self._lock:
            self._got.popleft()

    def begin(self, wake: Callable[[], None]) -> None:
        """A connection stands; ``wake`` is called when there is something to tell."""
        with self._lock:
            self._talks += 1
            self._wake, self._heard_at = wake, self._now()

    def end(self, *, silent: bool = False) -> None:
        """It has broken off: just now, or unnoticed since something was heard last."""
        with self._lock:
            self._talks -= 1
            if self._talks == 0:
                self._lost_at = self._heard_at if silent else self._now()

    def messages(self, after: int) -> list[str]:
        """Everything to tell after a number, and how far this table has heard."""
        with self._lock:
            new = [
                json.dumps({"n": number, "fact": fact})
                for number, fact in enumerate(self._sent[after:], start=after + 1)
            ]
            return [*new, json.dumps({"have": self._received})]

    def hear(self, text: str) -> None:
        """A message came. Raises LineError for one that no table sends, or with a number that is left out."""
        told = read_message(text)
        with self._lock:
            self._heard_at = self._now()
            if "have" in told:
                self._acknowledged = min(max(self._acknowledged, whole(told, "have")), len(self._sent))
            elif "fact" in told:
                self._take(whole(told, "n"), told["fact"])

    def _take(self, number: int, fact: Any) -> None:
        if number <= self._received:
            return
        if number != self._received + 1 or not isinstance(fact, dict) or "what" not in fact:
            raise LineError("The other table left something out; both have to be of the same version.")
        if len(self._got) >= MOST_WAITING:
            raise LineError("The other table tells more than can happen here; the line begins anew.")
        self._got.append((number, fact))
        self._received = number


def read_message(text: str) -> dict[str, Any]:
    """A message as plain data. Raises LineError."""
    with suppress(ValueError):
        if len(text) <= LONGEST:
            return parse_object(text)
    raise LineError("The other side of the line is no table.")


def whole(told: dict[str, Any], key: str) -> int:
    """A number from 0 of a message. Raises LineError."""
    found = told.get(key)
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise LineError("The other side of the line is no table.")
    return found
