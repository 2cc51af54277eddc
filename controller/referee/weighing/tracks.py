"""Explanations of the whole game so far, carried along side by side until one of them leads.

A doubtful turn is not decided on the spot: every result that may be true stays a track of its own, and the
pictures after the next roll, or the next play, show which one it was. The same serves a roll that either
could not be played or was rolled again, and a first turn whose player is not known.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from controller.referee.seeing.evidence import Evidence
from controller.rules import MovementRules, Position, Reason, Roll, Side, results
from controller.rules.moves.movement import STANDARD


class RollOutcome(StrEnum):
    """What became of a roll."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    VOID = "void"
    NONE = "none"
    """No turn of its own: the turn went on after it."""


@dataclass(frozen=True)
class TrackEntry:
    """One roll and what became of it.

    ``prior`` is what speaks for it apart from the pictures (0 or less). ``dice_doubted`` tells that its roll
    is only the likeliest of several that explain it, or not what the dice seemed to show. An illegal turn also
    has the change in notation, its reasons (``also`` those of other explanations) and the nearest legal result.
    ``then`` is the next turn where no roll was seen to part the two. Where checkers were pushed between two turns,
    ``before`` is the board with them, ``pushed`` names their points (1..24) and ``pushed_from`` is the board without.
    """

    ply: int
    kind: RollOutcome
    side: Side | None
    roll: Roll
    before: Position
    after: Position
    prior: float
    dice_doubted: bool = False
    text: str = ""
    reasons: tuple[Reason, ...] = ()
    also: tuple[Reason, ...] = ()
    nearest: Position | None = None
    then: "TrackEntry | None" = None
    pushed: tuple[int, ...] = ()
    pushed_from: Position | None = None

    @property
    def origin(self) -> Position:
        """How the board should have stood before it."""
        return self.before if self.pushed_from is None else self.pushed_from

    def as_legal(self, before: Position, after: Position) -> "TrackEntry":
        """The same roll played legally from one position to another, with nothing pushed and nothing to follow."""
        return replace(
            self,
            kind=RollOutcome.LEGAL,
            before=before,
            after=after,
            text="",
            reasons=(),
            also=(),
            nearest=None,
            then=None,
            pushed=(),
            pushed_from=None,
        )

    @property
    def is_turn(self) -> bool:
        """Whether it is a turn of its own."""
        return self.kind in {RollOutcome.LEGAL, RollOutcome.ILLEGAL}

    @property
    def key(self) -> tuple[tuple[RollOutcome, Side | None, Roll, int], ...]:
        """What makes two entries the same turns: the same changes, wherever they began."""
        return tuple((one.kind, one.side, one.roll, one.after.code - one.origin.code) for one in self.chain)

    @property
    def chain(self) -> "tuple[TrackEntry, ...]":
        """This turn and those that followed before another roll was seen."""
        return (self, *(self.then.chain if self.then else ()))

    @property
    def last(self) -> "TrackEntry":
        """The last of the chain."""
        return self.chain[-1]


@dataclass(frozen=True)
class Track:
    """One explanation: where it has led, how likely it is, and the entries it is made of (one for each roll).

    ``base`` is the score without the last entry, ``score`` with it. ``side`` is to move next, ``None`` while
    that is not known.
    """

    position: Position
    side: Side | None
    ply: int
    base: float
    score: float
    history: tuple[TrackEntry, ...]


@dataclass(frozen=True, eq=False)
class TurnEvidence:
    """What was seen of one turn: its end and, if anything moved, how the board looked before (weighed).

    ``before`` and ``pauses`` are the looks (weighed) of further moments in which it lay still: before the dice came
    to lie, and those that ended after they were last seen. ``between`` are all between start and end, ``changed``
    those before the dice came to lie in which the board was not as at the start any more.
    """

    end: Evidence
    start: Evidence | None
    before: tuple[Evidence, ...] = ()
    pauses: tuple[Evidence, ...] = ()
    between: tuple[Evidence, ...] = ()
    changed: tuple[Evidence, ...] = ()

    def since(self, before: Position) -> Evidence:
        """The evidence for what became of ``before``."""
        return self.end.since(self.end if self.start is None else self.start, before)


@dataclass(frozen=True)
class RollEvidence:
    """A roll as reported or seen.

    ``rolls`` are all it may have been, with log-shares (0 for the likeliest), ``sides`` who may have rolled it,
    with log-shares; it lay for ``lay_s`` seconds. ``reported`` tells that an electronic set reported it, ``seen``
    how many of its dice were, and ``sure`` that both were, well enough to accuse somebody by them; ``certain`` that
    there is no doubt about either. ``stayed`` tells that the dice still lay there when the turn had ended. One of the
    lines of doubles in ``sequels`` is played in the same turn, without a roll, once all of this roll is.
    """

    rolls: Mapping[Roll, float]
    sides: Mapping[Side, float]
    lay_s: float
    stayed: bool = True
    reported: bool = True
    seen: int = 2
    sure: bool = True
    certain: bool = True
    sequels: tuple[tuple[Roll, ...], ...] = ()

    def likely(self, within: float) -> list[Roll]:
        """Its rolls, likeliest first, that are no less likely than the first by more than this."""
        likely = [roll for roll, share in self.rolls.items() if share >= -within]
        return sorted(likely, key=lambda roll: (-self.rolls[roll], roll.dice))

    def shares(self, rolls: Iterable[Roll]) -> Mapping[Roll, float]:
        """Some of its rolls, with their log-shares."""
        return {roll: self.rolls[roll] for roll in rolls}

    def possible(self, within: float) -> Mapping[Roll, float]:
        """Its rolls with their log-shares; where the dice are certain, none that is less likely by more than this."""
        if self.reported or not self.certain:
            return self.rolls
        return {roll: share for roll, share in self.rolls.items() if share >= -within}


def first_tracks(position: Position, side: Side | None, ply: int = 0) -> tuple[Track, ...]:
    """The one explanation where the position is known, with turn ``ply`` to come."""
    return (Track(position, side, ply, 0.0, 0.0, ()),)


def rescore(tracks: Sequence[Track], look: TurnEvidence) -> tuple[Track, ...]:
    """The tracks when more was seen of how the last turn ended."""
    seen: dict[Position, Evidence] = {}
    scored = []
    for track in tracks:
        last = track.history[-1]
        evidence = seen.setdefault(last.before, look.since(last.before))
        score = track.base + last.prior + float(evidence.scores([track.position])[0])
        scored.append(replace(track, score=score))
    return tuple(sorted(scored, key=lambda one: -one.score))


def keep_entries(tracks: Sequence[Track], entries: int) -> tuple[Track, ...]:
    """The tracks with only so many of their latest entries."""
    return tuple(
        track
        if len(track.history) == entries
        else replace(track, history=track.history[len(track.history) - entries :])
        for track in tracks
    )


def prune(tracks: Sequence[Track], most: int, within: float) -> tuple[Track, ...]:
    """The best tracks, best first."""
    ranked = sorted(tracks, key=lambda one: -one.score)
    return tuple(track for track in ranked[:most] if track.score >= ranked[0].score - within)


def level(tracks: Sequence[Track]) -> tuple[Track, ...]:
    """The tracks with their scores counted from the best one, so that they stay small."""
    top = max(track.score for track in tracks)
    return tuple(replace(track, base=track.base - top, score=track.score - top) for track in tracks)


@lru_cache(maxsize=2000)
def lawful(
    position: Position, side: Side, roll: Roll, rules: MovementRules = STANDARD
) -> tuple[Position, ...]:
    """Every result of a complete legal play; the position itself if there is none."""
    codes, _ = results(position, side, roll, rules)
    return tuple(Position(code) for code in sorted(codes))


def extend(track: Track, entry: TrackEntry, seen: float) -> Track:
    """The track with one more entry, whose result explains what was seen with the log-likelihood ``seen``."""
    last = entry.last
    return Track(
        position=last.after,
        side=(last.side.opponent if last.side else None) if last.is_turn else track.side,
        ply=last.ply + last.is_turn,
        base=track.score,
        score=track.score + entry.prior + seen,
        history=(*track.history, entry),
    )
