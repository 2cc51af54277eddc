"""``pointsman dice``: are the dice of a journal fair?"""

from pathlib import Path
from typing import Annotated

import typer

from controller.analysis.fairness import ENOUGH, Audit, audit, chart
from controller.analysis.statistics import rolls_of
from controller.cli.matches import find_journal
from controller.cli.options import JournalPlace
from controller.cli.output import put
from controller.record.journal.journal import Journal
from controller.record.match.match_log import read_match


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
    with Journal(path, read_only=True) as opened:
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
