"""``pointsman doctor``: whether everything a match needs is there and works."""

import dataclasses
import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.config import load_config
from controller.doctor.examination import examine
from controller.doctor.finding import Finding, State

COLOURS = {State.OK: "green", State.WARN: "yellow", State.FAIL: "red", State.ABSENT: "bright_black"}
NAME_WIDTH = 22


def doctor(
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Configuration to test by.", show_default="pointsman.toml in this folder"
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Test every device and condition; ends with 1 if anything that is needed fails."""
    known = load_config(config)
    failed = 0
    for finding in examine(known):
        failed += finding.state is State.FAIL
        sys.stdout.write((json.dumps(dataclasses.asdict(finding)) if as_json else _line(finding)) + "\n")
        sys.stdout.flush()
    if failed:
        sys.stderr.write(f"{failed} {'thing that is' if failed == 1 else 'things that are'} needed failed.\n")
        raise typer.Exit(1)


def _line(finding: Finding) -> str:
    state = f"{finding.state.value:<6}"
    if sys.stdout.isatty():
        state = typer.style(state, fg=COLOURS[finding.state])
    remedy = f" -> {finding.remedy}" if finding.remedy else ""
    return f"{state}  {finding.name:<{NAME_WIDTH}}  {finding.measured}{remedy}"
