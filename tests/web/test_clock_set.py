"""The machine's clock is set while a match is on: what the pages show of the players' clocks stays right."""

import asyncio
import json
import time
from typing import Any

import pytest

from controller.even_clock import EvenClock
from controller.referee import Phase
from controller.referee.events import Disputed
from controller.rules import Side
from controller.web.audience import Audience
from controller.web.channel import BEAT_S, Channel, Follower
from controller.web.outlet import Outlet
from controller.web.server.site import Site
from controller.web.table_service import ClockShown, Role
from tests.referee.table.scenes import SCENES
from tests.web.browsers import SETTINGS
from tests.web.served_table import TableHouse

FIFTY_YEARS_S, HOUR_S = 50 * 365 * 86_400, 3600
CLOCK = ClockShown({Side.LIGHT: 600.0, Side.DARK: 500.0}, 0.0, Side.DARK, 0.0)
PLAYER = Audience(Role.PLAYER, Side.LIGHT)


class Machine:
    """Its two clocks; a test has time go by, and sets the one that tells the time of day."""

    def __init__(self, wall_s: float = 2 * FIFTY_YEARS_S) -> None:
        self.wall_s, self.steady_s = wall_s, 5.0

    def wall_ns(self) -> int:
        return round(self.wall_s * 1e9)

    def steady_ns(self) -> int:
        return round(self.steady_s * 1e9)

    def wait(self, seconds: float) -> None:
        self.wall_s += seconds
        self.steady_s += seconds


def clock_in(outlet: Outlet, audience: Audience = PLAYER) -> dict[str, Any]:
    state: Any = outlet.snapshot(audience)["state"]
    clock: dict[str, Any] = state["clock"]
    return clock


@pytest.mark.parametrize("by_s", [FIFTY_YEARS_S, -HOUR_S])
def test_a_page_that_is_opened_after_the_clock_was_set_shows_what_is_left(
    monkeypatch: pytest.MonkeyPatch, by_s: int
) -> None:
    site = Site(TableHouse(SCENES[Phase.TO_ROLL](), clock=CLOCK), SETTINGS)
    before, real = clock_in(site.outlet), time.time_ns
    monkeypatch.setattr("time.time_ns", lambda: real() + by_s * 1_000_000_000)
    after = clock_in(site.outlet)
    site.close()
    assert 500.0 - 60.0 < after["dark_s"] <= before["dark_s"] <= 500.0
    assert after["at_ms"] - before["at_ms"] < 60_000, "nor does a page that was open before see a jump"


def test_pages_are_told_what_time_it_is_at_the_table_also_while_much_is_told() -> None:
    channel, follower = Channel("run", {}, 0), Follower()
    channel.followers.add(follower)
    beats: list[int] = []
    for number in range(10):
        channel.change({"number": number}, number, [{"kind": "said"}])
        channel.beat(1000 * number)
        told = [json.loads(follower.queue.get_nowait()) for _ in range(follower.queue.qsize())]
        beats += [message["at_ms"] for message in told if message["kind"] == "beat"]
    assert len(beats) == 5, f"twice in {BEAT_S} s a channel may tell one"
    assert beats == sorted(beats)


@pytest.mark.parametrize("by_s", [FIFTY_YEARS_S, -HOUR_S])
def test_an_outlet_that_follows_a_clock_shows_everything_as_long_ago_as_it_was(by_s: int) -> None:
    async def evening() -> None:
        machine = Machine()
        clock = EvenClock(machine.wall_ns, machine.steady_ns)
        scene = SCENES[Phase.TO_ROLL]()
        scene.tell(Disputed(scene.t))
        outlet = Outlet(TableHouse(scene, clock=CLOCK), clock)
        outlet.open()
        desk = Audience(Role.DIRECTOR)
        (since_ms,) = {need["since_ms"] for need in needs_in(outlet, desk)}
        machine.wait(10)
        machine.wall_s += by_s
        outlet.move_times(clock.follow())
        machine.wait(10)
        assert clock_in(outlet)["dark_s"] == pytest.approx(480.0)
        assert clock_in(outlet)["at_ms"] == machine.wall_ns() // 1_000_000
        assert {need["since_ms"] for need in needs_in(outlet, desk)} == {since_ms + by_s * 1000}
        outlet.close()

    asyncio.run(evening())


def needs_in(outlet: Outlet, audience: Audience) -> list[dict[str, Any]]:
    state: Any = outlet.snapshot(audience)["state"]
    needs: list[dict[str, Any]] = state["needs"]
    return needs
