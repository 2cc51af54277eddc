"""The games of the family: their plays are those of a second, plain implementation."""

import random
from itertools import islice

from controller.rules.game.game import start_position
from controller.rules.moves.plays import is_result, legal_plays, play_between, resolve, results
from controller.rules.notation import format_play, parse_play
from controller.rules.position import Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from tests.amounts import amount
from tests.rows import each_row
from tests.rules import family_reference
from tests.rules.family_turns import crowded_turns, turns_of

TURNS = amount(12, 30)
ROLLS = tuple(Roll(high, low) for high in range(1, 7) for low in range(1, high + 1))

# Distinct positions after one turn and after two, all 21 rolls each, and the number of ways through them.
COUNTS = {
    "portes": ((406, 447), None),
    "tavla": ((406, 447), None),
    "hypergammon": ((144, 195), (20_449, 38_017)),
    "plakoto": ((49, 59), (2_394, 3_474)),
    "fevga": ((11, 22), (118, 479)),
    "moultezim": ((11, 22), (118, 479)),
    "narde": ((13, 22), (166, 484)),
    "gul-bara": ((43, 53), (1_816, 2_768)),
    "jacquet": ((10, 21), (98, 441)),
    "jacquet-hit": ((43, 53), (1_848, 2_809)),
    "acey-deucey": ((50, 60), (2_496, 3_604)),
}


def plain_results(name: str, position: Position, side: Side, roll: Roll) -> set[int]:
    found = family_reference.results(
        family_reference.GAMES[name],
        family_reference.stacks(position),
        family_reference.LETTER[side],
        roll.high,
        roll.low,
    )
    return {family_reference.position(each).code for each in found}


@each_row("name", family_reference.GAMES)
def test_the_results_are_those_of_the_plain_rules(name: str) -> None:
    rules = load_profile(name).movement
    for position, side, roll in islice(turns_of(name, random.Random(20_261_122)), TURNS):
        found, used = results(position, side, roll, rules)
        assert found == plain_results(name, position, side, roll), (position, side, roll)
        assert len(used) <= len(roll.numbers)


@each_row("name", ["fevga", "moultezim", "narde", "jacquet", "jacquet-hit", "plakoto"])
def test_the_results_are_those_of_the_plain_rules_where_points_in_a_row_are_held(name: str) -> None:
    rules = load_profile(name).movement
    for position, side, roll in islice(crowded_turns(random.Random(20_261_122)), TURNS):
        found, _ = results(position, side, roll, rules)
        assert found == plain_results(name, position, side, roll), (position, side, roll)


@each_row("name", family_reference.GAMES)
def test_every_result_has_a_play_that_is_written_and_read_back(name: str) -> None:
    rules = load_profile(name).movement
    for position, side, roll in islice(turns_of(name, random.Random(7)), amount(6, 12)):
        found, used = results(position, side, roll, rules)
        plays = legal_plays(position, side, roll, rules)
        assert {play.after.code for play in plays} == found
        for play in plays[:20]:
            assert len(play.play) == len(used)
            assert is_result(position, side, roll, play.after, rules)
            assert play_between(position, side, roll, play.after, rules) == play.play
            written = parse_play(format_play(play.play))
            assert resolve(position, side, roll, written, rules).after.open_board() == play.after.open_board()


@each_row("name", COUNTS)
def test_the_counts_from_the_start_are_those_of_both_implementations(name: str) -> None:
    profile = load_profile(name)
    start = start_position(profile.opening.layout, profile.movement.direction)
    level, side = {start.code: 1}, Side.LIGHT
    for expected in COUNTS[name]:
        if expected is None:
            break
        following: dict[int, int] = {}
        for code, ways in level.items():
            for roll in ROLLS:
                for after in results(Position(code), side, roll, profile.movement)[0]:
                    following[after] = following.get(after, 0) + ways
        assert (len(following), sum(following.values())) == expected
        level, side = following, side.opponent


@each_row("name", family_reference.GAMES)
def test_seen_from_the_other_side_the_results_are_the_same(name: str) -> None:
    rules = load_profile(name).movement
    for position, side, roll in islice(turns_of(name, random.Random(5)), amount(10, 20)):
        mirrored = position.mirrored(rules.direction)
        assert mirrored.mirrored(rules.direction) == position
        found = {
            Position(code).mirrored(rules.direction).code for code in results(position, side, roll, rules)[0]
        }
        assert results(mirrored, side.opponent, roll, rules)[0] == found
