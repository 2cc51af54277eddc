"""Whole games of random plays, filmed with all that happens at a table."""

from random import Random

import pytest

from controller.referee.actions import FrameSkipped, TurnJudged
from controller.referee.events import FrameLost, FrameSeen, RollReported
from controller.referee.table.machine import step
from controller.referee.table.state import begin
from controller.rules.position import START
from tests.amounts import amount
from tests.referee.staging import CHEATS, Dim, Film, Ply, judged, random_game, turns, watching
from tests.rows import each_row


def told(actions: list[TurnJudged], ply: Ply) -> list[TurnJudged]:
    return [turn for turn in actions if turn.ply == ply.number]


@each_row("seed", range(amount(1, 4)))
@each_row("noise", [0.0, 0.004])
def test_a_legal_game_is_told_play_by_play_and_nobody_is_accused(seed: int, noise: float) -> None:
    film = Film(Random(seed), noise=noise)
    truth = random_game(film, amount(25, 40))
    actions = judged(film, START)
    found = turns(actions)
    assert [turn for turn in found if turn.legal is False] == []
    for ply in truth[:-1]:
        last = told(found, ply)[-1]
        assert (last.side, last.roll, last.after) == (ply.side, ply.roll, ply.after)
    lost = sum(isinstance(event, FrameLost) for event in film.events)
    assert sum(isinstance(action, FrameSkipped) for action in actions) == lost


@pytest.mark.parametrize("seed", range(10, amount(12, 14)))
def test_every_kind_of_illegal_play_is_noticed_with_its_reason_and_no_legal_one_accused(seed: int) -> None:
    film = Film(Random(seed))
    truth = random_game(film, amount(30, 50), cheats=0.4)
    found = turns(judged(film, START))
    for ply in truth[:-1]:
        wrong = [turn for turn in told(found, ply) if turn.legal is False]
        if ply.cheat is None:
            assert wrong == [], f"ply {ply.number}"
        elif not ply.begun:
            # What the next player's hit leaves open is not confirmed, and never told as legal.
            assert wrong or told(found, ply)[-1].legal is None, f"ply {ply.number}: {ply.cheat}"
            codes = {reason.code for turn in wrong for reason in turn.reasons + turn.also}
            assert not wrong or codes & CHEATS[ply.cheat][1], f"ply {ply.number}: {ply.cheat}"
        assert told(found, ply)[-1].after == ply.after


@pytest.mark.parametrize("seed", [22, 20, 21][: amount(1, 3)])
def test_a_game_is_told_as_well_with_the_dice_read_from_the_pictures(seed: int) -> None:
    film = Film(Random(seed), dim=Dim(missed=0.03), tray_seen=False)
    truth = random_game(film, amount(20, 40))
    found = turns(judged(film, START, read_dice=True))
    assert [turn for turn in found if turn.legal is False] == []
    right = [ply for ply in truth if told(found, ply) and told(found, ply)[-1].after == ply.after]
    assert len(right) >= len(truth) - 2


def test_the_same_film_is_judged_the_same_to_the_letter() -> None:
    film = Film(Random(5), noise=0.01)
    random_game(film, amount(10, 25), cheats=0.2)
    assert judged(film, START) == judged(film, START)


@pytest.mark.parametrize("seed", range(30, amount(31, 33)))
def test_no_turn_is_judged_before_it_is_over(seed: int) -> None:
    film = Film(Random(seed))
    truth = random_game(film, 20)
    state = begin(watching())
    rolls = 0
    for event in film.events:
        rolls += isinstance(event, RollReported)
        state, actions = step(state, event)
        for action in actions:
            if isinstance(action, TurnJudged):
                assert action.ply < rolls
                if isinstance(event, FrameSeen):
                    assert action.ply < rolls - 1
    assert truth
