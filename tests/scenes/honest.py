"""Scenes in which nobody does anything wrong."""

from random import Random
from typing import Final

from controller.rules.position import Roll, Side
from tests.scenes.board import POINTS, Facing, can_play, changed_points, lawful, way
from tests.scenes.kinds import Group
from tests.scenes.parts import (
    ENDED,
    arm_over,
    bear_off,
    both_at_once,
    bump_left,
    bump_put_back,
    closed_turn,
    double_by_button,
    double_by_hand,
    dropped,
    early_roll,
    finish,
    hide_until_next_roll,
    hitting_turn,
    illegal_try,
    misread_board,
    restarted,
    restarted_meanwhile,
    without_bar,
)
from tests.scenes.places import BEARING_OFF, BEFORE_BEARING_OFF, CONTACT, chosen, closed_out, on_bar
from tests.scenes.stage import (
    ELECTRONIC,
    Dice,
    Ending,
    NoChanceError,
    Stage,
    legal_turn,
    sit_down,
)

HONEST: Final = Group()
BY_BUTTON: Final = ((Dice.ELECTRONIC, Ending.DONE),)
BY_LIFTING: Final = ((Dice.CAMERA, Ending.LIFTED),)
BY_ROLL: Final = (
    (Dice.ELECTRONIC, Ending.ROLL),
    (Dice.ELECTRONIC, Ending.ROLL),
    (Dice.ELECTRONIC, Ending.ROLL),
    (Dice.CAMERA, Ending.ROLL),
)
BY_CLOCK: Final = ((Dice.ELECTRONIC, Ending.CLOCK), (Dice.CAMERA, Ending.CLOCK))
WITH_BUTTON: Final = (
    (Dice.ELECTRONIC, Ending.DONE),
    (Dice.ELECTRONIC, Ending.CLOCK),
    (Dice.CAMERA, Ending.DONE),
)


@HONEST.add("plays on, done pressed")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ways=BY_BUTTON)
    stage.close(3)
    return stage


@HONEST.add("no button: dice lifted (camera dice)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ways=BY_LIFTING)
    stage.close(3)
    return stage


@HONEST.add("no button, no lifting: opponent just rolls")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ways=BY_ROLL)
    stage.close(3)
    return stage


@HONEST.add("clock")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ways=BY_CLOCK)
    stage.close(3)
    return stage


@HONEST.add("hands in view for half a minute")
def _(rng: Random) -> Stage:
    stage = sit_down(rng)
    dice, after = legal_turn(stage)
    stage.throw(stage.side, dice)
    until = stage.t + 30.0
    while stage.t < until:
        stage.reach(stage.side, rng.sample(range(1, 25), 3), lasts=rng.uniform(2.0, 6.0))
        if rng.random() < 0.3:
            stage.rest_arm(stage.side, rng.sample(range(1, 25), rng.randint(2, 6)))
            stage.see(1)
            stage.arm = None
    stage.touch(stage.side, way(stage.board, stage.side, Roll.from_dice(*dice), after))
    return finish(stage, dice)


@HONEST.add("in several touches, thinking in between")
def _(rng: Random) -> Stage:
    stage = sit_down(rng)
    dice, after = legal_turn(stage)
    boards = way(stage.board, stage.side, Roll.from_dice(*dice), after)
    if len(boards) < 2:
        raise NoChanceError
    stage.throw(stage.side, dice)
    for board in boards:
        stage.wait(2.0, 6.0)
        stage.touch(stage.side, [board])
        stage.see()
    return finish(stage, dice, at_rest=True)


@HONEST.add("changes the mind after a legal play")
def _(rng: Random) -> Stage:
    stage = sit_down(rng)
    dice, after = legal_turn(stage)
    roll, before = Roll.from_dice(*dice), stage.board
    others = [one for one in lawful(before, stage.side, roll) if one not in (before, after)]
    if not others:
        raise NoChanceError
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    stage.touch(stage.side, way(before, stage.side, roll, rng.choice(others)))
    stage.see()
    stage.wait(0.8, 5.0)
    stage.lay(stage.side, before)
    if rng.random() < 0.6:
        stage.see()
        stage.wait(0.5, 2.0)
    stage.touch(stage.side, way(before, stage.side, roll, after))
    return finish(stage, dice)


@HONEST.add("tries an illegal play, takes it back unasked")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEFORE_BEARING_OFF)
    dice, tried = illegal_try(stage)
    before, roll = stage.board, Roll.from_dice(*dice)
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    stage.touch(stage.side, [tried])
    stage.see()
    stage.wait(0.5, 5.0)
    stage.lay(stage.side, before)
    if rng.random() < 0.5:
        stage.see()
        stage.wait(0.5, 2.0)
    stage.touch(stage.side, way(before, stage.side, roll, chosen(before, stage.side, roll, rng)))
    return finish(stage, dice)


@HONEST.add("hit checker laid on the bar late")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT)
    dice, after = hitting_turn(stage)
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    held = after.bar(stage.side.opponent) - stage.board.bar(stage.side.opponent)
    stage.touch(stage.side, [without_bar(after, stage.side.opponent, held)])
    stage.see()
    stage.wait(0.5, 3.0)
    stage.lay(stage.side, after)
    return finish(stage, dice)


@HONEST.add("hit checker first on the bar, then the hitter")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT)
    dice, after = hitting_turn(stage)
    board = Facing.of(stage.board, stage.side)
    ended = Facing.of(after, stage.side)
    for at in POINTS:
        if board.other[at] == 1 and ended.own[at]:
            board = board.other_moved(at, 0)
    first = board.position()
    assert first is not None
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    stage.touch(stage.side, [first])
    stage.see()
    stage.wait(0.5, 2.5)
    stage.touch(stage.side, [after])
    return finish(stage, dice)


@HONEST.add("a checker dropped on the board, put back")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEFORE_BEARING_OFF)
    dice, after = legal_turn(stage)
    before, roll = stage.board, Roll.from_dice(*dice)
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    boards = way(before, stage.side, roll, after)
    played = boards[: rng.randint(0, len(boards) - 1)]
    if played:
        stage.touch(stage.side, played)
        stage.see()
    stood = stage.board
    stage.lay(stage.side, dropped(stage, stage.side))
    stage.see()
    stage.wait(0.5, 3.0)
    stage.lay(stage.side, stood)
    stage.see()
    stage.wait(0.5, 2.0)
    stage.touch(stage.side, boards[len(played) :])
    return finish(stage, dice)


@HONEST.add("board bumped between turns, put back when asked", question_due=True)
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT)
    return bump_put_back(stage, {Side.LIGHT: 1, Side.DARK: 1})


@HONEST.add("board bumped, nobody minds, play goes on as it lies", question_due=True)
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT)
    return bump_left(stage, {Side.LIGHT: 1, Side.DARK: 1})


@HONEST.add("both at once: opponent rolls and plays before a picture")
def _(rng: Random) -> Stage:
    return both_at_once(sit_down(rng, ways=WITH_BUTTON[:2]))


@HONEST.add("opponent rolls while the player still moves (premature)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ways=((Dice.ELECTRONIC, Ending.DONE), (Dice.ELECTRONIC, Ending.ROLL)))
    return early_roll(stage, readings=rng.randint(1, 3))


@HONEST.add("dice picked up before the play is finished (camera)", question_due=True)
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ways=BY_LIFTING)
    stage.excused = frozenset({"unused_die", "larger_die"})
    dice, after = legal_turn(stage, wanted=2)
    boards = way(stage.board, stage.side, Roll.from_dice(*dice), after)
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    stage.touch(stage.side, boards[:1])
    stage.see()
    stage.lift(stage.side)
    stage.wait(0.5, 3.0)
    stage.touch(stage.side, boards[1:])
    stage.glance()
    stage.over(dice)
    stage.linger(stage.plies[-1].side)
    stage.close()
    return stage


@HONEST.add("dice in hand before the first checker moves (camera)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ways=BY_LIFTING)
    dice, after = legal_turn(stage)
    stage.throw(stage.side, dice)
    stage.wait(0.5, 2.0)
    stage.lift(stage.side)
    stage.play(after, dice)
    stage.over(dice)
    stage.linger(stage.plies[-1].side)
    stage.close()
    return stage


@HONEST.add("cocked dice, rolled again")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ways=ELECTRONIC)
    leaning = stage.some_dice()
    stage.reach(stage.side, lasts=0.6)
    stage.tell("rolled", dice=list(leaning), cocked=True)
    stage.see(rng.randint(0, 2))
    stage.wait(1.0, 4.0)
    stage.close(3)
    return stage


@HONEST.add("forced: only one number can be played")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT)
    for roll in stage.shuffled_rolls():
        ends = lawful(stage.board, stage.side, roll)
        if not roll.is_double and all(len(way(stage.board, stage.side, roll, end)) == 1 for end in ends):
            stage.turn(roll.dice)
            stage.close()
            return stage
    raise NoChanceError


@HONEST.add("dances (no number enters)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, (on_bar,))
    for roll in stage.shuffled_rolls():
        if stage.board.bar(stage.side) and not can_play(stage.board, stage.side, roll):
            stage.turn(roll.dice)
            stage.close()
            return stage
    raise NoChanceError


@HONEST.add("closed out, does not roll")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, (closed_out,), ELECTRONIC, turns=0)
    closed_turn(stage)
    for _ in range(2):
        if stage.manner.ending is not Ending.ROLL and rng.random() < 0.5:
            stage.conclude(stage.side)
            stage.wait(0.5, 2.0)
        stage.over(None)
        closed_turn(stage)
    stage.over(None, open=True)
    stage.throw(stage.side, stage.some_dice())
    stage.see(2)
    return stage


@HONEST.add("program restarted in mid-turn, play half made")
def _(rng: Random) -> Stage:
    return restarted(sit_down(rng, ways=ELECTRONIC))


@HONEST.add("program restarted while the play was being finished")
def _(rng: Random) -> Stage:
    return restarted_meanwhile(sit_down(rng, ways=ELECTRONIC))


@HONEST.add("one wrong reading among many")
def _(rng: Random) -> Stage:
    stage = sit_down(rng)
    dice, after = legal_turn(stage)
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    stage.touch(stage.side, way(stage.board, stage.side, Roll.from_dice(*dice), after))
    stage.see(rng.randint(2, 4))
    stage.see(1, wrong=misread_board(stage))
    stage.see(rng.randint(2, 4))
    return finish(stage, dice, at_rest=True)


@HONEST.add("two wrong readings in a row just before done")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ways=WITH_BUTTON)
    dice, after = legal_turn(stage)
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    stage.touch(stage.side, way(stage.board, stage.side, Roll.from_dice(*dice), after))
    stage.see(rng.randint(1, 3))
    stage.see(2, wrong=misread_board(stage))
    stage.over(dice)
    stage.conclude(stage.plies[-1].side)
    stage.see(rng.randint(2, 4))
    stage.linger(stage.plies[-1].side)
    stage.close()
    return stage


@HONEST.add("points hidden by an arm until the next turn", question_due=True)
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ways=ENDED)
    dice, after = legal_turn(stage)
    hidden = arm_over(rng, changed_points(stage.board, after))
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    mover = stage.side
    stage.touch(mover, way(stage.board, mover, Roll.from_dice(*dice), after))
    stage.rest_arm(mover, hidden)
    stage.see(rng.randint(2, 4))
    stage.over(dice)
    hide_until_next_roll(stage, mover, hidden)
    return stage


@HONEST.add("bears off, trays in sight")
def _(rng: Random) -> Stage:
    return bear_off(sit_down(rng, BEARING_OFF, trays=True))


@HONEST.add("bears off, no trays seen")
def _(rng: Random) -> Stage:
    return bear_off(sit_down(rng, BEARING_OFF, trays=False))


@HONEST.add("bears off, one laid beside the tray")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEARING_OFF, trays=True)
    stage.elsewhere[stage.side] -= 1
    return bear_off(stage)


@HONEST.add("doubles by button, taken by button")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT)
    return double_by_button(stage)


@HONEST.add("doubles by turning the cube, taken by hand")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, ENDED, cube=True)
    double_by_hand(stage, 2, in_the_middle=rng.random() < 0.6)
    stage.close(3)
    return stage
