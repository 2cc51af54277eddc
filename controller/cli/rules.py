"""``pointsman plays``, ``pointsman judge`` and ``pointsman profiles``; each loads only the rules that it needs."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import STANDARD_NAME, Language, Lines, ProfileName, file_name, read_lines
from controller.cli.output import put
from controller.errors import UserError
from controller.rules import MovementRules
from controller.rules.moves.movement import STANDARD


def plays(file: Lines = Path("-"), profile: ProfileName = STANDARD_NAME) -> None:
    """List the complete legal plays of positions, one JSON object a line."""
    from controller.rules.forms.jsonlines import plays_line

    movement = _movement(profile)
    _answer(file, lambda line: plays_line(line, movement))


def judge(file: Lines = Path("-"), profile: ProfileName = STANDARD_NAME) -> None:
    """Judge whether plays are legal, and if not, say which rules they break; one JSON object a line."""
    from controller.messages.game_words import reason_words
    from controller.rules.forms.jsonlines import judge_line

    movement = _movement(profile)
    _answer(file, lambda line: judge_line(line, reason_words, movement))


def profiles(context: typer.Context, language: Language = "en") -> None:
    """List the rule profiles that ship with the product."""
    from controller.messages.profile_words import list_profiles
    from controller.rules.profile.catalogue import load_profile, profile_names

    context.default_map = {"show": {"language": language}}
    if context.invoked_subcommand is None:
        put(list_profiles([load_profile(name) for name in profile_names()], language))


def show_profile(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A name that `pointsman profiles` lists, or a profile file.")
    ],
    language: Language = "en",
) -> None:
    """Explain a rule profile in words, what sets it apart from the standard first."""
    from controller.messages.profile_words import describe
    from controller.rules.profile.catalogue import load_profile

    put(describe(load_profile(name), language))


def _movement(profile: str) -> MovementRules:
    """How checkers move under a profile; the standard one need not be read to know that."""
    if profile == STANDARD_NAME:
        return STANDARD
    from controller.rules.profile.catalogue import load_profile

    return load_profile(profile).movement


def _answer(file: Path, answer: Callable[[str], str]) -> None:
    for number, line in enumerate(read_lines(file), start=1):
        try:
            text = line.decode()
            if text.strip():
                sys.stdout.write(answer(text) + "\n")
        except UnicodeDecodeError as error:
            why = f"{file_name(file)} cannot be read ({error}); give a text file of JSON lines."
            raise UserError(why) from None
        except UserError as error:
            raise UserError(f"{file_name(file)}, line {number}: {error}") from None
