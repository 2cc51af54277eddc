"""How well games are told where the dice are read from pictures and are missed or misread now and then.

The games are random plays with hands, trials, pauses and rolls thrown again; the readings are made, not seen.
"""

import json
import sys
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any

from controller.referee.actions import TurnJudged
from controller.referee.events import FilmEnded, FrameSeen, RollReported
from controller.referee.table.machine import step
from controller.referee.table.state import begin
from controller.rules.position import START
from tests.referee.staging import CHEATS, Dim, Film, Ply, random_game, watching

GAMES, PLIES = 10, 40
DIMS = {
    "a few dice missed": Dim(missed=0.2, glitch=0.05, lost=0.04, misread=0.06),
    "many dice missed": Dim(missed=0.3, glitch=0.05, lost=0.12, misread=0.1),
}


@dataclass
class Count:
    """What was counted over several games."""

    plies: int = 0
    boards: int = 0
    right: int = 0
    accused: int = 0
    illegal: int = 0
    noticed: int = 0
    spent: list[float] = field(default_factory=list)


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    rows = []
    for name, dim in DIMS.items():
        count = Count()
        for seed in range(GAMES):
            _game(Film(Random(seed), dim=dim, noise=0.002, linger=3, tray_seen=False), 0.05, count)
        legal = count.plies - count.illegal
        slow = 1000 * sorted(count.spent)[int(0.99 * len(count.spent))]
        rows += [
            _row(f"plies told right with their dice, {name}", 100 * count.right / count.plies, "%", 90),
            _row(f"plies told right but for their dice, {name}", 100 * count.boards / count.plies, "%", 95),
            _row(f"legal plays called illegal, {name}", count.accused, f"of {legal}", 0),
            _row(f"illegal plays noticed, {name}", count.noticed, f"of {count.illegal}", None),
            _row(f"one picture at rest, 99 of 100, {name}", slow, "ms", 100),
        ]
    return rows


def _game(film: Film, cheats: float, count: Count) -> None:
    truth = random_game(film, PLIES, cheats)
    told: dict[int, list[TurnJudged]] = {}
    table = begin(watching(read_dice=True), 0.0, START)
    for event in [*film.events, FilmEnded(film.t)]:
        if isinstance(event, RollReported):
            continue
        began = time.process_time()
        table, actions = step(table, event)
        if isinstance(event, FrameSeen):
            count.spent.append(time.process_time() - began)
        for action in actions:
            if isinstance(action, TurnJudged):
                told.setdefault(action.ply, []).append(action)
    for ply in truth:
        _compare(ply, told.get(ply.number, []), count)


def _compare(ply: Ply, lines: list[TurnJudged], count: Count) -> None:
    count.plies += 1
    board = bool(lines) and (lines[-1].side, lines[-1].after) == (ply.side, ply.after)
    count.boards += board
    count.right += board and lines[-1].roll == ply.roll
    codes = {reason.code for line in lines if line.legal is False for reason in line.reasons + line.also}
    if ply.cheat is None:
        count.accused += bool(codes)
    else:
        count.illegal += 1
        count.noticed += bool(codes & CHEATS[ply.cheat][1])


def _row(name: str, value: float, unit: str, target: float | None) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "target": target}


if __name__ == "__main__":
    json.dump(run(), sys.stdout, indent=1)
