"""Examples that published texts of the games give, as they tell them; the numbers are each side's own."""

import pytest

from controller.rules.game.events import DoubleNamed, Played, Rolled
from controller.rules.game.game import Game, GamePhase, advance_game, new_game
from controller.rules.game.hit_log import HitLog
from controller.rules.moves.plays import legal_plays, resolve
from controller.rules.notation import NotationError, format_play, parse_play
from controller.rules.position import Position, Roll, Side
from controller.rules.profile.catalogue import load_profile

LIGHT, DARK = Side.LIGHT, Side.DARK


def board(light: dict[int, int], dark: dict[int, int], pinned: tuple[int, ...] = ()) -> Position:
    """Checkers on points from light's side; the rest is off."""
    points = [light.get(point, 0) - dark.get(point, 0) for point in range(1, 25)]
    return Position.from_counts(points).with_hidden(pinned)


def plays_of(name: str, position: Position, roll: Roll, side: Side = LIGHT) -> set[str]:
    """Every legal play in words; those that come to the same position stand once."""
    return {format_play(each.play) for each in legal_plays(position, side, roll, load_profile(name).movement)}


def result_of(name: str, position: Position, roll: Roll, play: str) -> Position | None:
    """Where a play in words leads to, or None if it is not legal."""
    rules = load_profile(name).movement
    try:
        after = resolve(position, LIGHT, roll, parse_play(play), rules).after
    except NotationError:
        return None
    return after if after in {each.after for each in legal_plays(position, LIGHT, roll, rules)} else None


def test_fevga_a_first_six_six_brings_the_first_checker_six_points_on_and_no_further() -> None:
    """reg.dorogaved.ru/narde: blocked by the opponent's pile, and no other checker may move."""
    start = new_game(load_profile("fevga")).position
    assert plays_of("fevga", start, Roll(6, 6)) == {"24/18"}


@pytest.mark.parametrize(
    ("roll", "leave"), [(Roll(6, 6), 2), (Roll(4, 4), 2), (Roll(3, 3), 2), (Roll(5, 5), 1)]
)
def test_narde_two_checkers_leave_the_head_with_the_first_rolls_that_one_cannot_play(
    roll: Roll, leave: int
) -> None:
    """vogclub.com: the first roll is 6-6, 4-4 or 3-3."""
    rules = load_profile("narde").movement
    start = new_game(load_profile("narde")).position
    left = {15 - each.after.checkers(LIGHT, 24) for each in legal_plays(start, LIGHT, roll, rules)}
    assert max(left) == leave


@pytest.mark.parametrize(
    ("dark", "allowed"), [({12: 15}, False), ({12: 14, 24: 1}, False), ({12: 14, 15: 1}, True)]
)
def test_narde_six_in_a_row_need_a_checker_of_the_opponent_ahead(dark: dict[int, int], allowed: bool) -> None:
    """geonardi.com, vogclub.com: dark walks from light's 12-point to its 1-point, then from 24 to 13."""
    light = {23: 10, 22: 1, 21: 1, 20: 1, 19: 2}
    after = result_of("narde", board(light, dark), Roll(5, 2), "23/18 19/17")
    assert (after is not None) is allowed


def test_jacquet_four_and_five_move_one_checker_nine_or_two_checkers_four_and_five() -> None:
    """loisirs.savoir.fr: one checker may not go six and the other three. The courier has arrived."""
    free = board({24: 14, 3: 1}, {12: 14, 14: 1})
    assert result_of("jacquet", free, Roll(5, 4), "24/15") is not None
    assert result_of("jacquet", free, Roll(5, 4), "24/20 24/19") is not None
    assert result_of("jacquet", free, Roll(5, 4), "24/18 24/21") is None


@pytest.mark.parametrize(("name", "blocked"), [("plakoto", {18: 2, 20: 2}), ("gul-bara", {18: 1, 20: 1})])
def test_six_and_four_with_one_checker_need_an_open_point_between(name: str, blocked: dict[int, int]) -> None:
    """en.wikipedia.org (Plakoto, Gul bara): ten points with one checker, if one of the points between is open."""
    start = new_game(load_profile(name)).position
    rest = {1: 15} if name == "plakoto" else {12: 15}
    both = rest | {next(iter(rest)): 15 - sum(blocked.values())} | blocked
    one = rest | {next(iter(rest)): 15 - blocked[20]} | {20: blocked[20]}
    assert result_of(name, start, Roll(6, 4), "24/18 24/20") is not None
    assert result_of(name, start, Roll(6, 4), "24/14") is not None
    assert result_of(name, board({24: 15}, one), Roll(6, 4), "24/18/14") is not None
    assert result_of(name, board({24: 15}, both), Roll(6, 4), "24/14") is None


def test_plakoto_a_pinned_checker_blocks_its_own_side() -> None:
    """mahbuse.com, msoworld.com: one checker on a pinned one is as good as two."""
    pinning = board({24: 14}, {22: 1, 1: 14}, (22,))
    assert result_of("plakoto", pinning, Roll(2, 1), "24/22 24/23") is None
    single = board({24: 15}, {22: 1, 1: 14})
    after = result_of("plakoto", single, Roll(2, 1), "24/22 24/23")
    assert after is not None
    assert after.pinned == (22,)


def test_tavla_hit_and_run_is_barred_at_home_and_nowhere_else() -> None:
    """backgammon-game.eu: nobody hits in the own home board and moves on."""
    at_home = board({6: 1, 24: 2, 1: 12}, {4: 1, 19: 14})
    outside = board({13: 1, 24: 2, 1: 12}, {11: 1, 19: 14})
    assert result_of("tavla", at_home, Roll(2, 1), "6/4*/3") is None
    assert result_of("portes", at_home, Roll(2, 1), "6/4*/3") is not None
    assert result_of("tavla", outside, Roll(2, 1), "13/11*/10") is not None


def test_acey_deucey_six_three_enters_on_the_opponents_six_point_and_three_point() -> None:
    """The text of the American game at thezombieforum.com, from Backgammon Galore."""
    start = new_game(load_profile("acey-deucey")).position
    after = result_of("acey-deucey", start, Roll(6, 3), "bar/19 bar/22")
    assert after is not None
    assert (after.checkers(LIGHT, 19), after.checkers(LIGHT, 22), after.hand(LIGHT)) == (1, 1, 13)


def played(game: Game, play: str) -> Game:
    """The game after a play in words."""
    assert game.turn is not None
    after = resolve(
        game.position, game.turn, Roll.from_dice(*game.dice), parse_play(play), game.profile.movement
    ).after
    return advance_game(game, Played(game.turn, after, None))


def test_gul_bara_after_a_double_three_come_fours_fives_and_sixes() -> None:
    """eightygames.wordpress.com: after the first three turns of each side."""
    game = Game(
        load_profile("gul-bara"),
        board({24: 15}, {13: 15}),
        HitLog(None, None),
        turn=LIGHT,
        dice=(3, 3),
        turns=6,
    )
    for play, following in [("24/21(4)", (4, 4)), ("24/20(4)", (5, 5)), ("24/19(4)", (6, 6))]:
        game = played(game, play)
        assert (game.turn, game.dice) == (LIGHT, following)
    assert played(game, "24/18(3) 20/14").turn is DARK


def test_acey_deucey_one_two_names_a_double_and_rolls_again() -> None:
    """itavli.com, htfbw.com: the one and the two, any double, another roll; a second 1-2 does the same again."""
    game = Game(
        load_profile("acey-deucey"),
        new_game(load_profile("acey-deucey")).position,
        HitLog(None, None),
        turn=LIGHT,
    )
    for _ in range(2):
        game = played(advance_game(game, Rolled(LIGHT, Roll(2, 1))), "bar/23 bar/24")
        assert game.phase is GamePhase.TO_NAME_DOUBLE
        game = played(advance_game(game, DoubleNamed(LIGHT, 3)), "bar/22(4)")
        assert (game.phase, game.turn) == (GamePhase.TO_ROLL, LIGHT)
