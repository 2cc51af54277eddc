"""A code lets one table in: from the digits at the hub to its first confirmed entries, over TLS."""

import asyncio
import datetime
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from fastapi import FastAPI
from starlette.responses import Response

from controller.club.mqtt import connect_mqtt
from controller.club.pairing import PairingCode, PairingOffer, PairingRefusedError, TableLogin, pair
from controller.club.transport import BrokerAddress, RefusedMessageError, TransportError
from controller.errors import UserError
from controller.hub import broker
from controller.hub.broker import BrokerOffer
from controller.hub.hub import Hub, HubSettings
from controller.hub.pairing import LASTS_S, TRIES, TRIES_OF_ALL, PairingDesk
from controller.web.server.picture import svg_of
from controller.web.server.thread import WebServer
from controller.web.settings import WebSettings
from controller.web.wire.authority import OwnAuthority
from tests.browser import browser
from tests.hub.desk_hall import PIN, desk_hall
from tests.hub.plain_tables import PlainTable
from tests.ports import free_port
from tests.web.at_once import Form, post_at_once
from tests.web.walk.visitor import Device, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]

TRIES_TO_BE_HEARD = 20
"""The hub may be on its way to the broker when the table is there already; what is said then, nobody hears."""


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(broker, "TLS_PORT", free_port())
        settings = HubSettings(tmp_path_factory.mktemp("hub"), port=0, open_to_all=True, club="thursday")
        with Hub(settings, print) as running:
            yield running


def shown_code(hub: Hub) -> PairingCode:
    """What the hub shows, as somebody types it at a table on the same machine."""
    with httpx.Client(base_url=hub.addresses[0]) as director:
        director.post("/login", data={"pin": "135790"})
        return PairingCode.read([hub.addresses[0], director.post("/api/v1/pairings-code").json()["code"]])


def login(told: TableLogin, folder: Path) -> BrokerAddress:
    authority = folder / "club.pem"
    authority.write_text(told.authority)
    return BrokerAddress(told.host, told.port, told.user, told.password, authority)


async def send_and_hear(address: BrokerAddress, table: PlainTable) -> dict[str, object]:
    """Say as a table what it has, again while nobody answers as tables do; what the hub confirms."""
    async with connect_mqtt(address, client=table.name) as transport:
        await transport.subscribe([f"pointsman/1/thursday/{table.name}/confirmed"])
        part = json.dumps(table.part(1, len(table.rows))).encode()
        heard = asyncio.ensure_future(anext(transport.messages()))
        try:
            for _ in range(TRIES_TO_BE_HEARD):
                await transport.publish(f"pointsman/1/thursday/{table.name}/events", part)
                if (await asyncio.wait({heard}, timeout=5))[0]:
                    told: dict[str, object] = json.loads(heard.result().payload)
                    return told
        finally:
            heard.cancel()
    raise AssertionError("nothing was confirmed")


def test_a_table_that_was_let_in_sends_and_is_confirmed_and_says_nothing_for_others(
    hub: Hub, tmp_path: Path
) -> None:
    told = pair(shown_code(hub), "table-7")
    assert (told.club, told.table, told.user) == ("thursday", "table-7", "table-7")
    address = login(told, tmp_path)
    confirmed = asyncio.run(send_and_hear(address, PlainTable("table-7").write(3)))
    assert (confirmed["upto"], confirmed["fault"]) == (3, "")
    with pytest.raises(RefusedMessageError):
        asyncio.run(send_and_hear(address, PlainTable("table-8").write(1)))


def test_pairing_again_ends_the_old_password(hub: Hub, tmp_path: Path) -> None:
    first = login(pair(shown_code(hub), "table-9"), tmp_path)
    second = login(pair(shown_code(hub), "table-9"), tmp_path)
    table = PlainTable("table-9").write(1)
    assert asyncio.run(send_and_hear(second, table))["upto"] == 1
    with pytest.raises(TransportError, match="Not authorized"):
        asyncio.run(send_and_hear(first, table))


def test_other_letters_are_refused_before_anything_secret_is_said(hub: Hub) -> None:
    shown = shown_code(hub)
    with pytest.raises(PairingRefusedError, match="is not the one that shows this code"):
        pair(replace(shown, mark="0" * 8), "table-1")
    with pytest.raises(PairingRefusedError, match="Type the letters"):
        pair(replace(shown, mark=""), "table-1")
    assert pair(shown, "table-1").table == "table-1"


def authority_of(hub: Hub) -> str:
    assert hub.broker is not None
    assert hub.broker.offer.authority is not None
    return hub.broker.offer.authority.pem


class Impostor:
    """Shows the certificate of the club's authority as its own, and has a certificate by another one."""

    def __init__(self, folder: Path, authority: str) -> None:
        other = OwnAuthority.make(folder, "other", datetime.datetime.now(datetime.UTC))
        made = other.vouch(folder, ("localhost", "127.0.0.1"), datetime.datetime.now(datetime.UTC))
        self.heard: list[object] = []
        site = FastAPI()

        @site.get("/api/v1/pair")
        def offer() -> PairingOffer:
            return PairingOffer(self.secret.port, authority)

        @site.post("/api/v1/pair")
        def pair_with(body: dict[str, str]) -> None:
            self.heard.append(body)

        self.secret = WebServer(site, WebSettings(), certificate=made)
        self.pages = WebServer(site, WebSettings())

    def close(self) -> None:
        self.pages.close()
        self.secret.close()


def test_who_shows_the_clubs_certificate_and_does_not_hold_its_key_hears_no_code(
    hub: Hub, tmp_path: Path
) -> None:
    shown = shown_code(hub)
    impostor = Impostor(tmp_path, authority_of(hub))
    try:
        with pytest.raises(PairingRefusedError, match="its certificate is not the club's"):
            pair(replace(shown, hub=f"127.0.0.1:{impostor.pages.port}"), "table-1")
    finally:
        impostor.close()
    assert impostor.heard == []
    assert pair(shown, "table-1").table == "table-1"


@pytest.mark.parametrize("status", [200, 403])
@pytest.mark.parametrize(
    "answer", [b"[]", b"[" * 60_000, b'{"port": 1e999, "authority": ""}', b'{"port": "x", "authority": ""}']
)
def test_what_answers_as_no_hub_does_is_told(answer: bytes, status: int) -> None:
    site = FastAPI()

    @site.get("/api/v1/pair")
    def offer() -> Response:
        return Response(answer, status)

    server = WebServer(site, WebSettings())
    try:
        with pytest.raises(PairingRefusedError):
            pair(PairingCode("123456", hub=f"127.0.0.1:{server.port}"), "table-1")
    finally:
        server.close()


def test_a_table_that_asks_without_tls_is_refused_and_the_code_still_holds(hub: Hub) -> None:
    shown = shown_code(hub)
    answer = httpx.post(f"{hub.addresses[0]}api/v1/pair", json={"code": shown.digits, "table": "table-2"})
    assert (answer.status_code, "over TLS only" in answer.json()["detail"]) == (403, True)
    assert pair(shown, "table-2").table == "table-2"


def test_the_code_is_there_to_be_photographed_for_the_director_alone(hub: Hub) -> None:
    page = hub.addresses[0]
    with httpx.Client(base_url=page) as director:
        director.post("/login", data={"pin": "135790"})
        told = director.post("/api/v1/pairings-code").json()
        drawn = director.get("/api/v1/pairings-code.svg")
    assert drawn.content == svg_of(told["link"])
    assert httpx.get(f"{page}api/v1/pairings-code.svg").status_code == 401
    read = PairingCode.read([told["link"]])
    assert read.text == told["code"]
    assert read.hub.rpartition(":")[2] == page.rpartition(":")[2].rstrip("/")


def test_a_code_is_read_however_it_is_typed() -> None:
    code = PairingCode("171043", "CNYAS2AC", "192.168.1.20:8100")
    assert code.text == "171043-CNYA-S2AC"
    for typed in ("171043-CNYA-S2AC", " 171043 cnya s2ac ", "171043-cnyas2ac", "171043-CNYAS-2AC"):
        assert PairingCode.read(["192.168.1.20:8100", typed]) == code
    assert PairingCode.read([code.link]) == code
    assert PairingCode.read(["171043"]) == PairingCode("171043")
    for none in ("17104", "1710430", "CNYA-S2AC", "pointsman://hub", "١٧١٠٤٣"):
        with pytest.raises(PairingRefusedError, match="is no code"):
            PairingCode.read([none])


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


def test_after_five_wrong_codes_an_address_gets_no_more_tries_at_this_one() -> None:
    scene = Desk()
    code = scene.desk.new_code().digits
    for _ in range(TRIES - 1):
        with pytest.raises(UserError, match="type it again"):
            scene.desk.pair(wrong(code), "t", "table")
    for typed in (wrong(code), code):
        with pytest.raises(UserError, match="wrong five times"):
            scene.desk.pair(typed, "t", "table")
    assert scene.let_in == []
    assert scene.desk.pair(scene.desk.new_code().digits, "t", "table").password == "secret"


def test_wrong_codes_from_many_addresses_close_the_one_that_is_shown() -> None:
    scene = Desk()
    code = scene.desk.new_code().digits
    for number in range(TRIES_OF_ALL):
        with pytest.raises(UserError, match="type it again"):
            scene.desk.pair(wrong(code), "t", f"table {number}")
    with pytest.raises(UserError, match="No code is shown"):
        scene.desk.pair(code, "t", "table")
    assert scene.let_in == []


def test_who_sends_many_wrong_codes_at_once_keeps_no_table_out(tmp_path: Path) -> None:
    with desk_hall(tmp_path, tables=1) as running, httpx.Client(base_url=running.address) as director:
        assert director.post("/login", data={"pin": PIN}).status_code == 303
        code = PairingCode.read([director.post("/api/v1/pairings-code").json()["code"]]).digits

        def form(typed: str, source: str) -> Form:
            return Form("/api/v1/pair", {"code": typed, "table": "table-7"}, source, as_json=True)

        port = director.base_url.port or 0
        assert post_at_once(port, [form(wrong(code), "127.0.0.2")] * 30) == [403] * 30
        assert post_at_once(port, [form(code, "127.0.0.2"), form(code, "127.0.0.3")]) == [403, 200]


def test_a_code_holds_for_five_minutes_and_a_new_one_ends_the_old() -> None:
    scene = Desk()
    old = scene.desk.new_code().digits
    scene.now += LASTS_S - 1
    new = scene.desk.new_code().digits
    if old != new:
        with pytest.raises(UserError, match="type it again"):
            scene.desk.pair(old, "t", "table")
    scene.now += LASTS_S - 1
    assert scene.desk.pair(new, "t", "table").password == "secret"
    late = scene.desk.new_code().digits
    scene.now += LASTS_S + 1
    with pytest.raises(UserError, match="No code is shown"):
        scene.desk.pair(late, "t", "table")
    assert scene.let_in == ["t"]


def test_the_desk_shows_the_code_and_its_picture(browser: "Browser", tmp_path: Path) -> None:
    with (
        desk_hall(tmp_path, tables=1) as running,
        visiting(browser, running.address, Device(1280, 800)) as director,
    ):
        page = director.page
        director.open("/director")
        page.locator("input[name=pin]").fill(PIN)
        page.keyboard.press("Enter")
        page.locator("a[href='#all']").click()
        page.get_by_role("button", name="Show a code").click()
        drawn = page.locator("img.code")
        drawn.wait_for()
        page.wait_for_function("() => document.querySelector('img.code').naturalWidth > 0")
        assert page.get_by_text("Type this at the table:").is_visible()
