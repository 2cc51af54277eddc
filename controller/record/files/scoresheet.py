"""A match as a score sheet to print: one HTML page without anything from outside."""

from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import Final

from controller.messages.game_words import offence_words
from controller.record.files.limits import notes
from controller.record.files.text import act_line, facts_lines, form, player, result_line
from controller.record.match.entries import Act, Turn
from controller.record.match.match import MatchRecord
from controller.record.match.names import one_line
from controller.record.match.playthrough import Moment, moments
from controller.rules.game.events import Event
from controller.rules.position import Side

_STYLE: Final = """
body { font: 11pt/1.35 sans-serif; margin: 1.5em auto; max-width: 46em; color: #111; background: #fff; }
h1 { font-size: 1.5em; margin: 0 0 .2em; }
h2 { font-size: 1.1em; margin: 1.6em 0 .3em; break-after: avoid; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .15em .6em .15em 0; border-bottom: 1px solid #ccc; }
td.n { width: 2em; color: #666; text-align: right; }
td.m { width: 46%; }
.illegal { font-weight: bold; border-left: 3px solid #111; padding-left: .4em; }
.why { font-weight: normal; font-size: .85em; display: block; }
.act { font-style: italic; }
.result { font-weight: bold; margin: .4em 0 0; }
.notes { font-size: .85em; color: #333; }
.sign { margin-top: 3em; display: flex; gap: 2em; break-inside: avoid; }
.sign span { flex: 1; border-top: 1px solid #111; padding-top: .2em; font-size: .85em; }
tr { break-inside: avoid; }
@page { margin: 15mm; }
"""


def scoresheet(match: MatchRecord) -> str:
    """The page; every text of the record is escaped."""
    played = list(moments(match))
    names = " - ".join(player(match, side) for side in Side)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f"<title>{_shown(names)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{_shown(names)}</h1>",
        f"<p>{'<br>'.join(map(_shown, [form(match), *facts_lines(match)]))}</p>",
        *_scores(match),
    ]
    for number, of_game in groupby(played, key=lambda moment: moment.game):
        parts += _game(match, number, list(of_game))
    remarks = [_shown(note) for note in notes(match, played)]
    if remarks:
        parts.append(f'<h2>Notes</h2><ul class="notes"><li>{"</li><li>".join(remarks)}</li></ul>')
    signs = "".join(
        f"<span>{_shown(who)}</span>" for who in (*(player(match, side) for side in Side), "Director")
    )
    parts.append(f'<div class="sign">{signs}</div></body></html>')
    return "\n".join(parts) + "\n"


def _scores(match: MatchRecord) -> Iterator[str]:
    """A table of the games and the score after each."""
    light, dark = (_shown(player(match, side)) for side in Side)
    yield f"<table><tr><th>Game</th><th>{light}</th><th>{dark}</th><th>Result</th></tr>"
    for number, game in enumerate(match.games, start=1):
        won = {game.result.winner: game.result.points} if game.result else {}
        after = [game.score(side) + won.get(side, 0) for side in Side]
        result = _shown(result_line(match, game))
        yield f"<tr><td>{number}</td><td>{after[0]}</td><td>{after[1]}</td><td>{result}</td></tr>"
    yield "</table>"


def _game(match: MatchRecord, number: int, played: list[Moment]) -> Iterator[str]:
    game = match.games[number]
    light, dark = (_shown(player(match, side)) for side in Side)
    yield f"<h2>Game {number + 1}: {light} {game.light_score}, {dark} {game.dark_score}</h2>"
    yield f'<table><tr><th></th><th class="m">{light} (light)</th><th class="m">{dark} (dark)</th></tr>'
    yield from _rows(played)
    yield f'</table><p class="result">{_shown(result_line(match, game))}</p>'


def _rows(played: list[Moment]) -> Iterator[str]:
    """A row for each pair of turns, and for what happened between them."""
    row: dict[Side, str] = {}
    number = 1
    for moment in played:
        entry = moment.entry
        if isinstance(entry, Turn):
            if entry.player in row or Side.DARK in row:
                yield _row(str(number), row)
                number, row = number + 1, {}
            row[entry.player] = _turn(entry)
        elif isinstance(entry, Act):
            if row:
                yield _row(str(number), row)
                number, row = number + 1, {}
            yield _row(
                "", {_side(entry.event): f'<span class="act">{_shown(act_line(entry.event, moment))}</span>'}
            )
    if row:
        yield _row(str(number), row)


def _side(event: Event) -> Side:
    return getattr(event, "side", Side.LIGHT)


def _row(number: str, row: dict[Side, str]) -> str:
    cells = "".join(f'<td class="m">{row.get(side, "")}</td>' for side in Side)
    return f'<tr><td class="n">{number}</td>{cells}</tr>'


def _turn(turn: Turn) -> str:
    text = _shown(f"{turn.roll}: {turn.text}")
    if turn.legal:
        return text
    why = " ".join(offence_words(turn.reasons))
    return f'<div class="illegal">{text} (illegal)<span class="why">{_shown(why)}</span></div>'


def _shown(text: str) -> str:
    return escape(one_line(text))
