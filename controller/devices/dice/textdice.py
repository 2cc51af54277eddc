"""Dice units of other makers that write lines of text, on a line of their own."""

import errno
from collections.abc import Callable
from functools import partial
from typing import Final, Self

from controller.devices.dice.source import DeviceRoll
from controller.devices.dice.status import DiceCode, DiceStatus
from controller.devices.dice.textline import DieTold, Line, LineParser, LinePattern
from controller.devices.link.transport import SOCKETS, OpeningAside, Transport, open_transport

RETRY_S: Final = 1.0
OTHER_DIE_S: Final = 5.0
"""Two dice thrown together come to rest well within that time of each other."""
GREETING_S: Final = 3.0
"""What a unit writes right after its port was opened: many restart then, and say who they are."""
AT_ONCE_S: Final = 0.05
"""What comes this soon after the opening is the rest of a line that was being sent."""
LAST_LINES: Final = 5
"""A unit whose rolls were read may say other things, too; this many lines in a row without a roll are reported."""
SHOWN: Final = 40
"""The most characters of a line that are shown."""


class TextDice:
    """A dice unit of another maker.

    A line may tell both dice or one; one alone waits for the other. What keeps rolls from being read is told, once
    for each time that the port is opened.

    Attributes:
        status: how the unit stands; None before its port was tried.
    """

    def __init__(
        self,
        port: str,
        open_line: Callable[[], Transport],
        pattern: LinePattern,
        tell: Callable[[DiceStatus], None] = lambda _: None,
        *,
        baud: int,
    ) -> None:
        """Nothing is opened yet.

        Args:
            port: what its port is called.
            open_line: opens it, raising OSError; with EINPROGRESS where it is to be asked again at once.
            pattern: what its lines look like.
            tell: called with each change of the status.
            baud: the rate of the port, for people who are told of rubbish.
        """
        self.status: DiceStatus | None = None
        self._port, self._open_line, self._pattern, self._tell = port, open_line, pattern, tell
        self._baud = baud
        self._parser, self._pair = LineParser(), _OtherDie()
        self._line: Transport | None = None
        self._try_at = self._opened_at = float("-inf")
        self._first = self._cut = self._rolled = self._complained = False
        self._without = 0

    @classmethod
    def at(
        cls,
        port: str,
        baud: int,
        pattern: str,
        tell: Callable[[DiceStatus], None] = lambda _: None,
        *,
        dtr: bool = True,
    ) -> Self:
        """The unit at a port or address, as `open_transport` takes both. Raises DicePatternError."""
        open_port = partial(open_transport, port, baud, dtr=dtr)
        open_line = OpeningAside(open_port) if port.startswith(SOCKETS) else open_port
        return cls(port, open_line, LinePattern(pattern), tell, baud=baud)

    def poll(self, now_s: float) -> list[DeviceRoll]:
        """See `DiceSource`."""
        if self._line is None and now_s >= self._try_at:
            self._open(now_s)
        if self._line is None:
            return []
        try:
            data = self._line.read(0.0)
        except OSError as error:
            self._away(now_s, error)
            return []
        self._cut = self._cut or (bool(data) and now_s - self._opened_at < AT_ONCE_S)
        lines = self._parser.feed(data, now_s)
        rolls = [roll for line in lines for roll in self._rolls(line, now_s)]
        if (alone := self._pair.give_up(now_s)) is not None:
            self._set(DiceCode.ALONE, die=str(alone.face))
        return rolls

    def close(self) -> None:
        """See `DiceSource`."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def _rolls(self, line: Line, now_s: float) -> list[DeviceRoll]:
        first, self._first = self._first and line.whole, self._first and not line.whole
        if first and (self._cut or not line.readable):
            return []  # the port was opened in the middle of a line: this is the rest of it, or garbled
        told = self._pattern.dice(line)
        if not told:
            self._wonder(line, now_s)
            return []
        self._rolled, self._without = True, 0
        dice = [dice for die in told if (dice := self._pair.complete(die, now_s)) is not None]
        if dice:
            self._set(DiceCode.READY)
        return [DeviceRoll(each, now_s, "text") for each in dice]

    def _wonder(self, line: Line, now_s: float) -> None:
        """A line without dice has come."""
        if line.readable and now_s - self._opened_at < GREETING_S:
            return
        self._without += 1
        if self._complained or (self._rolled and self._without < LAST_LINES):
            return
        self._complained = True
        shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line.text)
        shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"
        if line.readable:
            self._set(DiceCode.STRANGE, line=shown)
        else:
            self._set(DiceCode.RUBBISH, line=shown, baud=str(self._baud))

    def _open(self, now_s: float) -> None:
        try:
            self._line = self._open_line()
        except OSError as error:
            if error.errno != errno.EINPROGRESS:
                self._away(now_s, error)
            return
        self._parser, self._pair = LineParser(), _OtherDie()
        self._opened_at, self._without = now_s, 0
        self._first, self._cut = True, False
        self._rolled = self._complained = False
        self._set(DiceCode.READY)

    def _away(self, now_s: float, error: OSError) -> None:
        self.close()
        self._try_at = now_s + RETRY_S
        self._set(DiceCode.AWAY, why=error.strerror or str(error))

    def _set(self, code: DiceCode, **arguments: str) -> None:
        now = DiceStatus(code, self._port, arguments)
        if now != self.status:
            self.status = now
            self._tell(now)


class _OtherDie:
    """Waits with one die for the other."""

    def __init__(self) -> None:
        self._waiting: DieTold | None = None
        self._since = float("-inf")

    def complete(self, die: DieTold, now_s: float) -> tuple[int, int] | None:
        """The roll that a die completes. One that tells itself anew takes its own place."""
        first = self._waiting
        if first is None or now_s - self._since >= OTHER_DIE_S or (die.name and die.name == first.name):
            self._waiting, self._since = die, now_s
            return None
        self._waiting = None
        # By their names and not by which comes to rest first: in the opening roll each belongs to a side.
        one, other = sorted((first, die), key=lambda each: each.name)
        return one.face, other.face

    def give_up(self, now_s: float) -> DieTold | None:
        """The die that has waited for too long."""
        die = self._waiting
        if die is None or now_s - self._since < OTHER_DIE_S:
            return None
        self._waiting = None
        return die
