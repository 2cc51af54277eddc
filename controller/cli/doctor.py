"""``pointsman doctor``: whether everything a match needs is there and works."""

import dataclasses
import json
import sys
from typing import Annotated

import typer

from controller.cli.options import ConfigFile
from controller.cli.output import counted, note, printable
from controller.config import load_config
from controller.doctor.examination import examine
from controller.doctor.finding import Finding, State

COLOURS = {State.OK: "green", State.WARN: "yellow", State.FAIL: "red", State.ABSENT: "bright_black"}
NAME_WIDTH = 22


def doctor(
    config: ConfigFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Test every device and condition; ends with 1 if anything that is needed fails."""
    failed = list[Finding]()
    for finding in examine(load_config(config)):
        failed += [finding] if finding.state is State.FAIL else []
        sys.stdout.write((json.dumps(dataclasses.asdict(finding)) if as_json else _line(finding)) + "\n")
        sys.stdout.flush()
    if not failed:
        return
    if not as_json:
        sys.stdout.write("\n".join(["", "What failed:", *map(_line, failed), ""]))
    note(f"{counted(len(failed), 'thing that is', 'things that are')} needed failed.")
    raise typer.Exit(1)


def _line(finding: Finding) -> str:
    state = f"{finding.state.value:<6}"
    if sys.stdout.isatty():
        state = typer.style(state, fg=COLOURS[finding.state])
    remedy = f" -> {finding.remedy}" if finding.remedy else ""
    return f"{state}  {printable(f'{finding.name:<{NAME_WIDTH}}  {finding.measured}{remedy}')}"
