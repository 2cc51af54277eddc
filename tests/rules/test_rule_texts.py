"""What sets one rule text apart from the others, each seen in play, score or cube."""

import pytest

from controller.rules.game.cube import Cube, OfferKind, double, raise_offer, shown_face
from controller.rules.game.events import OpeningRoll, RefusedError, Resigned
from controller.rules.game.game import Game, advance_game, new_game
from controller.rules.game.hit_log import HitLog
from controller.rules.game.scoring import Level, game_value, loss
from controller.rules.judging.judge import judge
from controller.rules.moves.movement import Variant
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.catalogue import load_profile, profile_names
from controller.rules.profile.profile import RuleSource
from tests.rows import each_row

LIGHT, DARK = Side.LIGHT, Side.DARK
ALL = tuple(name for name in profile_names() if load_profile(name).movement.variant is Variant.BACKGAMMON)


def board(points: dict[int, int], bar: int = 0) -> Position:
    """Light's checkers on light's points; dark has borne off."""
    counts = [0] * 24
    for point, count in points.items():
        counts[point - 1] = count
    return Position.from_counts(counts, bar_light=bar)


def after(name: str, position: Position, high: int, low: int) -> set[Position]:
    plays = legal_plays(position, LIGHT, Roll.from_dice(high, low), load_profile(name).movement)
    return {play.after for play in plays}


@each_row("name", ALL)
def test_every_text_plays_a_double_four_times(name: str) -> None:
    lone = board({24: 1, 1: 10})
    assert after(name, lone, 3, 3) == {board({12: 1, 1: 10})}


@each_row("name", ALL)
def test_the_larger_number_is_due_in_every_text_also_where_it_is_silent(name: str) -> None:
    counts = [0] * 24
    counts[23], counts[12] = 1, -2
    position = Position.from_counts(counts)
    counts[23], counts[17] = 0, 1
    assert after(name, position, 6, 5) == {Position.from_counts(counts)}


@each_row("name", ALL)
def test_only_the_terebess_limit_keeps_a_sixth_checker_off_a_point(name: str) -> None:
    highest = max(position.checkers(LIGHT, 6) for position in after(name, START, 2, 1))
    assert highest == (5 if name == "terebess-cap5" else 6)


def test_the_slovak_box_says_outright_that_checkers_may_be_stacked_without_limit() -> None:
    profile = load_profile("sk-box")
    assert profile.movement.max_stack is None
    assert profile.origins["move.max_stack"].source is RuleSource.STATED
    assert load_profile("hunbg-club").origins["move.max_stack"].source is RuleSource.INFERRED


@each_row("name", ALL)
def test_in_the_slovak_box_only_the_rearmost_checkers_are_borne_off(name: str) -> None:
    position = board({6: 1, 3: 1, 1: 2})
    borne_off_from_three = board({4: 1, 1: 2})
    assert (borne_off_from_three in after(name, position, 3, 2)) == (name != "sk-box")


def test_in_the_slovak_box_the_judge_refuses_what_the_standard_allows() -> None:
    position, taken = board({6: 1, 3: 1, 1: 2}), board({4: 1, 1: 2})
    box = load_profile("sk-box").movement
    assert judge(position, LIGHT, Roll.from_dice(3, 2), taken).legal
    assert not judge(position, LIGHT, Roll.from_dice(3, 2), taken, box).legal


def test_in_the_slovak_box_surplus_pips_are_lost() -> None:
    assert board({1: 1}) in after("sk-box", board({3: 1, 2: 1, 1: 1}), 6, 5)


@each_row("name", ALL)
def test_nobody_has_to_bear_off_who_can_move_inside(name: str) -> None:
    moved_inside = board({5: 1, 3: 3})
    assert moved_inside in after(name, board({6: 2, 3: 2}), 3, 1)


def test_the_estonian_leaflet_says_outright_that_bearing_off_is_free() -> None:
    origins = load_profile("ee-collection-classique").origins
    assert origins["bearoff.exact_optional"].source is RuleSource.STATED


@each_row("name", ALL)
def test_a_gammon_needs_all_home_in_the_slovak_box_alone(name: str) -> None:
    rules = load_profile(name).score
    assert loss(board({6: 8, 1: 7}), LIGHT, rules).level is Level.GAMMON
    outside = loss(board({7: 1, 1: 14}), LIGHT, rules).level
    assert outside is (Level.BACKGAMMON if name == "sk-box" else Level.GAMMON)


@each_row("name", ALL)
def test_a_back_checker_that_was_never_hit_is_no_backgammon_at_hunbg_alone(name: str) -> None:
    found = loss(board({24: 1, 1: 14}), LIGHT, load_profile(name).score, hit_checker_left=False)
    assert found.level is (Level.GAMMON if name == "hunbg-club" else Level.BACKGAMMON)


@each_row("name", ALL)
def test_a_checker_on_the_bar_is_a_backgammon_in_every_text(name: str) -> None:
    assert loss(board({1: 14}, bar=1), LIGHT, load_profile(name).score, False).level is Level.BACKGAMMON


@each_row("name", [name for name in ALL if not name.startswith("terebess")])
def test_the_cube_is_added_at_hunbg_alone(name: str) -> None:
    value = game_value(Level.BACKGAMMON, Cube(64, DARK, doubled=True), load_profile(name))
    assert value.points == (67 if name == "hunbg-club" else 192)


@each_row("name", ALL)
def test_terebess_has_no_cube(name: str) -> None:
    assert load_profile(name).cube.enabled is not name.startswith("terebess")


@each_row("name", ALL)
def test_automatic_doubles_come_with_the_hungarian_options_alone(name: str) -> None:
    game = advance_game(new_game(load_profile(name)), OpeningRoll(4, 4))
    assert game.cube.value == (2 if name == "hubgf-money" else 1)


@each_row("name", [name for name in ALL if not name.startswith("terebess")])
def test_beavers_are_played_for_money_and_at_hunbg(name: str) -> None:
    rules = load_profile(name).cube
    offer = double(Cube(), LIGHT, rules)
    if name in ("standard-money", "teaching-money", "hubgf-money", "hunbg-club"):
        assert raise_offer(offer, DARK, rules, OfferKind.BEAVER).value == 4
        assert rules.beaver_refusable
    else:
        with pytest.raises(RefusedError):
            raise_offer(offer, DARK, rules, OfferKind.BEAVER)


@each_row("name", ALL)
def test_jacoby_is_played_for_money_alone(name: str) -> None:
    value = game_value(Level.GAMMON, Cube(), load_profile(name))
    assert value.jacoby is (name in ("standard-money", "teaching-money", "hubgf-money"))


@each_row("name", ALL)
def test_whoever_resigns_names_a_number_of_points_at_hunbg_alone(name: str) -> None:
    game = Game(load_profile(name), START, HitLog.at_start(START), turn=LIGHT)
    if name == "hunbg-club":
        assert advance_game(game, Resigned(DARK, 5)).to_answer is LIGHT
    else:
        with pytest.raises(RefusedError):
            advance_game(game, Resigned(DARK, 5))


def test_the_slovak_cube_begins_with_sixty_four_upward_and_counts_one() -> None:
    profile = load_profile("sk-box")
    assert (Cube().value, shown_face(Cube(), profile.cube)) == (1, 64)
    assert profile.origins["cube.start_face"].source is RuleSource.STATED


@pytest.mark.parametrize("name", ["hunbg-club", "sk-box", "terebess", "terebess-cap5"])
def test_a_text_that_is_silent_about_the_larger_number_says_so_when_it_is_chosen(name: str) -> None:
    profile = load_profile(name)
    assert "larger_die_silent" in profile.notices
    assert profile.origins["move.larger_die"].source is RuleSource.INFERRED
