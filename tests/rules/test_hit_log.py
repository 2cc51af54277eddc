"""Which checkers have been hit, as far as the plays can tell."""

from controller.rules.hit_log import HitLog
from controller.rules.notation import Move, Play
from controller.rules.position import START, Position, Side

LIGHT, DARK = Side.LIGHT, Side.DARK


def board(light: dict[int, int], dark: dict[int, int], bar_dark: int = 0) -> Position:
    """Light by its own points, dark by its own points."""
    points = [0] * 24
    for point, count in light.items():
        points[point - 1] += count
    for point, count in dark.items():
        points[24 - point] -= count
    return Position.of(points, bar_dark=bar_dark)


def test_nobody_has_been_hit_at_the_start() -> None:
    assert HitLog().hit_checker_left(LIGHT) is False
    assert HitLog().hit_checker_left(DARK) is False


def test_a_checker_that_entered_has_been_hit() -> None:
    before = board({6: 15}, {6: 14}, bar_dark=1)
    log = HitLog().after(before, DARK, (Move(25, 22),))
    assert log.hit_checker_left(DARK) is True
    assert log.hit_checker_left(LIGHT) is False


def test_a_checker_that_entered_and_left_the_home_board_is_gone() -> None:
    before = board({6: 15}, {24: 2, 6: 12}, bar_dark=1)
    log = HitLog().after(before, DARK, (Move(25, 22), Move(22, 16)))
    assert log.hit_checker_left(DARK) is False


def test_a_hit_checker_that_joined_others_may_be_any_of_them() -> None:
    before = board({6: 15}, {22: 1, 6: 13}, bar_dark=1)
    entered = HitLog().after(before, DARK, (Move(25, 22),))
    assert entered.hit_checker_left(DARK) is True
    two = board({6: 15}, {22: 2, 6: 13})
    one_left = entered.after(two, DARK, (Move(22, 16),))
    assert one_left.hit_checker_left(DARK) is None
    none_left = one_left.after(board({6: 15}, {22: 1, 16: 1, 6: 13}), DARK, (Move(22, 16),))
    assert none_left.hit_checker_left(DARK) is False


def test_where_all_have_been_hit_the_one_that_moves_has_been_too() -> None:
    log = HitLog().after(board({6: 15}, {6: 13}, bar_dark=2), DARK, (Move(25, 22), Move(25, 22)))
    after = log.after(board({6: 15}, {22: 2, 6: 13}), DARK, (Move(22, 20),))
    assert after.hit_checker_left(DARK) is True


def test_a_hit_checker_that_is_hit_again_starts_over() -> None:
    log = HitLog().after(board({6: 15}, {6: 14}, bar_dark=1), DARK, (Move(25, 22),))
    hit = board({6: 15}, {22: 1, 6: 14})
    play: Play = (Move(6, 3, hit=True),)
    assert log.after(hit, LIGHT, play).hit_checker_left(DARK) is False


def test_light_is_followed_as_dark_is() -> None:
    before = board({6: 15}, {6: 14}, bar_dark=1).mirrored()
    assert HitLog().after(before, LIGHT, (Move(25, 22),)).hit_checker_left(LIGHT) is True


def test_an_unknown_play_leaves_nothing_certain() -> None:
    log = HitLog().after(START, LIGHT, None)
    assert log.hit_checker_left(LIGHT) is None
    assert log.after(START, DARK, (Move(24, 23),)).hit_checker_left(DARK) is None
