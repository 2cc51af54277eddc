"""One game: an immutable value that events advance from the opening roll to its result.

Resignations: levels as GNU Backgammon knows them; free points, and going on after a refusal, from the HUNBG club.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from controller.rules.game import cube as doubling
from controller.rules.game.cube import Cube, Offer, OfferKind
from controller.rules.game.events import (
    Beavered,
    Doubled,
    DoubleNamed,
    GameAwarded,
    GameEvent,
    OpeningRoll,
    Passed,
    Played,
    Raccooned,
    Refusal,
    RefusedError,
    ResignationAccepted,
    ResignationRefused,
    Resigned,
    Rolled,
    RollVoided,
    Taken,
    TakenBack,
)
from controller.rules.game.hit_log import HitLog
from controller.rules.game.scoring import (
    Ending,
    Level,
    Result,
    game_value,
    loss,
    most_points,
    mother_lost,
)
from controller.rules.moves.movement import Generator
from controller.rules.moves.plays import results
from controller.rules.position import CHECKERS, START, Direction, Position, Roll, Side, side_point
from controller.rules.profile.conduct import FinalAt
from controller.rules.profile.profile import (
    AfterRoll,
    BackgammonRule,
    Combine,
    DeadCube,
    GammonRule,
    Layout,
    Profile,
    ResignForm,
    RollUses,
    Tie,
)


@dataclass(frozen=True, slots=True)
class Resignation:
    """An offer of ``by`` to lose; ``amount`` is a level or a number of points."""

    by: Side
    amount: int


HALVES: Mapping[Layout, Mapping[int, int]] = {
    Layout.NACKGAMMON: {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    Layout.LONGGAMMON: {24: 15},
    Layout.HYPERGAMMON: {24: 1, 23: 1, 22: 1},
    Layout.IN_HAND: {},
}


def start_position(layout: Layout, direction: Direction = Direction.OPPOSED) -> Position:
    """The position a game with this layout begins with.

    Sources: GNU Backgammon for nackgammon and hypergammon, the Backgammon Galore variants pages for longgammon. Where
    both sides go the same way round, dark's 24-point is light's 12-point.
    """
    if layout is Layout.BACKGAMMON:
        return START
    points = [0] * 24
    for point, count in HALVES[layout].items():
        points[point - 1] += count
        points[side_point(point, Side.DARK, direction) - 1] -= count
    position = Position.from_counts(points)
    in_hand = CHECKERS if layout is Layout.IN_HAND else 0
    return position.with_hidden(hand_light=in_hand, hand_dark=in_hand)


def first_position(profile: Profile) -> Position:
    """The position that games by these rules begin with."""
    return start_position(profile.opening.layout, profile.movement.direction)


RISING_FROM = 6
"""From this turn on, counted from 0 over both sides, doubles rise: after three turns of each."""


DICE_KEPT: Mapping[RollUses, int] = {RollUses.BOTH_DICE: 2, RollUses.OWN_DIE: 1, RollUses.REROLL_TWO: 0}
"""How many of the opening dice, the larger first, the starter plays; with none they roll again."""


class GamePhase(StrEnum):
    """What the game waits for."""

    OPENING = "opening"
    TO_ROLL = "to_roll"
    TO_PLAY = "to_play"
    TO_NAME_DOUBLE = "to_name_double"
    CUBE_OFFERED = "cube_offered"
    RESIGNATION_OFFERED = "resignation_offered"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Away:
    """The points each side still needs to win the match."""

    light: int
    dark: int

    def points(self, side: Side) -> int:
        """The points ``side`` still needs."""
        return self.light if side is Side.LIGHT else self.dark


@dataclass(frozen=True, slots=True)
class Game:
    """A game as it stands.

    ``turn`` is None until the opening roll has decided. ``dice`` are those to be played, none while a
    roll is due; a single one where the starter plays only their own; ``opening_dice`` are those of the
    opening roll. ``cube_in_play`` is false in the
    Crawford game. ``away`` is None where games are not played for a match. ``undo`` is the game before
    the last play, as long as that play can be taken back. ``turns`` counts turns, of which one may have several
    ``plays`` (`AfterRoll`); with ``names_double`` the side on turn must name the double that it plays next, and with
    ``rolls_again`` it rolls again after it.
    """

    profile: Profile
    position: Position
    hits: HitLog
    turn: Side | None = None
    dice: tuple[int, ...] = ()
    opening_dice: bool = False
    cube: Cube = field(default_factory=Cube)
    cube_in_play: bool = True
    away: Away | None = None
    offer: Offer | None = None
    resignation: Resignation | None = None
    plays: int = 0
    turns: int = 0
    names_double: bool = False
    rolls_again: bool = False
    undo: "Game | None" = None
    result: Result | None = None

    @property
    def phase(self) -> GamePhase:
        """What the game waits for."""
        if self.result is not None:
            return GamePhase.OVER
        if self.resignation is not None:
            return GamePhase.RESIGNATION_OFFERED
        if self.offer is not None:
            return GamePhase.CUBE_OFFERED
        if self.turn is None:
            return GamePhase.OPENING
        if self.names_double:
            return GamePhase.TO_NAME_DOUBLE
        return GamePhase.TO_PLAY if self.dice else GamePhase.TO_ROLL

    @property
    def has_cube(self) -> bool:
        """Whether it is played with a cube."""
        return self.cube_in_play and self.profile.cube.enabled

    @property
    def to_answer(self) -> Side | None:
        """The side that has to answer an offer, if there is one."""
        if self.resignation is not None:
            return self.resignation.by.opponent
        return self.offer.to if self.offer is not None else None


def new_game(
    profile: Profile, *, starter: Side | None = None, cube_in_play: bool = True, away: Away | None = None
) -> Game:
    """A game before its opening roll, or before the first roll of ``starter`` where there is none."""
    position = first_position(profile)
    return Game(
        profile,
        position,
        HitLog.at_start(position) if _logs_hits(profile) else HitLog(None, None),
        turn=starter,
        cube_in_play=cube_in_play,
        away=away,
    )


def advance_game(game: Game, event: GameEvent) -> Game:
    """The game after ``event``. Raises RefusedError if the rules do not allow it now."""
    if game.result is not None:
        raise RefusedError(Refusal.GAME_OVER)
    match event:
        case OpeningRoll(light, dark):
            return _opening_roll(game, light, dark)
        case Rolled():
            return _roll(game, event)
        case DoubleNamed(side, number):
            return _name_double(game, side, number)
        case RollVoided(side):
            return _void_roll(game, side)
        case Played():
            return _play(game, event)
        case TakenBack(side):
            return _take_back(game, side)
        case Doubled(side):
            return _double(game, side)
        case Taken(side):
            return replace(
                game, cube=doubling.accept(game.cube, _require_offer(game, side), side), offer=None
            )
        case Passed(side):
            return _pass(game, side)
        case Beavered(side):
            return _raise(game, side, OfferKind.BEAVER)
        case Raccooned(side):
            return _raise(game, side, OfferKind.RACCOON)
        case Resigned(side, amount):
            return _resign(game, side, amount)
        case ResignationAccepted(side):
            return _accept_resignation(game, _require_resignation(game, side))
        case ResignationRefused(side):
            _require_resignation(game, side)
            if game.profile.resign.must_accept:
                raise RefusedError(Refusal.RESIGNATION_MUST_BE_ACCEPTED, side=side)
            return replace(game, resignation=None)
        case GameAwarded(winner, points):
            if points < 1:
                raise RefusedError(Refusal.AWARD_TOO_SMALL, points=points)
            return replace(game, offer=None, resignation=None, result=Result(winner, points, Ending.AWARDED))


def lay_out(game: Game, position: Position, on_roll: Side) -> Game:
    """The game after a ruling on how the board stands and who rolls: what was under way is void."""
    return replace(
        game,
        position=position,
        turn=on_roll,
        dice=(),
        opening_dice=False,
        offer=None,
        resignation=None,
        names_double=False,
        rolls_again=False,
        undo=None,
    )


def _opening_roll(game: Game, light: int, dark: int) -> Game:
    if game.phase is not GamePhase.OPENING:
        raise RefusedError(Refusal.OPENING_ROLL_NOT_DUE)
    for number in (light, dark):
        if not 1 <= number <= 6:
            raise RefusedError(Refusal.NOT_A_DIE, number=number)
    rules = game.profile.opening
    if light != dark:
        side = Side.LIGHT if light > dark else Side.DARK
        dice = (max(light, dark), min(light, dark))[: DICE_KEPT[rules.roll_uses]]
        return replace(game, turn=side, dice=dice, opening_dice=bool(dice))
    if rules.tie is Tie.AUTO_DOUBLE and game.profile.cube.enabled and game.cube_in_play:
        cube = doubling.automatic_double(game.cube, game.profile.cube, rules.auto_double_limit)
        return replace(game, cube=cube)
    return game


def _roll(game: Game, event: Rolled) -> Game:
    _require_turn(game, event.side)
    if game.dice:
        raise RefusedError(Refusal.ROLL_NOT_DUE, side=event.side)
    if game.names_double:
        raise RefusedError(Refusal.DOUBLE_DUE, side=event.side)
    return replace(game, dice=event.roll.dice)


def _name_double(game: Game, side: Side, number: int) -> Game:
    _require_turn(game, side)
    if not game.names_double:
        raise RefusedError(Refusal.DOUBLE_NOT_DUE, side=side)
    if not 1 <= number <= 6:
        raise RefusedError(Refusal.NOT_A_DIE, number=number)
    return replace(game, dice=(number, number), names_double=False, rolls_again=True)


def _void_roll(game: Game, side: Side) -> Game:
    _require_turn(game, side)
    if not game.dice:
        raise RefusedError(Refusal.PLAY_NOT_DUE, side=side)
    if game.opening_dice:
        return replace(game, turn=None, dice=(), opening_dice=False)
    if game.rolls_again:
        return replace(game, dice=(), names_double=True, rolls_again=False)
    return replace(game, dice=())


def _play(game: Game, event: Played) -> Game:
    side = event.side
    _require_turn(game, side)
    if not game.dice:
        raise RefusedError(Refusal.PLAY_NOT_DUE, side=side)
    profile = game.profile
    hits = game.hits.after(game.position, side, event.play) if _logs_hits(profile) else game.hits
    after = replace(
        game,
        position=event.after,
        turn=side.opponent,
        dice=(),
        opening_dice=False,
        hits=hits,
        plays=game.plays + 1,
        turns=game.turns + 1,
        rolls_again=False,
        undo=replace(game, undo=None),
    )
    if profile.score.mother and (lost_by := mother_lost(event.after, profile.movement)):
        return replace(after, undo=None, result=_mother_result(game, side, lost_by))
    if event.after.off(side) < CHECKERS:
        return _play_on(game, after)
    lost = loss(
        event.after,
        side.opponent,
        profile.score,
        hits.hit_checker_left(side.opponent, event.after),
        checkers=profile.movement.checkers,
        direction=profile.movement.direction,
    )
    value = game_value(lost.level, game.cube, profile)
    return replace(after, undo=None, result=Result(side, value.points, Ending.PLAYED, value, lost))


def _logs_hits(profile: Profile) -> bool:
    """Whether it matters which checkers have been hit: only in the standard game with its house rules."""
    return profile.movement.generator in (Generator.STANDARD, Generator.HOUSE)


def _mother_result(game: Game, side: Side, lost_by: frozenset[Side]) -> Result:
    """The end of a game in which a last checker on its starting point was pinned, by the play of ``side``."""
    if len(lost_by) > 1:
        return Result(side, 0, Ending.DRAWN)
    (loser,) = lost_by
    value = game_value(Level.GAMMON, game.cube, game.profile)
    return Result(loser.opponent, value.points, Ending.PLAYED, value)


def _play_on(game: Game, after: Game) -> Game:
    """The game after a play that did not end it: the same side goes on where the rules give it more to play."""
    rule, side = game.profile.opening.after_roll, game.turn
    if rule is AfterRoll.NONE or side is None or len(game.dice) < 2 or not _could_play_all(game, side):
        return after
    same_turn = replace(after, turn=side, turns=game.turns)
    if rule is AfterRoll.NAMED_DOUBLE:
        if game.rolls_again:
            return same_turn
        return replace(same_turn, names_double=True) if set(game.dice) == {1, 2} else after
    high, low = game.dice
    if high != low or high == 6 or game.turns < RISING_FROM:
        return after
    return replace(same_turn, dice=(high + 1, high + 1))


def _could_play_all(game: Game, side: Side) -> bool:
    """Whether every number of the roll could be played; an illegal play that stands counts as a full one then."""
    roll = Roll.from_dice(*game.dice)
    _, required = results(game.position, side, roll, game.profile.movement)
    return len(required) == len(roll.numbers)


def _take_back(game: Game, side: Side) -> Game:
    """Put the last play back, if it is not final yet.

    Where a play is final only after the opponent's next play, everything the opponent did in between
    (roll, double and answer) is withdrawn with it: it was done on a wrong board.
    """
    before = game.undo
    late = game.dice or game.offer is not None or (before is not None and game.cube != before.cube)
    final = late and game.profile.conduct.illegal_final_at is FinalAt.OPPONENT_ROLL_OR_DOUBLE
    if before is None or before.turn is not side or final or game.resignation is not None:
        raise RefusedError(Refusal.NOTHING_TO_TAKE_BACK, side=side)
    return before


def _double(game: Game, side: Side) -> Game:
    _require_turn(game, side)
    if game.dice:
        raise RefusedError(Refusal.ROLL_BEFORE_DOUBLE, side=side)
    if not game.cube_in_play:
        raise RefusedError(Refusal.CRAWFORD_GAME, side=side)
    offer = doubling.double(game.cube, side, game.profile.cube)
    if game.away is not None and game.profile.cube.dead is DeadCube.BARRED:
        single = game_value(Level.SINGLE, game.cube, game.profile)
        if single.points >= game.away.points(side):
            raise RefusedError(Refusal.CUBE_DEAD, side=side, value=game.cube.value)
    return replace(game, offer=offer)


def _pass(game: Game, side: Side) -> Game:
    added = game.profile.score.combine is Combine.ADD
    offer = _require_offer(game, side)
    points = doubling.refusal_costs(game.cube, offer, side, game.profile.cube, added=added)
    return replace(game, offer=None, result=Result(side.opponent, points, Ending.DROPPED, cube=offer.before))


def _raise(game: Game, side: Side, kind: OfferKind) -> Game:
    return replace(
        game, offer=doubling.raise_offer(_require_offer(game, side), side, game.profile.cube, kind)
    )


def _resign(game: Game, side: Side, amount: int) -> Game:
    _require_begun(game, side)
    if amount < 1:
        raise RefusedError(Refusal.RESIGNATION_TOO_SMALL, side=side, amount=amount)
    maximum = _largest_resignation(game.cube, game.profile)
    if maximum is not None and amount > maximum:
        raise RefusedError(Refusal.RESIGNATION_TOO_LARGE, side=side, amount=amount, maximum=maximum)
    return replace(game, resignation=Resignation(side, amount))


def _largest_resignation(cube: Cube, profile: Profile) -> int | None:
    """The largest amount that can be offered; None where the cube, and so the points, have no limit."""
    if profile.resign.form is ResignForm.FREE_POINTS:
        return most_points(cube, profile)
    if profile.score.backgammon is not BackgammonRule.NEVER:
        return Level.BACKGAMMON
    return Level.SINGLE if profile.score.gammon is GammonRule.NEVER else Level.GAMMON


def _accept_resignation(game: Game, offered: Resignation) -> Game:
    points, value = offered.amount, None
    if game.profile.resign.form is ResignForm.LEVELS:
        value = game_value(Level(offered.amount), game.cube, game.profile)
        points = value.points
    return replace(game, resignation=None, result=Result(offered.by.opponent, points, Ending.RESIGNED, value))


def _require_offer(game: Game, side: Side) -> Offer:
    if game.offer is None:
        raise RefusedError(Refusal.NO_OFFER, side=side)
    return game.offer


def _require_resignation(game: Game, side: Side) -> Resignation:
    """The resignation that ``side`` may answer."""
    if game.resignation is None:
        raise RefusedError(Refusal.NO_OFFER, side=side)
    if game.resignation.by is side:
        raise RefusedError(Refusal.OWN_OFFER, side=side)
    return game.resignation


def _require_begun(game: Game, side: Side) -> Side:
    """The side on turn in a game that has begun and waits for no answer."""
    if game.to_answer is not None:
        raise RefusedError(Refusal.OFFER_PENDING, side=game.to_answer)
    if game.turn is None:
        raise RefusedError(Refusal.OPENING_ROLL_DUE, side=side)
    return game.turn


def _require_turn(game: Game, side: Side) -> None:
    turn = _require_begun(game, side)
    if turn is not side:
        raise RefusedError(Refusal.NOT_ON_TURN, side=side, turn=turn)
