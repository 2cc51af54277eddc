"""A match on the simulated table, put through the referee again from its journal."""

import json
from pathlib import Path

import pytest

from controller.app.filter import Filter
from controller.demo.show import Evening, Plan, Show
from controller.record.filter.line_writer import input_lines
from controller.record.journal.journal import Journal, Json
from controller.referee.table.settings import Settings
from controller.rules.game.match import Terms
from controller.rules.profile.profile import STANDARD
from tests.demo.truthful import truthful

PLIES = 12


class EnoughError(Exception):
    """So many turns were played."""


def turn_of(line: dict[str, Json]) -> tuple[Json, ...]:
    codes = [reason["code"] for reason in line["reasons"] if isinstance(reason, dict)]  # type: ignore[union-attr]
    return (*(line[key] for key in ("ply", "player", "dice", "move", "legal", "position")), str(codes))


def test_the_same_verdicts_come_out_again(tmp_path: Path) -> None:
    plan = Plan(1, 5, STANDARD, 2, 20.0, firmware=False)
    evening = Evening(plan, truthful(plan))

    def attend(_: Show) -> None:
        if len(evening.ledger.truths) >= PLIES:
            raise EnoughError

    with pytest.raises(EnoughError), evening.folder(tmp_path) as folder:
        evening.match(0, folder, lambda _: None, attend)
    written = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    again = Filter(Settings(Terms.match(STANDARD, 1)))
    with Journal(tmp_path / "journal.db", read_only=True) as journal:
        lines = list(input_lines(journal, "1"))
    answers = [
        json.loads(answer) for number, line in enumerate(lines, start=1) for answer in again.put(line, number)
    ]
    first, second = ([turn_of(line) for line in told if "legal" in line] for told in (written, answers))
    assert first == second
    assert any(not turn[4] for turn in first)
    assert len(first) >= PLIES
