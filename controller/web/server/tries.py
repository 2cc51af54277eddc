"""Limits on guessing a PIN: a few tries for each address, and slower answers where many addresses guess."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

TRIES: Final = 5
"""This many wrong PINs one address may send in an hour before it has to wait."""
WAIT_S: Final = 30.0
LONGEST_WAIT_S: Final = 900.0
COUNTED_S: Final = 3600.0
"""How long a wrong PIN counts."""
UNSLOWED: Final = 20
"""This many wrong PINs of all addresses in an hour slow no answer: so often people in a full hall mistype."""
SLOWER_S: Final = 1.0
"""Each wrong PIN more lets the next try wait so much longer for the one before it."""
LONGEST_GAP_S: Final = 45.0
"""No try waits longer for the one before it. However many addresses guess, about 120 PINs are looked at in the first
hour and 80 in each later one."""
SHORT_LINE_S: Final = 10.0
"""How long an address waits that has sent a wrong PIN. So there is always room for one that has not."""
LONGEST_LINE_S: Final = SHORT_LINE_S + LONGEST_GAP_S
"""How long any other waits: programs in front of this one give up after a minute."""


@dataclass(frozen=True, slots=True, eq=False)
class PinTry:
    """A try that is counted: as a wrong one, until it is given back.

    Attributes:
        who: the device or the address that it is counted for.
        at: when it was made.
        known: whether ``who`` is a device that was let in before.
    """

    who: str
    at: float
    known: bool


@dataclass(slots=True)
class PinTries:
    """The tries of the last hour, by who made them. For one loop.

    No PIN may be looked at before a try was taken for it. The try counts from then on: a hundred PINs that come at
    the same moment are a hundred tries.

    Attributes:
        now: seconds on a clock that never runs backwards.
        sleep: waits a number of seconds of that clock.
    """

    now: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    _of: dict[str, deque[PinTry]] = field(default_factory=dict)
    _strangers: deque[PinTry] = field(default_factory=deque)
    _line_ends: float = 0.0

    def take_known(self, device: str) -> PinTry | None:
        """A try for a device that was let in before, which waits in no line; None if it has used up its own.

        ``device`` is its name, empty for one that is not known.
        """
        now = self.now()
        self._forget(now)
        if not device or self._must_wait(device, now):
            return None
        return self._count(PinTry(device, now, known=True))

    async def begin(self, address: str) -> PinTry | None:
        """A try for an address, when its turn has come; None if it has to come again later."""
        now = self.now()
        self._forget(now)
        if self._must_wait(address, now):
            return None
        wait = self._line_wait(address, now)
        if wait is None:
            return None
        taken = self._count(PinTry(address, now, known=False))
        if wait:
            await self.sleep(wait)
        return taken

    def give_back(self, taken: PinTry) -> None:
        """The PIN was right, or none was looked at: the try does not count."""
        for tries in (self._of.get(taken.who), self._strangers):
            if tries is not None and taken in tries:
                tries.remove(taken)

    def _count(self, taken: PinTry) -> PinTry:
        self._of.setdefault(taken.who, deque()).append(taken)
        if not taken.known:
            self._strangers.append(taken)
        return taken

    def _must_wait(self, who: str, now: float) -> bool:
        tries = self._of.get(who)
        if tries is None or len(tries) < TRIES:
            return False
        return now < tries[-1].at + min(WAIT_S * 2.0 ** (len(tries) - TRIES), LONGEST_WAIT_S)

    def _line_wait(self, address: str, now: float) -> float | None:
        """How long a try of an address waits for its turn; None if that is too long."""
        more = len(self._strangers) - UNSLOWED + 1
        if more <= 0:
            return 0.0
        turn = max(now, self._line_ends)
        if turn - now > (SHORT_LINE_S if self._of.get(address) else LONGEST_LINE_S):
            return None
        self._line_ends = turn + min(more * SLOWER_S, LONGEST_GAP_S)
        return turn - now

    def _forget(self, now: float) -> None:
        """Let go of what counts no more."""
        for who, tries in tuple(self._of.items()):
            while tries and tries[0].at <= now - COUNTED_S:
                tries.popleft()
            if not tries:
                del self._of[who]
        while self._strangers and self._strangers[0].at <= now - COUNTED_S:
            self._strangers.popleft()
