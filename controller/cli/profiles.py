"""``pointsman profiles``."""

from typing import Annotated

import typer

from controller.cli.options import Language
from controller.cli.output import put
from controller.messages.profile_words import describe, list_profiles
from controller.rules.profile.catalogue import load_profile, profile_names


def profiles(context: typer.Context, language: Language = "en") -> None:
    """List the rule profiles that ship with the product."""
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
    put(describe(load_profile(name), language))
