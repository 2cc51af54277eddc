"""What a finished game is worth, and how that number comes about.

Sources: single, gammon and backgammon and the cube as in all five rule texts; the added cube and the hit
checker from the HUNBG club; ``all_home_none_off`` and ``not_all_home`` from the Slovak box.
"""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from controller.rules.game.cube import Cube
from controller.rules.moves.movement import MovementRules
from controller.rules.position import CHECKERS, Direction, Position, Side, side_point
from controller.rules.profile.profile import (
    STANDARD,
    BackgammonRule,
    Combine,
    CubeRules,
    GammonRule,
    JacobyTurn,
    NotAllHomeAfterBearoff,
    Profile,
    ScoreRules,
)


class Level(IntEnum):
    """How a game is won; the number is what it counts before the cube."""

    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3

    @property
    def term(self) -> str:
        """The field's word, in lower case."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Loss:
    """How a game was lost.

    ``assumed`` is true when the rules ask for a checker that had been hit and the log cannot tell: then
    any checker in the winner's home board was taken for one. ``after_bearoff`` is true when a loser had
    borne off before a checker was sent back, where the rules decide by ``not_all_home``.
    """

    level: Level
    assumed: bool = False
    after_bearoff: bool = False


@dataclass(frozen=True, slots=True)
class GameValue:
    """The points of a finished game with the numbers they come from.

    ``cube`` is what the cube counts (``added`` tells whether it is added instead of multiplied).
    ``jacoby`` is true when the Jacoby rule made a gammon or backgammon count as a single game: ``level``
    is then `Level.SINGLE`, and ``played`` what it would have been.
    """

    points: int
    level: Level
    played: Level
    cube: int
    added: bool

    @property
    def jacoby(self) -> bool:
        """Whether the Jacoby rule took a gammon or backgammon away."""
        return self.played is not self.level


def loss(
    position: Position,
    loser: Side,
    rules: ScoreRules = STANDARD.score,
    hit_checker_left: bool | None = None,
    *,
    checkers: int = CHECKERS,
    direction: Direction = Direction.OPPOSED,
) -> Loss:
    """How ``loser`` lost the game that ended in ``position``.

    ``hit_checker_left`` says whether one of the loser's checkers in the winner's home board had been hit
    earlier in the game (`controller.rules.game.hit_log`), None if that is not known; only rules with
    ``backgammon_requires_hit_checker`` ask for it. A checker on the bar has been hit in any case. A side has
    ``checkers``; ``direction`` tells where its home is.
    """
    borne_off = position.off(loser, checkers)
    all_home = _in_home(position, loser, loser, direction) + borne_off == checkers
    if rules.backgammon is BackgammonRule.NOT_ALL_HOME and not all_home:
        single = borne_off and rules.not_all_home_after_bearoff is NotAllHomeAfterBearoff.SINGLE
        return Loss(Level.SINGLE if single else Level.BACKGAMMON, after_bearoff=bool(borne_off))
    if borne_off:
        return Loss(Level.SINGLE)
    backgammon, assumed = _backgammon(position, loser, rules, hit_checker_left, direction)
    if backgammon:
        return Loss(Level.BACKGAMMON, assumed=assumed)
    if rules.gammon is GammonRule.NEVER:
        return Loss(Level.SINGLE)
    if rules.gammon is GammonRule.ALL_HOME_NONE_OFF and not all_home:
        return Loss(Level.SINGLE)
    return Loss(Level.GAMMON)


def _backgammon(
    position: Position,
    loser: Side,
    rules: ScoreRules,
    hit_checker_left: bool | None,
    direction: Direction,
) -> tuple[bool, bool]:
    """Whether a loser with none off has lost triple, and whether that rests on an assumption."""
    if rules.backgammon in (BackgammonRule.NEVER, BackgammonRule.NOT_ALL_HOME):
        return False, False
    if rules.backgammon is BackgammonRule.ON_BAR_OR_IN_WINNER_HOME and position.bar(loser):
        return True, False
    if not _in_home(position, loser, loser.opponent, direction):
        return False, False
    if rules.backgammon_requires_hit_checker:
        return hit_checker_left is not False, hit_checker_left is None
    return True, False


def _in_home(position: Position, side: Side, home_of: Side, direction: Direction) -> int:
    points = [side_point(point, home_of, direction) for point in range(1, 7)]
    on_top = sum(position.checkers(side, point) for point in points)
    return on_top + sum(point in points for point in position.pins(side))


def mother_lost(position: Position, rules: MovementRules) -> frozenset[Side]:
    """The sides whose last checker on its starting point is pinned, so that the game ends at once.

    While the side that pins still has a checker on its own starting point, whose fate is open, the game goes on; if
    both are pinned it is drawn.
    """
    pinned = frozenset(side for side in Side if _mother(side, rules) in position.pins(side))
    if len(pinned) == 1:
        (loser,) = pinned
        winner = loser.opponent
        if position.checkers(winner, _mother(winner, rules)):
            return frozenset()
    return pinned


def _mother(side: Side, rules: MovementRules) -> int:
    """The point on which a side starts, from light's side."""
    return side_point(24, side, rules.direction)


def game_value(level: Level, cube: Cube, profile: Profile = STANDARD) -> GameValue:
    """The points of a game won at ``level`` with ``cube`` as it stands at the end."""
    counted = level
    if profile.cube.enabled and profile.cube.jacoby and not _jacoby_satisfied(cube, profile.cube):
        counted = Level.SINGLE
    added = profile.score.combine is Combine.ADD
    worth = cube.value if cube.turned or not added else profile.cube.unturned_adds
    points = counted + worth if added else counted * worth
    return GameValue(points, counted, level, worth, added)


def _jacoby_satisfied(cube: Cube, rules: CubeRules) -> bool:
    if rules.jacoby_satisfied_by is JacobyTurn.ANY_DOUBLE:
        return cube.turned
    return cube.doubled


def most_points(cube: Cube, profile: Profile = STANDARD) -> int | None:
    """The most a game can still be worth; None where the cube may rise without limit."""
    if not profile.cube.enabled:
        return game_value(Level.BACKGAMMON, cube, profile).points
    if profile.cube.max is None:
        return None
    if profile.score.combine is Combine.ADD:
        return Level.BACKGAMMON + profile.cube.max
    return Level.BACKGAMMON * profile.cube.max


class Ending(StrEnum):
    """What ended a game."""

    PLAYED = "played"
    DROPPED = "dropped"
    RESIGNED = "resigned"
    AWARDED = "awarded"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game: ``winner`` gets ``points``, which are 0 in a drawn game: the side that ended it.

    ``value`` is there for a game played out and for a resignation by level, ``loss`` only for a game
    played out, ``cube`` (the value before the refused offer) only for a drop.
    """

    winner: Side
    points: int
    ending: Ending
    value: GameValue | None = None
    loss: Loss | None = None
    cube: int | None = None

    @property
    def is_drawn(self) -> bool:
        """Whether nobody won."""
        return self.ending is Ending.DRAWN
