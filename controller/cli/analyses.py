"""``pointsman analyse``, ``pointsman statistics`` and ``pointsman dice``."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from controller.analysis import bgsage, gnubg
from controller.analysis.answers import Answers, answers_path
from controller.analysis.engine import Analysis, Skill
from controller.analysis.fairness import ENOUGH, SUSPICIOUS, Audit, audit, chart
from controller.analysis.overview import gather_statistics, statistics_html, statistics_text
from controller.analysis.page import analysis_html
from controller.analysis.quiz import Quiz, items_of
from controller.analysis.report import report
from controller.analysis.statistics import rolls_of
from controller.cli.matches import (
    ChosenMatch,
    choose_match,
    find_journal,
    find_journals,
    read_all,
    read_chosen,
)
from controller.cli.options import Collection, Encoding, Language, MatchId, MatchPlace, need_level
from controller.cli.output import note, put, write_text
from controller.errors import UserError
from controller.messages.catalogue import catalogue
from controller.record import MatchRecord
from controller.record.files.match_text import one_line
from controller.record.table.destination import refuse_loss
from controller.rules import Side
from controller.rules.profile.keys import unknown_to_engines

if TYPE_CHECKING:
    from rich.progress import Progress

Engine = Literal["gnubg", "bgsage"]
PAGE_WORST: Final = 20
"""This many of the worst mistakes are on a page at least: it has the room."""


def analyse(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[MATCH]",
            help="A match folder, its journal.db, or a match file of any form.",
            show_default="the newest match",
        ),
    ] = None,
    match: MatchId = None,
    encoding: Encoding = None,
    plies: Annotated[
        int | None,
        typer.Option(
            metavar="0..3",
            help="How far the engine looks ahead.",
            show_default="2 if that takes under a minute, else 0",
        ),
    ] = None,
    engine: Annotated[
        Engine, typer.Option(help="gnubg is Debian's package; bgsage comes with pip.")
    ] = "gnubg",
    worst: Annotated[int, typer.Option(metavar="NUMBER", help="How many of the worst mistakes to show.")] = 5,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page with boards and curves, too.")
    ] = None,
    quiz: Annotated[
        bool, typer.Option("--quiz", help="Make exercises of the blunders, for `pointsman quiz`.")
    ] = False,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Whose blunders: a name, light or dark.", show_default="both players'"
        ),
    ] = None,
    collection: Collection = None,
    language: Language = "en",
) -> None:
    """Have an engine say how well a match was played: PR, error rates, luck, mistakes.

    It may be stopped at any time; the same command then goes on where it was.
    """
    if plies is not None:
        need_level("--plies", plies)
    catalogue(language)
    chosen = choose_match(source, match)
    record = read_chosen(chosen, encoding)
    only = None if player is None else _side_of(record, player)
    if quiz:
        # A file that cannot be read is told before an engine has worked on the match.
        Quiz.load(collection)
    if html is not None:
        refuse_loss(html, (chosen.journal,))
    if html is not None and not html.parent.is_dir():
        raise UserError(f"--html {html}: there is no folder {html.parent}; make it first.")
    found = _analyse(record, engine, plies)
    put(report(record, found, max(worst, 0), language).rstrip("\n"))
    if html is not None:
        write_text(html, analysis_html(record, found, max(worst, PAGE_WORST), language), (chosen.journal,))
    if quiz:
        with Quiz.changing(collection) as kept:
            new = kept.add(items_of(record, found, datetime.now(UTC), only))
        put("\n" + catalogue(language).text("quiz", "added", count=new, all=len(kept.items)))


def _analyse(record: MatchRecord, engine: Engine, plies: int | None) -> Analysis:
    """Ask an engine, with a bar on standard error that shows how far it is."""
    with Answers(answers_path()) as answers, _progress() as bar:
        task = bar.add_task(f"{engine} analyses", total=None)

        def tell(done: int, of: int) -> None:
            bar.update(task, completed=done, total=of)

        if engine == "bgsage":
            return bgsage.analyse(record, tell, plies)
        try:
            return gnubg.analyse(record, tell, plies, answers)
        except KeyboardInterrupt:
            if answers.kept:
                note("What was judged so far is kept; the same command goes on from there.")
            raise


def _side_of(record: MatchRecord, player: str) -> Side:
    """Which side a player is. Raises UserError if neither."""
    names = {side: {str(side), record.name(side).casefold()} for side in Side}
    found = [side for side, called in names.items() if player.casefold() in called]
    if len(found) != 1:
        both = " and ".join(one_line(record.name(side)) or str(side) for side in Side)
        raise UserError(f"--player {player}: the players are {both}; give one of the names, light or dark.")
    return found[0]


def statistics(
    journals: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[MATCH]...",
            help="Journals, match folders, folders of matches, or match files of any form.",
            show_default="all matches of this table",
        ),
    ] = None,
    rates: Annotated[bool, typer.Option(help="Have GNU Backgammon find PR and luck, too.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with charts, too.")] = None,
    encoding: Encoding = None,
    language: Language = "en",
) -> None:
    """Statistics over several matches: whether the dice were fair, how long players took and who won."""
    catalogue(language)
    records: list[MatchRecord] = []
    places: Sequence[Path | None] = journals or (None,)
    for path in [found for place in places for found in find_journals(place)]:
        records += read_all(path, encoding)
    found = gather_statistics(records, _skills(records) if rates else {})
    put(statistics_text(found, language).rstrip("\n"))
    if html is not None:
        write_text(html, statistics_html(found, language))


def _progress() -> "Progress":
    from rich.console import Console  # slow to load
    from rich.progress import Progress

    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


def _skills(records: list[MatchRecord]) -> dict[str, Skill]:
    """The figures of every player that has a name, over all matches with turns whose rules the engine knows."""
    found: dict[str, Skill] = {}
    known = [
        record
        for record in records
        if any(game.turns for game in record.games)
        and not any(map(unknown_to_engines, record.terms.profiles))
    ]
    with Answers(answers_path()) as answers, _progress() as bar:
        for record in bar.track(known, description="gnubg analyses"):
            analysis = gnubg.analyse(record, lambda _done, _of: None, answers=answers)
            for side in Side:
                name, skill = record.name(side), analysis.skill(side)
                if name:
                    found[name] = found[name] + skill if name in found else skill
    return found


def audit_dice(
    place: MatchPlace = None,
    match: Annotated[
        str | None, typer.Option(metavar="ID", help="One match of the journal.", show_default="all of them")
    ] = None,
) -> None:
    """Test whether the dice of a match are fair: how often each face and pair came, and their order."""
    put(_report(audit(_rolls(find_journal(place), match))))


def _rolls(path: Path, match: str | None) -> list[tuple[int, int]]:
    """The rolls of a journal or a match file in their order, one for each ply, but for opening rolls.

    Those are left out because they are never doubles.
    """
    records = read_all(path) if match is None else [read_chosen(ChosenMatch(path, match))]
    return [(turn.roll.dice[0], turn.roll.dice[-1]) for turn in rolls_of(records)]


def _report(result: Audit) -> str:
    lines = [chart(result), ""]
    for test in result.tests:
        verdict = "suspicious" if test.suspicious else "as fair dice do"
        lines.append(f"{test.name:6} statistic {test.statistic:8.2f}   p {test.p:.4f}   {verdict}")
    if result.p is None:
        lines.append(f"{result.rolls} rolls tell little: the tests want {ENOUGH} or more.")
    elif result.p < SUSPICIOUS:
        lines.append(
            f"All tests as one: p {result.p:.4f}. "
            "Fair dice do so less than once in a hundred times: look at the dice, and at more rolls."
        )
    else:
        lines.append(f"All tests as one: p {result.p:.4f}, as fair dice do.")
    return "\n".join(lines)
