"""Every format with up to 130 players, from the first entry to the last result, with everything that can go wrong."""

import random

import pytest

from controller.tournament.catalogue import format_names
from tests.tournament import test_every_format as every_format

PROPERTIES = (
    every_format.test_everybody_plays,
    every_format.test_who_loses_lands_once,
    every_format.test_any_evening_comes_to_an_end_and_is_the_same_after_reading_its_file,
)


@pytest.mark.parametrize("players", [*range(25, 131, 15), 64, 127, 128, 129])
@pytest.mark.parametrize("chosen", format_names())
def test_large_events_are_as_good_as_small_ones(chosen: str, players: int) -> None:
    for number, check in enumerate(PROPERTIES):
        check.hypothesis.inner_test(chosen, players, random.Random(1000 * players + number))  # type: ignore[attr-defined]


@pytest.mark.parametrize("players", [*range(25, 131, 15), 127, 128])
@pytest.mark.parametrize("chosen", ["swiss", "moreswiss", "three-lives"])
def test_large_rounds_are_fair(chosen: str, players: int) -> None:
    for check in (
        every_format.test_a_round_has_a_bye_only_for_an_odd_number_and_no_second_one_before_all_had_one,
        every_format.test_nobody_meets_again_while_half_of_the_others_are_new,
    ):
        check.hypothesis.inner_test(chosen, players, random.Random(players))  # type: ignore[attr-defined]
