"""Turns of which no roll was seen, or that were finished after the next roll: told by the board.

Between two rolls that were seen the board may have changed twice: the dice of the first roll were taken up, the
board lay still for a while, and what changed from then on was played by the other side.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from math import log
from typing import Final

import numpy as np

from controller.referee.belief import rates
from controller.referee.belief.branches import (
    Branch,
    EndedBy,
    Hypothesis,
    Kind,
    grown,
    lawful,
    played_legally,
)
from controller.referee.belief.breaches import RollPlayed, breaches, likeliest
from controller.referee.belief.kinds import (
    KEPT_WITHIN,
    WITHIN,
    TurnCase,
    begun_boards,
    explained_by,
    void_prior,
)
from controller.referee.belief.steps import begins, leads_to
from controller.referee.belief.touches import blame
from controller.referee.caution import Caution
from controller.referee.seeing.evidence import CountTable, Evidence, score_of
from controller.referee.seeing.sightings import ANY_ROLL
from controller.rules import MovementRules, Position, ReasonCode, Roll, Side, results
from controller.rules.reasons import COUNT_CODES

NOT_OWN: Final = COUNT_CODES | {ReasonCode.OPPONENT_MOVED}
"""Broken rules that tell of other checkers than those of the player, or of some that nobody need have moved."""
# These limit the work.
ENDS = 4
"""This many results of a turn are followed..."""
ENDS_UNSEEN = 12
"""...and this many where no picture shows how it ended."""
PAUSES = 6
"""A turn is thought to have ended in at most this many of the moments in which the board lay still."""
GLIMPSES = 3
"""This many of the likeliest rolls are asked about where a single picture shows two dice."""
MOST_UNSEEN = 2
"""This many turns in a row may have gone by unseen."""


@dataclass(frozen=True)
class Mover:
    """Who moves from where: by which rolls (with log-probabilities), and what speaks for it besides."""

    ply: int
    side: Side
    before: Position
    rolls: Mapping[Roll, float]
    prior: float


Leg = tuple[tuple[Hypothesis, ...], float]
"""Turns without a roll between them, and how well they explain all but the end of the last one."""


def turns_unseen(case: TurnCase, least: float) -> Iterator[Branch]:
    """Other turns went by whose dice nobody saw: before the roll, or after it was played."""
    branch, throw = case.branch, case.throw
    missed = _missed(case)
    glimpsed = rates.glimpsed_odds(throw.glimpsed_s) if throw.glimpsed else missed
    if max(glimpsed, missed) < least:
        return
    # What is worse is not carried on, and no further turn makes a leg better: no look and no later prior is above 0.
    floor = least + WITHIN - KEPT_WITHIN
    before = [case.looking(pause) for pause in case.look.before[-PAUSES:]]
    after = [case.looking(pause) for pause in case.look.pauses[-PAUSES:]]
    for side, chance in throw.sides_from(branch).items():
        rolled = Mover(branch.ply, side, branch.lies, throw.rolls, chance)
        yield from _turns_before(case, rolled, before, floor)
        if not throw.reported:
            yield from _given_up(case, rolled, floor)
        if not throw.stayed:
            yield from _turns_after(case, rolled, after, floor)


def _turns_before(case: TurnCase, rolled: Mover, pauses: list[Evidence], floor: float) -> Iterator[Branch]:
    """Before the roll, which is the other side's then, somebody rolled and played, or could not play, unseen."""
    unseen = replace(rolled, rolls=ANY_ROLL, prior=_missed(case))
    legs = [_legs_from(unseen, pauses, case, floor)]
    if case.throw.glimpsed:
        prior = rates.glimpsed_odds(case.throw.glimpsed_s)
        glimpsed = replace(rolled, rolls=case.throw.glimpsed, prior=prior)
        legs.append(_legs_from(glimpsed, pauses, case, floor))
    for leg in chain(*legs):
        then = replace(_reply_to(leg[0][-1], case), rolls=rolled.rolls, prior=rolled.prior)
        yield from _end_leg(case, leg, then, floor, _against_a_rule(then, case.seen, case))


def _given_up(case: TurnCase, rolled: Mover, floor: float) -> Iterator[Branch]:
    """Before the roll, which is the other side's then, the side to roll gave its turn up.

    Nobody saw its dice, or a single picture did: whoever could have played is not accused by that.
    """
    gave, side, nothing = rolled.before, rolled.side, rates.BREACHES[ReasonCode.NOTHING_MOVED].log
    ways = [(Roll.from_dice(2, 1), rates.MISSED_TURN.log, True)]
    if glimpsed := case.throw.glimpsed:
        odds = rates.glimpsed_odds(case.throw.glimpsed_s)
        likely = sorted(glimpsed, key=lambda roll: -glimpsed[roll])[:GLIMPSES]
        playable = (roll for roll in likely if lawful(gave, side, roll, case.caution.rules) != (gave,))
        ways += [(roll, odds + glimpsed[roll], False) for roll in playable]
    then = replace(rolled, ply=rolled.ply + 1, side=side.opponent)
    for roll, chance, unseen in ways:
        first = case.hypothesis(Kind.UNCLEAR, side, roll, gave, gave, chance + nothing)
        yield from _end_leg(case, ((replace(first, unseen=unseen),), first.prior), then, floor)


def _turns_after(case: TurnCase, rolled: Mover, pauses: list[Evidence], floor: float) -> Iterator[Branch]:
    """After the roll was played the other side rolled and played, too, perhaps both did."""
    ended = _ends(rolled, case.seen, ENDS_UNSEEN, case.caution)
    legs = [((first,), first.prior + rates.EARLY.log) for first, _ in ended]
    for leg in chain(legs, _legs_from(rolled, pauses, case, floor)):
        yield from _end_leg(case, leg, _reply_to(leg[0][-1], case), floor)


def finished_late(case: TurnCase, least: float) -> Iterator[Branch]:
    """The turn before was not finished when this roll came: it was finished then, and this roll played besides."""
    branch = case.branch
    if not branch.history or rates.EARLY.log < least:
        return
    first = branch.last
    if first.kind not in (Kind.UNFINISHED, Kind.VOID) or first.lies is not None:
        return
    if first.side is not None:
        yield from _finished_by(case, first, first.side, 0.0, least)
        yield from _finished_wrongly(case, first, first.side, least)
    else:  # the opening: either side may have begun
        for side in Side:
            yield from _finished_by(case, first, side, log(0.5), least)


def _finished_by(
    case: TurnCase, first: Hypothesis, side: Side, chance: float, least: float
) -> Iterator[Branch]:
    """The same where ``side`` had rolled, which has this log-probability."""
    branch, rules = case.branch, case.caution.rules
    start, at = first.before, first.after
    ends = [end for end in _completions(start, side, first.roll, at, rules) if end != at]
    if not ends:
        return
    scores = case.seen.scores(ends)
    base = replace(branch, score=branch.base, history=branch.history[:-1])
    early = branch.fit + _paid(case, first) + chance - log(len(ends))
    for number in np.argsort(-scores, kind="stable")[:ENDS_UNSEEN]:
        end = ends[number]
        made = replace(_as_legal(first, end), side=side, prior=early)
        done = grown(replace(base, ply=first.ply, side=side), made, 0.0)
        prior = void_prior(case.throw)
        yield grown(done, _nothing_yet(done, case, prior), float(scores[number]))
        # It may have been taken for a second roll of the side that had not finished.
        mover = _next_mover(case, done, side)
        for hypothesis, fit in (*_ends(mover, case.seen, ENDS, case.caution), *_begun(mover, case)):
            yield grown(done, hypothesis, fit)
    # A moment between may show how it was finished, and what came of the next roll may break a rule.
    for pause in case.pauses:
        then = pause.scores(ends)
        best = int(np.argmax(then))
        lay, end = float(then[best]), ends[best]
        made = replace(_as_legal(first, end), side=side, prior=early)
        done = grown(replace(base, ply=first.ply, side=side), made, 0.0)
        floor = least + first.prior + branch.fit - early - lay
        for hypothesis, fit in _broken(_next_mover(case, done, side), case.seen, case, floor):
            yield grown(done, hypothesis, fit + lay)


def _finished_wrongly(case: TurnCase, first: Hypothesis, side: Side, least: float) -> Iterator[Branch]:
    """The same where nothing of the play had been seen, and ``side`` then broke a rule with its own checkers.

    The board shows it as it lies now, with nothing played by this roll, or it lay there so before that was.
    """
    branch, start = case.branch, first.before
    if first.kind is not Kind.UNFINISHED or first.after != start:
        return
    base = replace(branch, score=branch.base, history=branch.history[:-1])
    paid = _paid(case, first)
    floor, none = least + first.prior - paid, void_prior(case.throw)
    for number, seen in enumerate((case.seen, *case.pauses)):
        mover = Mover(first.ply, side, start, {first.roll: 0.0}, 0.0)
        for made, fit in _broken(mover, seen, case, floor):
            made = replace(made, prior=made.prior + branch.fit + paid)
            done = grown(replace(base, ply=first.ply, side=side), made, 0.0)
            if not number:
                yield grown(done, _nothing_yet(done, case, none), fit)
                continue
            reply = _next_mover(case, done, side)
            for hypothesis, now in (*_ends(reply, case.seen, ENDS, case.caution), *_begun(reply, case)):
                yield grown(done, hypothesis, now + fit)


def _broken(mover: Mover, seen: Evidence, case: TurnCase, floor: float) -> Iterator[tuple[Hypothesis, float]]:
    """The likeliest roll of ``mover``, played against a rule with the player's own checkers.

    Each with how well it looks; none is worse than ``floor``.
    """
    side, before = mover.side, mover.before
    roll = max(mover.rolls, key=lambda each: mover.rolls[each])
    chance = mover.rolls[roll] + mover.prior
    for breach in breaches(RollPlayed(before, side, roll, case.caution), seen, floor - chance):
        if any(reason.code in NOT_OWN for reason in breach.reasons):
            continue
        touch = blame(case.look, side, before, breach.after, of=(side.opponent,))
        prior, fit = chance + breach.prior + touch, score_of(seen, breach.after)
        if prior + fit < floor:
            continue
        made = Hypothesis(
            mover.ply, Kind.ILLEGAL, side, roll=roll, before=before, after=breach.after, prior=prior
        )
        yield explained_by(breach, made), fit


def _next_mover(case: TurnCase, done: Branch, side: Side) -> Mover:
    """Who made this roll after ``side`` had finished its turn late."""
    other = side.opponent
    return Mover(done.ply, other, done.position, case.throw.rolls, case.throw.sides.get(other, 0.0))


def _paid(case: TurnCase, first: Hypothesis) -> float:
    """The log-probability that a turn, which was not finished when this roll came, was finished then."""
    still = rates.early_prior(case.look.still_s)
    return first.prior + still - rates.EARLY.log if first.kind is Kind.UNFINISHED else still


def _nothing_yet(done: Branch, case: TurnCase, prior: float) -> Hypothesis:
    """Nothing was played by this roll after a turn that was finished late."""
    roll, lies = case.throw.likely(0.0)[0], done.position
    return Hypothesis(done.ply, Kind.VOID, done.side, roll=roll, before=lies, after=lies, prior=prior)


def _begun(mover: Mover, case: TurnCase) -> Iterator[tuple[Hypothesis, float]]:
    """The likeliest beginnings of the play of a turn that goes on, each as likely, and how well they look."""
    if case.throw.ended_by is not EndedBy.NOTHING:
        return
    roll = case.throw.likely(0.0)[0]
    begun = begun_boards(mover.before, mover.side, roll, case.caution.rules)
    if not begun:
        return
    fits = case.seen.scores(begun)
    prior = mover.rolls[roll] + mover.prior - log(len(begun))
    for at in np.argsort(-fits, kind="stable")[:ENDS]:
        made = Hypothesis(
            mover.ply,
            Kind.UNFINISHED,
            mover.side,
            roll=roll,
            before=mover.before,
            after=begun[at],
            prior=prior,
        )
        yield made, float(fits[at])


def one_turn(case: TurnCase, least: float) -> Iterator[Branch]:
    """The roll before was none of its own: somebody moved the dice, or what was seen was no die."""
    branch, rules = case.branch, case.caution.rules
    if not branch.history or case.throw.reported or rates.NO_ROLL.log < least:
        return
    first = branch.last
    if first.then is not None or first.side is None or first.lies is not None:
        return
    side, start, at = first.side, first.before, first.after
    base = replace(branch, score=branch.base, history=branch.history[:-1], side=side, ply=first.ply)
    none = replace(_as_legal(first, start), kind=Kind.NONE, prior=branch.fit + rates.NO_ROLL.log)
    begun = grown(base, none, 0.0)
    found = []
    for roll in {*case.throw.likely(8.0, 6), first.roll}:
        if at != start and not begins(start, side, roll, at, rules):
            continue
        share = case.throw.rolls.get(roll, -8.0)
        if ends := _completions(start, side, roll, at, rules):
            prior = share - log(len(ends))
            for end, fit in zip(ends, case.seen.scores(ends), strict=True):
                made = played_legally(first.ply, side, roll, start, end, prior)
                found.append((prior + float(fit), made, float(fit)))
    found.sort(key=lambda one: -one[0])
    for _, made, fit in found[:ENDS_UNSEEN]:
        yield grown(begun, made, fit)


def _completions(
    start: Position, side: Side, roll: Roll, at: Position, rules: MovementRules
) -> list[Position]:
    """The legal results of a play that has come as far as this board, or not begun yet."""
    ends = lawful(start, side, roll, rules)
    return [end for end in ends if at == start or leads_to(start, side, roll, at, end, rules)]


def _as_legal(first: Hypothesis, after: Position) -> Hypothesis:
    """The same roll played legally, with nothing displaced and nothing to follow."""
    return replace(
        first, kind=Kind.LEGAL, after=after, text="", reasons=(), also=(), nearest=None, then=None, lies=None
    )


def _legs_from(mover: Mover, pauses: list[Evidence], case: TurnCase, floor: float) -> Iterator[Leg]:
    """The legs that ``mover`` begins, each of whose turns ended in a pause, the shorter ones first."""
    legs = [_legs(mover, pause, ((), 0.0), case, floor) for pause in pauses]
    for number in range(MOST_UNSEEN):
        yield from chain.from_iterable(legs)
        if number + 1 < MOST_UNSEEN:
            legs = _further(legs, pauses, case, floor)


def _legs(mover: Mover, pause: Evidence, leg: Leg, case: TurnCase, floor: float) -> list[Leg]:
    """A leg with one more turn, which ended in a pause; none that is worse than ``floor``."""
    made, score = leg
    if score + mover.prior < floor:
        return []
    ends = [*_ends(mover, pause, ENDS, case.caution), *_against_a_rule(mover, pause, case)]
    longer = [((*made, one), score + one.prior + fit) for one, fit in ends]
    return [each for each in longer if each[1] >= floor]


def _further(legs: list[list[Leg]], pauses: list[Evidence], case: TurnCase, floor: float) -> list[list[Leg]]:
    """The best legs with one more turn that nobody saw, for each pause in which it may have ended."""
    further: list[list[Leg]] = []
    for number, pause in enumerate(pauses):
        earlier = chain.from_iterable(legs[:number])
        replies = ((leg, _reply_to(leg[0][-1], case)) for leg in earlier)
        longer = [each for leg, reply in replies for each in _legs(reply, pause, leg, case, floor)]
        further.append(sorted(longer, key=lambda leg: -leg[1])[:ENDS])
    return further


def _end_leg(
    case: TurnCase,
    leg: Leg,
    then: Mover,
    floor: float,
    besides: Iterable[tuple[Hypothesis, float]] = (),
) -> Iterator[Branch]:
    """The branches of a leg and one more turn that left the board as it lies: a legal one or one of ``besides``.

    None is worse than ``floor``.
    """
    made, score = leg
    if score + then.prior < floor:
        return
    for one, fit in chain(_ends(then, case.seen, ENDS, case.caution), besides):
        if score + one.prior + fit >= floor:
            yield _child(case.branch, (*made, one), score + one.prior, fit)


def _reply_to(made: Hypothesis, case: TurnCase) -> Mover:
    assert made.side is not None
    return Mover(made.ply + 1, made.side.opponent, made.after, ANY_ROLL, _missed(case))


def _missed(case: TurnCase) -> float:
    """The log-probability that a whole turn goes by unseen, for dice such as those of this roll."""
    return (rates.MISSED_REPORT if case.throw.reported else rates.MISSED_TURN).log


def _ends(mover: Mover, seen: Evidence, most: int, caution: Caution) -> list[tuple[Hypothesis, float]]:
    """The likeliest legal plays of a turn, and how well each result explains what was seen."""
    side, before, unseen = mover.side, mover.before, mover.rolls is ANY_ROLL
    found = []
    for after, roll, chance, fit in _best_ways(before, side, tuple(mover.rolls.items()), caution.rules, seen)[
        :most
    ]:
        made = played_legally(mover.ply, side, roll, before, after, chance + mover.prior)
        found.append((replace(made, unseen=True) if unseen else made, fit))
    return found


@lru_cache(maxsize=128)
def _best_ways(
    before: Position, side: Side, rolls: tuple[tuple[Roll, float], ...], rules: MovementRules, seen: Evidence
) -> list[tuple[Position, Roll, float, float]]:
    """The results that together with their rolls explain a look best: each with its roll, its prior and its fit."""
    after, priors, which = _ways(before, side, rolls, rules)
    fits = seen.scores_of_codes(after)
    best = np.argsort(-(fits + priors), kind="stable")[:ENDS_UNSEEN]
    return [(Position(after[at]), which[at], float(priors[at]), float(fits[at])) for at in best]


def _against_a_rule(mover: Mover, seen: Evidence, case: TurnCase) -> Iterator[tuple[Hypothesis, float]]:
    """A turn next to one that nobody saw broke some rule: the board is as it is seen, and that is not confirmed.

    Dice that report themselves are seldom missed: what no turn of theirs explains is no turn beside one.
    """
    if case.throw.reported:
        return
    side, before = mover.side, mover.before
    after = likeliest(seen, before, side, case.caution)
    roll = max(mover.rolls, key=lambda each: mover.rolls[each])
    prior, other = mover.prior + rates.BESIDE_UNSEEN.log, side.opponent
    if any(after.checkers(other, point) > before.checkers(other, point) for point in range(1, 25)):
        prior += log(rates.BREACHES[ReasonCode.OPPONENT_MOVED].share / rates.BESIDE_UNSEEN.share)
    made = Hypothesis(mover.ply, Kind.UNCLEAR, side, roll=roll, before=before, after=after, prior=prior)
    yield replace(made, unseen=mover.rolls is ANY_ROLL), score_of(seen, after)


@lru_cache(maxsize=32)
def _ways(
    before: Position, side: Side, rolls: tuple[tuple[Roll, float], ...], rules: MovementRules
) -> tuple[Sequence[int], CountTable, Sequence[Roll]]:
    """The results of all legal plays of these rolls, packed: of each its log-probability, and the likeliest roll.

    A turn is weighed anew with each picture, from the same boards.
    """
    together: dict[int, float] = {}
    likeliest: dict[int, tuple[float, Roll]] = {}
    for roll, share in rolls:
        ends = sorted(results(before, side, roll, rules)[0])
        prior = share - log(len(ends))
        for end in ends:
            if end not in together:
                together[end], likeliest[end] = prior, (prior, roll)
                continue
            together[end] = float(np.logaddexp(together[end], prior))
            if prior >= likeliest[end][0]:
                likeliest[end] = prior, roll
    return tuple(together), np.array(list(together.values())), [roll for _, roll in likeliest.values()]


def _child(branch: Branch, made: tuple[Hypothesis, ...], prior: float, fit: float) -> Branch:
    """The branch with all these turns as one hypothesis."""
    then = None
    for hypothesis in reversed(made):
        then = replace(hypothesis, prior=0.0, then=then)
    assert then is not None
    return grown(branch, replace(then, prior=prior), fit)
