"""A table that is open to the network, or new, is found in it as `pointsman.local`."""

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest
from zeroconf import AddressResolverIPv4, Zeroconf

from controller.app.pages import TABLES, USUAL_NAME, table_service
from controller.devices import multicast
from controller.devices.multicast import Announcement, Service, find_services

LOOPBACK = ["127.0.0.1"]
PATIENCE_S = 60.0
NAME = f"pointsman-{os.getpid()}.local"
"""In place of the usual one, which tables of other tests may have at the same time."""


def told_by(host: str, port: int) -> Service:
    service = table_service(host, port)
    assert service.server == USUAL_NAME
    return replace(service, server=NAME)


@pytest.fixture
def announced() -> Iterator[None]:
    complaints: list[str] = []
    announcement = Announcement(told_by("127.0.0.1", 8080), complaints.append, LOOPBACK)
    yield
    announcement.close()
    assert complaints == []


@pytest.mark.usefixtures("announced")
def test_a_table_is_found_by_its_name() -> None:
    with Zeroconf(interfaces=LOOPBACK) as network:
        asked = AddressResolverIPv4(f"{NAME}.")
        for _ in range(10):
            if asked.request(network, 2000):
                break
        assert asked.parsed_addresses() == ["127.0.0.1"]


@pytest.mark.usefixtures("announced")
def test_a_second_table_leaves_the_name_to_the_first_one() -> None:
    with Zeroconf(interfaces=LOOPBACK) as network:
        first = AddressResolverIPv4(f"{NAME}.")
        assert any(first.request(network, 2000) for _ in range(10))
    second = Announcement(told_by("192.0.2.8", 8081), lambda _: None, LOOPBACK)
    try:
        with Zeroconf(interfaces=LOOPBACK) as network:
            own = AddressResolverIPv4("pointsman-192-0-2-8.local.")
            for _ in range(10):
                if own.request(network, 2000):
                    break
            assert own.parsed_addresses() == ["192.0.2.8"]
            usual = AddressResolverIPv4(f"{NAME}.")
            assert usual.request(network, 5000)
            assert usual.parsed_addresses() == ["127.0.0.1"]
    finally:
        second.close()


@pytest.mark.usefixtures("announced")
def test_tables_are_listed_with_their_ports() -> None:
    ports = set[int]()  # of other tables, too, where other tests have some at the same time
    for _ in range(5):
        ports = {told.port for told in find_services(TABLES, LOOPBACK).values()}
        if 8080 in ports:
            break
    assert 8080 in ports


def test_a_table_that_ends_while_it_looks_whether_its_name_is_taken_does_not_wait_for_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(multicast, "TAKEN_LOOK_S", 3600.0)
    announcement = Announcement(told_by("127.0.0.1", 8082), lambda _: None, LOOPBACK)
    announcement.close()
    announcement._thread.join(PATIENCE_S)
    assert not announcement._thread.is_alive()
