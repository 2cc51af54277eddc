"""Which games of the family other programs know, by what name, and from what start: what a match file has to mind.

GNU Backgammon 1.07 plays backgammon, nackgammon and hypergammon; its `.mat` files call them `NackGammon` and
`HyperGammon (3)`, its SGF files `Nackgammon` and `Hypergammon3` (tried with the binary). eXtreme Gammon and OGXM
name longgammon as well. Portes and tavla begin and move as backgammon does, so that programs show them whole. Nobody
else knows the other games.
"""

from collections.abc import Mapping
from typing import Final

from controller.record.match.match import MatchRecord
from controller.rules import START, MovementRules, Position, Profile, first_position, load_profile
from controller.rules.moves.movement import STANDARD, STANDARD_FAMILY, Variant
from controller.rules.profile.catalogue import profile_names
from controller.rules.profile.profile import Layout

VARIATIONS: Final[Mapping[Layout, str]] = {
    Layout.BACKGAMMON: "Backgammon",
    Layout.NACKGAMMON: "NackGammon",
    Layout.HYPERGAMMON: "HyperGammon (3)",
    Layout.LONGGAMMON: "LongGammon",
}
"""The names that `.mat` files have for the start positions of the games that programs know."""
STARTS_OF_GNUBG: Final = frozenset({Layout.BACKGAMMON, Layout.NACKGAMMON, Layout.HYPERGAMMON})


def is_foreign(profile: Profile) -> bool:
    """Whether no backgammon program can read a game by these rules."""
    return profile.movement.variant not in STANDARD_FAMILY


def foreign_games(match: MatchRecord) -> tuple[str, ...]:
    """The games of a match that no backgammon program knows, each once; none for most matches."""
    games = (profile.movement.variant for profile in match.terms.profiles if is_foreign(profile))
    return tuple(dict.fromkeys(map(game_name, games)))


def game_name(variant: Variant) -> str:
    """What a game is called in English."""
    return str(variant).replace("_", "-" if variant is Variant.ACEY_DEUCEY else " ")


def foreign_words(match: MatchRecord) -> str:
    """One sentence that no program knows the games of a match; empty if programs know them."""
    games = " and ".join(foreign_games(match))
    return (
        f"No other program knows {games}: what opens this file elsewhere takes it for backgammon."
        if games
        else ""
    )


def reading_rules(profile: Profile) -> MovementRules:
    """The rules by which a program reads the plays of a game: backgammon's, or those of a game that only we know."""
    return profile.movement if is_foreign(profile) else STANDARD


def variation(profile: Profile) -> str:
    """What the header of a `.mat` file calls the game."""
    if is_foreign(profile):
        return game_name(profile.movement.variant).capitalize()
    return VARIATIONS[profile.opening.layout]


def game_profile(name: str) -> Profile | None:
    """The rules that ship with the product of a game that only we know, by its name in a file; None of any other."""
    profile = name.casefold().replace(" ", "-")
    if profile not in profile_names():
        return None
    found = load_profile(profile)
    return found if is_foreign(found) else None


def gnubg_start(profile: Profile) -> Position:
    """The position that GNU Backgammon begins with; a game from another one must be set there."""
    known = is_foreign(profile) or profile.opening.layout in STARTS_OF_GNUBG
    return first_position(profile) if known else START


def layout_of(name: str) -> Layout:
    """The start position that the name of a game in a file stands for."""
    starts = {"nack": Layout.NACKGAMMON, "hyper": Layout.HYPERGAMMON, "long": Layout.LONGGAMMON}
    told = name.casefold()
    return next((layout for start, layout in starts.items() if told.startswith(start)), Layout.BACKGAMMON)
