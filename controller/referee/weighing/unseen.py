"""Turns of which no roll was seen: told by what the board shows before and after them.

Between two rolls that were seen the board may have changed twice: the dice of the first roll were taken up, the
board lay still for a while, and what changed from then on was played by the other side.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import log

import numpy as np

from controller.referee.caution import Caution
from controller.referee.seeing.evidence import Evidence
from controller.referee.seeing.sightings import ANY_ROLL
from controller.referee.weighing.tracks import (
    RollEvidence,
    RollOutcome,
    Track,
    TrackEntry,
    TurnEvidence,
    extend,
    lawful,
)
from controller.rules import Position, Roll, Side

# These limit the work; what the evidence is worth is in `Caution`.
ENDS = 4
"""So many results of a turn are followed..."""
ENDS_UNSEEN = 12
"""...and so many where no picture shows how it ended."""
PAUSES = 6
"""A turn is thought to have ended in at most so many of the moments in which the board lay still."""


@dataclass(frozen=True)
class Mover:
    """Who moves from where: by which rolls (with log-shares), at what handicap, and whether dice were seen."""

    ply: int
    side: Side
    before: Position
    rolls: Mapping[Roll, float]
    handicap: float
    seen: bool


Leg = tuple[tuple[TrackEntry, ...], float]
"""Turns without a roll between them, and how well they explain all but the end of the last one."""


def sides_of(track: Track, throw: RollEvidence) -> Mapping[Side, float]:
    """Who may have rolled, with log-shares."""
    return throw.sides if track.side is None else {track.side: 0.0}


def turns_unseen(track: Track, throw: RollEvidence, look: TurnEvidence, caution: Caution) -> Iterator[Track]:
    """Explanations in which other turns went by: before the roll, or after it was played."""
    start = look.start or look.end
    end = look.since(track.position)
    before = [TurnEvidence(pause, start).since(track.position) for pause in look.before[-PAUSES:]]
    after = [TurnEvidence(pause, start).since(track.position) for pause in look.pauses[-PAUSES:]]
    for side, chance in sides_of(track, throw).items():
        rolled = Mover(track.ply, side, track.position, throw.rolls, -chance, throw.seen > 0)
        yield from _turns_before(track, rolled, before, end, caution)
        if not throw.stayed:
            yield from _turns_after(track, rolled, after, end, caution)


def plays_unseen(track: Track, throw: RollEvidence, look: TurnEvidence, caution: Caution) -> Iterator[Track]:
    """The roll before, taken for void, was played after all, and no picture showed it before this roll came."""
    if not track.history or track.history[-1].kind is not RollOutcome.VOID:
        return
    *history, void = track.history
    evidence = look.since(track.position)
    for side, chance in sides_of(track, throw).items():
        first = Mover(void.ply, side, track.position, {void.roll: 0.0}, -chance, True)
        for middle, _ in _ends(first, evidence, ENDS_UNSEEN, caution):
            then = Mover(
                track.ply + 1, side.opponent, middle.after, throw.rolls, caution.unseen, throw.seen > 0
            )
            for end, fit in _ends(then, evidence, ENDS, caution):
                yield extend(replace(track, history=(*history, middle)), end, fit)


def _turns_before(
    track: Track, rolled: Mover, pauses: list[Evidence], end: Evidence, caution: Caution
) -> Iterator[Track]:
    """Before the roll, which is the other side's then, somebody rolled and played, or could not play, unseen."""
    unseen = Mover(track.ply, rolled.side, track.position, ANY_ROLL, caution.missed_turn, False)
    legs = [_legs(unseen, pause, ((), 0.0), caution) for pause in pauses]
    for _ in range(caution.most_unseen):
        for entries, score in (leg for here in legs for leg in here):
            last = entries[-1]
            assert last.side is not None
            mover = replace(rolled, ply=last.ply + 1, side=last.side.opponent, before=last.after)
            for entry, fit in _ends(mover, end, ENDS, caution):
                yield _child(track, (*entries, entry), score + entry.prior, fit)
        legs = _further(legs, pauses, caution)


def _turns_after(
    track: Track, rolled: Mover, pauses: list[Evidence], end: Evidence, caution: Caution
) -> Iterator[Track]:
    """After the roll was played the other side rolled and played, too, perhaps both did."""
    for entry, _ in _ends(rolled, end, ENDS_UNSEEN, caution):
        yield from _end_leg(track, ((entry,), entry.prior - caution.unseen), end, caution)
    legs = [_legs(rolled, pause, ((), 0.0), caution) for pause in pauses]
    for _ in range(caution.most_unseen):
        for leg in (leg for here in legs for leg in here):
            yield from _end_leg(track, leg, end, caution)
        legs = _further(legs, pauses, caution)


def _legs(mover: Mover, pause: Evidence, leg: Leg, caution: Caution) -> list[Leg]:
    """A leg with one more turn, which ended in a pause."""
    entries, score = leg
    return [
        ((*entries, entry), score + entry.prior + fit) for entry, fit in _ends(mover, pause, ENDS, caution)
    ]


def _further(legs: list[list[Leg]], pauses: list[Evidence], caution: Caution) -> list[list[Leg]]:
    """The best legs with one more turn that nobody saw, for each pause in which it may have ended."""
    further: list[list[Leg]] = []
    for number, pause in enumerate(pauses):
        grown = [
            longer
            for leg in (leg for here in legs[:number] for leg in here)
            for longer in _legs(_reply_to(leg[0][-1], caution), pause, leg, caution)
        ]
        further.append(sorted(grown, key=lambda leg: -leg[1])[:ENDS])
    return further


def _end_leg(track: Track, leg: Leg, end: Evidence, caution: Caution) -> Iterator[Track]:
    """The tracks of a leg after which one more turn was played that nobody saw."""
    entries, score = leg
    for entry, fit in _ends(_reply_to(entries[-1], caution), end, ENDS, caution):
        yield _child(track, (*entries, entry), score + entry.prior, fit)


def _reply_to(entry: TrackEntry, caution: Caution) -> Mover:
    assert entry.side is not None
    return Mover(entry.ply + 1, entry.side.opponent, entry.after, ANY_ROLL, caution.missed_turn, False)


def _ends(mover: Mover, evidence: Evidence, most: int, caution: Caution) -> list[tuple[TrackEntry, float]]:
    """The likeliest legal plays of a turn, and how well each result explains the evidence."""
    side, before, rolls, doubted = mover.side, mover.before, mover.rolls, not mover.seen
    found = []
    for after, (roll, *_), fit in likeliest_results(before, side, rolls, evidence, most, caution):
        prior = rolls[roll] - mover.handicap
        entry = TrackEntry(mover.ply, RollOutcome.LEGAL, side, roll, before, after, prior, doubted)
        found.append((entry, fit))
    return found


def likeliest_results(
    before: Position,
    side: Side,
    rolls: Mapping[Roll, float],
    evidence: Evidence,
    most: int,
    caution: Caution,
    *,
    weigh_rolls: bool = True,
) -> Iterator[tuple[Position, list[Roll], float]]:
    """So many results of some rolls (with log-shares), likeliest first.

    Each comes with the rolls that lead to it, likeliest first, and how well it explains the evidence
    (log-likelihood).
    With ``weigh_rolls`` it counts, too, how likely the first of them is; without, the evidence alone.
    """
    ways = ways_to(before, side, rolls, caution)
    ends = list(ways)
    seen = evidence.scores(ends)
    scores = seen + np.array([rolls[ways[end][0]] for end in ends]) if weigh_rolls else seen
    for at in np.argsort(-scores, kind="stable")[:most]:
        yield ends[at], ways[ends[at]], float(seen[at])


def ways_to(
    before: Position, side: Side, rolls: Mapping[Roll, float], caution: Caution
) -> dict[Position, list[Roll]]:
    """Every result of some rolls (with log-shares), with all that lead to it, likeliest first.

    A roll that allows much, such as a double, explains a play less well than one that leaves little choice.
    """
    results = {roll: lawful(before, side, roll, caution.rules) for roll in rolls}
    ranked = sorted(rolls, key=lambda roll: -(rolls[roll] - log(len(results[roll])) / 2))
    ways: dict[Position, list[Roll]] = {}
    for roll in ranked:
        for after in results[roll]:
            ways.setdefault(after, []).append(roll)
    return ways


def _child(track: Track, entries: tuple[TrackEntry, ...], prior: float, fit: float) -> Track:
    """The track with all these turns as one entry."""
    chain = None
    for entry in reversed(entries):
        chain = replace(entry, prior=0.0, then=chain)
    assert chain is not None
    return extend(track, replace(chain, prior=prior), fit)
