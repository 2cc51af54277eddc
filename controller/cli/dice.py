"""``pointsman dice``: are the dice of a journal fair?"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.journals import JournalFile
from controller.devices.dice.audit import ENOUGH, Audit, audit, chart
from controller.record.journal.journal import Journal
from controller.record.match.entries import Turn
from controller.record.match.history import GameHistory, read_history


def add_to(app: typer.Typer) -> None:
    """Add the commands around dice."""
    dice_app = typer.Typer(no_args_is_help=True, help="Look after dice.")
    dice_app.command("audit")(audit_dice)
    app.add_typer(dice_app, name="dice")


def audit_dice(
    journal: JournalFile,
    match: Annotated[str | None, typer.Option(help="One match of the journal; else all of them.")] = None,
) -> None:
    """Test whether the dice of a journal are fair: how often each face and pair came, and their order."""
    sys.stdout.write(_report(audit(_rolls(journal, match))) + "\n")


def _rolls(path: Path, match: str | None) -> list[tuple[int, int]]:
    with Journal(path, read_only=True) as opened:
        names = opened.matches() if match is None else (match,)
        return [
            roll for name in names for game in read_history(opened, name).games for roll in _rolls_of(game)
        ]


def _rolls_of(game: GameHistory) -> list[tuple[int, int]]:
    """Each ply's roll once; the opening roll is left out, because a double is never one."""
    rolls = {each.entry.ply: each.entry.roll.dice for each in game.entries if isinstance(each.entry, Turn)}
    return [(dice[0], dice[1]) for ply, dice in sorted(rolls.items()) if ply > 0]


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
