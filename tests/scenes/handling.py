"""Scenes in which both players' hands come over the board: some honest, in others one displaces what it must not."""

from dataclasses import replace
from random import Random
from typing import Final

from controller.rules.position import Position, Roll, Side
from tests.scenes.board import Facing, changed_points, way
from tests.scenes.cheating import PUSHED, SAID_OF_PUSH, push_in_others_turn, pushed
from tests.scenes.kinds import Group
from tests.scenes.parts import ENDED, finish
from tests.scenes.places import ANY, BEARING_OFF, BEFORE_BEARING_OFF, CONTACT, bearing_off_past
from tests.scenes.stage import NoChanceError, Pair, Stage, legal_turn, sit_down

HONEST_HANDS: Final = Group()
CHEATING_HANDS: Final = Group()


def _thrown(stage: Stage) -> tuple[Pair, list[Position]]:
    """A roll, and the boards on the way of a legal play of it."""
    dice, after = legal_turn(stage, wanted=2)
    boards = way(stage.board, stage.side, Roll.from_dice(*dice), after)
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    return dice, boards


def _points_of(stage: Stage, side: Side) -> list[int]:
    """The points (1..24) on which checkers of a side lie."""
    return [point for point in range(1, 25) if stage.board.checkers(side, point)]


@HONEST_HANDS.add("the other's hand is over the board while the play is made")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, ENDED)
    dice, boards = _thrown(stage)
    stage.cover(stage.side.opponent, rng.sample(range(1, 25), 4))
    stage.touch(stage.side, boards)
    return finish(stage, dice)


@HONEST_HANDS.add("the other points at the very points where the play was made")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ANY, ENDED)
    dice, boards = _thrown(stage)
    before = stage.board
    stage.touch(stage.side, boards)
    stage.see(rng.randint(1, 3))
    stage.reach(stage.side.opponent, changed_points(before, stage.board))
    return finish(stage, dice)


@HONEST_HANDS.add("the other straightens checkers of its own in the player's turn")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEFORE_BEARING_OFF, ENDED)
    dice, boards = _thrown(stage)
    stage.reach(stage.side.opponent, rng.sample(_points_of(stage, stage.side.opponent), 2))
    stage.see()
    stage.wait(0.5, 2.0)
    stage.touch(stage.side, boards)
    return finish(stage, dice)


@HONEST_HANDS.add("the player straightens checkers of the other's after the play")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ANY, ENDED)
    dice, boards = _thrown(stage)
    stage.touch(stage.side, boards)
    stage.see()
    stage.reach(stage.side, rng.sample(_points_of(stage, stage.side.opponent), 1))
    return finish(stage, dice)


@HONEST_HANDS.add("the other takes a checker up too early, and lays it back")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEARING_OFF, ENDED)
    dice, boards = _thrown(stage)
    stage.touch(stage.side, boards)
    stage.see(rng.randint(2, 3))
    stood, other = stage.board, stage.side.opponent
    lifted = Facing.of(stood, other)
    after = lifted.moved(rng.choice([at for at in range(1, 25) if lifted.own[at]]), 0).position()
    assert after is not None
    stage.lay(other, after)
    stage.see(1)
    stage.wait(0.5, 2.0)
    stage.lay(other, stood)
    return finish(stage, dice)


@CHEATING_HANDS.add("pushes his checker out of turn while the other makes the play", needs_hands=True)
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, ENDED)
    dice, boards = _thrown(stage)
    thief = stage.side.opponent
    stage.do(thief, PUSHED, whose=SAID_OF_PUSH)
    stage.touch(stage.side, boards)
    played = stage.board
    stage.lay(thief, pushed(stage, thief))
    finish(stage, dice)
    assert stage.deed is not None
    made = stage.deed.ply
    stage.plies[made] = replace(stage.plies[made], after=played, also=(stage.plies[made].after,))
    return stage


@CHEATING_HANDS.add("pushes two checkers out of turn, in the opponent's turn", needs_hands=True)
def _(rng: Random) -> Stage:
    return push_in_others_turn(sit_down(rng, CONTACT, ENDED), rng, checkers=2)


@CHEATING_HANDS.add("brings a checker of the opponent back after the play, tray seen", needs_hands=True)
def _(rng: Random) -> Stage:
    stage = sit_down(rng, (bearing_off_past,), ENDED, trays=True)
    dice, boards = _thrown(stage)
    stage.touch(stage.side, boards)
    stage.see()
    board = Facing.of(stage.board, stage.side)
    free = [at for at in range(19, 25) if not board.own[at]]
    if not board.other[25] or not free:
        raise NoChanceError
    stage.do(stage.side, {"checker_extra", "opponent_moved"}, whose=SAID_OF_PUSH)
    after = board.other_moved(25, rng.choice(free)).position()
    assert after is not None
    stage.lay(stage.side, after)
    stage.glance()
    stage.over(dice, legal=False)
    stage.end(stage.plies[-1].side)
    stage.close()
    return stage
