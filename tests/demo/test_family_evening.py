"""Evenings of the games of the family on the simulated table, looked at without pictures."""

from pathlib import Path

import pytest

from controller.demo.ledger import GAMES, Truth
from controller.demo.show import Plan
from controller.referee.actions import Action, GameEnded, GameOpened
from controller.rules.game.game import start_position
from controller.rules.position import Side
from controller.rules.profile.catalogue import load_profile
from tests.amounts import amount
from tests.demo.test_evening import after, play


@pytest.mark.parametrize("name", ["plakoto", "fevga"])
def test_a_game_of_the_family_is_followed_and_its_cheats_are_named(name: str, tmp_path: Path) -> None:
    plan, enough = Plan(1, 5, load_profile(name), 3, 12.0, firmware=False), amount(8, 16)
    evening, _ = play(tmp_path, plan, until=after(enough))
    right, turns = evening.ledger.count_concluded()
    assert turns >= enough
    assert right >= turns - amount(1, 2)
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


def test_a_series_goes_on_with_the_next_game_and_its_score(tmp_path: Path) -> None:
    games = tuple(load_profile(name) for name in ("hypergammon", "plakoto"))
    told: list[Action] = []
    plan = Plan(9, 9, games[0], 12, firmware=False, others=games[1:])  # a short first game, a gammon
    evening, _ = play(
        tmp_path,
        plan,
        told.append,
        until=lambda evening, _: sum(is_second(one) for one in evening.ledger.truths) >= amount(3, 6),
    )
    first, second = [action for action in told if isinstance(action, GameOpened)]
    (ended,) = [action for action in told if isinstance(action, GameEnded)]
    assert (first.score.light, first.score.dark) == (0, 0)
    assert second.start == start_position(games[1].opening.layout, games[1].movement.direction)
    won = ended.result.points
    assert (second.score.light, second.score.dark) == (
        (won, 0) if ended.result.winner is Side.LIGHT else (0, won)
    )
    right, turns = evening.ledger.count_concluded()
    assert right >= turns - 1
    assert evening.ledger.list_accused() == []


def is_second(truth: Truth) -> bool:
    """Whether a turn belongs to the second game of its match."""
    return truth.game % GAMES == 2
