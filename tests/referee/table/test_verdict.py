"""How much must be seen before a turn is called legal, illegal or disturbed."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from controller.referee.belief.tracks import RollEvidence, TurnEvidence, first_tracks
from controller.referee.table.verdict import Outcome, Verdict, weigh

from controller.referee.belief.steps import shift_checker
from controller.referee.caution import Caution
from controller.referee.seeing.evidence import Evidence, evidence_of
from controller.rules.position import START, Position, Roll, Side
from controller.rules.reasons import ReasonCode
from tests.referee.staging import Film
from tests.referee.table.test_turns import GOOD, WRONG, after

CAUTION = Caution()
BESIDE = after((8, 5), (24, 23))
"""Another legal play of 3-1."""
LONE = Position.from_compact("Accc..cc...........A......")
"""Of light's two checkers only the one on 20 can be moved, with 6 and with 1."""
LONE_WITH_SIX = shift_checker(LONE, Side.LIGHT, 20, 14)
PUSHED = after((13, 11), side=Side.DARK)
"""One of dark's checkers, from light's point 12 to 14."""

Opinion = Mapping[int, float]


def torn(position: Position, other: Position, odds: float) -> dict[int, Opinion]:
    """Opinions that tell one position from the other by no more than these odds on each point that differs."""
    pairs = enumerate(zip(position.points, other.points, strict=True), start=1)
    return {point: {one: 0.0, two: -odds} for point, (one, two) in pairs if one != two}


def pictures(
    position: Position,
    number: int,
    opinions: Mapping[int, Opinion] | None = None,
    hidden: frozenset[int] = frozenset(),
) -> Evidence:
    """What so many pictures say together; ``opinions`` are those about single points instead of the usual ones."""
    film, found = Film(Random(1)), list[Evidence]()
    for _ in range(number):
        reading = film.read(position, hidden=hidden)
        told = dict(enumerate(reading.likelihoods, start=1)) | dict(opinions or {})
        found.append(evidence_of(replace(reading, likelihoods=tuple(told.values())), CAUTION))
    pooled, *others = found
    for other in others:
        pooled = pooled.pooled(other)
    return pooled.weighed()


def judged(before: Position, roll: Roll, look: TurnEvidence, caution: Caution = CAUTION) -> Verdict:
    """The judgement of light's turn; its dice were reported."""
    throw = RollEvidence({roll: 0.0}, {Side.LIGHT: 0.0}, 3.0)
    return weigh(first_tracks(before, Side.LIGHT), throw, look, caution, calm=True)


def played(end: Evidence, caution: Caution = CAUTION) -> Verdict:
    """The judgement of a 3-1 from the start."""
    return judged(START, Roll(3, 1), TurnEvidence(end, pictures(START, 2)), caution)


def lead(verdict: Verdict) -> float:
    """By how much the best explanation leads the next one."""
    return verdict.tracks[0].score - verdict.tracks[1].score


def test_a_play_that_one_picture_shows_clearly_counts() -> None:
    assert played(pictures(GOOD, 1)).outcome is Outcome.LEGAL


@pytest.mark.parametrize(("odds", "least", "most"), [(1.0, 2.0, 4.0), (2.0, 4.0, 8.0)])
def test_a_play_that_one_picture_shows_with_less_than_twice_the_usual_lead_waits_for_more(
    odds: float, least: float, most: float
) -> None:
    once = played(pictures(GOOD, 1, torn(GOOD, BESIDE, odds)))
    assert least < lead(once) < most
    assert once.best.after == GOOD
    assert once.outcome is Outcome.UNSURE
    assert played(pictures(GOOD, 2, torn(GOOD, BESIDE, odds))).outcome is Outcome.LEGAL


def test_an_illegal_play_is_not_called_illegal_by_a_single_picture() -> None:
    once, twice = played(pictures(WRONG, 1)), played(pictures(WRONG, 2))
    assert once.best.after == twice.best.after == WRONG
    assert once.outcome is Outcome.UNSURE
    assert twice.outcome is Outcome.ILLEGAL


def test_a_single_picture_needs_twice_the_lead_to_accuse_even_where_one_may_suffice() -> None:
    once = played(pictures(WRONG, 1), Caution(readings=1))
    assert once.best.after == WRONG
    assert CAUTION.lead < lead(once) < 2 * CAUTION.lead
    assert once.outcome is Outcome.UNSURE
    assert played(pictures(WRONG, 1), Caution(readings=1, seen_once=1.0)).outcome is Outcome.ILLEGAL


def test_one_place_alone_accuses_nobody_however_clearly_it_speaks() -> None:
    start = pictures(LONE, 2)
    hidden = judged(LONE, Roll(6, 1), TurnEvidence(pictures(LONE_WITH_SIX, 3, hidden=frozenset({13})), start))
    assert hidden.best.after == LONE_WITH_SIX
    assert lead(hidden) >= CAUTION.lead
    assert hidden.outcome is Outcome.UNSURE
    shown = judged(LONE, Roll(6, 1), TurnEvidence(pictures(LONE_WITH_SIX, 3), start))
    assert shown.outcome is Outcome.ILLEGAL
    assert [reason.code for reason in shown.entry.reasons] == [ReasonCode.UNUSED_DIE]


def test_checkers_that_hardly_look_pushed_are_asked_about_and_not_told_to_be() -> None:
    opinions = torn(PUSHED, START, 1.5)
    start, pause = pictures(START, 2), pictures(PUSHED, 2, opinions)
    end = pictures(after((8, 5), (6, 5), of=PUSHED), 2, opinions)
    verdict = judged(START, Roll(3, 1), TurnEvidence(end, start, before=(start, pause), between=(pause,)))
    assert any(track.history[-1].pushed == (12, 14) for track in verdict.tracks)
    assert verdict.outcome is Outcome.UNSURE
    assert verdict.points == (12, 14)
