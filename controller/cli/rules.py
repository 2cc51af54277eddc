"""``pointsman plays`` and ``pointsman judge``."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from controller.errors import UserError
from controller.rules.jsonlines import judge_line, plays_line

Lines = Annotated[
    Path,
    typer.Argument(help="File of JSON lines, - for standard input.", show_default="standard input"),
]


def add_to(app: typer.Typer) -> None:
    """Add the commands of the rules core."""
    app.command()(plays)
    app.command()(judge)


def plays(file: Lines = Path("-")) -> None:
    """List the complete legal plays of positions, one JSON object a line."""
    _answer(file, plays_line)


def judge(file: Lines = Path("-")) -> None:
    """Judge whether a play is legal, and if not, which rules it breaks; one JSON object a line."""
    _answer(file, judge_line)


def _answer(file: Path, answer: Callable[[str], str]) -> None:
    name = "standard input" if str(file) == "-" else str(file)
    for number, line in enumerate(_lines(file), start=1):
        if not line.strip():
            continue
        try:
            sys.stdout.write(answer(line) + "\n")
        except UserError as error:
            sys.stdout.flush()
            raise UserError(f"{name}, line {number}: {error}") from None


def _lines(file: Path) -> Iterator[str]:
    if str(file) == "-":
        yield from sys.stdin
        return
    try:
        with file.open(encoding="utf-8") as lines:
            yield from lines
    except FileNotFoundError:
        raise UserError(f"{file}: there is no such file; check the path.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file} cannot be read ({error}); give a text file of JSON lines.") from None
