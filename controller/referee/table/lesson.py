"""What the pictures show of a learner's play while it is being made."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from controller.referee.actions import Phase
from controller.referee.belief.emission import emission
from controller.referee.events import Event, FrameSeen
from controller.referee.seeing.evidence import Evidence, evidence_of, weighed_without
from controller.referee.table.closing import look_of
from controller.referee.table.coach import Seen, Ways, ways
from controller.referee.table.state import Table, conduct_of

ROW: Final = 12
"""Points side by side along one edge of the board."""


def teaches(table: Table) -> bool:
    """Whether there is something to show to a learner, and the rules allow it."""
    return table.hint > 0 and conduct_of(table).shows_landing_points()


def course_of(table: Table) -> Ways | None:
    """All ways to play the roll that is being played; None if there is none."""
    thrown = table.thrown
    if thrown is None or thrown.side is None or table.phase is not Phase.MOVING:
        return None
    return ways(table.position, thrown.side, thrown.roll, table.match.game.profile.movement)


def follow_lesson(before: Table, after: Table, event: Event) -> Table:
    """``after`` an event, with what is known by then of the play being made.

    A hand over the board leaves what was known, unless it shows what it does; a board at rest that is on no way to a
    legal play leaves nothing.
    """
    course = course_of(after) if teaches(after) else None
    if course is None:
        return after if after.lesson is None else replace(after, lesson=None)
    if after.thrown is not before.thrown:
        after = replace(after, lesson=Seen(course.stages[0]))
    if not isinstance(event, FrameSeen) or not event.reading.recognised or not after.views:
        return after
    hand = event.reading.hand
    seen = course.seen(_evidence(after, event), hand=hand)
    return after if seen is None and hand else replace(after, lesson=seen)


def _evidence(table: Table, event: FrameSeen) -> Evidence:
    """What a picture says of the play: alone if there is a hand in it, else with those of the same settled view.

    Beside what a hand hides its fingers and the checker they hold look like checkers: that is left out too.
    """
    known = table.beam[0]
    if not event.reading.hand:
        look = look_of(table.views)
        return emission(look.end, look.start, known.lies, known.bias)
    hidden = frozenset(each for point in event.reading.covered for each in _beside(point))
    now = weighed_without(evidence_of(event.reading, table.caution.rules.checkers), hidden)
    return emission(now, table.views[0].evidence.weighed(), known.lies, known.bias)


def _beside(point: int) -> Iterator[int]:
    """The neighbours of a point in its row of twelve."""
    row = (point - 1) // ROW
    return (each for each in (point - 1, point + 1) if 1 <= each <= 24 and (each - 1) // ROW == row)
