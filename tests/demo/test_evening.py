"""Whole evenings on a simulated table, looked at without pictures: everything else is the product."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from controller.demo.evening import EPOCH, Evening, Plan
from controller.demo.faults import Fault, FaultError, Trouble, faults_of
from controller.demo.folder import MatchFolder
from controller.demo.show import Show
from controller.record.journal import Journal
from controller.record.matchlog import read_match
from controller.referee.table.actions import Action, Flagged
from controller.referee.table.settings import DiceFrom
from controller.rules.profile import STANDARD


def play(
    folder: Path, plan: Plan, tell: Callable[[Action], None] = lambda _: None, faults: tuple[Fault, ...] = ()
) -> tuple[Evening, Trouble]:
    evening = Evening(plan, None)
    trouble = Trouble(faults, np.random.default_rng(plan.seed))

    def attend(show: Show) -> None:
        trouble.attend(show)

    with MatchFolder(folder, EPOCH) as match:
        evening.match(0, match, tell, attend)
    return evening, trouble


def one_game(seed: int, cheats: float = 0.0) -> Plan:
    return Plan(1, 5, STANDARD, seed, cheats, firmware=False)


@pytest.mark.parametrize("seed", range(2))
def test_a_game_of_honest_players_is_concluded_as_it_was_played(seed: int, tmp_path: Path) -> None:
    evening, _ = play(tmp_path, one_game(seed))
    right, turns = evening.ledger.concluded()
    assert evening.played == 1
    assert right == turns > 0
    assert evening.ledger.accused() == []


@pytest.mark.parametrize("seed", [1, 2])
def test_cheats_are_noticed_with_their_reason_and_put_right(seed: int, tmp_path: Path) -> None:
    flags: list[Action] = []
    evening, _ = play(tmp_path, one_game(seed, 8.0), flags.append)
    noticed = evening.ledger.noticed()
    assert noticed
    assert all(right for _, right in noticed)
    assert evening.ledger.accused() == []
    assert any(isinstance(action, Flagged) for action in flags)


def test_the_record_of_an_evening_lies_in_its_folder(tmp_path: Path) -> None:
    evening, _ = play(tmp_path, one_game(1, 3.0))
    assert {"match.mat", "journal.db", "events.jsonl"} <= {path.name for path in tmp_path.iterdir()}
    with Journal(tmp_path / "journal.db", read_only=True) as journal:
        (game,) = read_match(journal, "1").games
    assert game.result is not None
    lines = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    turns = {line["ply"] for line in lines if "ply" in line and "player" in line}
    assert turns == set(range(len(turns)))
    assert len({truth.ply for truth in evening.ledger.truths}) == len(turns)


@pytest.mark.parametrize("firmware", [True, False], ids=["firmware", "twin"])
def test_the_same_seed_plays_the_same_evening_to_the_letter(firmware: bool, tmp_path: Path) -> None:
    written: list[str] = []
    for number in range(2):
        folder = tmp_path / str(number)
        play(folder, Plan(1, 1, STANDARD, 5, 2.0, firmware=firmware))
        written.append((folder / "events.jsonl").read_text() + (folder / "match.mat").read_text())
    assert written[0] == written[1]


def test_play_goes_on_through_every_fault(tmp_path: Path) -> None:
    evening, trouble = play(tmp_path, Plan(2, 5, STANDARD, 3, 1.0, firmware=False), faults=tuple(Fault))
    assert set(trouble.happened) == set(Fault)
    assert evening.played == 2
    assert evening.ledger.accused() == []
    right, turns = evening.ledger.concluded()
    assert right >= turns - 1


def test_a_fault_that_there_is_not_is_named() -> None:
    assert faults_of("camera, bump") == (Fault.CAMERA, Fault.BUMP)
    assert faults_of("all") == tuple(Fault)
    assert faults_of("") == ()
    with pytest.raises(FaultError, match="earthquake"):
        faults_of("earthquake")


def test_a_table_has_electronic_dice_and_a_clock(tmp_path: Path) -> None:
    seen: list[DiceFrom] = []
    evening = Evening(one_game(2), None)
    with MatchFolder(tmp_path, EPOCH) as match:
        show = evening.match(0, match, lambda _: None, lambda _: None)
    seen.append(show.desk.table.settings.dice)
    assert seen == [DiceFrom.ELECTRONIC]
    assert show.desk.table.settings.clock
