"""The live referee at the simulated table: many plays looked at without pictures, some with, and its speed."""

import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from controller.demo.evening import Evening, Plan
from controller.demo.ledger import Ledger
from controller.demo.preparing import Prepared, prepare
from controller.demo.show import Show
from controller.referee.actions import TurnJudged
from controller.referee.table.actions import Action, Flagged
from controller.rules.position import START
from controller.rules.profile import STANDARD
from controller.simulation.arranging import arrange
from controller.vision.reader import read_board

PLIES = 2_000
BREACHES = 500
PAINTED_PLIES = 100
GAMES_AT_A_TIME = 4
CHEATS = 14.0
LATENCY_PLIES = 12
LATENCY_FPS = 30.0


class _EnoughError(Exception):
    """What was to be seen was seen."""


def run() -> list[dict[str, Any]]:
    """Rows of the benchmark table."""
    prepared = prepare(1)
    return [
        *_judged("readings from the truth", PLIES, BREACHES, None),
        *_judged("painted pictures", PAINTED_PLIES, 0, prepared),
        *latency(prepared),
    ]


def _row(name: str, value: float, unit: str, target: float | str) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "target": target}


def ledgers(plies: int, breaches: int, prepared: Prepared | None) -> list[Ledger]:
    """Evenings with many cheats until so many plays were legal and so many illegal."""
    found: list[Ledger] = []
    legal = illegal = seed = 0
    while legal < plies or illegal < breaches:
        seed += 1
        games = GAMES_AT_A_TIME if prepared is None else 1
        evening = Evening(Plan(games, 25, STANDARD, seed, CHEATS, firmware=False), prepared)

        play(evening, plays=None if prepared is None else plies - legal)
        found.append(evening.ledger)
        legal += sum(truth.breaks is None for truth in evening.ledger.truths)
        illegal += sum(truth.breaks is not None for truth in evening.ledger.truths)
    return found


def play(
    evening: Evening,
    tell: Callable[[Action], None] = lambda _: None,
    attend: Callable[[Show], None] = lambda _: None,
    plays: int | None = None,
) -> None:
    """An evening's games, or no more of them than so many plays."""

    def watch(show: Show) -> None:
        attend(show)
        if plays is not None and len(evening.ledger.truths) >= plays:
            raise _EnoughError

    number = 0
    while evening.played < evening.plan.games:
        with tempfile.TemporaryDirectory() as folder, evening.folder(Path(folder)) as match:
            try:
                evening.match(number, match, tell, watch)
            except _EnoughError:
                return
        number += 1


def _judged(how: str, plies: int, breaches: int, prepared: Prepared | None) -> list[dict[str, Any]]:
    found = ledgers(plies, breaches, prepared)
    truths = [truth for ledger in found for truth in ledger.truths]
    legal = sum(truth.breaks is None for truth in truths)
    noticed = [one for ledger in found for one in ledger.noticed()]
    kinds = Counter(truth.breaks for truth, _ in noticed)
    right, counted = (sum(column) for column in zip(*(ledger.concluded() for ledger in found), strict=True))
    name = f"simulated table, {how}"
    return [
        _row(f"{name}: plays", len(truths), "", f">= {plies}"),
        _row(f"{name}: concluded as they were", round(100 * right / counted, 2), "%", ""),
        _row(f"{name}: {legal} legal plays called illegal", sum(len(one.accused()) for one in found), "", 0),
        _row(
            f"{name}: {len(noticed)} illegal plays of {len(kinds)} kinds noticed with the reason",
            round(100 * sum(ok for _, ok in noticed) / max(1, len(noticed)), 2),
            "%",
            99,
        ),
        _row(f"{name}: plays a person had to help with", sum(one.helped for one in found), "", ""),
    ]


def latency(prepared: Prepared) -> list[dict[str, Any]]:
    """Seconds from a hand gone and the button pressed to verdict and lights.

    Of virtual time as the pictures come at 30 a second, and of real time the work on the pictures in between.
    """
    plan = Plan(1, 25, STANDARD, 11, 6.0, LATENCY_FPS, firmware=True)
    evening = Evening(plan, prepared)
    waits: dict[tuple[int, int], float] = {}
    gone = 0.0

    def attend(show: Show) -> None:
        nonlocal gone
        gone = show.t if show.table.moving else gone

    def tell(action: Action) -> None:
        if not isinstance(action, TurnJudged | Flagged) or not evening.ledger.truths:
            return
        turn = action.turn if isinstance(action, Flagged) else action
        ended = evening.ledger.truths[-1]
        if turn.ply == ended.ply:
            waits.setdefault((ended.game, ended.ply), action.t - max(gone, ended.ended_t))

    play(evening, tell, attend, plays=LATENCY_PLIES)
    reading = _reading_s(prepared)
    total = [1000 * (wait + reading) for wait in waits.values()]
    return [
        _row("hand gone -> verdict and lights, median", round(statistics.median(total), 0), "ms", 250),
        _row("the same, 95 %", round(sorted(total)[int(0.95 * (len(total) - 1))], 0), "ms", 500),
        _row("of this reading one picture", round(1000 * reading), "ms", ""),
    ]


def _reading_s(prepared: Prepared) -> float:
    """CPU seconds of reading one picture, median of five."""
    rng = np.random.default_rng(1)
    picture = prepared.painter.paint(arrange(prepared.setting, START, rng), rng).picture
    spent = []
    for _ in range(5):
        began = time.process_time()
        read_board(picture, prepared.board)
        spent.append(time.process_time() - began)
    return statistics.median(spent)
