"""How often what happens at a table: the table of kinds, of which the referee's sum takes its priors.

Each row says how often a turn goes so, and among how many boards that look alike to the rules the turn then chooses:
a wrong number may be played in some eighty ways, and each of them has only that part of the rate. Nobody has counted
how often people break rules. A first trial gave broken rules two turns in a hundred: it found each of the 24 illegal
plays of four films likelier than not, and none of 118 legal ones. The rows of backgammon together are some three in
a hundred, since not every rule can be broken in every turn. They are shared out as people err: most often they
miscount, rarely do they move backwards. What speaks in the pictures for a play is worth e^8 and more for each place,
so a factor of three in a row changes little.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Final

from controller.rules import Reason, ReasonCode

MANY: Final = 4
"""A player with checkers on so many places (the bar is one) or more has some eight plays of a roll, and one with
fewer has fewer, as the square of the places: of 4,800 rolls that are no doubles, in 60 games of players who choose by
chance, those with checkers on one place to five had 1.0, 1.4, 2.2, 6.9 and 7.6 plays on average."""


@dataclass(frozen=True, slots=True)
class Rate:
    """One row.

    Attributes:
        share: of the turns that go so.
        boards: to how many boards such a turn may lead, each as likely...
        a_play: ...and to how many beside each legal play of the roll, where the rest of the turn is one.
        fewest: so many plays there are at least to be beside, for a player with checkers on `MANY` places: a turn
            against the rules has some choice where a legal one has none, and less of it where there are fewer places
            to move from. Where a whole legal play is made and something else besides, it has no more choice.
    """

    share: float
    boards: float = 1.0
    a_play: float = 0.0
    fewest: int = 8

    @property
    def log(self) -> float:
        """The log-probability of one of the boards."""
        return log(self.share / self.boards)

    def beside(self, plays: int, places: int = MANY) -> float:
        """The same where the roll has this many legal plays, and its player checkers on so many places."""
        fewest = self.fewest * min(places / MANY, 1.0) ** 2
        return log(self.share / max(self.a_play * max(plays, fewest), self.boards))


BREACHES: Final[Mapping[ReasonCode, Rate]] = {
    ReasonCode.WRONG_DISTANCE: Rate(0.004, a_play=15),
    ReasonCode.DICE_MISMATCH: Rate(0.002, a_play=15),
    ReasonCode.UNUSED_DIE: Rate(0.003, 12),
    ReasonCode.LARGER_DIE: Rate(0.001, 4),
    ReasonCode.NOTHING_MOVED: Rate(0.001),
    ReasonCode.BAR_FIRST: Rate(0.002, 60),
    ReasonCode.BLOCKED_POINT: Rate(0.002, 40),
    ReasonCode.STACK_LIMIT: Rate(0.001, 20),
    ReasonCode.BEAR_OFF_EARLY: Rate(0.001, 20),
    ReasonCode.BEAR_OFF_HIGHER_EXISTS: Rate(0.002, 4),
    ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL: Rate(0.002, 4),
    ReasonCode.BEAR_OFF_REARMOST_ONLY: Rate(0.002, 4),
    ReasonCode.BEAR_OFF_EXACT_REQUIRED: Rate(0.002, 4),
    ReasonCode.BEAR_OFF_NUMBER_TOO_LARGE: Rate(0.002, 4),
    ReasonCode.BEAR_OFF_PINNED: Rate(0.002, 4),
    ReasonCode.FIRST_CHECKER_FIRST: Rate(0.001, 20),
    ReasonCode.HEAD_LIMIT: Rate(0.002, 20),
    ReasonCode.PRIME_LIMIT: Rate(0.002, 20),
    ReasonCode.PRIME_KEPT: Rate(0.001, 20),
    ReasonCode.TABLE_LIMIT: Rate(0.001, 20),
    ReasonCode.HIT_AND_RUN: Rate(0.002, 20),
    ReasonCode.PINNED_MOVED: Rate(0.0005, 100),
    ReasonCode.BACKWARDS: Rate(0.0005, a_play=30),
    ReasonCode.EXTRA_CHECKER_MOVED: Rate(0.001, a_play=50, fewest=1),
    ReasonCode.EXTRA_CHECKER_OFF: Rate(0.002, 4),
    ReasonCode.HIT_NOT_ON_BAR: Rate(0.001, a_play=25, fewest=1),
    ReasonCode.OPPONENT_MOVED: Rate(0.0005, a_play=15, fewest=1),
    ReasonCode.CHECKER_MISSING: Rate(0.001, a_play=15, fewest=1),
    ReasonCode.CHECKER_EXTRA: Rate(0.0005, a_play=15, fewest=1),
}
"""A turn in which one rule was broken. The last two accuse nobody: checkers fall off the table, or lie elsewhere."""
SAME_RULE_AGAIN: Final = Rate(0.3)
"""Who breaks such a rule with one number often does so with the other: nobody who forgets the bar remembers it half
way."""
ONE_MORE: Final = Rate(0.1)
"""Where a checker is missing, too many, or was borne off besides, another one of the same place is so rarely: whoever
loses or takes one seldom does so with two. Nobody has counted it. A pile that is misread for good may be by three."""
WHOLE_TURN: Final = frozenset(
    {
        ReasonCode.BAR_FIRST,
        ReasonCode.BEAR_OFF_EARLY,
        ReasonCode.BEAR_OFF_HIGHER_EXISTS,
        ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL,
        ReasonCode.FIRST_CHECKER_FIRST,
        ReasonCode.HEAD_LIMIT,
    }
)
WHICH_CHECKER: Final = frozenset({ReasonCode.FIRST_CHECKER_FIRST, ReasonCode.HEAD_LIMIT})
"""Where hardly any checker may move, whoever miscounts with another one breaks such a rule, too: that is one deed."""
LEFT_UNUSED: Final = frozenset({ReasonCode.UNUSED_DIE, ReasonCode.LARGER_DIE})
MISCOUNTED: Final = Rate(0.008, a_play=2.5)
"""The wrong distance is one too many or one too few, as when somebody counts the point where a checker starts."""
FURTHER_RULE: Final = Rate(0.05, 50)
"""A turn in which a rule was broken breaks another one so often."""
SWEPT: Final = Rate(0.05)
"""Who lands on a point that the opponent holds sends what lies there to the bar, all or some of it; else it is
left to lie there."""
VOID: Final = Rate(0.03)
"""A roll is made again before anything was moved: cocked, or off the board. So was one of 35 in the film that
ships."""
VOID_AFTER_ACT: Final = Rate(0.00002)
"""The same although the player had said that the turn was over."""
NOT_A_DIE: Final = Rate(0.3)
"""The same where a single die was seen, which may have been none."""
LAY_S: Final = 3.0
"""Cocked dice are taken up within this many seconds (0.8 s and the lifting, in the one film that times it)..."""
LAY_EACH_S: Final = 1.0
"""...and each further second that a roll lay makes it less likely, by so much (log-odds), that it was cocked: players
look at a roll which they cannot play for 2 to 7 s..."""
LAY_WITHIN_S: Final = 4.0
"""...for this many seconds at most."""
GLITCH: Final = Rate(0.02)
"""A single picture shows what is not there: a hand that was taken for none, a checker in the air."""
BUMPED: Final = Rate(0.00005)
"""Somebody knocks against the board, and one, two or three checkers slip to the point beside theirs: each number of
them is as probable. Nobody has counted it."""
BRUSHED: Final = Rate(0.001)
"""The same by a sleeve of the player, who reaches for the dice or the cup once the play is made. Nobody has counted
it; it is some twenty times as often as a knock that nobody's hand explains."""
LATER: Final = Rate(0.1)
"""Who moves a checker of the other's does so in one go with the play, and not after that has lain there."""
OVER_EDGE: Final = Rate(0.1)
"""A checker that slips so goes over the bar, or across the board between the twelfth points: that is a hard knock,
and what sends one over such an edge sends others over it, too. Nobody has counted them."""
PUSHED: Final = Rate(0.001, 100)
"""The side that is not on turn displaces a checker of its own..."""
HIT_TAKEN_BACK: Final = Rate(0.1)
"""Whoever does so takes a checker that was hit from the bar while the player is still moving."""
PUSHED_CHECKER: Final = Rate(0.2, 100)
"""...and another one."""
OUT_OF_TURN: Final = Rate(0.001)
"""The side that is not on turn takes the roll for its own, and plays it by the rules."""
PUSHED_OWN: Final = Rate(0.00001, 100)
"""Somebody else than the player displaces a checker of the player's."""
NOT_THERE: Final = Rate(0.01)
"""A hand changed the board, and only the other side's was seen over it since."""
HAND_BY_CHANCE: Final = Rate(0.1)
"""The hand of the side that is not on turn is over just the points that then look otherwise, and displaced nothing
there: whoever does not play keeps their hands away. By so much it is likelier that it did."""
BY_ITSELF: Final = Rate(0.01)
"""A checker of the other side is gone, or one too many lies there, and it was not done by the only hand that was over
the point: boards have rims, so a checker seldom leaves the middle of one alone."""
NO_HAND: Final = Rate(0.01)
"""A hand changed the board, and none was seen over it. Of 42 changes in a film of 35 turns of which the hands of all
pictures between are told none came about so, and one of 134 on three painted boards. Of single painted pictures 14 of
229 hands were missed, but a reach lasts for ten pictures and more."""
UNTOLD: Final = Rate(0.03)
"""A hand of which it cannot be told whose it is was the other side's, although only hands of one side were told of
beside it. On two painted boards where the other side moves checkers, too, all 12 were of that side; on seven others
there were 64 that nobody has checked, but there the other side seldom comes over the board. Partly a guess."""
NOT_OVER: Final = Rate(0.03)
"""A hand changed a point, and was seen over the board, but not over that point."""
HIT_LATE: Final = Rate(0.02)
"""Who hits holds the checker in their hand when they say that the turn is over, and lays it on the bar then...
"""
HIT_LATE_S: Final = 4.0
"""...within this many seconds, and each further one makes it less likely, by `STILL_EACH_S`, that it still comes."""
HALF_PUT_RIGHT: Final = Rate(0.05)
"""The board is seen at rest while an illegal play is being put right, and not all of its checkers are back yet: no
hand is over the board between one checker and the next. Nobody has counted it. Each board on the way is as
likely."""
LATE: Final = Rate(0.01)
"""The board is changed after a turn was ended, and before the next roll: what had been seen at the end was any board
with which a turn of that roll may seem to be over, or one that breaks a rule."""
PUT_RIGHT: Final = Rate(0.3)
"""Checkers that were displaced are put back in the same go as the next play; else play goes on as they lie."""
EARLY: Final = Rate(0.02)
"""The next roll comes before the play is finished or seen to be, and it is finished then..."""
STILL_EACH_S: Final = 1.0
"""...which is less likely, by so much (log-odds), for each second that the board lay still before the roll and after
it: who is in the middle of a play goes on..."""
STILL_WITHIN_S: Final = 4.0
"""...for this many seconds at most."""
UNSEEN: Final = Rate(0.5)
"""A hand came over the board, and the next roll before it was seen what the hand had left: the play was finished
then."""
MISSED_TURN: Final = Rate(0.015)
"""A whole turn goes by whose dice nobody saw."""
MISSED_REPORT: Final = Rate(0.003)
"""The same beside a roll that an electronic set reported: it reports each of its own, unless its cable is out, its
battery low, or somebody took other dice. Nobody has counted it; a fifth of what is missed where a camera has to see
the dice."""
GLIMPSED_TURN: Final = Rate(0.2)
"""Two dice that lay there in a single picture, six seconds before those of this roll came, were a roll of which a
whole turn was made, or given up. Nobody has counted it: of 200 turns three go by whose dice nobody saw well, half of
them perhaps with such a picture; and three rolls of a hundred are made again, one in five of them so quickly."""
GLIMPSED_S: Final = 6.0
"""In a film of 36 rolls the next one came after 5.2 seconds at the earliest, and after 15 in half of them; whoever
throws again does so within two or three..."""
AGAIN_EACH_S: Final = 0.5
"""...so that each second more, or fewer, speaks by so much (log-odds) for a turn, or against it..."""
GLIMPSED_WITHIN_S: Final = 12.0
"""...and beyond so many, more tell nothing."""
BESIDE_UNSEEN: Final = Rate(0.03, 2000)
"""Such a turn, or one after it, breaks a rule, as three of a hundred turns do: among the boards to which any roll may
lead so. Nobody is accused by dice that were not seen."""
NO_ROLL: Final = Rate(0.015)
"""What seemed to be a roll was none: somebody moved the dice by hand, or something looked like them."""
MOVED_DICE: Final = Rate(18 * NO_ROLL.share)
"""Dice with the numbers of the roll lie elsewhere since they were moved by hand, so that the turn may go on: of 18
rolls that come next one has these numbers, too."""
CHANGED_MIND: Final = Rate(0.05)
"""A legal play that has lain there for some seconds with no hand over the board is changed once more, be it into one
that breaks a rule. Where it lay there more briefly that is likelier, by `STILL_EACH_S` for each second."""
OPENING_ORDER: Final = Rate(0.05)
"""The side whose die was the lower one begins."""
PASSED: Final = Rate(0.4)
"""Who is closed out does not roll, and leaves the roll to the other side."""
ROLLED_AGAIN: Final = Rate(0.01)
"""A second roll counts that nobody allowed."""
WORD_WRONG: Final = Rate(0.02)
"""People say another play than was made: they press the wrong one, or remember it wrongly. Nobody has counted it; it
is as often as they break rules."""
RULED_OTHERWISE: Final = Rate(0.5, 600)
"""A ruling lays the checkers out otherwise than they came to lie: what it puts right may be any of the boards to
which some roll leads, of either side. Nobody has counted how many rulings do: as many as leave the board alone."""
UNEXPLAINED: Final = Rate(0.001, 20_000_000)
"""Anything else: the board is as it is seen, and no row says why."""


def breach_prior(way: tuple[Reason, ...], plays: int, places: int = MANY) -> float:
    """The log-probability of one board on which just these rules were broken.

    The roll had this many legal ``plays``, and its player checkers on so many ``places``.
    Whoever plays a number with the opponent's checker leaves it unused: that is one deed.
    """
    broken = [reason for reason in way if reason.code not in LEFT_UNUSED] or list(way)
    if not any(reason.code is ReasonCode.OPPONENT_MOVED for reason in broken):
        broken = list(way)
    if any(reason.code is ReasonCode.WRONG_DISTANCE for reason in broken):
        broken = [reason for reason in broken if reason.code not in WHICH_CHECKER]
    rarest = min(_rate(reason).beside(plays, places) for reason in broken)
    codes = [reason.code for reason in broken]
    again = sum(codes.count(code) - 1 for code in WHOLE_TURN.intersection(codes))
    rules = len(broken) - again
    more = sum(_count(reason) - 1 for reason in broken)
    return rarest + FURTHER_RULE.log * (rules - 1) + SAME_RULE_AGAIN.log * again + ONE_MORE.log * more


def _count(reason: Reason) -> int:
    """How many checkers of one place a reason is about."""
    count = reason.arguments.get("count", 1)
    return count if isinstance(count, int) else 1


def _rate(reason: Reason) -> Rate:
    distance, dice = reason.arguments.get("distance"), reason.arguments.get("dice")
    if isinstance(distance, int) and isinstance(dice, list) and reason.code is ReasonCode.WRONG_DISTANCE:
        near: set[object] = {distance - 1, distance + 1}
        return MISCOUNTED if near.intersection(dice) else BREACHES[reason.code]
    return BREACHES[reason.code]


def glimpsed_odds(since_s: float) -> float:
    """The log-odds that dice glimpsed so many seconds before a roll were those of another turn, against all else.

    All else leaves it open what they were.
    """
    odds = log(GLIMPSED_TURN.share / (1 - GLIMPSED_TURN.share))
    return odds + AGAIN_EACH_S * (min(since_s, GLIMPSED_WITHIN_S) - GLIMPSED_S)


def early_prior(still_s: float) -> float:
    """The log-probability that a play was not finished when the next roll came, after it lay still for this time."""
    return EARLY.log - STILL_EACH_S * min(max(still_s, 0.0), STILL_WITHIN_S)


def hit_late_prior(stood_s: float) -> float:
    """The log-probability that a hit checker will still be laid on the bar, if the board has lain for this time."""
    return HIT_LATE.log - STILL_EACH_S * max(stood_s - HIT_LATE_S, 0.0)


def changed_mind_prior(still_s: float) -> float:
    """The log-probability that a legal play was changed after it had lain still for this time."""
    return max(CHANGED_MIND.log, -STILL_EACH_S * still_s)
