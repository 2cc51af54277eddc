"""What the end of one play has over that of another, the weightiest first, as far as it speaks for the play; pure.

A difference is named only if it is worth something in positions of this stage (`WORTH`), and if, among the plays that
the engine weighed, those that have it are better than those that have not. So a play is never praised for what the
engine holds against it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.analysis.why.facts import BoardFacts, facts_of
from controller.rules import Position, Side

FEWER_SHOTS: Final = 3
"""A difference of fewer throws than this tells a learner nothing."""
SHORT_PRIME: Final = 4
"""Points in a row that begin to be called a prime."""
LEAST: Final = 0.02
"""Points of equity that a difference must be worth to be named; gnubg marks nothing below it."""
ASKED: Final = 12
"""This many of the plays an engine weighed are asked whether a difference speaks for a play, spread over all of them:
counting the shots of one takes a millisecond."""
FEW: Final = 4
"""Of fewer plays nothing can be asked."""


class GameStage(StrEnum):
    """What a position is about, for whoever is to play."""

    RACE = "race"
    AHEAD = "ahead"
    BEHIND = "behind"


class FactKind(StrEnum):
    """What a play can do."""

    HITS = "hits"
    BEARS_OFF = "bears_off"
    SHOTS = "shots"
    POINT = "point"
    PRIME = "prime"
    BLOTS = "blots"


@dataclass(frozen=True, slots=True)
class Gain:
    """One thing that a play has over another.

    Attributes:
        kind: what.
        worth: in points of equity, as a rule in such positions.
        point: which, for a made point.
    """

    kind: FactKind
    worth: float
    point: int = 0


WORTH: Final[Mapping[GameStage, Mapping[FactKind, float]]] = {
    GameStage.AHEAD: {
        FactKind.HITS: 0.107,
        FactKind.BEARS_OFF: 0.03,
        FactKind.SHOTS: 0.0097,
        FactKind.PRIME: 0.02,
        FactKind.BLOTS: 0.038,
    },
    GameStage.BEHIND: {
        FactKind.HITS: 0.14,
        FactKind.BEARS_OFF: 0.03,
        FactKind.SHOTS: 0.0047,
        FactKind.PRIME: 0.093,
        FactKind.BLOTS: 0.044,
    },
    GameStage.RACE: {FactKind.BEARS_OFF: 0.032},
}
"""What one more of each is worth, in points of equity: a throw fewer that hits, a point more in a row, a checker.

Least squares over the plays of 5,000 decisions of gnubg at 0 plies: `python -m tests.bench.bench_why --fit`. Few
plays bear off while there is contact: there the fit says little, and 0.03 is as in a race."""
POINTS: Final[Mapping[GameStage, Mapping[int, float]]] = {
    GameStage.AHEAD: {2: 0.103, 3: 0.145, 4: 0.162, 5: 0.168, 6: 0.159, 7: 0.078, 8: 0.071},
    GameStage.BEHIND: {2: 0.063, 3: 0.103, 4: 0.116, 5: 0.127, 6: 0.120, 7: 0.071, 8: 0.058, 9: 0.067},
    GameStage.RACE: {},
}
"""The same for each point that is made. Those that are left out are worth less than 0.055, many of them less than
nothing: who keeps the 24-point has not got away. Back checkers brought out are not named: of 210 times that they
were, they were worth something in 116, little more than by chance."""


def stage_of(position: Position, side: Side) -> GameStage:
    """What a position is about for ``side``, to play."""
    facing = position if side is Side.LIGHT else position.mirrored()
    mine = (
        25
        if facing.bar(Side.LIGHT)
        else max((n for n in range(1, 25) if facing.points[n - 1] > 0), default=0)
    )
    theirs = (
        0 if facing.bar(Side.DARK) else min((n for n in range(1, 25) if facing.points[n - 1] < 0), default=25)
    )
    if mine < theirs:
        return GameStage.RACE
    return GameStage.AHEAD if facing.pips(Side.LIGHT) <= facing.pips(Side.DARK) else GameStage.BEHIND


def gains(best: BoardFacts, other: BoardFacts, stage: GameStage) -> list[Gain]:
    """What the end of one play has over that of another, from the same position; the weightiest first."""
    found = (each for each in _differences(best, other, stage) if each.worth >= LEAST)
    return sorted(found, key=lambda each: -each.worth)


def _differences(best: BoardFacts, other: BoardFacts, stage: GameStage) -> Iterator[Gain]:
    worth = WORTH[stage]
    for kind in worth:
        more = measure(kind, best) - measure(kind, other)
        if more >= (FEWER_SHOTS if kind is FactKind.SHOTS else 1):
            yield Gain(kind, more * worth[kind])
    for point in best.points - other.points:
        yield Gain(FactKind.POINT, POINTS[stage].get(point, 0.0), point)


def measure(kind: FactKind, facts: BoardFacts, point: int = 0) -> int:
    """How much of something a position has, more being better; of a point whether it is made."""
    match kind:
        case FactKind.HITS:
            return facts.sent
        case FactKind.BEARS_OFF:
            return facts.off
        case FactKind.SHOTS:
            return -facts.shots
        case FactKind.POINT:
            return int(point in facts.points)
        case FactKind.PRIME:
            return max(facts.prime, SHORT_PRIME - 1)
        case FactKind.BLOTS:
            return -len(facts.blots)


def supported(found: Sequence[Gain], plays: Sequence[tuple[Position, float]], side: Side) -> list[Gain]:
    """The gains that go with better plays among those that an engine weighed, each with what it loses."""
    if len(plays) < FEW or not found:
        return [*found]
    asked = (
        [plays[index * (len(plays) - 1) // (ASKED - 1)] for index in range(ASKED)]
        if len(plays) > ASKED
        else plays
    )
    rated = [(facts_of(after, side), loss) for after, loss in asked]
    return [each for each in found if _goes_with_less_loss(each, rated)]


def _goes_with_less_loss(gain: Gain, rated: Sequence[tuple[BoardFacts, float]]) -> bool:
    """Whether plays lose the less the more of it they have; so too where all have as much."""
    amounts = [measure(gain.kind, facts, gain.point) for facts, _ in rated]
    mean = sum(amounts) / len(amounts)
    return sum((amount - mean) * loss for amount, (_, loss) in zip(amounts, rated, strict=True)) <= 0
