"""Players: what they do at the table is what they mean, and what they break is what the judge finds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.devices.lights.frame import LightFrame, Signal
from controller.devices.link.happenings import Button
from controller.rules.judge import judge
from controller.rules.movement import STANDARD, MovementRules
from controller.rules.plays import is_result
from controller.rules.position import START, Position, Side
from controller.rules.reasons import ReasonCode
from controller.rules.roll import Roll
from controller.simulation.chance import random_setting
from controller.simulation.players.carrying import carries_between
from controller.simulation.players.cheating import KINDS, cheat
from controller.simulation.players.choosing import doubles, takes
from controller.simulation.players.deeds import Deed, Press, Say, Wait
from controller.simulation.players.player import CLOCKS, Intent, Player, shown_carries
from controller.simulation.players.temperament import TEMPERAMENTS, Temperament
from controller.simulation.positions import random_position
from controller.simulation.tabletop.tabletop import Tabletop

SETTING = random_setting(np.random.default_rng(4), (640, 480))
seeds = st.integers(0, 100_000)
rolls = st.builds(Roll.of, st.integers(1, 6), st.integers(1, 6))
sides = st.sampled_from(Side)


def player(side: Side, temperament: Temperament, seed: int) -> Player:
    return Player(side, temperament, np.random.default_rng(seed), done=CLOCKS[side])


def done(board: Tabletop, side: Side, deeds: list[Deed]) -> Tabletop:
    colour = "light" if side is Side.LIGHT else "dark"
    board.do(colour, [deed for deed in deeds if not isinstance(deed, Wait | Press | Say)])
    board.run_until(board.t + 1000)
    return board


@given(seed=seeds, roll=rolls, side=sides, temperament=st.sampled_from(TEMPERAMENTS))
@settings(max_examples=60)
def test_a_legal_play_is_carried_out_whatever_the_temperament(
    seed: int, roll: Roll, side: Side, temperament: Temperament
) -> None:
    rng = np.random.default_rng(seed)
    before = random_position(rng)
    someone = player(side, temperament, seed)
    intent = someone.intend(before, roll)
    assert is_result(before, side, roll, intent.after)
    deeds = someone.play(intent)
    assert deeds[-1] == Press(CLOCKS[side]) or Press(CLOCKS[side]) in deeds
    board = done(Tabletop(SETTING, before, rng), side, deeds)
    assert board.position() == intent.after
    assert not board.moving


@given(one=seeds, other=seeds)
@settings(max_examples=40)
def test_any_position_is_carried_over_into_any_other(one: int, other: int) -> None:
    start, end = (random_position(np.random.default_rng(seed)) for seed in (one, other))
    board = Tabletop(SETTING, start, np.random.default_rng(one))
    for carry in carries_between(start, end):
        assert carry.start != carry.end
    someone = player(Side.LIGHT, TEMPERAMENTS[0], one)
    assert done(board, Side.LIGHT, someone.put_right(start, end, LightFrame())).position() == end


def situations(seed: int, count: int) -> list[tuple[Position, Side, Roll]]:
    rng = np.random.default_rng(seed)
    return [
        (
            random_position(rng),
            Side.LIGHT if rng.random() < 0.5 else Side.DARK,
            Roll.of(int(rng.integers(1, 7)), int(rng.integers(1, 7))),
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_every_way_to_cheat_is_found_and_is_what_the_judge_says(kind: ReasonCode) -> None:
    rules = MovementRules(max_stack=5) if kind is ReasonCode.STACK_LIMIT else STANDARD
    rng = np.random.default_rng(1)
    found = 0
    for before, side, roll in situations(2, 120):
        after = cheat(kind, before, side, roll, rng, rules)
        if after is None:
            continue
        verdict = judge(before, side, roll, after, rules)
        assert not verdict.legal
        assert kind in verdict.codes
        found += 1
        if found == 5:
            break
    assert found


@given(seed=seeds, roll=rolls, side=sides)
@settings(max_examples=20)
def test_a_cheat_lies_on_the_table_as_it_was_meant(seed: int, roll: Roll, side: Side) -> None:
    rng = np.random.default_rng(seed)
    before = random_position(rng)
    kind = KINDS[int(rng.integers(len(KINDS)))]
    after = cheat(kind, before, side, roll, rng)
    if after is None:
        return
    someone = player(side, TEMPERAMENTS[0], seed)
    board = done(Tabletop(SETTING, before, rng), side, someone.play(Intent(before, after, roll, kind)))
    assert board.position() == after


def test_checkers_go_from_lights_that_say_take_to_lights_that_say_put() -> None:
    now = Position.from_compact("b...BD.B...eE...c.e....B..")
    lights = LightFrame().lit(Signal.TAKE, [5]).lit(Signal.PUT, [8])
    (carry,) = shown_carries(now, lights)
    assert (carry.colour, carry.start, carry.end) == ("light", 5, 8)
    assert shown_carries(now, LightFrame().lit(Signal.TAKE, [5]).lit(Signal.PUT, [1])) == []


def test_a_clear_lead_in_the_race_is_doubled_and_a_great_one_dropped() -> None:
    longer = Position.from_compact("EEE.......eee.............")
    assert doubles(longer, Side.LIGHT)
    assert not takes(longer, Side.DARK)
    assert not doubles(START, Side.LIGHT)
    assert takes(START, Side.DARK)


def test_who_drops_presses_the_button_and_who_takes_turns_the_cube() -> None:
    someone = player(Side.DARK, TEMPERAMENTS[0], 1)
    dropped = someone.answer_double(Position.from_compact("EEE.......eee............."), 2)
    assert dropped[-1] == Press(Button.DROP)
    taken = someone.answer_double(START, 2)
    assert Press(Button.TAKE) in taken
    board = done(Tabletop(SETTING, START, np.random.default_rng(1)), Side.DARK, taken)
    assert board.cube is not None
    assert (board.cube.face, board.cube.owner) == (2, "dark")
