"""``pointsman analyse`` and ``pointsman statistics``."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.progress import Progress

from controller.analysis import bgsage, gnubg
from controller.analysis.engine import Skill
from controller.analysis.report import rate_text, report
from controller.analysis.statistics import DiceCounts, PlayerStatistics, dice_of, players_of, rolls_of
from controller.cli.corrections import JOURNAL, InJournal, MatchName
from controller.errors import UserError
from controller.record.files.match_text import header_text
from controller.record.journal.journal import Journal
from controller.record.match.match import MatchRecord
from controller.record.match.match_log import read_match
from controller.rules.position import Side
from controller.rules.profile.keys import unknown_to_engines

DEEPEST = 3
Engine = Literal["gnubg", "bgsage"]


def add_to(app: typer.Typer) -> None:
    """Add the commands that look back on matches."""
    app.command()(analyse)
    app.command()(statistics)


def analyse(
    match: MatchName,
    journal: InJournal = JOURNAL,
    plies: Annotated[int, typer.Option(help="How far the engine looks ahead, 0 to 3.")] = 0,
    engine: Annotated[
        Engine, typer.Option(help="gnubg is Debian's package; bgsage comes with pip.")
    ] = "gnubg",
    worst: Annotated[int, typer.Option(help="How many of the worst plays to show.")] = 5,
) -> None:
    """Have an engine say how well a match was played: error rates, luck, worst plays."""
    if not 0 <= plies <= DEEPEST:
        raise UserError(f"--plies {plies} is not possible; give 0 to {DEEPEST}.")
    ask = gnubg.analyse if engine == "gnubg" else bgsage.analyse
    with Journal(journal, read_only=True) as opened:
        record = read_match(opened, match)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"{engine} analyses", total=None if engine == "bgsage" else len(record.games))
        found = ask(record, lambda done, of: bar.update(task, completed=done, total=of), plies)
    sys.stdout.write(report(record, found, max(worst, 0)))


def statistics(
    journals: Annotated[list[Path], typer.Argument(metavar="JOURNAL...", help="Journals of any tables.")],
    rates: Annotated[bool, typer.Option(help="Have GNU Backgammon find the error rates, too.")] = False,
) -> None:
    """Say over all matches of some journals whether the dice were fair, how long players took and who won."""
    records: list[MatchRecord] = []
    for path in journals:
        with Journal(path, read_only=True) as opened:
            records += [read_match(opened, name) for name in opened.matches()]
    games = sum(len(record.games) for record in records)
    sys.stdout.write(
        f"Matches: {len(records)}, games: {games}\n{_dice('All dice', dice_of(rolls_of(records)))}"
    )
    skills = _skills(records) if rates else {}
    for player in players_of(records):
        sys.stdout.write(_player(player))
        if (skill := skills.get(player.name)) is not None:
            luck = f"luck {skill.luck:+.3f} points"
            sys.stdout.write(
                f"  error rate {rate_text(skill.rate)} mEMG, {rate_text(skill.play_rate)} without the cube, {luck}\n"
            )


def _skills(records: list[MatchRecord]) -> dict[str, Skill]:
    """The figures of every player that has a name, over all matches with turns whose rules the engine knows."""
    found: dict[str, Skill] = {}
    known = [
        record
        for record in records
        if any(game.turns for game in record.games)
        and not any(map(unknown_to_engines, record.terms.profiles))
    ]
    with Progress(console=Console(stderr=True), transient=True) as bar:
        for record in bar.track(known, description="gnubg analyses"):
            analysis = gnubg.analyse(record, lambda _done, _of: None)
            for side, skill in ((Side.LIGHT, analysis.light), (Side.DARK, analysis.dark)):
                name = record.name(side)
                if name:
                    found[name] = found[name] + skill if name in found else skill
    return found


def _dice(name: str, dice: DiceCounts) -> str:
    counts = "  ".join(f"{number}: {count}" for number, count in enumerate(dice.counts, start=1))
    return (
        f"{name}: {counts}; doubles {dice.doubles} of {dice.rolls}\n"
        f"  {_fairness('numbers', dice.chance)}; {_fairness('doubles', dice.doubles_chance)}\n"
    )


def _fairness(what: str, chance: float | None) -> str:
    if chance is None:
        return f"{what}: too few rolls to tell"
    mark = "" if chance >= 0.01 else ", MIND"
    return f"{what}: fair dice are at least as uneven in {100 * chance:.2g} % of cases{mark}"


def _player(player: PlayerStatistics) -> str:
    pace = "" if player.median_s is None else f", {player.median_s:.1f} s a turn (mean {player.mean_s:.1f})"
    return (
        f"\n{header_text(player.name)}: matches won {player.won} of {player.matches}, games {player.games_won} of "
        f"{player.games}, points {player.points}; illegal plays {player.illegal} in {player.turns} turns{pace}\n"
        + _dice("  dice", player.dice)
    )
