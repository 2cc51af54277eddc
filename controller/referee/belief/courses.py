"""Turns in which doubles follow the roll, played in one go: no picture need show where one ended."""

from collections.abc import Iterator
from dataclasses import replace
from math import log
from typing import Final

from controller.referee.belief.branches import Branch, Hypothesis, grown, lawful, played_legally
from controller.referee.belief.breaches import likeliest
from controller.referee.belief.kinds import TurnCase
from controller.referee.belief.rates import Rate
from controller.referee.belief.steps import held
from controller.referee.seeing.evidence import score_of
from controller.rules import MovementRules, Position, Roll, Side, results
from controller.rules.notation import BAR, OFF

# This limits the work.
FOLLOWED: Final = 96
"""This many boards are followed from one double to the next."""
GO_ON: Final = Rate(0.2)
"""Where doubles follow, this many turns are played in one go."""

Course = tuple[Position, ...]
"""How the board stands after each roll of a turn."""


def with_sequels(case: TurnCase, least: float) -> Iterator[Branch]:
    """The doubles that follow the roll lie on the board as well."""
    branch, throw, rules = case.branch, case.throw, case.caution.rules
    if not throw.sequels:
        return
    roll = throw.likely(0.0)[0]
    for side, chance in throw.sides_from(branch).items():
        end = likeliest(case.seen, branch.lies, side, case.caution)
        for doubles in throw.sequels:
            course = _course(branch.lies, side, (roll, *doubles), end, rules)
            if course is not None:
                plays = zip((branch.lies, *course[:-1]), (roll, *doubles), strict=False)
                ways = sum(log(max(len(lawful(at, side, each, rules)), 1)) for at, each in plays)
                prior = throw.rolls[roll] + chance + GO_ON.log - ways
                if prior >= least:
                    made = _chain(branch, side, (roll, *doubles), course, prior)
                    yield grown(branch, made, score_of(case.seen, course[-1]))


def _course(
    before: Position, side: Side, rolls: tuple[Roll, ...], end: Position, rules: MovementRules
) -> Course | None:
    """Legal plays of two rolls or more, all but the last in full, that lead to a board; None if none do.

    The last one moves something: of a double that cannot be played the board shows nothing.
    """
    courses: dict[Position, Course] = {before: ()}
    for number, roll in enumerate(rolls):
        further: dict[Position, Course] = {}
        for at, course in courses.items():
            ends = lawful(at, side, roll, rules)
            if number and end in ends and end != at:
                return (*course, end)
            if len(results(at, side, roll, rules)[1]) == len(roll.numbers):
                further |= {after: (*course, after) for after in ends if _leads_on(after, end, side, rules)}
        sums = _sums(rolls[number + 1 :])
        nearest = sorted(further, key=lambda after: _apart(after, end, side, sums, rules))[:FOLLOWED]
        courses = {after: further[after] for after in nearest}
    return None


def _leads_on(now: Position, end: Position, side: Side, rules: MovementRules) -> bool:
    """Whether the checkers of a side can come from one board to another by going forward alone."""
    behind = now.bar(side) + now.hand(side) - end.bar(side) - end.hand(side)
    for ours, theirs in zip(reversed(held(now, side, rules)), reversed(held(end, side, rules)), strict=True):
        if behind < 0:
            return False
        behind += ours - theirs
    return behind >= 0


def _sums(doubles: tuple[Roll, ...]) -> frozenset[int]:
    """How far the doubles can bring one checker."""
    far = {0}
    for double in doubles:
        far = {way + times * double.high for way in far for times in range(len(double.numbers) + 1)}
    return frozenset(far)


def _apart(
    now: Position, end: Position, side: Side, sums: frozenset[int], rules: MovementRules
) -> tuple[int, int]:
    """How many checkers of a side have a way to go that is none of ``sums``, and how many have any."""
    # Many boards have few checkers to move, but from most of them no further double leads to the end.
    lie, stay = held(now, side, rules), held(end, side, rules)
    waiting = now.bar(side) + now.hand(side) - end.bar(side) - end.hand(side)
    places = range(BAR - 1, OFF, -1)
    gone = [BAR] * waiting + [place for place in places for _ in range(lie[place] - stay[place])]
    come = [place for place in places for _ in range(stay[place] - lie[place])]
    ways = [source - target for source, target in zip(gone, come, strict=False)]
    return sum(way not in sums for way in ways), len(gone)


def _chain(branch: Branch, side: Side, rolls: tuple[Roll, ...], course: Course, prior: float) -> Hypothesis:
    chain: Hypothesis | None = None
    starts = (branch.lies, *course[:-1])
    plays = list(zip(rolls, starts, course, strict=False))
    for number, (roll, before, after) in reversed(list(enumerate(plays))):
        made = played_legally(branch.ply + number, side, roll, before, after, 0.0)
        chain = replace(made, then=chain)
    assert chain is not None
    return replace(chain, prior=prior)
