"""The sum: every branch continued by every kind of explanation, and what is certain of them all together."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import inf
from typing import Final

from controller.referee.belief.branches import Beam, Branch, Throw, TurnLook, level, prune
from controller.referee.belief.courses import with_sequels
from controller.referee.belief.emission import learned
from controller.referee.belief.kinds import (
    KEPT_WITHIN,
    WITHIN,
    TurnCase,
    after_push,
    against_rules,
    disturbed,
    goes_on,
    half_put_right,
    legal,
    nothing_moved,
    out_of_turn,
    unexplained,
    unfinished,
    void,
    weigh_hands,
)
from controller.referee.belief.unseen import finished_late, one_turn, turns_unseen
from controller.referee.caution import Caution

Row = Callable[[TurnCase, float], Iterator[Branch]]

OF_BOARD: Final[tuple[Row, ...]] = (
    nothing_moved,
    against_rules,
    disturbed,
    out_of_turn,
    after_push,
    unfinished,
    half_put_right,
    with_sequels,
    turns_unseen,
    unexplained,
)
"""Rare rows that ask how the board stood, whatever led there."""
OF_COURSE: Final[tuple[Row, ...]] = (finished_late, one_turn)
"""Rare rows that ask what became of the roll before, too."""
# These limit the work.
KEPT: Final = 32
"""This many branches are carried on."""
ASKED: Final = 4
"""This many of the likeliest boards, and courses, are continued by rare kinds."""


def extend(beam: Sequence[Branch], throw: Throw, look: TurnLook, caution: Caution) -> Beam:
    """The beam after a roll: each branch continued by everything that may have become of it.

    The scores of the branches of ``beam`` are counted from the best, so that a score tells how well all is explained.
    Branches on which the board stands alike are continued together.
    """
    beam = level(beam)
    boards = _alike(beam)
    cases = [TurnCase(group[0], throw, look, caution) for group in boards]
    usual = [chain(void(case), () if goes_on(case.branch) else legal(case)) for case in cases]
    found = [list(weigh_hands(case, children)) for case, children in zip(cases, usual, strict=True)]
    best = max((child.score for children in found for child in children), default=-inf)
    for case, children in list(zip(cases, found, strict=True))[:ASKED]:
        for row in () if goes_on(case.branch) else OF_BOARD:
            children += weigh_hands(case, row(case, best - WITHIN - case.branch.score))
        best = max([best, *(child.score for child in children)])
    everything = [
        child
        for group, children in zip(boards, found, strict=True)
        for child in _with_courses(group, children, best - KEPT_WITHIN)
    ]
    for branch in beam[:ASKED]:
        for row in OF_COURSE:
            case = TurnCase(branch, throw, look, caution)
            everything += weigh_hands(case, row(case, best - WITHIN - branch.score))
    return _learn(prune(_once(everything), KEPT, KEPT_WITHIN), look, caution)


def _once(found: Iterable[Branch]) -> list[Branch]:
    """Each course once, as well as it is explained: two rows, or two beginnings, may come to the same."""
    best: dict[object, Branch] = {}
    for branch in found:
        last = branch.last
        shifted = last.pushed_from, last.by, branch.lies, tuple(reason.code for reason in last.reasons)
        key = branch.position, branch.side, branch.ply, shifted, tuple(one.key for one in branch.history)
        known = best.get(key)
        if known is None or branch.score > known.score:
            best[key] = branch
    return list(best.values())


def _alike(beam: Iterable[Branch]) -> list[list[Branch]]:
    """The branches in groups in which the board stands alike, the likeliest first in each and of them."""
    groups: dict[object, list[Branch]] = {}
    for branch in sorted(beam, key=lambda one: -one.score):
        key = branch.position, branch.lies, branch.side, branch.ply, goes_on(branch)
        groups.setdefault(key, []).append(branch)
    return list(groups.values())


def _with_courses(group: list[Branch], children: list[Branch], least: float) -> Iterator[Branch]:
    """What became of the first of a group became of each: those that are no worse than this."""
    first = group[0]
    for child in children:
        if child.score < least:
            continue
        yield child
        for other in group[1:]:
            score = child.score - first.score + other.score
            if score < least:
                break
            history = (*other.history, child.last)
            yield replace(child, base=other.score, score=score, history=history, bias=other.bias)


def _learn(beam: Beam, look: TurnLook, caution: Caution) -> Beam:
    """The branches with what the look told of their biases. A single picture tells nothing of them."""
    if look.earlier is not None:
        return beam
    checkers = caution.rules.checkers
    return tuple(
        replace(branch, bias=learned(branch.bias, look.end, branch.last.before, branch.lies, checkers))
        for branch in beam
    )
