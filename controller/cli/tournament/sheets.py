"""``pointsman tournament formats``, ``show``, ``standings``, ``ratings``, ``prizes`` and ``export``."""

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from controller.cli.options import Language
from controller.cli.output import put, write_text
from controller.cli.tournament.log import TournamentPlace, read_log
from controller.errors import UserError
from controller.tournament.catalogue import format_names, load_format
from controller.tournament.changes import find_player
from controller.tournament.match import Bracket
from controller.tournament.prizes import event_pot, with_shares
from controller.tournament.sheets.data import tournament_csv, tournament_json
from controller.tournament.sheets.drawing import bracket_svg
from controller.tournament.sheets.lines import (
    entries_lines,
    log_lines,
    overview,
    prizes_lines,
    ratings_lines,
    standings_lines,
)
from controller.tournament.sheets.page import tournament_html

AMOUNT: Final = re.compile(r"(\d{1,9})(?:\.(\d{1,2}))?")
SHARE: Final = re.compile(r"\d{1,3}(\.\d{1,3})?")


class SheetFormat(StrEnum):
    """What a tournament can be exported as."""

    CSV = "csv"
    JSON = "json"
    HTML = "html"
    SVG = "svg"


class SheetTable(StrEnum):
    """Which table a CSV file holds."""

    STANDINGS = "standings"
    MATCHES = "matches"
    RATINGS = "ratings"
    PLAYERS = "players"


def formats() -> None:
    """List the formats that come with Pointsman."""
    names = format_names()
    width = max(map(len, names))
    put("\n".join(f"{name:<{width}}  {load_format(name).title}" for name in names))


def show(
    file: TournamentPlace,
    everything: Annotated[bool, typer.Option("--all", help="Show every match.")] = False,
    players: Annotated[bool, typer.Option("--players", help="Show who entered.")] = False,
    log: Annotated[bool, typer.Option("--log", help="Show every event with its number.")] = False,
    language: Language = "en",
) -> None:
    """Show what is played now."""
    found = read_log(file)
    tournament = found.tournament()
    if log:
        times = [str(each.get("utc", ""))[:16] for each in found.file.records]
        put(log_lines(tournament, found.events, times, language))
    elif players:
        put(entries_lines(tournament, language))
    else:
        put(overview(tournament, language, everything=everything))


def standings(file: TournamentPlace, language: Language = "en") -> None:
    """Show who stands where, with the working of each tie-break."""
    put(standings_lines(read_log(file).tournament(), language))


def ratings(file: TournamentPlace, language: Language = "en") -> None:
    """Show everybody's rating before and after."""
    put(ratings_lines(read_log(file).tournament(), language))


def prizes(
    file: TournamentPlace,
    pot: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT",
            help="Everything there is to give, such as 640.",
            show_default="what the players and the format add",
        ),
    ] = None,
    shares: Annotated[
        str | None,
        typer.Option(
            metavar="PERCENT",
            help="For the first place, the second, and so on: 50,30,20.",
            show_default="the format's",
        ),
    ] = None,
    among: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER", help="A side pool: only these players are in it; give each by itself."
        ),
    ] = None,
    language: Language = "en",
) -> None:
    """Show what each place gets of the pot, to the cent. Who shares a place shares its prizes."""
    tournament = read_log(file).tournament()
    if shares is not None:
        tournament = with_shares(tournament, tuple(map(percent, shares.split(","))))
    pool = {find_player(tournament, each).number for each in among or ()}
    if pool and pot is None:
        raise UserError("a side pool has a pot of its own; give it with --pot.")
    given = event_pot(tournament) if pot is None else cents("--pot", pot)
    if pot is None and not given:
        raise UserError("the format of this tournament tells of no pot; give it with --pot.")
    put(prizes_lines(tournament, given, language, pool=pool))


def cents(option: str, text: str) -> int:
    """Hundredths of an amount such as 640 or 640.50. Raises UserError naming the option."""
    found = AMOUNT.fullmatch(text.strip())
    if found is None:
        raise UserError(f"{option} {text} is no amount; give one such as 640 or 640.50.")
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))


def percent(text: str) -> float:
    """A share of the pot. Raises UserError."""
    if SHARE.fullmatch(text.strip()) is None:
        raise UserError(f"--shares: {text.strip()!r} is no share; give percents such as 50,30,20.")
    return float(text)


def export(
    file: TournamentPlace,
    form: Annotated[
        SheetFormat,
        typer.Option(
            "--format",
            metavar="csv|json|html|svg",
            help="A table, everything for programs, a page to show or print, or the bracket on A3.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file to write.")],
    table: Annotated[
        SheetTable,
        typer.Option(metavar="standings|matches|ratings|players", help="Which table, with csv."),
    ] = SheetTable.STANDINGS,
    bracket: Annotated[
        Bracket | None,
        typer.Option(
            metavar="main|knockout|consolation|last_chance",
            help="Which bracket, with svg.",
            show_default="the first",
        ),
    ] = None,
    language: Language = "en",
) -> None:
    """Write a tournament for people or for other programs."""
    tournament = read_log(file).tournament()
    if form is SheetFormat.CSV:
        text = tournament_csv(tournament, table, language)
    elif form is SheetFormat.JSON:
        text = tournament_json(tournament)
    elif form is SheetFormat.HTML:
        text = tournament_html(tournament, language)
    else:
        text = bracket_svg(tournament, language, bracket)
    write_text(out, text, (file,))
    put(f"{out}: {tournament.name}")
