"""Explanations that break a rule: what else may lie on the board, and which rule it breaks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from controller.referee.caution import Caution
from controller.referee.change import change_text
from controller.referee.evidence import MOST, Evidence, Table
from controller.rules.judge import judge
from controller.rules.plays import results
from controller.rules.position import Position, Side
from controller.rules.reasons import COUNT_CODES, Reason, ReasonCode, Verdict
from controller.rules.roll import Roll

LIKELY = 6.0
MIXED = 1.5
UNCHANGED = 0.3
KEPT_PER_PLACE = 4
KEPT_PER_TOTAL = 5
JUDGED = 10
RARE = frozenset({ReasonCode.BACKWARDS, ReasonCode.EXTRA_CHECKER_MOVED, ReasonCode.DICE_MISMATCH})

Option = tuple[float, int, int, int]
"""Score, light checkers, dark checkers, index into the place's table."""


@dataclass(frozen=True)
class Breach:
    """A result that no legal play reaches: its reasons, the change in notation, the nearest legal result."""

    after: Position
    reasons: tuple[Reason, ...]
    text: str
    nearest: Position | None
    handicap: float


def breaches(
    before: Position, side: Side, roll: Roll, evidence: Evidence, caution: Caution
) -> tuple[Breach, ...]:
    """The most likely results that break a rule, likeliest first.

    ``evidence`` must be weighed. A checker of ``side`` that is missing may lie on a point the opponent holds;
    a reading by colour can only err there, so such a point is left out when that explains the result.
    """
    found = list(_judged(before, side, roll, evidence, caution))
    for place in range(24):
        own = before.points[place]
        held = own <= -2 if side is Side.LIGHT else own >= 2
        lost = -float(evidence.points[place, own + MOST])
        if held and lost > MIXED:
            blind = evidence.blinded(place)
            for breach in _judged(before, side, roll, blind, caution):
                if _lands_on(breach, place + 1) and breach.after.points[place] == own:
                    found.append(replace(breach, handicap=breach.handicap + MIXED - lost))
    found.sort(key=lambda one: one.handicap - float(evidence.scores([one.after])[0]))
    return tuple(found)


def _judged(
    before: Position, side: Side, roll: Roll, evidence: Evidence, caution: Caution
) -> Iterator[Breach]:
    allowed = results(before, side, roll)[0] | {before.code}
    unlawful = [after for after in likely_positions(evidence, before) if after.code not in allowed]
    for after in unlawful[:JUDGED]:
        verdict = judge(before, side, roll, after)
        nearest = verdict.nearest[0] if verdict.nearest else None
        text = change_text(before, after, side, roll)
        yield Breach(after, verdict.reasons, text, nearest, _handicap(verdict, caution))


def _handicap(verdict: Verdict, caution: Caution) -> float:
    """By the simplest explanation; checkers that vanish or appear against no rule count extra."""
    ways = verdict.explanations or (verdict.reasons,)
    return min(
        caution.illegal
        + caution.each_rule * (len(way) - 1)
        + caution.rare * any(reason.code in RARE for reason in way)
        + caution.lost_checker * any(reason.code in COUNT_CODES for reason in way)
        for way in ways
    )


def _lands_on(breach: Breach, point: int) -> bool:
    return any(
        reason.code is ReasonCode.BLOCKED_POINT and reason.arguments.get("point") == point
        for reason in breach.reasons
    )


def likely_positions(evidence: Evidence, before: Position) -> list[Position]:
    """Positions by falling likelihood in which no side has more checkers than before."""
    held = {side: MOST - before.off(side) for side in Side}
    partial: dict[tuple[int, int], list[tuple[float, tuple[int, ...]]]] = {(0, 0): [(0.0, ())]}
    for options in _options(evidence, before):
        grown: dict[tuple[int, int], list[tuple[float, tuple[int, ...]]]] = {}
        for (light, dark), kept in partial.items():
            for score, more_light, more_dark, index in options:
                total = (light + more_light, dark + more_dark)
                if total[0] <= held[Side.LIGHT] and total[1] <= held[Side.DARK]:
                    grown.setdefault(total, []).extend((s + score, (*chosen, index)) for s, chosen in kept)
        partial = {total: sorted(kept, reverse=True)[:KEPT_PER_TOTAL] for total, kept in grown.items()}
    best = sorted((kept for full in partial.values() for kept in full), reverse=True)
    return [_position(chosen) for _, chosen in best]


def _options(evidence: Evidence, before: Position) -> list[list[Option]]:
    places = [
        [
            (score, max(i - MOST, 0), max(MOST - i, 0), i)
            for score, i in _near(row, before.points[place] + MOST)
        ]
        for place, row in enumerate(evidence.points)
    ]
    wide = MOST + 1
    held = before.bar(Side.LIGHT) * wide + before.bar(Side.DARK)
    places.append([(score, i // wide, i % wide, i) for score, i in _near(evidence.bar.ravel(), held)])
    return places


def _near(row: Table, own: int) -> list[tuple[float, int]]:
    """The few likely entries of one place, among them always what lay there before."""
    likely = [int(i) for i in np.nonzero(row >= row.max() - LIKELY)[0] if i != own]
    likely.sort(key=lambda i: (-row[i], abs(i - own)))
    return [(float(row[own]) + UNCHANGED, own)] + [(float(row[i]), i) for i in likely[:KEPT_PER_PLACE]]


def _position(chosen: tuple[int, ...]) -> Position:
    light, dark = divmod(chosen[24], MOST + 1)
    return Position.of([index - MOST for index in chosen[:24]], light, dark)
