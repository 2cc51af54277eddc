"""Which checkers have been hit, as far as the plays can tell."""

import itertools
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules.game.hit_log import HitLog
from controller.rules.moves.plays import legal_plays
from controller.rules.notation import Move, Play
from controller.rules.position import START, Position, Roll, Side

LIGHT, DARK = Side.LIGHT, Side.DARK


def board(light: dict[int, int], dark: dict[int, int], bar_dark: int = 0) -> Position:
    """Light by its own points, dark by its own points."""
    points = [0] * 24
    for point, count in light.items():
        points[point - 1] += count
    for point, count in dark.items():
        points[24 - point] -= count
    return Position.from_counts(points, bar_dark=bar_dark)


def followed(start: Position, *plays: tuple[Side, Play, Position]) -> tuple[HitLog, Position]:
    log, position = HitLog.at_start(start), start
    for side, play, after in plays:
        log, position = log.after(position, side, play), after
    return log, position


def test_nobody_has_been_hit_at_the_start() -> None:
    for side in Side:
        assert HitLog.at_start(START).hit_checker_left(side, START) is False


def test_a_checker_that_entered_has_been_hit() -> None:
    before, after = board({6: 15}, {6: 14}, bar_dark=1), board({6: 15}, {6: 14, 22: 1})
    log, _ = followed(before, (DARK, (Move(25, 22),), after))
    assert log.hit_checker_left(DARK, after) is True
    assert log.hit_checker_left(LIGHT, after) is False


def test_light_is_followed_as_dark_is() -> None:
    before, after = board({6: 15}, {6: 14}, bar_dark=1), board({6: 15}, {6: 14, 22: 1})
    log, _ = followed(before.mirrored(), (LIGHT, (Move(25, 22),), after.mirrored()))
    assert log.hit_checker_left(LIGHT, after.mirrored()) is True
    assert log.hit_checker_left(DARK, after.mirrored()) is False


def test_a_checker_that_entered_and_left_the_home_board_is_gone() -> None:
    before, after = board({6: 15}, {24: 2, 6: 12}, bar_dark=1), board({6: 15}, {24: 2, 16: 1, 6: 12})
    log, _ = followed(before, (DARK, (Move(25, 22), Move(22, 16)), after))
    assert log.hit_checker_left(DARK, after) is False


def test_a_hit_checker_that_joined_another_may_be_the_one_that_leaves() -> None:
    start = board({6: 15}, {22: 1, 6: 13}, bar_dark=1)
    two, one = board({6: 15}, {22: 2, 6: 13}), board({6: 15}, {22: 1, 16: 1, 6: 13})
    none = board({6: 15}, {16: 2, 6: 13})
    enter, leave = (DARK, (Move(25, 22),), two), (DARK, (Move(22, 16),), one)
    assert followed(start, enter)[0].hit_checker_left(DARK, two) is True
    assert followed(start, enter, leave)[0].hit_checker_left(DARK, one) is None
    last = (DARK, (Move(22, 16),), none)
    assert followed(start, enter, leave, last)[0].hit_checker_left(DARK, none) is False


def test_a_hit_checker_that_moves_on_inside_is_still_there_whichever_it_was() -> None:
    start = board({6: 15}, {22: 1, 6: 13}, bar_dark=1)
    two, apart = board({6: 15}, {22: 2, 6: 13}), board({6: 15}, {22: 1, 20: 1, 6: 13})
    log, _ = followed(start, (DARK, (Move(25, 22),), two), (DARK, (Move(22, 20),), apart))
    assert log.hit_checker_left(DARK, apart) is True


def test_a_hit_checker_that_is_hit_again_is_gone_until_it_enters() -> None:
    start = board({6: 15}, {6: 14}, bar_dark=1)
    entered, hit = board({6: 15}, {6: 14, 22: 1}), board({6: 14, 3: 1}, {6: 14}, bar_dark=1)
    events = [(DARK, (Move(25, 22),), entered), (LIGHT, (Move(6, 3, hit=True),), hit)]
    log, _ = followed(start, *events)
    assert log.hit_checker_left(DARK, hit) is False


def test_a_checker_may_be_hit_on_either_edge_of_the_home_board() -> None:
    for point in (19, 24):
        start, gone = board({7: 15}, {5: 14, point: 1}), board({7: 15}, {5: 14}, bar_dark=1)
        hit: Play = (Move(7, 25 - point, hit=True),)
        entered: Play = (Move(25, point),)
        assert followed(start)[0].hit_checker_left(DARK, start) is False
        log, _ = followed(start, (LIGHT, hit, gone), (DARK, entered, start))
        assert log.hit_checker_left(DARK, start) is True


def test_an_unknown_play_leaves_nothing_certain() -> None:
    log = HitLog.at_start(START).after(START, LIGHT, None)
    for side in Side:
        assert log.hit_checker_left(side, START) is None
        assert log.after(START, DARK, (Move(24, 23),)).hit_checker_left(side, START) is None


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_the_log_is_never_wrong_about_checkers_that_can_be_told_apart(seed: int) -> None:
    """Every checker gets a name; which of several on a point moves is drawn by lot."""
    dice = random.Random(seed)
    position, log = START, HitLog.at_start(START)
    names = itertools.count()
    places = {
        side: {next(names): place for place in STARTING for _ in range(STARTING[place])} for side in Side
    }
    hit: set[int] = set()
    for side, _ in zip(itertools.cycle(Side), range(60), strict=False):
        roll = Roll.from_dice(dice.randint(1, 6), dice.randint(1, 6))
        chosen = dice.choice(legal_plays(position, side, roll))
        log, position = log.after(position, side, chosen.play), chosen.after
        for move in chosen.play:
            mover = dice.choice([name for name, place in places[side].items() if place == move.source])
            places[side][mover] = move.target
            if move.hit:
                theirs = places[side.opponent]
                blot = next(name for name, place in theirs.items() if place == 25 - move.target)
                theirs[blot] = 25
                hit.add(blot)
        for owner in Side:
            truth = any(name in hit for name, place in places[owner].items() if 19 <= place <= 24)
            assert log.hit_checker_left(owner, position) in (truth, None)


STARTING = {24: 2, 13: 5, 8: 3, 6: 5}
