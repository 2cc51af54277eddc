"""A match as a score sheet to print: one HTML page without anything from outside."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from controller.messages.catalogue import catalogue
from controller.record.files.html_page import html_page
from controller.record.files.limits import notes
from controller.record.files.transcript import (
    act_line,
    facts_lines,
    form_text,
    player_name,
    result_line,
    turn_words,
)
from controller.record.journal.seal import Seal, fingerprint
from controller.record.match.json_values import reasons_text
from controller.record.match.match import GameRecord, MatchRecord, Turn
from controller.record.match.playthrough import Moment, by_game, moments
from controller.rules import Side


@dataclass(frozen=True, slots=True)
class SheetCell:
    """What a player did: a turn, with what was wrong in `why` if it was illegal, or an `act` beside the turns."""

    text: str
    why: str | None = None
    act: bool = False


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row of a game: the number of a pair of turns, empty for an act, and the cells of light and dark."""

    number: str
    cells: tuple[SheetCell | None, SheetCell | None]


def scoresheet(match: MatchRecord, seals: Sequence[Seal] = (), language: str = "en") -> str:
    """The page; every text of the record is escaped.

    Args:
        match: what was played.
        seals: those of the table in its journal, in their order; the last one goes onto the page, with a QR code.
        language: of what is said about the seal.
    """
    from markupsafe import Markup

    played = list(moments(match))
    light, dark = (player_name(match, side) for side in Side)
    games = [
        {
            "before": [game.score(side) for side in Side],
            "after": [_score_after(game, side) for side in Side],
            "result": result_line(match, game),
            "rows": list(_rows(of_game)),
        }
        for game, of_game in zip(match.games, by_game(played), strict=True)
    ]
    return html_page(
        __package__,
        "scoresheet.html",
        title=f"{light} - {dark}",
        light=light,
        dark=dark,
        heading=[form_text(match), *facts_lines(match)],
        games=games,
        notes=notes(match, played),
        seal=seals[-1].statement if seals else None,
        square=Markup(_square(seals[-1])) if seals else "",
        key=fingerprint(bytes.fromhex(seals[-1].statement.key)) if seals else "",
        say=partial(catalogue(language).text, "seal", "sheet"),
    )


def _square(seal: Seal) -> str:
    """The whole seal as a QR code: who photographs it holds the signature."""
    import segno  # few commands need it

    return str(
        segno.make(seal.text(), error="l", micro=False).svg_inline(border=4, omitsize=True, dark="#111")
    )


def _score_after(game: GameRecord, side: Side) -> int:
    won = game.result is not None and game.result.winner is side and not game.result.is_drawn
    return game.score(side) + (game.result.points if game.result and won else 0)


def _rows(played: list[Moment]) -> Iterator[SheetRow]:
    """A row for each pair of turns, and for what happened between them."""
    row: dict[Side, SheetCell] = {}
    number = 1
    for moment in played:
        entry = moment.entry
        if row and (not isinstance(entry, Turn) or entry.player in row or Side.DARK in row):
            yield SheetRow(str(number), (row.get(Side.LIGHT), row.get(Side.DARK)))
            number, row = number + 1, {}
        if isinstance(entry, Turn):
            why = reasons_text(entry.reasons) if entry.legal is False else None
            row[entry.player] = SheetCell(f"{entry.roll}: {turn_words(entry)}", why)
        elif entry is not None:
            act = SheetCell(act_line(entry.event, moment), act=True)
            light = getattr(entry.event, "side", Side.LIGHT) is Side.LIGHT
            yield SheetRow("", (act, None) if light else (None, act))
