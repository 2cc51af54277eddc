"""A table that is open to the network, or new, is found in it as `pointsman.local`."""

from collections.abc import Iterator

import pytest
from zeroconf import AddressResolverIPv4, Zeroconf

from controller.app.pages import TABLES, USUAL_NAME, table_service
from controller.devices.multicast import Announcement, find_services

LOOPBACK = ["127.0.0.1"]


@pytest.fixture
def announced() -> Iterator[None]:
    complaints: list[str] = []
    announcement = Announcement(table_service("127.0.0.1", 8080), complaints.append, LOOPBACK)
    yield
    announcement.close()
    assert complaints == []


@pytest.mark.usefixtures("announced")
def test_a_table_is_found_by_its_name() -> None:
    with Zeroconf(interfaces=LOOPBACK) as network:
        asked = AddressResolverIPv4(f"{USUAL_NAME}.")
        for _ in range(10):
            if asked.request(network, 2000):
                break
        assert asked.parsed_addresses() == ["127.0.0.1"]


@pytest.mark.usefixtures("announced")
def test_tables_are_listed_with_their_ports() -> None:
    for _ in range(5):
        found = find_services(TABLES, LOOPBACK)
        if found:
            break
    assert [told.port for told in found.values()] == [8080]
