"""The lines of a `.mat` file taken apart, in the dialects of many programs: headers, scores, rows, cells.

Nothing here knows the rules or a game. Every function goes through its line once, so that no line, however long or
odd, takes more time than its length asks for: there is no regular expression in which two parts can share the same
characters.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.record.files.match_text import one_line

DIGITS: Final = 9
"""Digits of the longest number that is read as one."""
RIGHT_FROM: Final = 7
"""Blanks after a row's number from which on its only cell may be the right one."""
RIGHT_CERTAIN: Final = 17
"""The column from which on a lone cell is the right player's, as gnubg takes it."""
JOINED: Final = range(5, 9)
"""Blanks between dice without a play and the left player's result, where gnubg writes both on one line."""
MONEY_WORDS: Final = ("session", "game", "match", "play")
COLUMN_GAP: Final = 3
"""Blanks after a play from which on what is no move is the right player's."""
ILLEGAL: Final = "illegal play"
ILLEGAL_FIELDS: Final = 40
"""Fields of Snowie's position, each with a semicolon after it."""


class Word(StrEnum):
    """What a cell without dice says."""

    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    WIN = "win"
    LOSE = "lose"


WORDS: Final = {
    **dict.fromkeys(
        ("double", "doubles", "redouble", "redoubles", "beaver", "beavers", "raccoon", "raccoons"),
        Word.DOUBLE,
    ),
    **dict.fromkeys(("take", "takes", "accept", "accepts"), Word.TAKE),
    **dict.fromkeys(("drop", "drops", "pass", "passes", "reject", "rejects"), Word.PASS),
    **dict.fromkeys(("win", "wins"), Word.WIN),
    **dict.fromkeys(
        (
            *("lose", "loses", "loss", "losses", "lost", "concede", "concedes", "conceded"),
            *("resign", "resigns", "resigned", "forfeit", "forfeits"),
        ),
        Word.LOSE,
    ),
}
_LEVELS: Final = {"normal": 1, "single": 1, "gammon": 2, "backgammon": 3}
_CUBE_SIGNS: Final = frozenset(" =->:.,0123456789")


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Both players and what they have, from the left."""

    left: str
    left_points: int
    right: str
    right_points: int


@dataclass(frozen=True, slots=True)
class SaidCell:
    """A word with its number, where it has one: points of a result; ``level`` where it is written as `gammon`."""

    word: Word
    points: int | None = None
    level: int | None = None


@dataclass(frozen=True, slots=True)
class RolledCell:
    """Dice and what was done with them.

    Attributes:
        dice: both numbers.
        play: the moves as they are written; empty if none are.
        illegal: the fields of a position of Snowie's, or a compact one, after an illegal play.
        said: the word with which the player ended the game instead of playing (`32: Concedes`).
    """

    dice: tuple[int, int]
    play: str = ""
    illegal: str | None = None
    said: SaidCell | None = None


@dataclass(frozen=True, slots=True)
class EmptyCell:
    """Nothing was done: unknown dice (`00: ????`), no dice at all (`????`), or the words `and the match`."""


MatCell = SaidCell | RolledCell | EmptyCell


@dataclass(frozen=True, slots=True)
class MatRow:
    """The cells of a row, left to right.

    Attributes:
        cells: one, two, or more where results stand beside them.
        left: whether the first one is the left player's; `None` where it stands between both columns.
        numbered: whether the row has a number.
        gaps: the blanks before each cell; 0 before the first.
    """

    cells: tuple[str, ...]
    left: bool | None
    numbered: bool
    gaps: tuple[int, ...] = ()

    def is_joined(self, number: int) -> bool:
        """Whether a cell begins a line of its own in truth: gnubg writes no line end after dice without a play."""
        before = self.cells[number - 1] if number else ""
        return self.gaps[number] in JOINED and _DICE.fullmatch(before) is not None


def read_header(line: str) -> tuple[str, str] | None:
    """The key, in small letters, and the value of a line such as `; [Site "Club X"]`."""
    text = line.strip()
    if text[:1] not in (";", "#"):
        return None
    inner = text[1:].strip()
    if not (inner.startswith("[") and inner.endswith("]")):
        return None
    key, quote, rest = inner[1:-1].strip().partition('"')
    value, closed = rest[:-1], rest.endswith('"')
    key = key.strip()
    if not quote or not closed or not key or not all(char.isalnum() or char == " " for char in key):
        return None
    return key.casefold(), one_line(value)


def read_set_position(line: str) -> str | None:
    """The board of `; Set Pos=-b----E-C---eE---c-e----B-/0`, as an XGID has it, in capitals the left player's."""
    name, equals, value = line.strip().lstrip(";#").strip().partition("=")
    board = value.partition("/")[0].strip()
    return board if equals and " ".join(name.split()).casefold() == "set pos" else None


def read_length(line: str) -> int | None:
    """The points of `5 point match` or `Match of 5 points`; 0 is a money session, also `Money session`."""
    words = line.split(None, 5)[:5]
    small = [word.casefold() for word in words]
    if len(small) == 2 and small[0] in ("money", "unlimited") and small[1].rstrip(".:") in MONEY_WORDS:
        return 0
    if len(small) > 2 and small[1] in ("point", "points") and small[2].startswith("match"):
        return whole_number(small[0])
    if len(small) > 3 and small[:2] == ["match", "of"] and small[3].startswith("point"):
        return whole_number(small[2])
    return None


def is_game_head(line: str) -> bool:
    """Whether a line is `Game 3`."""
    words = line.split(None, 2)
    return (
        len(words) == 2 and words[0].casefold() == "game" and whole_number(words[1].rstrip(".:")) is not None
    )


def whole_number(text: str) -> int | None:
    """A text of digits as a number; `None` for any other, or a number longer than any in a match."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= DIGITS else None


_POINTS: Final = re.compile(rf"[ \t]*(\d{{1,{DIGITS}}})(?=[ \t])", re.ASCII)


def read_scores(line: str) -> ScoreLine | None:
    """The names and points of ` Anna : 3      Bela, 1650.2 : 0`; a name may hold colons, but no `: 3` of its own."""
    head, colon, last = line.rpartition(":")
    right_points = whole_number(last.strip())
    if not colon or right_points is None:
        return None
    at = head.find(":")
    while at >= 0:
        if found := _POINTS.match(head, at + 1):
            left, right = one_line(head[:at]), one_line(head[found.end() :])
            return ScoreLine(left, int(found[1]), right, right_points)
        at = head.find(":", at + 1)
    return None


_NUMBER: Final = re.compile(rf"[ \t]{{0,6}}\d{{1,{DIGITS}}}(?:\)|\.(?=[ \t]))")
_TOKEN: Final = re.compile(r"\S+")
_DICE: Final = re.compile(r"\(?([0-6])[-,]?([0-6])\)?(:?)")
_LONGEST_DICE: Final = 6


def split_row(line: str) -> tuple[str, ...]:
    """A line; or a row and the head of the next game, which gnubg writes behind it where a game was broken off."""
    row, head, number = line.rpartition(" Game ")
    if _NUMBER.match(row) and whole_number(number.strip()) is not None:
        return row, f"{head}{number}"
    return (line,)


def read_row(line: str) -> MatRow | None:
    """The cells of a row with a number, or of a line without one that begins with dice or a word of the game."""
    number = _NUMBER.match(line)
    body = line[number.end() :] if number else line
    text = body.strip()
    if not text:
        return MatRow((), None, True) if number else None
    first = text.split(None, 1)[0]
    dice = _DICE.match(first)
    if not number and _word(first) is None and not (dice and dice[3]):
        return None
    indent = len(body) - len(body.lstrip())
    left: bool | None = (number.end() if number else 0) + indent < RIGHT_CERTAIN
    if left and number and indent >= RIGHT_FROM:
        left = None
    cells = tuple(_cells(text))
    return MatRow(tuple(cell for cell, _ in cells), left, number is not None, tuple(gap for _, gap in cells))


def _word(token: str) -> Word | None:
    return WORDS.get(token.rstrip(".,:;!=>").casefold())


def _cells(text: str) -> Iterator[tuple[str, int]]:
    begun = end = passed = gap = 0
    previous = ""
    for token in _TOKEN.finditer(text):
        start = token.start()
        if start < passed:
            continue
        bare = end - begun <= _LONGEST_DICE and _DICE.fullmatch(text, begun, end) is not None
        if start and _begins_cell(token[0], start - end, previous, bare=bare):
            yield text[begun:end], gap
            begun, gap = start, start - end
        end, previous = token.end(), token[0]
        if previous.casefold() == "illegal":
            passed = end = max(end, _end_of_position(text, end))
    yield text[begun:end], gap


def _begins_cell(token: str, gap: int, previous: str, *, bare: bool) -> bool:
    """Whether a token ``gap`` blanks after the one before it begins a cell; ``bare`` dice may still get a play."""
    dice = _DICE.match(token)
    if dice and dice[3]:
        return True
    word = _word(token)
    if word is Word.LOSE and bare:
        return gap >= JOINED.start
    if word is not None:
        return not bare or (gap > 1 and word is not Word.PASS)
    if _is_untold(token):
        return gap >= (JOINED.stop if bare else COLUMN_GAP)
    if dice and dice.end() == len(token):
        return gap > 1 and previous[-1:] not in "=>-" and _word(previous) is None
    return gap >= COLUMN_GAP and not bare and token[:1].isalpha() and "/" not in token


def _end_of_position(text: str, at: int) -> int:
    """Where the position in brackets after `Illegal` ends; ``at`` is where the word does."""
    bracket = text.find("(", at)
    if bracket < 0 or text[at:bracket].strip().casefold() != "play":
        return at
    end = bracket
    close = text.find(")", bracket)
    if ";" not in text[bracket : close + 1]:
        return close + 1 if close >= 0 else len(text)
    for _ in range(ILLEGAL_FIELDS):
        following = text.find(";", end + 1)
        if following < 0:
            break
        end = following
    return end + 2 if text[end + 1 : end + 2] == ")" else end + 1


def read_cell(text: str) -> MatCell | None:
    """What a cell says; `None` if that cannot be understood."""
    dice = _DICE.match(text)
    rest = text[dice.end() :] if dice else ""
    if dice and (dice[3] or not rest or rest[0].isspace()):
        return _rolled(int(dice[1]), int(dice[2]), rest.strip())
    if _is_untold(text) or is_end_of_match(text):
        return EmptyCell()
    first, _, more = text.partition(" ")
    word = _word(first)
    if word in (Word.WIN, Word.LOSE):
        return _result(word, more)
    return SaidCell(word) if word is not None and set(more) <= _CUBE_SIGNS else None


def is_end_of_match(text: str) -> bool:
    """Whether a text is what follows the result that wins a match, or the end of it."""
    return " ".join(text.split()).casefold() in ("and the match", "the match", "match")


def _is_untold(text: str) -> bool:
    """Whether what stands where a play belongs says nothing: `????`, or no character."""
    return not text.strip("?. ")


def _rolled(first: int, second: int, rest: str) -> MatCell | None:
    if not first or not second:
        return EmptyCell() if _is_untold(rest) else None
    if rest[: len(ILLEGAL)].casefold() != ILLEGAL:
        word = _word(rest.partition(" ")[0])
        if word in (Word.WIN, Word.LOSE):
            return RolledCell((first, second), said=_result(word, rest.partition(" ")[2]))
        return RolledCell((first, second), "" if _is_untold(rest) else rest)
    fields = rest[len(ILLEGAL) :].strip()
    if not fields.startswith("("):
        return RolledCell((first, second), illegal="")
    return RolledCell((first, second), illegal=fields[1:].removesuffix(")"))


def _result(word: Word, more: str) -> SaidCell:
    parts = [part.strip(".,:;!=>()") for part in more.split()]
    number = next((part for part in parts if part.isascii() and part.isdecimal()), None)
    level = next((_LEVELS[part.casefold()] for part in parts if part.casefold() in _LEVELS), None)
    return SaidCell(word, None if number is None else int(number[: DIGITS + 1]), level)
