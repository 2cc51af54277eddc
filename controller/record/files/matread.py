"""`.mat` files read: the dialects of Jellyfish, gnubg, XG and our own.

What is read beside the skeleton that `controller.record.files.mat` writes: headers after `;` or `#` or none, tabs,
dice in any order and without a colon, `bar` and `25`, `off` and `0`, moves written out or run together, `Cannot
Move`, `????`, an empty cell, `Wins 1 point and the match` with or without a row number, a result at the end of
a row, columns exchanged between games, `Illegal play (...)` with a position of Snowie's. What cannot be
understood between the rows is kept as a remark; in a row it is an error.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from controller.record.files.foreign import (
    MOST_POINTS,
    GameBuilder,
    check_length,
    common_profile,
    cube_limit,
    odd_results,
    settle_results,
    terms_of,
)
from controller.record.files.match_text import MatchFileError, one_line
from controller.record.match.match import Facts, MatchRecord
from controller.rules.game.match import Terms
from controller.rules.notation import NotationError, Play, parse_play
from controller.rules.position import Position, PositionError, Roll, Side
from controller.rules.profile.profile import Layout

_HEADER: Final = re.compile(r'\s*[;#]\s*\[\s*(?P<key>[A-Za-z0-9 ]+?)\s*"(?P<value>.*)"\s*\]\s*$')
_LENGTH: Final = re.compile(
    r"\s*(?:(\d{1,9}) +points? +match|match +of +(\d{1,9}) +points?)\b", re.IGNORECASE
)
_GAME: Final = re.compile(r"\s*game +(\d{1,9})\.?\s*$", re.IGNORECASE)
_SCORES: Final = re.compile(
    r"\s*(?P<left>.*?)\s*:\s*(?P<a>\d{1,9})\s+(?P<right>.*?)\s*:\s*(?P<b>\d{1,9})\s*$"
)
_ROW: Final = re.compile(r"\s{0,6}(\d{1,6})\)(?P<rest>.*)$")
_DICE: Final = re.compile(r"(?P<dice>[1-6][1-6])(?P<colon>:?)(?:\s+|$)(?P<play>.*)$")
_NEXT_DICE: Final = re.compile(r"(?<=\s)[1-6][1-6]:")
_ILLEGAL: Final = re.compile(r"illegal play\s*\((?P<fields>[^)]*(?:\)[^;()]*;[^)]*)*)\)?", re.IGNORECASE)
_WINS: Final = re.compile(r"wins +(?P<points>\d{1,9}) +points?\b.*$", re.IGNORECASE)
_WORD: Final = re.compile(
    r"(?P<word>redoubles|doubles|beavers|raccoons|takes|accepts|drops|passes|rejects)\b[ =>\d]*$",
    re.IGNORECASE,
)
_NEXT_WORD: Final = re.compile(
    r"(?<=\s)(?:redoubles|doubles|beavers|raccoons|takes|accepts|drops|passes|rejects|wins)\b", re.IGNORECASE
)
RIGHT_FROM: Final = 7
"""Blanks after a row's number from which on its only cell is the right one."""
WINS_RIGHT_FROM: Final = 18
"""The column from which on a result without a row number is the right player's."""
_RAISES, _TAKES = frozenset({"doubles", "redoubles", "beavers", "raccoons"}), frozenset({"takes", "accepts"})
Line = tuple[int, str]


def read_mat(text: str, name: str) -> MatchRecord:
    """The match of a `.mat` file; ``name`` is the file's, for messages.

    Raises:
        MatchFileError: naming the line.
    """
    lines = list(enumerate(text.split("\n"), start=1))
    header, remarks = _headers(lines)
    length = _length(lines, name)
    asked = header.get("jacoby", "").casefold()
    if length or asked:
        return _MatReader(
            lines, name, header, remarks, _terms(header, length, jacoby=asked in ("on", "true"))
        ).match()
    candidates = [
        _MatReader(lines, name, header, remarks, _terms(header, 0, jacoby=jacoby)).match()
        for jacoby in (False, True)
    ]
    return min(candidates, key=odd_results)


def _headers(lines: Sequence[Line]) -> tuple[dict[str, str], list[str]]:
    header: dict[str, str] = {}
    remarks: list[str] = []
    for _, line in lines:
        found = _HEADER.match(line)
        if found and found["key"].casefold() == "note":
            remarks.append(one_line(found["value"]))
        elif found:
            header.setdefault(found["key"].casefold(), one_line(found["value"]))
    return header, remarks


def _length(lines: Sequence[Line], name: str) -> int:
    for number, line in lines:
        if found := _LENGTH.match(line):
            return check_length(int(found[1] or found[2]), f"{name}, line {number}")
    raise MatchFileError(
        f"{name} has no line such as ' 5 point match'; give a .mat file, or put in the length (0 for money)."
    )


def _terms(header: dict[str, str], length: int, *, jacoby: bool) -> Terms:
    layout = (
        Layout.NACKGAMMON if header.get("variation", "").casefold() == "nackgammon" else Layout.BACKGAMMON
    )
    common = common_profile(
        crawford=header.get("crawford", "on").casefold() in ("on", "true"),
        jacoby=jacoby,
        beaver=not length and header.get("beaver", "on").casefold() in ("on", "true"),
        layout=layout,
        cube_max=cube_limit(header.get("cubelimit", "")),
    )
    series = bool(length) and header.get("form") == "series"
    return terms_of(length, common, header.get("rules", ""), series=series)


def _day(text: str) -> date | None:
    found = re.fullmatch(r"(\d{4})[.-](\d{1,2})[.-](\d{1,2})", text)
    try:
        return date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None


class _MatReader:
    """One file being read with given terms."""

    def __init__(
        self, lines: Sequence[Line], name: str, header: dict[str, str], remarks: Sequence[str], terms: Terms
    ) -> None:
        self.lines, self.name, self.header, self.terms = lines, name, header, terms
        self.remarks = list(remarks)
        self.games: list[GameBuilder] = []
        self.columns: tuple[str, str] | None = None
        self.sides = (Side.LIGHT, Side.DARK)
        self.number = 0

    def match(self) -> MatchRecord:
        head = False
        for number, line in self.lines:
            self.number = number
            text = line.expandtabs().rstrip()
            if not text or text.lstrip().startswith((";", "#")):
                continue
            if _GAME.match(text):
                head = True
            elif head:
                self._begin(text)
                head = False
            elif self.games and (row := _ROW.match(text)):
                self._row(row["rest"])
            elif self.games and (wins := _WINS.match(text.lstrip())):
                right = len(text) - len(text.lstrip()) >= WINS_RIGHT_FROM
                self._wins(self.sides[right], wins)
            elif not _LENGTH.match(text) and text.strip().casefold() != "and the match":
                self.remarks.append(f"Not understood: {one_line(text)[:200]}")
        return self._record()

    def _record(self) -> MatchRecord:
        get = self.header.get
        left, right = self.columns or ("", "")
        facts = Facts(
            _day(get("eventdate", get("date", ""))),
            get("site", ""),
            get("event", ""),
            get("round", ""),
            get("table", ""),
            get("transcriber", ""),
        )
        games = tuple(game.record() for game in self.games)
        light, dark = get("player 1", left), get("player 2", right)
        return settle_results(MatchRecord(light, dark, self.terms, games, facts, tuple(self.remarks)))

    def _error(self, what: str) -> MatchFileError:
        return MatchFileError(f"{self.name}, line {self.number}: {what}")

    def _begin(self, text: str) -> None:
        scores = _SCORES.match(text)
        if scores is None:
            raise self._error(
                f"after the head of a game the names and the score must follow, not {one_line(text)[:60]!r}."
            )
        left, right = one_line(scores["left"]), one_line(scores["right"])
        if self.columns is None:
            self.columns = (left, right)
        exchanged = (right, left) == self.columns and left != right
        self.sides = (Side.DARK, Side.LIGHT) if exchanged else (Side.LIGHT, Side.DARK)
        points = [int(scores["a"]), int(scores["b"])]
        if max(points) > MOST_POINTS:
            raise self._error(f"nobody has {max(points)} points; put the score right.")
        light, dark = reversed(points) if exchanged else points
        game = GameBuilder.begin(self.terms, len(self.games), light, dark)
        self.games.append(game)
        try:
            game.take_remarks(self.remarks, len(self.games) - 1)
        except PositionError as error:
            raise self._error(f"the note about the start of the game is wrong: {error}") from None

    def _row(self, rest: str) -> None:
        for column, cell in _cells(rest):
            self._cell(self.sides[column], cell)

    def _cell(self, side: Side, cell: str) -> None:
        game = self.games[-1]
        if wins := _WINS.match(cell):
            self._wins(side, wins)
        elif word := _WORD.match(cell):
            self._word(side, word["word"].casefold())
        elif dice := _DICE.match(cell):
            roll = Roll.of(int(dice["dice"][0]), int(dice["dice"][1]))
            moves = dice["play"].strip()
            if illegal := _ILLEGAL.match(moves):
                game.reach(side, roll, self._snowie(illegal["fields"]))
            elif not moves.strip("? "):
                game.add_roll_or_dance(side, roll)
            else:
                game.play(side, roll, () if moves.casefold() == "cannot move" else self._play(moves))
        else:
            raise self._error(f"{one_line(cell)[:60]!r} is no roll, no play and no word of a .mat file.")

    def _word(self, side: Side, word: str) -> None:
        game = self.games[-1]
        if word in _RAISES:
            game.double(side)
        elif word in _TAKES:
            game.take(side)
        else:
            game.drop(side)

    def _play(self, moves: str) -> Play:
        try:
            return parse_play(moves)
        except NotationError as error:
            raise self._error(str(error)) from None

    def _wins(self, winner: Side, wins: re.Match[str]) -> None:
        points = int(wins["points"])
        if not 1 <= points <= MOST_POINTS:
            raise self._error(f"nobody wins {points} points; put the result right.")
        self.games[-1].wins(winner, points)

    def _snowie(self, fields: str) -> Position:
        """The position of a line of Snowie's; only the board of it is taken, see `controller.record.files.snowie`."""
        try:
            counts = [int(value) for value in fields.strip().rstrip(";").split(";")[-28:-2]]
            on_roll = Side.LIGHT if fields.split(";")[4].strip() == "1" else Side.DARK
            opponent, own, bar = -counts[0], counts[1:25], counts[25]
            seen = Position.of(own, bar, opponent)
        except (ValueError, IndexError, PositionError):
            raise self._error(
                "the position of the illegal play cannot be read; it needs 40 fields."
            ) from None
        left, right = self.sides
        roller = left if on_roll is Side.LIGHT else right
        return seen if roller is Side.LIGHT else seen.mirrored()


def _cells(rest: str) -> Iterator[tuple[int, str]]:
    """The cells of a row with their columns, 0 or 1."""
    indent = len(rest) - len(rest.lstrip())
    text = rest.strip()
    if not text:
        return
    if indent >= RIGHT_FROM:
        yield 1, text
        return
    at = _split(text)
    yield 0, text[:at].rstrip()
    if text[at:].strip():
        yield 1, text[at:].strip()


def _split(text: str) -> int:
    """Where the right cell begins: at a run of blanks outside brackets, else at the next dice or word."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth <= 0 and text.startswith("  ", at) and text[:at].strip() not in ("",):
            return at
    outside = _ILLEGAL.sub(lambda found: "x" * len(found[0]), text)
    found = _NEXT_DICE.search(outside, 3) or _NEXT_WORD.search(outside, 1)
    return found.start() if found else len(text)
