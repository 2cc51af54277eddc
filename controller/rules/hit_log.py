"""Which checkers have been hit, as far as the plays can tell.

Checkers of a side look alike, so when one leaves a point where both kinds stand nobody can say which it
was. For every place the log therefore keeps the fewest and the most hit checkers that may stand there.
"""

from dataclasses import dataclass, field

from controller.rules.notation import BAR, Play
from controller.rules.position import Position, Side

PLACES = 26
Bounds = tuple[tuple[int, int], ...]
"""For each place of one side, in its own numbering (0 off, 25 bar): fewest and most hit checkers there."""

CLEAN: Bounds = ((0, 0),) * PLACES


@dataclass(frozen=True, slots=True)
class HitLog:
    """The hit checkers of both sides. ``complete`` is false once a play was not known move by move."""

    light: Bounds = field(default=CLEAN)
    dark: Bounds = field(default=CLEAN)
    complete: bool = True

    def after(self, before: Position, side: Side, play: Play | None) -> "HitLog":
        """The log after ``side`` made ``play`` from ``before``; None for a play that is not known."""
        if play is None:
            return HitLog(self.light, self.dark, complete=False)
        bounds = list(self._of(side))
        counts = [_count(before, side, place) for place in range(PLACES)]
        for move in play:
            bounds[move.source], moved = _taken(bounds[move.source], counts[move.source], move.source)
            low, high = bounds[move.target]
            bounds[move.target] = (low + moved[0], high + moved[1])
            counts[move.source] -= 1
            counts[move.target] += 1
        hits = {BAR - move.target for move in play if move.hit}
        other = tuple(
            (0, 0) if place in hits else bound for place, bound in enumerate(self._of(side.opponent))
        )
        mine = tuple(bounds)
        light, dark = (mine, other) if side is Side.LIGHT else (other, mine)
        return HitLog(light, dark, self.complete)

    def hit_checker_left(self, side: Side) -> bool | None:
        """Whether a checker of ``side`` in the other home board has been hit; None if nobody can tell."""
        home = self._of(side)[19:25]
        if self.complete and any(low for low, _ in home):
            return True
        if self.complete and not any(high for _, high in home):
            return False
        return None

    def _of(self, side: Side) -> Bounds:
        return self.light if side is Side.LIGHT else self.dark


def _count(position: Position, side: Side, place: int) -> int:
    if place == BAR:
        return position.bar(side)
    if place == 0:
        return position.off(side)
    return position.checkers(side, place if side is Side.LIGHT else BAR - place)


def _taken(bound: tuple[int, int], count: int, place: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The bounds left on a place after one checker went, and the bounds of the one that went."""
    if place == BAR:
        return bound, (1, 1)
    low, high = bound
    left = (max(low - 1, 0), min(high, count - 1))
    return left, (1 if low >= count else 0, 1 if high else 0)
