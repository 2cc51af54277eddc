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
from controller.rules.game.scoring import Ending, Level, Result, game_value, loss, most_points
from controller.rules.position import CHECKERS, START, Position, Side
from controller.rules.profile.conduct import FinalAt
from controller.rules.profile.profile import (
    BackgammonRule,
    Combine,
    DeadCube,
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
}


def start_position(layout: Layout) -> Position:
    """The position a game with this layout begins with.

    Sources: GNU Backgammon for nackgammon, the Backgammon Galore variants pages for longgammon.
    """
    if layout is Layout.BACKGAMMON:
        return START
    points = [0] * 24
    for point, count in HALVES[layout].items():
        points[point - 1] += count
        points[24 - point] -= count
    return Position.of(points)


DICE_KEPT: Mapping[RollUses, int] = {RollUses.BOTH_DICE: 2, RollUses.OWN_DIE: 1, RollUses.REROLL_TWO: 0}
"""How many of the opening dice, the larger first, the starter plays; with none he rolls again."""


class GamePhase(StrEnum):
    """What the game waits for."""

    OPENING = "opening"
    TO_ROLL = "to_roll"
    TO_PLAY = "to_play"
    CUBE_OFFERED = "cube_offered"
    RESIGNATION_OFFERED = "resignation_offered"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Away:
    """The points each side still needs to win the match."""

    light: int
    dark: int

    def of(self, side: Side) -> int:
        """The points ``side`` still needs."""
        return self.light if side is Side.LIGHT else self.dark


@dataclass(frozen=True, slots=True)
class Game:
    """A game as it stands.

    ``turn`` is None until the opening roll has decided. ``dice`` are those to be played, none while a
    roll is due; a single one where the starter plays only his own; ``opening_dice`` are those of the
    opening roll. ``cube_in_play`` is false in the
    Crawford game. ``away`` is None where games are not played for a match. ``undo`` is the game before
    the last play, as long as that play can be taken back.
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
        return GamePhase.TO_PLAY if self.dice else GamePhase.TO_ROLL

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
    position = start_position(profile.opening.layout)
    return Game(
        profile,
        position,
        HitLog.at_start(position),
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
    return replace(game, dice=event.roll.dice)


def _void_roll(game: Game, side: Side) -> Game:
    _require_turn(game, side)
    if not game.dice:
        raise RefusedError(Refusal.PLAY_NOT_DUE, side=side)
    if game.opening_dice:
        return replace(game, turn=None, dice=(), opening_dice=False)
    return replace(game, dice=())


def _play(game: Game, event: Played) -> Game:
    side = event.side
    _require_turn(game, side)
    if not game.dice:
        raise RefusedError(Refusal.PLAY_NOT_DUE, side=side)
    hits = game.hits.after(game.position, side, event.play)
    after = replace(
        game,
        position=event.after,
        turn=side.opponent,
        dice=(),
        opening_dice=False,
        hits=hits,
        plays=game.plays + 1,
        undo=replace(game, undo=None),
    )
    if event.after.off(side) < CHECKERS:
        return after
    lost = loss(
        event.after, side.opponent, game.profile.score, hits.hit_checker_left(side.opponent, event.after)
    )
    value = game_value(lost.level, game.cube, game.profile)
    return replace(after, undo=None, result=Result(side, value.points, Ending.PLAYED, value, lost))


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
        if single.points >= game.away.of(side):
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
    return Level.GAMMON if profile.score.backgammon is BackgammonRule.NEVER else Level.BACKGAMMON


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
