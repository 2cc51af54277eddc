"""Every broken rule in every language, on the examples of the page of reasons."""

import re

import pytest

from controller.messages.catalogue import LANGUAGES, catalogue
from controller.messages.reason_words import reason_words
from controller.rules.explain import explain
from controller.rules.judging.judge import judge
from controller.rules.judging.trays import Trays
from controller.rules.reasons import Reason, ReasonCode
from tests.rules.test_reasons_page import EXAMPLES, Example


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.code)
def test_each_sentence_tells_the_same_numbers_as_the_judges(example: Example, language: str) -> None:
    trays = example.trays
    for side, before, after, counted in (
        (example.side, example.before, example.after, trays),
        (
            example.side.opponent,
            example.before.mirrored(),
            example.after.mirrored(),
            Trays(light=trays.dark, dark=trays.light),
        ),
    ):
        for reason in judge(before, side, example.roll, after, example.rules, counted).reasons:
            words = reason_words(reason, language)
            told = set(re.findall(r"\d+", explain(reason))) - {"1"}
            assert told <= set(re.findall(r"\d+", words)), words
            assert "{" not in words


def test_every_code_has_a_sentence() -> None:
    assert catalogue("en").names("reason") == {*ReasonCode, "dice_unmatched", "hit_found"}
    assert catalogue("en").names("place") == {"point", "bar", "off"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_checkers_borne_off_beside_the_roll_are_counted_in_the_notation(language: str) -> None:
    told = {"side": "dark", "source": 22, "target": "off", "dice": [6, 5], "count": 2}
    assert "3/off(2)" in reason_words(Reason(ReasonCode.EXTRA_CHECKER_OFF, told), language)
    assert "3/off(2)" in explain(Reason(ReasonCode.EXTRA_CHECKER_OFF, told))


def test_a_hit_checker_in_the_tray_is_told_to_be_there() -> None:
    reason = Reason(ReasonCode.HIT_NOT_ON_BAR, {"side": "light", "point": 5, "found": "off"})
    assert explain(reason).endswith("must go to the bar; it is in the tray.")
    assert reason_words(reason).endswith("must go to the bar; it is now here: the tray.")
