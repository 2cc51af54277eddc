"""The law of a single step: one checker, one number, and every rule that the step breaks.

Boards are the bytes of `controller.rules.packed.view`: the mover's own numbering, own checkers above 16. Under rules
of other games than the standard one they are those of `controller.rules.moves.wide`.
"""

from collections.abc import Iterable

from controller.rules.moves import restrictions, wide
from controller.rules.moves.movement import BearoffOrder, BearoffOversize, MovementRules
from controller.rules.moves.restrictions import HOME as HOME
from controller.rules.moves.restrictions import Start
from controller.rules.packed import BAR, BLOT, EMPTY, PLACES
from controller.rules.reasons import ReasonCode


def breaches(
    view: bytes, source: int, die: int, rules: MovementRules, start: Start | None = None
) -> tuple[ReasonCode, ...]:
    """The rules that a checker breaks that goes from `source` (25 the bar) by `die`; none if that is legal.

    `start` is what the turn began with, where the rules look back at it (`controller.rules.moves.restrictions`).

    A checker of the mover must be on `source`. Sources of the rules: entering, closed points and bearing off
    as in every text (`bar_first`, `blocked_point`, `bear_off_early`, `bear_off_higher_exists`); at most five
    on a point in the Terebess text (`stack_limit`); only the rearmost checkers in the Slovak box
    (`bear_off_rearmost_only`).
    """
    found = list(landing_breaches(view, source, source - die, rules))
    target = source - die
    if start is not None:
        found += restrictions.breaches(start, view, source, max(target, 0), rules)
    if target > 0:
        if (
            not rules.bearoff_exact_optional
            and view[die] > EMPTY
            and rearmost(view) <= HOME
            and (rules.bearoff_order is BearoffOrder.NORMAL or rearmost(view) == die)
        ):
            found.append(ReasonCode.BEAR_OFF_EXACT_REQUIRED)
        return tuple(found)
    highest = rearmost(view)
    if highest > HOME:
        found.append(ReasonCode.BEAR_OFF_EARLY)
    elif not rules.bearoff_while_pinned and wide.own_pins(view):
        found.append(ReasonCode.BEAR_OFF_PINNED)
    elif target < 0 and rules.bearoff_oversize is BearoffOversize.BARRED:
        found.append(ReasonCode.BEAR_OFF_NUMBER_TOO_LARGE)
    elif highest > source:
        if target < 0:
            found.append(ReasonCode.BEAR_OFF_HIGHER_EXISTS)
        elif rules.bearoff_order is BearoffOrder.REARMOST_ONLY:
            found.append(ReasonCode.BEAR_OFF_REARMOST_ONLY)
    return tuple(found)


def short_breaches(view: bytes, source: int, rules: MovementRules) -> tuple[ReasonCode, ...]:
    """The rules that taking a checker off from `source` breaks with a number smaller than that point."""
    outside = rearmost(view) > HOME
    return (
        *landing_breaches(view, source, 0, rules),
        ReasonCode.BEAR_OFF_EARLY if outside else ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL,
    )


def landing_breaches(view: bytes, source: int, target: int, rules: MovementRules) -> tuple[ReasonCode, ...]:
    """The rules that putting a checker from `source` on `target` breaks, whatever the distance."""
    found: list[ReasonCode] = []
    if rules.bar_enter_first and source != BAR and view[BAR] > EMPTY and _waiting(view):
        found.append(ReasonCode.BAR_FIRST)
    if 0 < target < BAR:
        if EMPTY - view[target] >= rules.landing_blocked_at or (
            len(view) > PLACES and _pinned_under(view, target)
        ):
            found.append(ReasonCode.BLOCKED_POINT)
        if rules.max_stack is not None and view[target] - EMPTY >= rules.max_stack:
            found.append(ReasonCode.STACK_LIMIT)
    return tuple(found)


def can_step(view: bytes, numbers: Iterable[int], rules: MovementRules, start: Start | None = None) -> bool:
    """Whether some checker of the mover can go by one of the numbers."""
    own = [place for place in range(1, BAR + 1) if view[place] > EMPTY]
    return any(not breaches(view, source, die, rules, start) for die in set(numbers) for source in own)


def rearmost(view: bytes) -> int:
    """The mover's highest occupied place: 25 for the bar, 0 if all checkers are off."""
    if len(view) > PLACES:
        return wide.rearmost(view)
    return next((place for place in range(BAR, 0, -1) if view[place] > EMPTY), 0)


def hits(view: bytes, target: int) -> bool:
    """Whether a checker that lands on `target` sends a blot to the bar."""
    return target > 0 and view[target] == BLOT


def _waiting(view: bytes) -> bool:
    """Whether a checker of those that enter has been hit; one in hand may wait."""
    return len(view) == PLACES or wide.waiting(view) > 0


def _pinned_under(view: bytes, target: int) -> bool:
    """Whether the opponent's checkers on `target` lie on one of the mover."""
    return view[target] < EMPTY and view[wide.PIN + target] == 1
