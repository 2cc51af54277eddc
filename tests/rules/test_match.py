"""Matches, money sessions and series: score, Crawford, and the value that events advance."""

import pytest

from controller.rules.game.events import (
    Doubled,
    GameAwarded,
    MatchForfeited,
    OpeningRoll,
    Passed,
    Played,
    Refusal,
    RefusedError,
    ResignationAccepted,
    Resigned,
    Rolled,
    RulesEvent,
)
from controller.rules.game.game import GamePhase
from controller.rules.game.match import Crawford, Match, Score, Terms, TermsError, advance, new_match, replay
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import STANDARD
from tests.rules.changed_profile import changed

LIGHT, DARK = Side.LIGHT, Side.DARK
MONEY = load_profile("standard-money")
BEGUN: tuple[RulesEvent, ...] = (
    OpeningRoll(3, 1),
    Played(LIGHT, Position.from_compact("b...BD.B...eE...c.e....B.."), None),
)
"""Light has opened; dark is to roll."""


def won(match: Match, winner: Side, points: int = 1) -> Match:
    return advance(match, GameAwarded(winner, points))


def refused(match: Match, event: RulesEvent) -> Refusal:
    with pytest.raises(RefusedError) as caught:
        advance(match, event)
    return caught.value.code


def may_double(match: Match) -> bool:
    for event in BEGUN:
        match = advance(match, event)
    if match.game.cube_in_play:
        return advance(match, Doubled(DARK)).game.phase is GamePhase.CUBE_OFFERED
    assert refused(match, Doubled(DARK)) is Refusal.CRAWFORD_GAME
    return False


def test_games_add_up_until_one_side_has_the_length() -> None:
    match = won(won(new_match(Terms.match(STANDARD, 5)), LIGHT, 2), DARK, 4)
    assert (match.score, match.number, match.winner) == (Score(2, 4), 3, None)
    assert (match.away(LIGHT), match.away(DARK)) == (3, 1)
    assert match.game.phase is GamePhase.OPENING
    over = won(match, LIGHT, 4)
    assert (over.score, over.winner, over.number) == (Score(6, 4), LIGHT, 3)
    assert [result.points for result in over.results] == [2, 4, 4]
    assert refused(over, OpeningRoll(3, 1)) is Refusal.MATCH_OVER


def test_a_new_game_starts_from_the_start_with_the_cube_in_the_middle() -> None:
    match = replay(Terms.match(STANDARD, 5), [*BEGUN, Doubled(DARK), Passed(LIGHT)])
    assert match.score == Score(0, 1)
    assert (match.game.position, match.game.cube.value, match.game.turn) == (START, 1, None)


def test_the_crawford_game_is_the_first_after_a_side_is_one_point_away_and_only_that() -> None:
    match = new_match(Terms.match(STANDARD, 5))
    assert (match.crawford, may_double(match)) == (Crawford.BEFORE, True)
    match = won(match, LIGHT, 3)
    assert (match.crawford, may_double(match)) == (Crawford.BEFORE, True)
    match = won(match, LIGHT)
    assert (match.crawford, may_double(match)) == (Crawford.NOW, False)
    match = won(match, DARK)
    assert (match.crawford, may_double(match)) == (Crawford.AFTER, True)
    match = won(match, DARK, 3)
    assert (match.score, match.crawford) == (Score(4, 4), Crawford.AFTER)


def test_a_match_may_be_played_without_the_crawford_rule() -> None:
    match = won(new_match(Terms.match(changed({"match.crawford": False}), 5)), LIGHT, 4)
    assert (match.crawford, may_double(match)) == (Crawford.NONE, True)


def test_automatic_doubles_leave_the_crawford_game_alone() -> None:
    rules = changed({"opening.tie": "auto_double"})
    match = advance(won(new_match(Terms.match(rules, 5)), LIGHT, 4), OpeningRoll(2, 2))
    assert match.game.cube.value == 1


def test_a_side_that_wins_the_match_with_the_cube_as_it_is_cannot_double() -> None:
    match = new_match(Terms.match(STANDARD, 1))
    for event in BEGUN:
        match = advance(match, event)
    assert refused(match, Doubled(DARK)) is Refusal.CUBE_DEAD


def test_a_money_session_has_no_length_no_crawford_and_no_dead_cube() -> None:
    match = new_match(Terms.money(MONEY))
    for _ in range(20):
        match = won(match, LIGHT, 3)
    assert (match.score, match.winner, match.crawford) == (Score(60, 0), None, Crawford.NONE)
    assert match.away(LIGHT) is None
    assert may_double(match)


def test_the_added_cube_counts_in_the_score() -> None:
    match = replay(
        Terms.match(load_profile("hunbg-club"), 67), [*BEGUN, Resigned(LIGHT, 66), ResignationAccepted(DARK)]
    )
    assert (match.score, match.crawford) == (Score(0, 66), Crawford.NOW)


def test_a_series_of_single_games_has_no_cube_and_goes_from_rules_to_rules() -> None:
    portes = changed({"opening.next_game": "winner_starts", "score.backgammon": "never"})
    nack = changed({"start.position": "nackgammon"})
    match = new_match(Terms.series(5, portes, nack))
    assert match.crawford is Crawford.NONE
    opened = match
    for event in BEGUN:
        opened = advance(opened, event)
    assert refused(opened, Doubled(DARK)) is Refusal.NO_CUBE
    second = won(match, DARK, 2)
    assert (second.game.phase, second.game.position.compact()) == (
        GamePhase.OPENING,
        "bb...D.C...dD...c.d...BB..",
    )
    third = won(second, DARK, 2)
    assert (third.game.phase, third.game.turn, third.game.position) == (GamePhase.TO_ROLL, DARK, START)
    assert advance(third, Rolled(DARK, Roll.from_dice(5, 5))).game.dice == (5, 5)
    assert won(third, DARK).winner is DARK


def test_the_winner_may_start_the_next_game() -> None:
    match = won(new_match(Terms.match(changed({"opening.next_game": "winner_starts"}), 5)), DARK)
    assert (match.game.phase, match.game.turn) == (GamePhase.TO_ROLL, DARK)
    assert refused(match, OpeningRoll(3, 1)) is Refusal.OPENING_ROLL_NOT_DUE


def test_a_match_can_be_forfeited() -> None:
    match = advance(won(new_match(Terms.match(STANDARD, 5)), LIGHT, 2), MatchForfeited(LIGHT))
    assert (match.winner, match.score) == (DARK, Score(2, 0))


def test_money_rules_do_not_make_a_match_nor_match_rules_a_session() -> None:
    with pytest.raises(TermsError, match="standard-money is for money play"):
        Terms.match(MONEY, 5)
    with pytest.raises(TermsError, match="is for matches"):
        Terms.money(STANDARD)
    for name in ("ee-collection-classique", "hunbg-club", "terebess", "sk-box"):
        assert Terms.match(load_profile(name), 5).length == 5
        assert Terms.money(load_profile(name)).length is None


@pytest.mark.parametrize("length", [0, -3])
def test_a_match_is_at_least_one_point_long(length: int) -> None:
    with pytest.raises(TermsError, match="at least 1"):
        Terms.match(STANDARD, length)
    with pytest.raises(TermsError, match="at least 1"):
        Terms.series(length, STANDARD)


def test_a_series_needs_rules() -> None:
    with pytest.raises(TermsError, match="at least one profile"):
        Terms.series(5)


def test_a_refused_event_leaves_the_match_as_it_was() -> None:
    match = new_match(Terms.match(STANDARD, 5))
    assert refused(match, Rolled(LIGHT, Roll.from_dice(2, 1))) is Refusal.OPENING_ROLL_DUE
    assert match == new_match(Terms.match(STANDARD, 5))
