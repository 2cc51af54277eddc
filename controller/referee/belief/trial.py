"""Plays that stood on the board for a while and were put right before the turn was over."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from controller.referee.belief import rates
from controller.referee.belief.beam import extend
from controller.referee.belief.branches import Branch, EndedBy, Hypothesis, Throw, TurnLook, weights
from controller.referee.belief.breaches import likeliest
from controller.referee.belief.decision import accuses, is_certain, share_of
from controller.referee.belief.steps import leads_to
from controller.referee.caution import Caution
from controller.referee.seeing.settled import SettledView, SettledViews
from controller.rules import Position, Side, is_result


def stood_illegal(
    beam: Sequence[Branch],
    entry: Hypothesis,
    views: SettledViews,
    throw: Throw,
    rolled_t: float,
    caution: Caution,
) -> tuple[Hypothesis, SettledView] | None:
    """The illegal play that stood longest within a turn that ended with the legal ``entry``, and when, if any did.

    ``beam`` are the ways in which the game may have gone before it: those in which its side was to play from there.
    Where a player says when a turn is over, whatever was tried before is no play. Where the dice that are taken up
    say so, a play that lay there for `Caution.stood_s` with no hand over the board, in one view or in several in a
    row, was one, and what was done about it was putting it right. What the final play, or anything shown later in
    the turn, merely completes was none, nor was what lay on the board before the roll came, at ``rolled_t``.
    """
    if (
        throw.ended_by is EndedBy.ACT
        or entry.side is None
        or entry.then is not None
        or entry.lies is not None
    ):
        return None
    side, before, rules = entry.side, entry.before, caution.rules
    parents = [branch for branch in beam if branch.lies == before and branch.side in (None, side)]
    touched = sum(view.first_t <= rolled_t for view in views[1:])
    views = views[touched:]
    if not parents or len(views) < 3 or likeliest(views[0].evidence, before, side, caution) != before:
        return None
    rolls = {
        roll: share
        for roll, share in throw.rolls.items()
        if is_result(before, side, roll, entry.after, rules)
    }
    if not rolls:
        return None
    played = replace(throw, rolls=rolls, sides={side: 0.0}, ended_by=EndedBy.LIFTED)
    found = []
    boards = [likeliest(view.evidence, before, side, caution) for view in views[1:-1]]
    for first, last in _same_boards(boards):
        stood_s = sum(view.stood_s for view in views[first : last + 1])
        view = max(views[first : last + 1], key=lambda one: one.stood_s)
        if view.covered or view.readings < caution.readings or stood_s < caution.stood_s:
            continue
        wrong = _breach_in(parents, view, views[0], played, entry, caution)
        if wrong is None:
            continue
        ends = [entry.after, *boards[last:]]
        if not any(leads_to(before, side, entry.roll, wrong.after, end, rules) for end in ends):
            found.append((stood_s, wrong, view))
    return max(found, key=lambda one: one[0])[1:] if found else None


def _same_boards(boards: Sequence[Position]) -> Iterator[tuple[int, int]]:
    """The first and the last of settled views in a row that show one board; ``boards`` begin with that of view 1.

    Light that changes, or a hand that only passes, ends a view of a board that lies as it lay.
    """
    first = 1
    for _, row in groupby(boards):
        last = first + len(list(row)) - 1
        yield first, last
        first = last + 1


def _breach_in(
    parents: Sequence[Branch],
    view: SettledView,
    start: SettledView,
    throw: Throw,
    entry: Hypothesis,
    caution: Caution,
) -> Hypothesis | None:
    """The illegal play that a settled view shows, if it is certain; ``entry`` is the one that was made at last.

    Who leaves a legal play as it is, and only has others' checkers put back, did nothing wrong. Who changes it, too,
    thereby says that it was none.
    """
    look = TurnLook(view.evidence.weighed(), start.evidence.weighed())
    beam = extend(parents, throw, look, caution)
    shares = weights(beam)
    wrong = share_of(beam, shares, -1, accuses)
    made = next((branch.last for branch in beam if accuses(branch.last)), None)
    if made is None or made.is_idle:
        return None
    assert entry.side is not None
    changed = own_checkers(made.after, entry.side) != own_checkers(entry.after, entry.side)
    otherwise = (1 - wrong) * (rates.CHANGED_MIND.share if changed else 1.0)
    return made if is_certain(made, wrong / (wrong + otherwise), caution) else None


def own_checkers(position: Position, side: Side) -> tuple[int, ...]:
    """The checkers of one side on each point, pinned ones too, and those to be entered."""
    pins = position.pins(side)
    points = (position.checkers(side, point) + (point in pins) for point in range(1, 25))
    return (*points, position.bar(side) + position.hand(side))
