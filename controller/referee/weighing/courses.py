"""Turns in which doubles follow the roll, played in one go: no picture need show where one ended."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from controller.referee.caution import Caution
from controller.referee.weighing.breaches import likeliest
from controller.referee.weighing.steps import held
from controller.referee.weighing.tracks import (
    RollEvidence,
    RollOutcome,
    Track,
    TrackEntry,
    TurnEvidence,
    extend,
    lawful,
)
from controller.referee.weighing.unseen import sides_of
from controller.rules import MovementRules, Position, Roll, Side, results

# These limit the work; what the evidence is worth is in `Caution`.
FOLLOWED: Final = 24
"""So many boards are followed from one double to the next."""

Course = tuple[Position, ...]
"""How the board stands after each roll of a turn."""


def with_sequels(
    track: Track, throw: RollEvidence, roll: Roll, look: TurnEvidence, caution: Caution
) -> Iterator[Track]:
    """The turns in which the doubles that follow a roll lie on the board as well."""
    evidence = look.since(track.position)
    for side, chance in sides_of(track, throw).items():
        end = likeliest(evidence, track.position, side, caution)
        for doubles in throw.sequels:
            course = _course(track.position, side, (roll, *doubles), end, caution.rules)
            if course is not None:
                entry = _entry(track, side, (roll, *doubles), course, throw.rolls[roll] + chance)
                yield extend(track, entry, float(evidence.scores([course[-1]])[0]))


def _course(
    before: Position, side: Side, rolls: tuple[Roll, ...], end: Position, rules: MovementRules
) -> Course | None:
    """Legal plays of two rolls or more, all but the last in full, that lead to a board; None if none do."""
    courses: dict[Position, Course] = {before: ()}
    for number, roll in enumerate(rolls):
        further: dict[Position, Course] = {}
        for at, course in courses.items():
            ends = lawful(at, side, roll, rules)
            if number and end in ends:
                return (*course, end)
            if len(results(at, side, roll, rules)[1]) == len(roll.numbers):
                further |= {after: (*course, after) for after in ends if _leads_on(after, end, side, rules)}
        nearest = sorted(further, key=lambda after: _apart(after, end, side, rules))[:FOLLOWED]
        courses = {after: further[after] for after in nearest}
    return None


def _leads_on(now: Position, end: Position, side: Side, rules: MovementRules) -> bool:
    """Whether the checkers of a side can come from one board to another by going forward alone."""
    behind = now.bar(side) + now.hand(side) - end.bar(side) - end.hand(side)
    for point in range(24, 0, -1):
        if behind < 0:
            return False
        behind += held(now, side, point, rules) - held(end, side, point, rules)
    return behind >= 0


def _apart(now: Position, end: Position, side: Side, rules: MovementRules) -> int:
    """How many checkers of a side lie otherwise on two boards."""
    points = range(1, 25)
    return sum(abs(held(now, side, point, rules) - held(end, side, point, rules)) for point in points)


def _entry(track: Track, side: Side, rolls: tuple[Roll, ...], course: Course, prior: float) -> TrackEntry:
    chain: TrackEntry | None = None
    starts = (track.position, *course[:-1])
    plays = list(zip(rolls, starts, course, strict=False))
    for number, (roll, before, after) in reversed(list(enumerate(plays))):
        ply = track.ply + number
        chain = TrackEntry(ply, RollOutcome.LEGAL, side, roll, before, after, 0.0, then=chain)
    assert chain is not None
    return replace(chain, prior=prior)
