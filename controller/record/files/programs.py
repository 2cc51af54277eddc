"""Match files of eXtreme Gammon (`.xg`, `.xgp`) and BGBlitz (`.bgf`), through the package `gvformat`.

`gvformat` (PyPI `gammonview`, MIT) takes the files apart; tried with 3.1.0 and files of both programs. Of XG's
records only what was played is taken, not the analysis. XG keeps a board before and one after each turn, now as the
first player sees it and now as the mover does, and sometimes a turn too far: a board counts that the roll leads to
from the one reached so far. BGBlitz's files go through OGXM.
"""

import math
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from types import ModuleType
from typing import Any, Final

from controller.errors import UserError
from controller.record.files.foreign import (
    MOST_POINTS,
    GameBuilder,
    check_length,
    common_profile,
    patience_for,
    settle_results,
    terms_of,
)
from controller.record.files.match_text import LARGEST, MatchFileError, one_line
from controller.record.files.ogxmfile import read_ogxm
from controller.record.match.match import Facts, MatchRecord
from controller.rules import Position, Roll, Side, Terms, is_result, start_position
from controller.rules.position import PositionError
from controller.rules.profile.profile import Layout

XG_MAGIC: Final = b"RGMH"
BGF_MARK: Final = b'"BGF"'
HEADER: Final = 400
"""Bytes in which BGBlitz names its format."""
MOST_UNPACKED: Final = 64_000_000
"""Bytes of a file unpacked; a match of 25 points has some 5,000,000 in XG."""
XG_HEADER: Final = 8232
"""Bytes before the picture of a file of XG."""
XG_PICTURE_SIZE: Final = 20
"""Where they tell how large it is."""
MONEY_LENGTH: Final = 99_999
"""The length by which XG marks single games."""
DAY_ZERO: Final = date(1899, 12, 30)
ILLEGAL_MARK: Final = 2
"""How XG marks a play that is not legal."""
XgFields = Mapping[str, Any]


class GvformatMissingError(UserError):
    """The package that reads the files of XG and BGBlitz is not installed."""


def is_xg(data: bytes) -> bool:
    """Whether bytes begin as a match or a position of eXtreme Gammon does."""
    return data.startswith(XG_MAGIC)


def is_bgf(data: bytes) -> bool:
    """Whether bytes begin as a match of BGBlitz does."""
    line = data[:HEADER].split(b"\n", 1)[0]
    return line.lstrip().startswith(b"{") and BGF_MARK in line.replace(b" ", b"")


def read_xg(data: bytes, name: str) -> MatchRecord:
    """The match, or the position with what was played from it, of a file of eXtreme Gammon.

    Raises:
        GvformatMissingError: the package is not installed.
        MatchFileError: damaged.
    """
    if len(data) < XG_HEADER:
        raise MatchFileError(f"{name} is cut short; give the whole file of eXtreme Gammon.")
    (picture,) = struct.unpack_from("<I", data, XG_PICTURE_SIZE)
    _check_size(data[XG_HEADER + picture :], name)
    package = _package(name)
    try:
        records = package.xg.read_xg(data)
        return _XgReader(records, name, patience_for(len(data))).match()
    except MatchFileError:
        raise
    except (ValueError, KeyError, IndexError, TypeError, OverflowError, struct.error, UserError) as error:
        raise MatchFileError(
            f"{name} is no whole file of eXtreme Gammon ({one_line(str(error))[:80]}); save it there once more."
        ) from None


def read_bgf(data: bytes, name: str) -> MatchRecord:
    """The match of a file of BGBlitz.

    Raises:
        GvformatMissingError: the package is not installed.
        OgxmMissingError: the codec of OGXM is not.
        MatchFileError: damaged.
    """
    _check_size(data.partition(b"\n")[2], name)
    package = _package(name)
    try:
        converted: bytes = package.write_gvab(package.convert_bgf(data))
    except (
        ArithmeticError,
        AssertionError,
        LookupError,
        OSError,
        RuntimeError,
        TypeError,
        ValueError,
        EOFError,
        AttributeError,
        zlib.error,
        struct.error,
    ) as error:
        raise MatchFileError(
            f"{name} is no whole file of BGBlitz ({one_line(str(error))[:80]}); save it there once more."
        ) from None
    return read_ogxm(converted, name)


def _package(name: str) -> ModuleType:
    try:
        import gvformat
        import gvformat.xg
    except ImportError:
        raise GvformatMissingError(
            f"{name} is a file of eXtreme Gammon or BGBlitz, which the package gammonview reads: run "
            "`.venv/bin/pip install gammonview PyYAML` in the folder of Pointsman, or export the match there as .mat."
        ) from None
    module: ModuleType = gvformat
    return module


def _check_size(packed: bytes, name: str) -> None:
    if len(packed) > LARGEST:
        raise MatchFileError(f"{name} has {len(packed)} bytes, which no match has; give a match file.")
    unpacker = zlib.decompressobj(wbits=47)
    try:
        unpacked = len(unpacker.decompress(packed, MOST_UNPACKED))
    except zlib.error:
        return
    if unpacked >= MOST_UNPACKED:
        raise MatchFileError(f"{name} unpacks to more than any match has; give a match file.")


class _XgReader:
    """The records of a file being read; the first player is light."""

    def __init__(self, records: Sequence[tuple[str, XgFields]], name: str, patience: int) -> None:
        self.records, self.name, self.patience = records, name, patience
        heads = [fields for kind, fields in records if kind == "header_match"]
        if not heads:
            raise MatchFileError(f"{name} holds no match; save it in eXtreme Gammon once more.")
        self.head = heads[0]
        self.games: list[GameBuilder] = []

    def match(self) -> MatchRecord:
        terms = self._terms(Layout.BACKGAMMON)
        first = next((fields for kind, fields in self.records if kind == "move"), None)
        nackgammon = start_position(Layout.NACKGAMMON)
        if first is not None and nackgammon in _boards(first["pos_before"]):
            terms = self._terms(Layout.NACKGAMMON)
        for kind, fields in self.records:
            if kind == "header_game":
                self._begin(terms, fields)
            elif self.games:
                self._add(kind, fields)
        head = self.head
        facts = Facts(_xg_day(head["date"]), one_line(head["location"]), one_line(head["event"]))
        games = tuple(game.record() for game in self.games)
        light, dark = one_line(head["player1"]), one_line(head["player2"])
        return settle_results(MatchRecord(light, dark, terms, games, facts))

    def _terms(self, layout: Layout) -> Terms:
        head = self.head
        length = 0 if head["match_length"] == MONEY_LENGTH else max(head["match_length"], 0)
        limit = head["cube_limit_code"]
        common = common_profile(
            crawford=bool(head["crawford"]),
            jacoby=bool(head["jacoby"]) and not length,
            beaver=bool(head["beaver"]) and not length,
            layout=layout,
            cube_max=1 << limit if 0 < limit < 20 else None,
        )
        return terms_of(check_length(length, self.name), common, "")

    def _begin(self, terms: Terms, fields: XgFields) -> None:
        if self.games:
            self.patience = self.games[-1].patience
        light, dark = (min(max(fields[key], 0), MOST_POINTS) for key in ("score1", "score2"))
        self.games.append(GameBuilder.begin(terms, len(self.games), light, dark, self.patience))

    def _add(self, kind: str, fields: XgFields) -> None:
        game = self.games[-1]
        if kind == "cube" and fields["doubled"] == 1:
            side = _xg_side(fields["actif"])
            game.double(side)
            if fields["take"] == 2:
                game.double(side.opponent)
                game.take(side)
            elif fields["take"] == 1:
                game.take(side.opponent)
            elif fields["take"] == 0:
                game.drop(side.opponent)
        elif kind == "move":
            self._move(game, fields)
        elif kind == "footer_game" and fields["winner"] and 1 <= fields["points"] <= MOST_POINTS:
            game.wins(_xg_side(fields["winner"]), fields["points"])

    def _move(self, game: GameBuilder, fields: XgFields) -> None:
        if not all(1 <= number <= 6 for number in fields["dice"]):
            return
        side, roll = _xg_side(fields["actifp"]), Roll.of(*fields["dice"])
        ends = list(_ends(fields, side))
        rules = game.profile.movement
        told = () if game.ply or fields["invalid_m"] == ILLEGAL_MARK else _boards(fields["pos_before"])
        for before in dict.fromkeys((game.board, *told)):
            for after in (*ends, before):
                if is_result(before, side, roll, after, rules):
                    if before != game.board:
                        game.stand(before)
                    game.reach(side, roll, after)
                    return
        if ends:
            game.reach(side, roll, ends[0])
        else:
            game.add_roll(side, roll)


def _xg_side(sign: int) -> Side:
    return Side.LIGHT if sign > 0 else Side.DARK


def _ends(fields: XgFields, side: Side) -> Iterator[Position]:
    """The boards that a turn may have ended with, the likeliest first: as the mover sees it."""
    played = [candidate["pos"] for candidate in fields["candidates"] if candidate["is_played"]]
    for counts in (*played, fields["pos_after"]):
        light, dark = (_board(counts, seen_by) for seen_by in Side)
        for board in (light, dark) if side is Side.LIGHT else (dark, light):
            if board is not None:
                yield board


def _boards(counts: Sequence[int]) -> list[Position]:
    """A board as either player may have seen it."""
    return [board for board in (_board(counts, side) for side in Side) if board is not None]


def _board(counts: Sequence[int], seen_by: Side) -> Position | None:
    """The board of XG's 26 counts, the points of who sees it positive; both ends are bars."""
    bars = (counts[0], counts[25])
    own, other = (sum(max(sign * count, 0) for count in bars) for sign in (1, -1))
    try:
        board = Position.of(list(counts[1:25]), own, other)
    except PositionError:
        return None
    return board if seen_by is Side.LIGHT else board.mirrored()


def _xg_day(days: float) -> date | None:
    return DAY_ZERO + timedelta(days=int(days)) if math.isfinite(days) and 1 < days < 100_000 else None
