"""One game from the opening roll to its result: what may happen when, and what it is worth."""

from collections.abc import Iterable

import pytest

from controller.messages.game_words import result_words
from controller.rules.game.cube import Cube
from controller.rules.game.events import (
    Beavered,
    Doubled,
    GameAwarded,
    GameEvent,
    OpeningRoll,
    Passed,
    Played,
    Raccooned,
    Refusal,
    RefusedError,
    ResignationAccepted,
    ResignationRefused,
    Resigned,
    Rolled,
    RollVoided,
    Taken,
    TakenBack,
)
from controller.rules.game.game import Away, Game, GamePhase, advance_game, new_game
from controller.rules.game.hit_log import HitLog
from controller.rules.game.scoring import Ending
from controller.rules.notation import Move
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import STANDARD, Profile
from tests.rules.changed_profile import changed

LIGHT, DARK = Side.LIGHT, Side.DARK
MONEY = load_profile("standard-money")
HUNBG = load_profile("hunbg-club")


def after(events: Iterable[GameEvent], profile: Profile = STANDARD, game: Game | None = None) -> Game:
    game = new_game(profile) if game is None else game
    for event in events:
        game = advance_game(game, event)
    return game


def refused(game: Game, event: GameEvent) -> Refusal:
    with pytest.raises(RefusedError) as caught:
        advance_game(game, event)
    return caught.value.code


FIRST_PLAY = Played(LIGHT, Position.from_compact("b...BD.B...eE...c.e....B.."), None)
BEGUN = (OpeningRoll(3, 1), FIRST_PLAY)
"""Light has opened; dark is to roll."""


def ending(
    points: dict[int, int], bar: int = 0, profile: Profile = STANDARD, cube: Cube | None = None
) -> Game:
    """Dark plays its last checker off; light has these checkers left."""
    board = [0] * 24
    for point, count in points.items():
        board[point - 1] = count
    last = Position.from_counts([*board[:23], -1], bar_light=bar)
    game = Game(profile, last, HitLog.at_start(last), turn=DARK, dice=(6, 5), cube=cube or Cube())
    return advance_game(game, Played(DARK, Position.from_counts(board, bar_light=bar), (Move(1, 0),)))


def test_a_game_waits_for_its_opening_roll() -> None:
    game = new_game(STANDARD)
    assert (game.phase, game.turn, game.position) == (GamePhase.OPENING, None, START)
    for event in (Rolled(LIGHT, Roll.from_dice(3, 1)), Doubled(LIGHT), Resigned(DARK, 1), FIRST_PLAY):
        assert refused(game, event) is Refusal.OPENING_ROLL_DUE


@pytest.mark.parametrize("profile", ["standard-match", "ee-collection-classique", "hubgf-match"])
def test_the_higher_die_starts_and_plays_both_dice(profile: str) -> None:
    game = after([OpeningRoll(2, 5)], load_profile(profile))
    assert (game.phase, game.turn, game.dice) == (GamePhase.TO_PLAY, DARK, (5, 2))


def test_the_starter_may_have_to_play_his_own_die_alone() -> None:
    game = after([OpeningRoll(2, 5)], changed({"opening.roll_uses": "own_die"}))
    assert (game.phase, game.turn, game.dice) == (GamePhase.TO_PLAY, DARK, (5,))


def test_the_starter_may_have_to_roll_again() -> None:
    game = after([OpeningRoll(5, 2)], changed({"opening.roll_uses": "reroll_two"}))
    assert (game.phase, game.turn, game.dice) == (GamePhase.TO_ROLL, LIGHT, ())
    assert after([Rolled(LIGHT, Roll.from_dice(4, 4))], game=game).dice == (4, 4)


def test_a_tie_is_rolled_again() -> None:
    game = after([OpeningRoll(3, 3)])
    assert game == new_game(STANDARD)
    assert after([OpeningRoll(1, 6)], game=game).turn is DARK


def test_a_tie_doubles_automatically_up_to_the_agreed_limit() -> None:
    once = after([OpeningRoll(3, 3), OpeningRoll(2, 2)], load_profile("hubgf-money"))
    assert once.cube == Cube(2, None, automatic=1)
    money = load_profile("hubgf-money")
    twice = changed({"opening.auto_double_limit": 2}, money)
    endless = changed({"opening.auto_double_limit": None}, money)
    ties = [OpeningRoll(3, 3)] * 3
    assert after(ties, twice).cube.value == 4
    assert after(ties, endless).cube.value == 8


def test_either_side_may_turn_a_cube_that_was_doubled_automatically() -> None:
    game = after([OpeningRoll(3, 3), *BEGUN, Doubled(DARK), Taken(LIGHT)], load_profile("hubgf-money"))
    assert game.cube == Cube(4, LIGHT, doubled=True, automatic=1)


@pytest.mark.parametrize("dice", [(0, 3), (3, 7)])
def test_an_opening_die_shows_one_to_six(dice: tuple[int, int]) -> None:
    assert refused(new_game(STANDARD), OpeningRoll(*dice)) is Refusal.NOT_A_DIE


@pytest.mark.parametrize(
    ("layout", "compact"),
    [
        ("backgammon", "b....E.C...eE...c.e....B.."),
        ("nackgammon", "bb...D.C...dD...c.d...BB.."),
        ("longgammon", "o......................O.."),
    ],
)
def test_a_game_starts_from_the_layout_of_its_profile(layout: str, compact: str) -> None:
    assert new_game(changed({"start.position": layout})).position.compact() == compact


def test_turns_alternate_between_rolling_and_playing() -> None:
    game = after(BEGUN)
    assert (game.phase, game.turn, game.position) == (GamePhase.TO_ROLL, DARK, FIRST_PLAY.after)
    assert refused(game, Rolled(LIGHT, Roll.from_dice(2, 1))) is Refusal.NOT_ON_TURN
    assert refused(game, Played(DARK, START, None)) is Refusal.PLAY_NOT_DUE
    rolled = after([Rolled(DARK, Roll.from_dice(2, 1))], game=game)
    assert (rolled.phase, rolled.dice) == (GamePhase.TO_PLAY, (2, 1))
    assert refused(rolled, Rolled(DARK, Roll.from_dice(2, 1))) is Refusal.ROLL_NOT_DUE
    assert refused(rolled, OpeningRoll(1, 2)) is Refusal.OPENING_ROLL_NOT_DUE
    assert refused(rolled, Played(LIGHT, START, None)) is Refusal.NOT_ON_TURN


def test_a_void_roll_is_made_again() -> None:
    game = after([*BEGUN, Rolled(DARK, Roll.from_dice(2, 1)), RollVoided(DARK)])
    assert game == after(BEGUN)
    assert refused(game, RollVoided(DARK)) is Refusal.PLAY_NOT_DUE


def test_a_void_opening_roll_leaves_the_start_open() -> None:
    assert after([OpeningRoll(3, 1), RollVoided(LIGHT)]) == new_game(STANDARD)


def test_a_double_is_offered_in_turn_and_before_the_roll() -> None:
    assert refused(after([OpeningRoll(3, 1)]), Doubled(LIGHT)) is Refusal.ROLL_BEFORE_DOUBLE
    game = after(BEGUN)
    assert refused(game, Doubled(LIGHT)) is Refusal.NOT_ON_TURN
    offered = after([Doubled(DARK)], game=game)
    assert (offered.phase, offered.to_answer) == (GamePhase.CUBE_OFFERED, LIGHT)
    for event in (Rolled(DARK, Roll.from_dice(2, 1)), Doubled(LIGHT), Resigned(LIGHT, 1)):
        assert refused(offered, event) is Refusal.OFFER_PENDING
    taken = after([Taken(LIGHT)], game=offered)
    assert (taken.phase, taken.turn, taken.cube) == (GamePhase.TO_ROLL, DARK, Cube(2, LIGHT, doubled=True))
    assert refused(taken, Doubled(DARK)) is Refusal.CUBE_NOT_OWNED


@pytest.mark.parametrize("event", [Taken(LIGHT), Passed(LIGHT), Beavered(LIGHT), Raccooned(LIGHT)])
def test_nothing_can_be_answered_that_was_not_offered(event: GameEvent) -> None:
    assert refused(after(BEGUN), event) is Refusal.NO_OFFER


def test_passing_a_double_ends_the_game_at_the_old_value() -> None:
    game = after([*BEGUN, Doubled(DARK), Passed(LIGHT)])
    assert game.phase is GamePhase.OVER
    assert game.result is not None
    assert (game.result.winner, game.result.points, game.result.ending) == (DARK, 1, Ending.DROPPED)
    assert result_words(game.result) == "double passed, cube 1 = 1"
    assert refused(game, Rolled(DARK, Roll.from_dice(2, 1))) is Refusal.GAME_OVER


def test_beaver_and_raccoon_raise_the_stake_and_leave_the_cube_with_the_taker() -> None:
    rules = changed({"cube.raccoon": True}, MONEY)
    beavered = after([*BEGUN, Doubled(DARK), Beavered(LIGHT)], rules)
    assert beavered.to_answer is DARK
    assert after([Taken(DARK)], game=beavered).cube == Cube(4, LIGHT, doubled=True)
    raccooned = after([Raccooned(DARK), Taken(LIGHT)], game=beavered)
    assert raccooned.cube == Cube(8, LIGHT, doubled=True)
    assert (raccooned.phase, raccooned.turn) == (GamePhase.TO_ROLL, DARK)


def test_whoever_refuses_a_beaver_at_hunbg_loses_the_doubled_stake() -> None:
    game = after([*BEGUN, Doubled(DARK), Beavered(LIGHT), Passed(DARK)], HUNBG)
    assert game.result is not None
    assert (game.result.winner, game.result.points) == (LIGHT, 2)


def test_a_club_may_price_drops_as_single_games() -> None:
    rules = changed({"cube.drop_pays": "single_game_before_offer"}, HUNBG)
    result = after([*BEGUN, Doubled(DARK), Beavered(LIGHT), Passed(DARK)], rules).result
    assert result is not None
    assert (result.points, result_words(result)) == (3, "double passed, single 1 + cube 2 = 3")


@pytest.mark.parametrize(
    ("cube", "away", "allowed"),
    [
        (Cube(), Away(light=9, dark=1), False),
        (Cube(), Away(light=1, dark=2), True),
        (Cube(2, DARK, doubled=True), Away(light=9, dark=2), False),
        (Cube(2, DARK, doubled=True), Away(light=9, dark=3), True),
    ],
)
def test_a_dead_cube_cannot_be_turned(cube: Cube, away: Away, allowed: bool) -> None:
    game = Game(STANDARD, START, HitLog.at_start(START), turn=DARK, cube=cube, away=away)
    lenient = Game(
        changed({"cube.dead": "allowed"}), START, HitLog.at_start(START), turn=DARK, cube=cube, away=away
    )
    assert advance_game(lenient, Doubled(DARK)).phase is GamePhase.CUBE_OFFERED
    if allowed:
        assert advance_game(game, Doubled(DARK)).phase is GamePhase.CUBE_OFFERED
    else:
        assert refused(game, Doubled(DARK)) is Refusal.CUBE_DEAD


@pytest.mark.parametrize(
    ("level", "cube", "points", "working"),
    [
        (1, Cube(), 1, "single 1 × cube 1 = 1"),
        (2, Cube(4, LIGHT, doubled=True), 8, "gammon 2 × cube 4 = 8"),
        (3, Cube(2, LIGHT, doubled=True), 6, "backgammon 3 × cube 2 = 6"),
    ],
)
def test_a_game_is_resigned_by_level(level: int, cube: Cube, points: int, working: str) -> None:
    game = Game(STANDARD, START, HitLog.at_start(START), turn=DARK, cube=cube)
    offered = advance_game(game, Resigned(LIGHT, level))
    assert (offered.phase, offered.to_answer) == (GamePhase.RESIGNATION_OFFERED, DARK)
    result = advance_game(offered, ResignationAccepted(DARK)).result
    assert result is not None
    assert (result.winner, result.points, result_words(result)) == (DARK, points, working)


@pytest.mark.parametrize("level", [0, -1, 4])
def test_there_are_three_levels_to_resign(level: int) -> None:
    code = Refusal.RESIGNATION_TOO_SMALL if level < 1 else Refusal.RESIGNATION_TOO_LARGE
    assert refused(after(BEGUN), Resigned(LIGHT, level)) is code


def test_without_a_triple_game_only_two_levels_can_be_resigned() -> None:
    game = after(BEGUN, changed({"score.backgammon": "never"}))
    assert refused(game, Resigned(LIGHT, 3)) is Refusal.RESIGNATION_TOO_LARGE


@pytest.mark.parametrize("points", [1, 5, 67])
def test_at_hunbg_a_number_of_points_is_offered(points: int) -> None:
    game = after([*BEGUN, Resigned(LIGHT, points), ResignationAccepted(DARK)], HUNBG)
    assert game.result is not None
    assert (game.result.winner, game.result.points) == (DARK, points)
    assert result_words(game.result) == f"resigned for {points} point{'s' if points > 1 else ''}"


def test_at_hunbg_nobody_can_resign_more_than_a_game_can_be_worth() -> None:
    assert refused(after(BEGUN, HUNBG), Resigned(LIGHT, 68)) is Refusal.RESIGNATION_TOO_LARGE


@pytest.mark.parametrize("profile", [STANDARD, HUNBG])
def test_a_refused_resignation_changes_nothing(profile: Profile) -> None:
    rolled = after([*BEGUN, Rolled(DARK, Roll.from_dice(2, 1))], profile)
    assert after([Resigned(LIGHT, 2), ResignationRefused(DARK)], game=rolled) == rolled
    assert after([Resigned(DARK, 2), ResignationRefused(LIGHT)], game=rolled) == rolled


def test_a_resignation_may_have_to_be_accepted() -> None:
    offered = after([*BEGUN, Resigned(LIGHT, 1)], changed({"resign.must_accept": True}))
    assert refused(offered, ResignationRefused(DARK)) is Refusal.RESIGNATION_MUST_BE_ACCEPTED
    assert advance_game(offered, ResignationAccepted(DARK)).phase is GamePhase.OVER


def test_a_resignation_is_answered_by_the_other_side_before_anything_else() -> None:
    offered = after([*BEGUN, Resigned(LIGHT, 1)])
    assert refused(offered, ResignationAccepted(LIGHT)) is Refusal.OWN_OFFER
    assert refused(offered, Rolled(DARK, Roll.from_dice(2, 1))) is Refusal.OFFER_PENDING
    assert refused(offered, Resigned(DARK, 1)) is Refusal.OFFER_PENDING
    assert refused(after(BEGUN), ResignationAccepted(LIGHT)) is Refusal.NO_OFFER
    assert refused(after(BEGUN), ResignationRefused(LIGHT)) is Refusal.NO_OFFER


def test_bearing_off_the_last_checker_wins_the_game() -> None:
    game = ending({6: 8, 1: 7}, cube=Cube(4, LIGHT, doubled=True))
    assert game.phase is GamePhase.OVER
    assert game.result is not None
    assert (game.result.winner, game.result.points) == (DARK, 8)
    assert result_words(game.result) == "gammon 2 × cube 4 = 8"


def test_the_slovak_box_pays_triple_at_the_end_of_a_game() -> None:
    result = ending({7: 1, 1: 14}, profile=load_profile("sk-box"), cube=Cube(2, DARK, doubled=True)).result
    assert result is not None
    assert result_words(result) == "backgammon 3 × cube 2 = 6"


def test_at_hunbg_a_game_is_worth_sixty_seven_at_most() -> None:
    result = ending({1: 14}, bar=1, profile=HUNBG, cube=Cube(64, DARK, doubled=True)).result
    assert result is not None
    assert (result.points, result_words(result)) == (67, "backgammon 3 + cube 64 = 67")


def test_at_hunbg_the_log_of_the_game_tells_whether_the_last_checker_was_hit() -> None:
    never_hit = ending({24: 0, 20: 1, 1: 14}, profile=HUNBG).result
    assert never_hit is not None
    assert never_hit.points == 2
    bar = Position.from_counts([14, *[0] * 22, -1], bar_light=1)
    game = Game(HUNBG, bar, HitLog.at_start(bar), turn=LIGHT, dice=(5, 4))
    entered = Position.from_counts([14, *[0] * 18, 1, 0, 0, 0, -1])
    game = advance_game(game, Played(LIGHT, entered, (Move(25, 20),)))
    game = advance_game(game, Rolled(DARK, Roll.from_dice(6, 5)))
    last = Played(DARK, Position.from_counts([14, *[0] * 18, 1, 0, 0, 0, 0]), (Move(1, 0),))
    result = advance_game(game, last).result
    assert result is not None
    assert (result.points, result.loss and result.loss.assumed) == (3, False)


def test_a_play_can_be_taken_back_until_the_opponent_rolls_or_doubles() -> None:
    opened = after([OpeningRoll(3, 1)])
    game = after([FIRST_PLAY], game=opened)
    assert advance_game(game, TakenBack(LIGHT)) == opened
    assert refused(game, TakenBack(DARK)) is Refusal.NOTHING_TO_TAKE_BACK
    assert refused(opened, TakenBack(LIGHT)) is Refusal.NOTHING_TO_TAKE_BACK
    moments: tuple[list[GameEvent], ...] = (
        [Rolled(DARK, Roll.from_dice(2, 1))],
        [Doubled(DARK)],
        [Doubled(DARK), Taken(LIGHT)],
    )
    for late in moments:
        assert refused(after(late, game=game), TakenBack(LIGHT)) is Refusal.NOTHING_TO_TAKE_BACK


def test_a_play_may_be_final_only_after_the_opponents_next_play() -> None:
    rules = changed({"illegal.final_at": "opponent_play_complete"})
    opened = after([OpeningRoll(3, 1)], rules)
    game = after([FIRST_PLAY, Doubled(DARK), Taken(LIGHT), Rolled(DARK, Roll.from_dice(2, 1))], game=opened)
    assert advance_game(game, TakenBack(LIGHT)) == opened
    answered = advance_game(game, Played(DARK, START, None))
    assert refused(answered, TakenBack(LIGHT)) is Refusal.NOTHING_TO_TAKE_BACK
    assert advance_game(answered, TakenBack(DARK)) == Game(
        rules,
        FIRST_PLAY.after,
        answered.hits,
        turn=DARK,
        dice=(2, 1),
        cube=Cube(2, LIGHT, doubled=True),
        plays=1,
        turns=1,
    )


def test_a_game_can_be_awarded_at_any_time() -> None:
    result = advance_game(new_game(HUNBG), GameAwarded(DARK, 1)).result
    assert result is not None
    assert (result.winner, result.points, result_words(result)) == (DARK, 1, "awarded for 1 point")
    assert refused(new_game(HUNBG), GameAwarded(DARK, 0)) is Refusal.AWARD_TOO_SMALL
