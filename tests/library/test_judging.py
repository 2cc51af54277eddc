"""Verdicts: legal or not, and why, in sentences."""

import pytest

import pointsman
from pointsman import Position, UserError, judge

ON_BAR = "b....E.C...eE...c.e....AA."


def test_a_legal_turn_is_true_and_tells_its_play() -> None:
    before = Position.start()
    verdict = judge(before, before.play("8/5 6/5", (3, 1)), (3, 1))
    assert verdict
    assert (verdict.play, verdict.reasons, verdict.nearest) == ("8/5 6/5", (), ())
    assert str(verdict) == "Legal: 8/5 6/5"


def test_a_reason_is_a_sentence_in_four_languages() -> None:
    verdict = judge(Position.from_compact(ON_BAR), "bB...D.B...eE...c.e....AA.", (6, 4))
    assert not verdict
    assert verdict.codes == {"bar_first"}
    sentences = {verdict.reasons[0].text(language) for language in ("en", "hu", "et", "sk")}
    assert len(sentences) == 4
    assert str(verdict.reasons[0]) in sentences
    assert verdict.reasons[0].arguments["side"] == "light"
    assert len(verdict.sentences("hu")) == len(verdict.sentences()) == 2


def test_the_nearest_results_are_positions_with_the_other_side_to_roll() -> None:
    before = Position.start(turn="dark")
    verdict = judge(before, before, (6, 5))
    assert verdict.nearest[0] in before.results((6, 5))


def test_a_profile_by_name_judges_instead_of_the_own_one() -> None:
    before = Position.start()
    after = before.play("8/6 24/23", (2, 1))
    assert judge(before, after, (2, 1), profile="standard")
    assert judge(before, after, (2, 1), "terebess-cap5").codes == {"stack_limit"}


def test_the_roll_may_belong_to_the_position() -> None:
    before = Position.start().with_roll("31")
    assert judge(before, before.play("8/5 6/5"))
    with pytest.raises(UserError, match="has no roll"):
        judge(Position.start(), Position.start())


def test_counted_trays_tell_a_checker_that_was_taken_off_from_one_that_is_missing() -> None:
    before = Position.of([2, 2] + [0] * 3 + [2] + [0] * 17 + [-2])
    after = before.compact().replace("B", "A", 1)[:5] + before.compact()[5:]
    assert judge(before, after, (2, 3), off=(10, 13)).codes != judge(before, after, (2, 3), off=(9, 13)).codes


def test_a_position_before_the_turn_that_is_none_is_told() -> None:
    with pytest.raises(UserError, match="must be a Position"):
        judge(ON_BAR, ON_BAR, (3, 1))  # type: ignore[arg-type]


def test_another_language_than_there_is_is_refused_in_a_sentence() -> None:
    verdict = judge(Position.start(), Position.start(), (3, 1))
    with pytest.raises(UserError):
        verdict.sentences("xx")


def test_a_board_with_a_checker_too_many_is_told_as_such() -> None:
    verdict = judge(Position.start(), "b...AD.C...eE...c.e....C..", (1, 2))
    assert "checker_extra" in verdict.codes
    assert isinstance(verdict, pointsman.Verdict)
