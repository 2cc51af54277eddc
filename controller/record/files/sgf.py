"""A match in gnubg's own form, SGF with one game tree per game; light is white, gnubg's player 0.

The properties are those that gnubg 1.07.001 writes and reads (tried with the binary). Points are the letters
a..x for 1..24 from light's side, y is the bar and z the tray. What is no legal play of the standard rules is
the roll followed by the position that was set. What has no property of its own stands in the general comment
of the first game, one line each: `Rules: hunbg-club` and the like, then the notes of
`controller.record.files.limits`.
"""

from collections.abc import Iterator
from typing import Final

from controller.record.files.limits import notes, rule_names
from controller.record.files.match_text import one_line
from controller.record.match.entries import Act, Turn
from controller.record.match.match import GameRecord, MatchRecord
from controller.record.match.playthrough import (
    Moment,
    automatic_doubles,
    by_game,
    is_left,
    moments,
    single_moves,
)
from controller.rules.game.events import Beavered, Doubled, Passed, Raccooned, Rolled, Taken
from controller.rules.game.game import start_position
from controller.rules.game.match import Crawford, Form
from controller.rules.game.scoring import Ending
from controller.rules.moves.plays import is_result
from controller.rules.notation import BAR, OFF
from controller.rules.position import CHECKERS, Position, Side
from controller.rules.profile.profile import Layout

LETTER: Final = {Side.LIGHT: "W", Side.DARK: "B"}
BAR_LETTER, OFF_LETTER = "y", "z"
TABLE, RULES, SERIES, NO_CRAWFORD, BEAVERS, CUBE_LIMIT = (
    "Table",
    "Rules",
    "Series",
    "No Crawford",
    "Beavers",
    "Cube limit",
)
"""First words of lines in the general comment."""


def sgf_text(match: MatchRecord) -> str:
    """The whole file as text; write it as UTF-8."""
    played = list(moments(match))
    comment = [*_extra(match), *map(one_line, notes(match, played))]
    trees = [_tree(match, number, of_game, comment) for number, of_game in enumerate(by_game(played))]
    return "\n".join(trees) + "\n"


def _extra(match: MatchRecord) -> Iterator[str]:
    rules = match.profile(0)
    if one_line(match.facts.table):
        yield f"{TABLE}: {one_line(match.facts.table)}"
    if names := rule_names(match):
        yield f"{RULES}: {one_line(names)}"
    if match.terms.form is Form.SERIES:
        yield f"{SERIES}: {match.length}"
    elif match.length and not rules.match.crawford:
        yield f"{NO_CRAWFORD}: {match.length}"
    elif not match.length:
        yield f"{BEAVERS}: {'on' if rules.cube.beaver else 'off'}"
    if rules.cube.max is not None:
        yield f"{CUBE_LIMIT}: {rules.cube.max}"


def _tree(match: MatchRecord, number: int, played: list[Moment], comment: list[str]) -> str:
    root = "".join(_root(match, number, played, comment))
    return "(;" + "\n;".join([root, *_nodes(played)]) + ")"


def _root(match: MatchRecord, number: int, played: list[Moment], comment: list[str]) -> Iterator[str]:
    game, facts = match.games[number], match.facts
    yield "FF[4]GM[6]CA[UTF-8]AP[Pointsman]"
    yield f"MI[length:{match.length}][game:{number}][ws:{game.light_score}][bs:{game.dark_score}]"
    yield f"PW[{_text(match.light)}]PB[{_text(match.dark)}]"
    if facts.played_on is not None:
        yield f"DT[{facts.played_on.isoformat()}]"
    known = {"EV": facts.event, "RO": facts.round, "PC": facts.place, "AN": facts.transcriber}
    for name, value in known.items():
        if one_line(value):
            yield f"{name}[{_text(value)}]"
    if number == 0 and comment:
        yield f"GC[{chr(10).join(map(_escape, comment))}]"
    if rules := ":".join(_rules(match, number, played)):
        yield f"RU[{rules}]"
    if automatic := automatic_doubles(played):
        yield f"CV[{2**automatic}]"
    if game.result is not None:
        over = game.result.ending in (Ending.PLAYED, Ending.DROPPED) or _over(game)
        yield f"RE[{LETTER[game.result.winner]}+{game.result.points}{'' if over else 'R'}]"


def _rules(match: MatchRecord, number: int, played: list[Moment]) -> Iterator[str]:
    rules = match.profile(number)
    if not rules.cube.enabled:
        yield "NoCube"
    if rules.opening.layout is Layout.NACKGAMMON:
        yield "Nackgammon"
    if match.length and rules.match.crawford and match.terms.form is Form.MATCH:
        yield "Crawford"
        if played[0].match.crawford is Crawford.NOW:
            yield "CrawfordGame"
    if not match.length and rules.cube.jacoby:
        yield "Jacoby"


def _over(game: GameRecord) -> bool:
    """Whether the game ended on the board or by a drop, where the result itself does not say."""
    course = game.course
    dropped = bool(course) and isinstance(course[-1], Act) and isinstance(course[-1].event, Passed)
    return dropped or any(game.end.off(side) == CHECKERS for side in Side)


def _nodes(played: list[Moment]) -> Iterator[str]:
    before = played[0].match.game
    board = start_position(before.profile.opening.layout)
    if before.position != board:
        board = before.position
        yield _set(_first_player(played), board)
    for number, moment in enumerate(played):
        entry = moment.entry
        if isinstance(entry, Turn) and _fits(entry):
            if entry.before != board:
                yield _set(entry.player, entry.before)
            yield from _turn_nodes(entry)
            board = entry.after
        elif isinstance(entry, Act):
            yield from _act_nodes(played, number, entry)


def _first_player(played: list[Moment]) -> Side:
    sides = [_side(moment.entry) for moment in played]
    return next((side for side in sides if side is not None), Side.LIGHT)


def _side(entry: Turn | Act | None) -> Side | None:
    return entry.player if isinstance(entry, Turn) else getattr(entry and entry.event, "side", None)


def _fits(turn: Turn) -> bool:
    return all(board.off(side) >= 0 for board in (turn.before, turn.after) for side in Side)


def _turn_nodes(turn: Turn) -> Iterator[str]:
    letter, dice = LETTER[turn.player], f"{turn.roll.high}{turn.roll.low}"
    if turn.play is not None and is_result(turn.before, turn.player, turn.roll, turn.after):
        places = [place for move in single_moves(turn) for place in (move.source, move.target)]
        yield f"{letter}[{dice}{''.join(_place(place, turn.player) for place in places)}]"
    else:
        yield f"PL[{letter}]DI[{dice}]"
        yield _set(turn.player, turn.after)


def _place(place: int, side: Side) -> str:
    if place in (BAR, OFF):
        return BAR_LETTER if place == BAR else OFF_LETTER
    return _letter(place if side is Side.LIGHT else BAR - place)


def _letter(point: int) -> str:
    return chr(ord("a") + point - 1)


def _set(player: Side, board: Position) -> str:
    """A node that sets a position, every checker of it; ``player`` is the one who did it."""
    parts = [f"PL[{LETTER[player]}]AE[a:y]"]
    for side in Side:
        places = [_letter(point) for point in range(1, 25) for _ in range(board.checkers(side, point))]
        places += [BAR_LETTER] * board.bar(side)
        if places:
            parts.append(f"A{LETTER[side]}" + "".join(f"[{place}]" for place in places))
    return "".join(parts)


def _act_nodes(played: list[Moment], number: int, act: Act) -> Iterator[str]:
    match act.event:
        case Doubled(side) | Beavered(side) | Raccooned(side):
            yield f"{LETTER[side]}[double]"
        case Taken(side):
            yield f"{LETTER[side]}[take]"
        case Passed(side):
            yield f"{LETTER[side]}[drop]"
        case Rolled(side, roll) if is_left(played, number):
            yield f"PL[{LETTER[side]}]DI[{roll.high}{roll.low}]"


def _text(text: str) -> str:
    return _escape(one_line(text))


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
