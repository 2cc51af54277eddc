"""``pointsman config``: an example of a configuration, or whether one is right."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.output import put
from controller.config import load_config
from controller.config.sample import sample


def config(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="Configuration to check.", show_default="print an example"),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Print every key, also those that few tables need.")
    ] = False,
) -> None:
    """Print a commented configuration to begin with, or check one."""
    if file is None:
        sys.stdout.write(sample(everything=everything))
        return
    told = load_config(file)
    terms = told.terms()
    length = "" if terms.length is None else f" to {terms.length}"
    rules = ", ".join(profile.name for profile in terms.profiles)
    players = f"{told.match.light} against {told.match.dark}"
    put(f"{file} is in order: {players}, {terms.form.value}{length}, rules {rules}.")
    for name in told.ignored:
        put(
            f"{name} does nothing any more; take its line away. How careful the referee is, caution.strictness says."
        )
