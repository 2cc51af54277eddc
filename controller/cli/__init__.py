"""The command line: bad input is one sentence and exit 2, never a traceback."""

import sys

import typer

from controller.cli import (
    analyses,
    boards,
    config,
    corrections,
    demo,
    dice,
    disputes,
    doctor,
    exercise,
    files,
    games,
    journals,
    lights,
    referee,
    rules,
    run,
)
from controller.errors import UserError
from controller.messages.table_words import refusal_words
from controller.rules.game.refusal import RefusedError

app = typer.Typer(
    name="pointsman",
    help="A referee for real backgammon boards.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
rules.add_to(app)
referee.add_to(app)
config.add_to(app)
run.add_to(app)
doctor.add_to(app)
calibrate_app = typer.Typer(no_args_is_help=True, help="Find out what the table looks like.")
app.add_typer(calibrate_app, name="calibrate")
boards.add_to(app, calibrate_app)
lights.add_to(calibrate_app)
games.add_to(app)
demo.add_to(app)
files.add_to(app)
journals.add_to(app)
corrections.add_to(app)
disputes.add_to(app)
exercise.add_to(app)
analyses.add_to(app)
dice.add_to(app)


def main() -> None:
    """Run the command line and end the process."""
    try:
        app()
    except RefusedError as refused:
        sys.stderr.write(f"pointsman: {refusal_words(refused)}\n")
        sys.exit(2)
    except UserError as error:
        sys.stderr.write(f"pointsman: {error}\n")
        sys.exit(2)
