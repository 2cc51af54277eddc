"""Evenings with dice that are thrown onto the board and seen by the camera, and with accidents."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from controller.demo.show import Evening, Show
from controller.referee.table.settings import DiceFrom
from controller.rules.moves.plays import is_result
from controller.rules.position import Side
from controller.rules.profile.profile import STANDARD
from controller.simulation.players.cheating import Wrong
from controller.simulation.players.temperament import FAST
from tests.demo.accidents import Accident
from tests.demo.measured_plan import MeasuredPlan
from tests.demo.measuring import Answer, MeasuringLedger
from tests.demo.rogues import Misdeed, rogue
from tests.demo.truthful import truthful

THROWN = MeasuredPlan(1, 1, STANDARD, 5, firmware=False, dice=DiceFrom.CAMERA, temperaments=(FAST, FAST))


class EnoughError(Exception):
    """What was to be seen was seen."""


def played(folder: Path, plan: MeasuredPlan, turns: int = 1000) -> MeasuringLedger:
    ledger = MeasuringLedger()
    evening = Evening(plan, truthful(plan), ledger)

    def attend(_: Show) -> None:
        if len(ledger.truths) >= turns:
            raise EnoughError

    with suppress(EnoughError), evening.folder(folder) as match:
        evening.match(0, match, lambda _: None, attend)
    return ledger


def test_dice_on_the_board_are_watched_by_the_camera_and_lifting_them_ends_a_turn() -> None:
    settings = THROWN.settings()
    assert settings.dice is DiceFrom.CAMERA
    assert not settings.clock
    assert replace(THROWN, dice=DiceFrom.ELECTRONIC).settings().clock


def test_turns_with_thrown_dice_follow_each_other_and_are_told_as_they_were(tmp_path: Path) -> None:
    ledger = played(tmp_path, THROWN, 12)
    assert ledger.list_accused() == []
    right, turns = ledger.count_concluded()
    # The last one was not told yet.
    assert (right, turns) == (11, 12)
    assert [truth.ply for truth in ledger.truths] == list(range(turns))
    for truth in ledger.truths:
        assert is_result(truth.before, truth.side, truth.roll, truth.after)
    assert {truth.side for truth in ledger.truths} == set(Side)


def test_nobody_is_accused_of_what_befalls_honest_players(tmp_path: Path) -> None:
    ledger = played(tmp_path, replace(THROWN, seed=4, accidents=0.6), 12)
    assert set(ledger.befell.values()) == set(Accident)
    assert ledger.list_accused() == []
    assert ledger.list_invented()[0] == []


def test_players_answer_a_question_about_the_first_play_though_only_they_know_who_made_it(
    tmp_path: Path,
) -> None:
    taking = replace(FAST, wrongs=(Wrong.TAKES_CHECKER,))
    ledger = played(tmp_path, replace(THROWN, first_cheat=0, temperaments=(taking, taking)), 2)
    taken, again = ledger.truths
    assert ledger.answer_to_play(taken) is not Answer.SILENT
    assert (again.ply, again.side, again.cheat) == (taken.ply, taken.side, None)


def test_electronic_dice_are_locked_so_nobody_is_hurried(tmp_path: Path) -> None:
    plan = replace(THROWN, dice=DiceFrom.ELECTRONIC, accidents=0.6, seed=3)
    ledger = played(tmp_path, plan, 12)
    assert set(ledger.befell.values()) == set(Accident) - {Accident.HURRIED}
    assert ledger.list_accused() == []


@pytest.mark.parametrize("what", [Misdeed.TURNS_DIE, Misdeed.ROLLS_AGAIN, Misdeed.DOUBLES_LATE])
def test_what_is_done_to_dice_and_cube_after_the_roll_is_said(what: Misdeed, tmp_path: Path) -> None:
    who = rogue(replace(FAST, doubles=0.0, resigns=0.0), what)
    plan = replace(THROWN, length=5, temperaments=(who, who), seed=2, tempted=0.5)
    ledger = played(tmp_path, plan, 8)
    ended = [done for done in ledger.done if done.until < float("inf")]
    assert {done.what for done in ended} == {what}
    assert all(done.noticed for done in ended)


def test_the_same_seed_befalls_the_same_turns(tmp_path: Path) -> None:
    plan = replace(THROWN, accidents=0.5, cheats=10.0)
    found = []
    for number in range(2):
        ledger = played(tmp_path / str(number), plan, 6)
        lines = (tmp_path / str(number) / "events.jsonl").read_text().splitlines()
        found.append((ledger.truths, [json.loads(line) for line in lines]))
    assert found[0] == found[1]
