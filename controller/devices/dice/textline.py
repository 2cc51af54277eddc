"""What dice units of other makers write: lines of text with the faces somewhere in them."""

import re
from dataclasses import dataclass
from typing import Final

from controller.errors import UserError

LINE_BYTES: Final = 200
SILENT_S: Final = 1.0
"""After this time a line without an end is handed out: it shows what the unit sends, and counts as no roll."""
NOISE: Final = b"\x00\xff"
GLITCH: Final = 4
"""Ports read some bytes of noise before a line while they are opened or the other end starts; more is no accident."""
BOTH: Final = ("first", "second")
"""The groups of a pattern that name each die by its place."""
USUAL_PATTERN: Final = (
    r"\b(?i:die|dice|d)\s*(?P<name>[A-Za-z0-9])\s*[:=]\s*(?P<die>[1-6])\b"
    r"|\b(?P<first>[1-6])\b(?!\.\d)\D+\b(?P<second>[1-6])\b"
)
"""Fits `die A: 4`, one die in a line, and otherwise two faces with anything but digits between them, 3.1 apart."""


class DicePatternError(UserError):
    """A pattern for the lines of a dice unit that cannot be used."""


@dataclass(frozen=True, slots=True)
class Line:
    """What came between two ends of lines.

    Attributes:
        text: without its end, at most `LINE_BYTES` bytes of it; what is no text stands there as replacement marks.
        whole: whether it has ended; what has not only shows what comes.
    """

    text: str
    whole: bool = True

    @property
    def readable(self) -> bool:
        """Whether it is text from one end to the other; at a wrong rate hardly anything is."""
        return "\N{REPLACEMENT CHARACTER}" not in self.text and self.text.replace("\t", " ").isprintable()


@dataclass(frozen=True, slots=True)
class DieTold:
    """One die that a line tells: its face, and what tells it from the other one, empty where nothing does."""

    face: int
    name: str = ""


class LinePattern:
    r"""What the lines of a dice unit look like: a regular expression that names the faces in them.

    The groups `first` and `second` are two dice; a line in which only one of them was found tells that die alone. The
    group `die` is one die, and `name` beside it tells which; it may be found several times in a line.

    Raises:
        DicePatternError: if it is no regular expression or lacks these groups.
    """

    def __init__(self, pattern: str) -> None:
        r"""For example `DICE (?P<first>\d),(?P<second>\d)`, or `die (?P<name>\w): (?P<die>\d)`."""
        try:
            self._pattern = re.compile(pattern)
        except re.error as error:
            raise DicePatternError(
                f"The pattern of the dice, {pattern!r}, is no regular expression ({error}); correct it."
            ) from error
        groups = set(self._pattern.groupindex)
        if "die" not in groups and not set(BOTH) <= groups:
            raise DicePatternError(
                f"The pattern of the dice, {pattern!r}, does not say where the two dice stand; name them "
                r"(?P<first>\d) and (?P<second>\d), or (?P<die>\d) where each has a line of its own."
            )

    def dice(self, line: Line) -> tuple[DieTold, ...]:
        """The dice that a line tells, in their order; none if it tells of something else, or is not all text."""
        if not (line.whole and line.readable):
            return ()
        told: list[DieTold] = []
        for found in self._pattern.finditer(line.text):
            groups = found.groupdict()
            names = {"die": groups.get("name") or "", **{place: place for place in BOTH}}
            faces = {group: face for group in names if (face := groups.get(group)) is not None}
            if not all(face.isdecimal() for face in faces.values()):
                continue
            told += [DieTold(int(face), names[group]) for group, face in faces.items()]
            if {die.name for die in told} >= set(BOTH):
                break
        return tuple(told)


class LineParser:
    """Takes bytes as they come and returns lines. Pure: the times come in."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self._open = b""
        self._shown = self._too_long = False
        self._fed_at = float("-inf")

    def feed(self, data: bytes, now_s: float) -> list[Line]:
        """The lines that `data` completes, and what does not end: because it is too long, or nothing follows it."""
        *closed, rest = re.split(rb"[\r\n]", self._open + data)
        lines = [_line(part) for part in closed[self._too_long :] if part]
        if closed:
            self._too_long = self._shown = False
        if data:
            self._fed_at = now_s
        is_more = len(rest) > GLITCH or bool(rest.strip(NOISE))
        silent = is_more and now_s - self._fed_at >= SILENT_S
        if not self._shown and (len(rest) > LINE_BYTES or silent):
            lines.append(Line(_text(rest), whole=False))
            self._shown = True
        self._too_long = self._too_long or len(rest) > LINE_BYTES
        self._open = rest[-LINE_BYTES:]
        if silent and not Line(_text(rest)).readable:
            # Rubbish that came to an end, as from a bad contact, is no beginning of the line that comes next.
            self._open, self._too_long = b"", False
        return lines


def _line(part: bytes) -> Line:
    return Line(_text(part), whole=len(part) <= LINE_BYTES)


def _text(part: bytes) -> str:
    return (part.lstrip(NOISE) or part)[:LINE_BYTES].decode("utf-8", "replace")
