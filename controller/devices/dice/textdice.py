"""Dice units that write lines of text: at a port, in the network, through a broker, or on standard input."""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol, Self

from controller.devices.dice.news import DiceNews, DieBack, DieGone, DieNews, DieState, StrangeLine
from controller.devices.dice.status import DiceCode
from controller.devices.dice.textline import Line, LineParser, LinePattern
from controller.devices.link.transport import BY_ID, SOCKETS, OpeningAside, PortName, open_transport

RETRY_S: Final = 1.0
GREETING_S: Final = 3.0
"""What a unit writes right after its port was opened: many restart then, and say who they are."""
AT_ONCE_S: Final = 0.05
"""What comes this soon after the opening is the rest of a line that was being sent."""
LAST_LINES: Final = 5
"""A unit whose rolls were read may say other things, too; this many lines in a row without a roll are reported."""
SHOWN: Final = 40
"""The most characters of a line that are shown."""


class ByteLine(Protocol):
    """Where bytes come from; both methods raise OSError once the other end is gone."""

    def read(self, timeout_s: float) -> bytes:
        """What has come in; empty after ``timeout_s``."""

    def close(self) -> None:
        """Let go of it."""


class TextDice:
    """A unit that writes lines; see `DiceUnit`.

    A line may tell both dice or one. What keeps rolls from being read is told, once for each time that the line is
    opened.
    """

    def __init__(
        self,
        open_line: Callable[[], ByteLine],
        pattern: LinePattern,
        *,
        baud: int,
        whole: bool = False,
        settle: Callable[[], None] = lambda: None,
    ) -> None:
        """Nothing is opened yet.

        Args:
            open_line: opens it, raising OSError; with EINPROGRESS where it is to be asked again at once.
            pattern: what its lines look like.
            baud: the rate of the port, for people who are told of rubbish.
            whole: what comes begins with a line, and never in the middle of one as at a port.
            settle: called with each roll: what is open is a dice unit.
        """
        self._settle = settle
        self._open_line, self._pattern, self._baud, self._whole = open_line, pattern, baud, whole
        self._parser = LineParser()
        self._line: ByteLine | None = None
        self._try_at = self._opened_at = float("-inf")
        self._first = self._cut = self._rolled = self._complained = False
        self._without = 0

    @classmethod
    def at(cls, port: str, baud: int, pattern: str, *, dtr: bool = True, by_id: Path = BY_ID) -> Self:
        """The unit at a port or address, as `open_transport` takes both. Raises DicePatternError."""
        name = PortName(port, by_id)

        def open_port() -> ByteLine:
            return open_transport(name(), baud, dtr=dtr)

        open_line = OpeningAside(open_port) if port.startswith(SOCKETS) else open_port
        return cls(open_line, LinePattern(pattern), baud=baud, settle=name.settle)

    def poll(self, now_s: float) -> list[DiceNews]:
        """See `DiceUnit`."""
        news: list[DiceNews] = []
        if self._line is None and now_s >= self._try_at:
            news += self._open(now_s)
        if self._line is None:
            return news
        try:
            data = self._line.read(0.0)
        except OSError as error:
            return [*news, self._away(now_s, error)]
        self._cut = self._cut or (bool(data) and now_s - self._opened_at < AT_ONCE_S)
        lines = self._parser.feed(data, now_s)
        return news + [each for line in lines for each in self._news(line, now_s)]

    def close(self) -> None:
        """See `DiceUnit`."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def _news(self, line: Line, now_s: float) -> list[DiceNews]:
        first, self._first = self._first and line.whole, self._first and not line.whole
        if first and (self._cut or not line.readable):
            return []  # the port was opened in the middle of a line: this is the rest of it, or garbled
        told = self._pattern.dice(line)
        if not told:
            return self._wonder(line, now_s)
        if not self._rolled:
            self._settle()
        self._rolled, self._without = True, 0
        return [DieNews(die.name, DieState.SETTLED, now_s, die.face) for die in told]

    def _wonder(self, line: Line, now_s: float) -> list[DiceNews]:
        """A line without dice has come."""
        if line.readable and now_s - self._opened_at < GREETING_S:
            return []
        self._without += 1
        if self._complained or (self._rolled and self._without < LAST_LINES):
            return []
        self._complained = True
        shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line.text)
        shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"
        if line.readable:
            return [StrangeLine(DiceCode.STRANGE, {"line": shown})]
        return [StrangeLine(DiceCode.RUBBISH, {"line": shown, "baud": str(self._baud)})]

    def _open(self, now_s: float) -> list[DiceNews]:
        try:
            self._line = self._open_line()
        except OSError as error:
            return [] if error.errno == errno.EINPROGRESS else [self._away(now_s, error)]
        self._parser = LineParser()
        self._opened_at, self._without = now_s, 0
        self._first, self._cut = not self._whole, False
        self._rolled = self._complained = False
        return [DieBack()]

    def _away(self, now_s: float, error: OSError) -> DieGone:
        self.close()
        self._try_at = now_s + RETRY_S
        return DieGone(why=error.strerror or str(error))
