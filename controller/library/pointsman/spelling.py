"""What people give (rolls, sides, rules, numbers, texts, paths) in its spellings, or refused in one sentence."""

import operator
import os
import re
from collections.abc import Iterable, Mapping, Set
from functools import lru_cache
from pathlib import Path
from typing import Final, SupportsIndex, TypeVar, cast

from controller.errors import UserError, short_repr
from controller.rules.judging.judge import ROLLS
from controller.rules.position import PositionError, Roll, RollError, Side
from controller.rules.profile.catalogue import load_profile, profile_names
from controller.rules.profile.profile import Profile

RollLike = Roll | Iterable[SupportsIndex] | str
"""A roll: `(6, 4)`, `[6, 4]`, a NumPy array of two whole numbers, `"64"`, `"6-4"` or a `Roll`."""
SideLike = Side | str
"""`LIGHT`, `DARK`, `"light"` or `"dark"`."""
VariantLike = Profile | str | os.PathLike[str]
"""The name of a rule profile (`variants`), the path of a profile file, or a loaded profile."""

Given = TypeVar("Given")

STANDARD: Final = "standard"
NICKNAMES: Final[Mapping[str, str]] = {
    STANDARD: "standard-match",
    "backgammon": "standard-match",
    "money": "standard-money",
}
"""Short names for the profiles that most people mean."""
NO_ROWS: Final = (str, bytes, bytearray, Set, Mapping)
"""What one can go through, but is no row of values: letters, and what keeps no order of its own."""
_KNOWN: Final = {pair: roll for roll in ROLLS for pair in (roll.dice, roll.dice[::-1])}
_WRITTEN: Final = re.compile(r"([1-6])[-, ]?([1-6])")


def roll_of(roll: RollLike) -> Roll:
    """The roll that is meant. Raises RollError."""
    if isinstance(roll, Roll):
        return roll
    if isinstance(roll, str):
        if found := _WRITTEN.fullmatch(roll.strip()):
            return _KNOWN[int(found[1]), int(found[2])]
    elif (dice := _pair(roll)) is not None:
        if (known := _KNOWN.get(dice)) is not None:
            return known
        # The roll itself says which die is wrong.
        return Roll.from_dice(*dice)
    raise RollError(
        f'The roll is {short_repr(roll)}, but must be two numbers from 1 to 6, such as (6, 4) or "64".'
    )


def _pair(given: object) -> tuple[int, int] | None:
    """The two whole numbers of a tuple, a list, an array or another row; `None` if it is no such row."""
    try:
        if isinstance(given, NO_ROWS):
            return None
        first, second = cast(Iterable[object], given)
        return index(first), index(second)
    except (TypeError, ValueError):
        return None


def index(number: object) -> int:
    """A whole number of any kind, those of NumPy too. Raises TypeError for all else, also for True and False."""
    if isinstance(number, bool):
        raise TypeError(number)
    return operator.index(number)  # type: ignore[arg-type]


def side_of(side: SideLike) -> Side:
    """The side that is meant. Raises PositionError."""
    if isinstance(side, str):
        try:
            return Side(side)
        except ValueError:
            pass
    raise PositionError(f'The side is {short_repr(side)}, but must be "light" or "dark".')


def whole(number: SupportsIndex, what: str) -> int:
    """A whole number of any kind, those of NumPy too; `what` it is. Raises PositionError."""
    try:
        return index(number)
    except TypeError:
        raise PositionError(f"{what} is {short_repr(number)}, but must be a whole number.") from None


def whole_from(number: SupportsIndex, what: str, least: int, most: int) -> int:
    """A whole number within bounds; `what` it is. Raises PositionError."""
    value = whole(number, what)
    if not least <= value <= most:
        raise PositionError(f"{what} is {short_repr(value)}, but must be a number from {least} to {most}.")
    return value


def truth_of(flag: object, what: str) -> bool:
    """Whether it is so; `what` is asked. Raises UserError for what is neither true nor false, such as an array."""
    try:
        return bool(flag)
    except (TypeError, ValueError):
        raise UserError(f"{what} is {short_repr(flag)}, but must be True or False.") from None


def row_of(given: Iterable[Given], what: str) -> list[Given]:
    """What lies in a row, such as a list or an array; `what` it must be. Raises PositionError."""
    try:
        if not isinstance(given, NO_ROWS):
            return list(given)
    except TypeError:
        pass
    raise PositionError(f"{what}, not {short_repr(given)}.")


def two_of(given: Iterable[Given], what: str) -> tuple[Given, Given]:
    """The two values of light and of dark; `what` they must be. Raises PositionError."""
    values = row_of(given, what)
    if len(values) != 2:
        raise PositionError(f"{what}, not {short_repr(given)}.")
    return values[0], values[1]


def text_of(text: str, what: str, such_as: str) -> str:
    """A text; `what` it is, and an example of it. Raises UserError."""
    if isinstance(text, str):
        return text
    raise UserError(f"{what} is {short_repr(text)}, but must be a text such as {such_as}.")


def name_of(text: str, what: str, such_as: str) -> str:
    """A text in one line; `what` it is, and an example of it. Raises UserError."""
    name = text_of(text, what, such_as)
    if name.isprintable():
        return str(name)
    raise UserError(f"{what} is {short_repr(name)}, but must be one line of letters, such as {such_as}.")


def path_of(path: str | os.PathLike[str], what: str) -> Path:
    """The path of a file; `what` file it is. Raises UserError."""
    try:
        found = Path(path)
    except TypeError:
        raise UserError(f"The path of {what} is {short_repr(path)}, but must be a text or a Path.") from None
    if min(str(found)) < " ":
        raise UserError(
            f"The path of {what}, {short_repr(str(found))}, holds a line end or a zero; give one in one line."
        )
    return found


def profile_of(variant: VariantLike) -> Profile:
    """The rules that are meant. Raises ProfileError."""
    if isinstance(variant, Profile):
        return variant
    if isinstance(variant, str):
        return _loaded(name_of(variant, "The variant", f'"{STANDARD}"'))
    if isinstance(variant, os.PathLike):
        return _loaded(str(path_of(variant, "the rules")))
    raise PositionError(
        f"The variant is {short_repr(variant)}, but must be a name of variants() or a profile file."
    )


@lru_cache(maxsize=64)
def _loaded(name: str) -> Profile:
    return load_profile(NICKNAMES.get(name, name))


def variants() -> tuple[str, ...]:
    """The names of all rule profiles that ship with Pointsman, the standard ones first.

    Each is a `variant` of `Position.start` and `Board`. `"standard"`, `"backgammon"` and `"money"` are short for the
    first two.
    """
    return profile_names()
