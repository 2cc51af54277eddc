"""Which checkers have been hit, as far as the plays can tell.

Only the other side's home board matters: a checker that has left it comes back there only by being hit.
Checkers of a side look alike, so when one leaves a point where both kinds stand nobody can say which it
was. The log therefore keeps every way in which the checkers that were never hit may stand there.
"""

from dataclasses import dataclass, replace

from controller.rules.notation import BAR, Play
from controller.rules.position import Position, Side

HOME = range(19, 25)
"""The other side's home board in a side's own numbering."""

HitWays = frozenset[tuple[int, ...]]
"""Possible counts of never-hit checkers on the points of `HOME`."""


@dataclass(frozen=True, slots=True)
class HitLog:
    """What is known of both sides; None for a side of which a play was not known move by move."""

    light: HitWays | None
    dark: HitWays | None

    @classmethod
    def at_start(cls, position: Position) -> "HitLog":
        """The log of a game that begins in ``position``: nobody has been hit yet."""
        return cls(*(frozenset({_counts(position, side)[HOME.start : BAR]}) for side in Side))

    def after(self, before: Position, side: Side, play: Play | None) -> "HitLog":
        """The log after ``side`` made ``play`` from ``before``; None for a play that is not known."""
        if play is None:
            return HitLog(None, None)
        ways, theirs = self._ways(side), self._ways(side.opponent)
        counts = list(_counts(before, side))
        for move in play:
            ways = ways and _move(ways, counts, move.source, move.target)
            if move.hit:
                theirs = theirs and _clear(theirs, BAR - move.target)
            counts[move.source] -= 1
            counts[move.target] += 1
        return replace(self, **{side.value: ways, side.opponent.value: theirs})

    def hit_checker_left(self, side: Side, position: Position) -> bool | None:
        """Whether one of the checkers that ``side`` has in the other home board in ``position`` has been hit.

        None if nobody can tell. ``position`` is the one the log has reached.
        """
        ways = self._ways(side)
        if ways is None:
            return None
        counts = _counts(position, side)[HOME.start : BAR]
        verdicts = {way != counts for way in ways}
        return verdicts.pop() if len(verdicts) == 1 else None

    def _ways(self, side: Side) -> HitWays | None:
        return self.light if side is Side.LIGHT else self.dark


def _counts(position: Position, side: Side) -> tuple[int, ...]:
    """How many checkers a side has borne off, has on each point in its own numbering, and on the bar."""
    points = position.points if side is Side.LIGHT else [-count for count in reversed(position.points)]
    return (position.off(side), *[max(count, 0) for count in points], position.bar(side))


def _move(ways: HitWays, counts: list[int], source: int, target: int) -> HitWays:
    """The ways after one checker went from ``source``, where ``counts`` stood, to ``target``."""
    if source not in HOME:
        return ways
    place = source - HOME.start
    found = {way for way in ways if way[place] < counts[source]}
    for way in ways:
        if way[place]:
            changed = list(way)
            changed[place] -= 1
            if target in HOME:
                changed[target - HOME.start] += 1
            found.add(tuple(changed))
    return frozenset(found)


def _clear(ways: HitWays, point: int) -> HitWays:
    """The ways after the blot on ``point`` was hit."""
    if point not in HOME:
        return ways
    place = point - HOME.start
    return frozenset((*way[:place], 0, *way[place + 1 :]) for way in ways)
