"""Scenes in which somebody does something against the rules."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from controller.rules.position import Position, Roll, Side
from tests.scenes import illegal
from tests.scenes.board import POINTS, Facing, can_play, changed_points, lawful, way
from tests.scenes.illegal import ORDINARY, Attempt, Way, Wrong, wrongs
from tests.scenes.kinds import Group
from tests.scenes.parts import ENDED, arm_over, finish, hide_until_next_roll, turn_cube
from tests.scenes.places import (
    ANY,
    BEARING_OFF,
    BEFORE_BEARING_OFF,
    CONTACT,
    Sort,
    bearing_in,
    bearing_off_past,
    chosen,
    on_bar,
    one_number,
)
from tests.scenes.stage import (
    CAMERA,
    ELECTRONIC,
    Dice,
    Ending,
    NoChanceError,
    Pair,
    Stage,
    legal_turn,
    sit_down,
)

CHEATING: Final = Group()
TABLES: Final = (*ELECTRONIC, *((Dice.ELECTRONIC, Ending.DONE),) * 3, (Dice.ELECTRONIC, Ending.CLOCK))
"""Mostly somebody presses something."""
PUSHED: Final = frozenset(
    {
        "moved_out_of_turn",
        "out_of_turn",
        "extra_checker_moved",
        "wrong_distance",
        "dice_mismatch",
        "backwards",
    }
)
"""Right names for a checker that its owner moves on when it is not his turn; as a part of his turn before, too."""
SAID_OF_PUSH: Final = frozenset({"moved_out_of_turn"})
"""What the device may only ask as long as it does not tell whose hand it was."""
OTHER_DICE: Final = frozenset({"dice_mismatch", "wrong_distance"})
ROLLED_AGAIN: Final = frozenset({"rolled_again"})
TURNED_OVER: Final = frozenset({"rolled_again", "die_turned", "dice_turned"})
NOT_ALLOWED: Final = frozenset({"refused", "not_now"})


PLAYS: Final[list[str]] = []
"""Kinds in which a single roll is played wrongly."""


def _played_wrong(
    name: str, how: Way, sorts: Sequence[Sort], *, needs_hands: bool = False, trays: bool | None = None
) -> None:
    """A kind in which a roll is played wrongly; it is left standing, or put right by either player."""

    def make(rng: Random) -> Stage:
        stage = sit_down(rng, sorts, TABLES, trays=trays)
        return play_wrong(stage, how)

    CHEATING.add(name, needs_hands=needs_hands)(make)
    PLAYS.append(name)


def attempts(stage: Stage, ways: Sequence[Way]) -> tuple[Pair, Wrong]:
    """A roll, and an illegal play of it in one of these ways."""
    for roll in stage.shuffled_rolls():
        attempt = Attempt(stage.board, stage.side, roll)
        for how in stage.rng.sample(ways, len(ways)):
            found = wrongs(how, attempt)
            if found:
                return roll.dice, stage.rng.choice(found)
    raise NoChanceError


def lay_wrong(stage: Stage, dice: Pair, wrong: Wrong) -> None:
    """The roll is made and played wrongly: in one touch, or after a legal beginning."""
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    stage.do(stage.side, wrong.codes, whose=SAID_OF_PUSH)
    begun = way(
        stage.board,
        stage.side,
        Roll.from_dice(*dice),
        chosen(stage.board, stage.side, Roll.from_dice(*dice), stage.rng),
    )
    towards = [board for board in begun[:-1] if len(changed_points(board, wrong.after)) < 6]
    if towards and stage.rng.random() < 0.25:
        stage.touch(stage.side, towards[:1])
        stage.see()
        stage.wait(0.5, 2.0)
    stage.elsewhere[stage.side.opponent] -= wrong.pocketed
    stage.lay(stage.side, wrong.after)
    stage.glance()


def play_wrong(stage: Stage, *ways: Way, right: float = 0.45) -> Stage:
    """A roll is played wrongly, and honest turns follow, after it was put right or not (with that chance)."""
    dice, wrong = attempts(stage, ways)
    before, side = stage.board, stage.side
    lay_wrong(stage, dice, wrong)
    if stage.manner.ending is Ending.ROLL or stage.rng.random() > right:
        leave_standing(stage, dice)
    else:
        stage.conclude(side)
        stage.see(stage.rng.randint(2, 4))
        put_right(stage, dice, before, wrong)
    stage.close()
    return stage


def leave_standing(stage: Stage, dice: Pair) -> None:
    """The turn ends, and nobody minds."""
    side = stage.side
    stage.over(dice, legal=False)
    stage.end(side)


def put_right(stage: Stage, dice: Pair, before: Position, wrong: Wrong, by: Side | None = None) -> None:
    """One of the players takes the play back, and a legal one is made: at once, or after a look at the board."""
    side, tried = stage.side, stage.board
    stage.wait(1.0, 6.0)
    hand = by or stage.rng.choice([side, side, side.opponent])
    after = chosen(before, side, Roll.from_dice(*dice), stage.rng)
    stage.elsewhere[side.opponent] += wrong.pocketed
    at_once = hand is side and after != before and stage.rng.random() < 0.4
    if not at_once:
        stage.lay(hand, before)
        stage.see(stage.rng.randint(2, 4))
        stage.wait(0.5, 3.0)
    if after != stage.board:
        stage.lay(side, after)
    stage.see(stage.rng.randint(2, 4))
    stage.over(dice, tried=(tried,))
    stage.end(side)


_played_wrong("wrong dice played (5-3 as 6-3)", illegal.play_other_roll, BEFORE_BEARING_OFF)
_played_wrong("one pip too many", illegal.go_one_too_far, BEFORE_BEARING_OFF)
_played_wrong("an extra checker moved", illegal.move_one_more, BEFORE_BEARING_OFF)
_played_wrong("moves backwards", illegal.move_backwards, BEFORE_BEARING_OFF)
_played_wrong("lands on a made point (hits two)", illegal.land_on_two, CONTACT)
_played_wrong("moves with a checker on the bar", illegal.leave_bar, (on_bar,))
_played_wrong("plays one number where both can be", illegal.leave_number, BEFORE_BEARING_OFF)


@CHEATING.add("plays the smaller where only one can be")
def _(rng: Random) -> Stage:
    return play_wrong(sit_down(rng, (one_number,), TABLES, turns=1), illegal.play_smaller)


@CHEATING.add("does not play though he could")
def _(rng: Random) -> Stage:
    return play_nothing(sit_down(rng, ANY, TABLES[:2]))


def play_nothing(stage: Stage) -> Stage:
    """A roll that could be played is not, and the turn is ended."""
    dice, _ = legal_turn(stage)
    stage.throw(stage.side, dice, seen=stage.rng.randint(1, 3))
    stage.wait(1.0, 6.0)
    stage.do(stage.side, {"nothing_moved", "unused_die"})
    leave_standing(stage, dice)
    stage.close()
    return stage


for _seen, _named in ((True, "tray seen"), (False, "no tray")):
    _played_wrong(
        f"bears off with too small a number, {_named}", illegal.bear_off_from_above, BEARING_OFF, trays=_seen
    )
    _played_wrong(f"takes one too many off, {_named}", illegal.bear_off_one_more, BEARING_OFF, trays=_seen)
    _played_wrong(
        f"bears off low with a higher left, {_named}", illegal.bear_off_low, BEARING_OFF, trays=_seen
    )
    _played_wrong(
        f"takes a checker of the opponent off, {_named}",
        illegal.take_other,
        ANY,
        trays=_seen,
        needs_hands=True,
    )
_played_wrong("bears off with a checker outside home", illegal.bear_off_early, (bearing_in,))
_played_wrong(
    "brings one of the opponent's back from the tray", illegal.bring_back_other, BEARING_OFF, needs_hands=True
)
_played_wrong("takes a checker of his own off the board (not home)", illegal.take_own, BEFORE_BEARING_OFF)
_played_wrong("moves the opponent's checker in his turn", illegal.move_other, ANY, needs_hands=True)
_played_wrong("hits, but lays the hit checker on a point", illegal.hide_hit, CONTACT)
_played_wrong("enters by the wrong number", illegal.enter_elsewhere, (on_bar,))
_played_wrong("returns a borne-off checker to his board", illegal.return_own, (bearing_off_past,))


# Out of turn.


def pushed(stage: Stage, side: Side, *, checkers: int = 1) -> Position:
    """The board after checkers of ``side``, who has just ended a turn, were pushed on by a point or a few.

    It does not look like another legal play of that turn.
    """
    board = Facing.of(stage.board, side)
    for _ in range(checkers):
        chances = [
            (at, at - by)
            for at in range(24, 1, -1)
            for by in (1, 1, 2, 3)
            if board.own[at] and at > by and not board.other[at - by]
        ]
        if not chances:
            raise NoChanceError
        board = board.moved(*stage.rng.choice(chances))
    after = board.position()
    last, before = stage.plies[-1], stage.before_last
    if after is None or after in (stage.board, *lawful(before, side, Roll.from_dice(*last.dice or (1, 1)))):
        raise NoChanceError
    return after


@CHEATING.add("pushes his checker out of turn, hidden until the roll", needs_hands=True)
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, ENDED)
    mover, stood = stage.side.opponent, stage.board
    after = pushed(stage, mover)
    stage.do(mover, PUSHED, whose=SAID_OF_PUSH)
    hidden = arm_over(rng, changed_points(stood, after)[:1])
    hidden = sorted({*hidden, *changed_points(stood, after)})
    stage.rest_arm(mover, hidden)
    stage.see(2)
    stage.reach(mover, hidden)
    stage.board = after
    stage.see(rng.randint(1, 2))
    stage.wait(0.5, 3.0)
    stage.amend(also=(stood, after))
    dice = stage.some_dice()
    stage.throw(stage.side, dice, seen=0)
    stage.see(rng.randint(1, 2))
    stage.lift_arm()
    stage.see(rng.randint(2, 3))
    stage.play(chosen(stage.board, stage.side, Roll.from_dice(*dice), rng), dice)
    return finish(stage, dice, at_rest=True)


@CHEATING.add("pushes his checker out of turn, one picture before the roll", needs_hands=True)
def _(rng: Random) -> Stage:
    return push_before_roll(sit_down(rng, CONTACT, ENDED), readings=1)


@CHEATING.add("pushes his checker out of turn, seen before the roll", needs_hands=True)
def _(rng: Random) -> Stage:
    return push_before_roll(sit_down(rng, CONTACT, ENDED), readings=rng.randint(2, 4))


def push_before_roll(stage: Stage, readings: int, checkers: int = 1) -> Stage:
    """Who has just ended a turn pushes a checker on while the other is about to roll."""
    mover, stood = stage.side.opponent, stage.board
    stage.do(mover, PUSHED, whose=SAID_OF_PUSH)
    stage.lay(mover, pushed(stage, mover, checkers=checkers))
    stage.see(readings)
    stage.amend(also=(stood, stage.board))
    if readings > 1:
        stage.wait(0.5, 4.0)
    stage.close(3)
    return stage


@CHEATING.add("pushes his checker out of turn, in the opponent's turn", needs_hands=True)
def _(rng: Random) -> Stage:
    return push_in_others_turn(sit_down(rng, CONTACT, ENDED), rng)


def push_in_others_turn(stage: Stage, rng: Random, checkers: int = 1) -> Stage:
    """Who has just ended a turn pushes checkers on between the other's roll and play."""
    dice = stage.some_dice()
    mover, stood = stage.side.opponent, stage.board
    stage.throw(stage.side, dice, seen=2)
    stage.wait(0.5, 3.0)
    stage.do(mover, PUSHED, whose=SAID_OF_PUSH)
    stage.lay(mover, pushed(stage, mover, checkers=checkers))
    stage.see()
    stage.amend(also=(stood, stage.board))
    stage.play(chosen(stage.board, stage.side, Roll.from_dice(*dice), rng), dice)
    return finish(stage, dice, at_rest=True)


@CHEATING.add("plays the opponent's roll (out of turn)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, TABLES)
    roller, thief = stage.side, stage.side.opponent
    before, dice = stage.board, stage.some_dice()
    ends = [end for end in lawful(before, thief, Roll.from_dice(*dice)) if end != before]
    if not ends:
        raise NoChanceError
    stage.throw(roller, dice, seen=rng.randint(1, 3))
    stage.wait(0.5, 3.0)
    stage.do(thief, PUSHED, whose=SAID_OF_PUSH)
    stolen = rng.choice(ends)
    stage.amend(also=(before, stolen))
    stage.touch(thief, way(before, thief, Roll.from_dice(*dice), stolen))
    stage.see(rng.randint(2, 4))
    # Both take it for the thief's turn: the roll is used up.
    if stage.manner.ending is not Ending.ROLL:
        stage.conclude(thief)
    stage.see(rng.randint(1, 3))
    stage.wait()
    stage.close()
    return stage


@CHEATING.add("points hidden, one checker pushed on under the hand")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEFORE_BEARING_OFF, ENDED)
    dice, after = legal_turn(stage)
    mover = stage.side
    boards = way(stage.board, mover, Roll.from_dice(*dice), after)
    board = Facing.of(after, mover)
    chances = [
        moved
        for at in POINTS
        if board.own[at] and at > 1 and not board.other[at - 1]
        if (moved := board.moved(at, at - 1).position())
        not in lawful(stage.board, mover, Roll.from_dice(*dice))
    ]
    wrong = rng.choice(chances) if chances else None
    if wrong is None:
        raise NoChanceError
    hidden = sorted({*arm_over(rng, changed_points(after, wrong)), *changed_points(after, wrong)})
    stage.throw(mover, dice)
    stage.wait(0.5, 4.0)
    stage.touch(mover, boards)
    stage.rest_arm(mover, hidden)
    stage.see(rng.randint(1, 3))
    stage.do(mover, {"extra_checker_moved", "wrong_distance", "dice_mismatch", "backwards"})
    stage.board = wrong
    stage.see(2)
    stage.over(dice, legal=False)
    hide_until_next_roll(stage, mover, hidden)
    return stage


# Dice.


@CHEATING.add("rolls a valid roll again")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ANY, TABLES)
    return roll_again(stage, ROLLED_AGAIN)


@CHEATING.add("rolls again (camera dice)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ANY, CAMERA)
    return roll_again(stage, ROLLED_AGAIN)


def roll_again(stage: Stage, messages: Iterable[str]) -> Stage:
    """A roll that displeases is thrown once more before anything was moved, and the second one is played."""
    first, second, after = two_rolls(stage)
    stage.throw(stage.side, first)
    stage.wait(1.0, 4.0)
    stage.do(stage.side, OTHER_DICE, messages=messages)
    if stage.manner.dice is Dice.CAMERA:
        stage.reach(stage.side, lasts=1.0)
        stage.lying = []
        stage.see(stage.rng.randint(0, 2))
    stage.throw(stage.side, second)
    return play_other(stage, first, second, after)


@CHEATING.add("turns a die to another number (camera dice)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ANY, CAMERA)
    return turn_die(stage)


def turn_die(stage: Stage, common: int = 1) -> Stage:
    """A die or both are turned over by hand, and what they show then is played; ``common`` dice stay as they are."""
    first, second, after = two_rolls(stage, common)
    stage.throw(stage.side, first)
    stage.wait(0.8, 4.0)
    stage.do(stage.side, OTHER_DICE, messages=TURNED_OVER)
    stage.reach(stage.side, lasts=0.8)
    stage.lying = [second]
    stage.see(stage.rng.randint(2, 4))
    return play_other(stage, first, second, after)


def two_rolls(stage: Stage, common: int = 0) -> tuple[Pair, Pair, Position]:
    """Two rolls that share so many dice, and a play of the second one that the first one does not allow."""
    rolls = [roll for roll in stage.shuffled_rolls() if can_play(stage.board, stage.side, roll)]
    for second in rolls:
        ends = [after for after in lawful(stage.board, stage.side, second) if after != stage.board]
        for first in rolls:
            alike = len(set(first.dice) & set(second.dice))
            if first is second or first.is_double or alike != common or (common and second.is_double):
                continue
            legal = set(lawful(stage.board, stage.side, first))
            new = [after for after in ends if after not in legal]
            if new:
                return first.dice, second.dice, stage.rng.choice(new)
    raise NoChanceError


def play_other(stage: Stage, first: Pair, second: Pair, after: Position) -> Stage:
    """What the second roll shows is played; the first one was valid."""
    side = stage.side
    stage.play(after, second)
    stage.over(first, legal=False)
    stage.end(side)
    stage.close()
    return stage


@CHEATING.add("wrong dice played, camera dice")
def _(rng: Random) -> Stage:
    return play_wrong(sit_down(rng, BEFORE_BEARING_OFF, CAMERA), illegal.play_other_roll)


# The cube.


@CHEATING.add("turns the cube alone, towards himself, and rolls")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, ENDED, cube=True)
    # That the other has not offered it is what the device may only ask: he may have said so.
    stage.do(stage.side, {"cube_moved"}, whose={"cube_moved"})
    turn_cube(stage, stage.side, (2, str(stage.side)))
    stage.close(3)
    return stage


@CHEATING.add("doubles when it is not his turn (button)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, ENDED)
    stage.do(stage.side.opponent, (), messages=NOT_ALLOWED)
    stage.press("double", stage.side.opponent)
    stage.see(rng.randint(1, 3))
    stage.wait(0.5, 3.0)
    stage.close(3)
    return stage


@CHEATING.add("doubles after his roll (button)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, ENDED)
    dice, after = legal_turn(stage)
    stage.throw(stage.side, dice)
    stage.wait(0.5, 3.0)
    stage.do(stage.side, (), messages=NOT_ALLOWED)
    stage.press("double", stage.side)
    stage.see(rng.randint(1, 3))
    stage.play(after, dice)
    return finish(stage, dice, at_rest=True)


@CHEATING.add("turns the cube to the other side 2 s after his roll")
def _(rng: Random) -> Stage:
    return steal_cube(sit_down(rng, CONTACT, ENDED, cube=True), after_s=2.0)


@CHEATING.add("turns the cube to the other side 6 s after his roll")
def _(rng: Random) -> Stage:
    return steal_cube(sit_down(rng, CONTACT, ENDED, cube=True), after_s=6.0)


def steal_cube(stage: Stage, after_s: float, face: int = 2, *, to_other: bool = True) -> Stage:
    """A roll falls, and so many seconds later the cube is turned as if that had been a double; nobody says a word.

    It is laid on the other's side, or else on the player's own.
    """
    dice, after = legal_turn(stage)
    begun = len(stage.lines)
    stage.throw(stage.side, dice, seen=2)
    thrown = next(line["t"] for line in stage.lines[begun:] if line["kind"] == "rolled" or "dice" in line)
    stage.t = max(stage.t, thrown + after_s - 0.6)
    stage.do(stage.side, {"cube_moved"}, messages={"cube_moved", *NOT_ALLOWED})
    stage.reach(stage.side, lasts=0.5)
    stage.cube = (face, str(stage.side.opponent if to_other else stage.side))
    stage.see(stage.rng.randint(3, 5))
    stage.play(after, dice)
    return finish(stage, dice, at_rest=True)


# After the flag.


@CHEATING.add("flagged, presses TAKE himself")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEFORE_BEARING_OFF, TABLES)
    if stage.manner.ending is Ending.ROLL:
        raise NoChanceError
    dice, wrong = attempts(stage, ORDINARY)
    side = stage.side
    lay_wrong(stage, dice, wrong)
    stage.conclude(side)
    stage.see(rng.randint(2, 4))
    stage.wait(0.8, 4.0)
    stage.press("take", side)
    leave_standing_at_rest(stage, dice)
    stage.close()
    return stage


def leave_standing_at_rest(stage: Stage, dice: Pair) -> None:
    """Nobody does anything more about it."""
    side = stage.side
    stage.over(dice, legal=False)
    stage.linger(side)


@CHEATING.add("flagged, puts it right with another illegal play")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEFORE_BEARING_OFF, TABLES)
    if stage.manner.ending is Ending.ROLL:
        raise NoChanceError
    dice, wrong = attempts(stage, ORDINARY)
    side, before, roll = stage.side, stage.board, Roll.from_dice(*dice)
    others = [
        other
        for how in ORDINARY
        for other in wrongs(how, Attempt(before, side, roll))
        if len(changed_points(wrong.after, other.after)) >= 2
    ]
    if not others:
        raise NoChanceError
    lay_wrong(stage, dice, wrong)
    stage.conclude(side)
    stage.see(rng.randint(2, 4))
    stage.wait(1.0, 5.0)
    other = rng.choice(others)
    stage.do(side, wrong.codes | other.codes)
    tried = stage.board
    stage.lay(side, other.after)
    stage.see(rng.randint(2, 4))
    stage.over(dice, legal=False, tried=(tried,))
    stage.end(side)
    stage.close()
    return stage


@CHEATING.add("illegal play left standing, play goes on")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ANY, TABLES)
    return play_wrong(stage, *ORDINARY, right=0.0)


@CHEATING.add("puts the flagged play right: both lines")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ANY, TABLES)
    if stage.manner.ending is Ending.ROLL:
        raise NoChanceError
    made = play_wrong(stage, *ORDINARY, right=1.0)
    assert made.deed is not None
    made.deed = replace(made.deed, corrected=True)
    return made
