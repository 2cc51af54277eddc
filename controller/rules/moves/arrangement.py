"""The order of a turn's steps that breaks the fewest rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from controller.rules.moves import law
from controller.rules.moves.deduction import Step, StepKind
from controller.rules.moves.movement import MovementRules
from controller.rules.packed import EMPTY, OFF
from controller.rules.reasons import ReasonCode

MOST_PERMUTED: Final = 4
"""As many steps as a roll can have."""

Breach = tuple[ReasonCode, Step, bytes]
"""A broken rule, the step that broke it and the board it was made on."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Steps in the order of play, whether each hit a blot, and what they break."""

    steps: tuple[Step, ...]
    hits: tuple[bool, ...]
    breaches: tuple[Breach, ...]

    @property
    def rules_broken(self) -> frozenset[ReasonCode]:
        """The rules that some step breaks."""
        return frozenset(code for code, _, _ in self.breaches)


def arrangements(view: bytes, steps: Sequence[Step], rules: MovementRules) -> tuple[Arrangement, ...]:
    """The orders of some steps that break the fewest rules, the best for each set of rules.

    Empty if no order lets every step find its checker. Among equally good orders the one that moves the
    rearmost checkers first is taken.
    """
    best: dict[frozenset[ReasonCode], Arrangement] = {}
    fewest = len(ReasonCode)

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
            if step in tried or view[step.source] <= EMPTY:
                continue
            tried.add(step)
            so_far = Arrangement(
                (*done.steps, step),
                (*done.hits, step.kind is not StepKind.BURIED and law.hits(view, step.target)),
                (*done.breaches, *((code, step, view) for code in _breaches(view, step, rules))),
            )
            play_on(_after(view, step), left[:index] + left[index + 1 :], so_far)
            if len(steps) > MOST_PERMUTED:
                break

    play_on(view, tuple(sorted(steps, reverse=True)), Arrangement((), (), ()))
    return tuple(found for broken, found in best.items() if len(broken) == fewest)


def _breaches(view: bytes, step: Step, rules: MovementRules) -> tuple[ReasonCode, ...]:
    """What a step breaks, that apart that no number of the roll allows its distance."""
    if step.target > step.source:
        return law.landing_breaches(view, step.source, step.target, rules)
    if step.kind is StepKind.SHORT:
        return law.short_breaches(view, step.source, rules)
    return law.breaches(view, step.source, step.die or step.source - step.target, rules)


def _after(view: bytes, step: Step) -> bytes:
    """The view after a step; a landing on a closed point sends all that stand there to the bar."""
    places = bytearray(view)
    places[step.source] -= 1
    if step.target != OFF:
        displaced = max(EMPTY - places[step.target], 0)
        places[0] -= displaced
        places[step.target] += 1 + displaced
    return bytes(places)
