"""Evenings of the games of the family on the simulated table, looked at without pictures."""

from pathlib import Path

import pytest

from controller.demo.show import Plan
from controller.rules.profile.catalogue import load_profile
from tests.demo.test_evening import after, play


@pytest.mark.parametrize("name", ["plakoto", "fevga"])
def test_a_game_of_the_family_is_followed_and_its_cheats_are_named(name: str, tmp_path: Path) -> None:
    plan = Plan(1, 5, load_profile(name), 3, 12.0, firmware=False)
    evening, _ = play(tmp_path, plan, until=after(16))
    right, turns = evening.ledger.count_concluded()
    assert turns >= 16
    assert right >= turns - 2
    assert evening.ledger.list_accused() == []
    noticed = evening.ledger.list_noticed()
    assert noticed
    assert all(named for _, named in noticed)


def test_hypergammon_is_played_to_its_end_with_three_checkers_a_side(tmp_path: Path) -> None:
    evening, _ = play(tmp_path, Plan(1, 5, load_profile("hypergammon"), 3, firmware=False))
    right, turns = evening.ledger.count_concluded()
    assert evening.played == 1
    assert right >= turns - 1 > 0
    assert evening.ledger.list_accused() == []
