"""Pointsman for programmers: positions, plays, verdicts, match files and boards in pictures.

    >>> import pointsman
    >>> board = pointsman.Board()
    >>> board.push("8/5 6/5", (3, 1))
    Play('8/5 6/5')

`Position` is a value and `Board` a game that is played on it; `judge` says which rules a turn broke, in sentences;
`read_match` and `Match` read and write the files of other programs; `read_board` reads a picture of a real board;
`best_plays` asks an engine that is installed. `hardware_docs/library.md` has a recipe for each.

What ``__all__`` lists, and what those values document, is stable: it changes with the first number of the version
only. Points are numbered 1..24 from light's side everywhere except in the notation of a play, which counts from the
side of the player who moves. Whatever is wrong with what was given is a `UserError` of one sentence.
"""

from controller import __version__ as __version__
from controller.errors import UserError
from controller.rules.notation import Move
from controller.rules.position import Roll, Side
from pointsman.board import Board
from pointsman.engines import RatedPlay, best_plays, engines
from pointsman.judging import Reason, Verdict, judge
from pointsman.matches import Game, Match, Turn, read_match
from pointsman.notation import format_play, parse_play
from pointsman.pictures import BoardReading, read_board
from pointsman.position import Play, Position
from pointsman.spelling import variants

LIGHT = Side.LIGHT
DARK = Side.DARK

__all__ = [
    "DARK",
    "LIGHT",
    "Board",
    "BoardReading",
    "Game",
    "Match",
    "Move",
    "Play",
    "Position",
    "RatedPlay",
    "Reason",
    "Roll",
    "Side",
    "Turn",
    "UserError",
    "Verdict",
    "__version__",
    "best_plays",
    "engines",
    "format_play",
    "judge",
    "parse_play",
    "read_board",
    "read_match",
    "variants",
]
