"""``pointsman analyse``, ``pointsman statistics`` and ``pointsman dice``."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from controller.analysis import bgsage, gnubg
from controller.analysis.engine import Skill
from controller.analysis.fairness import ENOUGH, Audit, audit, chart
from controller.analysis.report import rate_text, report
from controller.analysis.statistics import DiceCounts, PlayerStatistics, dice_of, players_of, rolls_of
from controller.cli.matches import choose_match, find_journal, find_journals, open_journal
from controller.cli.options import JournalPlace, MatchId, OldJournal, Plies, need_level
from controller.cli.output import put
from controller.record import MatchRecord
from controller.record.files.match_text import header_text
from controller.record.match.match_log import read_match
from controller.rules import Side
from controller.rules.profile.keys import unknown_to_engines

if TYPE_CHECKING:
    from rich.progress import Progress

Engine = Literal["gnubg", "bgsage"]


def analyse(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[MATCH]", help="A match folder or its journal.db.", show_default="the newest match"
        ),
    ] = None,
    match: MatchId = None,
    journal: OldJournal = None,
    plies: Plies = 0,
    engine: Annotated[
        Engine, typer.Option(help="gnubg is Debian's package; bgsage comes with pip.")
    ] = "gnubg",
    worst: Annotated[int, typer.Option(metavar="NUMBER", help="How many of the worst plays to show.")] = 5,
) -> None:
    """Have an engine say how well a match was played: error rates, luck, worst plays."""
    need_level("--plies", plies)
    ask = gnubg.analyse if engine == "gnubg" else bgsage.analyse
    chosen = choose_match(source, match, journal)
    with open_journal(chosen.journal) as opened:
        record = read_match(opened, chosen.name_in(opened))
    with _progress() as bar:
        task = bar.add_task(f"{engine} analyses", total=None if engine == "bgsage" else len(record.games))
        found = ask(record, lambda done, of: bar.update(task, completed=done, total=of), plies)
    put(report(record, found, max(worst, 0)).rstrip("\n"))


def statistics(
    journals: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[JOURNAL]...",
            help="Journals, match folders, or folders of matches.",
            show_default="all matches of this table",
        ),
    ] = None,
    rates: Annotated[bool, typer.Option(help="Have GNU Backgammon find the error rates, too.")] = False,
) -> None:
    """Statistics over several journals: whether the dice were fair, how long players took and who won."""
    records: list[MatchRecord] = []
    places: Sequence[Path | None] = journals or (None,)
    for path in [found for place in places for found in find_journals(place)]:
        with open_journal(path) as opened:
            records += [read_match(opened, name) for name in opened.matches()]
    games = sum(len(record.games) for record in records)
    put(f"Matches: {len(records)}, games: {games}\n{_dice('All dice', dice_of(rolls_of(records)))}")
    skills = _skills(records) if rates else {}
    for player in players_of(records):
        put(_player(player))
        if (skill := skills.get(player.name)) is not None:
            luck = f"luck {skill.luck:+.3f} points"
            put(
                f"  error rate {rate_text(skill.rate)} mEMG, {rate_text(skill.play_rate)} without the cube, {luck}"
            )


def _progress() -> "Progress":
    from rich.console import Console  # slow to load
    from rich.progress import Progress

    return Progress(console=Console(stderr=True), transient=True)


def _skills(records: list[MatchRecord]) -> dict[str, Skill]:
    """The figures of every player that has a name, over all matches with turns whose rules the engine knows."""
    found: dict[str, Skill] = {}
    known = [
        record
        for record in records
        if any(game.turns for game in record.games)
        and not any(map(unknown_to_engines, record.terms.profiles))
    ]
    with _progress() as bar:
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
        f"  {_fairness('numbers', dice.chance)}; {_fairness('doubles', dice.doubles_chance)}"
    )


def _fairness(what: str, chance: float | None) -> str:
    if chance is None:
        return f"{what}: too few rolls to tell"
    mark = "" if chance >= 0.01 else ": SUSPICIOUS"
    return f"{what}: fair dice are at least as uneven in {100 * chance:.2g} % of cases{mark}"


def _player(player: PlayerStatistics) -> str:
    matches = (
        f"matches won {player.won} of {player.matches}" if player.matches else "no match is finished yet"
    )
    pace = "" if player.median_s is None else f", {player.median_s:.1f} s a turn (mean {player.mean_s:.1f})"
    return (
        f"\n{header_text(player.name)}: {matches}, games {player.games_won} of "
        f"{player.games}, points {player.points}; illegal plays {player.illegal} in {player.turns} turns{pace}\n"
        + _dice("  dice", player.dice)
    )


def audit_dice(
    place: JournalPlace = None,
    match: Annotated[
        str | None, typer.Option(metavar="ID", help="One match of the journal.", show_default="all of them")
    ] = None,
) -> None:
    """Test whether the dice of a journal are fair: how often each face and pair came, and their order."""
    put(_report(audit(_rolls(find_journal(place), match))))


def _rolls(path: Path, match: str | None) -> list[tuple[int, int]]:
    """The rolls of a journal in their order, one for each ply; opening rolls are left out: they are never doubles."""
    with open_journal(path) as opened:
        names = opened.matches() if match is None else (match,)
        turns = rolls_of(read_match(opened, name) for name in names)
        return [(turn.roll.dice[0], turn.roll.dice[-1]) for turn in turns]


def _report(result: Audit) -> str:
    lines = [chart(result), ""]
    for test in result.tests:
        verdict = "suspicious" if test.suspicious else "as fair dice do"
        lines.append(f"{test.name:6} statistic {test.statistic:8.2f}   p {test.p:.4f}   {verdict}")
    if not result.enough:
        lines.append(f"{result.rolls} rolls tell little: the tests want {ENOUGH} or more.")
    elif any(test.suspicious for test in result.tests):
        lines.append(
            "Fair dice do so less than once in a hundred times: look at the dice, and at more rolls."
        )
    return "\n".join(lines)
