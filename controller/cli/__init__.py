"""The command line: bad input is one sentence and exit 2, never a traceback."""

import io
import sys
from typing import Annotated

import typer

import controller
from controller.cli.commands import CommandGroup
from controller.cli.output import complain
from controller.cli.usage import is_help, usage_sentence
from controller.errors import UserError

app = typer.Typer(
    name="pointsman",
    cls=CommandGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def pointsman(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """A referee for real backgammon boards."""
    if version:
        sys.stdout.write(f"pointsman {controller.__version__}\n")
        raise typer.Exit


def main() -> None:
    """Run the command line and end the process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = app(prog_name="pointsman", standalone_mode=False)
    except UserError as error:
        complain(str(error))
        status = 2
    except typer.TyperException as error:
        if is_help(error):
            sys.stderr.write(f"{error.message}\n")
        else:
            complain(usage_sentence(error))
        status = error.exit_code
    except typer.Abort:
        complain("stopped.")
        status = 1
    sys.exit(status or 0)
