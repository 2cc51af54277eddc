"""``pointsman plays``, ``pointsman judge`` and ``pointsman profiles``."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from controller.errors import UserError
from controller.messages.game_words import reason_words
from controller.messages.profile_words import describe, list_profiles
from controller.rules.forms.jsonlines import judge_line, plays_line
from controller.rules.profile.catalogue import load_profile, profile_names

Lines = Annotated[
    Path,
    typer.Argument(help="File of JSON lines, - for standard input.", show_default="standard input"),
]

ProfileName = Annotated[str, typer.Option(help="Rule profile: a name from `pointsman profiles` or a file.")]
Language = Annotated[str, typer.Option(help="Language of the texts: en, hu, et or sk.")]
STANDARD_NAME = "standard-match"


def add_to(app: typer.Typer) -> None:
    """Add the commands of the rules core."""
    app.command()(plays)
    app.command()(judge)
    profiles_app = typer.Typer(invoke_without_command=True, help="List or explain the rule profiles.")
    profiles_app.callback()(profiles)
    profiles_app.command("show")(show_profile)
    app.add_typer(profiles_app, name="profiles")


def plays(file: Lines = Path("-"), profile: ProfileName = STANDARD_NAME) -> None:
    """List the complete legal plays of positions, one JSON object a line."""
    movement = load_profile(profile).movement
    _answer(file, lambda line: plays_line(line, movement))


def judge(file: Lines = Path("-"), profile: ProfileName = STANDARD_NAME) -> None:
    """Judge whether a play is legal, and if not, which rules it breaks; one JSON object a line."""
    movement = load_profile(profile).movement
    _answer(file, lambda line: judge_line(line, reason_words, movement))


def profiles(context: typer.Context, language: Language = "en") -> None:
    """List the rule profiles that ship with the product."""
    if context.invoked_subcommand is None:
        shipped = [load_profile(name) for name in profile_names()]
        sys.stdout.write(list_profiles(shipped, language) + "\n")


def show_profile(
    name: Annotated[str, typer.Argument(help="Name of a profile, or the path of a profile file.")],
    language: Language = "en",
) -> None:
    """Explain a rule profile in words, what sets it apart from the standard first."""
    sys.stdout.write(describe(load_profile(name), language) + "\n")


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
