"""A legal result in which somebody's checkers were tampered with afterwards."""

import random
from collections.abc import Iterator

from controller.rules.judging.judge import judge
from controller.rules.moves.plays import LegalPlay, legal_plays
from controller.rules.position import Position, Side
from controller.rules.reasons import ReasonCode
from tests.rules.turns import Turn, constructed_turn, played_turns

CASES = 400


def played() -> Iterator[tuple[random.Random, Turn, LegalPlay]]:
    """Legal plays of games and of made-up positions, one of each in turn."""
    chance = random.Random(7)
    games = played_turns(7)
    while True:
        for turn in (next(games), constructed_turn(chance)):
            yield chance, turn, chance.choice(legal_plays(*turn))


def counts(position: Position) -> tuple[list[int], dict[Side, int]]:
    return list(position.points), {side: position.bar(side) for side in Side}


def seen(points: list[int], bars: dict[Side, int]) -> Position:
    return Position.seen(points, bars[Side.LIGHT], bars[Side.DARK])


def test_a_hit_checker_that_was_taken_off_is_not_on_the_bar() -> None:
    cases = 0
    for _, turn, play in played():
        if not any(move.hit for move in play.play):
            continue
        points, bars = counts(play.after)
        bars[turn[1].opponent] -= 1
        assert ReasonCode.HIT_NOT_ON_BAR in judge(*turn, seen(points, bars)).codes
        cases += 1
        if cases == CASES:
            return


def test_an_opponents_checker_that_was_taken_off_is_missing_from_where_it_was() -> None:
    cases = 0
    for chance, turn, play in played():
        if any(move.hit for move in play.play):
            continue
        points, bars = counts(play.after)
        sign = 1 if turn[1].opponent is Side.LIGHT else -1
        point = chance.choice([at for at in range(24) if points[at] * sign > 0] or [-1])
        if point < 0:
            continue
        points[point] -= sign
        verdict = judge(*turn, seen(points, bars))
        assert ReasonCode.CHECKER_MISSING in verdict.codes
        assert {"side": str(turn[1].opponent), "point": point + 1, "count": 1} in [
            dict(reason.arguments) for reason in verdict.reasons
        ]
        cases += 1
        if cases == CASES:
            return


def test_a_sixteenth_checker_is_extra() -> None:
    cases = 0
    for chance, turn, play in played():
        position, side, _ = turn
        sign = 1 if side.opponent is Side.LIGHT else -1
        points, bars = counts(play.after)
        if position.off(side.opponent):
            continue
        point = chance.choice([at for at in range(24) if 0 <= points[at] * sign < 15])
        points[point] += sign
        assert ReasonCode.CHECKER_EXTRA in judge(*turn, seen(points, bars)).codes
        cases += 1
        if cases == CASES:
            return


def test_a_checker_of_the_opponent_that_was_moved_is_named_with_its_way() -> None:
    cases = 0
    for chance, turn, play in played():
        if any(move.hit for move in play.play):
            continue
        points, bars = counts(play.after)
        sign = 1 if turn[1].opponent is Side.LIGHT else -1
        sources = [at for at in range(24) if points[at] * sign > 0]
        targets = [at for at in range(24) if 0 <= points[at] * sign < 15]
        if not sources or len(targets) < 2:
            continue
        source = chance.choice(sources)
        target = chance.choice([at for at in targets if at != source])
        points[source] -= sign
        points[target] += sign
        verdict = judge(*turn, seen(points, bars))
        assert not verdict.legal
        assert {"side": str(turn[1]), "source": source + 1, "target": target + 1} in [
            dict(reason.arguments) for reason in verdict.reasons if reason.code is ReasonCode.OPPONENT_MOVED
        ]
        cases += 1
        if cases == CASES:
            return
