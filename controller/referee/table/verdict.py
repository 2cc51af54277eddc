"""What became of a roll: the readings since it came, weighed against everything that it may have become."""

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import inf

import numpy as np

from controller.referee.caution import Caution
from controller.referee.seeing.evidence import Evidence
from controller.referee.seeing.rests import Rests
from controller.referee.weighing.growth import grow_tracks
from controller.referee.weighing.proof import (
    best_lawful,
    differing_points,
    find_miscounted,
    is_proven,
    others_checkers,
)
from controller.referee.weighing.tracks import (
    RollEvidence,
    RollOutcome,
    Track,
    TrackEntry,
    TurnEvidence,
    lawful,
)


class Outcome(StrEnum):
    """What can be said of a turn."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    IDLE = "idle"
    """Nothing was moved, although something could have been."""
    UNSURE = "unsure"
    DISTURBED = "disturbed"
    """Only checkers of the side that was not on turn lie otherwise than after a legal play."""


@dataclass(frozen=True, eq=False)
class Verdict:
    """The judgement of one turn.

    Attributes:
        outcome: what can be said of it.
        entry: what was played; where that is not certain the legal turn that comes nearest.
        best: what explains the board best.
        points: points (1..24) to look at where it is not certain, or that were disturbed.
        tracks: all explanations, with this turn as the last of their history.
        throw, look: the roll and the board as they were weighed.
    """

    outcome: Outcome
    entry: TrackEntry
    best: TrackEntry
    points: tuple[int, ...]
    tracks: tuple[Track, ...]
    throw: RollEvidence
    look: TurnEvidence


def look_of(rests: Rests, first_t: float = inf, last_t: float = inf) -> TurnEvidence:
    """The look of a turn: how the board lay before it (if anything was moved) and how it lies now.

    The moments before its dice came to lie at ``first_t``, and those after they were last seen at ``last_t``, are
    kept apart: something else may have happened in them.
    """
    if not rests:
        return TurnEvidence(Evidence(np.zeros((24, 31)), np.zeros((16, 16)), np.zeros((2, 16)), 0), None)
    start = rests[0].evidence.weighed() if len(rests) > 1 else None
    before = tuple(rest.lies for rest in rests[:-1] if rest.first_t <= first_t)
    pauses = tuple(rest.lies for rest, then in pairwise(rests) if then.first_t > last_t)
    between = tuple(rest.lies for rest in rests[1:-1])
    changed = tuple(rest.lies for rest in rests[1:] if rest.first_t <= first_t)
    return TurnEvidence(rests[-1].lies, start, before, pauses, between, changed)


def weigh(
    parents: tuple[Track, ...], throw: RollEvidence, look: TurnEvidence, caution: Caution, *, calm: bool
) -> Verdict:
    """The judgement of the turn in which ``throw`` was played, as the board ``look``s.

    ``parents`` are the explanations of how the board stood before; nobody is accused where what came just before
    was not ``calm``, but uncertain.
    """
    return decide(grow_tracks(parents, throw, look, caution), throw, look, caution, calm=calm)


def decide(
    tracks: tuple[Track, ...], throw: RollEvidence, look: TurnEvidence, caution: Caution, *, calm: bool
) -> Verdict:
    """The judgement of the last turn of some explanations, likeliest first; the rest as for `weigh`."""
    weighed = tuple(track for track in tracks if not _dances(track.history[-1], throw, caution)) or tracks
    best = weighed[0]
    entry = best.history[-1]
    rival = next((one for one in weighed if _rivals(entry, one.history[-1])), None)
    lead = best.score - rival.score if rival else float("inf")
    wanted = caution.lead * (caution.seen_once if look.end.readings < 2 else 1.0)
    pushed = entry.pushed or others_checkers(entry, caution)
    if lead >= wanted and not pushed:
        if entry.kind is not RollOutcome.ILLEGAL:
            if (miscounted := find_miscounted(weighed, look, caution)) is not None:
                points = differing_points(entry.last.after, miscounted.after)
                return Verdict(Outcome.UNSURE, entry, miscounted, points, tracks, throw, look)
            outcome = Outcome.IDLE if entry.kind is RollOutcome.VOID else Outcome.LEGAL
            return Verdict(outcome, entry, entry, (), tracks, throw, look)
        if calm and is_proven(entry, look, throw, caution):
            return Verdict(Outcome.ILLEGAL, entry, entry, (), tracks, throw, look)
    nearest = _nearest_lawful(weighed, look, caution)
    if lead >= wanted and pushed:
        return Verdict(Outcome.DISTURBED, nearest, entry, pushed, tracks, throw, look)
    other = rival.history[-1] if rival else entry
    # Two explanations may agree about the board as it lies, and not about how it lay before.
    points = (
        differing_points(entry.last.after, nearest.last.after)
        or differing_points(entry.last.after, other.last.after)
        or differing_points(entry.origin, other.origin)
    )
    return Verdict(Outcome.UNSURE, nearest, entry, points, tracks, throw, look)


def _rivals(entry: TrackEntry, other: TrackEntry) -> bool:
    """Whether telling one entry would be wrong if the other were true; which rule was broken comes second."""
    if entry.kind is RollOutcome.ILLEGAL and other.kind is RollOutcome.ILLEGAL:
        return False
    return entry.key != other.key


def _dances(entry: TrackEntry, throw: RollEvidence, caution: Caution) -> bool:
    """Whether a roll is taken for void although it could not have been played, whatever the dice likely showed.

    It is the same board either way; so the turn counts, and what follows may show that it was rolled again.
    """
    sides = throw.sides if entry.side is None else (entry.side,)
    return entry.kind is RollOutcome.VOID and all(
        lawful(entry.before, side, roll, caution.rules) == (entry.before,)
        for side in sides
        for roll in throw.likely(caution.likely_roll)
    )


def _nearest_lawful(tracks: tuple[Track, ...], look: TurnEvidence, caution: Caution) -> TrackEntry:
    """The likeliest legal turn: the best explanation, or one hardly worse, else what comes nearest to it."""
    best = tracks[0]
    for track in tracks:
        entry = track.history[-1]
        if entry.kind is RollOutcome.LEGAL and not entry.pushed and best.score - track.score < caution.lead:
            return entry
    entry = next((track.history[-1] for track in tracks if track.history[-1].side), best.history[-1])
    if entry.side is None:
        return entry
    if entry.kind is RollOutcome.LEGAL and not entry.pushed:
        return entry
    after, _ = best_lawful(entry.origin, entry.side, entry.roll, look.since(entry.origin), caution)
    return entry.as_legal(entry.origin, after)
