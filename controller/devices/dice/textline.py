"""Dice units of other makers that write a line of text for each roll."""

import re
from collections.abc import Callable
from typing import Final

from controller.devices.dice.source import DeviceRoll
from controller.devices.link.transport import Transport
from controller.errors import UserError

RETRY_S: Final = 1.0
LINE_BYTES: Final = 200


class DicePatternError(UserError):
    """A pattern for the lines of a dice unit that cannot be used."""


class LinePattern:
    """What the lines of a dice unit look like: a regular expression with the groups `first` and `second`.

    Raises:
        DicePatternError: if it is no regular expression or lacks a group.
    """

    def __init__(self, pattern: str) -> None:
        """For example `DICE (?P<first>\\d),(?P<second>\\d)`."""
        try:
            self._pattern = re.compile(pattern)
        except re.error as error:
            raise DicePatternError(
                f"The pattern of the dice, {pattern!r}, is no regular expression ({error}); correct it."
            ) from error
        if not {"first", "second"} <= set(self._pattern.groupindex):
            raise DicePatternError(
                f"The pattern of the dice, {pattern!r}, does not say where the two dice stand; name them "
                r"(?P<first>\d) and (?P<second>\d)."
            )

    def dice(self, line: str) -> tuple[int, int] | None:
        """The dice in a line; None if it tells of something else."""
        found = self._pattern.search(line)
        if found is None:
            return None
        try:
            return int(found["first"]), int(found["second"])
        except ValueError:
            return None


class LineParser:
    """Takes bytes as they come and returns whole lines; one that grows too long is passed over."""

    def __init__(self) -> None:
        self._open = b""
        self._too_long = False

    def feed(self, data: bytes) -> list[str]:
        """The lines that `data` completes, without their ends; bytes that are no text come as replacement marks."""
        *closed, rest = re.split(rb"[\r\n]", self._open + data)
        lines = [
            line.decode("utf-8", "replace")
            for line in closed[self._too_long :]
            if 0 < len(line) <= LINE_BYTES
        ]
        self._too_long = (self._too_long and not closed) or len(rest) > LINE_BYTES
        self._open = rest[-LINE_BYTES:]
        return lines


class TextDice:
    """A dice unit on a line of its own. `trouble` is the system's reason while it is away."""

    def __init__(
        self,
        open_line: Callable[[], Transport],
        pattern: LinePattern,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`open_line` opens the unit's port, raising OSError; `tell` hears the reason when the unit is away."""
        self.trouble: str | None = None
        self._open_line, self._pattern, self._tell = open_line, pattern, tell
        self._parser = LineParser()
        self._line: Transport | None = None
        self._try_at = float("-inf")

    def poll(self, now_s: float) -> list[DeviceRoll]:
        """See `DiceSource`."""
        if self._line is None and now_s >= self._try_at:
            self._open(now_s)
        if self._line is None:
            return []
        try:
            lines = self._parser.feed(self._line.read(0.0))
        except OSError as error:
            self._away(now_s, error)
            return []
        found = [self._pattern.dice(line) for line in lines]
        return [DeviceRoll(dice, now_s, "text") for dice in found if dice is not None]

    def close(self) -> None:
        """See `DiceSource`."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def _open(self, now_s: float) -> None:
        try:
            self._line = self._open_line()
        except OSError as error:
            self._away(now_s, error)
        else:
            self.trouble, self._parser = None, LineParser()

    def _away(self, now_s: float, error: OSError) -> None:
        self.close()
        self._try_at = now_s + RETRY_S
        reason = error.strerror or str(error)
        if self.trouble is None:
            self._tell(reason)
        self.trouble = reason
