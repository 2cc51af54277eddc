"""Match and position files of eXtreme Gammon (`.xg`, `.xgp`).

The author of the program has published their form: a header, a small picture, then several files packed by zlib, one
after the other. `temp.xg` is the one that counts: a list of records of equal size for the match, each game, each cube
decision and each roll. Only what was played is taken, not the analysis. Tried with files that eXtreme Gammon 2 wrote.

A roll has a board before it, as the first player sees it, and one after it, as the mover does. Either may be a turn
too far or the other way round; then a board counts that the roll leads to from the one reached so far. A roll that
was not played, because the player resigned or the file was saved there, has an empty board after it.
"""

import math
import struct
import zlib
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from controller.errors import UserError
from controller.record.files.builder import GameBuilder, all_remarks
from controller.record.files.foreign import (
    MOST_POINTS,
    check_length,
    common_profile,
    patience_for,
    settle_results,
    terms_of,
)
from controller.record.files.match_text import LARGEST, MatchFileError, one_line
from controller.record.match.match import Facts, MatchRecord
from controller.record.match.moves_made import carry_out
from controller.rules import Move, Play, Position, Roll, Side, Terms, is_result, start_position
from controller.rules.notation import BAR, OFF
from controller.rules.position import PositionError
from controller.rules.profile.profile import Layout

MAGIC: Final = b"RGMH"
HEADER: Final = 8232
"""Bytes before the picture."""
PICTURE_SIZE: Final = 20
"""Where they tell how large it is."""
MOST_FILES: Final = 16
"""Packed files that are looked at; eXtreme Gammon writes two to four."""
MOST_UNPACKED: Final = 64_000_000
"""Bytes of them unpacked; a match of 25 points has some 5,000,000."""
RECORD: Final = 2560
"""Bytes of a record."""
KIND: Final = 8
"""Where a record tells what it is."""
MATCH, GAME, CUBE, ROLL, GAME_END = range(5)
MONEY_LENGTH: Final = 99_999
"""The length that marks single games."""
DAY_ZERO: Final = date(1899, 12, 30)
LARGEST_CUBE_POWER: Final = 20
LAYOUTS: Final = (Layout.BACKGAMMON, Layout.NACKGAMMON, Layout.HYPERGAMMON, Layout.LONGGAMMON)
"""The games by their numbers in the record of the match."""
TAKEN, BEAVERED, RACCOONED = 1, 2, 2
"""Answers to a double; a beaver has the second one as its answer."""
ILLEGAL_MARK: Final = 2
"""How a roll is marked whose play is not legal."""
UNTOLD: Final = -1
"""What stands where a step of a play ends the list."""


def is_xg(data: bytes) -> bool:
    """Whether bytes begin as a match or a position of eXtreme Gammon does."""
    return data.startswith(MAGIC)


def read_xg(data: bytes, name: str) -> MatchRecord:
    """The match, or the position with what was played from it, of a file of eXtreme Gammon.

    Raises:
        MatchFileError: damaged.
    """
    records = _records(data, name)
    try:
        return _XgReader(records, name, patience_for(len(data))).match()
    except MatchFileError:
        raise
    except (ValueError, OverflowError, struct.error, UserError) as error:
        raise MatchFileError(
            f"{name} is no whole file of eXtreme Gammon ({one_line(str(error))[:80]}); save it there once more."
        ) from None


def _records(data: bytes, name: str) -> list[bytes]:
    """The records of the match, which are the largest of the packed files that begin as one."""
    if len(data) < HEADER:
        raise MatchFileError(f"{name} is cut short; give the whole file of eXtreme Gammon.")
    (picture,) = struct.unpack_from("<I", data, PICTURE_SIZE)
    packed = data[HEADER + picture :]
    if len(packed) > LARGEST:
        raise MatchFileError(f"{name} has {len(packed)} bytes, which no match has; give a match file.")
    files, whole = _unpack(packed, name)
    found = [file for file in files if len(file) >= RECORD and file[KIND] == MATCH]
    largest = max(found, key=len, default=b"")
    records = [largest[at : at + RECORD] for at in range(0, len(largest) - RECORD + 1, RECORD)]
    if any(record[KIND] == GAME for record in records):
        return records
    if not whole:
        raise MatchFileError(f"{name} is cut short; give the whole file of eXtreme Gammon.")
    raise MatchFileError(f"{name} holds no match; save it in eXtreme Gammon once more.")


def _unpack(packed: bytes, name: str) -> tuple[list[bytes], bool]:
    """The packed files that can be unpacked, and whether none of them is cut short."""
    files: list[bytes] = []
    left = MOST_UNPACKED
    for _ in range(MOST_FILES):
        unpacker = zlib.decompressobj()
        try:
            file = unpacker.decompress(packed, left)
        except zlib.error:
            break
        left -= len(file)
        if left <= 0:
            raise MatchFileError(f"{name} unpacks to more than any match has; give a match file.")
        if not unpacker.eof:
            return files, False
        files.append(file)
        packed = unpacker.unused_data
    return files, True


def _numbers(record: bytes, at: int, count: int = 1) -> tuple[int, ...]:
    return struct.unpack_from(f"<{count}i", record, at)


def _number(record: bytes, at: int) -> int:
    return _numbers(record, at)[0]


def _counts(record: bytes, at: int) -> tuple[int, ...]:
    """A board: 24 points between two bars, the checkers of who sees it positive."""
    return struct.unpack_from("<26b", record, at)


def _text(record: bytes, wide: int, narrow: int) -> str:
    """A text in UTF-16, or in the Windows form of Latin-1 where an old file has no other."""
    told = record[wide : wide + 258].decode("utf-16-le", "replace").partition("\0")[0]
    old = record[narrow + 1 : narrow + 1 + record[narrow]].decode("cp1252", "replace")
    return one_line(told or old)


class _XgReader:
    """The records of a file being read; the first player is light."""

    def __init__(self, records: Sequence[bytes], name: str, patience: int) -> None:
        self.records, self.name, self.patience = records, name, patience
        self.head = records[0]
        self.games: list[GameBuilder] = []

    def match(self) -> MatchRecord:
        terms = self._terms()
        for record in self.records[1:]:
            if record[KIND] == GAME:
                self._begin(terms, record)
            elif self.games:
                self._add(record)
        games = tuple(game.record() for game in self.games)
        light, dark = _text(self.head, 880, 9), _text(self.head, 1138, 50)
        return settle_results(
            MatchRecord(light, dark, terms, games, self._facts(), all_remarks((), self.games))
        )

    def _facts(self) -> Facts:
        head = self.head
        (days,) = struct.unpack_from("<d", head, 128)
        return Facts(
            _day(days),
            _text(head, 1396, 283),
            _text(head, 622, 136),
            _text(head, 1654, 417),
            transcriber=_text(head, 1960, 2559),
        )

    def _terms(self) -> Terms:
        head = self.head
        length, game = _numbers(head, 92, 2)
        length = 0 if length == MONEY_LENGTH else max(length, 0)
        crawford, jacoby, beaver, automatic = map(bool, head[100:104])
        power = _number(head, 612)
        common = common_profile(
            crawford=crawford,
            jacoby=jacoby and not length,
            beaver=beaver and not length,
            automatic=automatic and not length,
            layout=self._layout(game),
            cube_max=1 << power if 0 < power < LARGEST_CUBE_POWER else None,
        )
        return terms_of(check_length(length, self.name), common, "")

    def _layout(self, game: int) -> Layout:
        """The game that the match is; old files tell nackgammon only by the first board."""
        layout = LAYOUTS[game] if 0 <= game < len(LAYOUTS) else Layout.BACKGAMMON
        first = next((record for record in self.records if record[KIND] == ROLL), None)
        nackgammon = start_position(Layout.NACKGAMMON)
        told = first is not None and nackgammon in _boards(_counts(first, 9))
        return Layout.NACKGAMMON if told and layout is Layout.BACKGAMMON else layout

    def _begin(self, terms: Terms, record: bytes) -> None:
        if self.games:
            self.patience = self.games[-1].patience
        light, dark = (min(max(score, 0), MOST_POINTS) for score in _numbers(record, 12, 2))
        game = GameBuilder.begin(terms, len(self.games), light, dark, self.patience)
        board = _board(_counts(record, 21), Side.LIGHT)
        if (
            board is not None
            and any(board.points)
            and board not in (game.reached.board, game.reached.board.mirrored())
        ):
            game.stand(board)
        game.double_automatically(min(max(_number(record, 64), 0), LARGEST_CUBE_POWER))
        self.games.append(game)

    def _add(self, record: bytes) -> None:
        game = self.games[-1]
        if record[KIND] == CUBE:
            self._cube(game, record)
        elif record[KIND] == ROLL:
            self._roll(game, record)
        elif record[KIND] == GAME_END:
            winner, points = _numbers(record, 24, 2)
            if winner and 1 <= points <= MOST_POINTS:
                game.wins(_side(winner), points)

    def _cube(self, game: GameBuilder, record: bytes) -> None:
        sign, doubled, answer, second, third = _numbers(record, 12, 5)
        side = _side(sign)
        if not game.ply and not game.entries:
            _set_up(game, _boards(_counts(record, 36)))
        if doubled != 1:
            return
        game.double(side)
        if answer == BEAVERED:
            game.double(side.opponent)
            if second == RACCOONED:
                game.double(side)
                _answer(game, side.opponent, third)
            else:
                _answer(game, side, second)
        else:
            _answer(game, side.opponent, answer)

    def _roll(self, game: GameBuilder, record: bytes) -> None:
        dice = _numbers(record, 100, 2)
        if not all(1 <= number <= 6 for number in dice):
            return
        side, roll = _side(_number(record, 64)), Roll.from_dice(*dice)
        ends = _ends(_counts(record, 35), side)
        if not ends:
            game.add_roll(side, roll)
            return
        marked = _number(record, 2480) == ILLEGAL_MARK
        rules, steps = game.profile.movement, _steps(record)
        turns = [(game.reached.board, after) for after in ends]
        if not marked:
            turns += [(before, after) for before in _boards(_counts(record, 9)) for after in ends]
            turns.append((game.reached.board, carry_out(game.reached.board, side, steps, rules).after))
        for before, after in turns:
            if is_result(before, side, roll, after, rules):
                if before != game.reached.board:
                    game.stand(before)
                game.reach(side, roll, after)
                return
        if marked or steps or record[2308]:
            game.reach(side, roll, ends[0])
        else:
            game.add_roll(side, roll)


def _side(sign: int) -> Side:
    return Side.LIGHT if sign > 0 else Side.DARK


def _answer(game: GameBuilder, side: Side, answer: int) -> None:
    """The answer to an offer; none where the file was saved before it."""
    if answer == TAKEN:
        game.take(side)
    elif answer == 0:
        game.drop(side)


def _set_up(game: GameBuilder, told: Sequence[Position]) -> None:
    """Begin on the board that a position tells; that of a match is the start."""
    if told and game.reached.board not in told:
        game.stand(told[0])


def _ends(counts: Sequence[int], side: Side) -> list[Position]:
    """The boards that a turn may have ended with, that of the mover's view first; none of an empty board.

    Nobody is left with an empty board: with the last checker of one side the game is over.
    """
    if not any(counts):
        return []
    boards = [_board(counts, seen_by) for seen_by in (side, side.opponent)]
    return [board for board in boards if board is not None]


def _boards(counts: Sequence[int]) -> list[Position]:
    """A board as either player may have seen it; none of an empty board."""
    return _ends(counts, Side.LIGHT)


def _board(counts: Sequence[int], seen_by: Side) -> Position | None:
    bars = (counts[0], counts[25])
    own, other = (sum(max(sign * count, 0) for count in bars) for sign in (1, -1))
    try:
        board = Position.from_counts(list(counts[1:25]), own, other)
    except PositionError:
        return None
    return board if seen_by is Side.LIGHT else board.mirrored()


def _steps(record: bytes) -> Play:
    """The steps of a play, from and to counted from 0, where 24 is the bar and less than 0 the tray."""
    steps = _numbers(record, 68, 8)
    play: list[Move] = []
    for source, target in zip(steps[::2], steps[1::2], strict=True):
        if source == UNTOLD or not 0 <= source < BAR or target >= source:
            break
        play.append(Move(source + 1, max(target + 1, OFF)))
    return tuple(play)


def _day(days: float) -> date | None:
    return DAY_ZERO + timedelta(days=int(days)) if math.isfinite(days) and 1 < days < 100_000 else None
