"""The games of the family on the simulated table: pins, checkers beside the board, and what only they forbid."""

import random
from collections.abc import Callable, Iterator
from itertools import chain, islice

import numpy as np

from controller.devices.lights.frame import LightFrame
from controller.rules.game.game import start_position
from controller.rules.moves.plays import is_result, results
from controller.rules.position import Position, Roll, Side, side_point
from controller.rules.profile.catalogue import load_profile
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.chance import random_setting
from controller.simulation.players.cheating import FAMILY, Wrong, any_cheat, cheats, wrongs_of
from controller.simulation.players.player import CLOCKS, Cast, Intent, Player, PressButton, Say, Wait
from controller.simulation.players.temperament import CAREFUL, TEMPERAMENTS
from controller.simulation.tabletop.gestures import Pick, Put
from controller.simulation.tabletop.tabletop import Tabletop
from tests.amounts import amount
from tests.demo.truthful_eye import Errors, TruthfulEye
from tests.rows import each_row
from tests.rules.family_turns import crowded_turns

SETTING = random_setting(np.random.default_rng(4), (640, 480))
GAMES = (
    *("portes", "hypergammon", "tavla", "plakoto", "fevga", "moultezim", "narde", "gul-bara"),
    *("jacquet", "jacquet-hit", "acey-deucey"),
)
OWN = {
    "tavla": {Wrong.HITS_AND_RUNS},
    "plakoto": {Wrong.MOVES_PINNED},
    "fevga": {Wrong.LEAVES_FIRST_CHECKER, Wrong.HOLDS_TOO_MANY, Wrong.HITS_SINGLE},
    "moultezim": {Wrong.LEAVES_FIRST_CHECKER, Wrong.HOLDS_TOO_MANY, Wrong.HITS_SINGLE},
    "narde": {Wrong.EMPTIES_HEAD, Wrong.HOLDS_TOO_MANY, Wrong.HITS_SINGLE},
    "gul-bara": {Wrong.HITS_SINGLE},
    "jacquet": {Wrong.LEAVES_FIRST_CHECKER, Wrong.HOLDS_TOO_MANY, Wrong.HITS_SINGLE},
    "jacquet-hit": {Wrong.HOLDS_TOO_MANY, Wrong.BEARS_OFF_LARGER},
    "acey-deucey": {Wrong.ENTERS_ELSEWHERE},
}
"""What each game forbids, as its rules tell people."""
ENOUGH = amount(2, 5)
Turn = tuple[Position, Side, Roll]


def turns(name: str, seed: int) -> Iterator[Turn]:
    """Turns of games played at random, the first ones of each game among them."""
    profile, chance = load_profile(name), random.Random(seed)
    rules = profile.movement
    while True:
        position = start_position(profile.opening.layout, rules.direction)
        side = chance.choice(list(Side))
        while all(position.off(each) < 15 for each in Side):
            roll = Roll.from_dice(chance.randint(1, 6), chance.randint(1, 6))
            yield position, side, roll
            position = Position(chance.choice(sorted(results(position, side, roll, rules)[0])))
            side = side.opponent


def done(table: Tabletop, side: Side, deeds: list[object]) -> Position:
    gestures = [deed for deed in deeds if not isinstance(deed, Wait | PressButton | Say | Cast)]
    table.do("light" if side is Side.LIGHT else "dark", gestures)  # type: ignore[arg-type]
    table.run_until(table.t + 1000)
    return table.checkers.position()


def seated(name: str, side: Side, seed: int) -> Player:
    temper = TEMPERAMENTS[seed % len(TEMPERAMENTS)]
    rules = load_profile(name).movement
    return Player(side, temper, np.random.default_rng(seed), rules, done=CLOCKS[side])


def laid(name: str, position: Position, seed: int) -> Tabletop:
    each = load_profile(name).movement.checkers
    return Tabletop(SETTING, position, np.random.default_rng(seed), cube=None, each=each)


@each_row("name", GAMES)
def test_plays_and_cheats_lie_on_the_table_as_they_were_meant_and_are_put_right(name: str) -> None:
    rules, rng = load_profile(name).movement, np.random.default_rng(3)
    for seed, (before, side, roll) in enumerate(islice(turns(name, 5), 0, amount(48, 90), 6)):
        player = seated(name, side, seed)
        intent = player.intend(before, roll)
        assert is_result(before, side, roll, intent.after, rules)
        assert done(laid(name, before, seed), side, [*player.play(intent)]) == intent.after
        wrong = any_cheat(before, side, roll, rng, rules)
        if wrong is not None:
            table = laid(name, before, seed)
            cheated = Intent(before, wrong.after, roll, wrong)
            assert done(table, side, [*player.play(cheated)]) == wrong.after
            put_right = player.put_right(wrong.after, before, LightFrame())
            assert done(table, side, [*put_right]) == before


@each_row("name", GAMES)
def test_a_position_is_laid_out_with_its_pins_and_what_waits_beside_the_board(name: str) -> None:
    each = load_profile(name).movement.checkers
    for position, _, _ in islice(turns(name, 2), 0, 120, 12):
        scene = arrange(SETTING, position, np.random.default_rng(1), each=each)
        assert scene.counts() == position.points
        assert scene.pinned() == position.pinned
        assert [scene.beside(colour) for colour in ("light", "dark")] == [
            position.hand(side) for side in Side
        ]
        assert scene.off == tuple(position.off(side, each) for side in Side)


def test_the_truthful_eye_sees_what_lies_on_top() -> None:
    before = Position.from_counts([-14, 0, 0, 0, 0, -1, *[0] * 17, 14]).with_hidden([6])
    reading = TruthfulEye(Errors(0, 0, 0, 0), np.random.default_rng(1)).read(laid("plakoto", before, 1))
    assert reading.points == before.points
    assert reading.points[5] == -1


def test_the_checker_that_covers_a_pinned_one_leaves_last_and_sets_it_free() -> None:
    table = laid("plakoto", Position.from_compact("b.........B...............").with_hidden([11]), 1)
    player = seated("plakoto", Side.LIGHT, 0)
    first = done(table, Side.LIGHT, [Pick(11, "light"), Put(9)])
    assert first.pinned == (11,)
    second = done(table, player.side, [Pick(11, "light"), Put(9)])
    assert second.pinned == ()
    assert second.checkers(Side.DARK, 11) == 1


def seen_by(side: Side, name: str, position: Position) -> list[int]:
    """The counts of the points in the side's own numbering, its own positive."""
    direction = load_profile(name).movement.direction
    sign = 1 if side is Side.LIGHT else -1
    return [0, *(sign * position.points[side_point(at, side, direction) - 1] for at in range(1, 25))]


def row_of_six(counts: list[int]) -> bool:
    return any(all(counts[(first + nth - 1) % 24 + 1] > 0 for nth in range(6)) for first in range(1, 25))


Counted = Callable[[list[int], list[int]], bool]
COUNTS: dict[Wrong, Counted] = {
    Wrong.EMPTIES_HEAD: lambda old, new: old[24] - new[24] > 1,
    Wrong.LEAVES_FIRST_CHECKER: lambda old, new: (
        sum(max(0, a - b) for a, b in zip(old, new, strict=True) if a > 0) > 1
        or new[min(at for at in range(1, 25) if old[at] > 0)] > 0
    ),
    Wrong.HOLDS_TOO_MANY: lambda _, new: (
        row_of_six(new)
        or sum(count > 0 for count in new[7:13]) > 4
        or sum(count > 1 for count in new[19:25]) > 2
    ),
    Wrong.HITS_AND_RUNS: lambda old, new: any(old[at] == -1 and new[at] == 0 for at in range(1, 7)),
    Wrong.HITS_SINGLE: lambda old, new: any(a == -1 and b >= 0 for a, b in zip(old, new, strict=True)),
    Wrong.MOVES_PINNED: lambda old, new: sum(x for x in new if x > 0) >= sum(x for x in old if x > 0),
    Wrong.ENTERS_ELSEWHERE: lambda old, new: sum(x for x in new if x > 0) > sum(x for x in old if x > 0),
    Wrong.BEARS_OFF_LARGER: lambda old, new: (
        sum(x for x in new if x > 0) < sum(x for x in old if x > 0) and max(old[7:]) <= 0
    ),
}


@each_row("name", OWN)
def test_what_only_a_game_forbids_is_done_in_it_and_counted(name: str) -> None:
    rules, found = load_profile(name).movement, dict.fromkeys(OWN[name], 0)
    assert set(wrongs_of(rules)) == OWN[name]
    first = islice(turns(name, 1), 0, amount(240, 600), 3)
    moments = chain(first, islice(crowded_turns(random.Random(1)), 300))
    for before, side, roll in moments:
        for wrong in OWN[name]:
            for one in cheats(wrong, before, side, roll, rules)[:1] if found[wrong] < ENOUGH else ():
                found[wrong] += 1
                old, new = (seen_by(side, name, position) for position in (before, one.after))
                assert COUNTS[wrong](old, new), (before, side, roll, one)
                assert not is_result(before, side, roll, one.after, rules)
        if min(found.values()) >= ENOUGH:
            break
    assert all(found.values()), found


def test_the_standard_game_forbids_nothing_of_its_own() -> None:
    assert wrongs_of(load_profile("standard-match").movement) == ()
    assert set().union(*OWN.values()) | {Wrong.BEARS_OFF_PINNED} == set(FAMILY)


def test_a_player_names_a_double_when_it_is_due() -> None:
    player = Player(Side.DARK, CAREFUL, np.random.default_rng(1), load_profile("acey-deucey").movement)
    before = start_position(load_profile("acey-deucey").opening.layout)
    (said,) = [deed.event for deed in player.name_double(before) if isinstance(deed, Say)]
    assert said.side is Side.DARK  # type: ignore[union-attr]
    assert 1 <= said.number <= 6  # type: ignore[union-attr]
