"""Over the network all goes over TLS: nobody on the line reads a PIN or a cookie, and old bookmarks lead on."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from ssl import DER_cert_to_PEM_cert, create_default_context
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from controller.referee import Phase
from controller.rules import Side
from controller.web.server.access import player_pin
from controller.web.server.application import serve
from controller.web.server.thread import WebServer
from tests.browser import open_browser
from tests.referee.table.scenes import SCENES
from tests.web.browsers import PIN, SEAT, SETTINGS, TABLE
from tests.web.served_table import TableHouse
from tests.web.wire.secure_table import MAPPED, NAME, Overheard, secure_table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = {"width": 390, "height": 844}
AS_A_PAGE = {"accept": "text/html"}


def house() -> TableHouse:
    return TableHouse(SCENES[Phase.TO_ROLL]())


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with open_browser(MAPPED) as opened:
        yield opened


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    with secure_table(tmp_path_factory.mktemp("tls"), house()) as server:
        yield server


@pytest.fixture
def line(table: WebServer) -> Iterator[Overheard]:
    with Overheard(table.port) as line:
        yield line


@pytest.fixture
def phone(browser: "Browser") -> Iterator["Page"]:
    """A phone whose owner has gone past the warning."""
    with browser.new_context(viewport=PHONE, ignore_https_errors=True) as context:  # type: ignore[attr-defined]
        yield context.new_page()


def over_tls(table: WebServer) -> httpx.Client:
    return httpx.Client(base_url=f"https://127.0.0.1:{table.port}", verify=False, trust_env=False)


def test_a_bookmark_without_tls_leads_on_and_nobody_on_the_line_reads_pin_or_cookie(
    line: Overheard, phone: "Page"
) -> None:
    phone.goto(f"http://{NAME}:{line.port}/login")
    phone.wait_for_url(f"https://{NAME}:{line.port}/login")
    phone.get_by_label("PIN").fill(PIN)
    phone.get_by_role("button", name="Enter").click()
    phone.wait_for_url(f"https://{NAME}:{line.port}/")
    assert (
        phone.evaluate("fetch('/api/v1/state').then((each) => each.json())")["state"]["viewer"]["role"]
        == "director"
    )
    cookies = phone.context.cookies()
    assert {each["name"] for each in cookies} >= {"pointsman", "pointsman-device"}
    assert all(each["secure"] for each in cookies)
    phone.goto(f"http://{NAME}:{line.port}/")
    phone.wait_for_url(f"https://{NAME}:{line.port}/")
    told = bytes(line.heard)
    assert b"GET /login HTTP/1.1" in told, "nothing was overheard"
    assert not [each["name"] for each in cookies if each["value"].encode() in told]
    assert b"pin=" not in told
    assert b"cookie" not in told.lower()


def test_the_square_of_a_player_leads_to_a_page_over_tls(
    table: WebServer, line: Overheard, phone: "Page"
) -> None:
    with over_tls(table) as client:
        client.post("/login", data={"pin": PIN}, headers={"origin": str(client.base_url)})
        address = client.get("/pins").text
    assert f"https://{NAME}:{table.port}/" in address
    pin = player_pin(SETTINGS.secret, "m1", Side.DARK)
    phone.goto(f"https://{NAME}:{line.port}/login#{pin}")
    phone.wait_for_url(f"https://{NAME}:{line.port}/")
    phone.locator(".board, svg").first.wait_for()
    assert pin.encode() not in bytes(line.heard)


def test_a_page_without_tls_does_nothing_over_tls_even_if_it_is_this_tables_own(table: WebServer) -> None:
    """Whoever has the line writes that page, and browsers send the cookies of the same name along."""
    with over_tls(table) as client:
        own = str(client.base_url)
        client.post("/login", data={"pin": PIN}, headers={"origin": own})
        for origin, status in ((own.replace("https", "http"), 403), (own, 303)):
            assert client.post("/logout", headers={"origin": origin}).status_code == status


def test_who_does_not_trust_the_certificate_yet_reads_what_to_do(
    browser: "Browser", table: WebServer
) -> None:
    page = browser.new_page(viewport=PHONE)
    page.goto(f"http://{NAME}:{table.port}/watch")
    page.get_by_role("link", name="Go on").wait_for()
    assert (
        page.get_by_role("link", name="Go on").get_attribute("href") == f"https://{NAME}:{table.port}/watch"
    )
    text = page.locator("main").inner_text()
    assert "Show Details" in text
    assert "Android" in text
    page.close()


def test_a_code_that_was_scanned_is_taken_along_past_the_warning(
    browser: "Browser", table: WebServer
) -> None:
    with closing(browser.new_context(viewport=PHONE, locale="en-GB")) as context:
        page = context.new_page()
        page.goto(f"http://{NAME}:{table.port}/watch#ABCD2345")
        page.locator('a[href$="/watch#ABCD2345"]').wait_for()


@pytest.mark.parametrize("path", ["/trust", "/watch"])
@pytest.mark.parametrize("language", ["en", "hu", "et", "sk"])
def test_the_page_that_leads_on_fits_a_phone_and_names_the_authority(
    browser: "Browser", table: WebServer, language: str, path: str
) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 640})
    page.goto(f"http://{NAME}:{table.port}{path}?language={language}")
    assert "Pointsman table test" in page.locator("main").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.close()


def test_the_authority_is_installed_by_one_link_and_then_nobody_warns(table: WebServer) -> None:
    got = httpx.get(f"http://127.0.0.1:{table.port}/authority.crt", trust_env=False)
    assert got.headers["content-type"] == "application/x-x509-ca-cert"
    trusting = create_default_context(cadata=DER_cert_to_PEM_cert(got.content))
    assert httpx.get(
        f"https://localhost:{table.port}/api/v1/state", verify=trusting, trust_env=False
    ).is_success


@pytest.mark.parametrize("path", ["/api/v1/state", "/metrics", "/openapi.json", "/watch?size=hall"])
def test_programs_are_sent_to_the_same_address_over_tls(table: WebServer, path: str) -> None:
    told = httpx.get(f"http://127.0.0.1:{table.port}{path}", trust_env=False)
    assert (told.status_code, told.headers["location"]) == (308, f"https://127.0.0.1:{table.port}{path}")


@pytest.mark.parametrize("path", ["/login", "/api/v1/commands", "/logout"])
def test_what_is_posted_without_tls_is_refused_unread(table: WebServer, path: str) -> None:
    address = f"http://127.0.0.1:{table.port}"
    told = httpx.post(f"{address}{path}", data={"pin": PIN}, headers={"origin": address}, trust_env=False)
    assert told.status_code == 403
    assert "https" in told.text
    assert "set-cookie" not in told.headers


def test_no_live_channel_is_told_without_tls(table: WebServer) -> None:
    with pytest.raises((InvalidStatus, ConnectionClosed)):
        connect(f"ws://127.0.0.1:{table.port}/api/v1/live", proxy=None).recv()


def test_the_machine_itself_needs_no_tls(table: WebServer) -> None:
    """Its own browser, and a program in front of the pages on the same machine."""
    for more in ({}, {"x-forwarded-for": "192.168.7.20"}):
        got = httpx.get(
            f"http://127.0.0.1:{table.port}/api/v1/state", headers={SEAT: TABLE, **more}, trust_env=False
        )
        assert got.json()["state"]["match"]


def test_a_table_for_its_own_machine_alone_has_no_certificate() -> None:
    with serve(house(), SETTINGS) as server:
        assert httpx.get(f"{server.address}/trust", trust_env=False).status_code == 404
    assert urlsplit(server.address).scheme == "http"


def test_a_page_that_can_open_no_websocket_follows_all_the_same(phone: "Page", tmp_path: Path) -> None:
    # As on an iPhone whose owner went past the warning: the socket closes without having opened.
    phone.add_init_script(
        "window.WebSocket = class { constructor() { setTimeout(() => this.onclose?.(), 10); } close() {} };"
    )
    of = house()
    with secure_table(tmp_path, of) as server:
        with phone.expect_response(lambda got: "/api/v1/live" in got.url) as answer:
            phone.goto(f"https://{NAME}:{server.port}/watch")
        assert answer.value.headers["content-type"] == "text/event-stream"
        of.play(lambda evening: evening.roll(5, 2))
        phone.get_by_text("Dice: 5-2").first.wait_for(state="attached")
