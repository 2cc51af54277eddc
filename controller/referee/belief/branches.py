"""The ways in which the game may have gone, each with its weight: what became of each roll, how the board lies."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache

import numpy as np

from controller.referee.belief.emission import Bias
from controller.referee.seeing.evidence import Evidence
from controller.rules import MovementRules, Position, Reason, Roll, Side, results
from controller.rules.moves.movement import STANDARD


class Kind(StrEnum):
    """What became of a roll."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    VOID = "void"
    """Nothing was played: the roll did not count, or is still to be played."""
    NONE = "none"
    """No turn of its own: the turn went on after it."""
    UNFINISHED = "unfinished"
    """The play goes on although the next roll has come, or nobody has seen how it ended."""
    UNCLEAR = "unclear"
    """Something was done that no other kind explains."""


@dataclass(frozen=True)
class Hypothesis:
    """What may have become of one roll.

    Attributes:
        ply: the number of the turn.
        kind: what became of the roll.
        side: who rolled; None where only a play will show it.
        roll: what was rolled.
        before: how the board stood.
        after: how it stands, as far as the turn made it so.
        prior: what speaks for it apart from the look of the board (a log-probability).
        text: an illegal play in notation.
        reasons: the rules that were broken.
        also: those of other explanations that are as simple.
        nearest: the legal result that is nearest to an illegal one.
        then: the next turn, where no roll was seen to part the two.
        lies: how the checkers lie, where somebody displaced some after the play.
        pushed_from: how the board should have stood, where somebody had displaced checkers before the play.
        in_turn: whether they were displaced after the roll, so that nobody was told before the play.
        by: which side displaced them; None where nobody meant to, or nobody did.
        in_hand: whether a checker that was hit is not on the bar yet.
        unseen: whether nobody saw the dice: the roll is one that allows the play.
    """

    ply: int
    kind: Kind
    side: Side | None
    roll: Roll
    before: Position
    after: Position
    prior: float
    text: str = ""
    reasons: tuple[Reason, ...] = ()
    also: tuple[Reason, ...] = ()
    nearest: Position | None = None
    then: "Hypothesis | None" = None
    lies: Position | None = None
    pushed_from: Position | None = None
    in_turn: bool = False
    by: Side | None = None
    in_hand: bool = False
    unseen: bool = False

    @property
    def origin(self) -> Position:
        """How the board should have stood before it."""
        return self.before if self.pushed_from is None else self.pushed_from

    @property
    def end(self) -> Position:
        """How the checkers lie after it."""
        last = self.last
        return last.after if last.lies is None else last.lies

    @property
    def displaced(self) -> tuple[int, ...]:
        """The points (1..24) on which checkers lie otherwise than after the play, or lay so when it began."""
        left = differing_points(self.last.after, self.end)
        return left if left or not self.in_turn else differing_points(self.origin, self.before)

    @property
    def is_idle(self) -> bool:
        """Whether nothing was moved although something could have been."""
        return self.kind in (Kind.VOID, Kind.ILLEGAL) and self.end == self.before

    @property
    def is_turn(self) -> bool:
        """Whether it is a turn of its own."""
        return self.kind not in {Kind.VOID, Kind.NONE}

    @property
    def key(self) -> tuple[tuple[Kind, Side | None, Roll, int], ...]:
        """What makes two hypotheses the same turns: the same changes, wherever they began."""
        return tuple((one.kind, one.side, one.roll, one.after.code - one.before.code) for one in self.chain)

    @property
    def chain(self) -> "tuple[Hypothesis, ...]":
        """This turn and those that followed before another roll was seen."""
        return (self, *(self.then.chain if self.then else ()))

    @property
    def last(self) -> "Hypothesis":
        """The last of the chain."""
        return self if self.then is None else self.then.last


@dataclass(frozen=True, eq=False)
class Branch:
    """One way in which the game may have gone.

    Attributes:
        position: from where the next turn is to be played.
        lies: how the checkers lie: otherwise than ``position`` where somebody displaced some.
        side: who is to move next; None while that is not known.
        ply: the number of the next turn.
        base: the log-weight without the last hypothesis.
        fit: how well the last hypothesis explains the look of the board (a log-likelihood).
        score: the log-weight.
        history: what became of the latest rolls.
        bias: where the reader errs.
    """

    position: Position
    lies: Position
    side: Side | None
    ply: int
    base: float
    fit: float
    score: float
    history: tuple[Hypothesis, ...]
    bias: Bias

    @property
    def last(self) -> Hypothesis:
        """What became of the latest roll."""
        return self.history[-1]


Beam = tuple[Branch, ...]
"""Branches, the likeliest first."""


Touched = Mapping[Side | None, frozenset[int]]
"""The points (1..24) that the hands of each side covered.

Where it could not be told of some whose they were, beside hands of one side alone, they count as of that side, which
they nearly always are; under None are those that may be the other's all the same (`rates.UNTOLD`).
"""


@dataclass(frozen=True, eq=False)
class Passage:
    """What came over the board between two settled views.

    Attributes:
        after: how the board looked then (weighed).
        touched: the points that hands covered; None where that is not known.
    """

    after: Evidence
    touched: Touched | None


@dataclass(frozen=True, eq=False)
class TurnLook:
    """How the board looked in one turn (all looks weighed).

    Attributes:
        end: at the latest settled view.
        start: before anything was moved; None where nothing has.
        ended: when the turn was ended, where the board was looked at again since.
        earlier: in the settled view before the latest, where only one picture shows that.
        between: in the settled views between the first and the latest...
        between_s: ...and how many seconds each of them lasted.
        before: in the settled views before the dice came to lie.
        pauses: in the settled views that ended after the dice were seen last.
        stale: whether nobody has seen what lies there since something came over the board after the latest settled
            view, or since the turn was ended.
        stood_s: how many seconds the latest settled view has lasted.
        still_s: how many seconds the board still lay as at the start after the dice had come to lie.
        passages: what came over the board from each settled view to the next, from the first one on.
    """

    end: Evidence
    start: Evidence | None
    ended: Evidence | None = None
    earlier: Evidence | None = None
    between: tuple[Evidence, ...] = ()
    between_s: tuple[float, ...] = ()
    before: tuple[Evidence, ...] = ()
    pauses: tuple[Evidence, ...] = ()
    stale: bool = False
    stood_s: float = 0.0
    still_s: float = 0.0
    passages: tuple[Passage, ...] = ()


class EndedBy(StrEnum):
    """What ended a turn."""

    NOTHING = "nothing"
    """It goes on, as far as anybody knows."""
    ACT = "act"
    """The player pressed a button or the clock, or said so."""
    LIFTED = "lifted"
    """The dice were taken up."""
    REST = "rest"
    """The board lay still for long enough, at a table where that ends a turn."""
    ROLL = "roll"
    """The next roll came."""
    ALIKE = "alike"
    """Dice with the numbers of the roll came to lie elsewhere: the next roll, or the same one, moved by hand."""


@dataclass(frozen=True)
class Throw:
    """A roll as reported or seen.

    Attributes:
        rolls: what it may have been, with log-probabilities.
        sides: who may have rolled it, with log-probabilities.
        lay_s: for how many seconds it lay.
        stayed: whether the dice still lay there when the turn had ended.
        reported: whether an electronic set reported it.
        seen: how many of its dice were seen.
        is_roll: how probable it is that any of what was seen is a die.
        sequels: lines of doubles of which one is played in the same turn, without a roll, once all of this roll is.
        ended_by: what ended the turn.
        said_over: whether somebody had said before that it was over, when nothing was moved.
        wrong: how an illegal play left the board, while that is being put right.
        glimpsed: what two dice showed that lay there in a single picture since the roll before (log-probabilities)...
        glimpsed_s: ...and for how many seconds they had been gone when this roll came.
    """

    rolls: Mapping[Roll, float]
    sides: Mapping[Side, float]
    lay_s: float
    stayed: bool = True
    reported: bool = True
    seen: int = 2
    is_roll: float = 1.0
    sequels: tuple[tuple[Roll, ...], ...] = ()
    ended_by: EndedBy = EndedBy.NOTHING
    said_over: bool = False
    wrong: Position | None = None
    glimpsed: Mapping[Roll, float] = field(default_factory=dict)
    glimpsed_s: float = 0.0

    def likely(self, within: float, most: int = 21) -> list[Roll]:
        """This many of its rolls, likeliest first, that are no less likely than the first by more than this."""
        least = max(self.rolls.values()) - within
        likely = [roll for roll, share in self.rolls.items() if share >= least]
        return sorted(likely, key=lambda roll: (-self.rolls[roll], roll.dice))[:most]

    def sides_from(self, branch: Branch) -> Mapping[Side, float]:
        """Who may have rolled where the game went so, with log-probabilities."""
        return self.sides if branch.side is None else {branch.side: 0.0}


def first_beam(position: Position, side: Side | None, ply: int = 0) -> Beam:
    """The one branch where the position is known, with turn ``ply`` to come."""
    return (
        Branch(
            position,
            position,
            side,
            ply=ply,
            base=0.0,
            fit=0.0,
            score=0.0,
            history=(),
            bias=Bias.fresh(position),
        ),
    )


def played_legally(
    ply: int, side: Side, roll: Roll, before: Position, after: Position, prior: float
) -> Hypothesis:
    """The turn in which a roll was played by the rules."""
    return Hypothesis(ply, Kind.LEGAL, side, roll=roll, before=before, after=after, prior=prior)


def grown(branch: Branch, hypothesis: Hypothesis, fit: float) -> Branch:
    """The branch with one more hypothesis, which explains the look of the board with the log-likelihood ``fit``.

    Its biases are still those of before.
    """
    last = hypothesis.last
    side = (last.side.opponent if last.side else None) if last.is_turn else branch.side
    return replace(
        branch,
        position=last.after,
        lies=hypothesis.end,
        side=side,
        ply=last.ply + last.is_turn,
        base=branch.score,
        fit=fit,
        score=branch.score + hypothesis.prior + fit,
        history=(*branch.history, hypothesis),
    )


def weights(beam: Sequence[Branch]) -> list[float]:
    """How probable each branch is; together they are certain."""
    scores = np.array([branch.score for branch in beam])
    shares = np.exp(scores - scores.max())
    told: list[float] = (shares / shares.sum()).tolist()
    return told


def prune(beam: Iterable[Branch], most: int, within: float) -> Beam:
    """The best branches, best first, none of them worse than the best by more than this."""
    ranked = sorted(beam, key=lambda one: -one.score)[:most]
    return tuple(branch for branch in ranked if branch.score >= ranked[0].score - within)


def level(beam: Sequence[Branch]) -> Beam:
    """The branches with their scores counted from the best one, so that they stay small."""
    top = max(branch.score for branch in beam)
    return tuple(replace(branch, base=branch.base - top, score=branch.score - top) for branch in beam)


def keep_latest(beam: Iterable[Branch], number: int) -> Beam:
    """The branches with only this many of their latest hypotheses; those that are the same by then are one."""
    merged: dict[object, Branch] = {}
    for branch in beam:
        history = branch.history[len(branch.history) - number :] if number else ()
        short = branch if len(branch.history) == number else replace(branch, history=history)
        key = (short.position, short.lies, short.side, short.ply, tuple(one.key for one in history))
        known = merged.get(key)
        if known is None:
            merged[key] = short
        else:
            both = float(np.logaddexp(known.score, short.score))
            merged[key] = replace(known, base=known.base + both - known.score, score=both)
    return tuple(sorted(merged.values(), key=lambda one: -one.score))


@lru_cache(maxsize=4000)
def lawful(
    position: Position, side: Side, roll: Roll, rules: MovementRules = STANDARD
) -> tuple[Position, ...]:
    """Every result of a complete legal play; the position itself if there is none."""
    codes, _ = results(position, side, roll, rules)
    return tuple(Position(code) for code in sorted(codes))


def points_apart(one: Position, other: Position) -> dict[int, int]:
    """The points (1..24) on which two positions differ, and by how many checkers."""
    pairs = zip(one.points, other.points, strict=True)
    return {point: abs(a - b) for point, (a, b) in enumerate(pairs, start=1) if a != b}


def differing_points(one: Position, other: Position) -> tuple[int, ...]:
    """The points (1..24) on which two positions differ."""
    return tuple(points_apart(one, other))
