"""What the profile says about the table: end of turn, illegal plays, the device."""

import pytest

from controller.rules.profile.conduct import Conduct, EndOfTurn, Party, Remedy
from controller.rules.profile.profile import STANDARD
from tests.rows import each_row
from tests.rules.changed_profile import changed


def conduct(**keys: str) -> Conduct:
    return changed({key.replace("__", "."): value for key, value in keys.items()}).conduct


def test_a_clock_ends_the_turn_where_one_is_used() -> None:
    assert STANDARD.conduct.turn_ends_by(clock_in_use=True) is EndOfTurn.CLOCK
    assert STANDARD.conduct.turn_ends_by(clock_in_use=False) is EndOfTurn.DICE_LIFTED


def test_lifting_the_dice_may_end_the_turn_even_beside_a_clock() -> None:
    rules = conduct(end_of_turn="dice_lifted")
    assert rules.turn_ends_by(clock_in_use=True) is EndOfTurn.DICE_LIFTED


def test_legal_moves_have_to_be_restored() -> None:
    assert STANDARD.conduct.remedies() == {Remedy.CORRECT}


@pytest.mark.parametrize("policy", ["responsible", "condone_option"])
def test_the_opponent_may_let_an_illegal_play_stand_where_the_event_says_so(policy: str) -> None:
    rules = conduct(illegal__policy=policy)
    assert rules.remedies() == {Remedy.CORRECT, Remedy.LET_STAND}


@each_row(
    ("role", "policy", "consent", "told"),
    [
        ("teacher", "responsible", False, set(Party)),
        ("monitor", "legal_moves", False, set(Party)),
        ("monitor", "responsible", False, {Party.DIRECTOR}),
        ("monitor", "condone_option", False, {Party.DIRECTOR}),
        ("monitor", "condone_option", True, set(Party)),
        ("silent_recorder", "legal_moves", True, {Party.DIRECTOR}),
    ],
)
def test_the_device_speaks_only_as_far_as_its_role_and_the_policy_let_it(
    role: str, policy: str, consent: bool, told: set[Party]
) -> None:
    assert conduct(device__role=role, illegal__policy=policy).may_tell(consent=consent) == told


def test_the_lights_show_landing_points_only_for_teaching() -> None:
    assert not STANDARD.conduct.shows_landing_points()
    assert conduct(assist__leds="teach").shows_landing_points()
