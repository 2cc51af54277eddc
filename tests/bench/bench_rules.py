"""How fast the rules core is, beside a plain generator and, where installed, bgsage and OpenSpiel.

`python -m tests.bench.bench_rules` prints a table and JSON; `--quick` leaves out the count of three plies.
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
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from controller.arrays import IntArray
from controller.rules.judging.judge import judge
from controller.rules.moves import generator, legality
from controller.rules.position import START, Position, Roll, Side
from tests.rules import boards, reference, relaxed
from tests.rules.turns import Turn, constructed_turn, counted_cases, played_turns, turn_of

Row = dict[str, Any]
Call = tuple[Any, ...]
Measured = tuple[Callable[..., object], Sequence[Call]]
ROUNDS, TRIES = 4, 3
BATCH = 100
WARM_UP = 4000
"""How many positions the generator meets before new ones are timed."""
WHOLE = ("counted positions", "random games", "random games, each once")
"""The sets of positions that have a target against the plain generator."""
PLY_3 = {"no opening doubles": (14_514_318, 48_678_745), "doubles too": (29_420_722, 116_154_993)}
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def run(*, deep: bool = True) -> list[Row]:
    """All figures: `name`, `value`, `unit`, where there is something to compare with `ratio`, `target`.

    What is asked once comes first, before anything else has filled the tables.
    """
    rows = generating_once()
    counted = [turn_of(case) for case in counted_cases()]
    games = list(islice(played_turns(1), 2000))
    rows += [
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


def side_by_side(functions: Sequence[Measured], rounds: int = ROUNDS) -> list[float]:
    """Seconds for all calls of each function, the best of some tries for each call.

    The functions take turns, a small batch of calls each, and all of that is done in several rounds, so that
    slow times of the machine meet all of them and none of them always.
    """
    best = [[float("inf")] * len(calls) for _, calls in functions]
    for _ in range(rounds):
        for first in range(0, len(functions[0][1]), BATCH):
            for (function, calls), times in zip(functions, best, strict=True):
                for _ in range(TRIES):
                    for number, call in enumerate(calls[first : first + BATCH], start=first):
                        start = time.perf_counter()
                        function(*call)
                        times[number] = min(times[number], time.perf_counter() - start)
    return [sum(times) for times in best]


def once(functions: Sequence[Measured]) -> list[float]:
    """Seconds of the processor for all calls of each function, one try, a batch of each in turn."""
    totals = [0.0] * len(functions)
    for first in range(0, len(functions[0][1]), BATCH):
        for index, (function, calls) in enumerate(functions):
            start = time.process_time()
            for call in calls[first : first + BATCH]:
                function(*call)
            totals[index] += time.process_time() - start
    return totals


def packed_call(turn: Turn) -> tuple[int, bool, int, int]:
    """A turn as the packed generator takes it."""
    position, side, roll = turn
    return position.code, side is Side.DARK, roll.high, roll.low


def plain_call(turn: Turn) -> tuple[reference.Board, int, int]:
    """A turn as the plain generator takes it."""
    position, side, roll = turn
    return boards.board(position, side), *roll.dice


def generating(name: str, turns: Sequence[Turn]) -> list[Row]:
    """Full sets of distinct results, each asked again and again: ours, the plain generator's, bgsage's."""
    return compared(name, turns, turns, side_by_side)


def generating_once() -> list[Row]:
    """The same for positions that are new to the generator, which has met others of the same kind before."""
    chance = random.Random(4)
    rows: list[Row] = []
    for name, turns in (
        ("random games, each once", played_turns(4)),
        ("made-up positions, each once", iter(lambda: constructed_turn(chance), None)),
    ):
        met, first, second = (list(islice(turns, number)) for number in (WARM_UP, 2000, 2000))
        for turn in met:
            generator.results(*packed_call(turn))
        rows += compared(name, first, second, once)
    return rows


def compared(
    name: str,
    turns: Sequence[Turn],
    others: Sequence[Turn],
    measure: Callable[[Sequence[Measured]], list[float]],
) -> list[Row]:
    """The rows of a set of positions: `turns` beside the plain generator, `others` beside bgsage."""
    calls, plain_calls = [packed_call(turn) for turn in turns], [plain_call(turn) for turn in turns]
    ours, plain = measure([(generator.results, calls), (reference.results, plain_calls)])
    results = sum(len(generator.results(*call)[0]) for call in calls)
    rows: list[Row] = [
        {"name": f"results, {name}", "value": results / ours, "unit": "results/s"},
        {"name": f"positions, {name}", "value": len(turns) / ours, "unit": "positions/s"},
        {
            "name": f"against a plain generator, {name}",
            "value": plain / len(turns) * 1e6,
            "unit": "us per position (plain)",
            "ratio": plain / ours,
            "target": 12.0 if name in WHOLE else None,
        },
    ]
    bgsage = installed("bgsage")
    if bgsage is not None:
        calls, plain_calls = [packed_call(turn) for turn in others], [plain_call(turn) for turn in others]
        lists = [([abs(board[0]), *board[1:]], high, low) for board, high, low in plain_calls]
        ours, theirs = measure([(generator.results, calls), (bgsage.possible_moves, lists)])
        rows.append(
            {
                "name": f"against bgsage from Python, {name}",
                "value": theirs / len(others) * 1e6,
                "unit": "us per position (bgsage)",
                "ratio": theirs / ours,
                "target": 1.0,
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
            position = Position.from_counts(points, state.board(0, 100), state.board(1, 100))
            side = Side.LIGHT if state.current_player() == 0 else Side.DARK
            calls.append(packed_call((position, side, Roll.from_dice(int(dice[1]), int(dice[2])))))
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
        times = [side_by_side([(judge, [call])])[0] * 1e3 for call in calls]
        rows += [
            {"name": f"verdicts on {name} results", "value": 1e3 / statistics.mean(times), "unit": "calls/s"},
            {"name": f"verdicts on {name} results, median", "value": statistics.median(times), "unit": "ms"},
            {"name": f"verdicts on {name} results, worst", "value": max(times), "unit": "ms"},
        ]
    rows[-2]["target"] = 1.0
    rows[-1]["target"] = 20.0
    return rows


def three_plies() -> list[Row]:
    """Count the positions three plies from the start, by a hash of 64 bits each, and all paths to them.

    What can follow an opening without doubles is counted first; doubles only add to it.
    """
    start = time.perf_counter()
    plain, every = (
        second_ply(opening) for opening in ([roll for roll in ROLLS if roll[0] != roll[1]], ROLLS)
    )
    rows: list[Row] = []
    seen: IntArray = np.empty(0, dtype=np.int64)
    paths = dict.fromkeys(PLY_3, 0)
    for name, codes in (("no opening doubles", plain), ("doubles too", every.keys() - plain.keys())):
        chunks = [seen]
        for hashes, numbers in third_ply(codes):
            chunks.append(hashes)
            for code, number in numbers:
                paths["no opening doubles"] += plain.get(code, 0) * number
                paths["doubles too"] += every[code] * number
        seen = np.unique(np.concatenate(chunks))
        rows.append(
            {
                "name": f"three plies from the start, {name}: {len(seen):,} distinct, {paths[name]:,} paths",
                "value": time.perf_counter() - start,
                "unit": "s",
                "ratio": float((len(seen), paths[name]) == PLY_3[name]),
                "target": 1.0,
            }
        )
    return rows


def second_ply(opening: Iterable[tuple[int, int]]) -> dict[int, int]:
    """The positions two plies from the start, and how many paths lead to each."""
    first: dict[int, int] = {}
    for high, low in opening:
        for code in generator.results(START.code, False, high, low)[0]:
            first[code] = first.get(code, 0) + 1
    second: dict[int, int] = {}
    for code, paths in first.items():
        for high, low in ROLLS:
            for after in generator.results(code, True, high, low)[0]:
                second[after] = second.get(after, 0) + paths
    return second


def third_ply(codes: Iterable[int]) -> Iterator[tuple[IntArray, list[tuple[int, int]]]]:
    """Distinct hashes of what follows, some million at a time, and how many results each position has."""
    hashes, numbers = array("q"), []
    for code in codes:
        number = 0
        for high, low in ROLLS:
            found = generator.results(code, False, high, low)[0]
            number += len(found)
            hashes.extend([hash(after.to_bytes(26, "little")) for after in found])
        numbers.append((code, number))
        if len(hashes) > 8_000_000:
            yield np.unique(np.frombuffer(hashes, dtype=np.int64)), numbers
            hashes, numbers = array("q"), []
    yield np.unique(np.frombuffer(hashes, dtype=np.int64)), numbers


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
    show(run(deep="--quick" not in sys.argv[1:]))
