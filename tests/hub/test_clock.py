"""The hub's time runs evenly, and follows when the machine's clock is set."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path

import pytest

from controller.even_clock import EvenClock
from controller.hub import hub as hub_module
from tests.hub.hubs import running_hub, until
from tests.hub.plain_tables import PlainTable, PlainTables

A_DAY_NS = 86_400_000_000_000
S = 1_000_000_000


@dataclass
class Machine:
    """Its two clocks, in nanoseconds."""

    wall_ns: int = 20_000 * A_DAY_NS
    steady_ns: int = 5 * S

    def wall(self) -> int:
        return self.wall_ns

    def steady(self) -> int:
        return self.steady_ns

    def wait(self, ns: int) -> None:
        self.wall_ns += ns
        self.steady_ns += ns


@pytest.mark.parametrize("by_ns", [30 * A_DAY_NS, -30 * A_DAY_NS])
def test_a_clock_that_is_set_is_followed_once(by_ns: int) -> None:
    machine = Machine()
    clock = EvenClock(machine.wall, machine.steady)
    machine.wait(3 * S)
    machine.wall_ns += by_ns
    machine.wait(2 * S)
    assert clock() == (machine.wall_ns - by_ns) // 1_000_000
    assert clock.follow() == by_ns // 1_000_000
    assert clock() == machine.wall_ns // 1_000_000
    machine.wait(7 * S)
    assert clock.follow() == 0
    assert clock() == machine.wall_ns // 1_000_000


def test_small_steps_of_the_clock_are_not_followed() -> None:
    machine = Machine()
    clock = EvenClock(machine.wall, machine.steady)
    machine.wall_ns -= S // 2
    before = clock()
    assert clock.follow() == 0
    assert clock() == before


def test_a_program_that_is_held_up_between_two_looks_does_not_take_that_for_a_clock_that_was_set() -> None:
    machine = Machine()
    held: Iterator[int] = chain([0, 0, 4 * S], repeat(0))

    def wall() -> int:
        machine.wait(next(held))
        return machine.wall_ns

    clock = EvenClock(wall, machine.steady)
    assert clock.follow() == 0
    assert clock.follow() == 0
    assert clock() == machine.wall_ns // 1_000_000


def test_a_hub_that_began_before_its_clock_was_right_tells_the_right_time_to_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind = [30 * A_DAY_NS]
    monkeypatch.setattr(hub_module, "EvenClock", lambda: EvenClock(lambda: time.time_ns() - behind[0]))
    table = PlainTable("table-1").write(1)
    with running_hub(tmp_path) as hub, PlainTables(hub.service._address.port, [table]) as tables:
        until(tables.are_confirmed)
        behind[0] = 0

        def error_s() -> float:
            asked = time.time_ns() // 1_000_000
            tables.say("table-1", "asked-time", {"asked": asked})
            told = [told for name, what, told in tables.heard if (name, what) == ("table-1", "time")]
            return abs(told[-1]["received"] - asked) / 1000 if told else 86_400.0

        until(lambda: error_s() < 3_600)
        (shown,) = hub.service.tables()
        assert not shown.faults
        assert abs(shown.heard_ms - time.time_ns() // 1_000_000) < 3_600_000
