"""Two tables over one match, with a network that is cut: plays lost or doubled, and how far the clocks are off.

Real sockets and clocks, scripted boards. CUTS in the environment says how often the line is cut; 20 if it is not set.
"""

import os
import random
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from controller.config.sections import ClockKind, ClockSection, MatchSection
from controller.referee import Phase
from controller.rules import Side
from controller.rules.moves.plays import legal_plays
from tests.app.two_tables import Network, OneTable, two_tables

CUTS: Final = int(os.environ.get("CUTS", "20"))
RESERVE_S: Final = 3600.0
SHORTEST_S, LONGEST_S = 0.2, 2.0
"""How long a cut lasts."""
LOOK_S: Final = 0.01
PATIENCE_S: Final = 1800.0
SLOW_S: Final = 3.0
"""Where a board shows what it should for so long and nothing comes of it, the person presses the button."""
LENGTH: Final = 1


@dataclass
class Played:
    """What happened in a match of two tables.

    Attributes:
        lost, doubled: turns that one of the records lacks, or has twice.
        clock_s: by how much a clock is off at most, seconds.
        turns, cuts: how many there were.
    """

    lost: int = 0
    doubled: int = 0
    clock_s: float = 0.0
    turns: int = 0
    cuts: int = 0


@dataclass
class Person:
    """Plays one side at its table: rolls, moves at random, moves the other side's checkers as announced."""

    at: OneTable
    rng: random.Random
    _since: float = field(default_factory=time.monotonic)
    _done: object = None

    def act(self) -> None:
        """Whatever is to be done now; once for each state of the table, and the button if nothing comes of it."""
        table = self.at.table.state
        what = table.phase, table.ply, table.thrown, table.announced, table.match.number, table.opening
        if what != self._done:
            self._done, self._since = what, time.monotonic()
            self._begin()
        elif time.monotonic() - self._since > SLOW_S and table.phase in (Phase.MOVING, Phase.TURN_ENDED):
            self._since = time.monotonic()
            self.at.room.ask(
                {"what": "pressed", "side": str(self.at.own), "button": "done"}, str(self.at.own)
            )

    def _begin(self) -> None:
        table, own = self.at.table.state, self.at.own
        dice = self.rng.randint(1, 6), self.rng.randint(1, 6)
        match table.phase:
            case Phase.OPENING_ROLL if own not in table.opening:
                self.at.say("opening_roll", light=dice[0], dark=dice[1])
            case Phase.TO_ROLL if table.match.game.turn is own:
                self.at.say("roll", side=str(own), dice=list(dice))
            case Phase.MOVING if table.announced is not None:
                self.at.lay(table.announced)
            case Phase.MOVING if table.thrown is not None and table.thrown.side is own:
                plays = legal_plays(table.position, own, table.thrown.roll)
                if plays:
                    self.at.lay(self.rng.choice(plays).after)


class Truth:
    """Watches both tables and the network: how long each side had to act at its own table with the line there."""

    def __init__(self, tables: tuple[OneTable, OneTable], network: Network) -> None:
        self.used = dict.fromkeys(Side, 0.0)
        self._tables, self._network, self._over = tables, network, threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> "Truth":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        last = time.monotonic()
        while not self._over.wait(LOOK_S):
            now = time.monotonic()
            for at in self._tables:
                if at.table.state.clock is at.own and not self._network.is_cut and at.up:
                    self.used[at.own] += now - last
            last = now


def play(folder: Path, cuts: int, seed: int = 1, length: int = LENGTH) -> Played:
    """A whole match with so many cuts."""
    rng = random.Random(seed)
    clock = ClockSection(kind=ClockKind.SIMPLE, reserve_s=RESERVE_S, delay_s=0)
    match = MatchSection(light="Anna", dark="Béla", length=length)
    with (
        two_tables(folder, clock=clock, match=match) as (light, dark, network),
        Truth((light, dark), network) as truth,
    ):
        people = [Person(each, rng) for each in (light, dark)]
        cut = _cutter(network, rng, cuts)
        end = time.monotonic() + PATIENCE_S
        while not all(each.table.state.phase is Phase.MATCH_OVER for each in (light, dark)):
            assert time.monotonic() < end, light.said[-800:] + dark.said[-800:]
            for person in people:
                person.act()
            made = cut()
            time.sleep(LOOK_S)
        network.mend()
        light.until(lambda: light.up and dark.up)
        used = {each.own: RESERVE_S - each.left(each.own) for each in (light, dark)}
        off = [abs(used[side] - truth.used[side]) for side in Side]
        off += [abs(light.left(side) - dark.left(side)) for side in Side]
        records = [Counter(each.turns()) for each in (light, dark)]
    (one, other) = records
    both = one | other
    return Played(
        lost=sum((both - one).values()) + sum((both - other).values()),
        doubled=sum(number - 1 for each in records for number in each.values()),
        clock_s=max(off),
        turns=both.total(),
        cuts=made,
    )


def _cutter(network: Network, rng: random.Random, cuts: int) -> Callable[[], int]:
    """Cuts and mends the line at random moments, each time it is called if it is time; how many cuts there were."""
    made, due = 0, time.monotonic() + rng.uniform(1, 3)

    def see() -> int:
        nonlocal made, due
        if time.monotonic() < due:
            return made
        if network.is_cut:
            network.mend()
            due = time.monotonic() + rng.uniform(1, 3)
        elif made < cuts:
            network.cut()
            made, due = made + 1, time.monotonic() + rng.uniform(SHORTEST_S, LONGEST_S)
        return made

    return see


def run() -> list[dict[str, Any]]:
    """Rows of the benchmark table."""
    with tempfile.TemporaryDirectory() as folder:
        played = play(Path(folder), CUTS)
    name = f"two tables, a match of {played.turns} turns, {played.cuts} cuts"
    return [
        {"name": f"{name}: plays lost", "value": played.lost, "target": 0},
        {"name": f"{name}: plays doubled", "value": played.doubled, "target": 0},
        {"name": f"{name}: clock off at most", "value": played.clock_s, "unit": "s", "target": 1.0},
    ]


if __name__ == "__main__":
    for row in run():
        print(row)
