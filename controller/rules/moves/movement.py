"""The settings of movement: what rule texts disagree about when checkers are moved."""

from dataclasses import dataclass, field, fields
from enum import Enum, StrEnum
from typing import Final, Protocol

from controller.errors import UserError
from controller.rules.position import CHECKERS, Direction


class Variant(StrEnum):
    """Which game it is, as players call it."""

    BACKGAMMON = "backgammon"
    NACKGAMMON = "nackgammon"
    HYPERGAMMON = "hypergammon"
    LONGGAMMON = "longgammon"
    PORTES = "portes"
    TAVLA = "tavla"
    PLAKOTO = "plakoto"
    FEVGA = "fevga"
    MOULTEZIM = "moultezim"
    NARDE = "narde"
    GUL_BARA = "gul_bara"
    JACQUET = "jacquet"
    ACEY_DEUCEY = "acey_deucey"


STANDARD_FAMILY: Final = frozenset(
    {
        *(Variant.BACKGAMMON, Variant.NACKGAMMON, Variant.HYPERGAMMON, Variant.LONGGAMMON),
        *(Variant.PORTES, Variant.TAVLA),
    }
)
"""The games whose positions and plays every backgammon program can read."""


class Contact(StrEnum):
    """What landing on a single checker of the opponent does to it."""

    HIT = "hit"
    PIN = "pin"
    """It stays under the one that landed, and cannot move until that one leaves."""


class FirstChecker(StrEnum):
    """How far the first checker must go before another one may move."""

    FREE = "free"
    PASSES_START = "passes_start"
    """Past the point on which the opponent starts."""
    REACHES_HOME = "reaches_home"
    """Into the last quarter of its way."""


class HeadException(StrEnum):
    """With which rolls two checkers may leave the starting point while all of a side's are there."""

    NONE = "none"
    SIXES_FOURS = "sixes_fours"
    SIXES_FOURS_THREES = "sixes_fours_threes"


class PrimeLimit(StrEnum):
    """Which points a side may not hold together."""

    NONE = "none"
    ONE_AHEAD = "one_ahead"
    """Six in a row only while a checker of the opponent is ahead of them."""
    OPEN_START = "open_start"
    """Not all six of its own starting table; and six in a row directly in front of all of the opponent's checkers
    must be opened."""
    FOUR_IN_OPPONENT_START = "four_in_opponent_start"
    """At most four of the opponent's starting table."""
    FIVE_IN_ROW = "five_in_row"
    """At most five in a row, until the last two points of the way are held."""
    TWO_IN_START = "two_in_start"
    """At most two, of two checkers or more, of its own starting table."""


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
    BARRED = "barred"
    """It bears off nothing: only the number of its point takes a checker off."""


class Doubles(StrEnum):
    """How often an equal pair is played."""

    X4 = "x4"


class MovementError(UserError):
    """A setting of movement has an impossible value."""


class Generator(Enum):
    """What finds the plays of a set of rules."""

    STANDARD = "standard"
    HOUSE = "house"
    """The standard game with settings that rule texts disagree about."""
    NO_HIT_AND_RUN = "no_hit_and_run"
    """The standard game, but that a checker that hit at home stays there."""
    WIDE = "wide"
    """Any other game of the family."""


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
        variant: which game it is; nothing follows from it but whose rules may judge it.
        checkers: how many each side has.
        direction: whether the sides go against each other or the same way.
        contact: whether a single checker is hit or pinned; where one checker blocks a point, neither happens.
        first_checker: how far the first checker must go before another one moves.
        head_limit: most checkers that may leave the starting point (24) in a turn, `None` for no limit.
        head_exception: rolls with which two may leave it while all checkers are there.
        prime_limit: points that may not be held together.
        hit_and_run: whether a checker that hit in its own home board may move on in the same turn.
        bearoff_while_pinned: whether a side may bear off while one of its checkers is pinned.
        generator: what finds the plays; it follows from the others.

    Raises:
        MovementError: if a number is out of its range.
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
    variant: Variant = Variant.BACKGAMMON
    checkers: int = CHECKERS
    direction: Direction = Direction.OPPOSED
    contact: Contact = Contact.HIT
    first_checker: FirstChecker = FirstChecker.FREE
    head_limit: int | None = None
    head_exception: HeadException = HeadException.NONE
    prime_limit: PrimeLimit = PrimeLimit.NONE
    hit_and_run: bool = True
    bearoff_while_pinned: bool = True
    generator: Generator = field(init=False, repr=False, compare=False, default=Generator.STANDARD)

    def __post_init__(self) -> None:
        """Refuse impossible values."""
        if self.max_stack is not None and not 1 <= self.max_stack <= 14:
            raise MovementError(f"max_stack is {self.max_stack}, but must be 1 to 14, or none for no limit.")
        if self.landing_blocked_at not in (1, 2):
            raise MovementError(f"landing_blocked_at is {self.landing_blocked_at}, but must be 1 or 2.")
        if not 1 <= self.checkers <= CHECKERS:
            raise MovementError(f"checkers is {self.checkers}, but must be 1 to {CHECKERS}.")
        if self.head_limit not in (None, 1, 2):
            raise MovementError(f"head_limit is {self.head_limit}, but must be 1 or 2, or none for no limit.")
        object.__setattr__(self, "generator", self._generator())

    def is_sister_of(self, other: "MovementRules") -> bool:
        """Whether plays of the one game can be judged by the rules of the other: backgammon, or the same game."""
        return self.variant is other.variant or STANDARD_FAMILY.issuperset({self.variant, other.variant})

    def _generator(self) -> Generator:
        changed = {
            item.name for item in fields(self) if item.init and getattr(self, item.name) != item.default
        } - {"variant", "checkers"}
        if changed == {"hit_and_run"}:
            return Generator.NO_HIT_AND_RUN
        if changed & WIDE_SETTINGS or self.bearoff_oversize is BearoffOversize.BARRED:
            return Generator.WIDE
        return Generator.HOUSE if changed else Generator.STANDARD


WIDE_SETTINGS: Final = frozenset(
    {
        *("direction", "contact", "first_checker", "head_limit", "head_exception", "prime_limit"),
        *("hit_and_run", "bearoff_while_pinned"),
    }
)
"""The settings that only the search for any game of the family knows."""

STANDARD: Final = MovementRules()
"""The standard tournament game."""


class Profiled(Protocol):
    """What carries rules of movement among others, as a rule profile does."""

    @property
    def movement(self) -> MovementRules:
        """How checkers may move."""
        ...


def movement_of(profile: MovementRules | Profiled) -> MovementRules:
    """The rules of movement that are given by themselves or in a profile.

    Raises:
        MovementError: it is neither.
    """
    rules = profile if isinstance(profile, MovementRules) else getattr(profile, "movement", None)
    if not isinstance(rules, MovementRules):
        raise MovementError(
            f"{profile!r} holds no rules of movement; give load_profile(NAME), or MovementRules of your own."
        )
    return rules
