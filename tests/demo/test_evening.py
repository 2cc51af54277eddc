"""Whole evenings on a simulated table, looked at without pictures: everything else is the product."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from controller.demo.faults import FaultError, Mishap, Trouble, faults_of
from controller.demo.show import Evening, Plan, Show, free_folder
from controller.record.journal.journal import Journal
from controller.record.match.match_log import read_match
from controller.referee.actions import Action, Flagged
from controller.rules.profile.profile import STANDARD
from tests.amounts import amount
from tests.demo.truthful import truthful


class EnoughError(Exception):
    """What was to be seen was seen."""


def play(
    folder: Path,
    plan: Plan,
    tell: Callable[[Action], None] = lambda _: None,
    faults: tuple[Mishap, ...] = (),
    until: Callable[[Evening, Trouble], bool] = lambda _, __: False,
) -> tuple[Evening, Trouble]:
    """A match, or as much of it as there is to see."""
    evening = Evening(plan, truthful(plan))
    trouble = Trouble(faults, np.random.default_rng(plan.seed))

    def attend(show: Show) -> None:
        trouble.attend(show)
        if until(evening, trouble):
            raise EnoughError

    with suppress(EnoughError), evening.folder(folder) as match:
        evening.match(0, match, tell, attend)
    return evening, trouble


def after(plies: int) -> Callable[[Evening, Trouble], bool]:
    return lambda evening, _: len(evening.ledger.truths) >= plies


def one_game(seed: int, cheats: float = 0.0) -> Plan:
    return Plan(1, 5, STANDARD, seed, cheats, firmware=False)


def test_cheats_are_noticed_with_their_reason_and_put_right(tmp_path: Path) -> None:
    flags: list[Action] = []
    evening, _ = play(tmp_path, one_game(2, 20.0), flags.append, until=after(amount(12, 24)))
    noticed = evening.ledger.list_noticed()
    assert noticed
    assert all(right for _, right in noticed)
    assert evening.ledger.list_accused() == []
    assert any(isinstance(action, Flagged) for action in flags)


def test_a_whole_game_is_concluded_as_it_was_played_and_lies_in_its_folder(tmp_path: Path) -> None:
    evening, _ = play(tmp_path, one_game(1))
    right, turns = evening.ledger.count_concluded()
    assert evening.played == 1
    assert right == turns > 0
    assert evening.ledger.list_accused() == []
    assert {"match.mat", "journal.db", "events.jsonl"} <= {path.name for path in tmp_path.iterdir()}
    with Journal(tmp_path / "journal.db", read_only=True) as journal:
        (game,) = read_match(journal, "1").games
    assert game.result is not None
    lines = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    told = [line["ply"] for line in lines if "ply" in line and "player" in line]
    assert told == sorted(told)
    assert set(told) == set(range(turns))


@pytest.mark.parametrize("firmware", [True, False], ids=["firmware", "twin"])
def test_the_same_seed_plays_the_same_evening_to_the_letter(firmware: bool, tmp_path: Path) -> None:
    written: list[str] = []
    for number in range(2):
        folder = tmp_path / str(number)
        play(folder, Plan(1, 1, STANDARD, 5, 6.0, firmware=firmware), until=after(amount(4, 8)))
        written.append((folder / "events.jsonl").read_text())
    assert written[0] == written[1] != ""


def test_play_goes_on_through_every_fault(tmp_path: Path) -> None:
    turns_at_the_end: list[int] = []

    def over(evening: Evening, trouble: Trouble) -> bool:
        if len(trouble.happened) >= len(Mishap) and not turns_at_the_end:
            turns_at_the_end.append(len(evening.ledger.truths))
        return bool(turns_at_the_end) and len(evening.ledger.truths) >= turns_at_the_end[0] + 3

    plan = Plan(9, 25, STANDARD, 3, 1.0, firmware=False)
    evening, trouble = play(tmp_path, plan, faults=tuple(Mishap), until=over)
    assert set(trouble.happened) == set(Mishap)
    assert evening.ledger.list_accused() == []
    right, turns = evening.ledger.count_concluded()
    assert turns >= right >= turns - 1


def test_a_match_gets_a_folder_of_its_own_and_none_is_written_over(tmp_path: Path) -> None:
    assert free_folder(tmp_path, 1).name == "match-01"
    (tmp_path / "match-01").mkdir()
    (tmp_path / "match-02").mkdir()
    assert free_folder(tmp_path, 1).name == "match-03"
    assert free_folder(tmp_path, 4).name == "match-04"


def test_a_fault_that_there_is_not_is_named() -> None:
    assert faults_of("camera, bump") == (Mishap.CAMERA, Mishap.BUMP)
    assert faults_of("all") == tuple(Mishap)
    assert faults_of("") == ()
    with pytest.raises(FaultError, match="earthquake"):
        faults_of("earthquake")
