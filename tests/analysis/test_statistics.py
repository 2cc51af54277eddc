"""Figures over many matches."""

import random
from dataclasses import replace

import pytest
from scipy.stats import chisquare

from controller.analysis.statistics import dice_of, players_of, rolls_of
from controller.record.match.match import GameRecord, MatchRecord, RecordedResult, Turn
from controller.rules.position import START, Roll, Side
from tests.record.matches import random_match, terms_of


def turn(ply: int, side: Side, roll: Roll, t: float | None = None, *, legal: bool = True) -> Turn:
    return Turn(ply, side, roll, (), "", legal, (), not legal, START, START, None, t)


def rolled(rolls: list[Roll]) -> list[Turn]:
    return [turn(ply, Side.LIGHT, roll) for ply, roll in enumerate(rolls)]


def test_the_chance_of_the_dice_is_that_of_the_chi_squared_test() -> None:
    rng = random.Random(5)
    for _ in range(5):
        found = dice_of(rolled([Roll.of(rng.randint(1, 6), rng.randint(1, 6)) for _ in range(200)]))
        assert sum(found.counts) == 400
        assert found.chance == pytest.approx(chisquare(found.counts).pvalue)
        due = [200 / 6, 200 * 5 / 6]
        assert found.doubles_chance == pytest.approx(
            chisquare([found.doubles, 200 - found.doubles], due).pvalue
        )


def test_loaded_dice_are_found_and_fair_ones_are_not_accused() -> None:
    rng = random.Random(6)
    loaded = [
        Roll.of(rng.choice((1, 2, 3, 4, 5, 6, 6)), rng.choice((1, 2, 3, 4, 5, 6, 6))) for _ in range(800)
    ]
    chance = dice_of(rolled(loaded)).chance
    assert chance is not None
    assert chance < 0.001
    fair = [
        dice_of(rolled([Roll.of(rng.randint(1, 6), rng.randint(1, 6)) for _ in range(300)])).chance or 0.0
        for _ in range(200)
    ]
    assert sum(each < 0.05 for each in fair) < 25


def test_with_few_rolls_nothing_is_said() -> None:
    found = dice_of(rolled([Roll.of(6, 6)] * 29))
    assert (found.counts, found.doubles, found.chance) == ((0, 0, 0, 0, 0, 58), 29, None)
    assert dice_of([]).rolls == 0


def test_opening_rolls_are_left_out_because_they_are_never_doubles() -> None:
    match = random_match(3, games=2, length=9)
    assert len(list(rolls_of([match]))) == sum(len(list(game.played)) for game in match.games) - len(
        match.games
    )


def test_players_are_known_by_name_on_whichever_side_they_sat() -> None:
    won = GameRecord((turn(0, Side.LIGHT, Roll.of(3, 1), 10.0), turn(1, Side.DARK, Roll.of(6, 5), 14.0)))
    first = MatchRecord("Anna", "Béla", terms_of(3), (replace(won, result=RecordedResult(Side.LIGHT, 4)),))
    slow = (
        turn(0, Side.LIGHT, Roll.of(2, 1), 5.0),
        turn(1, Side.DARK, Roll.of(2, 2), 25.0, legal=False),
        turn(2, Side.LIGHT, Roll.of(2, 1), 26.0),
        turn(3, Side.DARK, Roll.of(4, 2)),
    )
    second = MatchRecord(
        "Béla", "Anna", terms_of(5), (GameRecord(slow, result=RecordedResult(Side.DARK, 2)),)
    )
    anna, bela = players_of([first, second])
    assert (anna.name, anna.matches, anna.won, anna.games, anna.games_won, anna.points) == (
        "Anna",
        1,
        1,
        2,
        2,
        6,
    )
    assert (bela.name, bela.matches, bela.won, bela.games, bela.games_won, bela.points) == (
        "Béla",
        1,
        0,
        2,
        0,
        0,
    )
    assert (anna.illegal, anna.turns, bela.illegal) == (1, 3, 0)
    assert (anna.mean_s, bela.median_s) == (20.0, 2.5)


def test_nameless_players_and_broken_off_games_have_no_results() -> None:
    match = MatchRecord("", "Zoë", terms_of(3), (GameRecord((turn(0, Side.DARK, Roll.of(2, 1)),)),))
    (zoe,) = players_of([match])
    assert (zoe.matches, zoe.games, zoe.points, zoe.mean_s) == (0, 0, 0, None)
