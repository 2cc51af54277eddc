"""The strongest level of a partner against the weakest, in as many games as tell them apart."""

from tests.bench.bench_levels import share_won

GAMES = 60


def test_the_strongest_level_wins_nineteen_of_twenty_games_against_the_weakest() -> None:
    assert share_won(7, 1, GAMES) >= 0.95
