"""The judge: is a result legal, and if not, which rules must have been broken to get there."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from controller.rules import hidden, packed
from controller.rules.judging.charges import Case, charges, weight, with_order
from controller.rules.moves import wide
from controller.rules.moves.deduction import Account, StepKind, accounts, named_accounts
from controller.rules.moves.law import HOME, rearmost
from controller.rules.moves.movement import STANDARD, Contact, MovementRules, Profiled, movement_of
from controller.rules.moves.plays import is_result, play_between, results, views_of
from controller.rules.notation import Play, format_play
from controller.rules.position import CHECKERS, Position, Roll, Side
from controller.rules.reasons import Judgement, Reason, ReasonCode


@dataclass(frozen=True, slots=True)
class Trays:
    """How many borne-off checkers of each side were counted; `None` where nobody could count them."""

    light: int | None = None
    dark: int | None = None

    def count(self, side: Side) -> int | None:
        """The count of one side."""
        return self.light if side is Side.LIGHT else self.dark


class Whereabouts(StrEnum):
    """Where the checkers of a side are that a position does not show."""

    OFF = "off"
    """All in the tray: together with those on the board they are fifteen."""
    MISSING = "missing"
    """Not all in the tray: it holds too few."""
    UNKNOWN = "unknown"
    """The tray was not counted, or more were counted than there can be."""


def locate_rest(trays: Trays, position: Position, side: Side, checkers: int = CHECKERS) -> Whereabouts:
    """Where those of the `checkers` of `side` are that are neither on the points nor on the bar of `position`."""
    counted, off = trays.count(side), position.off(side, checkers)
    if counted is None or counted > off:
        return Whereabouts.UNKNOWN
    return Whereabouts.OFF if counted == off else Whereabouts.MISSING


MOST_NEAREST: Final = 5
"""How many legal results a verdict names at most."""
ONE_RULE: Final = 2
"""The weight of an explanation that breaks a single rule."""
MOST_ALIKE: Final = 4
"""How many explanations a verdict gives at most that name the same rules and differ only in the checkers."""
MOST_FREE: Final = 2
"""How many checkers may have gone astray for an explanation to be looked for."""

NOT_COUNTED: Final = Trays()
TAKEN_OFF: Final = frozenset({ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL, ReasonCode.EXTRA_CHECKER_OFF})
"""What only a checker can have broken that was taken off the board."""
CHECKER_TO_SPARE: Final = 1
"""How many checkers too many, as far as no tray was counted, are taken to have been borne off."""

ROLLS: Final = tuple(Roll(high, low) for high in range(1, 7) for low in range(1, high + 1))

Explanation = tuple[Reason, ...]
Charged = tuple[Account, Explanation]


def judge(
    before: Position,
    side: Side,
    roll: Roll,
    after: Position,
    profile: MovementRules | Profiled = STANDARD,
    trays: Trays = NOT_COUNTED,
) -> Judgement:
    """Whether `after` is a result of a complete legal play, and if not, why not.

    `after` may be any board that was seen, also one with checkers missing or too many (`Position.seen`). Pins and
    hands need not be told: what nobody can see follows from `before` (`controller.rules.moves.wide.carried`).

    An illegal result is explained by the fewest rules that must have been broken: all ways in which the
    mover's checkers can have gone by steps of the rolled numbers are looked at, rules ignored, and what each
    breaks is listed. Only if there is no such way, or none that goes forward and breaks a single rule,
    distances that were not rolled are considered as well. If several explanations break equally few rules,
    all are given.

    `trays` are the borne-off checkers counted after the turn. Where they and the board hold fifteen of a side, a
    checker that left the board against the rules was taken off; where they hold fewer, it is missing. Where
    nobody counted, both may be: a mover whose checkers are all home is taken to have borne it off if a single
    rule then explains everything, and that it is missing is another explanation. A result that is legal on the
    board is legal whatever the trays hold.
    """
    return _judged(before, side, roll, after, rules=movement_of(profile), trays=trays)


def judge_play(
    before: Position,
    side: Side,
    roll: Roll,
    play: Play,
    after: Position,
    profile: MovementRules | Profiled = STANDARD,
) -> Judgement:
    """As `judge`, where it is known how the checkers went, because the mover named the moves that lead to `after`.

    The reasons speak of those moves alone, never of others that lead to the same board. A hit need not be named.
    """
    return _judged(before, side, roll, after, rules=movement_of(profile), play=play)


def _judged(
    before: Position,
    side: Side,
    roll: Roll,
    after: Position,
    *,
    rules: MovementRules,
    trays: Trays = NOT_COUNTED,
    play: Play = (),
) -> Judgement:
    if max(before.code, after.code) > hidden.BOARD or rules.contact is Contact.PIN:
        after = wide.carried(before, after, side, rules)
    if is_result(before, side, roll, after, rules):
        return Judgement(True, play_between(before, side, roll, after, rules) or (), (), ())
    codes, required = results(before, side, roll, rules)
    nearest = _nearest(codes, after)
    example = play_between(before, side, roll, nearest[0], rules) or ()
    start, end = views_of(before.code, after.code, side, rules)
    case = Case(
        before=start,
        after=end,
        side=side,
        roll=roll,
        rules=rules,
        required=required,
        example=format_play(example),
        opponent_whole=locate_rest(trays, after, side.opponent, rules.checkers) is Whereabouts.OFF,
    )
    rest = locate_rest(trays, after, side, rules.checkers)
    explanations = _named_explanations(case, play) if play else ()
    explanations = explanations or _explanations(case, before, after, rest)
    reasons: list[Reason] = []
    for explanation in explanations:
        reasons += [reason for reason in explanation if reason not in reasons]
    return Judgement(False, None, tuple(reasons), nearest, explanations)


def _nearest(codes: Iterable[int], after: Position) -> tuple[Position, ...]:
    """The legal results from which the fewest checkers must be moved to get what was seen."""
    seen = hidden.board(after.code)
    ranked = sorted(
        (packed.difference(board, seen), packed.compact(board), code)
        for board, code in ((hidden.board(code), code) for code in codes)
    )
    return tuple(Position(code) for _, _, code in ranked[:MOST_NEAREST])


def _explanations(
    case: Case, before: Position, after: Position, rest: Whereabouts
) -> tuple[Explanation, ...]:
    """The explanations for which least must have gone wrong, those with the fewest single breaches first.

    `rest` says where the mover's checkers are that the board does not show.
    """
    if before.code == after.code:
        return (charges(case, ()),)
    vanished = after.off(case.side) > before.off(case.side)
    extra = CHECKERS if vanished and rest is Whereabouts.OFF else None
    taken_off = _charge_taken_off(case) if vanished and rest is Whereabouts.UNKNOWN else []
    found = _charge(case, accounts(case.before, case.after, case.roll.numbers, extra=extra))
    if taken_off:
        found = sorted([*found, *taken_off], key=lambda charged: _hidden(charged[0]))
    if _least(found) > ONE_RULE:
        for free in range(1, MOST_FREE + 1):
            possible = accounts(case.before, case.after, case.roll.numbers, free=free, extra=extra)
            strayed = _charge(case, possible)
            found += [charged for charged in strayed if charged not in found]
            if strayed:
                break
        found += _other_roll(case, before, after, found)
    if not found:
        mismatch = case.reason(ReasonCode.DICE_MISMATCH, dice=list(case.roll.dice), would_be=[])
        return ((mismatch,),)
    explanations = _fewest(found)
    if taken_off and not any(_misses_own(case, explanation) for explanation in explanations):
        explanations += (_as_missing(case, taken_off[0][0]),)
    return explanations


def _named_explanations(case: Case, play: Play) -> tuple[Explanation, ...]:
    """The explanations for which least must have gone wrong in moves that were named; hits are left out there."""
    found = [
        (account, tuple(each for each in reasons if each.code is not ReasonCode.HIT_NOT_ON_BAR))
        for account, reasons in _charge(case, named_accounts(play, case.roll.numbers))
    ]
    found = [(account, reasons) for account, reasons in found if reasons]
    return _fewest(found) if found else ()


def _charge_taken_off(case: Case) -> list[Charged]:
    """The explanations by a single rule in which a mover whose checkers are all home bore off what is missing."""
    if rearmost(case.after) > HOME:
        return []
    possible = accounts(case.before, case.after, case.roll.numbers, extra=CHECKER_TO_SPARE)
    at_home = [
        account
        for account in possible
        if all(step.source <= HOME for step in account if step.kind is StepKind.EXTRA)
    ]
    return [
        (account, reasons)
        for account, reasons in _charge(case, at_home)
        if weight(reasons) == ONE_RULE and TAKEN_OFF.issuperset(reason.code for reason in reasons)
    ]


def _misses_own(case: Case, explanation: Explanation) -> bool:
    return any(
        reason.code is ReasonCode.CHECKER_MISSING and reason.arguments["side"] == str(case.side)
        for reason in explanation
    )


def _as_missing(case: Case, account: Account) -> Explanation:
    """What remains to be explained if the checkers were not taken off against the rules, but are missing."""
    steps = tuple(
        replace(step, kind=StepKind.GONE, die=None) if step.kind in (StepKind.SHORT, StepKind.EXTRA) else step
        for step in account
    )
    return min(with_order(case, steps, charges(case, steps)), key=weight)


def _charge(case: Case, possible: Iterable[Account]) -> list[Charged]:
    """The accounts that can have happened and may be the best, each with everything that is wrong with it."""
    ranked = sorted(
        ((account, charges(case, account)) for account in sorted(possible, reverse=True)),
        key=lambda charged: weight(charged[1]),
    )
    found: list[Charged] = []
    most = 2 * len(ReasonCode)
    for account, charged in ranked:
        if weight(charged) > most:
            break
        for reasons in with_order(case, account, charged):
            found.append((account, reasons))
            if not _backward(account):
                most = min(most, weight(reasons))
    return found


def _least(found: list[Charged]) -> int:
    """The weight of the best explanation that does without going backward."""
    plain = [weight(reasons) for account, reasons in found if not _backward(account)]
    return min(plain, default=2 * len(ReasonCode))


def _other_roll(case: Case, before: Position, after: Position, found: list[Charged]) -> list[Charged]:
    """The explanation that another roll was played, unless one number fits and only the other does not."""
    for account, reasons in found:
        kinds = [step.kind for step in account]
        if {reason.code for reason in reasons} == {ReasonCode.WRONG_DISTANCE} and StepKind.DIE in kinds:
            return []
    direction = case.rules.direction
    pips = before.pips(case.side, direction) - after.pips(case.side, direction)
    rolls = [
        list(roll.dice)
        for roll in ROLLS
        if roll != case.roll
        and 0 < pips <= sum(roll.numbers)
        and is_result(before, case.side, roll, after, case.rules)
    ]
    if not rolls:
        return []
    return [((), (case.reason(ReasonCode.DICE_MISMATCH, dice=list(case.roll.dice), would_be=rolls),))]


def _fewest(found: list[Charged]) -> tuple[Explanation, ...]:
    """The explanations that weigh no more than the best one that does without going backward.

    A checker that went back with one number after going forward with another is rarely what happened, so such
    an explanation never hides another one.
    """
    plain = any(not _backward(account) for account, _ in found)
    most = _least(found) if plain else min(weight(reasons) for _, reasons in found)
    ranked = sorted(
        ((account, reasons) for account, reasons in found if weight(reasons) <= most),
        key=lambda charged: (
            _backward(charged[0]) and plain,
            weight(charged[1]),
            len(charged[1]),
        ),
    )
    by_codes: dict[frozenset[ReasonCode], list[Explanation]] = {}
    for _, reasons in ranked:
        alike = by_codes.setdefault(frozenset(reason.code for reason in reasons), [])
        if reasons not in alike and (not alike or len(reasons) == len(alike[0])) and len(alike) < MOST_ALIKE:
            alike.append(reasons)
    return tuple(reasons for alike in by_codes.values() for reasons in alike)


def _hidden(account: Account) -> bool:
    """Whether a checker must lie where nobody sees it."""
    return any(step.kind in (StepKind.GONE, StepKind.BURIED) for step in account)


def _backward(account: Account) -> bool:
    return any(step.target > step.source and step.kind is not StepKind.ADDED for step in account)
