"""Explanations that break a rule: what else may lie on the board, and which rule it breaks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from math import log
from typing import Final

import numpy as np

from controller.referee.belief.rates import BREACHES, MISCOUNTED, SWEPT, UNEXPLAINED, breach_prior
from controller.referee.belief.steps import change_text
from controller.referee.caution import Caution
from controller.referee.seeing.evidence import MOST, Evidence, of_both_sides, score_of
from controller.rules import MovementRules, Position, Reason, ReasonCode, Roll, Side, judge, results
from controller.rules.judging.judge import NOT_COUNTED, Trays
from controller.rules.moves.wide import carried
from controller.rules.position import side_point

INTRUDER: Final = 2.0
"""So much (log-odds) speaks for a checker that landed on a point of the opponent, if both sides' are seen there."""
HIDDEN_INTRUDER: Final = 1.5
"""A point of the opponent that speaks by more than this (log-odds) against what lay there may hide a checker that
landed on it; to think so costs as much, if both sides are not seen there."""
UNCHANGED: Final = 0.3
"""So much (log-odds) speaks for the count that lay in a place before, beside what is seen: few places change in a
turn, and each change is weighed by the rules besides."""
# These limit the work.
LIKELY: Final = 6.0
"""In each place counts are thought of that are less likely than the best one by no more than this (log-odds)..."""
KEPT_PER_PLACE: Final = 4
"""...and this many of them beside what lay there, and beside those to which a play may lead: a high pile may look
like many others that no play makes of it."""
MOVED: Final = 2
"""A play takes so many checkers from a place, or to it, at most, unless it is one of a double."""
KEPT_PER_TOTAL: Final = 5
"""This many ways to place the same number of checkers are followed."""
JUDGED: Final = 10
"""This many of the likeliest positions are judged by the rules..."""
RETURNED: Final = 2
"""...and, for each side, this many of those in which one that it had borne off lies on the board again."""
PLAIN: Final = 3.0
"""A tray tells that a checker lies in it if it looks so much more like that (log-likelihood): one that is misread, or
that says nothing, is one in twenty."""
LIKELIEST: Final = max(rate.beside(1, places=1) for rate in [MISCOUNTED, *BREACHES.values()])
"""No board on which a rule was broken is likelier before it is looked at."""
PLACES: Final = 25
"""The points and the bar."""
WIDTH: Final = 8
"""Bits of an index into a place's table."""

Way = tuple[Reason, ...]
"""Reasons that together explain a result."""

Option = tuple[float, int, int, int]
"""Score, light checkers, dark checkers, index into the place's table."""


Chosen = tuple[float, int]
"""Score, and the indices of the options chosen so far, the first place's in the highest bits."""


@dataclass(frozen=True)
class Breach:
    """A result that no legal play reaches: why, the change in notation, and the nearest legal result.

    ``reasons`` explain it by themselves, most simply; ``also`` are those of other explanations as simple.
    """

    after: Position
    reasons: tuple[Reason, ...]
    also: tuple[Reason, ...]
    text: str
    nearest: Position | None
    prior: float


@dataclass(frozen=True)
class RollPlayed:
    """A turn in which a rule may have been broken.

    Attributes:
        before: the position from which it was played.
        side: who played it.
        roll: by which roll.
        caution: how careful the referee is, with the rules of the game.
        handled: whether it is known whose hands were over the board: then it may as well be the player's deed that a
            checker of the opponent is missing, or is one too many, and that is another breach.
    """

    before: Position
    side: Side
    roll: Roll
    caution: Caution
    handled: bool = False


def breaches(turn: RollPlayed, evidence: Evidence, least: float) -> Iterator[Breach]:
    """The likely results that break a rule; none whose prior and look together are below ``least``.

    ``evidence`` is the emission of the look. The tray of the side is asked whether a checker of it that left the
    board was taken off or is missing. A checker of it that is missing may lie on a point the opponent holds; a
    reading by colour can only err there, so such a point is left out when that explains the result.
    """
    yield from _breaches_among_likely(turn, evidence, least)
    before = turn.before
    for place in range(24):
        own = before.points[place]
        lost = -float(evidence.points[place, own + MOST])
        if _is_closed(before, turn.side, place + 1, turn.caution.rules) and lost > HIDDEN_INTRUDER:
            both = of_both_sides(evidence.points[place])
            toll = (INTRUDER if both else -HIDDEN_INTRUDER) + lost
            for breach in _breaches_among_likely(turn, _blind(evidence, place), least - toll, place + 1):
                if breach.after.points[place] == own:
                    yield replace(breach, prior=breach.prior + toll)


def _breaches_among_likely(
    turn: RollPlayed, evidence: Evidence, least: float, landing: int | None = None
) -> Iterator[Breach]:
    """The breaches among the likeliest positions; with ``landing`` those that land on this held point."""
    if least > LIKELIEST:  # no look is better than 0
        return
    before, side, rules = turn.before, turn.side, turn.caution.rules
    lawful = results(before, side, turn.roll, rules)[0]
    likely = likely_boards(evidence, before, side, rules)
    unlawful = (after for after in likely if after.code not in lawful and after != before)
    returned = (
        carried(before, seen, side, rules) for seen in _with_returned(evidence, before, rules.checkers)
    )
    for after in chain(islice(unlawful, JUDGED), returned):
        if score_of(evidence, after) + LIKELIEST < least:
            continue
        trays = _tray_that_tells(before, after, side, evidence, rules.checkers)
        verdict = judge_once(before, side, turn.roll, after, rules, trays)
        told = (way for way in verdict.explanations if not any(map(_tells_nothing, way)))
        ways = [way for way in told if landing is None or _lands_on(way, landing)]
        if not ways:
            continue
        taken = [_by_hand(way, side) for way in ways] if turn.handled else []
        for found in (ways, [way for way in taken if way not in ways]):
            if found:
                breach = _breach_in(found, turn, after, plays=len(lawful))
                yield replace(breach, nearest=verdict.nearest[0] if verdict.nearest else None)


def played_prior(before: Position, side: Side, roll: Roll, after: Position, rules: MovementRules) -> float:
    """The log-probability that a turn from ``before`` left just this board: by the rules, or against one."""
    codes = results(before, side, roll, rules)[0]
    if after.code in codes:
        return -log(len(codes))
    told = judge_once(before, side, roll, after, rules).explanations
    places = _count_places(before, side)
    ways = (breach_prior(way, len(codes), places) for way in told if not any(map(_tells_nothing, way)))
    return float(np.logaddexp.reduce([UNEXPLAINED.log, *ways]))


def _breach_in(ways: list[Way], turn: RollPlayed, after: Position, plays: int) -> Breach:
    """The breach of a turn, which had this many legal plays, that came about in any of these ways."""
    before, side, rules = turn.before, turn.side, turn.caution.rules
    places = _count_places(before, side)
    ways = sorted(ways, key=lambda way: -breach_prior(way, plays, places))
    priors = [breach_prior(way, plays, places) for way in ways]
    others = [reason for way, prior in zip(ways, priors, strict=True) if prior == priors[0] for reason in way]
    buried = _buried_point(ways[0], side, rules)
    return Breach(
        after=without_moved_pins(after, ways[0]),
        reasons=ways[0],
        also=tuple(reason for reason in others if reason not in ways[0]),
        text=_write_once(before, after, side, turn.roll, buried, rules),
        nearest=None,
        prior=float(np.logaddexp.reduce(priors)) + SWEPT.log * _swept(before, after, side),
    )


def _count_places(position: Position, side: Side) -> int:
    """On how many points, and the bar, a side has checkers."""
    return sum(position.checkers(side, point) > 0 for point in range(1, 25)) + (position.bar(side) > 0)


def _by_hand(way: Way, by: Side) -> Way:
    """The same where the checkers of the opponent that are missing, or too many, are the deed of ``by``."""
    return tuple(
        _as_deed(reason, by) if reason.arguments.get("side") == str(by.opponent) else reason for reason in way
    )


def _as_deed(reason: Reason, by: Side) -> Reason:
    """That a checker was taken off the board, or brought back to it, in place of that it is missing, or too many."""
    told = {name: value for name, value in reason.arguments.items() if name not in ("side", "point")}
    point = reason.arguments.get("point", "bar")
    if reason.code is ReasonCode.CHECKER_MISSING:
        return Reason(ReasonCode.OPPONENT_MOVED, {"side": str(by), **told, "source": point, "target": "off"})
    if reason.code is ReasonCode.CHECKER_EXTRA:
        return Reason(ReasonCode.OPPONENT_MOVED, {"side": str(by), **told, "source": "off", "target": point})
    return reason


def _tray_that_tells(
    before: Position, after: Position, side: Side, evidence: Evidence, checkers: int
) -> Trays:
    """The tray of ``side``, if the checkers that left the board are plainly seen to lie there."""
    was, now = before.off(side, checkers), after.off(side, checkers)
    if not was < now <= MOST:
        return NOT_COUNTED
    row = evidence.off[0 if side is Side.LIGHT else 1]
    told = now if float(row[now] - row[was]) >= PLAIN else None
    return Trays(light=told) if side is Side.LIGHT else Trays(dark=told)


def _swept(before: Position, after: Position, side: Side) -> int:
    """How many points that the opponent held are empty of its checkers, if more lie on the bar than were blots.

    Where one of them lies on another point it was moved aside, and the point was not swept.
    """
    other = side.opponent
    gained = after.bar(other) - before.bar(other)
    if gained <= 0:
        return 0
    lay, lie = ([each.checkers(other, point) for point in range(1, 25)] for each in (before, after))
    if any(now > was for was, now in zip(lay, lie, strict=True)):
        return 0
    gone = [was for was, now in zip(lay, lie, strict=True) if was and not now]
    held = sum(was > 1 for was in gone)
    return held if gained > len(gone) - held else 0


def _tells_nothing(reason: Reason) -> bool:
    """Whether a reason only says that no roll and no rule accounts for the board."""
    return reason.code is ReasonCode.DICE_MISMATCH and not reason.arguments.get("would_be")


def without_moved_pins(after: Position, way: Way) -> Position:
    """The board on which a pinned checker that was moved, against the rules, lies no longer under the others."""
    moved = {reason.arguments["source"] for reason in way if reason.code is ReasonCode.PINNED_MOVED}
    if not moved:
        return after
    stay = [point for point in after.pinned if point not in moved]
    return after.with_hidden(stay, after.hand(Side.LIGHT), after.hand(Side.DARK))


def _lands_on(way: Way, point: int) -> bool:
    return any(
        reason.code is ReasonCode.BLOCKED_POINT and reason.arguments.get("point") == point for reason in way
    )


def _is_closed(position: Position, side: Side, point: int, rules: MovementRules) -> bool:
    """Whether ``side`` may not land on a point (1..24) that the opponent holds."""
    standing = position.checkers(side.opponent, point)
    return standing >= rules.landing_blocked_at or (standing > 0 and point in position.pinned)


def _buried_point(way: Way, side: Side, rules: MovementRules) -> int | None:
    """The held point, in the mover's numbering, on which a checker landed and cannot be told apart."""
    for reason in way:
        point = reason.arguments.get("point")
        if reason.code is ReasonCode.BLOCKED_POINT and isinstance(point, int):
            return side_point(point, side, rules.direction)
    return None


def likely_positions(
    evidence: Evidence, before: Position, checkers: int = MOST, returned: Side | None = None
) -> Iterator[Position]:
    """Positions by falling likelihood in which no side, of this many ``checkers``, has more than before.

    They are what can be seen, without pins and hands. The side that has ``returned`` one may have one more. Each is
    made only when it is asked for: few of the hundreds are.
    """
    return map(_position, _ranked(evidence, before, checkers, returned))


@lru_cache(maxsize=64)
def _ranked(evidence: Evidence, before: Position, checkers: int, returned: Side | None) -> Sequence[int]:
    """The same, packed. The same evidence is asked about for every roll and side that is thought of."""
    held_light, held_dark = (
        min(checkers, checkers - before.off(side, checkers) + (side is returned)) for side in Side
    )
    places = _options(evidence, before)
    # Most places leave no choice: they are counted once, and not for each of the boards that the others make.
    plain = [options[0] for options in places if len(options) == 1]
    counted = sum(option[1] for option in plain), sum(option[2] for option in plain)
    if counted[0] > held_light or counted[1] > held_dark:
        return ()
    certain = sum(option[3] for option in plain)
    partial: dict[tuple[int, int], list[Chosen]] = {counted: [(sum(option[0] for option in plain), certain)]}
    for options in places:
        if len(options) == 1:
            continue
        grown: dict[tuple[int, int], list[Chosen]] = {}
        for score, more_light, more_dark, index in options:
            for (light, dark), kept in partial.items():
                total = (light + more_light, dark + more_dark)
                if total[0] > held_light or total[1] > held_dark:
                    continue
                known = grown.get(total, [])
                if len(known) < KEPT_PER_TOTAL or kept[0][0] + score >= known[-1][0]:
                    known = known + [(s + score, chosen | index) for s, chosen in kept]
                    grown[total] = sorted(known, reverse=True)[:KEPT_PER_TOTAL]
        partial = grown
    best = sorted((kept for full in partial.values() for kept in full), reverse=True)
    return [chosen for _, chosen in best]


def _with_returned(evidence: Evidence, before: Position, checkers: int) -> Iterator[Position]:
    """The likeliest positions in which one checker more lies on the board, for each side that had borne some off."""
    lying = before.open_board()
    for side in Side:
        if before.off(side, checkers) > 0:
            shown = likely_positions(evidence, before, checkers, side)
            yield from islice((one for one in shown if one.off(side) == lying.off(side) - 1), RETURNED)


def likely_boards(
    evidence: Evidence, before: Position, side: Side, rules: MovementRules
) -> Iterator[Position]:
    """The `likely_positions` after ``side`` moved, with the pins and hands that follow from ``before``."""
    shown = likely_positions(evidence, before, rules.checkers)
    return (carried(before, seen, side, rules) for seen in shown)


def likeliest(evidence: Evidence, before: Position, side: Side, caution: Caution) -> Position:
    """The likeliest of the `likely_boards`."""
    return next(likely_boards(evidence, before, side, caution.rules))


def _options(evidence: Evidence, before: Position) -> list[list[Option]]:
    """For each point and the bar what may lie there, with its index where `_position` has it."""
    *rows, bar = _likely_counts(evidence)
    places = [
        [
            (score, max(i - MOST, 0), max(MOST - i, 0), i << WIDTH * (PLACES - 1 - place))
            for score, i in _near(row, own + MOST)
        ]
        for place, (row, own) in enumerate(zip(rows, before.points, strict=True))
    ]
    wide = MOST + 1
    held = before.bar(Side.LIGHT) * wide + before.bar(Side.DARK)
    places.append([(score, i // wide, i % wide, i) for score, i in _near(bar, held)])
    return places


@dataclass(frozen=True, slots=True)
class _PlaceScores:
    """How likely each count of one place is, and which of them are likely."""

    scores: Sequence[float]
    likely: Sequence[int]


@lru_cache(maxsize=64)
def _likely_counts(evidence: Evidence) -> Sequence[_PlaceScores]:
    """The rows of the points, and of the bar."""
    found = []
    for table in (evidence.points, evidence.bar.reshape(1, -1)):
        likely = table >= table.max(axis=1, keepdims=True) - LIKELY
        found += [
            _PlaceScores(row, [i for i, is_likely in enumerate(which) if is_likely])
            for row, which in zip(table.tolist(), likely.tolist(), strict=True)
        ]
    return found


def _near(row: _PlaceScores, own: int) -> list[tuple[float, int]]:
    """The few likely entries of one place, among them always what lay there before."""
    scores = row.scores
    known = (scores[own] + UNCHANGED, own)
    if row.likely == [own]:
        return [known]
    likely = sorted((i for i in row.likely if i != own), key=lambda i: (-scores[i], abs(i - own)))
    played = [i for i in likely if abs(i - own) <= MOVED]
    others = [i for i in likely if abs(i - own) > MOVED]
    return [known, *((scores[i], i) for i in (*played, *others[:KEPT_PER_PLACE]))]


@lru_cache(maxsize=4096)
def _position(chosen: int) -> Position:
    """The position whose indices, one for each place, are packed in ``chosen``."""
    indices = chosen.to_bytes(PLACES, "big")
    light, dark = divmod(indices[-1], MOST + 1)
    return Position.from_counts([index - MOST for index in indices[:-1]], light, dark)


@lru_cache(maxsize=256)
def _blind(evidence: Evidence, place: int) -> Evidence:
    """The look without a point, and without the trays: a checker that is buried there lies in none."""
    return replace(evidence.blinded(place), off=np.zeros_like(evidence.off))


# What the rules say of a change is the same in every picture that shows it.
judge_once = lru_cache(maxsize=4096)(judge)
_write_once = lru_cache(maxsize=4096)(change_text)
