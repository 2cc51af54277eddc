"""The live referee at the simulated table: many plays looked at without pictures, some with, and its speed.

By itself: ``python -m tests.bench.bench_table [--quick]``; the quick run takes about a minute and paints nothing.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from controller.demo.preparing import Prepared, prepare
from controller.demo.show import Evening, Plan, Show, StuckError
from controller.referee.actions import Action, Flagged, TurnJudged
from controller.rules.position import START
from controller.rules.profile.profile import STANDARD
from controller.simulation.boards.arranging import arrange
from controller.simulation.players.temperament import GREEDY, OUT_OF_TURN, ROGUES, TEMPERAMENTS, Misdeed
from controller.vision.reader import read_board
from tests.demo.measuring import LoggedDeed, MeasuringLedger
from tests.demo.mischief import tempting

GAMES_AT_A_TIME = 4
CHEATS, GREEDY_CHEATS = 14.0, 30.0
TEMPTED = 0.3
"""Share of the moments at which a rogue does what is no part of its play."""
LATENCY_PLIES = 12
LATENCY_FPS = 30.0
ROGUE_SEED: Final = 500_000
DISTURBING: Final = OUT_OF_TURN | {Misdeed.HIDES, Misdeed.TURNS_CUBE}
"""After these the other side must not be accused of anything."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is looked at.

    Attributes:
        plies: legal plays, at least.
        breaches: illegal plays, at least.
        misdeeds: deeds beside a play that could be held against the other side, at least.
        painted: plays looked at in painted pictures; 0 paints nothing and measures no times of reading.
    """

    plies: int = 5_000
    breaches: int = 1_000
    misdeeds: int = 1_000
    painted: int = 100


FULL: Final = Sizes()
QUICK: Final = Sizes(plies=300, breaches=50, misdeeds=30, painted=0)


class _EnoughError(Exception):
    """What was to be seen was seen."""


def run(sizes: Sizes = FULL) -> list[dict[str, Any]]:
    """Rows of the benchmark table."""
    players = ledgers(lambda seed: _players(seed, None), lambda found: _legal_and_illegal(found, sizes))
    rogues = ledgers(_rogues, lambda found: len(disturbances(found)) >= sizes.misdeeds)
    rows = [*_judged("readings from the truth", players), *_beside(rogues), *_both([*players, *rogues])]
    if not sizes.painted:
        return rows
    prepared = prepare(1)
    return [*rows, *_judged("painted pictures", painted(sizes.painted, prepared)), *latency(prepared)]


def _row(name: str, value: float, unit: str, target: float | str) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "target": target}


def _players(seed: int, prepared: Prepared | None) -> Evening:
    """Every third evening that is not painted is one of greedy players: bear-offs are rare in a game."""
    if prepared is not None:
        return Evening(Plan(1, 25, STANDARD, seed, CHEATS, firmware=False), prepared, MeasuringLedger())
    greedy = seed % 3 == 0
    tempers = (GREEDY, GREEDY) if greedy else TEMPERAMENTS
    cheats = GREEDY_CHEATS if greedy else CHEATS
    plan = Plan(GAMES_AT_A_TIME, 25, STANDARD, seed, cheats, firmware=False, temperaments=tempers)
    return Evening(plan, None, MeasuringLedger())


def _rogues(seed: int) -> Evening:
    """Cheats are rarer here: what is done beside a play is what is looked at."""
    plan = Plan(1, 25, STANDARD, ROGUE_SEED + seed, CHEATS / 4, firmware=False, temperaments=ROGUES)
    return Evening(plan, None, MeasuringLedger(), mischief=tempting(TEMPTED))


def _legal_and_illegal(found: Sequence[MeasuringLedger], sizes: Sizes) -> bool:
    truths = [truth for ledger in found for truth in ledger.truths]
    illegal = sum(truth.cheat is not None for truth in truths)
    return len(truths) - illegal >= sizes.plies and illegal >= sizes.breaches


def disturbances(found: Sequence[MeasuringLedger]) -> list[LoggedDeed]:
    """What was done by one side that could be held against the other."""
    return [one for ledger in found for one in ledger.done if one.what in DISTURBING]


def ledgers(
    of: Callable[[int], Evening], enough: Callable[[Sequence[MeasuringLedger]], bool]
) -> list[MeasuringLedger]:
    """Evenings, one after the other, until there is enough to tell."""
    found: list[MeasuringLedger] = []
    while not enough(found):
        evening = of(len(found) + 1)
        play(evening)
        found.append(_ledger_of(evening))
    return found


def _ledger_of(evening: Evening) -> MeasuringLedger:
    assert isinstance(evening.ledger, MeasuringLedger)
    return evening.ledger


def painted(plies: int, prepared: Prepared) -> list[MeasuringLedger]:
    """Evenings before painted pictures, with so many legal plays in all."""
    found: list[MeasuringLedger] = []
    while (left := plies - sum(truth.cheat is None for one in found for truth in one.truths)) > 0:
        evening = _players(len(found) + 1, prepared)
        play(evening, plays=left)
        found.append(_ledger_of(evening))
    return found


def play(
    evening: Evening,
    tell: Callable[[Action], None] = lambda _: None,
    attend: Callable[[Show], None] = lambda _: None,
    plays: int | None = None,
) -> None:
    """An evening's games, or no more of them than so many plays; one at which a table stands still ends there."""

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
            except StuckError:
                _ledger_of(evening).stuck += 1
                return
        number += 1


def _judged(how: str, found: Sequence[MeasuringLedger]) -> list[dict[str, Any]]:
    """How honest and illegal plays were judged."""
    truths = [truth for ledger in found for truth in ledger.truths]
    honest = sum(truth.cheat is None for truth in truths)
    noticed = [one for ledger in found for one in ledger.list_noticed()]
    kinds = Counter(truth.cheat.wrong for truth, _ in noticed if truth.cheat is not None)
    seen = Counter(truth.cheat.wrong for truth, ok in noticed if ok and truth.cheat is not None)
    right, counted = _sums(one.count_concluded() for one in found)
    in_time, illegal = _sums(one.count_told_in_time() for one in found)
    waits = sorted(wait for one in found for wait in one.waits())
    name = f"simulated table, {how}"
    return [
        _row(f"{name}: plays", len(truths), "", ""),
        _row(f"{name}: concluded as they were", _percent(right, counted), "%", ""),
        _row(
            f"{name}: honest plays accused, of {honest}", sum(len(one.list_accused()) for one in found), "", 0
        ),
        _row(
            f"{name}: {illegal} illegal plays of {len(kinds)} kinds noticed with a right reason",
            _percent(sum(seen.values()), illegal),
            "%",
            99,
        ),
        *(
            _row(f"  {kind} noticed, of {kinds[kind]}", _percent(seen[kind], kinds[kind]), "%", "")
            for kind in sorted(kinds)
        ),
        _row(f"{name}: illegal plays told before the next roll", _percent(in_time, illegal), "%", 90),
        _row(f"{name}: turn over and hand gone -> verdict, median", _at(waits, 0.5), "s", 0.5),
        _row(f"{name}: the same, 95 %", _at(waits, 0.95), "s", ""),
        _row(f"{name}: plays a person had to help with", sum(one.helped for one in found), "", ""),
    ]


def _beside(found: Sequence[MeasuringLedger]) -> list[dict[str, Any]]:
    """What was made of deeds beside a play."""
    done = [one for ledger in found for one in ledger.done]
    kinds = Counter(one.what for one in done)
    seen = Counter(one.what for one in done if one.noticed)
    honest = sum(truth.cheat is None for one in found for truth in one.truths)
    return [
        _row(
            "simulated table: the honest side accused after one of "
            f"{len(disturbances(found))} times that the other side moved, pushed, hid or turned the cube",
            sum(len(one.list_accused_for_other()) for one in found),
            "",
            0,
        ),
        _row(
            f"simulated table, among rogues: other honest plays accused, of {honest}",
            sum(len(one.list_accused()) for one in found),
            "",
            0,
        ),
        *(
            _row(f"  {kind} noticed, of {kinds[kind]}", _percent(seen[kind], kinds[kind]), "%", "")
            for kind in sorted(kinds)
        ),
    ]


def _both(found: Sequence[MeasuringLedger]) -> list[dict[str, Any]]:
    turns = sum(len(one.truths) for one in found)
    return [
        _row(
            f"simulated table: turns written as certain whose position was not the board's, of {turns}",
            sum(len(one.list_misplaced()) for one in found),
            "",
            0,
        ),
        _row(
            "simulated table: evenings at which the table stood still", sum(one.stuck for one in found), "", 0
        ),
    ]


def _percent(part: int, whole: int) -> float:
    return round(100 * part / max(1, whole), 2)


def _sums(pairs: Any) -> tuple[int, int]:
    first, second = (sum(column) for column in zip(*pairs, strict=True))
    return first, second


def _at(values: Sequence[float], share: float) -> float:
    return round(values[int(share * (len(values) - 1))], 2) if values else 0.0


def latency(prepared: Prepared) -> list[dict[str, Any]]:
    """Seconds from a hand gone and the button pressed to verdict and lights.

    Of virtual time as the pictures come at 30 a second, and of real time the work on the pictures in between.
    """
    plan = Plan(1, 25, STANDARD, 11, 6.0, LATENCY_FPS, firmware=True)
    evening = Evening(plan, prepared, MeasuringLedger())
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


def main() -> None:
    """Print the rows: sizes as asked for, JSON on standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="look at less: about a minute")
    for name in ("plies", "breaches", "misdeeds", "painted"):
        parser.add_argument(f"--{name}", type=int, help="at least so many")
    given = vars(parser.parse_args())
    sizes = QUICK if given.pop("quick") else FULL
    rows = run(replace(sizes, **{name: value for name, value in given.items() if value is not None}))
    print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
