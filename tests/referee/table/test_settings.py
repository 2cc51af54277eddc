"""What can be agreed for a table."""

from dataclasses import replace

import pytest

from controller.referee.table.settings import End, Settings, SettingsError
from controller.rules.profile.conduct import EndOfTurn
from controller.rules.profile.profile import STANDARD, OpeningRules, RollUses
from tests.referee.table.evening import match_terms


@pytest.mark.parametrize("wrong", [{"hint": 5}, {"hint": -1}, {"rest_s": 0.1}, {"rest_s": 1e9}])
def test_numbers_out_of_their_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(SettingsError, match="give"):
        Settings(match_terms(STANDARD), **wrong)  # type: ignore[arg-type]


def test_rules_that_cannot_be_watched_are_refused() -> None:
    own = replace(STANDARD, opening=OpeningRules(roll_uses=RollUses.OWN_DIE))
    with pytest.raises(SettingsError, match="own die"):
        Settings(match_terms(own))


def test_rules_name_the_act_that_ends_a_turn_and_the_table_may_add_others() -> None:
    settings = Settings(match_terms(STANDARD), ends=frozenset({End.REST}))
    always = {End.REST, End.NEXT_ROLL, End.BUTTON}
    assert settings.ending(EndOfTurn.CLOCK) == always | {End.CLOCK}
    assert settings.ending(EndOfTurn.DICE_LIFTED) == always | {End.DICE_LIFTED}
