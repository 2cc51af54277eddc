"""A rule profile: one rule text as values, which plays, judge, score, cube and match obey."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from controller.rules.moves.movement import MovementRules
from controller.rules.profile.conduct import Conduct


class Layout(StrEnum):
    """Named start positions, the same for both sides."""

    BACKGAMMON = "backgammon"
    NACKGAMMON = "nackgammon"
    LONGGAMMON = "longgammon"
    """All on the 24-point; the games in which the sides go the same way begin so, too, and plakoto."""
    HYPERGAMMON = "hypergammon"
    IN_HAND = "in_hand"
    """The board is empty; checkers enter as from the bar."""


class RollUses(StrEnum):
    """What the winner of the opening roll plays."""

    BOTH_DICE = "both_dice"
    OWN_DIE = "own_die"
    REROLL_TWO = "reroll_two"


class Tie(StrEnum):
    """What equal opening dice mean."""

    REROLL = "reroll"
    AUTO_DOUBLE = "auto_double"


class NextGame(StrEnum):
    """Who starts the second and later games of a match."""

    ROLL_OFF = "roll_off"
    WINNER_STARTS = "winner_starts"


class AfterRoll(StrEnum):
    """What follows when all numbers of a roll have been played."""

    NONE = "none"
    NAMED_DOUBLE = "named_double"
    """After 2-1 the player names a double and plays it, and if it can be played in full rolls again."""
    RISING_DOUBLES = "rising_doubles"
    """After each double the next higher one is played, as long as each can be played in full; not in the first three
    turns of each side."""


class GammonRule(StrEnum):
    """When a game is lost double."""

    NONE_OFF = "none_off"
    ALL_HOME_NONE_OFF = "all_home_none_off"
    NEVER = "never"


class BackgammonRule(StrEnum):
    """When a game is lost triple."""

    ON_BAR_OR_IN_WINNER_HOME = "none_off_and_on_bar_or_in_winner_home"
    IN_WINNER_HOME = "none_off_and_in_winner_home"
    NOT_ALL_HOME = "not_all_home"
    NEVER = "never"


class NotAllHomeAfterBearoff(StrEnum):
    """What ``not_all_home`` makes of a loser who had borne off before a checker was sent back."""

    TRIPLE = "triple"
    SINGLE = "single"


class Combine(StrEnum):
    """How the cube and the single, double or triple game make one number."""

    MULTIPLY = "multiply"
    ADD = "add"


class DropPays(StrEnum):
    """What a refused double costs."""

    VALUE_BEFORE_OFFER = "value_before_offer"
    SINGLE_GAME_BEFORE_OFFER = "single_game_before_offer"


class JacobyTurn(StrEnum):
    """Which doubles make gammons count under the Jacoby rule."""

    VOLUNTARY_DOUBLE = "voluntary_double"
    ANY_DOUBLE = "any_double"


class DeadCube(StrEnum):
    """Whether a side that needs no more points than the cube is worth may still double."""

    BARRED = "barred"
    ALLOWED = "allowed"


class MatchKind(StrEnum):
    """What a profile is meant for."""

    MATCH = "match"
    MONEY = "money"
    EITHER = "either"


class ResignForm(StrEnum):
    """How a resignation is worded."""

    LEVELS = "levels_1_2_3"
    FREE_POINTS = "free_points"


class RuleSource(StrEnum):
    """Whether the rule text says so, or the value was filled in."""

    STATED = "stated"
    INFERRED = "inferred"


@dataclass(frozen=True, slots=True)
class OpeningRules:
    """The keys ``start.position``, ``opening.*`` and ``roll.after``.

    ``auto_double_limit`` is the number of automatic doubles in one game, None for no limit.
    """

    layout: Layout = Layout.BACKGAMMON
    roll_uses: RollUses = RollUses.BOTH_DICE
    tie: Tie = Tie.REROLL
    auto_double_limit: int | None = None
    next_game: NextGame = NextGame.ROLL_OFF
    after_roll: AfterRoll = AfterRoll.NONE


@dataclass(frozen=True, slots=True)
class ScoreRules:
    """The keys ``score.*``.

    With ``mother`` a side whose last checker on its starting point is pinned loses two points at once.
    """

    gammon: GammonRule = GammonRule.NONE_OFF
    backgammon: BackgammonRule = BackgammonRule.ON_BAR_OR_IN_WINNER_HOME
    backgammon_requires_hit_checker: bool = False
    not_all_home_after_bearoff: NotAllHomeAfterBearoff = NotAllHomeAfterBearoff.TRIPLE
    combine: Combine = Combine.MULTIPLY
    mother: bool = False


@dataclass(frozen=True, slots=True)
class CubeRules:
    """The keys ``cube.*``.

    ``max`` is the highest value the cube may reach, None for no limit. ``start_face`` is the face that
    lies upward on the unturned, centred cube, which counts 1; None if the cube always shows what it counts.
    ``unturned_adds`` is what an unturned cube is worth where the cube is added to the game.
    """

    enabled: bool = True
    max: int | None = None
    start_face: int | None = 64
    unturned_adds: int = 0
    drop_pays: DropPays = DropPays.VALUE_BEFORE_OFFER
    beaver: bool = False
    beaver_refusable: bool = True
    raccoon: bool = False
    jacoby: bool = False
    jacoby_satisfied_by: JacobyTurn = JacobyTurn.VOLUNTARY_DOUBLE
    dead: DeadCube = DeadCube.BARRED


@dataclass(frozen=True, slots=True)
class MatchRules:
    """The keys ``match.*``."""

    kind: MatchKind = MatchKind.MATCH
    crawford: bool = True


@dataclass(frozen=True, slots=True)
class ResignRules:
    """The keys ``resign.*``; ``must_accept`` takes the opponent's right to refuse away."""

    form: ResignForm = ResignForm.LEVELS
    must_accept: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the value of a key comes from: the profile that set it, and whether its text says so."""

    source: RuleSource
    profile: str


@dataclass(frozen=True, slots=True)
class Profile:
    """One set of rules. Two profiles are equal when their rules are, whatever their names.

    ``origins`` has one entry per key of `controller.rules.profile.keys.KEYS`; it is empty only for
    `STANDARD`, which no file was read for. ``notices`` are codes of things the players should be told
    once, when the profile is chosen.
    """

    opening: OpeningRules = field(default_factory=OpeningRules)
    movement: MovementRules = field(default_factory=MovementRules)
    score: ScoreRules = field(default_factory=ScoreRules)
    cube: CubeRules = field(default_factory=CubeRules)
    match: MatchRules = field(default_factory=MatchRules)
    resign: ResignRules = field(default_factory=ResignRules)
    conduct: Conduct = field(default_factory=Conduct)
    name: str = field(default="standard", compare=False)
    title: str = field(default="Standard rules", compare=False)
    notices: tuple[str, ...] = field(default=(), compare=False)
    origins: Mapping[str, Origin] = field(default_factory=lambda: MappingProxyType({}), compare=False)


STANDARD = Profile()
