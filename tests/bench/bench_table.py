"""The live referee at the simulated table: many plays looked at without pictures, some with, and its speed.

The eye that looks straight at the truth errs also for good in a place, honest players have accidents, and whatever is
done wrong is labelled by what is done.

By itself: ``python -m tests.bench.bench_table [--quick]``; the quick run takes about a minute and paints nothing.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import numpy as np

from controller.demo.ledger import Ledger
from controller.demo.preparing import Prepared, prepare
from controller.demo.show import Evening, Show, StuckError
from controller.record.files.match_text import MatchFileError
from controller.referee.actions import Action, Flagged, TurnJudged
from controller.referee.table.settings import DiceFrom
from controller.rules.position import START
from controller.rules.profile.profile import STANDARD
from controller.simulation.boards.arranging import arrange
from controller.vision.reader import read_board
from tests.bench.reliability import Stated, rows_of_calibration
from tests.demo.measured_plan import MeasuredPlan
from tests.demo.measuring import Answer, LoggedDeed, MeasuringLedger
from tests.demo.rogues import GREEDY, OUT_OF_TURN, ROGUES, Misdeed
from tests.demo.truthful import TruthfulSight, truthful
from tests.demo.truthful_eye import LASTING, Errors

CHEATS, GREEDY_CHEATS = 14.0, 30.0
ACCIDENTS = 0.1
"""Share of the honest turns that something befalls: far more than at a real table, to see enough of them."""
TEMPTED = 0.3
"""Share of the moments at which a rogue does what is no part of its play."""
LATENCY_PLIES = 12
LATENCY_FPS = 30.0
ROGUE_SEED: Final = 500_000
DISTURBING: Final = OUT_OF_TURN | {Misdeed.HIDES, Misdeed.TURNS_CUBE, Misdeed.DOUBLES_LATE}
"""After these the other side must not be accused of anything."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a table is watched.

    Attributes:
        name: for people.
        dice: who tells the rolls.
        trays: whether they are in sight; None where the board decides.
        tells_hands: whether the eye tells whose hand was where, as that of a live camera does.
        rogues: whether its players do what is no part of a play.
        errors: how often the eye errs.
    """

    name: str
    dice: DiceFrom
    trays: bool | None = None
    tells_hands: bool = True
    rogues: bool = False
    errors: Errors = LASTING

    def evening(self, seed: int) -> Evening:
        """An evening of one game. Every third one is of greedy players: bear-offs are rare in a game."""
        plan = MeasuredPlan(
            1,
            25,
            STANDARD,
            seed,
            CHEATS,
            firmware=False,
            accidents=ACCIDENTS,
            dice=self.dice,
        )
        if self.rogues:
            # Cheats are rarer here: what is done beside a play is what is looked at.
            plan = replace(
                plan,
                seed=ROGUE_SEED + seed,
                cheats=CHEATS / 4,
                accidents=0.0,
                temperaments=ROGUES,
                tempted=TEMPTED,
            )
        elif seed % 3 == 0:
            plan = replace(plan, cheats=GREEDY_CHEATS, temperaments=(GREEDY, GREEDY))
        return Evening(plan, self._sight(plan), MeasuringLedger())

    def _sight(self, plan: MeasuredPlan) -> TruthfulSight:
        return truthful(plan, self.errors, self.trays, tells_hands=self.tells_hands)


ELECTRONIC: Final = Manner("electronic dice", DiceFrom.ELECTRONIC)
CAMERA: Final = Manner("dice in pictures", DiceFrom.CAMERA, trays=True)
NO_TRAYS: Final = Manner("dice in pictures, no trays", DiceFrom.CAMERA, trays=False)
ROGUES_ELECTRONIC: Final = Manner(
    "rogues, electronic dice", DiceFrom.ELECTRONIC, rogues=True, tells_hands=False
)
ROGUES_CAMERA: Final = Manner("rogues, dice in pictures", DiceFrom.CAMERA, rogues=True, tells_hands=False)
ROGUES_HANDS: Final = Manner("rogues, dice in pictures, told whose hand", DiceFrom.CAMERA, rogues=True)
MANNERS: Final = (CAMERA, NO_TRAYS, ELECTRONIC, ROGUES_CAMERA, ROGUES_HANDS, ROGUES_ELECTRONIC)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is looked at.

    Attributes:
        plies: plays of each manner, at least.
        misdeeds: deeds beside a play of each manner, at least.
        painted: plays looked at in painted pictures; 0 paints nothing and measures no times of reading.
    """

    plies: int = 300
    misdeeds: int = 30
    painted: int = 20


FULL: Final = Sizes()
QUICK: Final = Sizes(plies=60, misdeeds=8, painted=0)


class _EnoughError(Exception):
    """What was to be seen was seen."""


def run(sizes: Sizes = FULL) -> list[dict[str, Any]]:
    """Rows of the benchmark table."""
    rows: list[dict[str, Any]] = []
    everything: list[MeasuringLedger] = []
    for manner in MANNERS:
        found = _evenings(manner, sizes)
        rows += (_rows_of_deeds if manner.rogues else rows_of_plays)(f"simulated table, {manner.name}", found)
        everything += found
    rows += _all(everything)
    if not sizes.painted:
        return rows
    prepared = prepare(1)
    shown = painted(sizes.painted, prepared)
    return [*rows, *rows_of_plays("simulated table, painted pictures", shown), *latency(prepared)]


def evenings(sizes: Sizes) -> list[MeasuringLedger]:
    """Evenings of all manners, before no pictures."""
    return [ledger for manner in MANNERS for ledger in _evenings(manner, sizes)]


def _evenings(manner: Manner, sizes: Sizes) -> list[MeasuringLedger]:
    if manner.rogues:
        return ledgers(manner.evening, lambda found: sum(len(one.done) for one in found) >= sizes.misdeeds)
    return ledgers(manner.evening, lambda found: _turns(found) >= sizes.plies)


def _turns(found: Sequence[MeasuringLedger]) -> int:
    return sum(len(ledger.truths) for ledger in found)


def stated(found: Iterable[MeasuringLedger]) -> list[Stated]:
    """How surely each turn was told, and whether it was so."""
    return [one for ledger in found for one in ledger.list_stated()]


def row(name: str, value: float, unit: str, target: float | str) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "target": target}


def _painted_evening(seed: int, prepared: Prepared) -> Evening:
    return Evening(MeasuredPlan(1, 25, STANDARD, seed, CHEATS, firmware=False), prepared, MeasuringLedger())


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
        evening = _painted_evening(len(found) + 1, prepared)
        play(evening, plays=left)
        found.append(_ledger_of(evening))
    return found


def play(
    evening: Evening,
    tell: Callable[[Action], None] = lambda _: None,
    attend: Callable[[Show], None] = lambda _: None,
    plays: int | None = None,
) -> None:
    """An evening's games, or no more of them than so many plays; one at which a table stands still ends there.

    The play after the last one is played, so that the referee could speak of that one, and then counts for nothing.
    """

    def watch(show: Show) -> None:
        attend(show)
        if plays is not None and len(evening.ledger.truths) > plays:
            _leave_out_last(evening.ledger)
            raise _EnoughError

    number = 0
    while evening.played < evening.plan.games:
        try:
            with tempfile.TemporaryDirectory() as folder, evening.folder(Path(folder)) as match:
                evening.match(number, match, tell, watch)
        except _EnoughError:
            return
        except StuckError:
            _ledger_of(evening).stuck += 1
            return
        except MatchFileError:
            # What was told is no match that other programs could read; what was told is measured all the same.
            _ledger_of(evening).unreadable += 1
        number += 1


def _leave_out_last(ledger: Ledger) -> None:
    last = ledger.truths.pop()
    ledger.verdicts = [one for one in ledger.verdicts if one.key != (last.game, last.ply)]


def rows_of_plays(name: str, found: Sequence[MeasuringLedger]) -> list[dict[str, Any]]:
    """How honest and illegal plays were judged."""
    truths = [truth for ledger in found for truth in ledger.truths]
    honest = [truth for truth in truths if truth.cheat is None]
    right, counted = _sums(one.count_concluded() for one in found)
    in_time, illegal = _sums(one.count_told_in_time() for one in found)
    answers = [
        (truth.cheat.wrong, one.answer_to_play(truth))
        for one in found
        for truth in one.truths
        if truth.cheat is not None and truth not in one.hidden
    ]
    waits = sorted(wait for one in found for wait in one.waits())
    befallen = sum(len(one.befell) for one in found)
    return [
        row(f"{name}: plays concluded as they were, of {counted}", _percent(right, counted), "%", ""),
        row(
            f"{name}: honest plays accused, of {len(honest)}, among them {befallen} that something befell",
            sum(len(one.list_accused()) for one in found),
            "",
            0,
        ),
        *_rows_of_accidents(found),
        *_rows_of_answers(f"{name}: illegal plays", answers, 97),
        row(f"{name}: illegal plays told before the next roll", _percent(in_time, illegal), "%", 90),
        row(f"{name}: turn over and hand gone -> verdict, median", _at(waits, 0.5), "s", 0.5),
        row(f"{name}: the same, 95 %", _at(waits, 0.95), "s", ""),
        row(f"{name}: plays a person had to help with", sum(one.helped for one in found), "", ""),
    ]


def _rows_of_accidents(found: Sequence[MeasuringLedger]) -> Iterator[dict[str, Any]]:
    """What honest turns are called illegal, by what befell them."""
    happened = Counter(kind for one in found for kind in one.befell.values())
    accused = Counter(
        kind for one in found for turn in one.list_accused() if (kind := one.befell.get(turn.key))
    )
    for kind in sorted(happened):
        yield row(f"  accused after {kind}, of {happened[kind]}", accused[kind], "", 0)


def _rows_of_answers(
    name: str, answers: Sequence[tuple[StrEnum, Answer]], target: float | str
) -> Iterator[dict[str, Any]]:
    """What was named, asked about, and passed over: in all, and of each kind."""
    everything = Counter(answer for _, answer in answers)
    yield row(_answered(f"{name} named", everything), _named(everything), "%", target)
    for kind in sorted({kind for kind, _ in answers}):
        of_kind = Counter(answer for other, answer in answers if other is kind)
        yield row(_answered(f"  {kind} named", of_kind), _named(of_kind), "%", "")


def _answered(name: str, answers: Counter[Answer]) -> str:
    others = ", ".join(
        f"{answer.replace('_', ' ')} {answers[answer]}"
        for answer in (Answer.OTHER_NAME, Answer.ASKED, Answer.SILENT)
        if answers[answer]
    )
    return f"{name}, of {answers.total()}{f' ({others})' if others else ''}"


def _named(answers: Counter[Answer]) -> float:
    return _percent(answers[Answer.NAMED], answers.total())


def _rows_of_deeds(name: str, found: Sequence[MeasuringLedger]) -> list[dict[str, Any]]:
    """What was made of deeds beside a play."""
    answers = [(deed.what, one.answer_to_deed(deed)) for one in found for deed in one.done]
    honest = sum(truth.cheat is None for one in found for truth in one.truths)
    return [
        row(
            f"{name}: the honest side accused after one of {len(disturbances(found))} times that the other side "
            "moved, pushed, hid or turned the cube",
            sum(len(one.list_accused_for_other()) for one in found),
            "",
            0,
        ),
        row(
            f"{name}: other honest plays accused, of {honest}",
            sum(len(one.list_accused()) for one in found),
            "",
            0,
        ),
        *_rows_of_answers(f"{name}: deeds beside a play", answers, ""),
    ]


def rows_of_invented(name: str, found: Sequence[MeasuringLedger]) -> list[dict[str, Any]]:
    """Turns in the record that nobody made."""
    certain, unsure = (sum(len(one.list_invented()[at]) for one in found) for at in range(2))
    told = f"{name}: turns written as certain whose position the board never had, of {_turns(found)}"
    return [
        row(told, certain, "", 0),
        row(f'{name}: the same with "not confirmed" beside them', unsure, "", ""),
    ]


def _all(found: Sequence[MeasuringLedger]) -> list[dict[str, Any]]:
    name = "simulated table"
    unconfirmed, told = _sums(one.count_unconfirmed() for one in found)
    return [
        *rows_of_invented(name, found),
        row(f"{name}: turns not confirmed in the end, of {told}", unconfirmed, "", ""),
        row(f"{name}: evenings at which the table stood still", sum(one.stuck for one in found), "", 0),
        row(
            f"{name}: records that fit no file of other programs", sum(one.unreadable for one in found), "", 0
        ),
        *rows_of_calibration(name, stated(found)),
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
    plan = MeasuredPlan(1, 25, STANDARD, 11, 6.0, LATENCY_FPS, firmware=True)
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
        row("hand gone -> verdict and lights, median", round(statistics.median(total), 0), "ms", 250),
        row("the same, 95 %", round(sorted(total)[int(0.95 * (len(total) - 1))], 0), "ms", 500),
        row("of this reading one picture", round(1000 * reading), "ms", ""),
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
    for name in ("plies", "misdeeds", "painted"):
        parser.add_argument(f"--{name}", type=int, help="at least so many")
    given = vars(parser.parse_args())
    sizes = QUICK if given.pop("quick") else FULL
    rows = run(replace(sizes, **{name: value for name, value in given.items() if value is not None}))
    print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
