"""The kinds of explanations: what each row of the table makes of a roll, in one way in which the game may have gone.

Every row gives hypotheses with a prior; how well the board looks like them is added to it, and nothing is forbidden.
Rows that are rare are only worked out where they can weigh something: a row that cannot come within `WITHIN` of what
is explained already is passed over.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice, product
from math import inf, log, prod
from typing import Final

import numpy as np

from controller.arrays import FloatArray
from controller.referee.belief import rates
from controller.referee.belief.branches import (
    Branch,
    EndedBy,
    Hypothesis,
    Kind,
    Throw,
    TurnLook,
    differing_points,
    grown,
    lawful,
)
from controller.referee.belief.breaches import (
    Breach,
    RollPlayed,
    breaches,
    judge_once,
    likeliest,
    likely_boards,
    likely_positions,
)
from controller.referee.belief.displaced import AT_BEST, Displacement, displacements, hit_where_pushed
from controller.referee.belief.emission import Bias, emission, learned
from controller.referee.belief.steps import middles
from controller.referee.belief.touches import (
    Counts,
    blame,
    by_itself,
    came_without_hands,
    is_over_all,
    tells_hands,
)
from controller.referee.caution import Caution
from controller.referee.seeing.evidence import Evidence, score_of
from controller.rules import MovementRules, Position, ReasonCode, Roll, Side
from controller.rules.reasons import COUNT_CODES

WITHIN: Final = 9.0
"""What is worse than the best by more than this, a factor of 8,000, is not worked out."""
KEPT_WITHIN: Final = 14.0
"""Branches are carried on if none of them is worse than the best by more than this."""
# These limit the work.
KEPT: Final = 24
"""This many legal results are followed..."""
BOARDS: Final = 6
"""...this many of the likeliest boards are looked at for displaced checkers..."""
PAUSES: Final = 4
"""...this many of the latest moments in which the board lay still for checkers displaced before the play..."""
PLAIN: Final = 5.0
"""...and lay so if no more than this speaks against it (log-likelihood): one place that lies otherwise does..."""
FEW: Final = 3
"""...this many for plays that were begun, or are being put right..."""
HALVES: Final = 512
"""...this many boards on the way back from an illegal play are looked at for that..."""
IN_NO_TRAY: Final = frozenset(
    {ReasonCode.CHECKER_MISSING, ReasonCode.BLOCKED_POINT, ReasonCode.OPPONENT_MOVED}
)
"""What leaves a checker that no point shows and no tray."""
HANDS_AT_BEST: Final = -rates.HAND_BY_CHANCE.log
"""Nothing that hands say makes it likelier by more that somebody displaced checkers."""
ROLLS: Final = 6
"""...and this many of the likeliest rolls are asked about for what is rare."""


@dataclass(frozen=True, eq=False)
class TurnCase:
    """One roll after one branch, and what was seen of it.

    Attributes:
        branch: how the game may have gone before.
        throw: the roll.
        look: how the board looked.
        caution: how careful the referee is, with the rules of the game.
    """

    branch: Branch
    throw: Throw
    look: TurnLook
    caution: Caution

    @cached_property
    def bias(self) -> Bias:
        """Where the reader errs: at the beginning the look before the first turn is all that tells of it."""
        branch, start = self.branch, self.look.start
        if branch.history or start is None:
            return branch.bias
        return learned(branch.bias, start, branch.lies, branch.lies, self.caution.rules.checkers)

    @cached_property
    def seen(self) -> Evidence:
        """What the look at the end says, the biases of the branch allowed for."""
        return self.looking(self.look.end)

    @cached_property
    def ended(self) -> Evidence | None:
        """The same of the moment at which the turn was ended, where the board was seen again since."""
        return None if self.look.ended is None else self.looking(self.look.ended)

    @cached_property
    def earlier(self) -> Evidence | None:
        """The same of the settled view before the latest, where only one picture shows that."""
        return None if self.look.earlier is None else self.looking(self.look.earlier)

    @cached_property
    def pauses(self) -> tuple[Evidence, ...]:
        """The same of the latest moments in which the board lay still within the turn."""
        return tuple(self.looking(pause) for pause in self.look.between[-PAUSES:])

    def lay_s(self, *boards: Position) -> list[float]:
        """How many seconds each of these moments lasted in which the board lay as one of these."""
        lasted = zip(self.pauses, self.look.between_s[-PAUSES:], strict=True)
        return [s for pause, s in lasted if boards and float(_scores(pause, boards).max()) > -PLAIN]

    def _takes_back_a_hit(self, one: Displacement, by: Side) -> bool:
        """Whether ``by`` took a checker from the bar that was hit in this turn, and that nobody saw on the bar.

        One that lies beside the point on which it was hit may as well have been pushed aside before it was.
        """
        before, end, board = self.branch.lies, one.end, one.board
        if end.bar(by) <= before.bar(by) or board.bar(by) >= end.bar(by) or self.lay_s(end):
            return False
        lies = [point for point in range(1, 25) if board.checkers(by, point) > end.checkers(by, point)]
        hit = [point for point in range(1, 25) if before.checkers(by, point) > end.checkers(by, point)]
        return all(abs(one - other) > 1 for one in lies for other in hit)

    def looking(self, pause: Evidence) -> Evidence:
        """What another look within the turn says."""
        return emission(pause, self.look.start, self.branch.lies, self.bias)

    def fits(
        self,
        after: Sequence[Position],
        lies: Sequence[Position] | None = None,
        late: float | Sequence[float] = -inf,
    ) -> FloatArray:
        """(N,) log-likelihood that the turn was ended with each board, and it lies as it does now.

        Or else the board was changed after that: ``late`` is how likely it then looked as it did (`changed_late`).
        """
        now = _scores(self.seen, after if lies is None else lies)
        if self.earlier is not None:
            earlier = _scores(self.earlier, after if lies is None else lies)
            now = np.logaddexp(now, rates.GLITCH.log + earlier)
        if self.ended is None:
            return now
        then = _scores(self.ended, after)
        fits: FloatArray = now + (np.logaddexp(then, late) if lies is None else then)
        return fits

    def changed_late(self, side: Side | None, before: Position, roll: Roll) -> float:
        """The log-likelihood that the board looked as it did when a turn of ``side`` ended, and was changed then."""
        if self.ended is None:
            return -inf
        sides = tuple(Side) if side is None else (side,)
        seemed = [_seeming_end(self.ended, before, each, roll, self.caution.rules) for each in sides]
        return rates.LATE.log + float(np.logaddexp.reduce(seemed)) - log(len(sides))

    @property
    def origins(self) -> Iterator[tuple[Position, Position | None, float]]:
        """From where the turn may be played, how the board should stand if otherwise, and the log-probability."""
        branch = self.branch
        if branch.lies == branch.position:
            yield branch.position, None, 0.0
        else:
            yield branch.lies, branch.position, float(np.log1p(-rates.PUT_RIGHT.share))
            yield branch.position, None, rates.PUT_RIGHT.log

    def touch_displaced(self, one: Displacement, mover: Side) -> float:
        """What the hands that were seen say (log-likelihood) of checkers displaced in a turn of ``mover``.

        Only hands can tell that ``mover`` brushed against some, and only after the play was seen to lie there.
        """
        if one.by is None:
            return 0.0
        touch = blame(self.look, one.by, one.end, one.board)
        over = is_over_all(self.look, one.by, one.end, one.board)
        if one.by is mover:
            return touch if over and self.lay_s(one.end) else -inf
        meant = -rates.HAND_BY_CHANCE.log if over else 0.0
        at_once = rates.HIT_TAKEN_BACK.log if self._takes_back_a_hit(one, one.by) else 0.0
        return touch + meant + at_once

    def touch_hits(self, side: Side, before: Position, end: Position) -> float:
        """The same of a play that hits: who takes the other's checker from a point has a hand over it."""
        hits = end.bar(side.opponent) > before.bar(side.opponent)
        return blame(self.look, side, before, end, of=(side.opponent,)) if hits else 0.0

    def touch_breach(self, side: Side, before: Position, breach: Breach) -> float:
        """The same of a play against the rules.

        A legal play needs no hand over its points either: only the other side's checkers do.
        """
        other, after = side.opponent, breach.after
        if any(reason.code in COUNT_CODES and reason.arguments["side"] == other for reason in breach.reasons):
            return by_itself(self.look, side, before, after, of=other)
        return blame(self.look, side, before, after, of=(other,))

    def changed_mind(self, side: Side, before: Position, roll: Roll, breach: Breach) -> float:
        """The log-probability that a play that breaks a rule came after a legal one had lain there; 0 if none had.

        Whoever moves a checker of the other's besides only leaves the play as it lay, or changes that, too.
        """
        handles = any(reason.code is ReasonCode.OPPONENT_MOVED for reason in breach.reasons)
        if handles and breach.nearest is not None and self.lay_s(breach.nearest):
            return rates.LATER.log
        ends = [end for end in lawful(before, side, roll, self.caution.rules) if end != before]
        lay = self.lay_s(*ends)
        changed = rates.changed_mind_prior(max(lay, default=0.0))
        return changed + rates.LATER.log if handles and lay else changed

    def aside(self, side: Side, off: int, shown: int) -> float:
        """How much better (log-likelihood) a side's tray looks with ``shown`` checkers than with ``off``; or 0."""
        row = self.seen.off[0 if side is Side.LIGHT else 1]
        return max(float(row[shown] - row[off]), 0.0)

    def throws(self, within: float = WITHIN, most: int = ROLLS) -> Iterator[tuple[Side, Roll, float]]:
        """Who may have rolled, the likeliest rolls as in `Throw.likely`, and the log-probability of both."""
        for side, chance in self.throw.sides_from(self.branch).items():
            for roll in self.throw.likely(within, most):
                yield side, roll, self.throw.rolls[roll] + chance

    def hypothesis(
        self,
        kind: Kind,
        side: Side | None,
        roll: Roll,
        before: Position,
        after: Position,
        prior: float,
        *,
        lies: Position | None = None,
        pushed_from: Position | None = None,
        by: Side | None = None,
        in_hand: bool = False,
    ) -> Hypothesis:
        """What may have become of the roll; the arguments are attributes of it."""
        return Hypothesis(
            self.branch.ply,
            kind,
            side,
            roll=roll,
            before=before,
            after=after,
            prior=prior,
            lies=lies,
            pushed_from=pushed_from,
            by=by,
            in_hand=in_hand,
        )

    def child(self, hypothesis: Hypothesis, aside: float = 0.0) -> Branch:
        """The branch with one more hypothesis; ``aside`` is what checkers that lie in no tray make it likelier."""
        lies = None if hypothesis.lies is None else [hypothesis.lies]
        late = self.changed_late(hypothesis.side, hypothesis.before, hypothesis.roll)
        fit = float(self.fits([hypothesis.after], lies, late)[0])
        return grown(self.branch, hypothesis, fit + aside)


def _scores(look: Evidence, boards: Sequence[Position]) -> FloatArray:
    """(N,) log-likelihood of each board; rare rows ask about a few single ones again and again."""
    return np.array([score_of(look, boards[0])]) if len(boards) == 1 else look.scores(boards)


@lru_cache(maxsize=256)
def _seeming_end(ended: Evidence, before: Position, side: Side, roll: Roll, rules: MovementRules) -> float:
    """The log-likelihood of a look if a turn seemed to be over with any board of its roll, or with a wrong one.

    It may have been played, in part or not at all, each as likely; a board that no number leads to is as rare as one
    that breaks a rule.
    """
    ends = lawful(before, side, roll, rules)
    boards = list({before, *middles(before, side, roll, rules), *ends})
    lawfully = float(np.logaddexp.reduce(ended.scores(boards))) - log(len(boards))
    wrong = rates.BREACHES[ReasonCode.WRONG_DISTANCE].beside(len(ends))
    return float(np.logaddexp(lawfully, wrong))


def goes_on(branch: Branch) -> bool:
    """Whether the turn before goes on: then the next roll is not played before that is finished."""
    return bool(branch.history) and branch.last.kind is Kind.UNFINISHED


def weigh_hands(case: TurnCase, found: Iterable[Branch]) -> Iterator[Branch]:
    """What a row found, with what it costs that somebody moved checkers and no hand was seen over the board then."""
    unhandled = came_without_hands(case.look)
    for child in found:
        if _needs_hands(child, unhandled):
            last = replace(child.last, prior=child.last.prior + rates.NO_HAND.log)
            score, history = child.score + rates.NO_HAND.log, (*child.history[:-1], last)
            yield replace(child, score=score, history=history)
        else:
            yield child


def _needs_hands(child: Branch, unhandled: Mapping[int, Counts]) -> bool:
    """Whether hands would have had to bring some of these points to what they show: a knock needs none."""
    knocked = child.last.displaced if child.last.by is None else ()
    return any(
        child.lies.points[point - 1] in counts and point not in knocked for point, counts in unhandled.items()
    )


def legal(case: TurnCase) -> Iterator[Branch]:
    """The roll was played by the rules: all plays of a roll are alike."""
    throw, rules = case.throw, case.caution.rules
    for side, chance in throw.sides_from(case.branch).items():
        for before, pushed_from, way in case.origins:
            ends: list[Position] = []
            which: list[Roll] = []
            priors: list[float] = []
            for roll in throw.likely(WITHIN + 8.0):
                found = lawful(before, side, roll, rules)
                ends += found
                which += [roll] * len(found)
                priors += [throw.rolls[roll] + chance + way - log(len(found))] * len(found)
            late = [case.changed_late(side, before, roll) for roll in which]
            laid = case.fits(ends, late=late)
            held = laid + _hit_in_hand(case, side, before, ends)
            fits = np.logaddexp(laid, held)
            scores = fits + np.array(priors)
            best = -inf
            for at in np.argsort(-scores, kind="stable")[:KEPT]:
                if scores[at] < best - KEPT_WITHIN:
                    break  # hands make none likelier, and what is worse by so much is not carried on
                roll, end, in_hand = which[at], ends[at], bool(held[at] > laid[at])
                prior, fit = priors[at] + case.touch_hits(side, before, end), float(fits[at])
                best = max(best, prior + fit)
                made = case.hypothesis(
                    Kind.LEGAL, side, roll, before, end, prior, pushed_from=pushed_from, in_hand=in_hand
                )
                yield grown(case.branch, made, fit)


def _hit_in_hand(case: TurnCase, side: Side, before: Position, ends: Sequence[Position]) -> FloatArray:
    """(N,) how much likelier each end is (log-odds) if a checker that was hit in it is still in the player's hand."""
    other, bar = side.opponent, case.seen.bar
    held = before.bar(other)
    lost = np.full(len(ends), -np.inf)
    for at, end in enumerate(ends):
        if (now := end.bar(other)) > held:
            off = end.off(other)
            on_bar = bar[_on_bar(end, other, held)] - bar[_on_bar(end, other, now)]
            lost[at] = on_bar + case.aside(other, off, off + now - held)
    return lost + rates.hit_late_prior(case.look.stood_s)


def _on_bar(end: Position, side: Side, count: int) -> tuple[int, int]:
    """The index of the bar where one side has this many checkers there, and the other as many as in ``end``."""
    return (count, end.bar(Side.DARK)) if side is Side.LIGHT else (end.bar(Side.LIGHT), count)


def void(case: TurnCase) -> Iterator[Branch]:
    """Nothing was played: the roll was rolled again, or is still to be played."""
    branch = case.branch
    prior = void_prior(case.throw)
    if goes_on(branch):
        prior += rates.early_prior(case.look.still_s) - rates.EARLY.log
    roll = case.throw.likely(0.0)[0]
    nothing = case.hypothesis(Kind.VOID, branch.side, roll, branch.position, branch.position, prior)
    yield case.child(nothing if branch.lies == branch.position else replace(nothing, lies=branch.lies))


def void_prior(throw: Throw) -> float:
    """The log-probability that nothing has been moved although the roll came: as long as the turn goes on, it may."""
    match throw.ended_by:
        case EndedBy.NOTHING:
            return 0.0
        case EndedBy.ALIKE:
            prior = rates.MOVED_DICE.log
        case by if by is EndedBy.ACT or throw.said_over:
            prior = rates.VOID_AFTER_ACT.log
        case _:
            longer = min(max(throw.lay_s - rates.LAY_S, 0.0), rates.LAY_WITHIN_S)
            prior = rates.VOID.log - rates.LAY_EACH_S * longer
    if throw.is_roll < 1:
        prior = float(np.logaddexp(prior, log(1 - throw.is_roll)))
    return prior if throw.seen >= 2 else max(prior, rates.NOT_A_DIE.log)


def nothing_moved(case: TurnCase, least: float) -> Iterator[Branch]:
    """Nothing was played although something could have been, and the turn went to the other side."""
    before, rules = case.branch.lies, case.caution.rules
    for side, roll, share in case.throws():
        prior = share + rates.BREACHES[ReasonCode.NOTHING_MOVED].log
        fit = float(case.fits([before], late=case.changed_late(side, before, roll))[0])
        if lawful(before, side, roll, rules) == (before,) or prior + fit < least:
            continue
        verdict = judge_once(before, side, roll, before, rules)
        nearest = verdict.nearest[0] if verdict.nearest else None
        made = case.hypothesis(Kind.ILLEGAL, side, roll, before, before, prior)
        yield grown(case.branch, replace(made, reasons=tuple(verdict.reasons), nearest=nearest), fit)


def against_rules(case: TurnCase, least: float) -> Iterator[Branch]:
    """The roll was played against a rule.

    A checker of the other side that is gone may have been its own deed, unless hands tell whose it was.
    """
    handled = tells_hands(case.look)
    for side, roll, chance in case.throws():
        for before, pushed_from, way in case.origins:
            turn, share = RollPlayed(before, side, roll, case.caution, handled), chance + way
            for breach in breaches(turn, case.seen, least - share):
                prior = share + breach.prior + case.touch_breach(side, before, breach)
                prior += case.changed_mind(side, before, roll, breach)
                played = case.hypothesis(
                    Kind.ILLEGAL, side, roll, before, breach.after, prior, pushed_from=pushed_from
                )
                made = explained_by(breach, played)
                yield case.child(made, _fallen(case, made))


def explained_by(breach: Breach, made: Hypothesis) -> Hypothesis:
    """An illegal play with what a breach says of it."""
    return replace(made, text=breach.text, reasons=breach.reasons, also=breach.also, nearest=breach.nearest)


def _fallen(case: TurnCase, made: Hypothesis) -> float:
    """What it explains that a checker which is missing lies in no tray.

    It fell off the table, is in a pocket, or lies among the opponent's on a point where nobody can tell them apart.
    """
    if all(reason.code not in IN_NO_TRAY for reason in made.reasons):
        return 0.0
    before, after = made.before, made.after
    return sum(case.aside(side, after.off(side), before.off(side)) for side in Side)


def disturbed(case: TurnCase, least: float) -> Iterator[Branch]:
    """A legal play, or none yet, and checkers that somebody displaced besides.

    What was displaced before that may have been put right, as before any play.
    """
    for before, pushed_from, way in case.origins:
        for made in _displaced_from(case, before, least - way):
            yield case.child(replace(made, pushed_from=pushed_from, prior=made.prior + way))


def _displaced_from(case: TurnCase, before: Position, least: float) -> Iterator[Hypothesis]:
    """The same where the turn began from ``before``."""
    rules = case.caution.rules
    shown = islice(likely_positions(case.seen, before, rules.checkers), BOARDS)
    boards = [board for board in shown if board != before]
    # Whatever roll a player may be accused by, they may have played by it, too.
    for side, roll, share in case.throws():
        played = lawful(before, side, roll, rules)
        ways: list[tuple[Kind, Side | None, Sequence[Position], float]]
        ways = [(Kind.LEGAL, side, played, share - log(len(played)))]
        if before not in played:
            ways.append((Kind.VOID, case.branch.side, (before,), share + void_prior(case.throw)))
        for kind, whose, ends, each in ways:
            likely = each + AT_BEST + HANDS_AT_BEST >= least
            for one in displacements(ends, boards, side) if likely else ():
                prior = each + one.prior
                if prior + HANDS_AT_BEST < least:
                    continue
                prior += case.touch_displaced(one, side)
                prior += case.touch_hits(side, before, one.end)
                if prior >= least:
                    yield case.hypothesis(
                        kind, whose, roll, before, one.end, prior, lies=one.board, by=one.by
                    )


def out_of_turn(case: TurnCase, least: float) -> Iterator[Branch]:
    """The other side took the roll for its own and played it by the rules: it is still to be played, or void."""
    before, rules = case.branch.lies, case.caution.rules
    for side, roll, share in case.throws(0.0, 1):
        ends = [end for end in lawful(before, side.opponent, roll, rules) if end != before]
        each = share + rates.OUT_OF_TURN.log - log(max(len(ends), 1))
        if not ends or each < least:
            continue
        fits = case.fits([before] * len(ends), ends)
        for at in np.argsort(-fits, kind="stable")[:FEW]:
            prior = each + blame(case.look, side.opponent, before, ends[at])
            none = case.hypothesis(
                Kind.VOID, case.branch.side, roll, before, before, prior, lies=ends[at], by=side.opponent
            )
            yield grown(case.branch, none, float(fits[at]))


def after_push(case: TurnCase, least: float) -> Iterator[Branch]:
    """A legal play from a board on which somebody had displaced checkers.

    A picture showed that before the end, or the play hit the checker that was displaced.
    """
    throw, before, rules = case.throw, case.branch.lies, case.caution.rules
    if rates.PUSHED.log < least:
        return
    boards = {
        board
        for look in (*case.pauses, case.seen)
        for board in islice(likely_boards(look, before, Side.LIGHT, rules), FEW)
    }
    shown = list(islice(likely_positions(case.seen, before, rules.checkers), FEW))
    for side, chance in throw.sides_from(case.branch).items():
        pushed = {board for end in shown for board in hit_where_pushed(before, end, side.opponent)}
        for one in displacements((before,), [*boards | pushed], side):
            for roll in throw.likely(WITHIN, ROLLS):
                ends = lawful(one.board, side, roll, rules)
                prior = throw.rolls[roll] + chance + one.prior - log(len(ends))
                prior += case.touch_displaced(one, side)
                if prior < least:
                    continue
                fits = case.fits(ends, late=case.changed_late(side, one.board, roll))
                for at in np.argsort(-fits, kind="stable")[:FEW]:
                    made = case.hypothesis(
                        Kind.LEGAL, side, roll, one.board, ends[at], prior, pushed_from=before, by=one.by
                    )
                    yield grown(case.branch, replace(made, in_turn=True), float(fits[at]))


def unfinished(case: TurnCase, least: float) -> Iterator[Branch]:
    """The next roll came before the play was finished, or before it was seen how it ended."""
    throw, look, before, rules = case.throw, case.look, case.branch.lies, case.caution.rules
    by = throw.ended_by
    came = by in (EndedBy.ROLL, EndedBy.ALIKE) or (look.stale and by is not EndedBy.NOTHING)
    rate = rates.UNSEEN.log if look.stale else rates.early_prior(look.stood_s)
    if by is EndedBy.ALIKE:
        rate = rates.MOVED_DICE.log
    if not came or rate < least:
        return
    for side, roll, share in case.throws(2.5, 2):
        begun = begun_boards(before, side, roll, rules)
        begun += [before] if look.stale else []
        if not begun or lawful(before, side, roll, rules) == (before,):
            continue
        fits = case.fits(begun, late=case.changed_late(side, before, roll))
        for at in np.argsort(-fits, kind="stable")[:FEW]:
            prior = share + rate - _ways_to_begin(begun, begun[at], before)
            made = case.hypothesis(Kind.UNFINISHED, side, roll, before, begun[at], prior)
            yield grown(case.branch, made, float(fits[at]))


def begun_boards(before: Position, side: Side, roll: Roll, rules: MovementRules) -> list[Position]:
    """The boards on which a part of the roll was played, and another part is still to be."""
    begun = middles(before, side, roll, rules).difference(lawful(before, side, roll, rules), [before])
    return sorted(begun, key=lambda board: board.code)


def _ways_to_begin(begun: Sequence[Position], board: Position, before: Position) -> float:
    """The logarithm of how many boards are as likely as this one while a play is being made.

    Most plays are made in one go: where nothing of one has been seen, half of them look so.
    """
    if before not in begun:
        return log(len(begun))
    return log(2) if board == before else log(2 * (len(begun) - 1))


def half_put_right(case: TurnCase, least: float) -> Iterator[Branch]:
    """An illegal play is being put right, and some of its checkers are not back yet, or in somebody's hand."""
    before, wrong = case.branch.lies, case.throw.wrong
    hidden = wrong is not None and (before, wrong) != (before.open_board(), wrong.open_board())
    if wrong is None or hidden or rates.HALF_PUT_RIGHT.log < least:
        return
    checkers = case.caution.rules.checkers
    off = {side: max(before.off(side, checkers), wrong.off(side, checkers)) for side in Side}
    ways, boards = _on_the_way(before, wrong, checkers)
    if not boards:
        return
    # What no tray shows yet is in a hand.
    held = [
        sum(case.aside(side, now := half.off(side, checkers), min(now, off[side])) for side in Side)
        for half in boards
    ]
    for side, roll, chance in case.throws(0.0, 1):
        prior = chance + rates.HALF_PUT_RIGHT.log - log(ways)
        for at in np.argsort(-(case.fits(boards) + np.array(held)), kind="stable")[:FEW]:
            half = case.hypothesis(Kind.UNFINISHED, side, roll, before, boards[at], prior)
            yield case.child(half, held[at])


def _on_the_way(before: Position, wrong: Position, checkers: int) -> tuple[int, list[Position]]:
    """How many boards lie between these two, and those of them that may be.

    Each place that differs holds as many checkers as in one of them, or some number between.
    """
    points = differing_points(before, wrong)
    spans = [_between(before.points[point - 1], wrong.points[point - 1]) for point in points]
    spans += [_between(before.bar(side), wrong.bar(side)) for side in Side]
    boards = []
    for *counts, light, dark in islice(product(*spans), HALVES):
        lie = list(before.points)
        for point, count in zip(points, counts, strict=True):
            lie[point - 1] = count
        boards.append(Position.seen(lie, light, dark))
    there = [half for half in boards if all(half.off(side, checkers) >= 0 for side in Side)]
    return prod(map(len, spans)), [half for half in there if half not in (before, wrong)]


def _between(one: int, other: int) -> range:
    """These two numbers of checkers and all between."""
    return range(min(one, other), max(one, other) + 1)


def unexplained(case: TurnCase, least: float) -> Iterator[Branch]:
    """Something was done that no other row explains: the board is as it is seen."""
    throw, before = case.throw, case.branch.lies
    if rates.UNEXPLAINED.log < least:
        return
    for side, chance in throw.sides_from(case.branch).items():
        after = likeliest(case.seen, before, side, case.caution)
        roll = throw.likely(0.0)[0]
        yield case.child(
            case.hypothesis(Kind.UNCLEAR, side, roll, before, after, rates.UNEXPLAINED.log + chance)
        )
