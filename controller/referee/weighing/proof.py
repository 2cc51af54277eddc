"""What it takes to accuse: a clear lead over every lawful result, in several places and several pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from controller.referee.caution import Caution
from controller.referee.seeing.evidence import Evidence
from controller.referee.seeing.rests import Rest, Rests
from controller.referee.weighing.breaches import Breach, breaches, likeliest
from controller.referee.weighing.steps import begins, leads_to, middles
from controller.referee.weighing.tracks import (
    RollEvidence,
    RollOutcome,
    Track,
    TrackEntry,
    TurnEvidence,
    lawful,
)
from controller.rules import MovementRules, Position, Reason, ReasonCode, Roll, Side, is_result
from controller.rules.moves.wide import carried
from controller.rules.reasons import COUNT_CODES

BOARD: Final = 25
"""Places on the board itself, of those that evidence is about: the points and the bar."""
MAY_BE_A_REPLY = frozenset(
    {
        ReasonCode.OPPONENT_MOVED,
        ReasonCode.HIT_NOT_ON_BAR,
        ReasonCode.BACKWARDS,
        ReasonCode.EXTRA_CHECKER_MOVED,
    }
)

DICE = 2
"""Dice of a roll."""

Rolls = Mapping[Roll, float]
"""Rolls with their log-shares."""


@dataclass(frozen=True)
class Stood:
    """An illegal play that stood on the board for a while and was put right."""

    breach: Breach
    rest: Rest


def best_lawful(
    before: Position, side: Side, roll: Roll, evidence: Evidence, caution: Caution
) -> tuple[Position, float]:
    """The result of a legal play that explains the (weighed) evidence best, and its log-likelihood."""
    ends = lawful(before, side, roll, caution.rules)
    scores = evidence.scores(ends)
    best = int(scores.argmax())
    return ends[best], float(scores[best])


def others_checkers(entry: TrackEntry, caution: Caution) -> tuple[int, ...]:
    """The points (1..24) at which checkers of the side that was not on turn lie wrongly, if nothing else does.

    The player's own checkers lie as before the turn, or as after a legal play of the roll then: whoever moved the
    others, he has not played yet, or his play was legal. Or his play was legal from a board on which the others
    lay as they do now. A hit checker that lies beside the bar may have been pushed away before it could be hit; one
    that was hit where the player may not move on was his deed, however else he could have gone; so was one that was
    sent to the bar in a game in which a single checker blocks its point.
    """
    if entry.kind is not RollOutcome.ILLEGAL or entry.side is None:
        return ()
    if any(reason.code is ReasonCode.HIT_AND_RUN for reason in entry.reasons) or _hits_single(entry, caution):
        return ()
    side, after = entry.side, entry.after
    own = _checkers_of(after, side)
    for end in (entry.before, *lawful(entry.before, side, entry.roll, caution.rules)):
        if _checkers_of(end, side) == own:
            return differing_points(end, after)
    pushed = _push_board(entry.before, after, side, caution.rules)
    if pushed is not None and after in lawful(pushed, side, entry.roll, caution.rules):
        return differing_points(entry.before, pushed)
    return ()


def _hits_single(entry: TrackEntry, caution: Caution) -> bool:
    """Whether a checker was hit in a game in which nobody can be."""
    return (
        caution.rules.landing_blocked_at == 1
        and entry.side is not None
        and entry.after.bar(entry.side.opponent) > entry.before.bar(entry.side.opponent)
        and any(reason.code is ReasonCode.BLOCKED_POINT for reason in entry.reasons)
    )


def points_apart(one: Position, other: Position) -> dict[int, int]:
    """The points (1..24) on which two positions differ, and by how many checkers."""
    pairs = zip(one.points, other.points, strict=True)
    return {point: abs(a - b) for point, (a, b) in enumerate(pairs, start=1) if a != b}


def differing_points(one: Position, other: Position) -> tuple[int, ...]:
    """The points (1..24) on which two positions differ."""
    return tuple(points_apart(one, other))


def _push_board(before: Position, after: Position, side: Side, rules: MovementRules) -> Position | None:
    """The board before a turn with the other side's checkers as they lie after it; None if there is none."""
    sign = 1 if side is Side.LIGHT else -1
    points = list[int]()
    for own, others in zip(before.points, after.points, strict=True):
        mine, theirs = max(sign * own, 0), max(-sign * others, 0)
        if mine and theirs:
            return None
        points.append(sign * (mine - theirs))
    bars = {side: before.bar(side), side.opponent: after.bar(side.opponent)}
    pushed = Position.seen(points, bars[Side.LIGHT], bars[Side.DARK])
    return carried(before, pushed, side.opponent, rules)


def _may_be_others_deed(wrong: TrackEntry, made: TrackEntry, earlier: Rest, caution: Caution) -> bool:
    """Whether an illegal play that was put right may have been none of the player's.

    ``wrong`` is that play, ``made`` the one that stood at last, ``earlier`` the rest before. A play half made is
    none, and neither is a legal one beside which the other side's checkers were moved, nor one that laid what it was
    to hit on the bar before it came there. It is the player's if those
    were moved at one and the same moment as his own, and he changed his own play when they were put back.
    """
    assert wrong.side is not None
    side, before = wrong.side, wrong.before
    if _lifts_before_hit(wrong, caution.rules):
        return True
    unmoved = likeliest(earlier.evidence, before, side, caution) == before
    at_once = unmoved and not is_unplayed(wrong)
    if _on_the_way(before, wrong.after, made.after, side) or _is_half_made(wrong, made, caution.rules):
        return not at_once or _on_the_way(before, wrong.after, made.after, side.opponent)
    kept = _checkers_of(wrong.after, side) == _checkers_of(made.after, side)
    return bool(others_checkers(wrong, caution)) and (kept or not at_once)


def _is_half_made(wrong: TrackEntry, made: TrackEntry, rules: MovementRules) -> bool:
    """Whether the player's own checkers lie as in the middle of ``made``, whatever was hit on the way."""
    assert wrong.side is not None
    return any(
        leads_to(wrong.before, wrong.side, made.roll, middle, made.after, rules)
        for middle in _middles_so_far(wrong, made.roll, rules)
    )


def _lifts_before_hit(wrong: TrackEntry, rules: MovementRules) -> bool:
    """Whether a legal play was begun, and what it is to hit lies on the bar although the checker that hits stays.

    A player who thinks again in that moment has done nothing wrong yet.
    """
    assert wrong.side is not None
    side, other, before, roll = wrong.side, wrong.side.opponent, wrong.before, wrong.roll
    lying = _checkers_of(wrong.after, other)
    if wrong.after.bar(other) <= before.bar(other) or begins(before, side, roll, wrong.after, rules):
        return False
    ends = [end for end in lawful(before, side, roll, rules) if _checkers_of(end, other) == lying]
    return any(
        leads_to(before, side, roll, middle, end, rules)
        for middle in _middles_so_far(wrong, roll, rules)
        for end in ends
    )


def _middles_so_far(wrong: TrackEntry, roll: Roll, rules: MovementRules) -> list[Position]:
    """The boards in the middle of a play of ``roll`` on which the player's own checkers lie as they do."""
    assert wrong.side is not None
    side, own = wrong.side, _checkers_of(wrong.after, wrong.side)
    return [
        middle for middle in middles(wrong.before, side, roll, rules) if _checkers_of(middle, side) == own
    ]


def is_unplayed(entry: TrackEntry) -> bool:
    """Whether the player's own checkers lie as before the turn."""
    side = entry.side
    return side is not None and _checkers_of(entry.after, side) == _checkers_of(entry.before, side)


def _on_the_way(before: Position, middle: Position, after: Position, side: Side) -> bool:
    """Whether the checkers of ``side`` lie as in the middle of the play that was made at last.

    Where those of both sides do, the play was half made, the checker that it hit perhaps on the bar already. Where
    only the player's do, and not since the same moment as the others', somebody else moved those.
    """
    ranges = zip(*(_checkers_of(each, side) for each in (before, middle, after)), strict=True)
    return all(min(first, last) <= now <= max(first, last) for first, now, last in ranges)


def _checkers_of(position: Position, side: Side) -> tuple[int, ...]:
    """The checkers of one side on each point, pinned ones too, and those to be entered."""
    sign = 1 if side is Side.LIGHT else -1
    pins = position.pins(side)
    on_points = (
        max(sign * count, 0) + (point in pins) for point, count in enumerate(position.points, start=1)
    )
    return (*on_points, position.bar(side) + position.hand(side))


def is_proven(entry: TrackEntry, look: TurnEvidence, throw: RollEvidence, caution: Caution) -> bool:
    """Whether the pictures suffice to call this illegal entry illegal.

    Where the dice were gone before the turn ended, a roll may have been missed; then nobody is accused of what
    the opponent may have played.
    """
    if not throw.sure or entry.side is None or not _accusable(entry.reasons, throw, caution):
        return False
    if others_checkers(entry, caution) or _may_be_sequel(entry, throw, caution):
        return False
    if not throw.stayed and any(reason.code in MAY_BE_A_REPLY for reason in entry.reasons):
        return False
    if look.start is not None and len(_doubts(look.start, entry.before, caution)) > caution.doubtful_places:
        return False
    evidence = look.since(entry.before)
    scored = float(evidence.scores([entry.after])[0]) + entry.prior
    return _leads_all(entry, throw.possible(caution.dice_certain), entry.after, scored, evidence, caution)


def find_miscounted(tracks: Sequence[Track], look: TurnEvidence, caution: Caution) -> TrackEntry | None:
    """The explanation that a checker is missing or too many, if a tray shows so and the pictures agree; else None.

    That happens so rarely that a legal play leads it, a pile misread; but somebody should look. ``tracks`` are the
    explanations, likeliest first, of which the first is a legal play.
    """
    entry = tracks[0].history[-1]
    usual = look.since(entry.before).by_place(entry.last.after)
    least = caution.witness if look.end.readings >= caution.readings else 0.0
    for track in tracks[1:]:
        other = track.history[-1]
        if other.before != entry.before or not other.reasons:
            continue
        gained = look.since(other.before).by_place(other.after) - usual
        counted = COUNT_CODES.issuperset(reason.code for reason in other.reasons)
        if counted and gained[BOARD:].max() >= caution.witness and gained.sum() >= least:
            return other
    return None


def _may_be_sequel(entry: TrackEntry, throw: RollEvidence, caution: Caution) -> bool:
    """Whether more was moved than the double that was rolled, where higher ones follow it in the same turn.

    They may have been played in one go, in more ways than are looked through.
    """
    if entry.side is None or not throw.sequels or not entry.roll.is_double:
        return False
    direction = caution.rules.direction
    gone = entry.before.pips(entry.side, direction) - entry.after.pips(entry.side, direction)
    return gone > sum(entry.roll.numbers)


def _accusable(reasons: tuple[Reason, ...], throw: RollEvidence, caution: Caution) -> bool:
    """Whether an explanation accuses a player at all and is not a mess to look at, or the reply to the play."""
    codes = [reason.code for reason in reasons]
    most = caution.most_rules if throw.reported else caution.most_rules_seen
    return (
        len(codes) <= most
        and not COUNT_CODES.intersection(codes)
        and codes.count(ReasonCode.OPPONENT_MOVED) <= caution.others_moved
    )


def _leads_all(
    entry: TrackEntry, rolls: Rolls, after: Position, scored: float, evidence: Evidence, caution: Caution
) -> bool:
    """Whether ``after`` leads every legal result of all ``rolls``, those that the dice may have shown.

    Against those of rolls that they may well have shown there must be witnesses besides.
    """
    if entry.side is None or evidence.readings < caution.readings:
        return False
    before = entry.before
    rivals = [(before, float(evidence.scores([before])[0]), 0.0)]
    for roll, share in rolls.items():
        rivals.append((*best_lawful(before, entry.side, roll, evidence, caution), share))
    return all(
        scored - score - share >= caution.lead
        and (share < -caution.lead or len(_witnesses(evidence, after, rival, caution)) >= caution.witnesses)
        for rival, score, share in rivals
    )


def _doubts(start: Evidence, before: Position, caution: Caution) -> list[int]:
    """Places in which the board did not look like ``before`` even before anything moved.

    Trays are left out: they are often misread for a whole game, and no play is told by them alone.
    """
    scores = start.by_place(before)[:BOARD]
    return [place for place, score in enumerate(scores) if score < -caution.witness]


def _witnesses(evidence: Evidence, after: Position, rival: Position, caution: Caution) -> list[int]:
    gained = evidence.by_place(after) - evidence.by_place(rival)
    return [place for place, gain in enumerate(gained) if gain >= caution.witness]


def stood_illegal(
    entry: TrackEntry, rests: Rests, throw: RollEvidence, rolled_t: float, caution: Caution
) -> Stood | None:
    """The illegal play that stood longest within a turn that ended with the legal ``entry``, if any.

    What lay on the board before the roll came, at ``rolled_t``, is no play of it: there is none to be told if the
    board did not lie as it should then. What the final play, or anything shown later in the turn, merely completes
    was no play but a pause. The dice showed a roll that allows the final play, since the players looked at them, too;
    so they need not be as well seen if it tells them apart.
    """
    if entry.side is None or entry.then is not None or throw.seen < DICE:
        return None
    touched = sum(rest.first_t <= rolled_t for rest in rests[1:])
    if touched and likeliest(rests[touched].evidence, entry.before, entry.side, caution) != entry.before:
        return None
    rests = rests[touched:]
    if len(rests) < 3:
        return None
    rolls = {
        roll: share
        for roll, share in throw.rolls.items()
        if is_result(entry.before, entry.side, roll, entry.after, caution.rules)
    }
    others = [share for roll, share in rolls.items() if roll != entry.roll]
    if not throw.sure and max(others, default=-inf) > rolls[entry.roll] - caution.dice_lead:
        return None
    found = [
        Stood(breach, rest)
        for number, rest in enumerate(rests[1:-1], start=1)
        if (breach := _breach_in(entry, rests, number, rolls, caution)) is not None
        and _accusable(breach.reasons, throw, caution)
    ]
    return max(found, key=lambda one: one.rest.stood_s, default=None)


def _breach_in(entry: TrackEntry, rests: Rests, number: int, rolls: Rolls, caution: Caution) -> Breach | None:
    rest, side, roll, before = rests[number], entry.side, entry.roll, entry.before
    # What a hand hides may be where the rest of a legal play lies.
    if side is None or rest.covered or rest.readings < caution.readings or rest.stood_s < caution.stood_s:
        return None
    evidence = TurnEvidence(rest.evidence.weighed(), rests[0].evidence.weighed()).since(before)
    found = breaches(before, side, roll, evidence, caution)
    if not found:
        return None
    breach = found[0]
    scored = float(evidence.scores([breach.after])[0]) - breach.handicap + rolls[roll]
    if not _leads_all(entry, rolls, breach.after, scored, evidence, caution):
        return None
    wrong = replace(entry, kind=RollOutcome.ILLEGAL, after=breach.after, reasons=breach.reasons)
    if _may_be_others_deed(wrong, entry, rests[number - 1], caution):
        return None
    rules = caution.rules
    shown = [likeliest(one.evidence, before, side, caution) for one in rests[number + 1 : -1]]
    if any(leads_to(before, side, roll, breach.after, end, rules) for end in [entry.after, *shown]):
        return None
    if begins(before, side, roll, breach.after, rules) and rest.stood_s < caution.stood_partial_s:
        return None
    return breach
