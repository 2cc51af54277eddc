"""How fast the rules core is, beside a plain generator and, where installed, bgsage and OpenSpiel.

`python -m tests.bench.bench_rules` prints a table and JSON; `--deep` also counts three plies from the start.
Ratios are within one run on one core; absolute figures depend on the machine and its neighbours.
"""

import importlib
import json
import random
import re
import statistics
import sys
import time
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from controller.rules import generator, legality
from controller.rules.judge import judge
from controller.rules.position import START, Position, Side
from controller.rules.roll import Roll
from tests.rules import boards, reference, relaxed
from tests.rules.turns import Turn, counted_cases, played_turns, turn_of

Row = dict[str, Any]
Call = tuple[Any, ...]
REPEATS = 5
BATCH = 100
PLY_3 = {"no opening doubles": (14_514_318, 48_678_745), "doubles too": (29_420_722, 116_154_993)}
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def run(*, deep: bool = False) -> list[Row]:
    """All figures: `name`, `value`, `unit`, where there is something to compare with `ratio`, `target`."""
    counted = [turn_of(case) for case in counted_cases()]
    turns = played_turns(1)
    games = [next(turns) for _ in range(2000)]
    rows = [
        row
        for name, chosen in (
            ("counted positions", counted),
            ("counted positions, two numbers", [turn for turn in counted if not turn[2].is_double]),
            ("counted positions, doubles", [turn for turn in counted if turn[2].is_double]),
            ("random games", games),
        )
        for row in generating(name, chosen)
    ]
    rows += open_spiel_steps()
    rows += checking(counted)
    rows += judging(games[:400])
    if deep:
        rows += three_plies()
    return rows


def fastest(call: Callable[..., object], arguments: Sequence[Call], repeats: int = REPEATS) -> float:
    """Seconds for all calls, the best of some tries for each: neighbours on the machine count little."""
    return side_by_side([(call, arguments)], repeats)[0]


def side_by_side(
    functions: Sequence[tuple[Callable[..., object], Sequence[Call]]], repeats: int = REPEATS
) -> list[float]:
    """Seconds for all calls of each function, the best of some tries for each call.

    The functions take turns, a batch of calls each, so that slow times of the machine meet all of them.
    """
    totals = [0.0] * len(functions)
    for first in range(0, len(functions[0][1]), BATCH):
        for index, (function, calls) in enumerate(functions):
            batch = calls[first : first + BATCH]
            best = [float("inf")] * len(batch)
            for _ in range(repeats):
                for number, call in enumerate(batch):
                    start = time.perf_counter()
                    function(*call)
                    best[number] = min(best[number], time.perf_counter() - start)
            totals[index] += sum(best)
    return totals


def packed_call(turn: Turn) -> tuple[int, bool, int, int]:
    """A turn as the packed generator takes it."""
    position, side, roll = turn
    return position.code, side is Side.DARK, roll.high, roll.low


def generating(name: str, turns: Sequence[Turn]) -> list[Row]:
    """Full sets of distinct results: ours, the plain generator's, bgsage's."""
    calls = [packed_call(turn) for turn in turns]
    results = sum(len(generator.results(*call)[0]) for call in calls)
    plain_calls = [(boards.board(position, side), *roll.dice) for position, side, roll in turns]
    ours, plain = side_by_side([(generator.results, calls), (reference.results, plain_calls)], repeats=3)
    rows: list[Row] = [
        {"name": f"results, {name}", "value": results / ours, "unit": "results/s"},
        {"name": f"positions, {name}", "value": len(turns) / ours, "unit": "positions/s"},
        {
            "name": f"against a plain generator, {name}",
            "value": plain / len(turns) * 1e6,
            "unit": "us per position (plain)",
            "ratio": plain / ours,
            "target": 12.0 if name == "counted positions" else None,
        },
    ]
    bgsage = installed("bgsage")
    if bgsage is not None:
        lists = [([abs(board[0]), *board[1:]], high, low) for board, high, low in plain_calls]
        again, theirs = side_by_side([(generator.results, calls), (bgsage.possible_moves, lists)], repeats=9)
        rows.append(
            {
                "name": f"against bgsage from Python, {name}",
                "value": theirs / len(turns) * 1e6,
                "unit": "us per position (bgsage)",
                "ratio": theirs / again,
                "target": 1.0 if name == "counted positions" else None,
            }
        )
    return rows


def open_spiel_steps() -> list[Row]:
    """OpenSpiel cannot be given a position: its own random games are followed, two different numbers only."""
    spiel = installed("pyspiel")
    if spiel is None:
        return []
    chance = random.Random(1)
    states: list[Any] = []
    calls: list[Call] = []
    state = spiel.load_game("backgammon").new_initial_state()
    while len(calls) < 500:
        if state.is_terminal():
            state = spiel.load_game("backgammon").new_initial_state()
        dice = re.search(r"Dice: ([1-6])([1-6])", str(state))
        if not state.is_chance_node() and dice is not None and dice[1] != dice[2]:
            points = [state.board(0, 23 - place) - state.board(1, 23 - place) for place in range(24)]
            position = Position.of(points, state.board(0, 100), state.board(1, 100))
            side = Side.LIGHT if state.current_player() == 0 else Side.DARK
            calls.append(packed_call((position, side, Roll.of(int(dice[1]), int(dice[2])))))
            states.append(state.clone())
        state.apply_action(chance.choice(state.legal_actions()))
    ours, theirs = side_by_side(
        [(generator.results, calls), (lambda each: each.legal_actions(), [(each,) for each in states])]
    )
    return [
        {
            "name": "against OpenSpiel, encoded actions only, two numbers, its own games",
            "value": theirs / len(calls) * 1e6,
            "unit": "us per position (OpenSpiel)",
            "ratio": theirs / ours,
            "target": None,
        }
    ]


def checking(turns: Iterable[Turn]) -> list[Row]:
    """Legality of given results, against generating them all."""
    chance = random.Random(2)
    legal: list[Call] = []
    illegal: list[Call] = []
    for turn in turns:
        call = packed_call(turn)
        results = generator.results(*call)[0]
        other = sorted((chance.randint(1, 6), chance.randint(1, 6)), reverse=True)
        wrong = generator.results(call[0], call[1], *other)[0] - results
        legal += [(*call, code) for code in chance.sample(sorted(results), min(3, len(results)))]
        illegal += [(*call, code) for code in chance.sample(sorted(wrong), min(3, len(wrong)))]
    rows: list[Row] = []
    for name, calls in (("legal", legal), ("illegal", illegal)):
        checked, generated = side_by_side(
            [(legality.reaches, calls), (generator.results, [call[:4] for call in calls])]
        )
        rows.append(
            {
                "name": f"checks of {name} results, against generating",
                "value": len(calls) / checked,
                "unit": "checks/s",
                "ratio": generated / checked,
                "target": 2.0,
            }
        )
    return rows


def judging(turns: Iterable[Turn]) -> list[Row]:
    """Whole verdicts: legal ones, and illegal ones with their reasons."""
    chance = random.Random(3)
    legal: list[Call] = []
    illegal: list[Call] = []
    for position, side, roll in turns:
        results = generator.results(*packed_call((position, side, roll)))[0]
        legal += [(position, side, roll, Position(code)) for code in chance.sample(sorted(results), 1)]
        waived = chance.choice((*relaxed.STEP_RULES, *relaxed.DICE_RULES))
        if roll.is_double:
            waived = relaxed.DICE_RULES[0]
        found = relaxed.results(boards.board(position, side), *roll.dice, waived)
        wrong = sorted({boards.position(each, side).code for each in found} - results)
        illegal += [
            (position, side, roll, Position(code)) for code in chance.sample(wrong, min(3, len(wrong)))
        ]
    rows: list[Row] = []
    for name, calls in (("legal", legal), ("illegal", illegal)):
        times = [fastest(judge, [call], repeats=2) * 1e3 for call in calls]
        rows += [
            {"name": f"verdicts on {name} results", "value": 1e3 / statistics.mean(times), "unit": "calls/s"},
            {"name": f"verdicts on {name} results, median", "value": statistics.median(times), "unit": "ms"},
            {"name": f"verdicts on {name} results, worst", "value": max(times), "unit": "ms"},
        ]
    rows[-2]["target"] = 1.0
    rows[-1]["target"] = 20.0
    return rows


def three_plies() -> list[Row]:
    """Count the positions three plies from the start, by a hash of 64 bits each, and all paths to them."""
    rows: list[Row] = []
    for name, known in PLY_3.items():
        paths: dict[int, int] = {}
        for high, low in ROLLS:
            if high != low or name == "doubles too":
                for code in generator.results(START.code, False, high, low)[0]:
                    paths[code] = paths.get(code, 0) + 1
        second: dict[int, int] = {}
        for code, times in paths.items():
            for high, low in ROLLS:
                for after in generator.results(code, True, high, low)[0]:
                    second[after] = second.get(after, 0) + times
        start = time.perf_counter()
        distinct, total = third_ply(second)
        rows.append(
            {
                "name": f"three plies from the start, {name}: {distinct:,} distinct, {total:,} paths",
                "value": time.perf_counter() - start,
                "unit": "s",
                "ratio": float((distinct, total) == known),
                "target": 1.0,
            }
        )
    return rows


def third_ply(second: dict[int, int]) -> tuple[int, int]:
    """How many distinct positions follow, and how many paths lead to them."""
    seen: NDArray[np.int64] = np.empty(0, dtype=np.int64)
    waiting = array("q")
    total = 0
    for code, times in second.items():
        for high, low in ROLLS:
            found = generator.results(code, False, high, low)[0]
            total += times * len(found)
            waiting.extend([hash(after.to_bytes(26, "little")) for after in found])
        if len(waiting) > 8_000_000:
            seen = np.union1d(seen, np.frombuffer(waiting, dtype=np.int64))
            waiting = array("q")
    return len(np.union1d(seen, np.frombuffer(waiting, dtype=np.int64))), total


def installed(name: str) -> Any:
    """The module, or `None`."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def show(rows: Sequence[Row]) -> None:
    """The rows as a table for people and as JSON for programs."""
    table = Table("what", "value", "unit", "ratio", "target", title="Rules core")
    for row in rows:
        ratio, target = row.get("ratio"), row.get("target")
        table.add_row(
            row["name"],
            f"{row['value']:,.3g}" if row["value"] < 1000 else f"{row['value']:,.0f}",
            row["unit"],
            "" if ratio is None else f"{ratio:.2f}",
            "" if target is None else f"{target:g}",
        )
    console = Console(width=150)
    console.print(table)
    console.print_json(json.dumps(rows))


if __name__ == "__main__":
    show(run(deep="--deep" in sys.argv[1:]))
