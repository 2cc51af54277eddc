"""What several kinds of scenes have in common."""

from collections.abc import Sequence
from random import Random
from typing import Final

from controller.rules.position import Position, Roll, Side
from tests.scenes.board import POINTS, Facing, can_play, is_closed_out, lawful, way
from tests.scenes.illegal import ORDINARY, Attempt, wrongs
from tests.scenes.places import chosen
from tests.scenes.stage import CAMERA, ELECTRONIC, Ending, NoChanceError, Pair, Stage, legal_turn

ENDED: Final = tuple(way for way in (*ELECTRONIC, *CAMERA) if way[1] is not Ending.ROLL)
"""Tables at which something ends a turn before the next roll."""


def finish(stage: Stage, dice: Pair, *, at_rest: bool = False) -> Stage:
    """The play is made: the board is looked at, the turn ends, and honest turns follow."""
    if not at_rest:
        stage.glance()
    stage.over(dice)
    stage.end(stage.plies[-1].side)
    stage.close()
    return stage


def illegal_try(stage: Stage) -> tuple[Pair, Position]:
    """A roll and an illegal play of it, where something legal can be played, too."""
    for roll in stage.shuffled_rolls():
        attempt = Attempt(stage.board, stage.side, roll)
        for way_of_it in stage.rng.sample(ORDINARY, len(ORDINARY)):
            found = wrongs(way_of_it, attempt) if attempt.ends else []
            if found:
                return roll.dice, stage.rng.choice(found).after
    raise NoChanceError


def hitting_turn(stage: Stage) -> tuple[Pair, Position]:
    """A roll and a play of it that hits, and ends on the point where it hit."""
    for roll in stage.shuffled_rolls():
        ends = lawful(stage.board, stage.side, roll)
        stage.rng.shuffle(ends)
        board = Facing.of(stage.board, stage.side)
        for after in ends:
            ended = Facing.of(after, stage.side)
            hit = sum(board.other[at] == 1 and ended.own[at] > 0 for at in POINTS)
            if hit == ended.other[0] - board.other[0] == 1:
                return roll.dice, after
    raise NoChanceError


def without_bar(position: Position, side: Side, checkers: int) -> Position:
    """The board while checkers of ``side`` that belong on its bar are still in a hand."""
    bars = {each: position.bar(each) - (checkers if each is side else 0) for each in Side}
    return Position.seen(position.points, bars[Side.LIGHT], bars[Side.DARK])


def dropped(stage: Stage, side: Side) -> Position:
    """The board with one checker of ``side`` somewhere else, on a free point or on one of its own."""
    board = Facing.of(stage.board, side)
    sources = [at for at in POINTS if board.own[at]]
    for _ in range(50):
        source, target = stage.rng.choice(sources), stage.rng.randint(1, 24)
        after = board.moved(source, target).position()
        if source != target and not board.other[target] and after is not None:
            return after
    raise NoChanceError


def slipped(stage: Stage, many: dict[Side, int]) -> Position:
    """The board after so many checkers of each side slipped to points beside theirs that the other does not hold."""
    board = Facing.of(stage.board, Side.LIGHT)
    touched = set[int]()
    for side, count in many.items():
        for _ in range(count):
            mine, others = (board.own, board.other) if side is Side.LIGHT else (board.other, board.own)
            chances = [
                (at, to)
                for at in POINTS
                for to in (at - 1, at + 1)
                if mine[at] and 1 <= to <= 24 and (at - 1) // 6 == (to - 1) // 6 and not others[to]
                if not {at, to} & touched
            ]
            if not chances:
                raise NoChanceError
            source, target = stage.rng.choice(chances)
            mine[source] -= 1
            mine[target] += 1
            touched |= {source, target}
    after = board.position()
    assert after is not None
    return after


def bump(stage: Stage, many: dict[Side, int]) -> Position:
    """The table is jolted, or an arm brushes checkers of both sides; gives the board as it was."""
    stood = stage.board
    stage.lay(stage.rng.choice([None, *Side]), slipped(stage, many))
    stage.see(stage.rng.randint(2, 4))
    stage.amend(also=(stood, stage.board))
    return stood


def bump_put_back(stage: Stage, many: dict[Side, int]) -> Stage:
    """After a turn the board is bumped; it is put back before the next roll or after it."""
    stood = bump(stage, many)
    stage.wait(1.5, 5.0)
    if stage.rng.random() < 0.5:
        stage.lay(stage.rng.choice(list(Side)), stood)
        stage.see(stage.rng.randint(2, 4))
        stage.wait(0.5, 3.0)
        stage.close(3)
        return stage
    bumped = stage.board
    stage.board = stood
    dice, after = legal_turn(stage)
    stage.board = bumped
    stage.throw(stage.side, dice)
    stage.see(stage.rng.randint(2, 4))
    stage.wait(1.5, 5.0)
    stage.lay(stage.rng.choice(list(Side)), stood)
    stage.see(stage.rng.randint(2, 4))
    stage.play(after, dice)
    return finish(stage, dice, at_rest=True)


def bump_left(stage: Stage, many: dict[Side, int]) -> Stage:
    """After a turn the board is bumped, and play goes on from how it lies."""
    bump(stage, many)
    stage.wait(0.5, 4.0)
    stage.close(3)
    return stage


def early_roll(stage: Stage, readings: int) -> Stage:
    """The other side rolls when half of the play is made and was seen so many times."""
    dice, after = legal_turn(stage, wanted=2)
    mover = stage.side
    boards = way(stage.board, mover, Roll.from_dice(*dice), after)
    stage.throw(mover, dice)
    stage.wait(0.5, 4.0)
    if readings:
        stage.touch(mover, boards[:1])
        stage.see(readings)
        stage.wait(0.3, 1.5)
    early = next(
        (
            roll.dice
            for roll in stage.shuffled_rolls()
            if can_play(after, mover.opponent, roll) and not roll.is_double
        ),
        None,
    )
    if early is None:
        raise NoChanceError
    stage.throw(mover.opponent, early, seen=stage.rng.randint(0, 1))
    stage.wait(0.3, 2.0)
    stage.touch(mover, boards[1:] if readings else boards)
    stage.see(stage.rng.randint(2, 4))
    stage.over(dice)
    if stage.manner.ending is Ending.DONE and stage.rng.random() < 0.3:
        stage.conclude(mover)
    stage.play(chosen(stage.board, stage.side, Roll.from_dice(*early), stage.rng), early)
    return finish(stage, early, at_rest=True)


def closed_turn(stage: Stage) -> None:
    """A turn after which the other side is closed out still."""
    for roll in stage.shuffled_rolls():
        ends = [
            after
            for after in lawful(stage.board, stage.side, roll)
            if after != stage.board and is_closed_out(after, stage.side.opponent)
        ]
        if ends:
            stage.turn(roll.dice, stage.rng.choice(ends))
            return
    raise NoChanceError


def restart(stage: Stage) -> None:
    """The program ends and starts again; nobody saw whose hands were over the board meanwhile."""
    stage.wait(2.0, 10.0)
    stage.say("director", "resumed")
    stage.hands = None


def misread_board(stage: Stage) -> Position:
    """The board with one point read wrong: a checker more, a checker less, or one where none is."""
    counts = list(stage.board.points)
    at = stage.rng.randrange(24)
    counts[at] += stage.rng.choice([-1, 1]) * (1 if counts[at] >= 0 else -1)
    return Position.seen(counts, stage.board.bar(Side.LIGHT), stage.board.bar(Side.DARK))


def arm_over(rng: Random, points: Sequence[int]) -> list[int]:
    """Points that an arm hides: one of these at least, and some beside it."""
    if not points:
        raise NoChanceError
    at = rng.choice(points)
    return [point for point in range(at - rng.randint(0, 2), at + rng.randint(1, 3)) if 1 <= point <= 24]


def hide_until_next_roll(stage: Stage, mover: Side, hidden: Sequence[int]) -> None:
    """The turn is over, and an arm of the mover hides points until the other has rolled, or has played."""
    stage.rest_arm(mover, hidden)
    stage.t += stage.rng.uniform(0.3, 1.5)
    match stage.manner.ending:
        case Ending.DONE:
            stage.press("done", mover)
        case Ending.CLOCK:
            stage.press(f"clock_{mover}", mover)
        case Ending.LIFTED:
            stage.lying = []
        case Ending.ROLL:
            pass
    stage.see(stage.rng.randint(2, 3))
    if stage.lying and stage.manner.ending is not Ending.ROLL:
        stage.lying = []
        stage.see(2)
    stage.wait(0.5, 4.0)
    dice = stage.some_dice()
    stage.throw(stage.side, dice, seen=0)
    stage.see(stage.rng.randint(2, 3))
    if stage.rng.random() < 0.6:
        stage.lift_arm()
        stage.see(stage.rng.randint(2, 3))
    else:
        # It goes while the other plays.
        stage.arm = None
    stage.play(chosen(stage.board, stage.side, Roll.from_dice(*dice), stage.rng), dice)
    finish(stage, dice, at_rest=True)


def bear_off(stage: Stage) -> Stage:
    """A turn in which a checker at least is borne off."""
    for roll in stage.shuffled_rolls():
        ends = [
            after
            for after in lawful(stage.board, stage.side, roll)
            if after.off(stage.side) > stage.board.off(stage.side)
        ]
        if ends:
            stage.turn(roll.dice, stage.rng.choice(ends))
            stage.close()
            return stage
    raise NoChanceError


def turn_cube(stage: Stage, by: Side, cube: tuple[int, str], readings: int | None = None) -> None:
    """A hand turns or moves the cube, and it lies there for some readings."""
    stage.wait(0.5, 2.0)
    stage.reach(by, lasts=0.8)
    stage.cube = cube
    stage.see(stage.rng.randint(3, 5) if readings is None else readings)


def double_by_hand(stage: Stage, face: int, *, in_the_middle: bool) -> None:
    """The side to roll turns the cube, in the middle or on the other's side, and the other takes it.

    ``face`` is what is read on it.
    """
    doubler, taker = stage.side, stage.side.opponent
    turn_cube(stage, doubler, (face, "center" if in_the_middle else str(taker)))
    stage.wait(1.0, 5.0)
    if in_the_middle:
        turn_cube(stage, taker, (face, str(taker)))
    stage.acts += [("doubled", str(doubler)), ("taken", str(taker))]
    stage.wait(0.5, 3.0)


def both_at_once(stage: Stage) -> Stage:
    """A turn and the next one go by before the board is read; only one play of the first roll lets both be."""
    dice, after = legal_turn(stage)
    before, first = stage.board, stage.side
    for roll in stage.shuffled_rolls()[:8]:
        later = chosen(after, first.opponent, roll, stage.rng)
        between = [
            one
            for one in lawful(before, first, Roll.from_dice(*dice))
            if later in lawful(one, first.opponent, roll)
        ]
        if between == [after] and later != after:
            break
    else:
        raise NoChanceError
    stage.throw(first, dice)
    stage.wait(0.5, 4.0)
    stage.touch(first, way(before, first, Roll.from_dice(*dice), after))
    stage.over(dice)
    if stage.manner.ending is not Ending.ROLL:
        stage.conclude(first)
    stage.throw(stage.side, roll.dice, seen=0)
    stage.wait(0.3, 1.5)
    stage.touch(stage.side, way(after, stage.side, roll, later))
    return finish(stage, roll.dice)


def restarted(stage: Stage) -> Stage:
    """A restart when half of a play is made and was seen."""
    dice, after = legal_turn(stage, wanted=2)
    boards = way(stage.board, stage.side, Roll.from_dice(*dice), after)
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    stage.touch(stage.side, boards[:1])
    stage.see()
    restart(stage)
    stage.see(stage.rng.randint(2, 4))
    stage.wait(0.5, 4.0)
    stage.touch(stage.side, boards[1:])
    return finish(stage, dice)


def restarted_meanwhile(stage: Stage) -> Stage:
    """A restart while a hand makes the second half of a play."""
    dice, after = legal_turn(stage, wanted=2)
    boards = way(stage.board, stage.side, Roll.from_dice(*dice), after)
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    stage.touch(stage.side, boards[:1])
    stage.see()
    stage.reach(stage.side, lasts=0.5)
    restart(stage)
    stage.touch(stage.side, boards[1:])
    return finish(stage, dice)


def double_by_button(stage: Stage, face: int = 2) -> Stage:
    """The side to roll doubles and the other takes, by button; the cube follows, and its face is read so."""
    doubler = stage.side
    stage.press("double", doubler)
    stage.acts.append(("doubled", str(doubler)))
    if stage.manner.cube and stage.rng.random() < 0.5:
        turn_cube(stage, doubler, (face, "center"))
    stage.wait(0.8, 5.0)
    stage.press("take", doubler.opponent)
    stage.acts.append(("taken", str(doubler.opponent)))
    turn_cube(stage, doubler.opponent, (face, str(doubler.opponent)))
    stage.wait(0.5, 3.0)
    stage.close(3)
    return stage
