"""What became of a roll: the readings since it came, weighed against everything that it may have become."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from controller.referee.caution import Caution
from controller.referee.growth import grown
from controller.referee.ledger import differing, lawful_instead, rivals
from controller.referee.proof import proven
from controller.referee.rests import Rests
from controller.referee.tracks import Entry, Kind, Look, Throw, Track, first_tracks, lawful

ONCE: Final = 2.0
"""A single picture must leave so many times the usual lead."""


class Outcome(StrEnum):
    """What can be said of a turn."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    IDLE = "idle"
    """Nothing was moved, although something could have been."""
    UNSURE = "unsure"
    UNSEEN = "unseen"
    """No picture at rest since the roll."""


@dataclass(frozen=True, eq=False)
class Verdict:
    """The judgement of one turn.

    ``entry`` is what was played; where the outcome is unsure it is the legal turn that comes nearest, and
    ``points`` (1..24) are those to look at. ``tracks`` are all explanations, with this turn as their history.
    """

    outcome: Outcome
    entry: Entry
    points: tuple[int, ...]
    tracks: tuple[Track, ...]


def look_of(rests: Rests) -> Look:
    """The look of a turn: how the board lay before it (if anything was moved) and how it lies now."""
    start = rests[0].evidence.weighed() if len(rests) > 1 else None
    pauses = tuple(rest.lies for rest in rests[:-1])
    return Look(rests[-1].lies, start, pauses[:1] or (rests[-1].lies,), pauses)


def verdict_of(parents: tuple[Track, ...], throw: Throw, rests: Rests, caution: Caution) -> Verdict:
    """The judgement of the turn in which ``throw`` was played, from its rests (at least one).

    ``parents`` are the explanations of how the board stood before; each knows who was on roll, or the throw does.
    """
    look = look_of(rests)
    tracks = grown(parents, throw, look, caution)
    if all(_dances(parent, throw, caution) for parent in parents):
        tracks = tuple(track for track in tracks if track.history[-1].kind is not Kind.VOID) or tracks
    best = tracks[0]
    entry = best.history[-1]
    rival = next((one for one in tracks if rivals(entry, one.history[-1])), None)
    lead = best.score - rival.score if rival else float("inf")
    wanted = caution.lead * (ONCE if look.end.readings < 2 else 1.0)
    other = rival.history[-1] if rival else entry
    if lead >= wanted and entry.kind is not Kind.ILLEGAL:
        outcome = Outcome.IDLE if entry.kind is Kind.VOID else Outcome.LEGAL
        return Verdict(outcome, entry, (), tracks)
    if lead >= wanted and len(parents) == 1 and proven(entry, look, throw, caution):
        return Verdict(Outcome.ILLEGAL, entry, (), tracks)
    nearest = _nearest_lawful(tracks, look, caution)
    points = differing(entry.after, nearest.after) or differing(entry.after, other.after)
    return Verdict(Outcome.UNSURE, nearest, points, tracks)


def settled(verdict: Verdict) -> tuple[Track, ...]:
    """The explanations to go on from: one if the turn is certain, else all that are left."""
    if verdict.outcome in (Outcome.LEGAL, Outcome.ILLEGAL):
        entry = verdict.entry.last
        side = entry.side.opponent if entry.side else None
        return first_tracks(entry.after, side, entry.ply + 1)
    kept = [track for track in verdict.tracks if track.history[-1].kind is not Kind.VOID] or verdict.tracks
    return tuple(replace(track, base=track.score, history=()) for track in kept)


def _dances(parent: Track, throw: Throw, caution: Caution) -> bool:
    sides = throw.sides if parent.side is None else (parent.side,)
    return all(
        lawful(parent.position, side, roll, caution.rules) == (parent.position,)
        for side in sides
        for roll in throw.likely(caution.likely_roll)
    )


def _nearest_lawful(tracks: tuple[Track, ...], look: Look, caution: Caution) -> Entry:
    """The likeliest legal turn: among the explanations, or else the one that comes nearest to the best of them."""
    for track in tracks:
        if track.history[-1].kind is Kind.LEGAL:
            return track.history[-1]
    entry = next((track.history[-1] for track in tracks if track.history[-1].side is not None), None)
    if entry is None or entry.side is None:
        return tracks[0].history[-1]
    return lawful_instead(entry, look, caution)
