"""The settings of movement: what rule texts disagree about when checkers are moved."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.errors import UserError


class LargerDie(StrEnum):
    """What holds when either number can be played but not both."""

    REQUIRED = "required"
    NOT_STATED = "not_stated"
    """The text says nothing: either number may be played."""


class MaxDice(StrEnum):
    """Whether as many dice as possible must be played."""

    STRICT = "strict"
    ADVISORY = "advisory"
    """Dice may be left unplayed, even all of them."""


class BearoffOrder(StrEnum):
    """Which checkers may be borne off with a number that fits them."""

    NORMAL = "normal"
    REARMOST_ONLY = "rearmost_only"
    """Only checkers on the rearmost occupied point; any other must be moved inside instead."""


class BearoffOversize(StrEnum):
    """What a number larger than the rearmost point means."""

    FORCED_IF_NO_OTHER = "forced_if_no_other"
    OPTIONAL = "optional"
    """It may bear off the rearmost checker, or be left unplayed."""


class Doubles(StrEnum):
    """How often an equal pair is played."""

    X4 = "x4"


class MovementError(UserError):
    """A setting of movement has an impossible value."""


@dataclass(frozen=True, slots=True)
class MovementRules:
    """How checkers may move; the defaults are the standard tournament game.

    Attributes:
        doubles: how often the number of a double is played.
        max_dice: `STRICT`: as many dice as possible must be played.
        larger_die: `REQUIRED`: the larger number, if either can be played but not both.
        max_stack: most checkers of one side on a point after any step (1..14), `None` for no limit. Points
            that already hold more may keep them; bar and tray are never limited.
        landing_blocked_at: number of opposing checkers that close a point: 2, or 1 in games without hitting.
        bar_enter_first: whether checkers on the bar must all enter before another checker moves.
        bearoff_order: whether any checker a number fits may be borne off, or only the rearmost.
        bearoff_oversize: whether a number larger than the rearmost point must be used to bear off.
        bearoff_exact_optional: whether a number may be moved inside the home board although a checker stands
            exactly on its point (only while bearing off).

    Raises:
        MovementError: if `max_stack` or `landing_blocked_at` is out of its range.
    """

    doubles: Doubles = Doubles.X4
    max_dice: MaxDice = MaxDice.STRICT
    larger_die: LargerDie = LargerDie.REQUIRED
    max_stack: int | None = None
    landing_blocked_at: int = 2
    bar_enter_first: bool = True
    bearoff_order: BearoffOrder = BearoffOrder.NORMAL
    bearoff_oversize: BearoffOversize = BearoffOversize.FORCED_IF_NO_OTHER
    bearoff_exact_optional: bool = True

    def __post_init__(self) -> None:
        """Refuse impossible values."""
        if self.max_stack is not None and not 1 <= self.max_stack <= 14:
            raise MovementError(f"max_stack is {self.max_stack}, but must be 1 to 14, or none for no limit.")
        if self.landing_blocked_at not in (1, 2):
            raise MovementError(f"landing_blocked_at is {self.landing_blocked_at}, but must be 1 or 2.")


STANDARD: Final = MovementRules()
"""The standard tournament game."""
