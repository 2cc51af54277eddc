"""What a learner may do with a roll: every way to play it, step by step, and where on it the board stands.

A step is shown only if it can be completed to a legal play: one that would leave a number unplayed that must be
played, or force the smaller number where the larger is required, is no way. Places are those of the lights
(`controller.devices.lights.frame.Place`): points from light's side.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from controller.arrays import IndexArray
from controller.devices.lights.frame import Place
from controller.referee.seeing.evidence import MOST, Evidence, counts_of
from controller.rules import Move, MovementRules, Play, Position, Roll, Side, packed, results
from controller.rules.moves import law, wide
from controller.rules.moves.movement import STANDARD, Contact
from controller.rules.moves.restrictions import Start
from controller.rules.notation import BAR, OFF
from controller.rules.position import Direction, side_point

CLEAR: Final = 1.5
"""What the board shows of a play is believed if everything else is worse by so much (log-odds): a wrong guess costs a
wrong hint only..."""
FITS: Final = 6.0
"""...and if nothing speaks against it by more, as when a blot that was hit is in the hand, too (log-likelihood)."""
KNOWN: Final = 12
"""It is looked at while this many of the 24 points and halves of the bar can be seen."""
EMPTY_HAND: Final = 4.5
"""Handicap (log-odds) of a checker in the hand while there is no hand over the board: ninety to one."""
_KEPT: Final = 16
"""Ways kept in memory: a limit of work, no threshold."""
_POINTS: Final = np.arange(24)


@dataclass(frozen=True, slots=True)
class PartialPlay:
    """A play on its way.

    Attributes:
        position: how the checkers stand.
        play: moves that lead there, in one of the ways.
        left: what may still be played, larger first; several where it does not show which numbers were played.
        complete: whether the turn may end here.
    """

    position: Position
    play: Play
    left: frozenset[tuple[int, ...]]
    complete: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """What the board shows of a play: its stage, and from where a checker was lifted that is in the hand now."""

    stage: PartialPlay
    lifted: Place | None = None


NextMove = tuple[Move, PartialPlay]
"""One checker moved by one number, and what that leads to."""


@dataclass(frozen=True, eq=False, slots=True)
class Ways:
    """All ways of one side to play one roll from one position.

    Attributes:
        side: whose roll it is.
        stages: every position on the way to a complete legal play, the beginning first.
        direction: how the sides go round the board.
    """

    side: Side
    stages: tuple[PartialPlay, ...]
    direction: Direction
    _steps: Mapping[Position, tuple[NextMove, ...]]
    _boards: "_Boards"

    def stage(self, position: Position) -> PartialPlay | None:
        """The stage in which the checkers stand so; None if that is not on the way to any legal play."""
        return next((stage for stage in self.stages if stage.position == position), None)

    def steps(self, stage: PartialPlay) -> tuple[NextMove, ...]:
        """Every single step that may be made next."""
        return self._steps[stage.position]

    def movable(self, stage: PartialPlay) -> frozenset[Place]:
        """Where a checker may be lifted next."""
        return frozenset(self._place(move.source) for move, _ in self.steps(stage))

    def landings(self, stage: PartialPlay, source: Place) -> frozenset[Place]:
        """Where a checker from ``source`` may be put down, with one number or several; empty if nowhere."""
        found: set[int] = set()
        waiting = [step for step in self.steps(stage) if self._place(step[0].source) == source]
        while waiting:
            move, after = waiting.pop()
            found.add(move.target)
            waiting += [step for step in self.steps(after) if step[0].source == move.target != OFF]
        return frozenset(self._place(target) for target in found)

    def _place(self, point: int) -> Place:
        """The place of a point in the numbering of the side, in which 25 is its bar and 0 its tray."""
        if point == BAR:
            return f"bar-{self.side}"
        if point == OFF:
            return f"tray-{self.side}"
        return side_point(point, self.side, self.direction)

    def seen(self, evidence: Evidence, *, hand: bool) -> Seen | None:
        """Where the board stands, by weighed evidence; None if that is not clear.

        The evidence should be the emission of the look since the roll, what is covered left out; there nothing is
        taken to have changed. A checker that is on no point is in the hand if there is one over the board, else borne
        off.
        """
        found = [
            Seen(self.stages[stage], None if bare is None else _light_place(bare))
            for stage, bare in self._boards.shown(evidence, 0.0 if hand else EMPTY_HAND)
        ]
        return min(
            found, key=lambda seen: (hand is (seen.lifted is None), len(seen.stage.play)), default=None
        )


@lru_cache(maxsize=_KEPT)
def ways(position: Position, side: Side, roll: Roll, rules: MovementRules = STANDARD) -> Ways:
    """Every way of ``side`` to play ``roll``. Where nothing can be played the beginning is the only stage."""
    start = (position.code, roll.numbers)
    ends, _ = results(position, side, roll, rules)
    following = _following(start, side is Side.DARK, roll, rules)
    leading = _leading(following, ends)
    stages = _stages(start, following, leading, ends)
    steps = {stage.position: _steps(stage, following, stages, leading) for stage in stages.values()}
    boards = _Boards.from_codes(stages, side, rules.checkers)
    return Ways(side, tuple(stages.values()), rules.direction, steps, boards)


_Line = tuple[int, tuple[int, ...]]
"""A packed position on the way and the numbers still to play."""
_Following = Mapping[_Line, Sequence[tuple[Move, _Line]]]


def _following(start: _Line, dark: bool, roll: Roll, rules: MovementRules) -> _Following:
    """All legal steps from all lines that legal steps lead to, in the order in which they are reached."""
    begun = Start(wide.view(start[0], dark, rules.direction), roll.high if roll.is_double else 0)
    found: dict[_Line, list[tuple[Move, _Line]]] = {start: []}
    waiting = [start]
    for line in waiting:
        code, left = line
        board = wide.view(code, dark, rules.direction)
        sources = [place for place in range(BAR, 0, -1) if board[place] > packed.EMPTY]
        for die in dict.fromkeys(left):
            after = _without(left, die)
            for source in sources:
                if law.breaches(board, source, die, rules, begun):
                    continue
                target = max(source - die, OFF)
                hit = rules.contact is Contact.HIT and law.hits(board, target)
                end = wide.after_step(board, source, target, rules.contact)
                reached = (wide.code_of(end, dark, rules.direction), after)
                found[line].append((Move(source, target, hit), reached))
                if reached not in found:
                    found[reached] = []
                    waiting.append(reached)
    return found


def _without(numbers: tuple[int, ...], die: int) -> tuple[int, ...]:
    index = numbers.index(die)
    return numbers[:index] + numbers[index + 1 :]


def _leading(following: _Following, ends: set[int]) -> set[_Line]:
    """The lines from which a complete play can be reached, or which are one."""
    leading: set[_Line] = set()
    for line in reversed(list(following)):
        if line[0] in ends or any(after in leading for _, after in following[line]):
            leading.add(line)
    return leading


def _stages(
    start: _Line, following: _Following, leading: set[_Line], ends: set[int]
) -> dict[int, PartialPlay]:
    """One stage for each position on the way, by packed position."""
    plays: dict[_Line, Play] = {start: ()}
    left: dict[int, set[tuple[int, ...]]] = {}
    first: dict[int, Play] = {}
    for line, steps in following.items():
        if line not in leading:
            continue
        left.setdefault(line[0], set()).add(line[1])
        first.setdefault(line[0], plays[line])
        for move, after in steps:
            plays.setdefault(after, (*plays[line], move))
    return {
        code: PartialPlay(Position(code), play, frozenset(left[code]), code in ends)
        for code, play in first.items()
    }


def _steps(
    stage: PartialPlay, following: _Following, stages: Mapping[int, PartialPlay], leading: set[_Line]
) -> tuple[NextMove, ...]:
    lines = [(stage.position.code, left) for left in sorted(stage.left)]
    found = {(move, after[0]): None for line in lines for move, after in following[line] if after in leading}
    return tuple((move, stages[code]) for move, code in found)


def _light_place(place: int) -> Place:
    """The place of a packed position's byte: 0 dark's bar, 25 light's."""
    return {0: "bar-dark", packed.BAR: "bar-light"}.get(place, place)


@dataclass(frozen=True, eq=False, slots=True)
class _Boards:
    """What may be seen on the way: every stage, and every stage without one of the mover's checkers.

    Attributes:
        counts: (N, 26) signed counts, light positive, as the bytes of packed positions.
        off: (N, 2) checkers borne off, light's first; one in the hand is not.
        stage: (N,) indices of the stages.
        bare: (N,) from which place the missing checker was lifted, -1 if none is missing.
    """

    counts: IndexArray
    off: IndexArray
    stage: IndexArray
    bare: IndexArray

    @classmethod
    def from_codes(cls, codes: Collection[int], side: Side, checkers: int) -> "_Boards":
        """Of the packed positions of the stages, in their order, in a game with this many checkers a side."""
        whole = counts_of(codes)
        sign = 1 if side is Side.LIGHT else -1
        stage, place = np.nonzero(whole * sign > 0)
        lifted = whole[stage]
        lifted[np.arange(len(stage)), place] -= sign
        off = np.array([[Position(code).off(each, checkers) for each in Side] for code in codes])
        return cls(
            np.concatenate([whole, lifted]),
            np.concatenate([off, off[stage]]),
            np.concatenate([np.arange(len(whole)), stage]),
            np.concatenate([np.full(len(whole), -1), place]),
        )

    def shown(self, evidence: Evidence, handicap: float) -> list[tuple[int, int | None]]:
        """The stages, and places of a missing checker, that look as the board does; none if that is not clear.

        ``handicap`` is that of a checker missing.
        """
        fits = (
            evidence.points[_POINTS, self.counts[:, 1:25] + MOST].sum(axis=1)
            + evidence.bar[self.counts[:, 25], -self.counts[:, 0]]
            + evidence.off[0, self.off[:, 0]]
            + evidence.off[1, self.off[:, 1]]
        )
        scores = fits - handicap * (self.bare >= 0)
        best = int(np.argmax(scores))
        rivals = np.flatnonzero(scores > scores[best] - CLEAR)
        known = np.concatenate([[evidence.bar.any()], evidence.points.any(axis=1), [evidence.bar.any()]])
        apart = (self.counts[rivals] != self.counts[best])[:, known]
        if fits[best] < -FITS or known.sum() < KNOWN or apart.any():
            return []
        unseen = np.abs(self.counts[rivals] - self.counts[0])[:, ~known].sum(axis=1)
        return [
            (int(self.stage[rival]), None if self.bare[rival] < 0 else int(self.bare[rival]))
            for rival in rivals[unseen == unseen.min()]
        ]
