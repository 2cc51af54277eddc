"""What a finished game is worth, by the letter of each rule text."""

import pytest

from controller.messages.game_words import result_words
from controller.rules.game.cube import Cube
from controller.rules.game.scoring import (
    Ending,
    GameValue,
    Level,
    Loss,
    Result,
    game_value,
    loss,
    most_points,
)
from controller.rules.position import Position, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import STANDARD
from tests.rows import each_row
from tests.rules.changed_profile import changed

LIGHT, DARK = Side.LIGHT, Side.DARK
SINGLE, GAMMON, BACKGAMMON = Level


def lost(points: dict[int, int], bar: int = 0) -> Position:
    """A position in which dark has won and light has these checkers left."""
    board = [0] * 24
    for point, count in points.items():
        board[point - 1] = count
    return Position.from_counts(board, bar_light=bar)


def words(value: GameValue) -> str:
    """How the points of a game that was played out come about."""
    return result_words(Result(LIGHT, value.points, Ending.PLAYED, value))


ALL_HOME_ONE_OFF = lost({6: 7, 1: 7})
ALL_HOME_NONE_OFF = lost({6: 8, 1: 7})
OUTSIDE_NONE_OFF = lost({7: 1, 1: 14})
OUTSIDE_ONE_OFF = lost({7: 1, 1: 13})
IN_WINNER_HOME = lost({19: 1, 1: 14})
IN_WINNER_HOME_ONE_OFF = lost({24: 1, 1: 13})
ON_BAR = lost({1: 14}, bar=1)


@each_row(
    ("position", "level"),
    [
        (ALL_HOME_ONE_OFF, SINGLE),
        (OUTSIDE_ONE_OFF, SINGLE),
        (IN_WINNER_HOME_ONE_OFF, SINGLE),
        (ALL_HOME_NONE_OFF, GAMMON),
        (OUTSIDE_NONE_OFF, GAMMON),
        (lost({18: 1, 1: 14}), GAMMON),
        (IN_WINNER_HOME, BACKGAMMON),
        (ON_BAR, BACKGAMMON),
    ],
)
def test_the_standard_counts_one_two_or_three(position: Position, level: Level) -> None:
    assert loss(position, LIGHT) == Loss(level)
    assert loss(position.mirrored(), DARK) == Loss(level)


@each_row(
    ("position", "level"),
    [
        (ALL_HOME_ONE_OFF, SINGLE),
        (ALL_HOME_NONE_OFF, GAMMON),
        (OUTSIDE_NONE_OFF, BACKGAMMON),
        (IN_WINNER_HOME, BACKGAMMON),
        (ON_BAR, BACKGAMMON),
    ],
)
def test_the_slovak_box_pays_triple_unless_the_loser_is_all_home(position: Position, level: Level) -> None:
    rules = load_profile("sk-box").score
    assert loss(position, LIGHT, rules) == Loss(level)
    assert loss(position.mirrored(), DARK, rules) == Loss(level)


def test_a_loser_sent_back_after_bearing_off_pays_triple_by_the_letter_of_the_slovak_box() -> None:
    assert loss(OUTSIDE_ONE_OFF, LIGHT, load_profile("sk-box").score) == Loss(BACKGAMMON, after_bearoff=True)


def test_a_club_may_let_a_loser_sent_back_after_bearing_off_pay_single() -> None:
    rules = changed({"score.not_all_home_after_bearoff": "single"}, load_profile("sk-box")).score
    assert loss(OUTSIDE_ONE_OFF, LIGHT, rules) == Loss(SINGLE, after_bearoff=True)
    assert loss(OUTSIDE_NONE_OFF, LIGHT, rules) == Loss(BACKGAMMON)


def test_a_gammon_may_need_the_loser_all_home() -> None:
    rules = changed({"score.gammon": "all_home_none_off"}).score
    assert loss(OUTSIDE_NONE_OFF, LIGHT, rules) == Loss(SINGLE)
    assert loss(ALL_HOME_NONE_OFF, LIGHT, rules) == Loss(GAMMON)
    assert loss(IN_WINNER_HOME, LIGHT, rules) == Loss(BACKGAMMON)


def test_without_the_bar_only_the_winners_home_makes_a_backgammon() -> None:
    rules = changed({"score.backgammon": "none_off_and_in_winner_home"}).score
    assert loss(ON_BAR, LIGHT, rules) == Loss(GAMMON)
    assert loss(IN_WINNER_HOME, LIGHT, rules) == Loss(BACKGAMMON)


def test_there_may_be_no_triple_game_at_all() -> None:
    rules = changed({"score.backgammon": "never"}).score
    assert loss(ON_BAR, LIGHT, rules) == loss(IN_WINNER_HOME, LIGHT, rules) == Loss(GAMMON)


def test_at_hunbg_only_a_checker_that_was_hit_makes_a_backgammon() -> None:
    rules = load_profile("hunbg-club").score
    assert loss(IN_WINNER_HOME, LIGHT, rules, hit_checker_left=False) == Loss(GAMMON)
    assert loss(IN_WINNER_HOME, LIGHT, rules, hit_checker_left=True) == Loss(BACKGAMMON)
    assert loss(ON_BAR, LIGHT, rules, hit_checker_left=False) == Loss(BACKGAMMON)


def test_what_the_log_cannot_tell_is_assumed_and_said_so() -> None:
    rules = load_profile("hunbg-club").score
    assert loss(IN_WINNER_HOME, LIGHT, rules, None) == Loss(BACKGAMMON, assumed=True)
    assert loss(IN_WINNER_HOME, LIGHT, STANDARD.score, hit_checker_left=False) == Loss(BACKGAMMON)


@each_row(
    ("profile", "level", "cube", "working"),
    [
        ("standard-match", GAMMON, Cube(4, LIGHT, doubled=True), "gammon 2 × cube 4 = 8"),
        ("standard-match", SINGLE, Cube(), "single 1 × cube 1 = 1"),
        ("hubgf-match", BACKGAMMON, Cube(2, DARK, doubled=True), "backgammon 3 × cube 2 = 6"),
        ("sk-box", BACKGAMMON, Cube(2, DARK, doubled=True), "backgammon 3 × cube 2 = 6"),
        ("hunbg-club", SINGLE, Cube(2, DARK, doubled=True), "single 1 + cube 2 = 3"),
        ("hunbg-club", GAMMON, Cube(4, DARK, doubled=True), "gammon 2 + cube 4 = 6"),
        ("hunbg-club", BACKGAMMON, Cube(64, DARK, doubled=True), "backgammon 3 + cube 64 = 67"),
        ("hunbg-club", BACKGAMMON, Cube(), "backgammon 3 + cube 0 = 3"),
        ("terebess", BACKGAMMON, Cube(), "backgammon 3 × cube 1 = 3"),
    ],
)
def test_the_value_of_a_game_shows_its_working(profile: str, level: Level, cube: Cube, working: str) -> None:
    value = game_value(level, cube, load_profile(profile))
    assert words(value) == working
    assert value.points == int(working.split("= ")[1])


def test_an_unturned_cube_may_count_as_one_where_it_is_added() -> None:
    profile = changed({"score.combine": "add", "cube.unturned_adds": 1})
    assert game_value(GAMMON, Cube(), profile).points == 3
    assert game_value(GAMMON, Cube(2, LIGHT, doubled=True), profile).points == 4


def test_jacoby_counts_gammons_only_after_a_double() -> None:
    money = load_profile("standard-money")
    value = game_value(GAMMON, Cube(), money)
    assert (value.points, value.level, value.played, value.jacoby) == (1, SINGLE, GAMMON, True)
    assert words(value) == "single 1 × cube 1 = 1 (Jacoby: gammon not counted)"
    assert game_value(GAMMON, Cube(2, LIGHT, doubled=True), money).points == 4
    assert game_value(SINGLE, Cube(), money).jacoby is False


def test_an_automatic_double_does_not_satisfy_jacoby() -> None:
    money = load_profile("hubgf-money")
    tied = Cube(2, automatic=1)
    assert game_value(GAMMON, tied, money).points == 2
    assert game_value(GAMMON, tied, changed({"cube.jacoby_satisfied_by": "any_double"}, money)).points == 4


def test_without_a_cube_jacoby_does_not_apply() -> None:
    profile = changed({"cube.jacoby": True, "cube.enabled": False})
    assert game_value(GAMMON, Cube(), profile).points == 2


@pytest.mark.parametrize(
    ("profile", "most"),
    [("hunbg-club", 67), ("terebess", 3), ("standard-match", None)],
)
def test_the_most_a_game_can_be_worth(profile: str, most: int | None) -> None:
    assert most_points(Cube(), load_profile(profile)) == most


def test_the_most_a_game_can_be_worth_follows_the_highest_cube() -> None:
    assert most_points(Cube(), changed({"cube.max": 8})) == 24
