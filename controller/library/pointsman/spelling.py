"""Rolls, sides and rules in the spellings that people give them."""

import operator
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, SupportsIndex

from controller.rules.judging.judge import ROLLS
from controller.rules.position import PositionError, Roll, RollError, Side
from controller.rules.profile.catalogue import load_profile, profile_names
from controller.rules.profile.profile import Profile

RollLike = Roll | Sequence[int] | str
"""A roll: `(6, 4)`, `[6, 4]`, `"64"`, `"6-4"` or a `Roll`."""
SideLike = Side | str
"""`LIGHT`, `DARK`, `"light"` or `"dark"`."""
VariantLike = Profile | str
"""The name of a rule profile (`variants`), the path of a profile file, or a loaded profile."""

STANDARD: Final = "standard"
NICKNAMES: Final[Mapping[str, str]] = {
    STANDARD: "standard-match",
    "backgammon": "standard-match",
    "money": "standard-money",
}
"""Short names for the profiles that most people mean."""
_KNOWN: Final = {pair: roll for roll in ROLLS for pair in (roll.dice, roll.dice[::-1])}
_WRITTEN: Final = re.compile(r"([1-6])[-, ]?([1-6])")


def roll_of(roll: RollLike) -> Roll:
    """The roll that is meant. Raises RollError."""
    if isinstance(roll, tuple) and (known := _KNOWN.get(roll)) is not None:
        return known
    if isinstance(roll, Roll):
        return roll
    if isinstance(roll, str):
        if found := _WRITTEN.fullmatch(roll.strip()):
            return Roll.from_dice(int(found[1]), int(found[2]))
    elif isinstance(roll, Sequence) and len(roll) == 2:
        return Roll.from_dice(*roll)
    raise RollError(f'The roll is {roll!r}, but must be two numbers from 1 to 6, such as (6, 4) or "64".')


def side_of(side: SideLike) -> Side:
    """The side that is meant. Raises PositionError."""
    try:
        return Side(side)
    except ValueError:
        raise PositionError(f'The side is {side!r}, but must be "light" or "dark".') from None


def whole(number: SupportsIndex, what: str) -> int:
    """A whole number of any kind, those of NumPy too; `what` it is. Raises PositionError."""
    try:
        return operator.index(number)
    except TypeError:
        raise PositionError(f"{what} is {number!r}, but must be a whole number.") from None


def profile_of(variant: VariantLike) -> Profile:
    """The rules that are meant. Raises ProfileError."""
    return variant if isinstance(variant, Profile) else _loaded(str(variant))


@lru_cache(maxsize=64)
def _loaded(name: str) -> Profile:
    return load_profile(NICKNAMES.get(name, name))


def variants() -> tuple[str, ...]:
    """The names of all rule profiles that ship with Pointsman, the standard ones first.

    Each is a `variant` of `Position.start` and `Board`. `"standard"`, `"backgammon"` and `"money"` are short for the
    first two.
    """
    return profile_names()
