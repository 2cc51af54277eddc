"""A code lets one table in: from the digits at the hub to its first confirmed entries, over TLS."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from controller.club.mqtt import connect_mqtt
from controller.club.pairing import PairingRefusedError, PairingResult, pair
from controller.club.transport import BrokerAddress, RefusedMessageError, TransportError
from controller.errors import UserError
from controller.hub import broker
from controller.hub.broker import BrokerOffer
from controller.hub.hub import Hub, HubSettings
from controller.hub.pairing import LASTS_S, TRIES, PairingDesk
from tests.hub.hubs import free_port
from tests.hub.plain_tables import PlainTable


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(broker, "TLS_PORT", free_port())
        settings = HubSettings(tmp_path_factory.mktemp("hub"), port=0, open_to_all=True, club="thursday")
        with Hub(settings, print) as running:
            yield running


def shown_code(hub: Hub) -> str:
    with httpx.Client(base_url=hub.addresses[0]) as director:
        director.post("/login", data={"pin": "135790"})
        return str(director.post("/api/v1/pairings-code").json()["code"])


def login(told: PairingResult, folder: Path) -> BrokerAddress:
    authority = folder / "club.pem"
    authority.write_text(told.authority)
    return BrokerAddress(told.host, told.port, told.user, told.password, authority)


async def send_and_hear(address: BrokerAddress, table: PlainTable) -> dict[str, object]:
    """Say as a table what it has; what the hub confirms."""
    async with connect_mqtt(address, client=table.name) as transport:
        await transport.subscribe([f"pointsman/1/thursday/{table.name}/confirmed"])
        part = json.dumps(table.part(1, len(table.rows))).encode()
        await transport.publish(f"pointsman/1/thursday/{table.name}/events", part)
        async with asyncio.timeout(30):
            async for message in transport.messages():
                told: dict[str, object] = json.loads(message.payload)
                return told
    raise AssertionError("nothing was confirmed")


def test_a_table_that_was_let_in_sends_and_is_confirmed_and_says_nothing_for_others(
    hub: Hub, tmp_path: Path
) -> None:
    told = pair(hub.addresses[0], shown_code(hub), "table-7")
    assert (told.address.club, told.address.table, told.user) == ("thursday", "table-7", "table-7")
    address = login(told, tmp_path)
    confirmed = asyncio.run(send_and_hear(address, PlainTable("table-7").write(3)))
    assert (confirmed["upto"], confirmed["fault"]) == (3, "")
    with pytest.raises(RefusedMessageError):
        asyncio.run(send_and_hear(address, PlainTable("table-8").write(1)))


def test_pairing_again_ends_the_old_password(hub: Hub, tmp_path: Path) -> None:
    first = login(pair(hub.addresses[0], shown_code(hub), "table-9"), tmp_path)
    second = login(pair(hub.addresses[0], shown_code(hub), "table-9"), tmp_path)
    table = PlainTable("table-9").write(1)
    assert asyncio.run(send_and_hear(second, table))["upto"] == 1
    with pytest.raises(TransportError, match="Not authorized"):
        asyncio.run(send_and_hear(first, table))


def test_a_code_of_another_hub_is_refused_by_the_table(hub: Hub) -> None:
    digits = shown_code(hub).partition("-")[0]
    with pytest.raises(PairingRefusedError, match="the fingerprint differs"):
        pair(hub.addresses[0], f"{digits}-00000-00000-00000-00000-00000", "table-1")


class Desk:
    """A desk whose time is told, and who was let in."""

    def __init__(self) -> None:
        self.now = 100.0
        self.let_in: list[str] = []
        self.desk = PairingDesk("club", BrokerOffer(1883), self.add, "0" * 64, lambda: self.now)

    def add(self, table: str) -> str:
        self.let_in.append(table)
        return "secret"


def wrong(code: str) -> str:
    return f"{(int(code) + 1) % 10**6:06d}"


def test_five_wrong_codes_close_the_one_that_is_shown() -> None:
    scene = Desk()
    code = scene.desk.show().code
    for _ in range(TRIES - 1):
        with pytest.raises(UserError, match="type it again"):
            scene.desk.pair(wrong(code), "t")
    with pytest.raises(UserError, match="wrong five times"):
        scene.desk.pair(wrong(code), "t")
    with pytest.raises(UserError, match="No code is shown"):
        scene.desk.pair(code, "t")
    assert scene.let_in == []


def test_a_code_holds_for_five_minutes_and_a_new_one_ends_the_old() -> None:
    scene = Desk()
    old = scene.desk.show().code
    scene.now += LASTS_S - 1
    new = scene.desk.show().code
    if old != new:
        with pytest.raises(UserError, match="type it again"):
            scene.desk.pair(old, "t")
    scene.now += LASTS_S - 1
    assert scene.desk.pair(new, "t").password == "secret"
    late = scene.desk.show().code
    scene.now += LASTS_S + 1
    with pytest.raises(UserError, match="No code is shown"):
        scene.desk.pair(late, "t")
    assert scene.let_in == ["t"]
