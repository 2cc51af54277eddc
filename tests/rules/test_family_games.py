"""Whole games of the family: how they begin, who plays how often, how they end and what they count."""

import random
from dataclasses import replace

import pytest

from controller.rules.game.events import (
    DoubleNamed,
    OpeningRoll,
    Played,
    Refusal,
    RefusedError,
    ResignationAccepted,
    Resigned,
    Rolled,
    RollVoided,
)
from controller.rules.game.game import Game, GamePhase, advance_game, new_game, start_position
from controller.rules.game.hit_log import HitLog
from controller.rules.game.match import Match, Terms, advance, new_match
from controller.rules.game.scoring import Ending, Level
from controller.rules.moves.plays import results
from controller.rules.position import Position, Roll, Side
from controller.rules.profile.catalogue import TAVLI, ProfileError, load_profile
from controller.rules.profile.profile import Layout
from tests.amounts import amount
from tests.rows import each_row

LIGHT, DARK = Side.LIGHT, Side.DARK
FAMILY = (
    *("portes", "tavla", "nackgammon", "longgammon", "hypergammon", "plakoto", "fevga", "moultezim"),
    *("narde", "gul-bara", "jacquet", "jacquet-hit", "acey-deucey"),
)
NO_HITS = HitLog(None, None)


def board(light: dict[int, int], dark: dict[int, int], pinned: tuple[int, ...] = ()) -> Position:
    """Checkers on points from light's side; the rest is off."""
    points = [0] * 24
    for point, count in light.items():
        points[point - 1] = count
    for point, count in dark.items():
        points[point - 1] = -count
    return Position.from_counts(points).with_hidden(pinned)


def test_parallel_games_begin_on_points_that_lie_opposite() -> None:
    for name in ("fevga", "moultezim", "narde", "gul-bara", "jacquet", "jacquet-hit"):
        assert new_game(load_profile(name)).position == board({24: 15}, {12: 15})
    assert new_game(load_profile("plakoto")).position == board({24: 15}, {1: 15})


def test_acey_deucey_begins_with_all_checkers_in_hand() -> None:
    start = new_game(load_profile("acey-deucey")).position
    assert start.points == (0,) * 24
    assert [(start.hand(side), start.off(side), start.pips(side)) for side in Side] == [(15, 0, 375)] * 2


def test_hypergammon_has_three_checkers_a_side() -> None:
    start = start_position(Layout.HYPERGAMMON)
    checkers = load_profile("hypergammon").movement.checkers
    assert start.compact() == "aaa..................AAA.."
    assert [start.off(side, checkers) for side in Side] == [0, 0]


def play_out(profile_name: str, seed: int) -> Game:
    """A game in which both sides play at random, every event as it comes."""
    chance = random.Random(seed)
    game = new_game(load_profile(profile_name))
    while game.turn is None:
        game = advance_game(game, OpeningRoll(chance.randint(1, 6), chance.randint(1, 6)))
    while game.result is None:
        side = game.turn
        assert side is not None
        if game.phase is GamePhase.TO_ROLL:
            game = advance_game(
                game, Rolled(side, Roll.from_dice(chance.randint(1, 6), chance.randint(1, 6)))
            )
        elif game.phase is GamePhase.TO_NAME_DOUBLE:
            game = advance_game(game, DoubleNamed(side, chance.randint(1, 6)))
        else:
            found, _ = results(game.position, side, Roll.from_dice(*game.dice), game.profile.movement)
            game = advance_game(game, Played(side, Position(chance.choice(sorted(found))), None))
        assert game.plays < 2_000
    return game


@each_row("name", FAMILY)
def test_games_come_to_an_end_and_count_what_the_rules_say(name: str) -> None:
    most = 3 if name in ("nackgammon", "longgammon", "hypergammon") else 1 if name == "acey-deucey" else 2
    for seed in range(amount(2, 4)):
        result = play_out(name, seed).result
        assert result is not None
        assert 1 <= result.points <= most or result.ending is Ending.DRAWN


def end_of_plakoto(before: Position, side: Side, after: Position) -> Game:
    game = Game(load_profile("plakoto"), before, NO_HITS, turn=side, dice=(6, 1))
    return advance_game(game, Played(side, after, None))


def test_a_pinned_mother_loses_two_points_at_once() -> None:
    ended = end_of_plakoto(
        board({24: 1, 3: 14}, {23: 1, 10: 14}), DARK, board({3: 14}, {24: 1, 10: 14}, (24,))
    )
    assert ended.result is not None
    assert (ended.result.winner, ended.result.points, ended.result.ending) == (DARK, 2, Ending.PLAYED)


def test_a_pinned_mother_does_not_end_the_game_while_the_winners_own_is_at_risk() -> None:
    pinned = board({3: 14}, {24: 1, 1: 1, 10: 13}, (24,))
    game = end_of_plakoto(board({24: 1, 3: 14}, {23: 1, 1: 1, 10: 13}), DARK, pinned)
    assert game.result is None
    drawn = end_of_plakoto(pinned, LIGHT, board({3: 13, 1: 1}, {24: 1, 10: 13}, (1, 24)))
    assert drawn.result is not None
    assert (drawn.result.points, drawn.result.ending) == (0, Ending.DRAWN)
    left = end_of_plakoto(pinned, DARK, board({3: 14}, {24: 1, 2: 1, 10: 13}, (24,)))
    assert left.result is not None
    assert (left.result.winner, left.result.points) == (DARK, 2)


def test_a_pin_that_leaves_again_costs_nothing() -> None:
    pinned = board({3: 14}, {24: 1, 1: 1, 10: 13}, (24,))
    freed = end_of_plakoto(pinned, DARK, board({24: 1, 3: 14}, {1: 1, 10: 13}))
    assert freed.result is None


def test_a_checker_that_is_pinned_has_not_been_borne_off() -> None:
    position = board({5: 1}, {3: 2, 24: 12}, (5,))
    assert (position.off(LIGHT), position.off(DARK), position.pins(DARK)) == (14, 0, (5,))


def test_after_two_one_a_double_is_named_and_then_rolled_again() -> None:
    acey = load_profile("acey-deucey")
    game = Game(acey, new_game(acey).position, NO_HITS, turn=LIGHT)
    with pytest.raises(RefusedError) as refused:
        advance_game(game, DoubleNamed(LIGHT, 5))
    assert refused.value.code is Refusal.DOUBLE_NOT_DUE
    game = played_out(advance_game(game, Rolled(LIGHT, Roll.from_dice(1, 2))))
    assert (game.phase, game.turn) == (GamePhase.TO_NAME_DOUBLE, LIGHT)
    with pytest.raises(RefusedError) as refused:
        advance_game(game, Rolled(LIGHT, Roll.from_dice(3, 1)))
    assert refused.value.code is Refusal.DOUBLE_DUE
    named = advance_game(game, DoubleNamed(LIGHT, 5))
    assert advance_game(named, RollVoided(LIGHT)).phase is GamePhase.TO_NAME_DOUBLE
    game = played_out(named)
    assert (game.phase, game.turn, game.turns) == (GamePhase.TO_ROLL, LIGHT, 0)
    game = played_out(advance_game(game, Rolled(LIGHT, Roll.from_dice(6, 3))))
    assert (game.turn, game.turns) == (DARK, 1)


def test_a_double_that_cannot_be_played_in_full_ends_the_turn() -> None:
    acey = load_profile("acey-deucey")
    game = Game(acey, board({24: 15}, {19: 2, 1: 13}), NO_HITS, turn=LIGHT)
    game = played_out(advance_game(game, Rolled(LIGHT, Roll.from_dice(2, 1))))
    game = advance_game(game, DoubleNamed(LIGHT, 6))
    after = sorted(results(game.position, LIGHT, Roll.from_dice(6, 6), acey.movement)[0])[0]
    blocked = replace(game, position=board({24: 15}, {18: 2, 1: 13}), dice=(6, 6))
    assert advance_game(blocked, Played(LIGHT, blocked.position, None)).turn is DARK
    assert advance_game(game, Played(LIGHT, Position(after), None)).turn is LIGHT


def played_out(game: Game) -> Game:
    """The game after the first of the legal results."""
    assert game.turn is not None
    found, _ = results(game.position, game.turn, Roll.from_dice(*game.dice), game.profile.movement)
    return advance_game(game, Played(game.turn, Position(min(found)), None))


def test_doubles_rise_from_the_fourth_turn_of_each_side_on() -> None:
    gul_bara = load_profile("gul-bara")
    start = new_game(gul_bara).position
    early = Game(gul_bara, start, NO_HITS, turn=LIGHT, dice=(4, 4), turns=5)
    assert played_out(early).turn is DARK
    free = board({24: 13, 20: 2}, {12: 15})
    late = played_out(Game(gul_bara, free, NO_HITS, turn=LIGHT, dice=(1, 1), turns=6))
    assert (late.turn, late.dice, late.turns) == (LIGHT, (2, 2), 6)
    six = played_out(Game(gul_bara, board({24: 15}, {11: 15}), NO_HITS, turn=LIGHT, dice=(6, 6), turns=6))
    assert six.turn is DARK


def test_tavli_is_a_series_of_three_games() -> None:
    with pytest.raises(ProfileError, match="series"):
        load_profile("tavli")
    games = [load_profile(name) for name in TAVLI]
    match: Match = new_match(Terms.series(5, *games))
    seen = []
    for winner in (DARK, LIGHT, DARK):
        seen.append(match.game.profile.name)
        game = replace(match.game, turn=match.game.turn or LIGHT)
        match = advance(replace(match, game=game), Resigned(winner.opponent, Level.GAMMON))
        match = advance(match, ResignationAccepted(winner))
    assert seen == ["portes", "plakoto", "fevga"]
    assert (match.score.dark, match.score.light, match.game.profile.name) == (4, 2, "portes")
    assert match.game.turn is DARK


def test_after_a_draw_the_next_game_begins_with_an_opening_roll() -> None:
    match = new_match(Terms.match(load_profile("plakoto"), 5))
    pinned = board({3: 14}, {24: 1, 1: 1, 10: 13}, (24,))
    game = Game(load_profile("plakoto"), pinned, NO_HITS, turn=LIGHT, dice=(2, 1))
    after = board({3: 13, 1: 1}, {24: 1, 10: 13}, (1, 24))
    match = advance(replace(match, game=game), Played(LIGHT, after, None))
    assert (match.score.light, match.score.dark, match.game.phase) == (0, 0, GamePhase.OPENING)


def test_where_no_game_is_lost_double_nobody_resigns_double() -> None:
    game = replace(new_game(load_profile("acey-deucey")), turn=LIGHT)
    with pytest.raises(RefusedError):
        advance_game(game, Resigned(DARK, 2))
