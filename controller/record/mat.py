"""A match as `.mat` text, the form that gnubg, XG, GammonView and OpenGammon read.

The dialect is the part of the Jellyfish format that gnubg 1.07.001 imports without a word (tried with the
binary): the player in the left column is light. A result that no legal play of the roll reaches, be it an
illegal play that was left standing, a film that begins in the middle of a game or turns that were not seen,
is written as Snowie's `Illegal play (...)` with the position that was on the board, which gnubg takes over.
"""

from collections.abc import Iterator
from typing import Final

from controller.record.entries import Turn
from controller.record.names import header_text, mat_names
from controller.record.transcript import GameRecord, MatchRecord
from controller.rules.notation import format_play
from controller.rules.position import START, Position, Side

LEFT_WIDTH: Final = 34
GAP: Final = "   "


def mat_text(match: MatchRecord) -> str:
    """The whole file as text, ASCII but for the comments at its top; write it as UTF-8."""
    names = dict(zip(Side, mat_names(match.light, match.dark), strict=True))
    lines = [*_header(match), f" {match.length} point match"]
    for number, game in enumerate(match.games, start=1):
        lines += ["", f" Game {number}", _row(" ", *_scores(game, names))]
        lines += _turn_rows(game, match.length, names)
        lines += _result_row(game)
    return "\n".join(lines) + "\n"


def _header(match: MatchRecord) -> Iterator[str]:
    for number, name in enumerate((match.light, match.dark), start=1):
        if name:
            yield f'; [Player {number} "{header_text(name)}"]'
    if match.facts.played_on is not None:
        yield f'; [EventDate "{match.facts.played_on:%Y.%m.%d}"]'
    yield '; [Variation "Backgammon"]'
    for number, game in enumerate(match.games, start=1):
        for remark in _remarks(game):
            yield f'; [Note "Game {number}, {header_text(remark)}"]'
    yield ""


def _remarks(game: GameRecord) -> Iterator[str]:
    """What the columns cannot say; it stands in the header because among turns gnubg takes no comment."""
    board = START
    put_right = [turn for turn in game.turns if not turn.counts]
    for turn in sorted([*put_right, *game.played], key=lambda turn: turn.ply):
        where = f"ply {turn.ply}, {turn.player} {turn.roll.high}{turn.roll.low}: {turn.text}"
        codes = ", ".join(dict.fromkeys(str(reason.code) for reason in turn.reasons))
        if not turn.counts:
            yield f"{where} was illegal ({codes}) and was put right"
            continue
        if not _fits(turn):
            yield f"{where} left more than fifteen checkers of a side on the board and is left out"
            continue
        if not turn.legal:
            yield f"{where} was illegal ({codes}) and was left standing"
        elif turn.before != board:
            yield f"{where} was played from a position that the turns before it do not reach"
        board = turn.after


def _scores(game: GameRecord, names: dict[Side, str]) -> tuple[str, str]:
    return f"{names[Side.LIGHT]} : {game.light_score}", f"{names[Side.DARK]} : {game.dark_score}"


def _turn_rows(game: GameRecord, length: int, names: dict[Side, str]) -> Iterator[str]:
    """The numbered rows; a side that has the next turn again leaves the other column empty."""
    cells: dict[Side, str] = {}
    number = 1
    board = START
    for turn in filter(_fits, game.played):
        if turn.player in cells or Side.DARK in cells:
            yield _numbered(number, cells)
            number, cells = number + 1, {}
        cells[turn.player] = _cell(turn, board, game, length, names)
        board = turn.after
    if cells:
        yield _numbered(number, cells)


def _fits(turn: Turn) -> bool:
    """Whether gnubg can take the position after a turn: with sixteen checkers of a side it crashes."""
    return all(turn.after.off(side) >= 0 for side in Side)


def _numbered(number: int, cells: dict[Side, str]) -> str:
    return _row(f"{number:3d}) ", cells.get(Side.LIGHT, ""), cells.get(Side.DARK, ""))


def _cell(turn: Turn, board: Position, game: GameRecord, length: int, names: dict[Side, str]) -> str:
    dice = f"{turn.roll.high}{turn.roll.low}: "
    if turn.legal and turn.play is not None and turn.before == board:
        return dice + format_play(turn.play)
    return f"{dice}Illegal play ({_snowie(turn, game, length, names)})"


def _snowie(turn: Turn, game: GameRecord, length: int, names: dict[Side, str]) -> str:
    """The position after a turn in the 40 fields of Snowie's text, as gnubg 1.07.001 writes and reads them.

    The player on roll is the one who did not play the turn, and everything is told from his side: field 4 is
    1 for the left player and 0 for the right, the names and scores are his first, the opponent's checkers
    are negative, and the opponent's bar (field 12) comes before the 24 points, his own (37) after them.
    """
    roller = turn.player.opponent
    score = {Side.LIGHT: game.light_score, Side.DARK: game.dark_score}
    points = turn.after.points
    own = points if roller is Side.LIGHT else tuple(-count for count in reversed(points))
    fields = [
        *(length, 0, 0, 0, int(roller is Side.LIGHT)),
        *(names[roller], names[roller.opponent], 0, score[roller], score[roller.opponent]),
        *(1, 0, -turn.after.bar(roller.opponent), *own, turn.after.bar(roller)),
        *(0, 0),
    ]
    return "".join(f"{value};" for value in fields)


def _result_row(game: GameRecord) -> Iterator[str]:
    if game.result is None:
        return
    wins = f"Wins {game.result.points} point{'s' if game.result.points > 1 else ''}"
    if game.result.winner is Side.LIGHT:
        yield _row(" " * 5, wins, "")
    else:
        yield _row(" " * 5, "", wins)


def _row(head: str, left: str, right: str) -> str:
    return f"{head}{left:<{LEFT_WIDTH}}{GAP}{right}".rstrip()
