"""The doctor looks at a table's way to its hub, and disturbs no table that is on it."""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from controller.app.club import RoomClub
from controller.app.room import Room
from controller.club.membership import Credentials, authority_beside
from controller.config import Config
from controller.config.sections import ClubSection
from controller.doctor import club
from controller.doctor.finding import State
from controller.hub import broker
from controller.hub.hub import Hub, HubSettings
from tests.app.test_live import Scene
from tests.app.test_room import Staying, config_in
from tests.hub.hubs import until
from tests.ports import free_port


@contextmanager
def open_hub(folder: Path, port: int) -> Iterator[Hub]:
    """A hub for other machines, with its broker at this port."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(broker, "TLS_PORT", port)
        with Hub(HubSettings(folder, port=0, open_to_all=True), lambda _: None) as hub:
            yield hub


def paired(hub: Hub, folder: Path, port: int) -> Config:
    """The configuration of a table that was paired with it."""
    assert hub.broker is not None
    config = config_in(folder)
    config = replace(
        config, club=ClubSection(use=True, hub=f"127.0.0.1:{port}", club="club", table="table-1")
    )
    config.folder.mkdir(exist_ok=True)
    assert hub.broker.offer.authority is not None
    pem = hub.broker.offer.authority.pem
    login = Credentials("table-1", hub.broker.add("table-1"), Path("club.pem"), hub.key)
    login.write(config.credentials_file(), pem)
    return config


def club_ready(room: Room) -> bool:
    """Whether the table shows that all is well between it and the hub."""
    return [each.ready for each in room.view().devices if each.name == "club"] == [True]


def test_the_doctor_does_not_end_the_connection_of_a_table_that_runs(tmp_path: Path) -> None:
    port = free_port()
    with open_hub(tmp_path / "hub", port) as hub:
        config = paired(hub, tmp_path / "table", port)
        until(lambda: hub.service.connected)
        seen: list[bool] = []
        hub.service.subscribe(lambda table: seen.append(table.up))
        with Staying(config, Scene(), known=True) as room, RoomClub.from_room(room) as joined:
            joined.start()
            until(lambda: seen[-1:] == [True])
            until(lambda: club_ready(room))
            for _ in range(3):
                found = club.hub(config)
                assert (found.state, "runs" in found.measured) == (State.OK, True)
            time.sleep(1.5)
            assert club_ready(room)
            assert False not in seen[seen.index(True) :]
        found = club.hub(config)
        assert (found.state, "can log in" in found.measured) == (State.OK, True)


def test_the_doctor_says_why_the_broker_of_a_table_that_runs_cannot_be_used(tmp_path: Path) -> None:
    port = free_port()
    with open_hub(tmp_path / "hub", port) as hub:
        config = paired(hub, tmp_path / "table", port)
        other = tmp_path / "other"
        with open_hub(other, free_port()):
            strange = (other / "authority.crt").read_bytes()
        with Staying(config, Scene(), known=True) as room, RoomClub.from_room(room) as joined:
            joined.start()
            until(lambda: club_ready(room))
            own = authority_beside(config.credentials_file())
            kept = own.read_bytes()
            own.write_bytes(strange)
            found = club.hub(config)
            assert (found.state, "not the one" in found.measured) == (State.WARN, True)
            own.write_bytes(kept)
            hub.close()
            found = club.hub(config)
            assert (found.state, "cannot be used" in found.measured) == (State.WARN, True)
    shutil.rmtree(other)
