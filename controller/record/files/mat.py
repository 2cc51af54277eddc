"""A match as `.mat` text, the form that gnubg, XG, GammonView and OpenGammon read.

The dialect is the part of the Jellyfish format that gnubg 1.07.001 imports without a word (tried with the
binary): the player in the left column is light. A result that no legal play of the roll reaches by the
standard rules, be it an illegal play that was left standing, a film that begins in the middle of a game or
turns that were not seen, is written as Snowie's `Illegal play (...)` with the position that was on the board,
which gnubg takes over. What the columns cannot say stands in notes at the top, because among turns gnubg takes
no comment: see `controller.record.files.limits`.
"""

from collections.abc import Iterator
from typing import Final

from controller.record.files.limits import notes, rule_names
from controller.record.files.match_text import header_text, mat_names
from controller.record.files.snowie import snowie_line
from controller.record.match.entries import Act, Turn
from controller.record.match.match import GameRecord, MatchRecord
from controller.record.match.playthrough import Moment, by_game, is_left, moments
from controller.rules.game.events import Beavered, Doubled, Passed, Raccooned, Rolled, Taken
from controller.rules.game.game import start_position
from controller.rules.game.match import Form
from controller.rules.moves.plays import is_result, results
from controller.rules.notation import format_play
from controller.rules.position import Position, Side
from controller.rules.profile.profile import Layout

LEFT_WIDTH: Final = 34
GAP: Final = "   "
UNPLAYED: Final = "????"
"""After the dice: the player rolled and did not play, as XG writes it when he resigned."""
LONGEST_ANSWER: Final = 2
"""Acts that can follow a beaver: a raccoon and a take."""

Cell = tuple[Side, str]


def mat_text(match: MatchRecord) -> str:
    """The whole file as text, ASCII but for the comments at its top; write it as UTF-8."""
    played = list(moments(match))
    names = dict(zip(Side, mat_names(match.light, match.dark), strict=True))
    lines = [*_header(match), *(f'; [Note "{header_text(note)}"]' for note in notes(match, played)), ""]
    lines.append(f" {match.length} point match")
    initial = start_position(_layout(match))
    for number, (game, of_game) in enumerate(zip(match.games, by_game(played), strict=True), start=1):
        cells = _cells(of_game, initial, names)
        lines += ["", f" Game {number}", _row(" ", *_scores(game, names)), *_rows(cells, game)]
    return "\n".join(lines) + "\n"


def _header(match: MatchRecord) -> Iterator[str]:
    facts, rules = match.facts, match.profile(0)
    known = {
        "Site": facts.place,
        "Event": facts.event,
        "Round": facts.round,
        "Table": facts.table,
        "Transcriber": facts.transcriber,
    }
    for name, value in known.items():
        if header_text(value):
            yield f'; [{name} "{header_text(value)}"]'
    for number, name in enumerate((match.light, match.dark), start=1):
        yield f'; [Player {number} "{header_text(name)}"]'
    if facts.played_on is not None:
        yield f'; [EventDate "{facts.played_on:%Y.%m.%d}"]'
    variation = "NackGammon" if _layout(match) is Layout.NACKGAMMON else "Backgammon"
    yield f'; [Variation "{variation}"]'
    if match.terms.form is Form.SERIES:
        yield '; [Form "series"]'
    elif match.length:
        yield f'; [Crawford "{_on(rules.match.crawford)}"]'
    else:
        yield f'; [Jacoby "{_on(rules.cube.jacoby)}"]'
        yield f'; [Beaver "{_on(rules.cube.beaver)}"]'
    if rules.cube.max is not None:
        yield f'; [CubeLimit "{rules.cube.max}"]'
    if names := rule_names(match):
        yield f'; [Rules "{header_text(names)}"]'


def _on(rule: bool) -> str:
    return "On" if rule else "Off"


def _layout(match: MatchRecord) -> Layout:
    """The start position that the file names; gnubg knows nackgammon beside the common one."""
    return match.profile(0).opening.layout


def _scores(game: GameRecord, names: dict[Side, str]) -> tuple[str, str]:
    return f"{names[Side.LIGHT]} : {game.light_score}", f"{names[Side.DARK]} : {game.dark_score}"


def _cells(played: list[Moment], initial: Position, names: dict[Side, str]) -> Iterator[Cell]:
    """What each side did, in order, with the board as gnubg has it."""
    board = initial
    for number, moment in enumerate(played):
        entry = moment.entry
        if isinstance(entry, Turn) and all(entry.after.off(side) >= 0 for side in Side):
            yield entry.player, _turn_cell(moment, entry, board, names)
            board = entry.after
        elif isinstance(entry, Act):
            yield from _act_cells(played, number, entry, board)


def _turn_cell(moment: Moment, turn: Turn, board: Position, names: dict[Side, str]) -> str:
    dice = f"{turn.roll.high}{turn.roll.low}: "
    plain = turn.play is not None and turn.before == board
    if plain and turn.play is not None and is_result(board, turn.player, turn.roll, turn.after):
        return dice + format_play(turn.play)
    line = snowie_line(moment.match, turn.after, turn.player.opponent, names)
    return f"{dice}Illegal play ({line})"


def _act_cells(played: list[Moment], number: int, act: Act, board: Position) -> Iterator[Cell]:
    game = played[number].match.game
    following = [later.entry for later in played[number + 1 : number + 1 + LONGEST_ANSWER]]
    offered = game.cube.value if game.offer is None else game.offer.value
    match act.event:
        case Doubled(side):
            yield side, f" Doubles => {2 * game.cube.value}"
        case Beavered(side):
            yield side, f" {'Beavers' if _ends_with_take(following) else 'Doubles'} => {2 * offered}"
        case Raccooned(side):
            yield side, f" {'Raccoons' if _ends_with_take(following) else 'Doubles'} => {2 * offered}"
        case Taken(side):
            yield side, " Takes"
        case Passed(side):
            yield side, " Drops"
        case Rolled(side, roll) if is_left(played, number):
            if len(results(board, side, roll)[0]) > 1:
                yield side, f"{roll.high}{roll.low}: {UNPLAYED}"


def _ends_with_take(following: list[Turn | Act | None]) -> bool:
    """Whether the offers end with a take.

    A beaver that is not taken is called a double, because gnubg waits for the take beyond the game's end and
    passes over the plays that come before it.
    """
    answers = [entry.event for entry in following if isinstance(entry, Act)]
    last = next((event for event in answers if not isinstance(event, Raccooned)), None)
    return isinstance(last, Taken)


def _rows(cells: Iterator[Cell], game: GameRecord) -> Iterator[str]:
    """The numbered rows and the result; a side that acts again leaves the other column empty."""
    row: dict[Side, str] = {}
    number = 1
    for side, text in cells:
        if side in row or Side.DARK in row:
            yield _number_row(number, row)
            number, row = number + 1, {}
        row[side] = text
    wins = "" if game.result is None else _wins(game.result.points)
    dark_won = game.result is not None and game.result.winner is Side.DARK
    if dark_won and _lone_word(row):
        row[Side.DARK], wins = wins, ""
    if row:
        yield _number_row(number, row)
    if wins:
        yield _row(" " * 5, *(("", wins) if dark_won else (wins, "")))


def _wins(points: int) -> str:
    return f"Wins {points} point{'s' if points > 1 else ''}"


def _number_row(number: int, row: dict[Side, str]) -> str:
    """A row; after a lone word in the left column blanks must follow, or gnubg reads the last right one again."""
    text = _row(f"{number:3d}) ", row.get(Side.LIGHT, ""), row.get(Side.DARK, ""))
    return text.ljust(LEFT_WIDTH + len(GAP) + 5) if _lone_word(row) else text


def _lone_word(row: dict[Side, str]) -> bool:
    """Whether a row holds an act of light and nothing else."""
    return Side.DARK not in row and row.get(Side.LIGHT, "").startswith(" ")


def _row(head: str, left: str, right: str) -> str:
    return f"{head}{left:<{LEFT_WIDTH}}{GAP}{right}".rstrip()
