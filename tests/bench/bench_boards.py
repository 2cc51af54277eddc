"""The live referee before painted pictures of many boards: each another one, read by the reader that ships.

The boards differ in form, colours, light, camera and clutter. The players of some have electronic dice; of the others
the dice are read in the pictures, too. Before most of them only a few pictures of each movement are painted: nobody
knows whose hands move there. Before some every picture is, as a camera takes them, and the eyes tell whose hand was
where.

By itself: ``python -m tests.bench.bench_boards [--quick] [--hands]``, with ``--hands`` only before every picture. The
full run takes twenty minutes; what went wrong on which board and in which turn goes to standard error.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from controller.demo.ledger import LoggedTurn
from controller.demo.preparing import prepare
from controller.demo.show import Evening
from controller.referee.table.settings import DiceFrom
from controller.rules.profile.profile import STANDARD
from tests.bench.bench_table import ACCIDENTS, CHEATS, play, row, rows_of_invented, rows_of_plays
from tests.demo.measured_plan import MeasuredPlan
from tests.demo.measuring import Answer, MeasuringLedger

ELECTRONIC: Final = "many painted boards, electronic dice"
CAMERA: Final = "many painted boards, dice in pictures"
WITH_HANDS: Final = ", every picture painted"


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is looked at.

    Attributes:
        boards: how many, half of them with electronic dice.
        plays: how many turns at each, at most: a game may be over sooner.
        first: the seed of the first board; even ones have electronic dice.
        step: how far the seeds are apart.
        hands: whether every picture is painted, so that the eyes tell whose hand was where.
    """

    boards: int = 10
    plays: int = 40
    first: int = 2
    step: int = 1
    hands: bool = False

    @property
    def seeds(self) -> range:
        """The seeds of the boards."""
        return range(self.first, self.first + self.boards * self.step, self.step)


FULL: Final = (Sizes(), Sizes(boards=4, first=102, hands=True))
QUICK: Final = Sizes(boards=2, plays=12)


def run(among: Sequence[Sizes] = FULL) -> list[dict[str, Any]]:
    """Rows of the benchmark table."""
    return [one for sizes in among for one in _rows(sizes)]


def _rows(sizes: Sizes) -> Iterator[dict[str, Any]]:
    found = {seed: evening(seed, sizes.plays, hands=sizes.hands) for seed in sizes.seeds}
    for name, odd in ((ELECTRONIC, 0), (CAMERA, 1)):
        some = [ledger for seed, ledger in found.items() if seed % 2 == odd]
        if some:
            yield from rows_of_boards(name + WITH_HANDS * sizes.hands, some)


def rows_of_boards(name: str, found: Sequence[MeasuringLedger]) -> list[dict[str, Any]]:
    """How plays at these boards were judged, and what stands in the records."""
    stuck = sum(one.stuck for one in found)
    return [
        *rows_of_plays(name, found),
        *rows_of_invented(name, found),
        row(f"{name}: boards at which the table stood still, of {len(found)}", stuck, "", 0),
    ]


def evening(seed: int, plays: int, *, hands: bool = False) -> MeasuringLedger:
    """One game at the board of this seed, or its first turns; what went wrong goes to standard error.

    With ``hands`` every picture is painted, so that the eyes tell whose hand was where.
    """
    began = time.monotonic()
    dice = DiceFrom.CAMERA if seed % 2 else DiceFrom.ELECTRONIC
    ledger = MeasuringLedger()
    plan = MeasuredPlan(1, 25, STANDARD, seed, CHEATS, firmware=False, dice=dice, accidents=ACCIDENTS)
    play(Evening(plan, replace(prepare(seed), all_moving=hands), ledger), plays=plays)
    turns, spent = len(ledger.truths), time.monotonic() - began
    print(f"board {seed}: {turns} turns, {ledger.stuck} stuck, {spent:.0f} s", file=sys.stderr, flush=True)
    for line in _list_wrong(ledger):
        print(f"   {line}", file=sys.stderr, flush=True)
    return ledger


def _list_wrong(ledger: MeasuringLedger) -> Iterator[str]:
    """What an engineer would look at, one line each."""
    yield from _lines("accused", ledger.list_accused(), ledger)
    yield from _lines("invented", ledger.list_invented()[0], ledger)
    yield from _lines("invented, not confirmed", ledger.list_invented()[1], ledger)
    for truth in ledger.truths:
        if truth.cheat is None or truth in ledger.hidden:
            continue
        answer = ledger.answer_to_play(truth)
        if answer in (Answer.OTHER_NAME, Answer.SILENT):
            way = f"{truth.before.compact()} -> {truth.after.compact()}"
            yield f"{answer}: {truth.cheat.wrong} {truth.cheat.points}, ply {truth.ply} {truth.roll} {way}"


def _lines(name: str, wrong: Iterable[LoggedTurn], ledger: MeasuringLedger) -> Iterator[str]:
    for one in wrong:
        turn, codes = one.turn, ", ".join(str(each.code) for each in one.turn.reasons)
        told = f"{turn.before.compact()} -> {turn.after.compact()} {codes or turn.legal} p={turn.probability:.4f}"
        yield f"{name}: ply {turn.ply} {turn.side} {turn.roll} {told}"
        for truth in ledger.truths_of(one):
            yield f"      truly {truth.roll} {truth.before.compact()} -> {truth.after.compact()}"


def main() -> None:
    """Print the rows: sizes as asked for, JSON on standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="look at less: under a minute")
    parser.add_argument("--hands", action="store_true", help="paint every picture, so that hands are known")
    for name in ("boards", "plays", "first", "step"):
        parser.add_argument(f"--{name}", type=int)
    given = vars(parser.parse_args())
    quick = given.pop("quick")
    chosen = {name: value for name, value in given.items() if value not in (None, False)}
    among = [replace(QUICK if quick else Sizes(), **chosen)] if quick or chosen else FULL
    print(json.dumps(run(among), indent=1))


if __name__ == "__main__":
    main()
