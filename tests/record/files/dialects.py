"""Recorded matches as other programs write them: servers, their clients and older programs, each with its habits."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.record.match.match import Act, GameRecord, MatchRecord, Turn
from controller.record.match.playthrough import single_moves
from controller.rules.game.events import (
    Beavered,
    Doubled,
    Passed,
    Raccooned,
    ResignationAccepted,
    Resigned,
    Rolled,
    Taken,
)
from controller.rules.moves.plays import results
from controller.rules.position import Side


@dataclass(frozen=True)
class Dialect:
    """The habits of a program.

    Attributes:
        header: lines at the top, with `{light}` and `{dark}`.
        name: a name in the score line.
        score: the score line, with names and points.
        row: the number of a row, with a number.
        word: a word of the cube in the left column.
        width: of the left column.
        dance: what follows the dice where nothing can be moved.
        forced: what follows the dice of a play that is the only legal one, `None` for the play.
        numbers: whether the bar is 25 and the tray 0.
        hits: whether hits are marked.
        resigned: the loser's cell after a resignation, with points; empty for none.
        wins: the result, with points.
        beside: whether it stands in the last row, where the winner is the right player and that cell is free.
        ends: what follows the result that wins the match.
        capped: whether no more points are told than the winner needed.
        newline: what ends a line.
    """

    header: str = '; [Site "Some Server"]\n; [Player 1 "{light}"]\n; [Player 2 "{dark}"]\n'
    name: str = "{name} :"
    score: str = " {left} {a}{gap}{right} {b}"
    row: str = "{number:3d}) "
    word: str = " {word}"
    width: int = 32
    dance: str = "Cannot Move"
    forced: str | None = None
    numbers: bool = False
    hits: bool = True
    resigned: str = ""
    wins: str = "Wins {points} point{s}"
    beside: bool = True
    ends: str = ""
    capped: bool = False
    newline: str = "\n"


DIALECTS = {
    "galaxy": Dialect(
        header='; [Site "BackgammonGalaxy"]\n; [Match ID "12345"]\n; [Player 1 "{light}"]\n; [Player 2 "{dark}"]\n'
        '; [Player 1 Elo "1,613.62/0"]\n; [EventTime "02.44"]\n; [Variation "Backgammon"]\n; [Crawford "On"]\n'
        '; [CubeLimit "1024"]\n\n',
        dance="",
        numbers=True,
        hits=False,
        resigned=" Losses {points} point",
        wins=" Wins {points} point",
        ends=" and the match",
        capped=True,
    ),
    "studio": Dialect(
        header='; [Site "Backgammon Studio"]\n\n',
        dance="",
        hits=False,
        numbers=True,
        resigned="66: ????",
        wins="Wins {points} point",
        capped=True,
    ),
    "unrolled": Dialect(header="", resigned="00: ????", dance="", numbers=True, width=30),
    "concedes": Dialect(header="", resigned=" Concedes", row="{number}. ", width=34),
    "fibs": Dialect(
        header="",
        name="{name}, 1650.23 :",
        dance="",
        forced="",
        word="{word}",
        hits=True,
        wins="Wins {points} point{s}",
    ),
    "padded": Dialect(
        name="{name}:",
        row="  {number}) ",
        word="{word}",
        width=43,
        beside=False,
        dance="",
        numbers=True,
        hits=False,
        wins="Wins {points} points",
        ends=" and the match             ",
        capped=True,
        newline="\r\n",
    ),
}


def dialect_text(match: MatchRecord, dialect: Dialect) -> str:
    """A match that was played out or resigned, without plays that are illegal, in a dialect of `.mat`."""
    lines = [dialect.header.format(light=match.light, dark=match.dark) + f" {match.length} point match", ""]
    for number, game in enumerate(match.games, start=1):
        left, right = (dialect.name.format(name=match.name(side)) for side in Side)
        score = dialect.score.format(
            left=left,
            a=game.light_score,
            gap=" " * max(4, 36 - len(left)),
            right=right,
            b=game.dark_score,
        )
        lines += [f" Game {number}", score, *_rows(match, game, dialect), ""]
    return dialect.newline.join(lines).replace("\r\r", "\r")


def _rows(match: MatchRecord, game: GameRecord, dialect: Dialect) -> Iterator[str]:
    row: dict[Side, str] = {}
    number = 1
    for side, text in _dialect_cells(game, dialect):
        if side in row or Side.DARK in row:
            yield _line(dialect, number, row)
            number, row = number + 1, {}
        row[side] = text
    result = game.result
    if result is None:
        if row:
            yield _line(dialect, number, row)
        return
    needed = match.length - game.score(result.winner) if match.length else result.points
    points = min(result.points, needed) if dialect.capped else result.points
    wins = dialect.wins.format(points=points, s="s" if points > 1 else "")
    if match.length and result.points >= needed:
        wins += dialect.ends
    loser = result.winner.opponent
    lost = dialect.resigned and any(_is_resignation(entry) for entry in game.entries)
    if dialect.resigned[:1].isdecimal() and [*game.played][-1:] and [*game.played][-1].player is loser:
        lost = False  # who is not on roll has no dice
    if lost:
        if loser in row or Side.DARK in row:
            yield _line(dialect, number, row)
            number, row = number + 1, {}
        row[loser] = dialect.resigned.format(points=points, s="s" if points > 1 else "")
    if dialect.beside and result.winner is Side.DARK and Side.LIGHT in row and Side.DARK not in row:
        row[Side.DARK] = wins
        wins = ""
    if row:
        yield _line(dialect, number, row)
    if wins:
        yield " " * (dialect.width + 8 if result.winner is Side.DARK else 6) + wins.strip(" ")


def _is_resignation(entry: object) -> bool:
    return isinstance(entry, Act) and isinstance(entry.event, ResignationAccepted)


def _line(dialect: Dialect, number: int, row: dict[Side, str]) -> str:
    left = row.get(Side.LIGHT, "")
    text = f"{dialect.row.format(number=number)}{left:<{dialect.width}}{row.get(Side.DARK, '')}"
    return text.ljust(88) if dialect.newline == "\r\n" else text.rstrip()


def _dialect_cells(game: GameRecord, dialect: Dialect) -> Iterator[tuple[Side, str]]:
    cube = 1
    for entry in game.course:
        if isinstance(entry, Turn):
            yield entry.player, f"{entry.roll.high}{entry.roll.low}: {_play(entry, dialect)}"
            continue
        word = ""
        match entry.event:
            case Doubled() | Beavered() | Raccooned():
                cube *= 2
                word = f"Doubles => {cube}"
            case Taken():
                word = "Takes"
            case Passed():
                word = "Drops"
            case Resigned() | ResignationAccepted() | Rolled():
                continue
            case _:
                continue
        side = entry.event.side
        yield side, dialect.word.format(word=word)


def _play(turn: Turn, dialect: Dialect) -> str:
    legal = results(turn.before, turn.player, turn.roll)[0]
    if legal == {turn.before.code}:
        return dialect.dance
    if dialect.forced is not None and len(legal) == 1:
        return dialect.forced
    names = ("25", "0") if dialect.numbers else ("bar", "off")
    moves = [
        f"{names[0] if move.source == 25 else move.source}/{names[1] if move.target <= 0 else move.target}"
        f"{'*' if move.hit and dialect.hits else ''}"
        for move in single_moves(turn)
    ]
    return " ".join(moves)
