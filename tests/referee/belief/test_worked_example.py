"""`hardware_docs/referee.md`: the worked example of the sum, and how often things happen, are what the code says."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from controller.record.filter.board import sharp_reading
from controller.referee.belief import rates
from controller.referee.belief.beam import extend
from controller.referee.belief.branches import (
    Branch,
    EndedBy,
    Hypothesis,
    Kind,
    Throw,
    TurnLook,
    first_beam,
    weights,
)
from controller.referee.belief.decision import Outcome, Verdict, accuses, decide, share_of
from controller.referee.belief.kinds import TurnCase, legal
from controller.referee.belief.steps import shift_checker
from controller.referee.caution import COSTS, USUAL, Strictness
from controller.referee.seeing.evidence import Evidence, evidence_of
from controller.referee.seeing.sightings import NO_DIE, Sightings
from controller.rules.position import Position, Roll, Side
from controller.rules.reasons import ReasonCode
from controller.vision.reading import DieSeen

PAGE: Final = (Path(__file__).resolve().parents[3] / "hardware_docs" / "referee.md").read_text(
    encoding="utf-8"
)
BEFORE: Final = Position.from_compact("b...BD.B...eE...c.e....B..")
ROLLED: Final = Roll.from_dice(5, 4)
SHORT: Final = Roll.from_dice(5, 3)
FIVE: Final = shift_checker(BEFORE, Side.DARK, 13, 8)
SEEN: Final = shift_checker(FIVE, Side.DARK, 6, 3)
LAWFUL: Final = shift_checker(FIVE, Side.DARK, 6, 2)
PICTURES: Final = 2
"""So many pictures show the board before the turn, and after it; dice in one more."""

EXPLANATIONS: Final[Mapping[str, Callable[[Hypothesis], bool]]] = {
    "5-4 was rolled, and 6/3 is one point short": lambda made: accuses(made) and made.roll == ROLLED,
    "5-3 was rolled and played by the rules": lambda made: made.kind is Kind.LEGAL and made.roll == SHORT,
    "5-2 was rolled, and 6/3 is one point too far": lambda made: (
        accuses(made) and made.roll == Roll.from_dice(5, 2)
    ),
    "5-4 was played 13/8 6/2, and the board was knocked: a checker slipped from 2 to 3": lambda made: (
        made.after == LAWFUL and made.lies == SEEN and made.by is None
    ),
    "5-4 was played 13/8 6/2, and the points 2 and 3 are misread": lambda made: (
        made.kind is Kind.LEGAL and made.end == LAWFUL and made.pushed_from is None
    ),
}
"""The rows of the example, each with what tells its explanation from the others."""

SHARES: Final[Mapping[str, rates.Rate]] = {
    "a checker went one point too far or too short": rates.MISCOUNTED,
    "a checker went another wrong distance": rates.BREACHES[ReasonCode.WRONG_DISTANCE],
    "a whole other roll was played": rates.BREACHES[ReasonCode.DICE_MISMATCH],
    "a number was left that could be played": rates.BREACHES[ReasonCode.UNUSED_DIE],
    "only the smaller number was played, and only the larger one had to be": rates.BREACHES[
        ReasonCode.LARGER_DIE
    ],
    "nothing was moved, though something could be": rates.BREACHES[ReasonCode.NOTHING_MOVED],
    "a checker on the bar was forgotten": rates.BREACHES[ReasonCode.BAR_FIRST],
    "a checker landed on a point of the opponent's": rates.BREACHES[ReasonCode.BLOCKED_POINT],
    "a checker was borne off too early": rates.BREACHES[ReasonCode.BEAR_OFF_EARLY],
    "a checker was borne off by a number that does not allow it": rates.BREACHES[
        ReasonCode.BEAR_OFF_HIGHER_EXISTS
    ],
    "one checker too many was borne off": rates.BREACHES[ReasonCode.EXTRA_CHECKER_OFF],
    "a checker that was hit was not put on the bar": rates.BREACHES[ReasonCode.HIT_NOT_ON_BAR],
    "one checker more was moved than there are numbers": rates.BREACHES[ReasonCode.EXTRA_CHECKER_MOVED],
    "a checker went backwards": rates.BREACHES[ReasonCode.BACKWARDS],
    "a number was played with the opponent's checker": rates.BREACHES[ReasonCode.OPPONENT_MOVED],
    "a checker is missing": rates.BREACHES[ReasonCode.CHECKER_MISSING],
    "the roll was thrown again before anything was moved": rates.VOID,
    "the next roll came before the play was finished": rates.EARLY,
    "a checker that was hit was still in the hand at the end": rates.HIT_LATE,
    "the board was changed after the turn had ended": rates.LATE,
    "a legal play that had lain there is changed once more": rates.CHANGED_MIND,
    "an illegal play is half put back, and no hand is over the board": rates.HALF_PUT_RIGHT,
    "a whole turn went by whose dice nobody saw": rates.MISSED_TURN,
    "two dice that lay there in a single picture, six seconds before the roll, were those of such a turn": (
        rates.GLIMPSED_TURN
    ),
    "that turn, or the one after it, broke a rule": rates.BESIDE_UNSEEN,
    "what looked like a roll was none": rates.NO_ROLL,
    "a thing at a place is plainly read as a die, and is none": rates.Rate(NO_DIE),
    "the board was knocked, and one to three checkers slipped to the next point": rates.BUMPED,
    "the player's sleeve did that to a checker of the opponent's": rates.BRUSHED,
    "the side not on turn displaced a checker of its own": rates.PUSHED,
    "the side not on turn displaced a checker of the other's": rates.PUSHED_OWN,
    "the side not on turn played the roll as its own": rates.OUT_OF_TURN,
    "people said another play than was made": rates.WORD_WRONG,
    "a ruling lays the board out otherwise than it came to lie": rates.RULED_OTHERWISE,
    "anything else": rates.UNEXPLAINED,
}
"""The rows of the table of how often things happen."""


def rows(name: str) -> dict[str, list[str]]:
    """The cells of each row of a table of the page, by the first one."""
    table = re.search(rf"<!-- {name}: begin -->\n(.*?)<!-- {name}: end -->", PAGE, re.DOTALL)
    assert table is not None
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table[1].splitlines()[2:]]
    return {first: others for first, *others in lines}


def look_at(position: Position) -> Evidence:
    """What the pictures of a board say together."""
    one = evidence_of(sharp_reading(position, frozenset(), (0, 0), (), None))
    pooled = one
    for _ in range(PICTURES - 1):
        pooled = pooled.pooled(one)
    return pooled.weighed()


def throw_read_with(confidence: float) -> Throw:
    """Dice that the camera read as 5-4, both with this confidence, and that were lifted after the play."""
    dice = tuple(
        DieSeen(value, 100.0 * place, 100.0, confidence) for place, value in enumerate(ROLLED.dice, start=1)
    )
    sightings, _ = Sightings().with_dice((), 0.0)
    for t in range(1, PICTURES + 2):
        sightings, _ = sightings.with_dice(dice, float(t))
    return Throw(
        sightings.rolls(USUAL),
        {Side.DARK: 0.0},
        lay_s=5.0,
        stayed=False,
        reported=False,
        ended_by=EndedBy.LIFTED,
    )


LOOK: Final = TurnLook(look_at(SEEN), look_at(BEFORE), stood_s=1.0)


def judged(confidence: float) -> Verdict:
    """The judgement of the turn of the example, with dice that were read with this confidence."""
    throw = throw_read_with(confidence)
    return decide(extend(first_beam(BEFORE, Side.DARK), throw, LOOK, USUAL), throw, LOOK, USUAL)


def branch_of(verdict: Verdict, explanation: str) -> Branch:
    """The one branch of an explanation of the example."""
    (branch,) = (branch for branch in verdict.beam if EXPLANATIONS[explanation](branch.last))
    return branch


def guilt(verdict: Verdict) -> float:
    """How probable it is that a rule was broken."""
    return share_of(verdict.beam, weights(verdict.beam), -1, accuses)


def test_every_row_of_the_example_has_the_numbers_of_the_sum() -> None:
    verdict = judged(0.99)
    shares = dict(zip(map(id, verdict.beam), weights(verdict.beam), strict=True))
    found = {}
    for explanation in EXPLANATIONS:
        branch = branch_of(verdict, explanation)
        dice = verdict.throw.rolls[branch.last.roll]
        terms = (dice, branch.last.prior - dice, branch.fit, branch.score)
        found[explanation] = [*(f"{term + 0.0:.2f}" for term in terms), f"{shares[id(branch)]:.4f}"]
    assert found == rows("example")


def test_the_sum_of_a_row_is_its_three_parts_together() -> None:
    for explanation, cells in rows("example").items():
        *parts, total, _ = map(float, cells)
        assert sum(parts) == pytest.approx(total, abs=0.021), explanation


def test_the_legal_row_is_what_its_kind_alone_makes_of_the_case() -> None:
    case = TurnCase(first_beam(BEFORE, Side.DARK)[0], throw_read_with(0.99), LOOK, USUAL)
    (alone,) = (branch for branch in legal(case) if branch.last.roll == SHORT and branch.last.end == SEEN)
    assert f"{alone.score:.2f}" == rows("example")["5-3 was rolled and played by the rules"][3]


def test_the_certainty_of_the_dice_decides_as_the_page_says() -> None:
    found = {}
    for percent in ("97 %", "99 %", "99.9 %"):
        verdict = judged(float(percent.removesuffix(" %")) / 100)
        told = {Outcome.ILLEGAL: "tells", Outcome.UNSURE: "asks"}[verdict.outcome]
        found[percent] = [f"{guilt(verdict):.4f}", told]
    assert found == rows("example by dice")


def test_the_table_says_how_often_things_happen() -> None:
    told = {what: float(often) for what, (often, why) in rows("kinds").items() if why}
    assert told == pytest.approx({what: 10_000 * rate.share for what, rate in SHARES.items()})


def test_the_page_names_the_chances_of_being_wrong() -> None:
    costs = USUAL.costs
    for least, error in (("5 %", costs.wrong_record), ("10 %", costs.false_accusation)):
        assert f"{100 * costs.question / error:g} %" == least
        assert f"with a chance of at most {least}." in PAGE
        assert f"to be as bad as {error:g} questions" in PAGE


def test_the_page_names_what_each_strictness_costs_and_from_when_it_tells() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \| ([\d.]+) % \| ([\d.]+) % \|$", PAGE, re.MULTILINE)
    told = {word: tuple(map(float, numbers)) for word, *numbers in rows if word in set(Strictness)}
    assert told == {
        word: (
            costs.false_accusation,
            costs.wrong_record,
            pytest.approx(100 * (1 - costs.question / costs.false_accusation), abs=0.05),
            pytest.approx(100 * (1 - costs.question / costs.wrong_record), abs=0.05),
        )
        for word, costs in COSTS.items()
    }
