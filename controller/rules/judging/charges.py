"""From an account of a turn to the reasons against it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from controller.rules.moves import law, restrictions, wide
from controller.rules.moves.deduction import Account, Step, StepKind, arrangements
from controller.rules.moves.law import HOME
from controller.rules.moves.movement import Contact, LargerDie, MovementRules
from controller.rules.moves.restrictions import Start
from controller.rules.packed import BAR, BLOT, EMPTY, OFF, PLACES
from controller.rules.position import Direction, Roll, Side, side_point
from controller.rules.reasons import COUNT_CODES, Argument, Reason, ReasonCode


@dataclass(frozen=True)
class Case:
    """One turn to judge: the boards before and after in the mover's view, and what was due.

    `required` are the numbers every complete legal play uses; `example` is one such play in notation. With
    `opponent_whole` board and tray hold all of the opponent's checkers: one that left the board is in the tray.
    """

    before: bytes
    after: bytes
    side: Side
    roll: Roll
    rules: MovementRules
    required: tuple[int, ...]
    example: str
    opponent_whole: bool = False

    @cached_property
    def opponents_change(self) -> tuple[int, ...]:
        """How many checkers more the opponent has in each place after the turn than before it."""
        before, after = ([max(EMPTY - count, 0) for count in board] for board in (self.before, self.after))
        return tuple(now - was for was, now in zip(before, after, strict=True))

    def place(self, place: int) -> int | str:
        """A place of the mover's view (25 the mover's bar) as light numbers it."""
        if place == BAR:
            return "bar"
        return side_point(place, self.side, self.rules.direction)

    def reason(self, code: ReasonCode, **arguments: Argument) -> Reason:
        """A reason about the mover's checkers; it says so where both sides go the same way round."""
        return Reason(code, {"side": str(self.side), **self.turned, **arguments})

    @property
    def turned(self) -> dict[str, Argument]:
        """The argument that says how dark's numbering differs from light's, if not as in the standard game."""
        opposed = self.rules.direction is Direction.OPPOSED
        return {} if opposed else {"direction": str(self.rules.direction)}

    @property
    def start(self) -> Start | None:
        """What the turn began with, where a rule looks back at it."""
        wide_board = len(self.before) > PLACES
        return Start(self.before, self.roll.high if self.roll.is_double else 0) if wide_board else None


def weight(reasons: Iterable[Reason]) -> int:
    """How much must have gone wrong: two for each rule broken and each further checker that strayed.

    A checker that was moved besides all numbers weighs one more than one that went a wrong distance.
    """
    codes = [reason.code for reason in reasons]
    strayed = sum(code in (ReasonCode.WRONG_DISTANCE, ReasonCode.EXTRA_CHECKER_MOVED) for code in codes)
    return 2 * len(set(codes)) + 2 * max(strayed - 1, 0) + (ReasonCode.EXTRA_CHECKER_MOVED in codes)


def charges(case: Case, account: Account) -> tuple[Reason, ...]:
    """What is wrong with a turn that went as an account says, in whatever order its steps were made."""
    free_dice = _free_dice(case, account)
    found: list[Reason] = []
    for step, dice in zip(account, free_dice, strict=True):
        found += _other_step(case, account, step, dice)
    found += _dice_left(case, account, sum(free_dice))
    found += _opponent(case, account)
    return tuple(found)


def with_order(case: Case, account: Account, charged: tuple[Reason, ...]) -> Iterator[tuple[Reason, ...]]:
    """The charges of an account together with those of the steps themselves, for each order that breaks least.

    A checker that can have been taken off after all were home was taken off then. Nothing comes out if the steps
    cannot have been made.
    """
    moved = [step for step in account if step.kind not in (StepKind.GONE, StepKind.ADDED, StepKind.EXTRA)]
    orders = arrangements(case.before, moved, case.rules, case.roll.high if case.roll.is_double else 0)
    home_first = any(step.kind is StepKind.SHORT for step in moved) and any(
        ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL in order.rules_broken for order in orders
    )
    for arrangement in orders:
        strayed_off = any(
            code is ReasonCode.BEAR_OFF_EARLY
            and (step.kind is StepKind.FREE or (home_first and step.kind is StepKind.SHORT))
            for code, step, _ in arrangement.breaches
        )
        if not strayed_off:
            broken = [_broken_step(case, *breach) for breach in arrangement.breaches]
            found = [*broken, *charged]
            left = _left(case.roll, account)
            if not found and len(left) == len(case.roll.numbers) - len(case.required) and _keeps_prime(case):
                found = [case.reason(ReasonCode.PRIME_KEPT, example=case.example)]
            if not found:
                found = list(_hand_first(case, moved))
            if not found:
                found = [_unused(case, left, len(case.roll.numbers) - len(left))]
            yield tuple(_once(found))


def _hand_first(case: Case, moved: Iterable[Step]) -> Iterator[Reason]:
    """The reason that a checker entered from the hand while another one stayed on the bar."""
    entered = next((step for step in moved if step.source == BAR), None)
    if (
        entered is not None
        and case.rules.bar_enter_first
        and len(case.after) > PLACES
        and wide.waiting(case.after) > 0
    ):
        yield _broken_step(case, ReasonCode.BAR_FIRST, entered, case.after)


def _keeps_prime(case: Case) -> bool:
    return len(case.after) > PLACES and restrictions.keeps_prime(case.after, case.rules)


def _free_dice(case: Case, account: Account) -> list[int]:
    """How many of the numbers left each step of an account stands for, if it is one of a wrong distance.

    A checker that went further than the largest number left must have used all of them, any other one. Two checkers
    may have gone the same way, and numbers be left for only one.
    """
    left = _left(case.roll, account)
    spent: list[int] = []
    for step in account:
        number = 0
        if step.kind is StepKind.FREE:
            number = len(left) if left and step.source - step.target > left[0] else min(len(left), 1)
        spent.append(number)
        left = left[number:]
    return spent


def _left(roll: Roll, account: Account) -> list[int]:
    """The numbers of the roll that no step of an account used, the largest first."""
    left = list(roll.numbers)
    for step in account:
        if step.die is not None:
            left.remove(step.die)
    return left


def _once(reasons: list[Reason]) -> Iterator[Reason]:
    """Each reason once; checkers missing, extra or taken off besides in one place are counted."""
    seen: list[Reason] = []
    for reason in reasons:
        if reason in seen:
            continue
        seen.append(reason)
        if reason.code in COUNT_CODES or reason.code is ReasonCode.EXTRA_CHECKER_OFF:
            yield Reason(reason.code, {**reason.arguments, "count": reasons.count(reason)})
        else:
            yield reason


def _broken_step(case: Case, code: ReasonCode, step: Step, view: bytes) -> Reason:
    """The reason for a rule that a forward step broke on the board it was made on."""
    landed = step.source - (step.die or 0) if step.kind is StepKind.BURIED else step.target
    source, target = case.place(step.source), "off" if landed == OFF else case.place(landed)
    arguments: dict[str, Argument] = {"source": source, "target": target, "die": step.die}
    own = [place for place in range(1, BAR) if view[place] > EMPTY]
    if code is ReasonCode.BAR_FIRST:
        arguments["waiting"] = wide.waiting(view) if len(view) > PLACES else view[BAR] - EMPTY
    elif code is ReasonCode.BLOCKED_POINT:
        arguments["point"] = target
        arguments["checkers"] = EMPTY - view[landed]
    elif code is ReasonCode.STACK_LIMIT:
        arguments["point"] = target
        arguments["limit"] = case.rules.max_stack
    elif code is ReasonCode.FIRST_CHECKER_FIRST:
        foremost = restrictions.first_checker(view, case.rules) or step.source
        due = restrictions.FIRST_CHECKER_DUE[case.rules.first_checker]
        arguments |= {"point": case.place(foremost), "due": case.place(due)}
    elif code is ReasonCode.HEAD_LIMIT and case.start is not None:
        arguments["limit"] = restrictions.head_limit(case.start, case.rules)
    elif code in (ReasonCode.PRIME_LIMIT, ReasonCode.TABLE_LIMIT):
        # A checker that landed under the opponent's went by the number of its die all the same.
        target = max(step.source - step.die, 0) if step.die else step.target
        arguments |= _points_held(case, code, wide.after_step(view, step.source, target, case.rules.contact))
    elif code is ReasonCode.BEAR_OFF_PINNED:
        arguments["point"] = case.place(wide.own_pins(view)[0])
    elif code is ReasonCode.BEAR_OFF_EARLY:
        own = sorted({*own, *(wide.own_pins(view) if len(view) > PLACES else ())})
        outside = [BAR] * (view[BAR] > EMPTY) + [place for place in reversed(own) if place > HOME]
        arguments["outside"] = [str(case.place(place)) for place in outside]
    elif code in (ReasonCode.BEAR_OFF_HIGHER_EXISTS, ReasonCode.BEAR_OFF_REARMOST_ONLY):
        arguments["rearmost"] = case.place(law.rearmost(view))
    return case.reason(code, **arguments)


def _points_held(case: Case, code: ReasonCode, after: bytes) -> dict[str, Argument]:
    """The points that may not be held together, on the board after the step, and how many of them may."""
    if code is ReasonCode.TABLE_LIMIT:
        held, most = restrictions.held_points(after, case.rules), restrictions.table_most(case.rules)
        return {"held": [str(case.place(point)) for point in reversed(held)], "limit": most}
    barred = [
        prime
        for prime in restrictions.primes(after, case.rules)
        if not restrictions.prime_allowed(after, prime, case.rules)
    ]
    return {"held": [str(case.place(point)) for point in barred[0]]}


def _other_step(case: Case, account: Account, step: Step, dice: int) -> Iterator[Reason]:
    """The reasons for a step that no number of the roll allows; `dice` numbers were left for it."""
    arguments: dict[str, Argument] = {
        "source": "off" if step.source == OFF else case.place(step.source),
        "target": "off" if step.target == OFF else case.place(step.target),
    }
    if step.kind is StepKind.GONE:
        yield case.reason(ReasonCode.CHECKER_MISSING, point=arguments["source"])
    elif step.kind is StepKind.EXTRA:
        yield case.reason(ReasonCode.EXTRA_CHECKER_OFF, **arguments, dice=list(case.roll.dice))
    elif step.kind is StepKind.ADDED:
        yield case.reason(ReasonCode.CHECKER_EXTRA, point=arguments["target"])
    elif step.target > step.source:
        yield case.reason(ReasonCode.BACKWARDS, **arguments)
    elif step.kind is StepKind.FREE:
        arguments |= {"distance": step.source - step.target, "dice": list(case.roll.dice)}
        if dice:
            yield case.reason(ReasonCode.WRONG_DISTANCE, **arguments)
        else:
            played = _doubles_played(case.roll, account)
            yield case.reason(ReasonCode.EXTRA_CHECKER_MOVED, **arguments, played=played)


def _doubles_played(roll: Roll, account: Account) -> int | None:
    """How often the number of doubles was played, if nothing but that number was played too often."""
    pips = [step.source - step.target for step in account]
    whole = all(distance > 0 and distance % roll.high == 0 for distance in pips)
    return sum(pips) // roll.high if roll.is_double and whole else None


def _dice_left(case: Case, account: Account, free_dice: int) -> Iterator[Reason]:
    """Numbers that should have been played: too few, or the smaller where the larger was due.

    Where a checker was borne off with too small a number, it is no further offence that the numbers left cannot be
    played without it.
    """
    left = _left(case.roll, account)
    played = len(case.roll.numbers) - len(left) + free_dice
    playable = len(case.required)
    if played < playable:
        if case.before == case.after:
            yield case.reason(
                ReasonCode.NOTHING_MOVED, dice=list(case.roll.dice), playable=playable, example=case.example
            )
        else:
            short = any(step.kind is StepKind.SHORT for step in account)
            if not short or law.can_step(case.after, left, case.rules, case.start):
                yield _unused(case, left[free_dice:], played)
    elif (
        case.rules.larger_die is LargerDie.REQUIRED
        and case.required == (case.roll.high,)
        and left == [case.roll.high]
        and not case.roll.is_double
    ):
        yield case.reason(
            ReasonCode.LARGER_DIE, die=case.roll.high, played=case.roll.low, example=case.example
        )


def _unused(case: Case, left: list[int], played: int) -> Reason:
    """The reason that numbers were left; where they may be declined, at least one of these may not."""
    return case.reason(
        ReasonCode.UNUSED_DIE,
        dice=left,
        played=played,
        playable=max(len(case.required), played + 1),
        example=case.example,
    )


def _opponent(case: Case, account: Account) -> Iterator[Reason]:
    """What is wrong with the opponent's checkers, given where the mover's landed."""
    change = list(case.opponents_change)
    landed = sorted(
        {step.target for step in account if step.kind is not StepKind.GONE and step.target < BAR} - {OFF}
    )
    due: list[int] = []
    if case.rules.contact is Contact.PIN:
        _settle_pins(case, change)
    else:
        due = [target for target in landed if case.before[target] == BLOT]
        if case.rules.landing_blocked_at == 1:
            # One that blocks its point, and still stands there, was not hit by a checker that only touched down.
            due = [target for target in due if case.after[target] >= EMPTY]
        for target in due:
            change[target] += 1
            change[0] -= 1
    _settle_closed_points(case, landed, change)
    lost = [place for place in range(BAR) for _ in range(-change[place])]
    gained = [place for place in range(BAR) for _ in range(change[place])]
    for place in list(lost):
        if place == 0 and due:
            found = next((spot for spot in due if spot in gained), gained[0] if gained else None)
            point = found if found in due else due[0]
            due.remove(point)
            lost.remove(0)
            nowhere = "off" if case.opponent_whole else None
            if found is not None:
                gained.remove(found)
            yield case.reason(
                ReasonCode.HIT_NOT_ON_BAR,
                point=case.place(point),
                found=nowhere if found is None else _opponent_place(case, found),
            )
    for source, target in zip(lost, gained, strict=False):
        yield case.reason(
            ReasonCode.OPPONENT_MOVED,
            source=_opponent_place(case, source),
            target=_opponent_place(case, target),
        )
    opponent = str(case.side.opponent)
    for place in lost[len(gained) :]:
        was_on = _opponent_place(case, place)
        if case.opponent_whole:
            yield case.reason(ReasonCode.OPPONENT_MOVED, source=was_on, target="off")
        else:
            yield Reason(ReasonCode.CHECKER_MISSING, {"side": opponent, **case.turned, "point": was_on})
    for place in gained[len(lost) :]:
        extra = {"side": opponent, **case.turned, "point": _opponent_place(case, place)}
        yield Reason(ReasonCode.CHECKER_EXTRA, extra)


def _settle_pins(case: Case, change: list[int]) -> None:
    """Take out of `change` a checker that the mover covered or uncovered: it stayed where it was."""
    for point in range(1, BAR):
        lay_under = case.before[wide.PIN + point] and case.before[point] > EMPTY
        if case.after[point] > EMPTY:
            change[point] += case.before[point] == BLOT
        else:
            change[point] -= bool(lay_under)


def _settle_closed_points(case: Case, landed: list[int], change: list[int]) -> None:
    """Take those out of `change` who held a point that the mover landed on against the rules.

    They may have been put on the bar or lie under the mover's checker, where they cannot be seen.
    """
    for target in landed:
        standing = EMPTY - case.before[target]
        covered = case.after[target] > EMPTY
        if standing > 1 and (covered or (case.after[target] == EMPTY and change[0] >= standing)):
            change[target] += standing
            change[0] -= min(standing, max(change[0], 0))


def _opponent_place(case: Case, place: int) -> int | str:
    return case.place(place) if place else "bar"
