"""The sum: every branch continued by every kind of explanation, and what is certain of them all together."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import inf
from typing import Final

from controller.referee.belief.branches import Beam, Branch, Throw, TurnLook, level, prune
from controller.referee.belief.emission import learned
from controller.referee.belief.kinds import (
    WITHIN,
    Case,
    against_rules,
    disturbed,
    legal,
    nothing_moved,
    unexplained,
    unfinished,
    void,
)
from controller.referee.belief.sequels import with_sequels
from controller.referee.belief.unseen import finished_late, one_turn, turns_unseen
from controller.referee.caution import Caution

Row = Callable[[Case, float], Iterator[Branch]]

RARE: Final[tuple[Row, ...]] = (
    nothing_moved,
    against_rules,
    disturbed,
    unfinished,
    with_sequels,
    finished_late,
    one_turn,
    turns_unseen,
    unexplained,
)
"""Rows that are worked out only where they can come near to what is explained already."""
# These limit the work.
KEPT: Final = 32
"""So many branches are carried on..."""
KEPT_WITHIN: Final = 16.0
"""...none of them worse than the best by more than this."""
ASKED: Final = 4
"""So many of the likeliest branches are continued by rare kinds."""


def extend(beam: Sequence[Branch], throw: Throw, look: TurnLook, caution: Caution) -> Beam:
    """The beam after a roll: each branch continued by everything that may have become of it.

    The scores of the branches of ``beam`` are counted from the best, so that a score tells how well all is explained.
    """
    cases = [Case(branch, throw, look, caution) for branch in level(beam)]
    children = [child for case in cases if not case.goes_on for child in chain(legal(case), void(case))]
    best = max((child.score for child in children), default=-inf)
    for case in sorted(cases, key=lambda one: -one.branch.score)[:ASKED]:
        for row in (finished_late,) if case.goes_on else RARE:
            for child in row(case, best - WITHIN - case.branch.score):
                children.append(child)
                best = max(best, child.score)
    kept = prune(children, KEPT, KEPT_WITHIN)
    return tuple(_learn(branch, look, caution) for branch in kept)


def _learn(branch: Branch, look: TurnLook, caution: Caution) -> Branch:
    """The branch with what the look told of its biases."""
    checkers = caution.rules.checkers
    return replace(branch, bias=learned(branch.bias, look.end, branch.last.before, branch.lies, checkers))
