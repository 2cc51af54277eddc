"""What systemd hears of a hub, through a real socket."""

from pathlib import Path

import pytest

from controller.club.transport import BrokerAddress
from controller.hub.hub import Hub, HubSettings
from controller.hub.managed import READY_S, STILL_S, ManagedHub
from controller.systemd import ServiceManager
from tests.hub.hubs import HubProcess, running_hub, until
from tests.hub.plain_tables import PlainTable, PlainTables
from tests.listening import Clock, Systemd, systemd
from tests.ports import free_port

__all__ = ["systemd"]

only_a_path = pytest.mark.parametrize("systemd", ["a path"], indirect=True)


def standing(heard: list[str]) -> str:
    """How the hub stands, as it was told last."""
    return next((line for line in reversed(heard) if line.startswith("STATUS=")), "")


@only_a_path
def test_a_hub_is_ready_when_its_broker_answers_and_tells_how_many_tables_are_there(
    systemd: Systemd, tmp_path: Path
) -> None:
    table = PlainTable("table-1").write(3)
    with running_hub(tmp_path / "hub") as hub:
        managed = ManagedHub(hub, ServiceManager(systemd.address), "en", Clock())
        until(lambda: hub.service.connected)
        managed.check()
        assert systemd.listen() == ["READY=1", "STATUS=0 of 0 tables are connected"]
        assert hub.broker is not None
        with PlainTables(hub.broker.address.port, [table]) as tables:
            until(tables.are_confirmed)
            managed.check()
            assert standing(systemd.listen()) == "STATUS=1 of 1 tables are connected"
        managed.check()
        assert systemd.listen().count("READY=1") == 1


@only_a_path
def test_a_broker_that_never_answers_is_not_waited_for_for_ever(systemd: Systemd, tmp_path: Path) -> None:
    clock = Clock()
    settings = HubSettings(tmp_path / "hub", port=0, broker=BrokerAddress("127.0.0.1", free_port()))
    with Hub(settings, str) as hub:
        managed = ManagedHub(hub, ServiceManager(systemd.address), "en", clock)
        managed.check()
        assert "READY=1" not in systemd.listen()
        clock.now += READY_S
        managed.check()
        assert "READY=1" in systemd.listen()
        until(lambda: hub.service.troubles())
        managed.check()
        assert standing(systemd.listen()).startswith("STATUS=No table can be heard: ")


@only_a_path
def test_a_hub_whose_loop_stands_still_does_not_go_on(systemd: Systemd, tmp_path: Path) -> None:
    clock = Clock()
    with running_hub(tmp_path / "hub") as hub:
        managed = ManagedHub(hub, ServiceManager(systemd.address, watchdog_s=4.0, clock=clock), "en", clock)
        for _ in range(3):
            turns = hub.service.turns
            until(lambda turns=turns: hub.service.turns > turns)
            clock.now += STILL_S
            managed.check()
        assert systemd.listen().count("WATCHDOG=1") == 3
    clock.now += STILL_S  # it was closed: nothing turns any more
    managed.check()
    clock.now += STILL_S
    managed.check()
    assert systemd.listen().count("WATCHDOG=1") == 3


def test_the_command_is_ready_goes_on_and_stops_and_its_broker_says_nothing_for_it(
    systemd: Systemd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", systemd.address)
    monkeypatch.setenv("WATCHDOG_USEC", "2000000")
    hub = HubProcess(tmp_path / "hub")
    try:
        systemd.wait_for("READY=1")
        systemd.wait_for("WATCHDOG=1")
        assert hub.end() == 0
        systemd.wait_for("STOPPING=1")
        assert systemd.heard.count("READY=1") == 1
    finally:
        hub.kill()
