"""Players: what they do at the table is what they mean."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.devices.lights.frame import LightFrame, Signal
from controller.devices.link.happenings import Button
from controller.rules.moves.plays import is_result
from controller.rules.position import START, Position, Roll, Side
from controller.simulation.boards.chance import random_setting
from controller.simulation.boards.scenes import random_position
from controller.simulation.players.carrying import Carry, carries_between, undo_carries
from controller.simulation.players.cheating import Wrong, any_cheat, cheat
from controller.simulation.players.player import (
    CLOCKS,
    Cast,
    Deed,
    Intent,
    PressButton,
    Say,
    Wait,
    doubles,
    shown_carries,
    takes,
)
from controller.simulation.players.temperament import TEMPERAMENTS, Temperament
from controller.simulation.tabletop.gestures import Brush, MoveAway, Pick, Put
from controller.simulation.tabletop.tabletop import Tabletop
from tests.demo.measured_player import MeasuredIntent, MeasuredPlayer
from tests.demo.rogues import ROGUES
from tests.demo.truthful_eye import Errors, TruthfulEye, hidden_points
from tests.simulation.carrying import after_carry

SETTING = random_setting(np.random.default_rng(4), (640, 480))
seeds = st.integers(0, 100_000)
rolls = st.builds(Roll.from_dice, st.integers(1, 6), st.integers(1, 6))
sides = st.sampled_from(Side)


def player(side: Side, temperament: Temperament, seed: int) -> MeasuredPlayer:
    return MeasuredPlayer(side, temperament, np.random.default_rng(seed), done=CLOCKS[side])


def done(board: Tabletop, side: Side, deeds: list[Deed]) -> Tabletop:
    colour = "light" if side is Side.LIGHT else "dark"
    board.do(colour, [deed for deed in deeds if not isinstance(deed, Wait | PressButton | Say | Cast)])
    board.run_until(board.t + 1000)
    return board


@given(seed=seeds, roll=rolls, side=sides, temperament=st.sampled_from(TEMPERAMENTS + ROGUES))
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
    assert deeds[-1] == PressButton(CLOCKS[side]) or PressButton(CLOCKS[side]) in deeds
    board = done(Tabletop(SETTING, before, rng), side, deeds)
    assert board.checkers.position() == intent.after
    assert not board.moving


def test_where_the_last_checkers_were_borne_off_no_sleeve_meets_one() -> None:
    before = Position.from_counts([1] + [0] * 23, 0, 0)
    fumbling = replace(TEMPERAMENTS[0], brushes=1.0)
    someone = player(Side.LIGHT, fumbling, 1)
    deeds = someone.play(someone.intend(before, Roll.from_dice(1, 1)))
    assert not any(isinstance(deed, Brush) for deed in deeds)
    assert PressButton(CLOCKS[Side.LIGHT]) in deeds


@given(one=seeds, other=seeds)
@settings(max_examples=40)
def test_any_position_is_carried_over_into_any_other(one: int, other: int) -> None:
    start, end = (random_position(np.random.default_rng(seed)) for seed in (one, other))
    board = Tabletop(SETTING, start, np.random.default_rng(one))
    for carry in carries_between(start, end):
        assert carry.start != carry.end
    someone = player(Side.LIGHT, TEMPERAMENTS[0], one)
    assert done(board, Side.LIGHT, someone.put_right(start, end, LightFrame())).checkers.position() == end


@given(seed=seeds, roll=rolls, side=sides)
@settings(max_examples=20)
def test_a_cheat_lies_on_the_table_as_it_was_meant(seed: int, roll: Roll, side: Side) -> None:
    rng = np.random.default_rng(seed)
    before = random_position(rng)
    wrong = any_cheat(before, side, roll, rng)
    if wrong is None:
        return
    someone = player(side, TEMPERAMENTS[0], seed)
    intent = MeasuredIntent(before, wrong.after, roll, wrong, hidden=bool(wrong.points))
    deeds = someone.play(intent)
    assert done(Tabletop(SETTING, before, rng), side, deeds).checkers.position() == wrong.after


def test_a_hand_lies_over_what_is_hidden_when_the_turn_is_ended() -> None:
    rng, roll = np.random.default_rng(3), Roll.from_dice(3, 1)
    wrong = cheat(Wrong.MOVES_BACKWARDS, START, Side.LIGHT, roll, rng)
    assert wrong is not None
    deeds = player(Side.LIGHT, TEMPERAMENTS[0], 1).play_hidden(Intent(START, wrong.after, roll, wrong), 3.0)
    press = deeds.index(PressButton(CLOCKS[Side.LIGHT]))
    board = Tabletop(SETTING, START, rng)
    board.do(
        "light", [deed for deed in deeds[:press] if not isinstance(deed, Wait | PressButton | Say | Cast)]
    )
    board.run_until(60.0)
    assert board.checkers.position() == wrong.after
    assert set(wrong.points[:1]) <= hidden_points(board)
    eye = TruthfulEye(Errors(), np.random.default_rng(1))
    reading = eye.read(board)
    assert reading.covered == hidden_points(board)
    assert all(len(set(reading.likelihoods[point - 1].values())) == 1 for point in reading.covered)
    assert all(arm.rests for arm in board.hands)
    board.do("light", [Pick(6, "light")])
    board.run_until(board.next_change())
    assert not any(arm.rests for arm in board.hands)
    assert eye.read(board).hand
    board.do("light", [Put(6), MoveAway()])
    board.run_until(120.0)
    assert hidden_points(board) == frozenset()
    assert eye.read(board).points[wrong.points[0] - 1] == wrong.after.points[wrong.points[0] - 1]


@given(seed=seeds, roll=rolls)
@settings(max_examples=40)
def test_who_finds_a_checker_moved_plays_what_is_legal_with_it_and_without(seed: int, roll: Roll) -> None:
    known = random_position(np.random.default_rng(seed))
    ways = [
        (start, start + 1)
        for start in range(1, 24)
        if known.checkers(Side.DARK, start) and not known.checkers(Side.LIGHT, start + 1)
    ]
    if not ways:
        return
    pushed = Carry("dark", *ways[seed % len(ways)])
    lies = after_carry(known, pushed)
    intent = player(Side.LIGHT, TEMPERAMENTS[0], seed).intend_in_either(known, lies, roll)
    if intent is None:
        return
    assert intent.before == lies
    assert is_result(lies, Side.LIGHT, roll, intent.after)
    (back,) = undo_carries([pushed])
    assert is_result(known, Side.LIGHT, roll, after_carry(intent.after, back))


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
    assert dropped[-1] == PressButton(Button.DROP)
    taken = someone.answer_double(START, 2)
    assert PressButton(Button.TAKE) in taken
    board = done(Tabletop(SETTING, START, np.random.default_rng(1)), Side.DARK, taken)
    assert board.cube is not None
    assert (board.cube.face, board.cube.owner) == (2, "dark")
