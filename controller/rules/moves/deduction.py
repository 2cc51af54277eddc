"""What can have been done: every way the mover's checkers can have come from one board to another, in which order.

An account of a turn is a set of single steps. It is deduced from the differences alone, rules ignored: at the
rearmost place that differs, a missing checker must have left and a new one must have arrived, so there are
only a few accounts of any turn. Boards are views (`controller.rules.packed.view`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import chain, islice, permutations
from typing import Final

from controller.rules.moves import law, wide
from controller.rules.moves.movement import Contact, MovementRules
from controller.rules.moves.restrictions import HOME, Start
from controller.rules.notation import Move, Play
from controller.rules.packed import BAR, BLOT, EMPTY, OFF, PLACES
from controller.rules.reasons import ReasonCode

MOST_ACCOUNTS: Final = 96
"""Where an inquiry stops: a board with this many explanations is not one that a turn leaves behind."""
MOST_NAMED: Final = 1000
"""As many ways to use the numbers are looked at for moves that were named."""
MOST_PERMUTED: Final = 4
"""As many steps as a roll can have."""


class StepKind(StrEnum):
    """How a checker came from source to target."""

    DIE = "die"
    """Forward by a number that was rolled."""
    BACK = "back"
    """Backward by a number that was rolled."""
    FREE = "free"
    """By any distance."""
    BURIED = "buried"
    """Forward by a number onto a closed point, where it cannot be told from the opponent's."""
    PINNED = "pinned"
    """Forward by a number, from under the opponent's checkers."""
    SHORT = "short"
    """Off the table by a number smaller than its point."""
    EXTRA = "extra"
    """Off the table when all numbers were used."""
    GONE = "gone"
    """Off the table, nobody knows where to."""
    ADDED = "added"
    """Onto the table, from the tray or from nowhere."""


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """One checker from `source` to `target` (25 the bar, 0 off); `die` is the number it used, if any."""

    source: int
    target: int
    kind: StepKind
    die: int | None = None


Account = tuple[Step, ...]
"""Steps from the rearmost source on; the order of play is for the reader to find."""


def accounts(
    before: bytes,
    after: bytes,
    numbers: tuple[int, ...],
    *,
    free: int = 0,
    extra: int | None = None,
    forward_only: bool = False,
) -> frozenset[Account]:
    """All accounts of the mover's change with each number used at most once and `free` steps of any distance.

    A step of any distance only joins places that differ: never a place that a number led to on the way. With
    `extra` every checker that left the board was taken off, by a number or, after all numbers were used, up to
    `extra` without one; without it such a checker may be gone. Those without one were on places that hold fewer
    now, where a blot was hit, or where a number led from outside the home board: from any other the number that led
    there may just as well be too small. With `forward_only` checkers only go forward by the numbers and none is gone
    or added.
    """
    inquiry = _Inquiry(before, change_of(before, after), forward_only, taken_off=extra is not None)
    found = inquiry.explain(BAR, numbers, free, extra or 0)
    if len(before) > PLACES and not forward_only:
        found = chain(found, inquiry.explain_pinned(numbers, free, extra or 0))
    if extra:
        found = (steps for steps in found if _used_up(steps, numbers) or not _goes_beyond(steps))
    return frozenset(tuple(sorted(steps, reverse=True)) for steps in islice(found, MOST_ACCOUNTS))


def change_of(before: bytes, after: bytes) -> list[int]:
    """How many more checkers the mover has on each place after than before; index 0 is the tray."""
    change = [max(b, EMPTY) - max(a, EMPTY) for a, b in zip(before, after, strict=True)]
    change[OFF] = 0
    change[OFF] = -sum(change)
    return change


def named_accounts(play: Play, numbers: tuple[int, ...]) -> frozenset[Account]:
    """All accounts of moves that somebody named: which numbers each of them used, if any.

    A move may use several numbers. One that none of those fits that other moves left goes any distance, or off by a
    number that is too small, or off besides all numbers.
    """
    orders = permutations(play) if len(play) <= MOST_PERMUTED else (play,)
    found = chain.from_iterable(_named(moves, numbers) for moves in set(orders))
    return frozenset(tuple(sorted(steps, reverse=True)) for steps in islice(found, MOST_NAMED))


def _named(moves: Sequence[Move], numbers: tuple[int, ...]) -> Iterator[Account]:
    if not moves:
        yield ()
        return
    move, *others = moves
    for steps in [*_by_numbers(move.source, move.target, numbers)] or [_astray(move, numbers)]:
        left = numbers
        for step in steps:
            left = _without(left, step.die)
        for rest in _named(others, left):
            yield (*steps, *rest)


def _by_numbers(source: int, target: int, numbers: tuple[int, ...]) -> Iterator[Account]:
    """The ways of one checker by some of the numbers, each to its target exactly or off beyond it."""
    for die in sorted(set(numbers), reverse=True):
        place = max(source - die, OFF)
        if place == target:
            yield (Step(source, target, StepKind.DIE, die),)
        elif place > target:
            for rest in _by_numbers(place, target, _without(numbers, die)):
                yield (Step(source, place, StepKind.DIE, die), *rest)


def _astray(move: Move, numbers: tuple[int, ...]) -> Account:
    if move.target != OFF:
        return (Step(move.source, move.target, StepKind.FREE),)
    if numbers:
        return (Step(move.source, OFF, StepKind.SHORT, max(numbers)),)
    return (Step(move.source, OFF, StepKind.EXTRA),)


class _Inquiry:
    """A search that keeps in `change` what is not yet explained; `change[OFF]` counts vanished checkers."""

    def __init__(self, before: bytes, change: list[int], forward_only: bool, *, taken_off: bool) -> None:
        self._before = before
        self._change = change
        self._lost = [number < 0 for number in change]
        self._won = [number > 0 for number in change]
        self._fewer_outside = sum(change[HOME + 1 : BAR + 1]) < 0
        self._came_home = [0] * len(change)
        self._forward_only = forward_only
        self._taken_off = taken_off

    def explain(self, place: int, numbers: tuple[int, ...], free: int, extra: int) -> Iterator[Account]:
        """Every set of steps that explains the change from `place` downwards."""
        change = self._change
        while place and not change[place]:
            place -= 1
        if not place:
            if not change[OFF]:
                yield ()
            return
        if sum(map(abs, change)) > 2 * (len(numbers) + free) + 2 * abs(change[OFF]):
            return
        for step in self._steps(place, numbers, free, extra):
            left = _without(numbers, step.die)
            more_free, more_extra = free - (step.kind is StepKind.FREE), extra - (step.kind is StepKind.EXTRA)
            self._apply(step, 1)
            for rest in self.explain(max(place, step.target), left, more_free, more_extra):
                yield (step, *rest)
            self._apply(step, -1)

    def explain_pinned(self, numbers: tuple[int, ...], free: int, extra: int) -> Iterator[Account]:
        """Every set of steps that explains the change and has one pinned checker pulled out by a number."""
        for source in wide.own_pins(self._before):
            for die in sorted(set(numbers), reverse=True):
                if source > die:
                    step = Step(source, source - die, StepKind.PINNED, die)
                    # It is missed nowhere, for the opponent's still lie where it lay: as if it came from the tray.
                    from_tray = Step(OFF, step.target, step.kind, die)
                    self._apply(from_tray, 1)
                    for rest in self.explain(BAR, _without(numbers, die), free, extra):
                        yield (step, *rest)
                    self._apply(from_tray, -1)

    def _steps(self, place: int, numbers: tuple[int, ...], free: int, extra: int) -> Iterator[Step]:
        """The steps that can explain one checker of the change at the rearmost place that differs."""
        if self._change[place] < 0:
            yield from self._departures(place, numbers, free, extra)
        else:
            yield from self._arrivals(place, numbers, free)

    def _departures(self, place: int, numbers: tuple[int, ...], free: int, extra: int) -> Iterator[Step]:
        vanished = self._change[OFF] > 0
        for die in sorted(set(numbers), reverse=True):
            if place > die:
                yield Step(place, place - die, StepKind.DIE, die)
                if not vanished or self._forward_only:
                    continue
                if self._taken_off:
                    yield Step(place, OFF, StepKind.SHORT, die)
                elif self._before[place - die] < EMPTY - 1:
                    yield Step(place, OFF, StepKind.BURIED, die)
            elif vanished:
                yield Step(place, OFF, StepKind.DIE, die)
        if self._forward_only:
            return
        if vanished and not self._taken_off:
            yield Step(place, OFF, StepKind.GONE)
        elif (
            vanished
            and extra
            and (self._lost[place] or self._came_home[place] or self._before[place] == BLOT)
        ):
            yield Step(place, OFF, StepKind.EXTRA)
        if len(set(numbers)) > 1:
            for die in set(numbers):
                if place + die < BAR:
                    yield Step(place, place + die, StepKind.BACK, die)
        if free and self._lost[place]:
            for target in range(OFF + self._taken_off, place):
                if self._change[target] > 0 and self._won[target]:
                    yield Step(place, target, StepKind.FREE)

    def _arrivals(self, place: int, numbers: tuple[int, ...], free: int) -> Iterator[Step]:
        if self._forward_only:
            return
        for die in sorted(set(numbers), reverse=True):
            if place > die:
                yield Step(place - die, place, StepKind.BACK, die)
        if self._change[OFF] < 0:
            yield Step(OFF, place, StepKind.ADDED)
        if free and self._won[place]:
            for source in range(1, place):
                if self._change[source] < 0 and self._lost[source]:
                    yield Step(source, place, StepKind.FREE)

    def _apply(self, step: Step, sign: int) -> None:
        self._change[step.source] += sign
        self._change[step.target] -= sign
        if self._fewer_outside and step.source > HOME >= step.target:
            self._came_home[step.target] += sign


def _goes_beyond(steps: Account) -> bool:
    """Whether a checker was taken off that no number stands for."""
    return any(step.kind is StepKind.EXTRA for step in steps)


def _used_up(steps: Account, numbers: tuple[int, ...]) -> bool:
    """Whether every number was used; a step of any distance may stand for one."""
    return sum(step.die is not None or step.kind is StepKind.FREE for step in steps) >= len(numbers)


def _without(numbers: tuple[int, ...], die: int | None) -> tuple[int, ...]:
    if die is None:
        return numbers
    index = numbers.index(die)
    return numbers[:index] + numbers[index + 1 :]


StepBreach = tuple[ReasonCode, Step, bytes]
"""A broken rule, the step that broke it and the board it was made on."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Steps in the order of play, whether each hit a blot, and what they break."""

    steps: tuple[Step, ...]
    hits: tuple[bool, ...]
    breaches: tuple[StepBreach, ...]

    @property
    def rules_broken(self) -> frozenset[ReasonCode]:
        """The rules that some step breaks."""
        return frozenset(code for code, _, _ in self.breaches)


def arrangements(
    view: bytes, steps: Sequence[Step], rules: MovementRules, double: int = 0
) -> tuple[Arrangement, ...]:
    """The orders of some steps that break the fewest rules, the best for each set of rules.

    `double` is the number of the double that was rolled, 0 if none was; only rules for the head ask for it.

    Empty if no order lets every step find its checker. Among equally good orders the one that moves the
    rearmost checkers first is taken.
    """
    best: dict[frozenset[ReasonCode], Arrangement] = {}
    fewest = len(ReasonCode)
    start = Start(view, double) if len(view) > PLACES else None
    after_step = _after if start is None else partial(_wide_after, rules=rules)
    may_hit = rules.contact is Contact.HIT

    def play_on(view: bytes, left: tuple[Step, ...], done: Arrangement) -> None:
        nonlocal fewest
        broken = done.rules_broken
        if len(broken) > fewest or (broken in best and len(done.breaches) >= len(best[broken].breaches)):
            return
        if not left:
            fewest = len(broken)
            best[broken] = done
            return
        tried: set[Step] = set()
        for index, step in enumerate(left):
            if step in tried or (view[step.source] <= EMPTY and step.kind is not StepKind.PINNED):
                continue
            tried.add(step)
            so_far = Arrangement(
                (*done.steps, step),
                (*done.hits, may_hit and step.kind is not StepKind.BURIED and law.hits(view, step.target)),
                (*done.breaches, *((code, step, view) for code in _breaches(view, step, rules, start))),
            )
            play_on(after_step(view, step), left[:index] + left[index + 1 :], so_far)
            if len(steps) > MOST_PERMUTED:
                break

    play_on(view, tuple(sorted(steps, reverse=True)), Arrangement((), (), ()))
    return tuple(found for broken, found in best.items() if len(broken) == fewest)


def _breaches(view: bytes, step: Step, rules: MovementRules, start: Start | None) -> tuple[ReasonCode, ...]:
    """What a step breaks, that apart that no number of the roll allows its distance."""
    if step.target > step.source:
        return law.landing_breaches(view, step.source, step.target, rules)
    if step.kind is StepKind.SHORT:
        return law.short_breaches(view, step.source, rules)
    if start is not None and step.kind is StepKind.PINNED:
        return (ReasonCode.PINNED_MOVED, *law.landing_breaches(view, step.source, step.target, rules))
    return law.breaches(view, step.source, step.die or step.source - step.target, rules, start)


def _after(view: bytes, step: Step) -> bytes:
    """The view after a step; a landing on a closed point sends all that stand there to the bar."""
    places = bytearray(view)
    places[step.source] -= 1
    if step.target != OFF:
        displaced = max(EMPTY - places[step.target], 0)
        places[0] -= displaced
        places[step.target] += 1 + displaced
    return bytes(places)


def _wide_after(view: bytes, step: Step, rules: MovementRules) -> bytes:
    """As `_after` in any game of the family: single checkers may be pinned, and pinned ones pulled out."""
    if step.kind is StepKind.PINNED:
        view = wide.without_pin(view, step.source)
    return wide.after_step(view, step.source, step.target, rules.contact)
