"""More kinds of scenes, honest ones and such in which somebody does something against the rules."""

from dataclasses import replace
from random import Random
from typing import Final

from controller.rules.position import CHECKERS, Position, Roll, Side
from controller.vision.reading import DieSeen
from tests.scenes import illegal
from tests.scenes.board import Facing, can_play, changed_points, lawful, way
from tests.scenes.cheating import (
    OTHER_DICE,
    TABLES,
    TURNED_OVER,
    attempts,
    lay_wrong,
    leave_standing,
    play_nothing,
    play_wrong,
    push_before_roll,
    steal_cube,
    turn_die,
    two_rolls,
)
from tests.scenes.illegal import ORDINARY
from tests.scenes.kinds import Group
from tests.scenes.parts import (
    ENDED,
    both_at_once,
    bump_left,
    bump_put_back,
    double_by_button,
    double_by_hand,
    dropped,
    early_roll,
    finish,
    hide_until_next_roll,
    hitting_turn,
    misread_board,
    restarted,
    restarted_meanwhile,
    slipped,
    turn_cube,
    without_bar,
)
from tests.scenes.places import (
    ANY,
    BEARING_OFF,
    BEFORE_BEARING_OFF,
    CONTACT,
    Sort,
    chosen,
    nearly_won,
    on_bar,
)
from tests.scenes.stage import (
    CAMERA,
    ELECTRONIC,
    Dice,
    Ending,
    Misread,
    NoChanceError,
    Stage,
    legal_turn,
    sit_down,
)

FURTHER_HONEST: Final = Group()
FURTHER_CHEATING: Final = Group()
ONE_OF_EACH: Final = {Side.LIGHT: 1, Side.DARK: 1}


# Bumps and drops.


@FURTHER_HONEST.add("one checker bumped, put back", question_due=True)
def _(rng: Random) -> Stage:
    return bump_put_back(sit_down(rng, CONTACT), {rng.choice(list(Side)): 1})


@FURTHER_HONEST.add("one checker bumped, nobody minds", question_due=True)
def _(rng: Random) -> Stage:
    return bump_left(sit_down(rng, CONTACT), {rng.choice(list(Side)): 1})


@FURTHER_HONEST.add("two checkers of one side bumped, put back", question_due=True)
def _(rng: Random) -> Stage:
    return bump_put_back(sit_down(rng, CONTACT), {rng.choice(list(Side)): 2})


@FURTHER_HONEST.add("two checkers of one side bumped, nobody minds", question_due=True)
def _(rng: Random) -> Stage:
    return bump_left(sit_down(rng, CONTACT), {rng.choice(list(Side)): 2})


@FURTHER_HONEST.add("two checkers of each side bumped, nobody minds", question_due=True)
def _(rng: Random) -> Stage:
    return bump_left(sit_down(rng, CONTACT), {Side.LIGHT: 2, Side.DARK: 2})


@FURTHER_HONEST.add("board bumped in mid-turn, put back before the turn ends")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT)
    dice, after = legal_turn(stage, wanted=2)
    boards = way(stage.board, stage.side, Roll.from_dice(*dice), after)
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    stage.touch(stage.side, boards[:1])
    stage.see()
    stood = stage.board
    stage.lay(rng.choice([None, *Side]), slipped(stage, ONE_OF_EACH))
    stage.see()
    stage.wait(0.8, 4.0)
    stage.lay(rng.choice(list(Side)), stood)
    stage.see()
    stage.touch(stage.side, boards[1:])
    return finish(stage, dice)


@FURTHER_HONEST.add("a checker of the opponent knocked away while playing, put back")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEFORE_BEARING_OFF)
    dice, after = legal_turn(stage)
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    stage.touch(stage.side, way(stage.board, stage.side, Roll.from_dice(*dice), after))
    stage.see()
    stage.lay(stage.side, dropped(stage, stage.side.opponent))
    stage.see()
    stage.wait(0.5, 3.0)
    stage.lay(rng.choice(list(Side)), after)
    return finish(stage, dice)


@FURTHER_HONEST.add("several illegal trials, all taken back unasked")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEFORE_BEARING_OFF)
    dice, first = attempts(stage, ORDINARY)
    before, roll = stage.board, Roll.from_dice(*dice)
    if not can_play(before, stage.side, roll):
        raise NoChanceError
    trials = [first.after]
    for how in ORDINARY:
        trials += [one.after for one in illegal.wrongs(how, illegal.Attempt(before, stage.side, roll))][:1]
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    for trial in trials[:3]:
        stage.touch(stage.side, [trial])
        stage.see()
        stage.wait(0.5, 3.0)
        stage.lay(stage.side, before)
        stage.see(rng.randint(1, 2))
    stage.touch(stage.side, way(before, stage.side, roll, chosen(before, stage.side, roll, rng)))
    return finish(stage, dice)


@FURTHER_HONEST.add("hit checker laid on the bar only after the turn was ended")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, ENDED)
    dice, after = hitting_turn(stage)
    mover = stage.side
    held = after.bar(mover.opponent) - stage.board.bar(mover.opponent)
    stage.throw(mover, dice)
    stage.wait(0.5, 4.0)
    stage.touch(mover, [without_bar(after, mover.opponent, held)])
    stage.see(rng.randint(1, 3))
    stage.conclude(mover)
    stage.see(rng.randint(1, 2))
    stage.wait(0.5, 2.0)
    stage.lay(rng.choice(list(Side)), after)
    stage.see(rng.randint(2, 4))
    stage.over(dice)
    stage.linger(mover)
    stage.close()
    return stage


# Rolls.


@FURTHER_HONEST.add("opponent rolls early, nothing of the play seen yet", question_due=True)
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ways=ELECTRONIC[:1])
    return early_roll(stage, readings=0)


@FURTHER_HONEST.add("opponent rolls when the play is complete, before done")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ways=ELECTRONIC[:1])
    dice, after = legal_turn(stage)
    mover = stage.side
    stage.throw(mover, dice)
    stage.play(after, dice)
    stage.over(dice)
    early = stage.some_dice()
    stage.throw(stage.side, early, seen=rng.randint(0, 1))
    stage.press("done", mover)
    stage.see(rng.randint(1, 2))
    stage.play(chosen(stage.board, stage.side, Roll.from_dice(*early), rng), early)
    return finish(stage, early, at_rest=True)


@FURTHER_HONEST.add("both at once, and no button", question_due=True)
def _(rng: Random) -> Stage:
    return both_at_once(sit_down(rng, ways=((Dice.ELECTRONIC, Ending.ROLL),)))


@FURTHER_HONEST.add("both roll the same dice in a row (camera)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ways=ENDED[2:])
    dice, after = legal_turn(stage)
    if stage.manner.dice is not Dice.CAMERA or not can_play(
        after, stage.side.opponent, Roll.from_dice(*dice)
    ):
        raise NoChanceError
    stage.turn(dice, after)
    # A pair that was missing in two readings was taken up.
    stage.see(2)
    stage.turn(dice)
    stage.see(2)
    stage.close()
    return stage


@FURTHER_HONEST.add("dice hidden by a hand for one reading (camera)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, ways=CAMERA)
    dice, after = legal_turn(stage)
    stage.throw(stage.side, dice)
    stage.see(1, dice=())
    stage.see(rng.randint(1, 3))
    stage.play(after, dice)
    stage.see(1, dice=())
    stage.see(1)
    return finish(stage, dice)


MISREAD: Final = {6: 4, 5: 3, 4: 6, 3: 5, 2: 3, 1: 2}
"""What a number is taken for when a die is read wrong."""


@FURTHER_HONEST.add("dice misread in the first readings, honest play (camera)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEFORE_BEARING_OFF, CAMERA)
    roll, after = told_by_play(stage)
    stage.throw(stage.side, (MISREAD[roll.high], roll.low))
    stage.lying = [roll.dice]
    stage.see(rng.randint(2, 3))
    stage.wait(0.5, 4.0)
    stage.touch(stage.side, way(stage.board, stage.side, roll, after))
    return finish(stage, roll.dice)


@FURTHER_HONEST.add("a die is doubtful and rather misread in every reading, honest play (camera)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEFORE_BEARING_OFF, CAMERA)
    roll, after = told_by_play(stage)
    stage.throw(stage.side, roll.dice, doubtful=read_doubtfully(rng, roll))
    stage.wait(0.5, 4.0)
    stage.touch(stage.side, way(stage.board, stage.side, roll, after))
    return finish(stage, roll.dice)


def told_by_play(stage: Stage) -> tuple[Roll, Position]:
    """A roll whose higher number will be misread, and a play that tells it: none of the misread roll leads there."""
    for roll in stage.shuffled_rolls():
        if not roll.is_double and MISREAD[roll.high] != roll.low:
            wrong = set(lawful(stage.board, stage.side, Roll.from_dice(MISREAD[roll.high], roll.low)))
            ends = [
                after for after in lawful(stage.board, stage.side, roll) if after not in wrong | {stage.board}
            ]
            if ends:
                return roll, stage.rng.choice(ends)
    raise NoChanceError


def read_doubtfully(rng: Random, roll: Roll) -> tuple[DieSeen, ...]:
    """The dice of a roll as the camera reads them when it rather takes the higher one for another number."""
    wrong, right = rng.uniform(0.45, 0.6), rng.uniform(0.25, 0.4)
    x, y = rng.uniform(200, 800), rng.uniform(200, 500)
    return (
        DieSeen(
            MISREAD[roll.high], x, y, wrong, shares=_shares({MISREAD[roll.high]: wrong, roll.high: right})
        ),
        DieSeen(roll.low, x + 60, y + 20, 0.97, shares=_shares({roll.low: 0.97})),
    )


def _shares(known: dict[int, float]) -> tuple[float, ...]:
    rest = (1 - sum(known.values())) / (6 - len(known))
    return tuple(known.get(number, rest) for number in range(1, 7))


@FURTHER_HONEST.add("dances, by done or clock (camera dice)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, (on_bar,), CAMERA[1:])
    return dance(stage)


@FURTHER_HONEST.add("dances, just lifts the dice")
def _(rng: Random) -> Stage:
    return dance(sit_down(rng, (on_bar,), CAMERA[:1]))


def dance(stage: Stage) -> Stage:
    """No number enters."""
    for roll in stage.shuffled_rolls():
        if stage.board.bar(stage.side) and not can_play(stage.board, stage.side, roll):
            stage.turn(roll.dice)
            stage.close()
            return stage
    raise NoChanceError


@FURTHER_HONEST.add("a double in two touches, a pause in the middle")
def _(rng: Random) -> Stage:
    stage = sit_down(rng)
    dice, after = legal_turn(stage, wanted=4)
    boards = way(stage.board, stage.side, Roll.from_dice(*dice), after)
    stage.throw(stage.side, dice)
    stage.wait(0.5, 4.0)
    stage.touch(stage.side, boards[:2])
    stage.see(rng.randint(2, 4))
    stage.wait(2.0, 6.0)
    stage.touch(stage.side, boards[2:])
    return finish(stage, dice)


@FURTHER_HONEST.add("program restarted in mid-turn (camera dice)")
def _(rng: Random) -> Stage:
    return restarted(sit_down(rng, ways=CAMERA))


@FURTHER_HONEST.add("program restarted while a hand plays (camera dice)")
def _(rng: Random) -> Stage:
    return restarted_meanwhile(sit_down(rng, ways=CAMERA))


@FURTHER_HONEST.add("bears the last checker off")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, (nearly_won,), ENDED, turns=2)
    for roll in stage.shuffled_rolls():
        for after in lawful(stage.board, stage.side, roll):
            if after.off(stage.side) == CHECKERS:
                stage.throw(stage.side, roll.dice)
                stage.play(after, roll.dice)
                stage.over(roll.dice)
                stage.conclude(stage.plies[-1].side)
                stage.see(3)
                return stage
    raise NoChanceError


# The cube.


@FURTHER_HONEST.add("doubles by turning the cube, nobody said that the turn before was over")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, ((Dice.ELECTRONIC, Ending.ROLL),), cube=True)
    double_by_hand(stage, 2, in_the_middle=rng.random() < 0.6)
    stage.close(3)
    return stage


@FURTHER_HONEST.add("doubles by laying the cube on the other's side, taken without a touch")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, ENDED, cube=True)
    double_by_hand(stage, 2, in_the_middle=False)
    stage.close(3)
    return stage


@FURTHER_HONEST.add("doubles by turning the cube, its face read as 64")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, ENDED, cube=True)
    double_by_hand(stage, 64, in_the_middle=False)
    stage.close(3)
    return stage


@FURTHER_HONEST.add("doubles by turning the cube, its face read as 64, later as 2")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, ENDED, cube=True)
    double_by_hand(stage, 64, in_the_middle=False)
    stage.go_on(1)
    stage.cube = (2, stage.cube[1])
    stage.see(3)
    stage.close(2)
    return stage


@FURTHER_HONEST.add("doubles by button, the cube's face read as 64 from then on")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, ENDED, cube=True)
    return double_by_button(stage, face=64)


@FURTHER_HONEST.add("doubles and takes by word, the cube follows a turn later")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, ENDED)
    doubler, taker = stage.side, stage.side.opponent
    stage.say(str(doubler), "double")
    stage.wait(0.8, 4.0)
    stage.say(str(taker), "take")
    stage.acts += [("doubled", str(doubler)), ("taken", str(taker))]
    stage.wait(0.5, 2.0)
    stage.go_on(1)
    turn_cube(stage, rng.choice(list(Side)), (2, str(taker)))
    stage.close(2)
    return stage


@FURTHER_HONEST.add("doubles by button, passed by button")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, CONTACT, ENDED)
    doubler = stage.side
    stage.press("double", doubler)
    stage.wait(0.8, 5.0)
    stage.press("drop", doubler.opponent)
    stage.acts += [("doubled", str(doubler)), ("passed", str(doubler.opponent))]
    stage.see(2)
    return stage


# An eye that errs for good in one place.


def with_misread_pile(rng: Random, sorts: tuple[Sort, ...], ways: tuple[tuple[Dice, Ending], ...]) -> Stage:
    """A table at which a pile of four or more is read as some checkers too many, in every reading of the scene."""
    position, _ = beginning = rng.choice(sorts)(rng)
    piles = [point for point in range(1, 25) if abs(position.points[point - 1]) >= 5]
    if not piles:
        raise NoChanceError
    point = rng.choice(piles)
    by = rng.choice([1, 2, 3, 3]) * (1 if position.points[point - 1] > 0 else -1)
    return sit_down(rng, (lambda _: beginning,), ways, misread=Misread(point, by, 4))


def with_misread_place(rng: Random, sorts: tuple[Sort, ...], ways: tuple[tuple[Dice, Ending], ...]) -> Stage:
    """A table at which a checker is seen on a point where none lies, in every reading of the scene."""
    position, _ = beginning = rng.choice(sorts)(rng)
    point = rng.choice([point for point in range(1, 25) if not position.points[point - 1]])
    return sit_down(rng, (lambda _: beginning,), ways, misread=Misread(point, rng.choice([-1, 1]), 0))


@FURTHER_HONEST.add("a pile is misread for good, honest play")
def _(rng: Random) -> Stage:
    stage = with_misread_pile(rng, CONTACT, ENDED)
    stage.close(3)
    return stage


@FURTHER_HONEST.add("a pile is misread for good, honest play, camera dice")
def _(rng: Random) -> Stage:
    stage = with_misread_pile(rng, CONTACT, CAMERA)
    stage.close(3)
    return stage


@FURTHER_HONEST.add("a checker is seen for good where none is, honest play")
def _(rng: Random) -> Stage:
    stage = with_misread_place(rng, CONTACT, ENDED)
    stage.close(3)
    return stage


@FURTHER_HONEST.add("a tray is misread by one for good, honest bear-off")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEARING_OFF, ENDED, trays=True, turns=0)
    stage.elsewhere[rng.choice(list(Side))] += rng.choice([-1, 1])
    stage.go_on(2)
    stage.close(3)
    return stage


# What is done against the rules.


def _beside_misread(name: str, how: tuple[illegal.Way, ...], ways: tuple[tuple[Dice, Ending], ...]) -> None:
    def make(rng: Random) -> Stage:
        return play_wrong(with_misread_pile(rng, CONTACT, ways), *how)

    FURTHER_CHEATING.add(name)(make)


_beside_misread("a pile is misread for good, wrong dice played", (illegal.play_other_roll,), TABLES)
_beside_misread("a pile is misread for good, moves with a checker on the bar", (illegal.leave_bar,), TABLES)
_beside_misread("a pile is misread for good, some other illegal play", ORDINARY, TABLES)
_beside_misread("a pile is misread for good, illegal play, camera dice", ORDINARY, CAMERA)


@FURTHER_CHEATING.add("illegal play, camera dice")
def _(rng: Random) -> Stage:
    return play_wrong(sit_down(rng, ANY, CAMERA), *ORDINARY)


@FURTHER_CHEATING.add("illegal play, just lifts the dice, left standing")
def _(rng: Random) -> Stage:
    return play_wrong(sit_down(rng, ANY, CAMERA[:1]), *ORDINARY, right=0.0)


@FURTHER_CHEATING.add("illegal play by either number of a doubtful die (camera)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEFORE_BEARING_OFF, CAMERA)
    for roll in stage.shuffled_rolls():
        if roll.is_double or MISREAD[roll.high] == roll.low:
            continue
        attempt, misread = (
            illegal.Attempt(stage.board, stage.side, each)
            for each in (roll, Roll.from_dice(MISREAD[roll.high], roll.low))
        )
        wrong = [
            each
            for how in (illegal.move_backwards, illegal.leave_bar, illegal.move_one_more)
            for each in set(illegal.wrongs(how, attempt)) & set(illegal.wrongs(how, misread))
        ]
        if wrong:
            break
    else:
        raise NoChanceError
    stage.throw(stage.side, roll.dice, doubtful=read_doubtfully(rng, roll))
    stage.wait(0.5, 4.0)
    made = rng.choice(sorted(wrong, key=lambda each: each.after.compact()))
    stage.do(stage.side, made.codes)
    stage.lay(stage.side, made.after)
    stage.see(rng.randint(2, 4))
    leave_standing(stage, roll.dice)
    stage.close()
    return stage


@FURTHER_CHEATING.add("illegal play, one wrong reading while it lies there")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEFORE_BEARING_OFF, TABLES)
    dice, wrong = attempts(stage, ORDINARY)
    lay_wrong(stage, dice, wrong)
    stage.see(rng.randint(1, 3))
    stage.see(1, wrong=misread_board(stage))
    stage.see(rng.randint(2, 3))
    leave_standing(stage, dice)
    stage.close()
    return stage


@FURTHER_CHEATING.add("illegal play, points beside it hidden until the next turn")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEFORE_BEARING_OFF, ENDED)
    dice, wrong = attempts(stage, ORDINARY)
    side = stage.side
    changed = changed_points(stage.board, wrong.after)
    hidden = rng.sample([point for point in range(1, 25) if point not in changed], 3)
    lay_wrong(stage, dice, wrong)
    stage.rest_arm(side, hidden)
    stage.see(2)
    stage.over(dice, legal=False)
    hide_until_next_roll(stage, side, hidden)
    return stage


@FURTHER_CHEATING.add("two illegal plays in a row, one by each side")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEFORE_BEARING_OFF, TABLES)
    dice, wrong = attempts(stage, ORDINARY)
    lay_wrong(stage, dice, wrong)
    leave_standing(stage, dice)
    first = stage.deed
    dice, wrong = attempts(stage, ORDINARY)
    lay_wrong(stage, dice, wrong)
    leave_standing(stage, dice)
    assert stage.deed is not None
    stage.deed = replace(stage.deed, before=first)
    stage.close()
    return stage


@FURTHER_CHEATING.add("does not play though he could, lifts the dice (camera)")
def _(rng: Random) -> Stage:
    return play_nothing(sit_down(rng, ANY, CAMERA[:1]))


@FURTHER_CHEATING.add("does not play though he could, by done or clock (camera)")
def _(rng: Random) -> Stage:
    return play_nothing(sit_down(rng, ANY, CAMERA[1:]))


def _bears_off(name: str, how: illegal.Way, *, trays: bool, ways: tuple[tuple[Dice, Ending], ...]) -> None:
    def make(rng: Random) -> Stage:
        return play_wrong(sit_down(rng, BEARING_OFF, ways, trays=trays), how)

    FURTHER_CHEATING.add(name)(make)


for _trays, _named in ((True, "tray seen"), (False, "no tray")):
    for _what, _how in (
        ("too small a number", illegal.bear_off_from_above),
        ("one too many", illegal.bear_off_one_more),
        ("low with a higher left", illegal.bear_off_low),
    ):
        _bears_off(f"bears off, {_what}, {_named}, camera dice", _how, trays=_trays, ways=CAMERA)


@FURTHER_CHEATING.add("pushes two checkers out of turn, seen before the roll", needs_hands=True)
def _(rng: Random) -> Stage:
    return push_before_roll(sit_down(rng, CONTACT, ENDED), rng.randint(2, 4), checkers=2)


@FURTHER_CHEATING.add("takes his checker from the bar out of turn", needs_hands=True)
def _(rng: Random) -> Stage:
    stage = sit_down(rng, (on_bar,), ENDED)
    thief, stood = stage.side.opponent, stage.board
    board = Facing.of(stood, thief)
    free = [at for at in range(19, 25) if not board.other[at]]
    if not board.own[25] or not free:
        raise NoChanceError
    after = board.moved(25, rng.choice(free)).position()
    assert after is not None
    stage.do(
        thief, {"moved_out_of_turn", "out_of_turn", "extra_checker_moved", "wrong_distance", "dice_mismatch"}
    )
    stage.lay(thief, after)
    stage.see(rng.randint(1, 3))
    stage.amend(also=(stood, after))
    stage.wait(0.5, 3.0)
    stage.close(3)
    return stage


@FURTHER_CHEATING.add("takes a checker of the opponent into his pocket, tray seen", needs_hands=True)
def _(rng: Random) -> Stage:
    return play_wrong(sit_down(rng, ANY, TABLES, trays=True), illegal.pocket_other)


@FURTHER_CHEATING.add("moves the opponent's checker far away in his turn", needs_hands=True)
def _(rng: Random) -> Stage:
    return play_wrong(sit_down(rng, CONTACT, TABLES), move_other_far)


def move_other_far(attempt: illegal.Attempt) -> "illegal.Boards":
    """After a legal play one of the other side's checkers is laid on some other point."""
    for end in attempt.ends[:6]:
        for place in range(1, 25):
            for target in range(1, 25):
                if abs(place - target) >= 4 and end.other[place] and not end.own[target]:
                    yield end.other_moved(place, target), {"opponent_moved"}


def _stolen(name: str, after_s: float, face: int = 2, *, to_other: bool = True) -> None:
    def make(rng: Random) -> Stage:
        return steal_cube(sit_down(rng, CONTACT, ENDED, cube=True), after_s, face, to_other=to_other)

    FURTHER_CHEATING.add(name)(make)


_stolen("turns the cube to the other side 1 s after his roll", 1.0)
_stolen("turns the cube to the other side 3 s after his roll", 3.0)
_stolen("turns the cube towards himself 2 s after his roll", 2.0, to_other=False)
_stolen("turns the cube to the other side 2 s after his roll, its face read as 64", 2.0, 64)
_stolen("turns the cube to the other side 6 s after his roll, its face read as 64", 6.0, 64)


@FURTHER_CHEATING.add("turns a die over after half of the play (camera dice)")
def _(rng: Random) -> Stage:
    stage = sit_down(rng, BEFORE_BEARING_OFF, CAMERA)
    first, second, after = two_rolls(stage, common=1)
    side = stage.side
    boards = way(stage.board, side, Roll.from_dice(*second), after)
    common = (set(first) & set(second)).pop()
    begun = [end.position() for end in Facing.of(stage.board, side).stepped(common)]
    if len(boards) != 2 or boards[0] not in begun:
        raise NoChanceError
    stage.throw(side, first)
    stage.wait(0.8, 4.0)
    stage.touch(side, boards[:1])
    stage.see(rng.randint(2, 4))
    stage.do(side, OTHER_DICE | {"unused_die"}, messages=TURNED_OVER)
    stage.reach(side, lasts=0.8)
    stage.lying = [second]
    stage.see(rng.randint(2, 4))
    stage.touch(side, boards[1:])
    stage.glance()
    stage.over(first, legal=False)
    stage.end(side)
    stage.close()
    return stage


@FURTHER_CHEATING.add("turns both dice over (camera dice)")
def _(rng: Random) -> Stage:
    return turn_die(sit_down(rng, ANY, CAMERA), common=0)
